#include "fit_buckled.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cb_num.h"
#include "cb_stats.h"
#include "fit_buckled_strip.h"
#include "fit_nls.h"

const char *const fit_buckled_outcome_text[] = {"fitted", "the readings do not determine it"};

/* A slider that begins to slip is a kink of the force, which a fit of the onset would stumble over. */
static const double onsets_per_m[] = {5, 7, 10, 14, 20, 28, 40, 56};
enum { ONSETS = sizeof onsets_per_m / sizeof onsets_per_m[0] };

/* Of each parameter; fewer say nothing of the autocorrelation. */
enum { LEAST_READINGS = 3 };

/* Where a fit begins: a light cloth's. */
#define START_B_NM 8e-6
#define START_FRICTION_N 1e-4

/* The parameters: logarithm of B or of the areal density, logarithm of the friction, zeros of the cycles. */
typedef struct job {
  const fit_buckled_input *in;
  bool weigh;
  double B_Nm, onset_per_m; /* B_Nm: of a strip that is weighed */
  size_t cycles;
  double *force_N, *predicted_N, *scratch_N, *jacobian; /* one block, owned: n, n, 2 n, n x p */
} job;

#define GRAM_FORCE_N (CB_STANDARD_GRAVITY_M_PER_S2 * 1e-3) /* zeros are parameters of about 1 */

/* Without the zeros. */
static void play_record(const job *j, double ln_first, double ln_friction, double *force_N) {
  const fit_buckled_input *in = j->in;
  const double density = j->weigh ? exp(ln_first) : in->areal_density_kg_per_m2;
  const fit_buckled_strip strip = {
      .length_m = in->length_m,
      .B_Nm = j->weigh ? j->B_Nm : exp(ln_first),
      .friction_N = exp(ln_friction),
      .onset_per_m = j->onset_per_m,
      .weight_N_per_m2 = density * CB_STANDARD_GRAVITY_M_PER_S2 * (in->up ? -1 : 1)};
  fit_buckled_state state;
  fit_buckled_begin(&state);
  for (size_t i = 0; i < in->n; i++)
    force_N[i] = in->width_m * fit_buckled_move(&strip, in->length_m - in->readings[i].distance_m, &state);
}

/* The derivatives over steps that are long against the kinks, at which sliders begin to slip: between kinks
 * they would jump. */
#define LONG_STEP 0.02

static void fill_derivatives(const job *j, const double *b, double *jacobian) {
  const size_t n = j->in->n, p = 2 + j->cycles;
  double *more = j->scratch_N, *less = more + n;
  for (size_t k = 0; k < 2; k++) {
    const double d[2] = {k == 0 ? LONG_STEP : 0, k == 1 ? LONG_STEP : 0};
    play_record(j, b[0] + d[0], b[1] + d[1], more);
    play_record(j, b[0] - d[0], b[1] - d[1], less);
    for (size_t i = 0; i < n; i++) jacobian[i * p + k] = (more[i] - less[i]) / (2 * LONG_STEP);
  }
  for (size_t i = 0; i < n; i++)
    for (size_t k = 0; k < j->cycles; k++)
      jacobian[i * p + 2 + k] = (size_t)j->in->readings[i].cycle == k ? GRAM_FORCE_N : 0;
}

static void predict_forces(const void *context, const double *b, double *predicted, double *jacobian) {
  const job *j = context;
  play_record(j, b[0], b[1], predicted);
  for (size_t i = 0; i < j->in->n; i++) predicted[i] += b[2 + j->in->readings[i].cycle] * GRAM_FORCE_N;
  if (jacobian) fill_derivatives(j, b, jacobian);
}

/* The model near a minimum, linear in what the parameters change by. */
typedef struct tangent {
  const double *jacobian; /* n x p */
  size_t n, p;
} tangent;

static void predict_tangent(const void *context, const double *b, double *predicted, double *jacobian) {
  const tangent *t = context;
  for (size_t i = 0; i < t->n; i++) {
    predicted[i] = 0;
    for (size_t k = 0; k < t->p; k++) predicted[i] += t->jacobian[i * t->p + k] * b[k];
  }
  if (jacobian) memcpy(jacobian, t->jacobian, t->n * t->p * sizeof *jacobian);
}

#define NEAR 0.05   /* of a standard uncertainty: the last step of a fit */
#define LONGEST 0.7 /* step of a logarithm */
enum { MAX_STEPS = 25 };

