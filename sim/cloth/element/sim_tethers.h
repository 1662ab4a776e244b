/* The tethers of a cloth (sim_tether in sim_cloth.h) within a step. */
#ifndef SIM_TETHERS_H
#define SIM_TETHERS_H

#include "sim_stage.h"

typedef struct sim_tethers sim_tethers; /* opaque */

/* Checks a tether. CB_E_RANGE: a direction not of length 1, a stiffness or damping that is negative or not
 * finite, shares that are negative or do not add up to 1 (within 1e-9). */
CB_CHECKED cb_status sim_tether_check(const sim_tether *t, int n_vertices, cb_err *err);

/* Makes the stage with copies of the setup's tethers. Caller: sim_tethers_free, also after an error. Errors:
 * CB_E_NOMEM. */
CB_CHECKED cb_status sim_tethers_new(const sim_cloth_setup *setup, sim_tethers **out, cb_err *err);
void sim_tethers_free(sim_tethers *t);

/* The state, which may be written between steps: the tethers at the end of the next step; the positions, per
 * vertex, at which they were tied (NULL: there are no tethers). */
sim_tether *sim_tethers_all(const sim_tethers *t);
double (*sim_tethers_tied(const sim_tethers *t))[3];

/* Ties the tethers to the cloth's present positions. */
void sim_tethers_tie(const sim_tethers *t, const sim_stage *s);
/* Adds the tethers' impulses to s->residual and their stiffness to s->extra. */
void sim_tethers_add(const sim_tethers *t, const sim_stage *s);
/* Adds the work of the tethers on the cloth in the step [J]. */
void sim_tethers_add_work(const sim_tethers *t, const sim_stage *s, double *supports_J);
/* Tension of one tether, with the positions and velocities between steps. s NULL: of a cloth as tied, at
 * rest. */
double sim_tethers_tension_N(const sim_tethers *t, const sim_stage *s, int tether);

#endif
