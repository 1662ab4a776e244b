/* How a step has to be divided. */
#ifndef SIM_PACE_H
#define SIM_PACE_H

/* Of one thing (sim_pace_of_cloth): `travel_m` in the step, past what is `inner_m` thick. */
int sim_pace_parts(double travel_m, double inner_m);

#endif
