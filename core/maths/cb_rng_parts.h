/* What core alone draws. */
#ifndef CB_RNG_PARTS_H
#define CB_RNG_PARTS_H

#include "cb_rng.h"

uint64_t cb_rng_u64(cb_rng *rng);
double cb_rng_chi2(cb_rng *rng, double dof); /* chi-square, dof > 0, may be fractional (Marsaglia & Tsang
                                                2000) */

#endif
