/* Stick-slip in a stretch of sliding. */
#ifndef FIT_STICK_SLIP_H
#define FIT_STICK_SLIP_H

#include "fit_plateau.h"

/* force_N: n readings without trend. t_s, x_m: when and where (displacement), ascending; NULL: not known, then frequency_Hz or peaks_per_m
 * is NAN. noise_sd_N: of the readings at rest; 0: not known. The fall lies between two readings: half of what one reading may miss is
 * added to the amplitude, and its rectangular uncertainty. */
fit_stick_slip fit_stick_slip_find(const double *t_s, const double *x_m, const double *force_N, size_t n, double noise_sd_N);

#endif
