/* A buckled strip -> its rigidity and friction. */
#include <math.h>
#include <stdlib.h>

#include "cb_num.h"
#include "fit_bending_impl.h"
#include "fit_branch.h"
#include "fit_buckled.h"

/* The root mean square of the curvature over an elastic strip, shortened by a small share of its length. */
static double curvature_of(double length_m, double shortening_m) {
  return 2 * sqrt(2) * CB_PI * sqrt(shortening_m / length_m) / length_m;
}

/* A cycle begins wherever the clamps begin to approach. */
static void number_cycles(const cb_test_point *p, size_t n, fit_buckled_reading *r) {
  const double turn = fit_branch_turn(p, n);
  int cycle = -1;
  for (size_t from = 0; from + 1 < n;) {
    const fit_branch b = fit_branch_next(p, n, from, turn);
    if (b.sign > 0 || cycle < 0) cycle++;
    for (size_t i = from; i < b.to; i++) r[i].cycle = cycle;
    from = b.to - 1 > from ? b.to - 1 : n;
  }
}

/* Shortenings count above 0, whichever way the strip bulges. */
static cb_status fit_record(const fit_bending_input *in, double density, fit_buckled_result *f, cb_err *err) {
  const bool up = in->n > 0 && in->points[0].x < 0;
  cb_test_point *p = calloc(in->n + 1, sizeof *p);
  fit_buckled_reading *r = calloc(in->n + 1, sizeof *r);
  const fit_buckled_input q = {r, in->n, in->test->length_m, in->test->width_m, density, up};
  for (size_t i = 0; p && r && i < in->n; i++) {
    p[i] = (cb_test_point){up ? -in->points[i].x : in->points[i].x, in->points[i].y};
    r[i] = (fit_buckled_reading){in->test->length_m - p[i].x, p[i].y, 0};
  }
  if (p && r) number_cycles(p, in->n, r);
  const cb_status st = p && r ? fit_buckled(&q, f, err) : cb_no_memory(err, "%zu readings", in->n);
  free(p), free(r);
  return st;
}

/* The strip has these curvatures at the ends of its motion; B is one for all of them. */
static cb_status push_ends(const fit_bending_input *in, size_t number, double B_Nm,
                           fit_bending_samples *samples, cb_err *err) {
  double low = INFINITY, high = 0, L = in->test->length_m;
  for (size_t i = 0; i < in->n; i++) {
    const double K = curvature_of(L, fabs(in->points[i].x));
    low = fmin(low, K), high = fmax(high, K);
  }
  CB_TRY(fit_bending_push(samples, (fit_bending_sample){number, 0, low, B_Nm, L}, err));
  return fit_bending_push(samples, (fit_bending_sample){number, 0, high, B_Nm, L}, err);
}

cb_status fit_bending_read_buckled(const fit_bending_input *in, size_t number, const fit_bending_options *opt,
                                   fit_bending_reading *out, fit_bending_samples *samples, cb_err *err) {
  const cb_material_test *t = in->test;
  const double density =
      t->areal_density_kg_per_m2 > 0 ? t->areal_density_kg_per_m2 : opt->areal_density_kg_per_m2;
  fit_buckled_result f;
  out->defect = in->n > FIT_BENDING_MAX_POINTS                              ? FIT_BENDING_TOO_MANY_POINTS
                : !(t->length_m > 0) || !(t->width_m > 0) || !(density > 0) ? FIT_BENDING_NO_SIZE
                                                                            : FIT_BENDING_USED;
  if (out->defect) return CB_OK;
  CB_TRY(fit_record(in, density, &f, err));
  if (f.outcome != FIT_BUCKLED_OK) {
    out->defect = FIT_BENDING_NOT_TOLD;
    return CB_OK;
  }
  out->side[0] = (fit_bending_side){1, f.B_Nm, NAN, f.u_B_Nm / f.B_Nm, f.width_N, f.u_width_N};
  return push_ends(in, number, f.B_Nm, samples, err);
}
