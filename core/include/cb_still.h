/* Readings that no longer change: a read-out that froze, or a digit that hides the noise. */
#ifndef CB_STILL_H
#define CB_STILL_H

#include <stdbool.h>
#include <stddef.h>

/* Flag of a run that has them. */
#define CB_STILL_FLAG "equal-readings"

/* Returns how many readings in a row noise never leaves equal (one time in 10^12), judged from n readings at
 * rest; at least 8. Returns 0 if the digit hides the noise: then equal readings mean nothing. */
size_t cb_still_limit(const double *v, size_t n);

/* Looks for equal readings in a row among those after the first n_rest, which were taken at rest. Returns
 * true if they are more than the noise at rest allows; where the digit hides that noise, if they are a
 * quarter of the readings. *first and *longest receive the longest run. */
bool cb_still_find(const double *v, size_t n, size_t n_rest, size_t *first, size_t *longest);

#endif
