"""files.py CLOTHBENCH DATABASE [ENGINE ...]: do mujoco, newton, pybullet and ppf (else those named) take the files that are exported for them?

Each file is loaded by its engine. What Newton then holds is turned back into the cloth's stretch and bending. MuJoCo is bent
to a cylinder for its energy. PyBullet does not tell what it holds: its points are compared, and the numbers of the file turned back. ppf-contact-solver wants a GPU: its file is read as
TOML alone. Exit code 1 where one is refused or holds another cloth.
"""
import json
import subprocess
import sys
import tempfile
import tomllib

CLOTH, STRETCH, BENDING, DENSITY = 'Petrak M1, polyester twill', 467.9, 1.28e-6, 0.13517  # means of the card, Petrak et al. 2025


def export(name):
    return subprocess.run([sys.argv[1], 'export', 'material', CLOTH, '--format', name, '--out', '-', '--db', sys.argv[2], '--quiet'],
                          capture_output=True, text=True, check=True).stdout


def near(what, found, wanted):
    if not abs(found / wanted - 1) < 1e-3:
        sys.exit('%s: %g instead of %g' % (what, found, wanted))


def sheet(cells, edge):
    points = [(edge * i, edge * j, 0.5) for j in range(cells + 1) for i in range(cells + 1)]
    corners = [k + j * (cells + 1) + i for j in range(cells) for i in range(cells)
               for k in (0, 1, cells + 2, 0, cells + 2, cells + 1)]
    return points, corners


def mujoco():
    import mujoco
    model = mujoco.MjModel.from_xml_string(export('mujoco'))
    data = mujoco.MjData(model)
    near('mujoco: mass', model.body_mass.sum(), DENSITY * 0.2 ** 2)
    table = model.numeric_data[model.numeric_adr[0]:][:4]
    near('mujoco: stretch', table[1] * table[2], STRETCH)
    near('mujoco: bending', table[1] * table[2] ** 3 / 12, BENDING)
    mujoco.mj_forward(model, data)
    curvature, z = 1e-4, slice(2, None, 3)
    data.qpos[z] = curvature * data.flexvert_xpos[:, 0] ** 2 / 2
    mujoco.mj_forward(model, data)
    near('mujoco: energy of a cylinder', -data.qfrc_passive[z] @ data.qpos[z], BENDING * curvature ** 2 * 0.2 * (0.2 - table[0]))
    mujoco.mj_resetData(model, data)
    mujoco.mj_step(model, data, 100)
    near('mujoco: fall', data.flexvert_xpos[:, 2].mean(), -9.81 * model.opt.timestep ** 2 * 99 * 100 / 2)


def newton():
    import newton
    import warp
    warp.set_device('cpu')
    for mesh in json.loads(export('newton'))['meshes']:
        points, corners = sheet(10, mesh['edge_m'])
        builder = newton.ModelBuilder()
        builder.add_cloth_mesh(pos=warp.vec3(), rot=warp.quat_identity(), vel=warp.vec3(), scale=1.0,
                               vertices=[warp.vec3(p) for p in points], indices=corners, tri_drag=0.0, tri_lift=0.0, **mesh['add_cloth_mesh'])
        builder.color(include_bending=True)
        model = builder.finalize()
        near('newton: stretch', 2 * model.tri_materials.numpy()[0][0], STRETCH)
        near('newton: bending', model.edge_bending_properties.numpy()[0][0] * mesh['edge_m'], BENDING)
        near('newton: mass', model.particle_mass.numpy().sum(), DENSITY * (10 * mesh['edge_m']) ** 2)


def pybullet():
    import pybullet
    mesh = json.loads(export('pybullet'))['meshes'][1]
    arguments = {k: v for k, v in mesh['loadSoftBody'].items() if v is not None}
    points, corners = sheet(10, mesh['edge_m'])
    pybullet.connect(pybullet.DIRECT)
    pybullet.resetSimulation(pybullet.RESET_USE_DEFORMABLE_WORLD)
    with tempfile.NamedTemporaryFile('w', suffix='.obj') as file:
        file.writelines('v %g %g %g\n' % p for p in points)
        file.writelines('f %d %d %d\n' % tuple(k + 1 for k in corners[i:i + 3]) for i in range(0, len(corners), 3))
        file.flush()
        mass = arguments.pop('mass_per_area') * (10 * mesh['edge_m']) ** 2
        body = pybullet.loadSoftBody(file.name, mass=mass, **arguments)
    if pybullet.getMeshData(body, -1, flags=pybullet.MESH_DATA_SIMULATION_MESH)[0] != len(points):
        sys.exit('pybullet: another mesh')
    near('pybullet: stretch', 4 / 3 * arguments['springElasticStiffness'], STRETCH)


def ppf():
    material = tomllib.loads(export('ppf'))[CLOTH]
    density, nu = material['shell_density'], material['shell_poisson_ratio']
    near('ppf: stretch', density * material['shell_young_modulus'] / (2 * (1 + nu)), STRETCH)
    near('ppf: bending', 1.28e-5 * density * material['bend'], BENDING)


for engine in sys.argv[3:] or ['mujoco', 'newton', 'pybullet', 'ppf']:
    globals()[engine]()
    print('%s takes its file' % engine)
