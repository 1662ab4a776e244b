/* Two devices saw the same motion, each by a clock of its own: by how much one clock is ahead. */
#ifndef FIT_CLOCKS_H
#define FIT_CLOCKS_H

#include "fit_trace.h"

/* a(t) = constant + scale b(t - offset), least squares over a's readings that overlap with b, which must be half of the shorter record; b
 * is straight between its readings. The offset, between -max_s and max_s, is the one of the best correlation, which same_sign wants
 * positive. u: where what is left has grown by what one parameter may take (chi-square, with as many residuals as are independent), and
 * half of the longer sampling interval either way, rectangular. Errors: fewer than 8 readings, times that do not ascend, not finite, no
 * memory. */
CB_CHECKED cb_status fit_clocks_align(const cb_series *a, const cb_series *b, double max_s, bool same_sign, fit_clocks *out, cb_err *err);

/* +1, -1 or 0 (slower than 5 % of the fastest) for every position: what dry friction follows. *out: caller clears. */
CB_CHECKED cb_status fit_clocks_direction(const cb_series *position_m, cb_series *out, cb_err *err);

/* Inertia, too, makes force: where it outweighs friction, the force does not follow the direction, and an offset found that way is wrong.
 * Both must begin to move together, within a fifth of the time in motion; else the outcome becomes FIT_CLOCKS_CONTRADICTED. Nothing is said
 * of a record that begins in motion. */
void fit_clocks_check_onset(const cb_series *force_N, const cb_series *position_m, fit_clocks *c);

#endif
