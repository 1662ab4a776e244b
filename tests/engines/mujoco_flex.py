"""mujoco_flex.py FOLDER [defaults]: plays an experiment in MuJoCo's flex with 2D elasticity.

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
defaults = sys.argv[2:] == ['defaults']
thickness = math.sqrt(12 * case.bending / case.stretch)
young = case.stretch / thickness
step = 0.002 if defaults else 0.001
contact = '' if defaults else 'solref="0.005 1"'
radius = min(p[2] for p in case.points) if case.plane else 0.5e-3  # the cloth begins in contact, and does not drop


def words(rows):
    return ' '.join('%.17g' % x for row in rows for x in row)


xml = f"""<mujoco><option timestep="{step!r}" gravity="{words([case.gravity])}" integrator="discrete"
  {'' if defaults else 'cone="elliptic" impratio="10"'}/><worldbody>
  <flexcomp name="cloth" type="direct" dim="2" mass="1" radius="{radius}" point="{words(case.points)}"
    element="{' '.join(str(k) for t in case.triangles() for k in t)}">
    <contact selfcollide="none" condim="3" friction="{case.friction} 0 0" {contact}
      contype="{int(bool(case.plane))}" conaffinity="{int(bool(case.plane))}"/>
    <elasticity young="{young!r}" poisson="0" thickness="{thickness!r}" elastic2d="both"/>
    {'<pin id="%s"/>' % ' '.join(map(str, case.pinned_vertices)) if case.pinned_vertices else ''}
  </flexcomp>
  {f'<geom type="plane" size="5 5 1" friction="{case.friction} 0 0" condim="3" {contact}/>' if case.plane else ''}
</worldbody></mujoco>"""
model = mujoco.MjModel.from_xml_string(xml)
masses = case.masses()
for k, body in enumerate(model.flex_vertbodyid):  # flexcomp gives all points the same mass, those of the border too
    if body > 0 and k not in case.pinned_vertices:
        model.body_mass[body] = masses[k]
        joints = slice(model.body_dofadr[body], model.body_dofadr[body] + model.body_dofnum[body])
        model.dof_damping[joints] = masses[k] * case.damping_per_s()
data = mujoco.MjData(model)
mujoco.mj_setConst(model, data)
mujoco.mj_resetData(model, data)
mujoco.mj_forward(model, data)


def advance(n):
    mujoco.mj_step(model, data, n)
    if data.warning[mujoco.mjtWarning.mjWARN_BADQACC].number:  # MuJoCo would begin again by itself
        sys.exit('the simulation is unstable after %g s' % data.time)


def positions():
    mujoco.mj_fwdPosition(model, data)  # a step leaves the points where they were at its beginning
    return numpy.array(data.flexvert_xpos)


case.play(step, advance, positions, 'MuJoCo %s, flex' % mujoco.__version__)
