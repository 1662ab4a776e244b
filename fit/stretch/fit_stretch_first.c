/* Strips that are pulled again: what the first pull of a piece and direction takes more. */
#include <math.h>
#include <string.h>

#include "fit_stretch_impl.h"

/* Force times strain up to the end. */
static double work_to(const fit_stretch_curve *c, double end) {
  double sum = 0;
  for (size_t i = 0; i < c->n_loading && (i == 0 || c->loading[i - 1].x < end); i++) {
    const fit_stretch_point a = i > 0 ? c->loading[i - 1] : (fit_stretch_point){0, 0, 0}, b = c->loading[i];
    const double share = b.x > end ? (end - a.x) / (b.x - a.x) : 1;
    sum += share * (b.x - a.x) * (a.y + share * (b.y - a.y) / 2);
  }
  return sum;
}

/* The strain that all tests of the piece and direction reach. */
static double shared_end(const fit_stretch_input *in, const fit_stretch_curve *c,
                         const fit_stretch_part *part, size_t n, size_t test) {
  double end = c[test].strain_max;
  for (size_t i = 0; i < n; i++)
    if (part[i].outcome == FIT_STRETCH_PART_OK &&
        strcmp(in[i].test->specimen, in[test].test->specimen) == 0 &&
        fabs(c[i].angle_deg - c[test].angle_deg) < CB_STRETCH_SAME_DEG)
      end = fmin(end, c[i].strain_max);
  return end;
}

fit_test fit_stretch_first(const fit_stretch_input *in, const fit_stretch_curve *c,
                           const fit_stretch_part *part, size_t n, fit_first_value *values) {
  for (size_t i = 0; i < n; i++) {
    values[i] = (fit_first_value){.test = in[i].test};
    if (part[i].outcome == FIT_STRETCH_PART_OK)
      values[i].value = work_to(&c[i], shared_end(in, c, part, n, i));
  }
  return fit_first(values, n);
}

void fit_stretch_widen(cb_stretch_law *law, double half) {
  for (size_t i = 0; i < law->n; i++) {
    cb_stretch_direction *d = &law->directions[i];
    for (size_t k = 1; k < d->n_knots; k++)
      d->knots[k].u_N_per_m = hypot(d->knots[k].u_N_per_m, half * d->knots[k].force_N_per_m);
    d->u_k1_N_per_m = hypot(d->u_k1_N_per_m, half * d->k1_N_per_m);
    d->u_k3_N_per_m = hypot(d->u_k3_N_per_m, half * d->k3_N_per_m);
  }
}
