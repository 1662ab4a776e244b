/* How many repeats of a direction and load a wanted band takes. */
#ifndef FIT_REPEATS_H
#define FIT_REPEATS_H

#include "fit_friction.h"

#define FIT_REPEATS_MOST 1000

typedef struct fit_repeats {
  int n;              /* repeats */
  double scatter_rel; /* run to run, relative standard deviation */
  fit_basis basis;    /* where it is from */
  double band_rel;    /* half width of the 95 % band of their mean: Student's t */
  double floor_rel;   /* what no number of repeats goes below: what all of them share */
} fit_repeats;

/* The least number whose band is no wider than band_rel > 0; where the floor is wider, the least that comes
 * within a tenth of the floor. known: the pair's law; NULL or without one, a typical scatter is taken.
 * u_shared_rel: standard uncertainty that repeats share, calibration and load. The placement that the law has
 * is shared, too: repeats lie in one mounting. pulls_per_repeat: 2 with both ways. */
void fit_repeats_for(const fit_friction_law *known, double u_shared_rel, int pulls_per_repeat,
                     double band_rel, fit_repeats *out);

#endif
