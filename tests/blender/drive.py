# blender --background --factory-startup --python drive.py -- PRESET.py ...: a plane with cloth takes every preset, in each of the ways in
# which Blender runs a file. Prints one line per preset and a last line; exit status 1 where a preset fails or a file "ran..." appeared.
import glob
import os
import sys

import bpy


def new_cloth():
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.ops.mesh.primitive_grid_add(x_subdivisions=10, y_subdivisions=10, size=1.0)
    bpy.ops.object.modifier_add(type='CLOTH')
    return bpy.context.object.modifiers['Cloth']


def as_operator(path):
    with bpy.context.temp_override(cloth=bpy.context.object.modifiers['Cloth']):
        bpy.ops.script.python_file_run(filepath=path)


# What execute_preset of the preset menu does in the end; the operator itself wants a window.
def as_preset(path):
    with bpy.context.temp_override(cloth=bpy.context.object.modifiers['Cloth']):
        bpy.utils.execfile(path)


def main():
    presets = sys.argv[sys.argv.index('--') + 1:]
    bad = 0
    for path in presets:
        words = []
        for way in (as_operator, as_preset):
            cloth = new_cloth()
            cloth.settings.mass = 7
            try:
                way(path)
                set_it = abs(cloth.settings.mass - 7) > 1e-3
                words.append('set' if set_it else 'NOT SET')
                bad += not set_it
            except BaseException as why:
                words.append('FAILED: %r' % why)
                bad += 1
        ran = sorted(glob.glob('ran*'))
        for name in ran:
            os.remove(name)
        bad += len(ran)
        print('preset %s: %s%s' % (os.path.basename(path), ', '.join(words), '; RAN: ' + ' '.join(ran) if ran else ''))
    print('blender %s: %d presets, %d wrong' % (bpy.app.version_string, len(presets), bad))
    sys.stdout.flush()
    os._exit(1 if bad else 0)


main()
