"""newton_cloth.py FOLDER: plays an experiment in Newton's SolverVBD, on the CPU.

A membrane by Lame's mu and lambda (tri_ke, tri_ka) and hinges of energy k L angle^2 / 2 (edge_ke), as the solver's kernels have them. With
lambda = 0 the stretch is 2 mu and the shear mu: no other shear can be told. Hinges a distance h apart bend as B for k = B / h.
"""
import math
import sys

import newton
import numpy
import warp

from folder import Case

case = Case(sys.argv[1])
warp.set_device('cpu')
# Ten iterations are the solver's default. At rest they leave a part of the force of a step, which looks like a softer cloth: a strip of
# 1000 N/m in cells of 10 mm has 48 N/m in steps of 1/600 s, 790 in 1/2400 with 20 iterations, 983 in 1/6000.
STEP_S = 1 / 6000
builder = newton.ModelBuilder(up_axis=newton.Axis.Z)
builder.add_cloth_mesh(pos=warp.vec3(), rot=warp.quat_identity(), vel=warp.vec3(), scale=1.0,
                       vertices=[warp.vec3(p) for p in case.points], indices=[k for t in case.triangles() for k in t],
                       density=case.density, tri_ke=case.stretch / 2, tri_ka=0.0, tri_kd=0.0, tri_drag=0.0, tri_lift=0.0,
                       edge_ke=case.bending / case.edge_m, edge_kd=0.0)
masses = case.masses()
for i in range(len(case.points)):  # thirds of triangles would depend on the diagonals
    builder.particle_mass[i] = masses[i]
for i in case.pinned_vertices:
    builder.particle_mass[i] = 0.0
    builder.particle_flags[i] = int(builder.particle_flags[i]) & ~int(newton.ParticleFlags.ACTIVE)
builder.color(include_bending=True)
if case.plane:
    sys.exit('SolverVBD: friction on a plane is not played: see docs/method/engines.md')
model = builder.finalize()
model.set_gravity(tuple(case.gravity))
solver = newton.solvers.SolverVBD(model, iterations=10)
now, then, control = model.state(), model.state(), model.control()
contacts = newton.CollisionPipeline(model).contacts()
keep = math.exp(-case.damping_per_s() * STEP_S)


@warp.kernel
def slow_down(speed: warp.array(dtype=warp.vec3), factor: float):
    i = warp.tid()
    speed[i] = speed[i] * factor


def advance(n):
    global now, then
    for _ in range(n):
        now.clear_forces()
        solver.step(now, then, control, contacts, STEP_S)
        now, then = then, now
        if keep < 1:
            warp.launch(slow_down, dim=len(case.points), inputs=[now.particle_qd, keep])


case.play(STEP_S, advance, lambda: now.particle_q.numpy().astype(numpy.float64), 'Newton %s, SolverVBD' % newton.__version__)
