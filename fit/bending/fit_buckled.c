#include "fit_buckled.h"

#include <math.h>
#include <stdlib.h>

#include "cb_num.h"
#include "cb_stats.h"
#include "fit_buckled_strip.h"
#include "fit_nls.h"

const char *const fit_buckled_outcome_text[] = {"fitted", "the readings do not determine it"};

/* A slider that begins to slip is a kink of the force, which a fit of the onset would stumble over. */
static const double onsets_per_m[] = {7, 10, 14, 20, 28, 40};
enum { ONSETS = sizeof onsets_per_m / sizeof onsets_per_m[0] };

/* Where a fit begins: a light cloth's. */
#define START_B_NM 8e-6
#define START_FRICTION_N 1e-4

/* The parameters: logarithm of B or of the areal density, logarithm of the friction, zeros of the cycles. */
typedef struct job {
  const fit_buckled_input *in;
  bool weigh;
  double B_Nm, onset_per_m; /* B_Nm: of a strip that is weighed */
  size_t cycles;
  double *force_N, *predicted_N; /* of the readings, owned */
} job;

static void predict_forces(const void *context, const double *b, double *predicted, double *jacobian) {
  const job *j = context;
  const fit_buckled_input *in = j->in;
  const double density = j->weigh ? exp(b[0]) : in->areal_density_kg_per_m2;
  const fit_buckled_strip strip = {
      .length_m = in->length_m,
      .B_Nm = j->weigh ? j->B_Nm : exp(b[0]),
      .friction_N = exp(b[1]),
      .onset_per_m = j->onset_per_m,
      .weight_N_per_m2 = density * CB_STANDARD_GRAVITY_M_PER_S2 * (in->up ? -1 : 1)};
  fit_buckled_state state;
  (void)jacobian;
  fit_buckled_begin(&state);
  for (size_t i = 0; i < in->n; i++) {
    const fit_buckled_reading *r = &in->readings[i];
    const double tension = fit_buckled_move(&strip, in->length_m - r->distance_m, &state);
    predicted[i] = tension * in->width_m + b[2 + r->cycle] * CB_STANDARD_GRAVITY_M_PER_S2 * 1e-3;
  }
}

static cb_status fit_at(job *j, double onset_per_m, fit_nls_result *r, cb_err *err) {
  double start[2 + FIT_BUCKLED_MAX_CYCLES] = {log(j->weigh ? j->in->areal_density_kg_per_m2 : START_B_NM),
                                              log(START_FRICTION_N)};
  const fit_nls_problem problem = {.n = j->in->n,
                                   .p = 2 + j->cycles,
                                   .model = predict_forces,
                                   .context = j,
                                   .no_jacobian = true,
                                   .y = j->force_N,
                                   .start = start};
  j->onset_per_m = onset_per_m;
  return fit_nls(&problem, r, err);
}

/* Residuals that hang together are fewer than they seem. */
static double autocorrelation(const job *j, const fit_nls_result *r) {
  double independent;
  predict_forces(j, r->b, j->predicted_N, NULL);
  for (size_t i = 0; i < j->in->n; i++) j->predicted_N[i] = j->force_N[i] - j->predicted_N[i];
  (void)cb_mean_uncertainty(j->predicted_N, j->in->n, &independent);
  return sqrt((double)j->in->n / fmax(independent, 1));
}

static void take_result(const job *j, const fit_nls_result *r, fit_buckled_result *out) {
  const double grown = autocorrelation(j, r), first = exp(r->b[0]), width_N = 2 * exp(r->b[1]);
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
                              .residual_sd_N = r->residual_sd};
  for (size_t i = 0; i < j->cycles; i++) out->zero_N[i] = r->b[2 + i] * CB_STANDARD_GRAVITY_M_PER_S2 * 1e-3;
}

/* The onset lies within one step of the list: rectangular over what B and the width do there. */
static void widen_by_onset(const fit_nls_result *r, int best, fit_buckled_result *out) {
  double step_B = 0, step_width = 0;
  for (int i = best - 1; i <= best + 1; i += 2) {
    if (i < 0 || i >= ONSETS || r[i].outcome != FIT_NLS_CONVERGED) continue;
    step_B = fmax(step_B, fabs(exp(r[i].b[0]) - out->B_Nm));
    step_width = fmax(step_width, fabs(2 * exp(r[i].b[1]) - out->width_N));
  }
  out->u_B_Nm = hypot(out->u_B_Nm, step_B / sqrt(3));
  out->u_width_N = hypot(out->u_width_N, step_width / sqrt(3));
}

static cb_status fit_bending_of(job *j, fit_buckled_result *out, cb_err *err) {
  fit_nls_result r[ONSETS];
  int best = -1;
  for (int i = 0; i < ONSETS; i++) {
    CB_TRY(fit_at(j, onsets_per_m[i], &r[i], err));
    if (r[i].outcome == FIT_NLS_CONVERGED && (best < 0 || r[i].chi2 < r[best].chi2)) best = i;
  }
  if (best < 0) return CB_OK;
  j->onset_per_m = onsets_per_m[best];
  take_result(j, &r[best], out);
  widen_by_onset(r, best, out);
  return CB_OK;
}

static cb_status fit_weight_of(job *j, fit_buckled_result *out, cb_err *err) {
  fit_nls_result r;
  CB_TRY(fit_at(j, j->onset_per_m, &r, err));
  if (r.outcome == FIT_NLS_CONVERGED) take_result(j, &r, out);
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

static cb_status run_job(job *j, fit_buckled_result *out, cb_err *err) {
  const fit_buckled_input *in = j->in;
  *out = (fit_buckled_result){.outcome = FIT_BUCKLED_NOT_FOUND};
  CB_TRY(check_input(in, &j->cycles, err));
  j->force_N = calloc(2 * in->n + 1, sizeof *j->force_N);
  if (!j->force_N) return cb_no_memory(err, "%zu readings", in->n);
  j->predicted_N = j->force_N + in->n;
  for (size_t i = 0; i < in->n; i++) j->force_N[i] = in->readings[i].force_N;
  const cb_status st = j->weigh ? fit_weight_of(j, out, err) : fit_bending_of(j, out, err);
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
