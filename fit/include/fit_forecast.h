/* What a pull will do, before it is made: closed forms for a cart behind a spring with play.
 *
 * The stage moves by travel_m at speed_m_per_s. It takes up the play, then stretches the link until the
 * static force is reached: the cart breaks away at slack + F_s / k of the stage's way. The plateau of
 * fit_pull.h is all sliding if that happens before its window begins.
 *
 * A cart that has broken away swings about the kinetic force. It sticks again if its speed comes back to
 * zero. With the damping ratio d that happens below the speed
 *
 *     v_c = (F_s - F_k) / sqrt(k m) g(d),  g(d) = 1 / sqrt(4 pi d) for small d
 *
 * (Brockley, Cameron, Potter, J. Lubrication Technology 89, 1967, p. 101; the limit in Bo, Pavelescu, Wear
 * 82, 1982, p. 277). docs/method/forecast.md has the derivation of g for any d. SI units. */
#ifndef FIT_FORECAST_H
#define FIT_FORECAST_H

#include <stdbool.h>

#include "fit_pull.h"

typedef struct fit_forecast_pull {
  double mass_kg; /* cart and weights */
  double stiffness_N_per_m, slack_m;
  double damping_ratio;                                  /* of the link, 1: critical */
  double travel_m, speed_m_per_s, acceleration_m_per_s2; /* of the stage */
  double rate_Hz;                                        /* of the readings */
  double static_N, kinetic_N;                            /* 0 < kinetic_N <= static_N */
} fit_forecast_pull;

typedef struct fit_forecast {
  double slips_at_m;                 /* way of the stage when the cart breaks away */
  double window_from_m, window_to_m; /* of the plateau */
  double peak_N; /* the highest force of a link without damping: while the cart gathers speed the stage goes
                    on stretching the link. Of a cart that does not slide: what the travel stretches it to */
  double smooth_m_per_s;  /* slower, the cart sticks and slips; 0: it never does */
  double n_readings;      /* in the window */
  double brake_error_rel; /* by which the mean over the window is low, where the stage brakes in it */
  bool slides;            /* it breaks away at all */
  bool has_plateau;       /* it breaks away before the window begins */
  bool sticks;            /* stick-slip */
  double travel_wanted_m, stiffness_wanted_N_per_m; /* from this travel, or this link, on: a plateau;
                                                       stiffness: INFINITY if the travel is no more than the
                                                       slack */
  double smooth_stiffness_N_per_m; /* from this link on no stick-slip, its damping ratio as it is */
} fit_forecast;

/* Says what the pull will do. Every member of p is finite and > 0; the damping ratio may be 0. */
fit_forecast fit_forecast_make(const fit_forecast_pull *p, const fit_pull_options *opt);

#endif
