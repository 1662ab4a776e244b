/* Test of two triangles for crossing. */
#include <float.h>
#include <math.h>

#include "sim_query.h"

#define ROUNDING (16 * LDBL_EPSILON) /* of a sum of products, over the sum of their sizes */

/* Sign of the volume of the tetrahedron: the side of the plane through a, b, c on which p lies. 0: in the
 * plane, as far as rounding tells: flat cloth does not cross itself. */
static int side(const double p[3], const double a[3], const double b[3], const double c[3]) {
  long double u[3], v[3], w[3], volume = 0, size = 0;
  for (int k = 0; k < 3; k++) {
    u[k] = (long double)a[k] - p[k];
    v[k] = (long double)b[k] - p[k];
    w[k] = (long double)c[k] - p[k];
  }
  for (int k = 0; k < 3; k++) {
    const long double first = v[(k + 1) % 3] * w[(k + 2) % 3], second = v[(k + 2) % 3] * w[(k + 1) % 3];
    volume += u[k] * (first - second);
    size += fabsl(u[k]) * (fabsl(first) + fabsl(second));
  }
  return fabsl(volume) <= ROUNDING * size ? 0 : volume > 0 ? 1 : -1;
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
