/* Contact of a cloth with itself, within the implicit step.
 *
 * Places of the cloth that are nearer than its thickness press each other apart like springs that only push.
 * Friction acts against the slip by Coulomb's law, and as a stiff dashpot where the slip is next to nothing.
 * Both are terms of the matrix. sim_self_resolve stops what is then still on its way through the cloth.
 *
 * The order of calls in a step: find; add per linear solve; after the last solve count, and resolve in turn
 * with what bodies put out. */
#ifndef SIM_CLOTH_SELF_H
#define SIM_CLOTH_SELF_H

#include "sim_self.h"
#include "sim_stage.h"

typedef struct sim_cloth_self sim_cloth_self; /* opaque */

/* Of a setup with self_collision. mass_kg: per vertex; not kept. Caller: sim_cloth_self_free. */
CB_CHECKED cb_status sim_cloth_self_new(const sim_cloth_setup *setup, const double *mass_kg,
                                        sim_cloth_self **out, cb_err *err);
void sim_cloth_self_free(sim_cloth_self *l);

/* Near places at the begin of the step. Errors: memory, when there are more than ever before. */
CB_CHECKED cb_status sim_cloth_self_find(sim_cloth_self *l, const sim_stage *s, cb_err *err);
/* What they add to residual and matrix. */
CB_CHECKED cb_status sim_cloth_self_add(sim_cloth_self *l, const sim_stage *s, sim_matrix *matrix,
                                        cb_err *err);

/* The pairs of the last solve, into the report. */
void sim_cloth_self_count(const sim_cloth_self *l, sim_step_report *report);
/* Vertices that a body put out (per vertex) hardly give way to other places of the cloth: while `heavy`, else
 * as before. */
void sim_cloth_self_set_put_out(sim_cloth_self *l, const sim_stage *s, const bool *put_out, bool heavy);
/* s->at, out of the cloth itself. *changed: it was not. */
CB_CHECKED cb_status sim_cloth_self_resolve(sim_cloth_self *l, const sim_stage *s, bool *changed,
                                            sim_step_report *report, cb_err *err);

/* For who looks between steps. Not NULL. */
sim_self *sim_cloth_self_self(const sim_cloth_self *l);

#endif
