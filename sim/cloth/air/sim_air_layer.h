/* What a step of layered bodies does with their air, beside sim_layered.h. */
#ifndef SIM_AIR_LAYER_H
#define SIM_AIR_LAYER_H

#include <stddef.h>

#include "sim_layered.h"

/* A copy of the state, to go back to: state_bytes long. */
size_t sim_air_state_bytes(const sim_air *air);
void sim_air_state_take(const sim_air *air, unsigned char *to);
void sim_air_state_give(sim_air *air, const unsigned char *from);

/* For an implicit step of what is around the air: the pressures after dt if nothing moves. Amounts stay. Then
 * fall_Pa is how much less they are where vertices gain volumes: a symmetric positive definite operator, as
 * stiff as the air or stiffer, flow along the layer taken part in by some relaxations alone;
 * stiffness_Pa_per_m3 is what it comes to, nearly, where all gain alike (0 at an open border). `spreads`
 * says whether the operator is more than that, vertex by vertex. Errors: as sim_air_step. */
typedef struct sim_air_answer {
  double *pressure_Pa, *stiffness_Pa_per_m3; /* of the caller */
  bool spreads;
} sim_air_answer;
CB_CHECKED cb_status sim_air_expect(sim_air *air, const sim_air_place *place, double dt_s,
                                    sim_air_answer *out, cb_err *err);
void sim_air_respond(sim_air *air, const double *growth_m3, double *fall_Pa);

#endif
