"""blender -b --python tests/show/blender.py -- FILE.glb PLACES.json: opens the file, goes to three frames, and compares every vertex with the
places. Exit code 1 if one is off by more than 1e-6 m."""
import json
import sys

import numpy

if not hasattr(numpy, "bool"):  # the importer of Blender 3.4 uses a name that numpy 1.24 has not
    numpy.bool = bool
import bpy

path, wanted = sys.argv[sys.argv.index("--") + 1:]
with open(wanted, encoding="utf-8") as f:
    truth = json.load(f)
bpy.ops.wm.read_factory_settings(use_empty=True)
bpy.ops.import_scene.gltf(filepath=path)
scene = bpy.context.scene
rate, n = scene.render.fps / scene.render.fps_base, len(truth["times"])
worst, compared = 0.0, 0
for k in sorted({0, n // 2, n - 1}):
    at = truth["times"][k] * rate
    scene.frame_set(int(at), subframe=at - int(at))
    graph = bpy.context.evaluated_depsgraph_get()
    seen = {}
    for o in bpy.data.objects:
        if o.type != "MESH":
            continue
        shape = o.evaluated_get(graph)
        if min(abs(s) for s in shape.matrix_world.to_scale()) < 0.5:
            continue  # not there in this frame
        seen[o.name.split(".")[0]] = [c for v in shape.to_mesh().vertices for c in shape.matrix_world @ v.co]
    for name, places in truth["frames"][k].items():
        if not places:
            continue
        if len(seen.get(name, ())) != len(places):
            print(f"show: {path}: frame {k}: '{name}' has {len(seen.get(name, ()))} numbers, {len(places)} were wanted")
            sys.exit(1)
        worst = max(worst, max(abs(a - b) for a, b in zip(seen[name], places)))
        compared += len(places) // 3
print(f"show: Blender {bpy.app.version_string}: {compared} vertices of three frames, off by {worst:.2g} m at most")
sys.exit(0 if worst <= 1e-6 and compared else 1)
