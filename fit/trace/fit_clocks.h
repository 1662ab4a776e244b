/* The offset between two clocks, from the motion that two devices recorded. */
#ifndef FIT_CLOCKS_H
#define FIT_CLOCKS_H

#include "fit_trace.h"

/* Fits a(t) = constant + scale b(t - offset) by least squares over the readings of a that overlap with b. The
 * overlap must be at least half of the shorter record. b is linear between its readings. The offset is the
 * one of the best correlation within -max_s to max_s; same_sign demands a positive correlation. u_offset_s
 * has two parts. One is the offset at which the misfit has grown by one parameter's share (chi-square with
 * the independent residuals). The other is half the longer sampling interval, rectangular.
 * CB_E_RANGE: fewer than 8 readings, or all at one time. CB_E_NUM: a number is not finite, or times do not
 * ascend. CB_E_NOMEM. */
CB_CHECKED cb_status fit_clocks_align(const cb_series *a, const cb_series *b, double max_s, bool same_sign,
                                      fit_clocks *out, cb_err *err);

/* Computes the direction of motion at every position: +1, -1, or 0 below 5 % of the highest speed. Dry
 * friction follows it. The caller frees *out with cb_series_clear.
 * Errors as above. */
CB_CHECKED cb_status fit_clocks_direction(const cb_series *position_m, cb_series *out, cb_err *err);

/* Checks that force and position begin to change together, within a fifth of the time in motion. Else
 * c->outcome becomes FIT_CLOCKS_CONTRADICTED. Where inertia outweighs friction, the force does not follow the
 * direction, and an offset found from the direction is wrong. A record that begins in motion is not
 * judged. */
void fit_clocks_check_onset(const cb_series *force_N, const cb_series *position_m, fit_clocks *c);

#endif
