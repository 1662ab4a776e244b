#include "sim_triangle.h"

#include "sim_vec.h"

/* p = a + s ab + t ac. The regions of the plane: C. Ericson, Real-Time Collision Detection (2005), 5.1.5. */
int sim_triangle_nearest(const double a[3], const double b[3], const double c[3], const double x[3],
                         double weight[3], double point[3]) {
  double ab[3], ac[3], ap[3], bp[3], cp[3];
  sim_sub(b, a, ab);
  sim_sub(c, a, ac);
  sim_sub(x, a, ap);
  sim_sub(x, b, bp);
  sim_sub(x, c, cp);
  double d1 = sim_dot(ab, ap), d2 = sim_dot(ac, ap), d3 = sim_dot(ab, bp), d4 = sim_dot(ac, bp),
         d5 = sim_dot(ab, cp), d6 = sim_dot(ac, cp);
  double va = d3 * d6 - d5 * d4, vb = d5 * d2 - d1 * d6, vc = d1 * d4 - d3 * d2, s = 0, t = 0;
  int part;
  if (d1 <= 0 && d2 <= 0) {
    part = 4;
  } else if (d3 >= 0 && d4 <= d3) {
    part = 5;
    s = 1;
  } else if (d6 >= 0 && d5 <= d6) {
    part = 6;
    t = 1;
  } else if (vc <= 0 && d1 >= 0 && d3 <= 0) {
    part = 3;
    s = d1 / (d1 - d3);
  } else if (vb <= 0 && d2 >= 0 && d6 <= 0) {
    part = 2;
    t = d2 / (d2 - d6);
  } else if (va <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0) {
    part = 1;
    t = (d4 - d3) / (d4 - d3 + (d5 - d6));
    s = 1 - t;
  } else {
    part = 0;
    s = vb / (va + vb + vc);
    t = vc / (va + vb + vc);
  }
  weight[0] = part == 1 || part == 5 || part == 6 ? 0 : 1 - s - t;
  weight[1] = s;
  weight[2] = t;
  for (int k = 0; k < 3; k++) point[k] = a[k] + s * ab[k] + t * ac[k];
  return part;
}
