#include "fit_forecast.h"

#include <math.h>

#include "fit_forecast_smooth.h"

/* fit_pull.h: the link counts as taut from half of the plateau's force on. */
#define TAUT_PART 0.5

static double window_from(const fit_forecast_pull *p, const fit_pull_options *opt, double since_m) {
  return since_m + opt->plateau_from_rel * (p->travel_m - since_m);
}

/* The cart breaks away at or before the window of a taut link. Behind a peak the window begins later. */
static void place_window(const fit_forecast_pull *p, const fit_pull_options *opt, fit_forecast *f) {
  const double taut_m = p->slack_m + TAUT_PART * p->kinetic_N / p->stiffness_N_per_m;
  f->window_from_m = window_from(p, opt, taut_m);
  f->window_to_m = opt->plateau_to_rel * p->travel_m;
  f->slides = f->slips_at_m < p->travel_m;
  f->has_plateau = f->slides && f->slips_at_m <= f->window_from_m && f->window_from_m < f->window_to_m;
  if (f->has_plateau && p->static_N - p->kinetic_N > opt->static_drop_rel * p->static_N)
    f->window_from_m = fmax(f->window_from_m, window_from(p, opt, f->slips_at_m));
}

/* Where the cart breaks away as the window begins: slack + F_s / k = taut + part (travel - taut), with taut =
 * slack + F_k / 2 k. This is the force by which k and the way beyond the slack are related. */
static double wanted_force_N(const fit_forecast_pull *p, const fit_pull_options *opt) {
  return (p->static_N - (1 - opt->plateau_from_rel) * TAUT_PART * p->kinetic_N) / opt->plateau_from_rel;
}

/* How long the stage is in the window, and how long of that it brakes. The way to speed is not looked at: it
 * lies before the window. */
typedef struct stay {
  double all_s, braking_s;
} stay;

static stay stay_in(const fit_forecast_pull *p, double from_m, double to_m) {
  const double a = p->acceleration_m_per_s2; /* 0: not known, and taken to brake at once */
  const double v = a > 0 ? fmin(p->speed_m_per_s, sqrt(a * p->travel_m)) : p->speed_m_per_s;
  const double brakes_at_m = a > 0 ? p->travel_m - v * v / (2 * a) : p->travel_m,
               last_m = fmax(from_m, brakes_at_m);
  stay s = {0, 0};
  if (!(to_m > from_m)) return s;
  if (a > 0 && to_m > last_m)
    s.braking_s = (sqrt(2 * a * (p->travel_m - last_m)) - sqrt(2 * a * (p->travel_m - to_m))) / a;
  s.all_s = s.braking_s + fmax(0, fmin(to_m, brakes_at_m) - from_m) / v;
  return s;
}

/* While the stage brakes, the link pulls with F_k - m a. */
static void forecast_window(const fit_forecast_pull *p, fit_forecast *f) {
  const stay s = stay_in(p, f->window_from_m, f->window_to_m);
  f->n_readings = s.all_s * p->rate_Hz;
  if (s.all_s > 0)
    f->brake_error_rel = s.braking_s / s.all_s * p->mass_kg * p->acceleration_m_per_s2 / p->kinetic_N;
}

fit_forecast fit_forecast_make(const fit_forecast_pull *p, const fit_pull_options *opt) {
  const double k = p->stiffness_N_per_m, drop_N = p->static_N - p->kinetic_N;
  const double factor = fit_forecast_smooth_factor(p->damping_ratio);
  const double inert_N = p->speed_m_per_s * sqrt(k * p->mass_kg);
  const double needed_N = wanted_force_N(p, opt), beyond_m = p->travel_m - p->slack_m;
  const double root = drop_N > 0 ? drop_N * factor / p->speed_m_per_s : 0; /* of k m, at the border */
  fit_forecast f = {.slips_at_m = p->slack_m + p->static_N / k,
                    .peak_N = p->kinetic_N + hypot(drop_N, inert_N),
                    .smooth_m_per_s = drop_N > 0 ? drop_N / sqrt(k * p->mass_kg) * factor : 0,
                    .travel_wanted_m = p->slack_m + needed_N / k,
                    .stiffness_wanted_N_per_m = beyond_m > 0 ? needed_N / beyond_m : INFINITY,
                    .smooth_stiffness_N_per_m = root * root / p->mass_kg};
  place_window(p, opt, &f);
  f.sticks = f.slides && p->speed_m_per_s < f.smooth_m_per_s;
  forecast_window(p, &f);
  if (!f.slides) f.peak_N = fmax(0, k * beyond_m);
  return f;
}
