"""mujoco_flex.py FOLDER [defaults] [step_s=0.001] [iterations=100]: plays an experiment in MuJoCo's flex with 2D elasticity.

MuJoCo is told Young's modulus, Poisson's ratio and thickness of an isotropic plate (XML reference, flexcomp/elasticity). Of these a plate
of Poisson's ratio 0 has the stretch E t and the bending E t^3 / 12; so t = sqrt(12 B / stretch). Its shear is E t / 2: no other one can be
told. The options are those that its documentation recommends (Modeling, Tuning defaults and Deformables): the integrator "discrete" in
steps of 1 ms, elliptic cones, impratio 10, a contact's time constant of 4 to 10 ms. With the word defaults, cones, impratio, time constant
and step are the defaults. noslip is not available for flexes.
"""
import math
import sys

import mujoco
import numpy

from folder import Case

case = Case(sys.argv[1])
defaults = 'defaults' in sys.argv
thickness = math.sqrt(12 * case.bending / case.stretch)
young = case.stretch / thickness
step = case.word('step_s', 0.002 if defaults else 0.001)
contact = '' if defaults else 'solref="0.005 1"'
radius = 0.5e-3
if case.plane:
    radius = case.points[0][2]  # the cloth begins in contact, and does not drop
if case.self or case.pads:
    radius = 1e-3  # half of the 2 mm between sheets, or between pads
touches = [t for t in (case.plane, case.self, case.drum, case.pads) if t]
friction = touches[0]['friction'] if touches else 0.0


def words(rows):
    return ' '.join('%.17g' % x for row in rows for x in row)


def solid(kind, words):
    return f'<geom type="{kind}" {words} friction="{friction} 0 0" condim="3" {contact}/>'


def pads():
    """The lower box is fixed. The upper one has a mass, no weight, and slides along z."""
    (x0, x1), (y0, y1) = case.pads['x_m'], case.pads['y_m']
    box = solid('box', f'size="{(x1 - x0) / 2} {(y1 - y0) / 2} 0.005"')
    middle = f'{(x0 + x1) / 2} {(y0 + y1) / 2}'
    return (f'<body pos="{middle} -0.005">{box}</body><body name="pad" pos="{middle} {case.pads["apart_m"] + 0.005}" gravcomp="1">'
            f'<joint type="slide" axis="0 0 1"/><inertial pos="0 0 0" mass="0.01" diaginertia="1e-5 1e-5 1e-5"/>{box}</body>')


bodies = (solid('plane', 'size="5 5 1"') if case.plane else '') + (pads() if case.pads else '') + (
    solid('cylinder', f'size="{case.drum["radius_m"]} 0.5" zaxis="0 1 0"') if case.drum else '')
xml = f"""<mujoco><option timestep="{step!r}" gravity="{'0 0 0' if case.gravity_from_s else words([case.gravity])}" integrator="discrete"
  iterations="{case.word('iterations', 100)}" {'' if defaults else 'cone="elliptic" impratio="10"'}/><worldbody>
  <flexcomp name="cloth" type="direct" dim="2" mass="1" radius="{radius}" point="{words(case.points)}"
    element="{' '.join(str(k) for t in case.triangles() for k in t)}">
    <contact selfcollide="{'auto' if case.self else 'none'}" condim="3" friction="{friction} 0 0" {contact}
      contype="{int(bool(touches))}" conaffinity="{int(bool(touches))}"/>
    <elasticity young="{young!r}" poisson="0" thickness="{thickness!r}" elastic2d="both"/>
    {'<pin id="%s"/>' % ' '.join(map(str, case.pinned_vertices)) if case.pinned_vertices and not case.pinned_motion else ''}
  </flexcomp>
  {bodies}
</worldbody></mujoco>"""
model = mujoco.MjModel.from_xml_string(xml)
masses, pulled = case.masses(), []
for k, body in enumerate(model.flex_vertbodyid):  # flexcomp gives all points the same mass, those of the border too
    if body > 0:
        model.body_mass[body] = masses[k]
        first = model.body_dofadr[body]
        model.dof_damping[first:first + 3] = masses[k] * case.damping_per_s()
        if k in case.pinned_vertices:  # it is moved: so heavy that forces do not matter
            model.body_mass[body] = 1
            pulled.append(first)
data = mujoco.MjData(model)
mujoco.mj_setConst(model, data)
if pulled:
    model.stat.meaninertia = numpy.mean(masses)  # what the solver's tolerance is compared with
mujoco.mj_resetData(model, data)
for k, body in enumerate(model.flex_vertbodyid):
    if body > 0:
        first = model.jnt_qposadr[model.body_jntadr[body]]
        data.qpos[first:first + 3] = numpy.subtract(case.begin[k], case.points[k])
if case.pads:
    data.xfrc_applied[mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_BODY, 'pad'), 2] = -case.pads['force_N']
mujoco.mj_forward(model, data)


def advance(n):
    for _ in range(n if pulled else 0):
        way, speed = case.pulled(data.time + step / 2)
        for first in pulled:  # qpos is in the order of qvel: there are slides alone
            data.qpos[first:first + 3], data.qvel[first:first + 3] = (way - speed * step / 2, 0, 0), (speed, 0, 0)
        mujoco.mj_step(model, data)
    mujoco.mj_step(model, data, n) if not pulled else None
    if data.warning[mujoco.mjtWarning.mjWARN_BADQACC].number:  # MuJoCo would begin again by itself
        sys.exit('the simulation is unstable after %g s' % data.time)


def begin_gravity():
    model.opt.gravity[:] = case.gravity


def positions():
    mujoco.mj_fwdPosition(model, data)  # a step leaves the points where they were at its beginning
    return numpy.array(data.flexvert_xpos)


case.play(step, advance, positions, 'MuJoCo %s, flex' % mujoco.__version__, begin_gravity)
