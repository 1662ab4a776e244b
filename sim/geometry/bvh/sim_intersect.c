/* Test of two triangles for crossing. */
#include "sim_query.h"

/* Sign of the volume of the tetrahedron: the side of the plane through a, b, c on which p lies. */
static int side(const double p[3], const double a[3], const double b[3], const double c[3]) {
  long double u[3], v[3], w[3];
  for (int k = 0; k < 3; k++) {
    u[k] = (long double)a[k] - p[k];
    v[k] = (long double)b[k] - p[k];
    w[k] = (long double)c[k] - p[k];
  }
  long double volume = u[0] * (v[1] * w[2] - v[2] * w[1]) + u[1] * (v[2] * w[0] - v[0] * w[2]) +
                       u[2] * (v[0] * w[1] - v[1] * w[0]);
  return (volume > 0) - (volume < 0);
}

/* Whether the open segment from p to q passes through the triangle; touching its border counts, lying in its
 * plane does not. */
static bool segment_crosses(const double p[3], const double q[3], const double a[3], const double b[3],
                            const double c[3]) {
  if (side(p, a, b, c) * side(q, a, b, c) >= 0) return false;
  int s = side(p, q, a, b), t = side(p, q, b, c), u = side(p, q, c, a);
  return (s >= 0 && t >= 0 && u >= 0) || (s <= 0 && t <= 0 && u <= 0);
}

static bool has(const int t[3], int v) { return t[0] == v || t[1] == v || t[2] == v; }

static bool edge_crosses(const double (*x)[3], const int from[3], const int through[3]) {
  for (int k = 0; k < 3; k++) {
    int p = from[k], q = from[(k + 1) % 3];
    if (has(through, p) || has(through, q)) continue;
    if (segment_crosses(x[p], x[q], x[through[0]], x[through[1]], x[through[2]])) return true;
  }
  return false;
}

bool sim_triangles_cross(const double (*x)[3], const int first[3], const int second[3]) {
  return edge_crosses(x, first, second) || edge_crosses(x, second, first);
}
