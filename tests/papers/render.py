"""blender -b --factory-startup --python-exit-code 1 --python tests/papers/render.py -- SPEC.json: draws the panels of one picture by Cycles, takes
the noise out of them, and joins them. SPEC.json is written by tests/papers/pictures. Prints one line "drawn: {...}" with what was used.

A panel is one time of a run's glTF file. Cloth and bodies are smooth but for edges of `crease_deg` and more. Bodies are drawn `shrink_mm` inside
of their surface, so that cloth that lies on them hides them, liquids `liquid_shrink_mm`. Level planes are the ground. `wires_mm`: the edges of the
cloth's triangles are drawn that wide."""
import json
import math
import os
import struct
import sys
import zlib

import numpy

if not hasattr(numpy, "bool"):  # the importer of Blender 3.4 uses a name that numpy 1.24 has not
    numpy.bool = bool
import bpy
from mathutils import Matrix, Vector

GAP_PX = 6
BACK = (0.62, 0.25, 0.11)
MARGIN = 1.06


def direction(azimuth_deg, elevation_deg):
    a, e = math.radians(azimuth_deg), math.radians(elevation_deg)
    return Vector((math.cos(e) * math.cos(a), math.cos(e) * math.sin(a), math.sin(e)))


# ---- what is drawn ----

