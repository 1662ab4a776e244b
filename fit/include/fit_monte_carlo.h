/* Propagation of distributions (JCGM 101:2008, Supplement 1 to the GUM) through a friction law, and whether
 * the linear propagation agrees with it (clause 8). docs/method/uncertainty.md is the page. */
#ifndef FIT_MONTE_CARLO_H
#define FIT_MONTE_CARLO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cb_err.h"
#include "cb_friction_law.h"

#define FIT_MC_BLOCK 10000 /* draws per block; clause 7.9.4 b: at least 100 / (1 - 0.95), and 10^4 */
#define FIT_MC_BLOCKS 100  /* most blocks */
#define FIT_MC_DIGITS 2    /* of the standard uncertainty, to be reliable */

typedef enum fit_mc_outcome {
  FIT_MC_STABLE,     /* mean, u and both interval ends vary by less than half a unit of u's last digit */
  FIT_MC_NOT_STABLE, /* they do not after FIT_MC_BLOCKS blocks */
  FIT_MC_CERTAIN     /* nothing varies: one value, u = 0 */
} fit_mc_outcome;
extern const char *const fit_mc_outcome_text[]; /* by fit_mc_outcome */

typedef struct fit_monte_carlo {
  fit_mc_outcome outcome;
  size_t draws;
  /* Of the draws. For few degrees of freedom u_N is larger than that of the linear propagation. */
  double mean_N, u_N;
  double low_N, high_N;                   /* 95 %, probabilistically symmetric */
  double shortest_low_N, shortest_high_N; /* 95 %, shortest */
  double doubt_N;                         /* twice the standard deviation of the ends over the blocks */
  double linear_low_N, linear_high_N;     /* 95 %, y -+ k u */
  double d_low_N, d_high_N;               /* differences of the ends, linear to Monte Carlo */
  double tolerance_N[FIT_MC_DIGITS];      /* half a unit of the first, second digit of the linear u */
  int digits;                             /* of u to which both ends agree: 0, 1, 2 */
} fit_monte_carlo;

/* Propagates the law's uncertainty to the force at an angle (0 = warp) and load [N]. The same seed gives the
 * same bits.
 * Errors: CB_E_NOMEM. */
CB_CHECKED cb_status fit_monte_carlo_force(const cb_friction_law *law, double angle_rad,
                                           double normal_force_N, uint64_t seed, fit_monte_carlo *out,
                                           cb_err *err);

#endif
