
import bpy
from math import ceil, log, sqrt
from struct import pack, unpack


def measure(thing):
    """Mean edge length, area, and the share of the springs along edges that a larger cloth would have, too:
    half of those on the border."""
    mesh = thing.data
    place = [thing.matrix_world @ v.co for v in mesh.vertices]
    edges = [(place[e.vertices[0]] - place[e.vertices[1]]).length for e in mesh.edges]
    area, sides = 0.0, 0
    for face in mesh.polygons:
        corner = [place[i] for i in face.vertices]
        sides += len(corner)
        for a, b in zip(corner[1:], corner[2:]):
            area += (a - corner[0]).cross(b - corner[0]).length / 2
    return sum(edges) / len(edges), area, sides / 2 / len(edges)


def factors(h):
    """Of the passport, between its meshes by the logarithm of the edge; beyond its ends as there."""
    if not passport:
        return 1.0, 1.0, 1.0, 1.0
    if not passport[0][0] <= 1.01 * h or not h <= 1.01 * passport[-1][0]:
        print('clothbench: edges of %.3g mm; proved from %.3g to %.3g mm' % (1e3 * h, 1e3 * passport[0][0], 1e3 * passport[-1][0]))
    if h <= passport[0][0]:
        return passport[0][1:]
    for low, high in zip(passport, passport[1:]):
        if h <= high[0]:
            at = log(h / low[0]) / log(high[0] / low[0])
            return [a + at * (b - a) for a, b in zip(low[1:], high[1:])]
    return passport[-1][1:]


def whole_steps(least, time_scale):
    """The least number of steps per frame for which Blender, which adds them up in single precision, takes no step too many."""
    def single(x):
        return unpack('f', pack('f', x))[0]
    for steps in range(least, 2 * least + 100):
        end, at, taken = single(time_scale), 0.0, 0
        step = single(single(1 / steps) * end)
        while at < end:
            at, taken = single(at + step), taken + 1
        if taken == steps:
            return steps
    return least


def apply(cloth, thing, scene):
    settings = cloth.settings
    h, area, inside = measure(thing)
    fps = scene.render.fps / scene.render.fps_base
    stretched, sheared, bent, _ = factors(h)
    true = {}  # in kg, m and Blender's unit of time, 1/sqrt(1000) s
    if tension is not None:
        true['tension_stiffness'] = true['compression_stiffness'] = 1e-3 * stretched * tension * h * inside
    if shear is not None:
        true['shear_stiffness'] = 1e-3 * sheared * shear * h
    if bending is not None:
        true['bending_stiffness'] = 1e-3 * bent * 20 * bending / h**2
    steps = 10
    if areal_density is not None:
        vertex = areal_density * area / len(thing.data.vertices)
        settings.mass = min([0.3] + [9000 * vertex / value for value in true.values()])
        true = {name: settings.mass / vertex * value for name, value in true.items()}
        settings.air_damping = min(10, 100 * settings.mass * 9.80665 / terminal_speed / sqrt(1000))
        if bending is not None:  # its force is explicit in time
            steps = max(10, ceil(0.8 * 8 * sqrt(bent * bending / areal_density) / h**2 / fps))
    for name, value in true.items():
        setattr(settings, name, value)
    for name in ('tension_damping', 'compression_damping', 'shear_damping', 'bending_damping'):
        setattr(settings, name, 0.0)  # not measured
    settings.bending_model = 'ANGULAR'
    settings.time_scale = sqrt(1000) / fps
    settings.quality = whole_steps(steps, settings.time_scale)
    cloth.collision_settings.distance_min = 0.001


thing = bpy.context.object
apply(getattr(bpy.context, 'cloth', None) or next(m for m in thing.modifiers if m.type == 'CLOTH'), thing, bpy.context.scene)
