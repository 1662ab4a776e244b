#include "fit_calibration.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fit_line.h"
#include "cb_plural.h"
#include "cb_plus_minus.h"

/* ---- what was measured ---- */

static bool in_cycle(const cb_calibration_point *p) {
  return p->direction == CB_CAL_ZERO || p->direction == CB_CAL_UP || p->direction == CB_CAL_DOWN;
}

/* First and last point of the cycle to which points[i] belongs: its zeros. */
static void zeros_of(const fit_calibration_input *in, size_t i, size_t *first, size_t *last) {
  *first = *last = i;
  while (*first > 0 && in->points[*first - 1].cycle == in->points[i].cycle) (*first)--;
  while (*last + 1 < in->n && in->points[*last + 1].cycle == in->points[i].cycle) (*last)++;
}

/* Reading less the zero of that moment, which is taken as the straight line between the zeros of the
 * cycle. */
static double deflection(const fit_calibration_input *in, size_t i) {
  size_t a, b;
  zeros_of(in, i, &a, &b);
  const cb_calibration_point *from = &in->points[a], *to = &in->points[b];
  double part = to->t_s > from->t_s ? (in->points[i].t_s - from->t_s) / (to->t_s - from->t_s) : 0;
  return in->points[i].reading - from->reading - part * (to->reading - from->reading);
}

static cb_status check_point(const cb_calibration_point *p, cb_err *err) {
  const double values[] = {p->mass_kg, p->force_N, p->u_force_N, p->reading, p->sd, p->t_s};
  for (size_t i = 0; i < sizeof values / sizeof values[0]; i++)
    if (!isfinite(values[i]))
      return cb_fail(err, CB_E_NUM, "step %d: %g is no number to calibrate with", p->step, values[i]);
  if (p->mass_kg < 0 || p->force_N < 0)
    return cb_fail(err, CB_E_RANGE, "step %d: a load of %g N: must be >= 0", p->step, p->force_N);
  return CB_OK;
}

static bool is_new_load(const fit_calibration_input *in, size_t i) {
  for (size_t k = 0; k < i; k++)
    if (in->points[k].direction == CB_CAL_UP && in->points[k].force_N == in->points[i].force_N) return false;
  return true;
}

static cb_status count_loads(const fit_calibration_input *in, fit_calibration *out, cb_err *err) {
  for (size_t i = 0; i < in->n; i++) {
    const cb_calibration_point *p = &in->points[i];
    size_t a, b;
    CB_TRY(check_point(p, err));
    if (!in_cycle(p) || p->cycle < 1) continue;
    zeros_of(in, i, &a, &b);
    if (a == b || in->points[a].direction != CB_CAL_ZERO || in->points[b].direction != CB_CAL_ZERO)
      return cb_fail(err, CB_E_RANGE, "cycle %d: must begin and end with a zero", p->cycle);
    out->cycles += p->direction == CB_CAL_UP && i == a + 1;
    out->loads += p->direction == CB_CAL_UP && is_new_load(in, i);
    out->full_scale_N = fmax(out->full_scale_N, p->force_N);
  }
  if (out->cycles < FIT_CALIBRATION_MIN_CYCLES)
    return cb_fail(err, CB_E_RANGE, "%zu cycle%s: at least %d are needed", out->cycles, CB_S(out->cycles),
                   FIT_CALIBRATION_MIN_CYCLES);
  if (out->loads < FIT_CALIBRATION_MIN_LOADS)
    return cb_fail(err, CB_E_RANGE, "%zu load%s: at least %d and zero are needed", out->loads,
                   CB_S(out->loads), FIT_CALIBRATION_MIN_LOADS);
  return CB_OK;
}

/* ---- the line ---- */

/* y: the readings, or the uncertainties of the forces, which act on the slope as errors of the readings
 * would. */
static size_t line_points(const fit_calibration_input *in, bool readings, fit_line_point *out) {
  size_t n = 0;
  for (size_t i = 0; i < in->n; i++) {
    const cb_calibration_point *p = &in->points[i];
    if (!in_cycle(p)) continue;
    out[n++] = (fit_line_point){
        .group = p->cycle, .x = p->force_N, .y = readings ? p->reading : p->u_force_N, .t = p->t_s};
  }
  return n;
}

