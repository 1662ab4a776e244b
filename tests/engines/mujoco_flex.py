"""mujoco_flex.py FOLDER: plays an experiment in MuJoCo's flex with 2D elasticity.

MuJoCo is told Young's modulus, Poisson's ratio and thickness of an isotropic plate (XML reference, flexcomp/elasticity). Of these a plate
of Poisson's ratio 0 has the stretch E t and the bending E t^3 / 12; so t = sqrt(12 B / stretch). Its shear is E t / 2: no other one can be
told.
"""
import math
import sys

import mujoco
import numpy

from folder import Case

case = Case(sys.argv[1])
thickness = math.sqrt(12 * case.bending / case.stretch)
young = case.stretch / thickness
radius = 0.5e-3
# Explicit elasticity: a third of the time in which a wave passes an edge.
step = case.edge_m * math.sqrt(case.density / case.stretch) / 3
step = case.times_s[0] / math.ceil(case.times_s[0] / step)


def words(rows):
    return ' '.join('%.17g' % x for row in rows for x in row)


xml = f"""<mujoco><option timestep="{step!r}" gravity="{words([case.gravity])}" integrator="Euler"
  cone="elliptic" impratio="100" tolerance="1e-10"/><worldbody>
  <flexcomp name="cloth" type="direct" dim="2" mass="1" radius="{radius}" point="{words(case.points)}"
    element="{' '.join(str(k) for t in case.triangles() for k in t)}">
    <contact selfcollide="none" condim="3" friction="{case.friction} 0 0"
      contype="{int(bool(case.plane))}" conaffinity="{int(bool(case.plane))}"/>
    <elasticity young="{young!r}" poisson="0" thickness="{thickness!r}" elastic2d="both"/>
    {'<pin id="%s"/>' % ' '.join(map(str, case.pinned_vertices)) if case.pinned_vertices else ''}
  </flexcomp>
  {'<geom type="plane" size="5 5 1" friction="%r 0 0" condim="3"/>' % case.friction if case.plane else ''}
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
case.play(step, lambda n: mujoco.mj_step(model, data, n), lambda: numpy.array(data.flexvert_xpos),
          'MuJoCo %s, flex' % mujoco.__version__)