def load(panel):
    """The surfaces of one time: (kind, index, mesh object), in metres, z up."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.ops.import_scene.gltf(filepath=panel["glb"])
    scene = bpy.context.scene
    at = panel["time_s"] * scene.render.fps / scene.render.fps_base
    scene.frame_set(int(at), subframe=at - int(at))
    graph = bpy.context.evaluated_depsgraph_get()
    made = []
    for o in [o for o in bpy.data.objects if o.type == "MESH"]:
        shape = o.evaluated_get(graph)
        if min(abs(s) for s in shape.matrix_world.to_scale()) < 0.5:
            continue  # not there at this time
        mesh = bpy.data.meshes.new_from_object(shape)
        mesh.transform(Matrix(shape.matrix_world))
        made.append((o.name.split(".")[0], mesh, o.active_material.diffuse_color[:3] if o.active_material else BACK))
    colour = {}
    for m in bpy.data.materials:
        node = m.node_tree and m.node_tree.nodes.get("Principled BSDF")
        if node:
            colour[m.name.split(".")[0]] = tuple(node.inputs["Base Color"].default_value[:3])
    for o in list(bpy.data.objects):
        bpy.data.objects.remove(o)
    out = []
    for name, mesh, fallback in made:
        obj = bpy.data.objects.new("drawn " + name, mesh)
        scene.collection.objects.link(obj)
        out.append((name, obj, colour.get(name, fallback)))
    return out


def corners(mesh):
    x = numpy.empty(3 * len(mesh.vertices))
    mesh.vertices.foreach_get("co", x)
    return x.reshape(-1, 3)


def is_ground(name, mesh):
    if not name.startswith("body"):
        return False
    x = corners(mesh)
    return numpy.ptp(x[:, 2]) < 1e-5 * numpy.ptp(x[:, 0])


def shrink(mesh, by_m):
    """Along the normals that the triangles give, poles and seams too: places that coincide move as one."""
    x = corners(mesh)
    _, of = numpy.unique(x.round(7), axis=0, return_inverse=True)
    of = of.reshape(-1)
    mesh.calc_loop_triangles()
    t = numpy.empty(3 * len(mesh.loop_triangles), dtype=numpy.int32)
    mesh.loop_triangles.foreach_get("vertices", t)
    t = t.reshape(-1, 3)
    area = numpy.cross(x[t[:, 1]] - x[t[:, 0]], x[t[:, 2]] - x[t[:, 0]])
    normal = numpy.zeros((of.max() + 1, 3))
    for k in range(3):
        numpy.add.at(normal, of[t[:, k]], area)
    length = numpy.linalg.norm(normal, axis=1)
    normal /= numpy.where(length > 0, length, 1)[:, None]
    mesh.vertices.foreach_set("co", (x - by_m * normal[of]).reshape(-1))
    mesh.update()


def smooth(mesh, crease_deg):
    mesh.polygons.foreach_set("use_smooth", [True] * len(mesh.polygons))
    mesh.use_auto_smooth = True
    mesh.auto_smooth_angle = math.radians(crease_deg)
    mesh.update()


# ---- materials ----

def principled(name):
    m = bpy.data.materials.new(name)
    m.use_nodes = True
    return m, m.node_tree, m.node_tree.nodes["Principled BSDF"]


def fabric(name, face, back):
    m, tree, node = principled(name)
    node.inputs["Roughness"].default_value = 0.85
    node.inputs["Specular"].default_value = 0.15
    node.inputs["Sheen"].default_value = 0.4
    side = tree.nodes.new("ShaderNodeNewGeometry")
    mix = tree.nodes.new("ShaderNodeMixRGB")
    mix.inputs[1].default_value = (*face, 1)
    mix.inputs[2].default_value = (*back, 1)
    tree.links.new(side.outputs["Backfacing"], mix.inputs[0])
    tree.links.new(mix.outputs[0], node.inputs["Base Color"])
    return m


def plain(name, colour, roughness=0.6):
    m, _, node = principled(name)
    node.inputs["Base Color"].default_value = (*colour, 1)
    node.inputs["Roughness"].default_value = roughness
    node.inputs["Specular"].default_value = 0.3
    return m


def water(name):
    """A glossy tint, half clear; light passes on to what is below."""
    m, tree, node = principled(name)
    node.inputs["Base Color"].default_value = (0.16, 0.45, 0.72, 1)
    node.inputs["Transmission"].default_value = 0.4
    node.inputs["Roughness"].default_value = 0.03
    node.inputs["IOR"].default_value = 1.33
    path, clear, mix = (tree.nodes.new(n) for n in ("ShaderNodeLightPath", "ShaderNodeBsdfTransparent", "ShaderNodeMixShader"))
    clear.inputs[0].default_value = (0.75, 0.88, 0.95, 1)
    tree.links.new(path.outputs["Is Shadow Ray"], mix.inputs[0])
    tree.links.new(node.outputs[0], mix.inputs[1])
    tree.links.new(clear.outputs[0], mix.inputs[2])
    tree.links.new(mix.outputs[0], tree.nodes["Material Output"].inputs["Surface"])
    return m


def draw_edges(mesh, wide_m):
    """The edges of all triangles, as bars on the cloth."""
    obj = bpy.data.objects.new("edges", mesh.copy())
    obj.data.materials.clear()
    obj.data.materials.append(plain("edges", (0.03, 0.03, 0.05)))
    bars = obj.modifiers.new("bars", "WIREFRAME")
    bars.thickness, bars.use_even_offset = wide_m, False
    bpy.context.scene.collection.objects.link(obj)


def dress(drawn, panel):
    given = panel.get("colours", {})
    ground_z = None
    for name, obj, colour in drawn:
        mesh = obj.data
        mesh.materials.clear()
        if is_ground(name, mesh):
            ground_z = corners(mesh)[0, 2]
            bpy.data.objects.remove(obj)
            continue
        face = given.get(name, colour)
        if name.startswith("liquid"):
            mesh.materials.append(water(name))
            shrink(mesh, panel.get("liquid_shrink_mm", 0) / 1000)
        elif name.startswith("cloth"):
            mesh.materials.append(fabric(name, face, panel.get("back", BACK)))
        else:
            mesh.materials.append(plain(name, face))
            shrink(mesh, panel["shrink_mm"] / 1000)
        if name.startswith("cloth") and panel.get("wires_mm"):
            draw_edges(mesh, panel["wires_mm"] / 1000)
        smooth(mesh, panel["crease_deg"] if name.startswith("cloth") else 180 if name.startswith("liquid") else 50)
        if panel.get("tilt_deg"):
            mesh.transform(Matrix.Rotation(math.radians(panel["tilt_deg"]), 4, "Y"))
    return points_of_all()[:, 2].min() if panel.get("tilt_deg") else ground_z


# ---- camera and light ----

def points_of_all():
    return numpy.concatenate([corners(o.data) for o in bpy.data.objects if o.type == "MESH"])


def place_camera(panel, fitted):
    """Fits what is drawn, unless `fitted` (middle, distance) of an earlier panel is given. Returns both."""
    scene = bpy.context.scene
    w, h = panel["size_px"]
    back = direction(panel["azimuth_deg"], panel["elevation_deg"])
    field = math.radians(panel.get("field_deg", 25))
    right = Vector((0, 0, 1)).cross(back).normalized()
    up = back.cross(right)
    if fitted is None:
        x = points_of_all()
        middle = Vector((x.min(axis=0) + x.max(axis=0)) / 2)
        if "at_mm" in panel:
            middle = Vector(panel["at_mm"]) / 1000
        d = x - numpy.array(middle)
        tangent = math.tan(field / 2) / min(w, h) / MARGIN
        need = numpy.maximum(abs(d @ numpy.array(right)) / (tangent * w), abs(d @ numpy.array(up)) / (tangent * h)) + d @ numpy.array(back)
        distance = need.max()
        if "reach_mm" in panel:
            distance = panel["reach_mm"] / 1000 / math.tan(field / 2)
        fitted = middle, distance
    middle, distance = fitted
    camera = bpy.data.objects.new("camera", bpy.data.cameras.new("camera"))
    camera.data.sensor_fit = "HORIZONTAL" if w <= h else "VERTICAL"
    camera.data.angle = field
    camera.data.clip_end = 1000
    camera.matrix_world = Matrix.Translation(middle + back * distance) @ Matrix((right, up, back)).transposed().to_4x4()
    scene.collection.objects.link(camera)
    scene.camera = camera
    return fitted


LIGHT = {"lamp": (-50, 45, 6, 2.6, 0.6), "raking": (-78, 12, 2, 3.6, 0.25)}  # azimuth from the camera's, elevation, angle, strength, sky
WALL = (0.70, 0.74, 0.80)  # what the camera sees behind everything


def studio():
    """Sky that lights, and a wall for the camera alone."""
    world = bpy.data.worlds.new("sky")
    world.use_nodes = True
    nodes, links = world.node_tree.nodes, world.node_tree.links
    path, wall, mix = (nodes.new(n) for n in ("ShaderNodeLightPath", "ShaderNodeBackground", "ShaderNodeMixShader"))
    wall.inputs[0].default_value = (*WALL, 1)
    links.new(path.outputs["Is Camera Ray"], mix.inputs[0])
    links.new(nodes["Background"].outputs[0], mix.inputs[1])
    links.new(wall.outputs[0], mix.inputs[2])
    links.new(mix.outputs[0], nodes["World Output"].inputs["Surface"])
    return world, nodes["Background"].inputs


def floor(middle, reach):
    """Ground that becomes the wall from three times the reach on."""
    m, tree, node = principled("floor")
    node.inputs["Base Color"].default_value = (0.5, 0.5, 0.5, 1)
    node.inputs["Roughness"].default_value = 1
    node.inputs["Specular"].default_value = 0
    place, far, ramp, wall, mix = (tree.nodes.new(n) for n in ("ShaderNodeNewGeometry", "ShaderNodeVectorMath", "ShaderNodeMapRange", "ShaderNodeEmission",
                                                               "ShaderNodeMixShader"))
    far.operation = "DISTANCE"
    far.inputs[1].default_value = middle
    ramp.interpolation_type = "SMOOTHSTEP"
    ramp.inputs["From Min"].default_value, ramp.inputs["From Max"].default_value = 1.2 * reach, 3 * reach
    wall.inputs[0].default_value = (*WALL, 1)
    tree.links.new(place.outputs["Position"], far.inputs[0])
    tree.links.new(far.outputs["Value"], ramp.inputs["Value"])
    tree.links.new(ramp.outputs[0], mix.inputs[0])
    tree.links.new(node.outputs[0], mix.inputs[1])
    tree.links.new(wall.outputs[0], mix.inputs[2])
    tree.links.new(mix.outputs[0], tree.nodes["Material Output"].inputs["Surface"])
    return m


def add_light(panel, ground_z):
    azimuth, elevation, angle, strength, sky = LIGHT[panel.get("light", "lamp")]
    scene = bpy.context.scene
    lamp = bpy.data.lights.new("lamp", "SUN")
    lamp.angle = math.radians(angle)
    lamp.energy = strength
    obj = bpy.data.objects.new("lamp", lamp)
    towards = direction(panel["azimuth_deg"] + panel.get("lamp_deg", azimuth), elevation)
    obj.rotation_euler = towards.to_track_quat("Z", "Y").to_euler()
    scene.collection.objects.link(obj)
    scene.world, light = studio()
    light[0].default_value, light[1].default_value = (0.88, 0.93, 1.0, 1), sky
    if ground_z is not None:
        x = points_of_all()
        low, high = x.min(axis=0), x.max(axis=0)
        reach = numpy.linalg.norm(high - low) / 2
        mesh = bpy.data.meshes.new("ground")
        wide = 40 * reach
        mesh.from_pydata([(-wide, -wide, ground_z), (wide, -wide, ground_z), (wide, wide, ground_z), (-wide, wide, ground_z)], [], [(0, 1, 2, 3)])
        mesh.materials.append(floor((*((low + high) / 2)[:2], ground_z), reach))
        scene.collection.objects.link(bpy.data.objects.new("ground", mesh))


# ---- pixels ----

def prepare(panel, folder):
    scene = bpy.context.scene
    scene.render.engine = "CYCLES"
    scene.cycles.device = "CPU"
    scene.cycles.samples = panel["samples"]
    scene.cycles.use_adaptive_sampling = False
    scene.cycles.use_denoising = False  # Debian's Blender is built without one
    scene.cycles.seed = 1
    scene.cycles.max_bounces = 6 if panel.get("liquid") else 3
    scene.cycles.caustics_reflective = scene.cycles.caustics_refractive = False
    scene.cycles.sample_clamp_indirect = 2
    scene.render.resolution_x, scene.render.resolution_y = panel["size_px"]
    scene.render.resolution_percentage = 100
    scene.render.dither_intensity = 0
    if panel.get("threads"):
        scene.render.threads_mode, scene.render.threads = "FIXED", panel["threads"]
    layer = scene.view_layers[0]
    layer.use_pass_normal = layer.use_pass_diffuse_color = layer.use_pass_z = True
    scene.use_nodes = True
    nodes, links = scene.node_tree.nodes, scene.node_tree.links
    source, out = nodes["Render Layers"], nodes.new("CompositorNodeOutputFile")
    out.base_path = folder
    out.format.file_format, out.format.color_depth = "OPEN_EXR", "32"
    out.file_slots.clear()
    for name in PASSES:
        out.file_slots.new(name)
        links.new(source.outputs[name], out.inputs[name])


PASSES = ("Image", "Normal", "DiffCol", "Depth")


def read_pass(folder, name):
    path = next(os.path.join(folder, n) for n in sorted(os.listdir(folder)) if n.startswith(name) and n.endswith(".exr"))
    image = bpy.data.images.load(path)
    image.colorspace_settings.name = "Non-Color"
    w, h = image.size
    x = numpy.empty(w * h * image.channels, dtype=numpy.float32)
    image.pixels.foreach_get(x)
    os.remove(path)
    return x.reshape(h, w, -1)[::-1, :, :3].copy()


def denoise(image, normal, albedo, depth):
    """Edge-avoiding a-trous wavelets (Dammertz et al., High-Performance Graphics 2010), on the light alone: the colour of what is seen is divided out.
    Normals, colours and depths are the edges that it avoids, and steps of the light that are larger than its noise."""
    tint = numpy.maximum(albedo, 0.02)
    light = image / tint
    depth = numpy.minimum(depth[:, :, :1], 1e3)
    slope = numpy.maximum(abs(numpy.gradient(depth[:, :, 0])[0]), abs(numpy.gradient(depth[:, :, 0])[1]))[:, :, None] + 1e-4
    kernel = (1 / 16, 1 / 4, 3 / 8, 1 / 4, 1 / 16)
    for level in range(4):
        step, sigma = 2 ** level, 0.25 / 2 ** level
        total, weights = numpy.zeros_like(light), numpy.zeros_like(depth)
        for i in range(-2, 3):
            for j in range(-2, 3):
                at = numpy.clip(numpy.arange(light.shape[0]) + i * step, 0, light.shape[0] - 1)[:, None], numpy.clip(
                    numpy.arange(light.shape[1]) + j * step, 0, light.shape[1] - 1)[None, :]
                bend = ((normal[at] - normal) ** 2).sum(axis=2, keepdims=True)
                paint = ((albedo[at] - albedo) ** 2).sum(axis=2, keepdims=True)
                leap = abs(depth[at] - depth) / (slope * step * 3)
                glow = ((light[at] - light) ** 2).sum(axis=2, keepdims=True)
                w = kernel[i + 2] * kernel[j + 2] * numpy.exp(-bend / 0.02 - paint / 0.002 - leap - glow / sigma ** 2)
                total += w * light[at]
                weights += w
        light = total / weights
    return light * tint


def to_bytes(linear):
    """IEC 61966-2-1."""
    x = numpy.clip(linear, 0, 1)
    x = numpy.where(x <= 0.0031308, 12.92 * x, 1.055 * numpy.maximum(x, 1e-9) ** (1 / 2.4) - 0.055)
    return (x * 255 + 0.5).astype(numpy.uint8)


def write_png(path, rgb):
    """Each row by the filter whose differences are least."""
    h, w, _ = rgb.shape
    x = rgb.reshape(h, 3 * w).astype(numpy.int16)
    left, above = numpy.zeros_like(x), numpy.zeros_like(x)
    left[:, 3:], above[1:] = x[:, :-3], x[:-1]
    corner = numpy.zeros_like(x)
    corner[1:, 3:] = x[:-1, :-3]
    guess = left + above - corner
    to = [abs(guess - v) for v in (left, above, corner)]
    paeth = numpy.where((to[0] <= to[1]) & (to[0] <= to[2]), left, numpy.where(to[1] <= to[2], above, corner))
    tried = [(x - p).astype(numpy.uint8) for p in (0, left, above, (left + above) // 2, paeth)]
    cost = numpy.array([abs(t.astype(numpy.int8).astype(int)).sum(axis=1) for t in tried])
    best = cost.argmin(axis=0)
    rows = b"".join(bytes([k]) + tried[k][y].tobytes() for y, k in enumerate(best))

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    with open(path, "wb") as f:
        f.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", w, h, 8, 2, 0, 0, 0)) + chunk(b"sRGB", b"\0")
                + chunk(b"IDAT", zlib.compress(rows, 9)) + chunk(b"IEND", b""))


def join(tiles, columns):
    h, w, _ = tiles[0].shape
    rows = -(-len(tiles) // columns)
    out = numpy.full((rows * h + (rows - 1) * GAP_PX, columns * w + (columns - 1) * GAP_PX, 3), 255, dtype=numpy.uint8)
    for k, tile in enumerate(tiles):
        y, x = (k // columns) * (h + GAP_PX), (k % columns) * (w + GAP_PX)
        out[y:y + h, x:x + w] = tile
    return out


def main():
    with open(sys.argv[sys.argv.index("--") + 1], encoding="utf-8") as f:
        spec = json.load(f)
    tiles, fitted, folder = [], {}, spec["out"] + ".passes"
    for panel in spec["panels"]:
        ground_z = dress(load(panel), panel)
        fitted[panel["camera"]] = place_camera(panel, fitted.get(panel["camera"]))
        add_light(panel, ground_z)
        prepare(panel, folder)
        bpy.ops.render.render()
        image, normal, albedo, depth = (read_pass(folder, name) for name in PASSES)
        tiles.append(to_bytes(denoise(image, normal, albedo, depth)))
    write_png(spec["out"], join(tiles, spec["columns"]))
    print("drawn: " + json.dumps({"blender": bpy.app.version_string}))


main()
