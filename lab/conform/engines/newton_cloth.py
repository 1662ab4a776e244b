"""newton_cloth.py FOLDER vbd|xpbd|style3d [defaults] [step_s=...] [iterations=10]: plays an experiment in one of Newton's solvers of cloth, on the CPU.

vbd: a membrane by Lame's mu and lambda (tri_ke, tri_ka) and hinges of energy k L angle^2 / 2, as the solver's kernels have them. With
  lambda = 0 the stretch is 2 mu and the shear mu: no other shear can be told. Hinges a distance h apart bend as B for k = B / h. Ten
  iterations are the default. They leave a part of a step's force, so steps are short: 1/6000 s. kd of contacts is what Newton's authors
  advise to begin with (1e-4, discussion 2356): at the default (10 and 100), single precision loses a part of the pressure in such steps.
  Points that are pulled are moved before each step. Cloth meets cloth at 2 mm.
xpbd: springs along edges and diagonals. A diagonal's 2 G is the shear; K = c - G along the edges, where c - G^2 / c is the stretch. A spring
  of the border has half. Jacobi's iteration is stable below sqrt(mass / K): 0.8 of it is the step; ten iterations, as in Newton's examples.
  Its hinge has the angle times edge_ke times the edge's length as force (kernels.py: the gradient is not divided by twice the triangle's
  area), so edge_ke = B / h^2.
style3d: ku, kv, ks are stretch and shear, edge_aniso_ke is B of edges across, along and, by its formula of sines, 31/32 B askew. Steps and
  kd of contacts are those of Newton's example of Style3D; ten times ten iterations are the default.
  Between cloths it has no friction, and bodies that are not fixed do not move. XPBD's cloths meet as balls at their points alone.
defaults: steps of 1/600 s and the default kd.
"""
import math
import sys

import newton
import numpy
import warp
from newton.solvers import style3d

from folder import Case

case, solver_name, defaults = Case(sys.argv[1]), sys.argv[2], 'defaults' in sys.argv
warp.set_device('cpu')
K = (case.stretch + math.sqrt(case.stretch ** 2 + 4 * case.shear ** 2)) / 2 - case.shear
longest = {'vbd': 1 / 6000, 'style3d': 1 / 600, 'xpbd': 0.8 * case.edge_m * math.sqrt(case.density / K)}[solver_name]
told = case.word('step_s', 1 / 600 if defaults else longest)
iterations = case.word('iterations', 10)
step = case.times_s[0] / math.ceil(case.times_s[0] / told - 1e-9)
builder = newton.ModelBuilder(up_axis=newton.Axis.Z)
triangles = case.triangles()
common = dict(pos=warp.vec3(), rot=warp.quat_identity(), vel=warp.vec3(), vertices=[warp.vec3(p) for p in case.points], density=case.density,
              indices=[k for t in triangles for k in t], tri_ka=0.0, tri_kd=0.0, tri_drag=0.0, tri_lift=0.0, edge_kd=0.0, particle_radius=0.001)
if solver_name == 'style3d':
    newton.solvers.SolverStyle3D.register_custom_attributes(builder)
    B = case.bending
    style3d.add_cloth_mesh(builder, tri_aniso_ke=warp.vec3(case.stretch, case.stretch, case.shear),
                           edge_aniso_ke=warp.vec3(B, B, B * 31 / 32), **common)
elif solver_name == 'vbd':
    builder.add_cloth_mesh(tri_ke=case.stretch / 2, edge_ke=case.bending / case.edge_m, scale=1.0, **common)
else:
    builder.add_cloth_mesh(tri_ke=0.0, edge_ke=case.bending / case.edge_m ** 2, scale=1.0, **common)
    springs = {}
    for quad in case.faces:
        for a, b in zip(quad, quad[1:] + quad[:1]):
            springs[min(a, b), max(a, b)] = springs.get((min(a, b), max(a, b)), 0) + K / 2
    for t in triangles:
        for a, b in zip(t, t[1:] + t[:1]):
            springs.setdefault((min(a, b), max(a, b)), 2 * case.shear)
    for (a, b), stiffness in springs.items():
        builder.add_spring(a, b, stiffness, 0.0, 0.0)
for i, mass in enumerate(case.masses()):  # thirds of triangles would depend on the diagonals
    builder.particle_mass[i] = mass
for i in case.pinned_vertices:
    builder.particle_mass[i] = 0.0
    builder.particle_flags[i] = int(builder.particle_flags[i]) & ~int(newton.ParticleFlags.ACTIVE)
kd = {'vbd': 1e-4, 'style3d': 1e-5, 'xpbd': 0.0}[solver_name]
solid = case.plane or case.drum or case.self or case.pads
if solid:  # friction is the root of both (VBD, Style3D) or their mean (XPBD)
    surface = newton.ModelBuilder.ShapeConfig(mu=solid['friction'], **({} if defaults else {'kd': kd}))
if case.plane:
    builder.add_ground_plane(cfg=surface)
