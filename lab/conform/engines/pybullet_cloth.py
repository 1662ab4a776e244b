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


def scaled(vector):
    return [UNIT * x for x in vector]


step = case.word('step_s', case.edge_m * math.sqrt(case.density / case.stretch) / 3)
step = case.times_s[0] / math.ceil(case.times_s[0] / step)
pybullet.connect(pybullet.DIRECT)
pybullet.resetSimulation(pybullet.RESET_USE_DEFORMABLE_WORLD)


def begin_gravity():
    pybullet.setGravity(*scaled(case.gravity))


if not case.gravity_from_s:
    begin_gravity()
pybullet.setTimeStep(step)
pybullet.setPhysicsEngineParameter(numSolverIterations=case.word('iterations', 50))
solid = case.plane or case.drum or case.self or case.pads
friction = math.sqrt(solid['friction']) if solid else 0  # the product of both counts


def solid_body(kind, size, place=(0, 0, 0), turn=(0, 0, 0), slides=False):
    """It is fixed. slides: it has a mass, no friction in its joint, and moves along z."""
    shape = pybullet.createCollisionShape(kind, **size)
    turn = pybullet.getQuaternionFromEuler(turn)
    one = dict(linkMasses=[0.01], linkCollisionShapeIndices=[shape], linkVisualShapeIndices=[-1], linkPositions=[[0, 0, 0]],
               linkOrientations=[[0, 0, 0, 1]], linkInertialFramePositions=[[0, 0, 0]], linkInertialFrameOrientations=[[0, 0, 0, 1]],
               linkParentIndices=[0], linkJointTypes=[pybullet.JOINT_PRISMATIC], linkJointAxis=[[0, 0, 1]])
    body = pybullet.createMultiBody(0, -1 if slides else shape, -1, scaled(place), turn, **(one if slides else {}))
    part = 0 if slides else -1
    pybullet.changeDynamics(body, part, lateralFriction=friction, linearDamping=0, angularDamping=0, jointDamping=0)
    if slides:
        pybullet.setJointMotorControl2(body, 0, pybullet.VELOCITY_CONTROL, force=0)
    return body


if case.drum:
    solid_body(pybullet.GEOM_CYLINDER, dict(radius=UNIT * case.drum['radius_m'], height=UNIT), turn=(math.pi / 2, 0, 0))
if case.plane:
    solid_body(pybullet.GEOM_BOX, dict(halfExtents=scaled((5, 5, 1))), (0, 0, -1))
if case.pads:
    (x0, x1), (y0, y1) = case.pads['x_m'], case.pads['y_m']
    half, middle = dict(halfExtents=scaled(((x1 - x0) / 2, (y1 - y0) / 2, 0.005))), ((x0 + x1) / 2, (y0 + y1) / 2)
    solid_body(pybullet.GEOM_BOX, half, (*middle, -0.005))
    pad = solid_body(pybullet.GEOM_BOX, half, (*middle, case.pads['apart_m'] + 0.005), slides=True)
if case.pinned_motion:
    puller = pybullet.createMultiBody(1, pybullet.createCollisionShape(pybullet.GEOM_SPHERE, radius=1), -1, [0, 0, UNIT])


def load(piece):
    """loadSoftBody does not end if pieces are not joined, and reads a file of one name once. Bodies collide with each other."""
    mesh = os.path.join(case.folder, 'piece_%d.obj' % piece[0])
    with open(mesh, 'w') as file:
        for k in piece:
            file.write('v %.9g %.9g %.9g\n' % tuple(UNIT * x for x in case.points[k]))
        for t in case.triangles():
            if t[0] in piece:
                file.write('f %d %d %d\n' % tuple(k - piece[0] + 1 for k in t))
    cloth = pybullet.loadSoftBody(
        mesh, mass=sum(case.masses()[k] for k in piece), useNeoHookean=0, useMassSpring=1, useBendingSprings=0,
        springElasticStiffness=0.75 * case.stretch, springDampingStiffness=0.1 if case.rest else 0, springDampingAllDirections=1,
        useSelfCollision=0, frictionCoeff=friction, useFaceContact=1, collisionMargin=UNIT * 0.5e-3)
    for k in case.pinned_vertices:
        if k in piece:
            pybullet.createSoftBodyAnchor(cloth, k - piece[0], puller if case.pinned_motion else -1, -1)
    return cloth


cloths = [load(piece) for piece in case.pieces()]


def positions():
    return numpy.concatenate([pybullet.getMeshData(c, -1, flags=pybullet.MESH_DATA_SIMULATION_MESH)[1] for c in cloths]) / UNIT


done = 0


def advance(n):
    global done
    for _ in range(n):
        if case.pads:
            pybullet.applyExternalForce(pad, 0, scaled((0, 0, -case.pads['force_N'])), (0, 0, 0), pybullet.LINK_FRAME)
        if case.pinned_motion:
            way, speed = case.pulled((done + 0.5) * step)
            pybullet.resetBasePositionAndOrientation(puller, scaled((way - speed * step / 2, 0, 1)), (0, 0, 0, 1))
            pybullet.resetBaseVelocity(puller, scaled((speed, 0, 0)), (0, 0, 0))
        pybullet.stepSimulation()
        done += 1


if numpy.abs(positions() - case.points).max() > 1e-6:
    sys.exit('the points have another order than in the folder')
if case.start:
    pybullet.resetMeshData(cloths[0], [[UNIT * x for x in p] for p in case.begin])
case.play(step, advance, positions, 'PyBullet 3.2.7, deformable', begin_gravity)