/* One step of Gauss and Newton from b, with the covariance there; *near: the step was small. */
static cb_status step_fit(job *j, double *b, fit_nls_result *r, bool *near, cb_err *err) {
  const size_t n = j->in->n, p = 2 + j->cycles;
  const double none[2 + FIT_BUCKLED_MAX_CYCLES] = {0};
  const tangent t = {j->jacobian, n, p};
  const fit_nls_problem problem = {
      .n = n, .p = p, .model = predict_tangent, .context = &t, .y = j->predicted_N, .start = none};
  *near = false;
  predict_forces(j, b, j->predicted_N, j->jacobian);
  for (size_t i = 0; i < n; i++) j->predicted_N[i] = j->force_N[i] - j->predicted_N[i];
  for (size_t i = 0; i < n * (p + 1); i++)
    if (!isfinite(i < n ? j->predicted_N[i] : j->jacobian[i - n])) {
      r->outcome = FIT_NLS_NOT_FINITE;
      return CB_OK;
    }
  CB_TRY(fit_nls(&problem, r, err));
  *near = r->outcome == FIT_NLS_CONVERGED;
  for (size_t k = 0; k < p && r->outcome == FIT_NLS_CONVERGED; k++) {
    if (fabs(r->b[k]) > NEAR * fit_nls_u(r, k)) *near = false;
    b[k] += k < 2 ? fmin(fmax(r->b[k], -LONGEST), LONGEST) : r->b[k];
  }
  return CB_OK;
}

/* The force is almost linear in B, friction and zeros, but for the kinks, among which the general method of
 * fit_nls would look for the very minimum. */
static cb_status fit_at(job *j, double onset_per_m, fit_nls_result *r, cb_err *err) {
  double b[2 + FIT_BUCKLED_MAX_CYCLES] = {log(j->weigh ? j->in->areal_density_kg_per_m2 : START_B_NM),
                                          log(START_FRICTION_N)};
  bool near = false;
  *r = (fit_nls_result){.outcome = FIT_NLS_CONVERGED};
  j->onset_per_m = onset_per_m;
  for (int i = 0; i < MAX_STEPS && !near && r->outcome == FIT_NLS_CONVERGED; i++)
    CB_TRY(step_fit(j, b, r, &near, err));
  if (!near && r->outcome == FIT_NLS_CONVERGED) r->outcome = FIT_NLS_NO_PROGRESS;
  memcpy(r->b, b, sizeof b);
  return CB_OK;
}

/* Residuals that hang together are fewer than they seem. */
static double count_independent(const job *j, const fit_nls_result *r) {
  double independent;
  predict_forces(j, r->b, j->predicted_N, NULL);
  for (size_t i = 0; i < j->in->n; i++) j->predicted_N[i] = j->force_N[i] - j->predicted_N[i];
  (void)cb_mean_uncertainty(j->predicted_N, j->in->n, &independent);
  return fmax(independent, 1);
}

/* Returns by how much autocorrelation widens the uncertainties. */
static double take_result(const job *j, const fit_nls_result *r, fit_buckled_result *out) {
  const double independent = count_independent(j, r), grown = sqrt((double)j->in->n / independent);
  const double first = exp(r->b[0]), width_N = 2 * exp(r->b[1]);
  const double u_first = grown * fit_nls_u(r, 0) * first;
  *out = (fit_buckled_result){.outcome = FIT_BUCKLED_OK,
                              .B_Nm = j->weigh ? j->B_Nm : first,
                              .u_B_Nm = j->weigh ? 0 : u_first,
                              .width_N = width_N,
                              .u_width_N = grown * fit_nls_u(r, 1) * width_N,
                              .onset_per_m = j->onset_per_m,
                              .areal_density_kg_per_m2 = j->weigh ? first : j->in->areal_density_kg_per_m2,
                              .u_areal_density_kg_per_m2 = j->weigh ? u_first : 0,
                              .cycles = j->cycles,
                              .residual_sd_N = r->residual_sd,
                              .dof = fmax(independent - (double)(2 + j->cycles), 1)};
  for (size_t i = 0; i < j->cycles; i++) out->zero_N[i] = r->b[2 + i] * GRAM_FORCE_N;
  return grown;
}

/* Parabolas through three onsets of the list, which are evenly spaced in their logarithm: the misfit's says
 * where between them the onset lies and how surely, those of the logarithms what B and 2HB are there. */
static void refine_onset(const fit_nls_result *r, double grown, fit_buckled_result *out) {
  const double bend = r[0].chi2 - 2 * r[1].chi2 + r[2].chi2;
  if (!(bend > 0)) return;
  const double shift = (r[0].chi2 - r[2].chi2) / (2 * bend);
  const double u_shift = grown * r[1].residual_sd * sqrt(2 / bend);
  double slope[2], value[2];
  for (int k = 0; k < 2; k++) {
    slope[k] = (r[2].b[k] - r[0].b[k]) / 2;
    value[k] = r[1].b[k] + shift * (slope[k] + shift / 2 * (r[0].b[k] - 2 * r[1].b[k] + r[2].b[k]));
  }
  out->onset_per_m *= pow(2, shift / 2);
  out->u_B_Nm = exp(value[0]) * hypot(out->u_B_Nm / out->B_Nm, slope[0] * u_shift);
  out->u_width_N = 2 * exp(value[1]) * hypot(out->u_width_N / out->width_N, slope[1] * u_shift);
  out->B_Nm = exp(value[0]), out->width_N = 2 * exp(value[1]);
}

