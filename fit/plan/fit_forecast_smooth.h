/* The speed below which a cart behind a damped spring sticks and slips. docs/method/forecast.md derives it.
 */
#ifndef FIT_FORECAST_SMOOTH_H
#define FIT_FORECAST_SMOOTH_H

/* Returns g(d): the lowest speed without stick-slip, in units of (F_s - F_k) / sqrt(k m), for the damping
 * ratio d. 0 from d = 1 on, INFINITY at 0. */
double fit_forecast_smooth_factor(double damping_ratio);

#endif
