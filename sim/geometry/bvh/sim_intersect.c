/* Test of two triangles for crossing. Signs of volumes are exact: flat cloth whose corners are rounded does
 * not cross itself. */
#include <float.h>
#include <math.h>

#include <gmp.h>

#include "sim_query.h"

#define ROUNDING (16 * LDBL_EPSILON) /* of a sum of products, over the sum of their sizes */
#define EXACT_BITS 6400              /* a product of three differences of doubles: 3 (1024 + 1074 + 1) bits */

/* Sign of the determinant of three differences corner - p, without rounding. */
static int exact_side(const double p[3], const double *const corner[3]) {
  mpf_t d[3][3], first, second, volume;
  mpf_init2(first, EXACT_BITS);
  mpf_init2(second, EXACT_BITS);
  mpf_init2(volume, EXACT_BITS);
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++) {
      mpf_init2(d[i][k], EXACT_BITS);
      mpf_set_d(d[i][k], corner[i][k]);
      mpf_set_d(first, p[k]);
      mpf_sub(d[i][k], d[i][k], first);
    }
  for (int k = 0; k < 3; k++) {
    mpf_mul(first, d[1][(k + 1) % 3], d[2][(k + 2) % 3]);
    mpf_mul(second, d[1][(k + 2) % 3], d[2][(k + 1) % 3]);
    mpf_sub(first, first, second);
    mpf_mul(first, first, d[0][k]);
    mpf_add(volume, volume, first);
  }
  const int sign = mpf_sgn(volume);
  for (int k = 0; k < 9; k++) mpf_clear(d[k / 3][k % 3]);
  mpf_clears(first, second, volume, NULL);
  return sign;
}

/* Sign of the volume of the tetrahedron: the side of the plane through a, b, c on which p lies. 0: in the
 * plane. */
static int side(const double p[3], const double a[3], const double b[3], const double c[3]) {
  const double *const corner[3] = {a, b, c};
  long double d[3][3], volume = 0, size = 0;
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++) d[i][k] = (long double)corner[i][k] - p[k];
  for (int k = 0; k < 3; k++) {
    const long double first = d[1][(k + 1) % 3] * d[2][(k + 2) % 3],
                      second = d[1][(k + 2) % 3] * d[2][(k + 1) % 3];
    volume += d[0][k] * (first - second);
    size += fabsl(d[0][k]) * (fabsl(first) + fabsl(second));
  }
  if (fabsl(volume) > ROUNDING * size) return volume > 0 ? 1 : -1;
  return size == 0 ? 0 : exact_side(p, corner);
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