if case.drum:
    across = warp.transform(warp.vec3(), warp.quat_from_axis_angle(warp.vec3(1.0, 0.0, 0.0), math.pi / 2))
    builder.add_shape_cylinder(-1, xform=across, radius=case.drum['radius_m'], half_height=0.5, cfg=surface)
if case.pads:  # the upper one has a mass, and slides along z; gravity has no part along z
    surface.density = 0.0
    (x0, x1), (y0, y1) = case.pads['x_m'], case.pads['y_m']
    middle = [warp.transform(warp.vec3((x0 + x1) / 2, (y0 + y1) / 2, z), warp.quat_identity()) for z in (-0.005, case.pads['apart_m'] + 0.005)]
    pad = builder.add_link(xform=middle[1], mass=0.01, inertia=warp.mat33(1e-5, 0.0, 0.0, 0.0, 1e-5, 0.0, 0.0, 0.0, 1e-5), lock_inertia=True)
    builder.add_articulation([builder.add_joint_prismatic(-1, pad, axis=newton.Axis.Z, parent_xform=middle[1])])
    for body, place in ((-1, middle[0]), (pad, warp.transform_identity())):
        builder.add_shape_box(body, xform=place, hx=(x1 - x0) / 2, hy=(y1 - y0) / 2, hz=0.005, cfg=surface)
if solver_name == 'vbd':
    builder.color(include_bending=True)
model = builder.finalize()
model.set_gravity((0.0, 0.0, 0.0) if case.gravity_from_s else tuple(case.gravity))
model.soft_contact_mu = solid['friction'] if solid else 0.0
if not defaults:
    model.soft_contact_kd = kd
touching = {'particle_enable_self_contact': True, 'particle_self_contact_margin': 0.002, 'particle_self_contact_gap': 0.001} if case.self else {}
solver = {'vbd': lambda: newton.solvers.SolverVBD(model, iterations=iterations, **touching), 'xpbd': lambda: newton.solvers.SolverXPBD(model, iterations=10),
          'style3d': lambda: newton.solvers.SolverStyle3D(model)}[solver_name]()
now, then, control = model.state(), model.state(), model.control()
now.particle_q.assign(numpy.array(case.begin, dtype=numpy.float32))
pipeline = newton.CollisionPipeline(model)
contacts = pipeline.contacts()
keep, graph = math.exp(-case.damping_per_s() * step), None


@warp.kernel
def slow_down(speed: warp.array(dtype=warp.vec3), factor: float):
    i = warp.tid()
    speed[i] = speed[i] * factor


pinned = warp.array(case.pinned_vertices, dtype=int)
clock = warp.zeros(1, dtype=int)


@warp.kernel
def pull(ids: warp.array(dtype=int), ways: warp.array(dtype=float), clock: warp.array(dtype=int), place: warp.array(dtype=warp.vec3)):
    """Pinned points go on by what their way grows in a step."""
    i = ids[warp.tid()]
    place[i] = place[i] + warp.vec3(ways[clock[0]], 0.0, 0.0)


@warp.kernel
def tick(clock: warp.array(dtype=int)):
    clock[0] = clock[0] + 1


if case.pinned_motion:
    ways = warp.array(numpy.diff([case.pulled(i * step)[0] for i in range(round(case.times_s[-1] / step) + 2)]), dtype=float)
press = warp.array([(0.0, 0.0, -case.pads['force_N'], 0.0, 0.0, 0.0)], dtype=warp.spatial_vector) if case.pads else None


def one_step():
    global now, then
    now.clear_forces()
    if case.pinned_motion:
        warp.launch(pull, dim=len(pinned), inputs=[pinned, ways, clock, now.particle_q])
        warp.launch(tick, dim=1, inputs=[clock])
    if case.pads:
        warp.copy(now.body_f, press)
    if case.plane or case.drum or case.pads:
        pipeline.collide(now, contacts)
    solver.step(now, then, control, contacts, step)
    now, then = then, now
    if keep < 1:
        warp.launch(slow_down, dim=len(case.points), inputs=[now.particle_qd, keep])


def advance(n):
    """Two steps, which exchange the states twice, are recorded once, as in Newton's examples. Style3D cannot be recorded on a CPU."""
    global graph
    if not graph and solver_name != 'style3d':
        one_step()
        one_step()
        n -= 2
        with warp.ScopedCapture() as capture:
            one_step()
            one_step()
        graph = capture.graph
        warp.capture_launch(graph)
        n -= 2
    while graph and n >= 2:
        warp.capture_launch(graph)
        n -= 2
    for _ in range(n):
        one_step()


version = 'Newton %s, %s' % (newton.__version__, type(solver).__name__)
if solver_name == 'vbd':  # a passport holds for these alone
    version += ', steps of %.3g ms, %d iterations' % (1000 * told, iterations)
case.play(step, advance, lambda: now.particle_q.numpy().astype(numpy.float64), version, lambda: model.set_gravity(tuple(case.gravity)))
