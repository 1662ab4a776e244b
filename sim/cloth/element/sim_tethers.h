/* The tethers of a cloth (sim_tether in sim_cloth.h) within a step. */
#ifndef SIM_TETHERS_H
#define SIM_TETHERS_H

#include "sim_stage.h"

typedef struct sim_tethers sim_tethers; /* opaque */

CB_CHECKED cb_status sim_tether_check(const sim_tether *t, int n_vertices, cb_err *err);

/* As the setup has them. Caller: sim_tethers_free. */
CB_CHECKED cb_status sim_tethers_new(const sim_cloth_setup *setup, sim_tethers **out, cb_err *err);
void sim_tethers_free(sim_tethers *t);

/* The state, which may be written between steps: tethers as they are at the end of the next step; where the
 * cloth was tied to them, per vertex (NULL: there are no tethers). */
sim_tether *sim_tethers_all(const sim_tethers *t);
double (*sim_tethers_tied(const sim_tethers *t))[3];

/* Ties the cloth where it is. */
void sim_tethers_tie(const sim_tethers *t, const sim_stage *s);
/* Into residual and extra. */
void sim_tethers_add(const sim_tethers *t, const sim_stage *s);
/* What they gave to the cloth in the step: added [J]. */
void sim_tethers_add_work(const sim_tethers *t, const sim_stage *s, double *supports_J);
/* Of one, with the positions and velocities at hand between steps. s NULL: as it was tied, at rest. */
double sim_tethers_tension_N(const sim_tethers *t, const sim_stage *s, int tether);

#endif
