/* What a stretch of sliding comes to. */
#ifndef FIT_PLATEAU_DESCRIBE_H
#define FIT_PLATEAU_DESCRIBE_H

#include "fit_plateau.h"

/* n >= 1. Errors: no memory. Bad data are the caller's to refuse. */
CB_CHECKED cb_status fit_plateau_describe(const fit_plateau_record *s, fit_plateau *out, cb_err *err);

/* Finds stick-slip in n readings without trend. t_s are their times and x_m their displacements, ascending.
 * NULL: not known; frequency_Hz or peaks_per_m is then NAN. noise_sd_N is that of the readings at rest; 0:
 * not known. Peak and valley lie between readings. Half of what one reading may miss is therefore added to
 * the amplitude, with a rectangular uncertainty. */
fit_stick_slip fit_stick_slip_find(const double *t_s, const double *x_m, const double *force_N, size_t n,
                                   double noise_sd_N);

#endif