/* An onset below the list: what B and 2HB change by over its first step, rectangular. */
static void widen_to_onset(const fit_nls_result *first, const fit_nls_result *next, fit_buckled_result *out) {
  out->u_B_Nm = hypot(out->u_B_Nm, out->B_Nm * (next->b[0] - first->b[0]) / sqrt(3));
  out->u_width_N = hypot(out->u_width_N, out->width_N * (next->b[1] - first->b[1]) / sqrt(3));
}

/* The least misfit may lie at the first onset: sliders that slip at once. */
static cb_status fit_bending_of(job *j, fit_buckled_result *out, cb_err *err) {
  fit_nls_result r[ONSETS];
  int best = -1;
  for (int i = 0; i < ONSETS; i++) {
    CB_TRY(fit_at(j, onsets_per_m[i], &r[i], err));
    if (r[i].outcome == FIT_NLS_CONVERGED && (best < 0 || r[i].chi2 < r[best].chi2)) best = i;
  }
  if (best < 0 || best == ONSETS - 1 || r[best + 1].outcome != FIT_NLS_CONVERGED) return CB_OK;
  j->onset_per_m = onsets_per_m[best];
  const double grown = take_result(j, &r[best], out);
  if (best > 0 && r[best - 1].outcome == FIT_NLS_CONVERGED)
    refine_onset(&r[best - 1], grown, out);
  else
    widen_to_onset(&r[best], &r[best + 1], out);
  return CB_OK;
}

static cb_status fit_weight_of(job *j, fit_buckled_result *out, cb_err *err) {
  fit_nls_result r;
  CB_TRY(fit_at(j, j->onset_per_m, &r, err));
  if (r.outcome == FIT_NLS_CONVERGED) (void)take_result(j, &r, out);
  return CB_OK;
}

static cb_status check_input(const fit_buckled_input *in, size_t *cycles, cb_err *err) {
  int last = 0;
  CB_TRY(cb_check_range(in->length_m, 1e-3, 10, "length of a buckled strip", "m", err));
  CB_TRY(cb_check_range(in->width_m, 1e-3, 10, "width of a buckled strip", "m", err));
  CB_TRY(cb_check_range(in->areal_density_kg_per_m2, 1e-4, 100, "areal density", "kg/m2", err));
  for (size_t i = 0; i < in->n; i++) {
    const fit_buckled_reading *r = &in->readings[i];
    if (!(r->distance_m > 0) || !(r->distance_m < in->length_m) || !isfinite(r->force_N))
      return cb_fail(
          err, CB_E_RANGE,
          "buckled strip, reading %zu: %g m, %g N: a distance above 0 and below the free length %g m, "
          "and a force were wanted",
          i + 1, r->distance_m, r->force_N, in->length_m);
    if (r->cycle < last || r->cycle > last + 1 || r->cycle >= FIT_BUCKLED_MAX_CYCLES)
      return cb_fail(err, CB_E_RANGE,
                     "buckled strip, reading %zu: cycle %d after %d: at most %d in their order were "
                     "wanted",
                     i + 1, r->cycle, last, FIT_BUCKLED_MAX_CYCLES);
    last = r->cycle;
  }
  *cycles = (size_t)last + 1;
  return CB_OK;
}

/* What was asked for is above twice its uncertainty, and there was a misfit to tell it by. */
static bool is_determined(const job *j, const fit_buckled_result *r) {
  const double value = j->weigh ? r->areal_density_kg_per_m2 : r->B_Nm;
  const double u = j->weigh ? r->u_areal_density_kg_per_m2 : r->u_B_Nm;
  return j->in->n > LEAST_READINGS * (2 + j->cycles) && value > 2 * u && u > 0;
}

static cb_status run_job(job *j, fit_buckled_result *out, cb_err *err) {
  const fit_buckled_input *in = j->in;
  *out = (fit_buckled_result){.outcome = FIT_BUCKLED_NOT_FOUND};
  CB_TRY(check_input(in, &j->cycles, err));
  j->force_N = calloc((6 + j->cycles) * in->n + 1, sizeof *j->force_N);
  if (!j->force_N) return cb_no_memory(err, "%zu readings", in->n);
  j->predicted_N = j->force_N + in->n, j->scratch_N = j->predicted_N + in->n;
  j->jacobian = j->scratch_N + 2 * in->n;
  for (size_t i = 0; i < in->n; i++) j->force_N[i] = in->readings[i].force_N;
  const cb_status st = j->weigh ? fit_weight_of(j, out, err) : fit_bending_of(j, out, err);
  if (!is_determined(j, out)) out->outcome = FIT_BUCKLED_NOT_FOUND;
  free(j->force_N);
  return st;
}

cb_status fit_buckled(const fit_buckled_input *in, fit_buckled_result *out, cb_err *err) {
  job j = {.in = in};
  return run_job(&j, out, err);
}

cb_status fit_buckled_weight(const fit_buckled_input *in, double B_Nm, double onset_per_m,
                             fit_buckled_result *out, cb_err *err) {
  job j = {.in = in, .weigh = true, .B_Nm = B_Nm, .onset_per_m = onset_per_m};
  return run_job(&j, out, err);
}
