/* Do two features that move straight, each point at its own speed, meet within a step?
 *
 * Conservative advancement along separating planes. At time t the nearest points give a direction n; the heights n.(a - b) over all
 * points a of the one and b of the other feature change linearly, so that until the first of them has sunk to `near` a plane stands
 * between the features, whatever n was. There the next direction is found. (Conservative advancement: Mirtich 1996; with the distance alone
 * as bound of the motion: Li, Kaufman, Jiang, Codimensional Incremental Potential Contact, ACM TOG 40(4):170, 2021. The plane as the bound
 * lets features that slide along one another pass in one stride.)
 *
 * Never misses: a pair that comes nearer than `near` is a hit. A hit comes nearer than 2 near, or took more strides than are
 * granted. near = the given one, or a quarter of the distance at the start where that is less: a pair that is close already may stay so. */
#ifndef SIM_CCD_H
#define SIM_CCD_H

#include "sim_closest.h"

typedef enum sim_ccd_outcome {
  SIM_CCD_APART,
  SIM_CCD_HIT,
  SIM_CCD_MET, /* at the start the distance is 0, or less than a millionth of near_m: nothing can be said */
} sim_ccd_outcome;

/* When, and with which nearest points. normal points from the second feature to the first. */
typedef struct sim_ccd_hit {
  double time; /* 0 to 1: share of the step; nothing has come nearer before */
  double distance_m, weight[4], normal[3];
} sim_ccd_hit;

sim_ccd_outcome sim_ccd(sim_pair pair, const double start_m[4][3], const double end_m[4][3], double near_m, sim_ccd_hit *hit);

#endif