/* *u_rel_weights: all weights are wrong together, as weights of one set that hangs on one standard may be. */
static cb_status fit_lines(const fit_calibration_input *in, fit_calibration *out, double *u_rel_weights,
                           cb_err *err) {
  fit_line wrong = {0};
  char slope[CB_PLUS_MINUS];
  fit_line_point *p = malloc((in->n + 1) * sizeof *p);
  if (!p) return cb_no_memory(err, "%zu points", in->n);
  cb_status st = fit_line_make(p, line_points(in, true, p), true, &out->line, err);
  if (st == CB_OK) st = fit_line_make(p, line_points(in, false, p), true, &wrong, err);
  free(p);
  *u_rel_weights = fabs(wrong.slope);
  if (st != CB_OK) return st;
  if (!(fabs(out->line.slope) > 3 * out->line.u_slope))
    return cb_fail(err, CB_E_RANGE, "the readings do not follow the loads: %s per newton",
                   cb_plus_minus_of_u(out->line.slope, out->line.u_slope, NAN, slope));
  out->slope_N_per_unit = 1 / out->line.slope;
  return CB_OK;
}

/* ---- its faults ---- */

typedef struct cell {
  size_t n;
  double mean, square; /* of the deflection as force; sum of squares about the mean */
} cell;

/* All cycles at one load on one way. */
static cell cell_of(const fit_calibration_input *in, const fit_calibration *out, double force_N,
                    cb_calibration_direction way) {
  cell c = {0};
  for (size_t i = 0; i < in->n; i++) {
    const cb_calibration_point *p = &in->points[i];
    if (p->direction != way || p->force_N != force_N) continue;
    double v = deflection(in, i) * out->slope_N_per_unit, d = v - c.mean;
    c.n++;
    c.mean += d / (double)c.n;
    c.square += d * (v - c.mean);
  }
  return c;
}

static void judge_load(const fit_calibration_input *in, double force_N, double *square,
                       fit_calibration *out) {
  cell up = cell_of(in, out, force_N, CB_CAL_UP), down = cell_of(in, out, force_N, CB_CAL_DOWN);
  double mean = ((double)up.n * up.mean + (double)down.n * down.mean) / (double)(up.n + down.n);
  out->nonlinearity_N = fmax(out->nonlinearity_N, fabs(mean - force_N));
  if (down.n > 0) out->hysteresis_N = fmax(out->hysteresis_N, fabs(up.mean - down.mean));
  *square += up.square + down.square;
  out->repeatability_dof += (double)up.n - 1 + (down.n > 0 ? (double)down.n - 1 : 0);
}

static void judge_zeros(const fit_calibration_input *in, size_t i, fit_calibration *out) {
  size_t a, b;
  zeros_of(in, i, &a, &b);
  double change = fabs((in->points[b].reading - in->points[a].reading) * out->slope_N_per_unit);
  if (i == a && in->points[i].cycle <= (int)out->cycles)
    out->zero_return_N = fmax(out->zero_return_N, change);
}

/* The creep cycle: zero, full load at once, full load later, zero. */
static void judge_creep(const fit_calibration_input *in, fit_calibration *out) {
  size_t first = in->n;
  out->creep_N = NAN;
  for (size_t i = 0; i < in->n; i++) {
    if (in->points[i].direction != CB_CAL_CREEP) continue;
    if (first == in->n) {
      first = i;
      continue;
    }
    out->creep_N = fabs((deflection(in, i) - deflection(in, first)) * out->slope_N_per_unit);
    out->creep_s = in->points[i].t_s - in->points[first].t_s;
  }
}

static void judge(const fit_calibration_input *in, fit_calibration *out) {
  double square = 0;
  for (size_t i = 0; i < in->n; i++) {
    if (in->points[i].direction == CB_CAL_UP && is_new_load(in, i))
      judge_load(in, in->points[i].force_N, &square, out);
    if (in->points[i].direction == CB_CAL_ZERO && in->points[i].cycle >= 1) judge_zeros(in, i, out);
  }
  if (out->repeatability_dof > 0) out->repeatability_N = sqrt(square / out->repeatability_dof);
  judge_creep(in, out);
}

