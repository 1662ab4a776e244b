#include "fit_plateau.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "cb_stats.h"
#include "fit_plateau_describe.h"

#define MIN_READINGS 16
#define MIN_INDEPENDENT 4
#define LEVEL_P 0.01
#define LEVEL_REL 0.05

const char *const fit_plateau_verdict_text[] = {"flat", "the force changes steadily",
                                                "the force changes its level", "too few readings for a test"};

/* Place of a reading: its displacement, or its number where that is not known. */
static double place_of_reading(const fit_plateau_record *s, size_t i) {
  return s->x_m ? s->x_m[i] : (double)i;
}

/* ---- means over the path ---- */

/* Mean of |F| over the way between two readings, F straight between them. */
static double mean_size(double a, double b) {
  return a * b >= 0 ? 0.5 * fabs(a + b) : 0.5 * (a * a + b * b) / (fabs(a) + fabs(b));
}

/* Over the path, of F - about or of its size. */
static double path_mean(const fit_plateau_record *s, double about, bool size) {
  double sum = 0, way = place_of_reading(s, s->n - 1) - place_of_reading(s, 0);
  for (size_t i = 1; i < s->n; i++) {
    double a = s->force_N[i - 1] - about, b = s->force_N[i] - about;
    sum += (size ? mean_size(a, b) : 0.5 * (a + b)) * (place_of_reading(s, i) - place_of_reading(s, i - 1));
  }
  return sum / way;
}

static void take_path(const fit_plateau_record *s, fit_plateau *out) {
  out->path_mean_N = out->mean_N;
  out->path_deviation_N = 0;
  if (!(place_of_reading(s, s->n - 1) > place_of_reading(s, 0))) return;
  out->path_mean_N = out->mean_N + path_mean(s, out->mean_N, false);
  out->path_deviation_N = path_mean(s, out->path_mean_N, true);
}

/* ---- slope ---- */

/* rest: what is left of the force about the line; *n_eff: independent readings among it. Returns the sum of
 * its squares. */
static double take_slope(const fit_plateau_record *s, double *rest, double *n_eff, fit_plateau *out) {
  double mx = 0, sxx = 0, sxf = 0, squares = 0;
  for (size_t i = 0; i < s->n; i++) mx += place_of_reading(s, i) / (double)s->n;
  for (size_t i = 0; i < s->n; i++) {
    sxx += (place_of_reading(s, i) - mx) * (place_of_reading(s, i) - mx);
    sxf += (place_of_reading(s, i) - mx) * (s->force_N[i] - out->mean_N);
  }
  double slope = sxx > 0 ? sxf / sxx : 0;
  for (size_t i = 0; i < s->n; i++) {
    rest[i] = s->force_N[i] - out->mean_N - slope * (place_of_reading(s, i) - mx);
    squares += rest[i] * rest[i];
  }
  (void)cb_mean_uncertainty(rest, s->n, n_eff);
  if (!(sxx > 0) || s->n < 3) return squares;
  /* The scatter counts as many times as there are independent readings. */
  double u = sqrt(squares / (double)(s->n - 2) / sxx * ((double)s->n / *n_eff));
  out->slope_rel = slope * (place_of_reading(s, s->n - 1) - place_of_reading(s, 0)) / fabs(out->mean_N);
  if (s->x_m) out->slope_N_per_m = slope, out->u_slope_N_per_m = u;
  out->slope_t = u > 0 ? slope / u : slope == 0 ? 0 : copysign(INFINITY, slope);
  out->slope_p = isinf(out->slope_t) ? 0 : cb_t_p_two_sided(out->slope_t, fmax(1, *n_eff - 2));
  return squares;
}

/* ---- change point ---- */

/* Upper tail of the largest excursion of a Brownian bridge (Kolmogorov 1933). */
static double bridge_p(double d) {
  double p = 0;
  if (d < 0.2) return 1;
  for (int k = 1; k <= 20; k++) p += (k % 2 ? 2 : -2) * exp(-2.0 * k * k * d * d);
  return fmin(fmax(p, 0), 1);
}

/* Where the sum of departures from the mean is farthest from zero, the level changed if it changed once
 * (Ploberger & Kraemer 1992). rest: what is left about the two levels. Returns the sum of its squares. */
static double take_step(const fit_plateau_record *s, double *rest, fit_plateau *out) {
  double sum = 0, most = 0, squares = 0;
  size_t at = (s->n + 1) / 2;
  for (size_t i = 0; i + 1 < s->n; i++) {
    sum += s->force_N[i] - out->mean_N;
    if (fabs(sum) > most) most = fabs(sum), at = i + 1;
  }
  double before = cb_mean(s->force_N, at), after = at < s->n ? cb_mean(s->force_N + at, s->n - at) : before;
  for (size_t i = 0; i < s->n; i++) {
    rest[i] = s->force_N[i] - (i < at ? before : after);
    squares += rest[i] * rest[i];
  }
  double u = cb_mean_uncertainty(rest, s->n, &out->n_eff_level);
  out->step_N = after - before;
  out->step_at = at;
  out->u_level_N = u;
  if (s->x_m && at < s->n) out->step_at_m = s->x_m[at];
  out->step_p = u > 0 ? bridge_p(most / (u * (double)s->n)) : out->step_N == 0 ? 1 : 0;
  return squares;
}

static fit_plateau_verdict judge(const fit_plateau *p, double squares_of_line, double squares_of_step) {
  double limit = LEVEL_REL * fabs(p->mean_N);
  bool slopes = p->slope_p < LEVEL_P && fabs(p->slope_rel) > LEVEL_REL,
       steps = p->step_p < LEVEL_P && fabs(p->step_N) > limit;
  if (slopes && (!steps || squares_of_line <= squares_of_step)) return FIT_PLATEAU_SLOPING;
  return steps ? FIT_PLATEAU_STEPPING : FIT_PLATEAU_FLAT;
}

cb_status fit_plateau_describe(const fit_plateau_record *s, fit_plateau *out, cb_err *err) {
  *out = (fit_plateau){.verdict = FIT_PLATEAU_UNTOLD,
                       .n = s->n,
                       .slope_N_per_m = NAN,
                       .u_slope_N_per_m = NAN,
                       .slope_t = NAN,
                       .slope_p = NAN,
                       .slope_rel = NAN,
                       .step_N = NAN,
                       .step_at_m = NAN,
                       .step_p = NAN};
  double *rest = malloc(s->n * sizeof *rest);
  if (!rest) return cb_no_memory(err, "a stretch of %zu readings", s->n);
  out->mean_N = cb_mean(s->force_N, s->n);
  out->sd_N = cb_sd(s->force_N, s->n);
  out->u_mean_N = cb_mean_uncertainty(s->force_N, s->n, &out->n_eff);
  take_path(s, out);
  double n_eff = 1, squares_of_step = take_step(s, rest, out),
         squares_of_line = take_slope(s, rest, &n_eff, out);
  out->stick_slip = fit_stick_slip_find(s->t_s, s->x_m, rest, s->n, s->noise_sd_N);
  if (s->n >= MIN_READINGS && n_eff >= MIN_INDEPENDENT)
    out->verdict = judge(out, squares_of_line, squares_of_step);
  free(rest);
  return CB_OK;
}
