"""pybullet_cloth.py FOLDER [step_s=...] [iterations=50]: plays an experiment in PyBullet's deformable world, as a mass-spring body.

PyBullet has one stiffness k for all springs, along edges and diagonals. Of these a mesh with a diagonal in each quad has c = 3/2 k along and
k / 2 across, so a stretch of 4/3 k: k = 3/4 of the stretch. A border's springs count whole, so few cells are stiffer. Its shear is k / 2: no
other one can be told. Its bending springs join points two apart. Such a spring shortens with the square of the curvature, so it has no B.
Damping of the springs is that of PyBullet's examples where a state of rest is wanted, else 0: with it, friction is a quarter too small.
Elasticity is explicit: steps of a third of the time in which a wave passes an edge. Bullet's manual asks for bodies of 0.2 units or more:
a unit is a centimetre here. The plane is a box: cloth falls through GEOM_PLANE. All points have the same mass; no other one can be told.
"""
import math
import os
import sys

import numpy
import pybullet

from folder import Case

case = Case(sys.argv[1])
if case.experiment in ('cantilever', 'shear'):
    sys.exit('%s cannot be told to a mass-spring body of PyBullet' % case.experiment)
UNIT = 100  # units of a metre
step = case.word('step_s', case.edge_m * math.sqrt(case.density / case.stretch) / 3)
step = case.times_s[0] / math.ceil(case.times_s[0] / step)
mesh = os.path.join(case.folder, 'triangles.obj')
with open(mesh, 'w') as file:
    for p in case.points:
        file.write('v %.9g %.9g %.9g\n' % tuple(UNIT * x for x in p))
    for t in case.triangles():
        file.write('f %d %d %d\n' % tuple(k + 1 for k in t))
pybullet.connect(pybullet.DIRECT)
pybullet.resetSimulation(pybullet.RESET_USE_DEFORMABLE_WORLD)
pybullet.setGravity(*[UNIT * x for x in case.gravity])
pybullet.setTimeStep(step)
pybullet.setPhysicsEngineParameter(numSolverIterations=case.word('iterations', 50))
solid = case.plane or case.drum
if case.drum:
    shape = pybullet.createCollisionShape(pybullet.GEOM_CYLINDER, radius=UNIT * case.drum['radius_m'], height=UNIT)
    drum = pybullet.createMultiBody(0, shape, baseOrientation=pybullet.getQuaternionFromEuler([math.pi / 2, 0, 0]))
    pybullet.changeDynamics(drum, -1, lateralFriction=1)  # the product counts
if case.plane:
    shape = pybullet.createCollisionShape(pybullet.GEOM_BOX, halfExtents=[5 * UNIT, 5 * UNIT, UNIT])
    pybullet.changeDynamics(pybullet.createMultiBody(0, shape, basePosition=[0, 0, -UNIT]), -1, lateralFriction=1)  # the product counts
cloth = pybullet.loadSoftBody(
    mesh, mass=sum(case.masses()), useNeoHookean=0, useMassSpring=1, useBendingSprings=0, springElasticStiffness=0.75 * case.stretch,
    springDampingStiffness=0.1 if case.rest else 0, springDampingAllDirections=1, useSelfCollision=0,
    frictionCoeff=solid['friction'] if solid else 0, useFaceContact=1, collisionMargin=UNIT * 0.5e-3)
for i in case.pinned_vertices:
    pybullet.createSoftBodyAnchor(cloth, i, -1, -1)


def positions():
    return numpy.array(pybullet.getMeshData(cloth, -1, flags=pybullet.MESH_DATA_SIMULATION_MESH)[1]) / UNIT


def advance(n):
    for _ in range(n):
        pybullet.stepSimulation()


if numpy.abs(positions() - case.points).max() > 1e-6:
    sys.exit('the points have another order than in the folder')
if case.start:
    pybullet.resetMeshData(cloth, [[UNIT * x for x in p] for p in case.begin])
case.play(step, advance, positions, 'PyBullet 3.2.7, deformable')
