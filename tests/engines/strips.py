"""strips.py: how stiff strips of MuJoCo's flex bend by small deflections under their weight, over the bending that MuJoCo is told.

Run it with the Python of build/engines/mujoco. docs/reference/engine-files.md explains the numbers.
"""
import mujoco
import numpy

BENDING, STRETCH = 2e-4, 5000.0


def strip(cells_x, cells_y, edge):
    """Points, and triangles whose diagonals alternate."""
    points = numpy.array([(edge * i, edge * j, 0) for i in range(cells_x + 1) for j in range(cells_y + 1)])
    triangles = []
    for i in range(cells_x):
        for j in range(cells_y):
            a = i * (cells_y + 1) + j
            b, c, d = a + cells_y + 1, a + cells_y + 2, a + 1
            triangles += [(a, b, c), (a, c, d)] if (i + j) % 2 else [(a, b, d), (b, c, d)]
    return points, triangles


def stiffness(points, triangles):
    """Force along z of each point, for a shift along z of each."""
    thick = (12 * BENDING / STRETCH) ** 0.5
    words = [' '.join('%.17g' % x for row in rows for x in row) for rows in (points, triangles)]
    model = mujoco.MjModel.from_xml_string(
        f'<mujoco><option gravity="0 0 0" integrator="discrete"/><worldbody><flexcomp name="cloth" type="direct" dim="2" mass="1" radius="0.001" '
        f'point="{words[0]}" element="{words[1]}"><contact selfcollide="none" contype="0" conaffinity="0"/>'
        f'<elasticity young="{STRETCH / thick!r}" poisson="0" thickness="{thick!r}" elastic2d="bend"/></flexcomp></worldbody></mujoco>')
    data, out = mujoco.MjData(model), []
    for k in range(len(points)):
        data.qpos[:] = 0
        data.qpos[3 * k + 2] = 1e-6
        mujoco.mj_forward(model, data)
        out.append(-data.qfrc_passive[2::3] / 1e-6)
    return numpy.array(out)


for length, width in ((0.17, 0.02), (0.09, 0.02), (0.1, 0.06)):
    for edge in (0.01, 0.005, 0.0025):
        points, triangles = strip(round(length / edge) + 1, round(width / edge), edge)  # one row of cells in the clamp
        x, y = points[:, 0], points[:, 1]
        ends = [numpy.isclose(v, v.min()) | numpy.isclose(v, v.max()) for v in (x, y)]
        weight = edge ** 2 * numpy.where(ends[0], 0.5, 1) * numpy.where(ends[1], 0.5, 1)  # of 1 N/m2
        free, sag = x > 1.5 * edge, numpy.zeros(len(x))
        sag[free] = numpy.linalg.solve(stiffness(points, triangles)[numpy.ix_(free, free)], weight[free])
        found = (length + edge / 2) ** 4 / (8 * sag[numpy.isclose(x, x.max())].mean())  # the clamp ends half an edge inside
        print('%3g x %2g mm, edges of %4g mm: %.3f' % (1e3 * length, 1e3 * width, 1e3 * edge, found / BENDING), flush=True)
