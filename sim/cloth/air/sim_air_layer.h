/* The air of layered bodies within a step. sim_layered.h has the public part. */
#ifndef SIM_AIR_LAYER_H
#define SIM_AIR_LAYER_H

#include <stddef.h>

#include "sim_layered.h"

/* A copy of the state, state_bytes long: take writes it, give puts it back. */
size_t sim_air_state_bytes(const sim_air *air);
void sim_air_state_take(const sim_air *air, unsigned char *to);
void sim_air_state_give(sim_air *air, const unsigned char *from);

/* The response of the air to an implicit step of cloth and body.
 *
 * sim_air_expect: the pressures after dt_s if nothing moves; amounts stay. stiffness_Pa_per_m3 is about the
 * fall of pressure per volume if all vertices gain alike; 0 at an open border. `spreads` says whether
 * vertices influence each other. Errors: as sim_air_step.
 *
 * sim_air_respond, after that: fall_Pa is the fall of the pressures if the vertices gain the volumes
 * growth_m3. This operator is symmetric positive definite, and as stiff as the air or stiffer, since flow
 * along the layer enters by a few relaxations only. */
typedef struct sim_air_answer {
  double *pressure_Pa, *stiffness_Pa_per_m3; /* arrays of the caller, per vertex */
  bool spreads;
} sim_air_answer;
CB_CHECKED cb_status sim_air_expect(sim_air *air, const sim_air_place *place, double dt_s,
                                    sim_air_answer *out, cb_err *err);
void sim_air_respond(sim_air *air, const double *growth_m3, double *fall_Pa);

#endif
