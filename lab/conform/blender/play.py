# blender --background --factory-startup --python play.py -- FOLDER: plays the experiment of FOLDER (case.json, cloth.obj) with the settings
# of its preset.py, and writes the wanted positions as out_0.obj, ... and Blender's version as engine.txt.
import json
import math
import os
import sys

import bpy

folder = sys.argv[sys.argv.index('--') + 1]
with open(os.path.join(folder, 'case.json')) as file:
    case = json.load(file)
times = case['times_s']
fps = 250 if case['self'] or times[-1] - times[-2] < 0.02 else 25

bpy.ops.wm.read_factory_settings(use_empty=True)
scene = bpy.context.scene
scene.render.fps = fps
scene.gravity = case['gravity_m_per_s2']
scene.frame_end = math.ceil(times[-1] * fps) + 2



def read_mesh(name):
    vertices, faces = [], []
    with open(os.path.join(folder, name)) as file:
        for line in file:
            words = line.split()
            if words and words[0] == 'v':
                vertices.append([float(w) for w in words[1:4]])
            elif words and words[0] == 'f':
                faces.append([int(w.split('/')[0]) - 1 for w in words[1:]])
    return vertices, faces


def new_object(name, points, polygons):
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata(points, [], polygons)
    mesh.update()
    thing = bpy.data.objects.new(name, mesh)
    bpy.context.collection.objects.link(thing)
    return thing


if case['pads']:
    sys.exit('pinch: a collider of Blender cannot be pressed with a force')
thing = new_object('cloth', *read_mesh(case['mesh']))
if case['start']:
    rest, start = thing.shape_key_add(name='rest'), thing.shape_key_add(name='start')
    for point, place in zip(start.data, read_mesh(case['start'])[0]):
        point.co = place
    start.value = 1
if case['pinned_motion']:  # pinned vertices follow the shape
    motion = case['pinned_motion']
    ramp, v = motion['ramp_s'], motion['velocity_m_per_s'][0]
    thing.shape_key_add(name='rest')
    way = thing.shape_key_add(name='pulled')
    way.slider_max = 10
    for i in case['pinned_vertices']:
        way.data[i].co.x += 1
    for frame in range(1, scene.frame_end + 1):
        t = max(0, (frame - 1) / fps - motion['from_s'])
        way.value = v * t * t / 2 / ramp if t < ramp else v * (t - ramp / 2)
        way.keyframe_insert('value', frame=frame)


def new_collider(points, polygons, friction):
    solid = new_object('solid', points, polygons)
    solid.modifiers.new('Collision', 'COLLISION')
    solid.collision.thickness_outer = 0.001
    solid.collision.damping = 0
    solid.collision.cloth_friction = min(80, 100 * friction)


if case['plane'] is not None:
    new_collider([(-30, -30, 0), (30, -30, 0), (30, 30, 0), (-30, 30, 0)], [(0, 1, 2, 3)], case['plane']['friction'])
if case['drum'] is not None:
    n, r = 256, case['drum']['radius_m']
    ring = [(r * math.sin(2 * math.pi * k / n), r * math.cos(2 * math.pi * k / n)) for k in range(n)]
    new_collider([(x, y, z) for x, z in ring for y in (-0.5, 0.5)],
                 [(2 * k, 2 * k + 1, (2 * k + 3) % (2 * n), (2 * k + 2) % (2 * n)) for k in range(n)], case['drum']['friction'])
cloth = thing.modifiers.new('Cloth', 'CLOTH')
cloth.point_cache.frame_end = scene.frame_end
cloth.collision_settings.use_collision = bool(case['plane'] or case['drum'])
if case['pinned_vertices']:
    thing.vertex_groups.new(name='pinned').add(case['pinned_vertices'], 1.0, 'REPLACE')
    cloth.settings.vertex_group_mass = 'pinned'
bpy.context.view_layer.objects.active = thing
bpy.utils.execfile(os.path.join(folder, 'preset.py'))
if case['rest']:  # as the swing dies soonest; at rest air does nothing
    size = max(thing.dimensions)
    speed = 2 * math.sqrt(math.hypot(*case['gravity_m_per_s2']) / size)
    cloth.settings.air_damping = min(10, 100 * cloth.settings.mass * speed / math.sqrt(1000))
elif not case['air']:
    cloth.settings.air_damping = 0
if case['start']:
    cloth.settings.rest_shape_key = rest
if case['self']:
    cloth.collision_settings.use_self_collision = True
    cloth.collision_settings.self_distance_min = 0.002
    cloth.collision_settings.self_friction = min(80, 100 * case['self']['friction'])


def write(k):
    mesh = thing.evaluated_get(bpy.context.evaluated_depsgraph_get()).data
    with open(os.path.join(folder, 'out_%d.obj' % k), 'w') as file:
        for v in mesh.vertices:
            file.write('v %.9g %.9g %.9g\n' % tuple(v.co))


frames = [1 + round(t * fps) for t in times]
for frame in range(1, frames[-1] + 1):
    scene.frame_set(frame)
    if frame in frames:
        write(frames.index(frame))
with open(os.path.join(folder, 'engine.txt'), 'w') as file:
    file.write('Blender %s\n' % bpy.app.version_string)
