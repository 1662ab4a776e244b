#include "fit_loop.h"

#include <math.h>

double fit_loop_area(const cb_test_point *p, size_t n) {
  double sum = 0;
  for (size_t i = 0; i < n; i++) {
    const cb_test_point *next = &p[(i + 1) % n];
    sum += 0.5 * (next->x - p[i].x) * (next->y + p[i].y);
  }
  return sum;
}

/* Sorted by how near their amplitude is. */
static void sort_by_distance(const fit_loop *known, double at, double x[3], double y[3]) {
  for (int i = 0; i < 3; i++) {
    const double next_x = log(known[i].amplitude), next_y = log(known[i].area_J);
    int k = i;
    for (; k > 0 && fabs(next_x - at) < fabs(x[k - 1] - at); k--) x[k] = x[k - 1], y[k] = y[k - 1];
    x[k] = next_x, y[k] = next_y;
  }
}

double fit_loop_predict(const fit_loop known[3], double amplitude, double *u_J) {
  const double at = log(amplitude);
  double x[3], y[3];
  sort_by_distance(known, at, x, y);
  const double slope = (y[1] - y[0]) / (x[1] - x[0]), line = y[0] + slope * (at - x[0]);
  const double bend = (y[2] - y[0] - slope * (x[2] - x[0])) / ((x[2] - x[0]) * (x[2] - x[1]));
  const double area = exp(line + bend * (at - x[0]) * (at - x[1]));
  *u_J = fabs(exp(line) - area) / sqrt(3);
  return area;
}
