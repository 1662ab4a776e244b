/* One bending test -> rigidity on either side of the cloth. */
#include <math.h>
#include <stdlib.h>

#include "cb_array.h"
#include "cb_num.h"
#include "fit_bending_impl.h"
#include "fit_branch.h"
#include "fit_elastica.h"

cb_status fit_bending_push(fit_bending_samples *s, fit_bending_sample sample, cb_err *err) {
  if (s->n == s->cap) {
    fit_bending_sample *grown = cb_array_grow(s->list, &s->cap, s->n + 1, sizeof *grown);
    if (!grown) return cb_no_memory(err, "%zu values of rigidity", s->n + 1);
    s->list = grown;
  }
  s->list[s->n++] = sample;
  return CB_OK;
}

/* ---- cantilevers ---- */

/* d ln B / d chord angle; only an uncertainty needs it. */
static double slope_at(double chord_rad, double load) {
  double near = chord_rad * (1 - 1e-4);
  return -log(load / fit_elastica_of_chord(near).load) / (chord_rad - near);
}

static double rectangular(double digit) { return digit / sqrt(12); }

static bool tells(double chord_rad) { return chord_rad > 1e-6 && chord_rad <= FIT_ELASTICA_MAX_CHORD_RAD; }

static cb_status add_overhang(const fit_bending_input *in, size_t number, cb_test_point p,
                              fit_bending_reading *r, fit_bending_samples *samples, cb_err *err) {
  double chord = fabs(p.y), weight = r->density_kg_per_m2 * CB_STANDARD_GRAVITY_M_PER_S2 * p.x * p.x * p.x;
  fit_elastica e = fit_elastica_of_chord(chord);
  fit_bending_side *side = &r->side[p.y < 0];
  double slope = slope_at(chord, e.load);
  double u = hypot(3 * rectangular(in->test->x_digit) / p.x, slope * rectangular(in->test->y_digit));
  side->n++;
  side->B_Nm += weight / e.load;
  side->peirce_Nm += weight / fit_elastica_peirce_load(chord);
  side->u_rel += u * u;
  r->angle_slope_per_rad += slope;
  return fit_bending_push(
      samples, (fit_bending_sample){number, p.y < 0, sqrt(e.square_curvature) / p.x, weight / e.load, p.x},
      err);
}

/* The angle's calibration, or the tolerance of an apparatus whose angle is fixed. */
static double shared_angle(const cb_material_test *t, double mean_chord_rad, const fit_bending_options *opt) {
  if (t->u_y_rel > 0) return t->u_y_rel * mean_chord_rad;
  return t->y_digit > 0 ? 0 : opt->angle_half_width_rad / sqrt(3);
}

static cb_status read_cantilever(const fit_bending_input *in, size_t number, const fit_bending_options *opt,
                                 fit_bending_reading *r, fit_bending_samples *samples, cb_err *err) {
  double chords = 0;
  r->density_kg_per_m2 = in->test->areal_density_kg_per_m2 > 0 ? in->test->areal_density_kg_per_m2
                                                               : opt->areal_density_kg_per_m2;
  r->defect = in->n > FIT_BENDING_MAX_POINTS ? FIT_BENDING_TOO_MANY_POINTS
              : !(r->density_kg_per_m2 > 0)  ? FIT_BENDING_NO_DENSITY
                                             : FIT_BENDING_USED;
  if (r->defect) return CB_OK;
  for (size_t i = 0; i < in->n; i++) {
    if (!tells(fabs(in->points[i].y))) continue;
    if (!(in->points[i].x > 0))
      return cb_fail(err, CB_E_RANGE, "cantilever test, point %zu: overhang = %g m: must be > 0", i + 1,
                     in->points[i].x);
    CB_TRY(add_overhang(in, number, in->points[i], r, samples, err));
    chords += fabs(in->points[i].y);
  }
  double n = (double)(r->side[0].n + r->side[1].n);
  if (n == 0) {
    r->defect = FIT_BENDING_NO_ANGLE;
    return CB_OK;
  }
  for (int s = 0; s < 2; s++) {
    fit_bending_side *side = &r->side[s];
    double m = (double)side->n;
    if (side->n)
      *side =
          (fit_bending_side){side->n, side->B_Nm / m, side->peirce_Nm / m, sqrt(side->u_rel) / m, NAN, NAN};
  }
  r->angle_slope_per_rad /= n;
  r->u_angle_rad = shared_angle(in->test, chords / n, opt);
  return CB_OK;
}

/* ---- moment over curvature ---- */

/* The branch within |K| = low ... high; its moment is read where the hysteresis is. */
static bool fit_piece(const fit_bending_input *in, fit_branch b, int sign_K, double low, double high,
                      fit_branch_line *p) {
  return fit_branch_fit(in->points, b, sign_K, low, high, FIT_BENDING_KES_WIDTH_PER_M, p);
}

