/* Readings that came twice. */
#ifndef FIT_REPEAT_H
#define FIT_REPEAT_H

#include <stdbool.h>

#include "cb_trace.h"

/* Returns whether the readings in the middle of a pull stand in another trace in a row, to the last digit.
 * t_start_s: time at which the stage still rests. Each change of the readings has a chance of half at most to
 * stand in the other trace at the same place; false where chance could explain all of them (p 0.001). */
bool fit_pull_repeats(const cb_trace *t, double t_start_s, const cb_trace *other);

#endif
