"""What the drivers share: an experiment's folder (docs/reference/experiment-folder.md), read and written."""
import json
import math
import os
import sys


class Case:
    """An experiment: points, triangles, masses of the points and edges, as the folder has them."""

    def __init__(self, folder):
        self.folder = folder
        with open(os.path.join(folder, 'case.json')) as file:
            self.__dict__.update(json.load(file))
        self.points, self.faces = self.read(self.mesh)
        self.begin = self.read(self.start)[0] if self.start else self.points  # where they are at the start
        a, b = self.faces[0][:2]
        self.edge_m = math.dist(self.points[a], self.points[b])
        self.gravity = self.gravity_m_per_s2
        self.friction = self.plane['friction'] if self.plane else 0.0
        self.stretch = self.mean('stretch', 'N_per_m')
        self.bending = self.mean('bending', 'N_m')
        self.shear = self.cloth['shear_N_per_m'] or 0.0
        self.density = self.cloth['areal_density_kg_per_m2']
        self.words = dict(w.split('=') for w in sys.argv[2:] if '=' in w)

    def word(self, name, otherwise):
        """The number of a word NAME=NUMBER after the folder."""
        return type(otherwise)(self.words.get(name, otherwise))

    def read(self, name):
        points, faces = [], []
        with open(os.path.join(self.folder, name)) as file:
            for line in file:
                words = line.split()
                if words and words[0] == 'v':
                    points.append([float(w) for w in words[1:4]])
                elif words and words[0] == 'f':
                    faces.append([int(w.split('/')[0]) - 1 for w in words[1:]])
        return points, faces

    def mean(self, name, unit):
        values = [self.cloth['%s_%s_%s' % (name, way, unit)] for way in ('warp', 'weft')]
        known = [v for v in values if v is not None]
        return sum(known) / len(known) if known else 0.0

    def triangles(self):
        """Two for a quad; the diagonals alternate, so that no direction is preferred."""
        out = []
        for face in self.faces:
            if len(face) == 3:
                out.append(tuple(face))
                continue
            a, b, c, d = face
            i = round(self.points[a][0] / self.edge_m) + round(self.points[a][1] / self.edge_m)
            out += [(a, b, c), (a, c, d)] if i % 2 else [(a, b, d), (b, c, d)]
        return out

    def pieces(self):
        """Ranges of points that are not joined."""
        reach, cuts, far = list(range(len(self.points))), [], -1
        for face in self.faces:
            reach[min(face)] = max(reach[min(face)], *face)
        for k, most in enumerate(reach):
            if k > far:
                cuts.append(k)
            far = max(far, most)
        return [range(a, b) for a, b in zip(cuts, cuts[1:] + [len(reach)])]

    def masses(self):
        """A quarter of a square's mass at each of its corners, a third of a triangle's. They lie flat at rest."""
        out = [0.0] * len(self.points)
        for face in self.faces:
            (ax, ay, _), (bx, by, _), (cx, cy, _) = (self.points[k] for k in face[:3])
            area = abs((bx - ax) * (cy - ay) - (by - ay) * (cx - ax)) / (2 if len(face) == 3 else 1)
            for k in face:
                out[k] += self.density * area / len(face)
        return out

    def pulled(self, time):
        """(way, speed) along x of the pinned vertices."""
        if not self.pinned_motion:
            return 0.0, 0.0
        after = max(0.0, time - self.pinned_motion['from_s'])
        ramp, speed = self.pinned_motion['ramp_s'], self.pinned_motion['velocity_m_per_s'][0]
        begin = min(after, ramp)
        return speed * (begin * begin / (2 * ramp) + after - begin), speed * begin / ramp

    def damping_per_s(self):
        """2 sqrt(g / L): a swing as long as the cloth dies soonest. In proportion to mass it shifts no rest."""
        if not self.rest:
            return 0.0
        size = max(p[0] for p in self.points) - min(p[0] for p in self.points)
        return 2 * math.sqrt(math.hypot(*self.gravity) / size)

    def play(self, step_s, advance, positions, version, begin_gravity=None):
        """advance(n) plays n steps; positions() has the points. begin_gravity() is called at gravity_from_s if that is not 0."""
        early = done = round(self.gravity_from_s / step_s)
        if early:
            advance(early)
            begin_gravity()
        for k, time in enumerate(self.times_s):
            steps = round(time / step_s)
            advance(steps - done)
            done = steps
            found = [[float(x) for x in p] for p in positions()]
            if not all(math.isfinite(x) for p in found for x in p):
                sys.exit('the positions are no numbers any more after %g s' % time)
            with open(os.path.join(self.folder, 'out_%d.obj' % k), 'w') as file:
                file.writelines('v %.9g %.9g %.9g\n' % tuple(p) for p in found)
        with open(os.path.join(self.folder, 'engine.txt'), 'w') as file:
            file.write(version + '\n')
