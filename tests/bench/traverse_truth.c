#include "traverse_truth.h"

#include <math.h>
#include <stdbool.h>

#include "cb_num.h"
#include "sim_vec.h"

static double to_segment2(const double p[3], const double a[3], const double b[3]) {
  double ab[3], ap[3];
  sim_sub(b, a, ab);
  sim_sub(p, a, ap);
  double s = fmin(fmax(sim_dot(ab, ap) / sim_dot(ab, ab), 0), 1), d2 = 0;
  for (int k = 0; k < 3; k++) d2 += (ap[k] - s * ab[k]) * (ap[k] - s * ab[k]);
  return d2;
}

/* Over the inside, where the point is on the inner side of all three edges: the height; else to the nearest
 * edge. */
static double to_triangle2(const double p[3], const double a[3], const double b[3], const double c[3]) {
  const double *v[3] = {a, b, c};
  double ab[3], ac[3], n[3], ap[3], least = INFINITY;
  bool inside = true;
  sim_sub(b, a, ab);
  sim_sub(c, a, ac);
  sim_cross(ab, ac, n);
  for (int k = 0; k < 3; k++) {
    double edge[3], to[3], side[3];
    sim_sub(v[(k + 1) % 3], v[k], edge);
    sim_sub(p, v[k], to);
    sim_cross(edge, to, side);
    inside = inside && sim_dot(side, n) > 0;
    least = fmin(least, to_segment2(p, v[k], v[(k + 1) % 3]));
  }
  if (!inside) return least;
  sim_sub(p, a, ap);
  double height = sim_dot(ap, n);
  return height * height / sim_dot(n, n);
}

/* A. Van Oosterom, J. Strackee, IEEE Trans. Biomed. Eng. 30:125 (1983). */
static double solid_angle(const double p[3], const double a[3], const double b[3], const double c[3]) {
  double u[3], v[3], w[3], cross[3];
  sim_sub(a, p, u);
  sim_sub(b, p, v);
  sim_sub(c, p, w);
  sim_cross(v, w, cross);
  double lu = sim_norm(u), lv = sim_norm(v), lw = sim_norm(w);
  return 2 * atan2(sim_dot(u, cross),
                   lu * lv * lw + sim_dot(u, v) * lw + sim_dot(v, w) * lu + sim_dot(w, u) * lv);
}

double truth_distance(const double (*x)[3], const int (*triangle)[3], int n, const double p[3]) {
  double least = INFINITY, angle = 0;
  for (int t = 0; t < n; t++) {
    const int *v = triangle[t];
    least = fmin(least, to_triangle2(p, x[v[0]], x[v[1]], x[v[2]]));
    angle += solid_angle(p, x[v[0]], x[v[1]], x[v[2]]);
  }
  return fabs(angle) > 2 * CB_PI ? -sqrt(least) : sqrt(least);
}
