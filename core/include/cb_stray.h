/* Readings that stand alone: false ones, as a converter that glitches or a line that garbles digits makes
 * them. A false reading leaves the force at once, for one to four readings, and comes back at once. A static
 * peak has a rise before it, a tooth of stick-slip a rise before it or after it, and a step does not come
 * back: they stay. docs/reference/traces-alone.md describes the rule. */
#ifndef CB_STRAY_H
#define CB_STRAY_H

#include <stdbool.h>
#include <stddef.h>

#include "cb_err.h"

/* More than this part of the readings is no mishap: it is the texture of the force, and all of it stays. */
#define CB_STRAY_MOST 0.125
/* Flag of a run that has such readings. */
#define CB_STRAY_FLAG "spikes"

/* Marks the readings that stand alone among n readings in order, taken at t_s (NULL: evenly). The first
 * n_rest were taken at rest and are compared with each other only. digit: least step of the reading, 0: not
 * known. stray: n members. *count receives their number. Where that exceeds CB_STRAY_MOST of the readings,
 * none is marked. Errors: CB_E_NOMEM. */
CB_CHECKED cb_status cb_stray_find(const double *t_s, const double *v, size_t n, size_t n_rest, double digit,
                                   bool *stray, size_t *count, cb_err *err);

/* By how much a reading of a gauge may be older than its time: one usual step where times scatter, as those
 * at which each reading is asked for; 0 for even times. work: room for 2 n. */
double cb_stray_late_s(const double *t_s, size_t n, double *work);

/* Finds the readings that stand alone, and replaces each by the straight line between its neighbours. stray
 * may be NULL. */
CB_CHECKED cb_status cb_stray_bridge(const double *t_s, double *v, size_t n, size_t n_rest, double digit,
                                     bool *stray, size_t *count, cb_err *err);

#endif