/* ---- the budget ---- */

static void add_entry(fit_calibration *out, fit_budget_entry e) {
  e.u_N = fabs(e.sensitivity) * e.value / e.divisor;
  out->entry[out->n_entries++] = e;
}

static fit_budget_entry rectangular(const char *name, const char *unit, double half_width, double sensitivity,
                                    bool in_proportion) {
  return (fit_budget_entry){.name = name,
                            .unit = unit,
                            .type = 'B',
                            .distribution = "rectangular",
                            .value = half_width,
                            .divisor = sqrt(3),
                            .sensitivity = sensitivity,
                            .dof = INFINITY,
                            .in_proportion = in_proportion};
}

static fit_budget_entry normal(const char *name, const char *unit, char type, double value, double divisor,
                               double sensitivity, double dof) {
  return (fit_budget_entry){.name = name,
                            .unit = unit,
                            .type = type,
                            .distribution = type == 'A' ? "t" : "normal",
                            .value = value,
                            .divisor = divisor,
                            .sensitivity = sensitivity,
                            .dof = dof,
                            .in_proportion = true};
}

/* What makes every force wrong by the same factor. */
static void add_proportional(const fit_calibration_input *in, double u_rel_weights, fit_calibration *out) {
  double F = out->full_scale_N, k = in->k_weights;
  add_entry(out, normal("regression slope", "N", 'A', out->line.u_slope / fabs(out->line.slope) * F, 1, 1,
                        out->line.dof));
  add_entry(out, normal("weights", "N", 'B', k * u_rel_weights * F, k, 1, INFINITY));
  add_entry(out, normal("local gravity", "m/s2", 'B', in->u_gravity_m_per_s2, 1, F / in->gravity_m_per_s2,
                        INFINITY));
  add_entry(out, normal("air density", "kg/m3", 'B', in->u_air_density_kg_per_m3, 1,
                        F / (in->weight_density_kg_per_m3 - in->air_density_kg_per_m3), INFINITY));
  if (isfinite(out->creep_N)) add_entry(out, rectangular("creep", "N", out->creep_N, 1, true));
  if (in->temperature_range_K > 0)
    add_entry(out, rectangular("temperature", "K", in->temperature_range_K,
                               F * in->temperature_coefficient_per_K, true));
}

/* What does not shrink with the force. The reading lies anywhere between the two ways, the two zeros, two
 * digits: half of each. */
static void add_floor(const fit_calibration_input *in, fit_calibration *out) {
  fit_budget_entry repeat =
      normal("repeatability", "N", 'A', out->repeatability_N, 1, 1, out->repeatability_dof);
  repeat.in_proportion = false;
  add_entry(out, rectangular("nonlinearity", "N", out->nonlinearity_N, 1, false));
  add_entry(out, rectangular("hysteresis", "N", 0.5 * out->hysteresis_N, 1, false));
  add_entry(out, repeat);
  add_entry(out, rectangular("zero return", "N", 0.5 * out->zero_return_N, 1, false));
  if (in->resolution > 0)
    add_entry(out, rectangular("resolution", "reading", 0.5 * in->resolution, out->slope_N_per_unit, false));
}

cb_status fit_calibration_make(const fit_calibration_input *in, fit_calibration *out, cb_err *err) {
  double u_rel_weights, part = 0, floor = 0;
  memset(out, 0, sizeof *out);
  CB_TRY(count_loads(in, out, err));
  CB_TRY(fit_lines(in, out, &u_rel_weights, err));
  judge(in, out);
  add_proportional(in, u_rel_weights, out);
  add_floor(in, out);
  for (size_t i = 0; i < out->n_entries; i++) {
    double u2 = out->entry[i].u_N * out->entry[i].u_N;
    *(out->entry[i].in_proportion ? &part : &floor) += u2;
  }
  out->at_full_scale = fit_budget_combine(out->entry, out->n_entries);
  out->u_rel = sqrt(part) / out->full_scale_N;
  out->u_floor_N = sqrt(floor);
  return CB_OK;
}