/* Means over the loading and the unloading pieces of one side. */
typedef struct sums {
  size_t loading, unloading;
  double slope, var_slope, up, down, var_width;
} sums;

static cb_status add_branch(const fit_bending_input *in, size_t number, fit_branch b, int side,
                            fit_branch_line *p, sums *s, fit_bending_samples *samples, cb_err *err) {
  int sign_K = side ? -1 : 1;
  double from = FIT_BENDING_KES_FROM_PER_M, middle = FIT_BENDING_KES_WIDTH_PER_M,
         to = FIT_BENDING_KES_TO_PER_M;
  if (!fit_piece(in, b, sign_K, from, to, p)) return CB_OK;
  s->var_width += p->u_at * p->u_at;
  if (b.sign != sign_K) {
    s->unloading++;
    s->down += p->at;
    return CB_OK;
  }
  s->loading++;
  s->up += p->at;
  s->slope += p->slope;
  s->var_slope += p->u_slope * p->u_slope;
  if (fit_piece(in, b, sign_K, from, middle, p))
    CB_TRY(fit_bending_push(
        samples, (fit_bending_sample){number, side, 0.5 * (from + middle), p->slope, 0.5 * (from + middle)},
        err));
  if (fit_piece(in, b, sign_K, middle, to, p))
    CB_TRY(fit_bending_push(
        samples, (fit_bending_sample){number, side, 0.5 * (middle + to), p->slope, 0.5 * (middle + to)},
        err));
  return CB_OK;
}

static fit_bending_side side_of(const sums *s) {
  double n = (double)s->loading, m = (double)s->unloading;
  if (s->loading == 0) return (fit_bending_side){.width_N = NAN, .u_width_N = NAN};
  double B = s->slope / n;
  return (fit_bending_side){.n = s->loading,
                            .B_Nm = B,
                            .peirce_Nm = NAN,
                            .u_rel = sqrt(s->var_slope) / n / B,
                            .width_N = m > 0 ? s->up / n - s->down / m : NAN,
                            .u_width_N = m > 0 ? sqrt(s->var_width) / fmin(n, m) : NAN};
}

static cb_status read_moment(const fit_bending_input *in, size_t number, fit_bending_reading *r,
                             fit_bending_samples *samples, cb_err *err) {
  double *scratch = malloc(2 * in->n * sizeof *scratch + 1), turn = fit_branch_turn(in->points, in->n);
  if (!scratch) return cb_no_memory(err, "a curve of %zu points", in->n);
  fit_branch_line p = {.x = scratch, .y = scratch + in->n};
  sums s[2] = {{0}, {0}};
  cb_status st = CB_OK;
  for (size_t from = 0; from + 1 < in->n;) {
    fit_branch b = fit_branch_next(in->points, in->n, from, turn);
    for (int side = 0; side < 2; side++) CB_GOTO(add_branch(in, number, b, side, &p, &s[side], samples, err));
    from = b.to - 1 > from ? b.to - 1 : in->n;
  }
  for (int side = 0; side < 2; side++) r->side[side] = side_of(&s[side]);
  if (r->side[0].n + r->side[1].n == 0)
    r->defect = FIT_BENDING_NO_WINDOW;
  else if ((r->side[0].n && !(r->side[0].B_Nm > 0)) || (r->side[1].n && !(r->side[1].B_Nm > 0)))
    r->defect = FIT_BENDING_NOT_POSITIVE;
done:
  free(scratch);
  return st;
}

static cb_status check_points(const fit_bending_input *in, cb_err *err) {
  for (size_t i = 0; i < in->n; i++)
    if (!isfinite(in->points[i].x) || !isfinite(in->points[i].y))
      return cb_fail(err, CB_E_NUM, "%s test, point %zu: (%g, %g): must be finite",
                     cb_test_kind_names[in->test->kind], i + 1, in->points[i].x, in->points[i].y);
  return CB_OK;
}

cb_status fit_bending_read(const fit_bending_input *in, size_t number, const fit_bending_options *opt,
                           fit_bending_reading *out, fit_bending_samples *samples, cb_err *err) {
  *out =
      (fit_bending_reading){.side = {{.width_N = NAN, .u_width_N = NAN}, {.width_N = NAN, .u_width_N = NAN}}};
  CB_TRY(check_points(in, err));
  size_t before = samples->n;
  cb_status st = in->test->kind == CB_TEST_CANTILEVER ? read_cantilever(in, number, opt, out, samples, err)
                 : in->test->kind == CB_TEST_BUCKLING
                     ? fit_bending_read_buckled(in, number, opt, out, samples, err)
                     : read_moment(in, number, out, samples, err);
  if (out->defect) samples->n = before;
  return st;
}
