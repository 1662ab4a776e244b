/* Division of a step. */
#ifndef SIM_PACE_H
#define SIM_PACE_H

/* Returns the number of parts for a motion of travel_m in the step past a body of inner radius inner_m: 1 if
 * it is at most inner_m; else so many that a part moves by at most half of it. */
int sim_pace_parts(double travel_m, double inner_m);

#endif
