/* The line through the points of a calibration, and what the entries of a budget come to. */
#ifndef FIT_LINE_H
#define FIT_LINE_H

#include "fit_calibration.h"

/* y over x; drift: every group also has a slope over t of its own. (One group without drift: cb_line_fit of
 * cb_stats.h, which has neither groups nor refusals.) CB_E_RANGE: too few points, or all of them at one x. */
CB_CHECKED cb_status fit_line_make(const fit_line_point *p, size_t n, bool drift, fit_line *out, cb_err *err);

/* Combined by the GUM; the factor by the effective degrees of freedom. */
fit_budget fit_budget_combine(const fit_budget_entry *e, size_t n);

#endif
