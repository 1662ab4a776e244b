/* A cloth on itself, within the implicit step.
 *
 * Layers nearer than the thickness press each other apart like springs, of which the pressed side alone
 * counts; friction works against the slip as Coulomb's law has it, and as a stiff dashpot where the slip is
 * next to nothing. Both are terms of the matrix. Whatever is left then on its way through another layer is
 * stopped by sim_self_resolve.
 *
 * The order of calls in a step: find; add per linear solve; after the last solve count, and resolve in turn
 * with what bodies put out. */
#ifndef SIM_LAYERS_H
#define SIM_LAYERS_H

#include "sim_self.h"
#include "sim_stage.h"

typedef struct sim_layers sim_layers; /* opaque */

/* Of a setup with self_collision. mass_kg: per vertex; not kept. Caller: sim_layers_free. */
CB_CHECKED cb_status sim_layers_new(const sim_cloth_setup *setup, const double *mass_kg, sim_layers **out,
                                    cb_err *err);
void sim_layers_free(sim_layers *l);

/* Near places at the begin of the step. Errors: memory, when there are more than ever before. */
CB_CHECKED cb_status sim_layers_find(sim_layers *l, const sim_stage *s, cb_err *err);
/* What they add to residual and matrix. */
CB_CHECKED cb_status sim_layers_add(sim_layers *l, const sim_stage *s, sim_matrix *matrix, cb_err *err);

/* The pairs of the last solve, into the report. */
void sim_layers_count(const sim_layers *l, sim_step_report *report);
/* Vertices that a body put out (per vertex) hardly give way to layers: while `heavy`, else as before. */
void sim_layers_set_put_out(sim_layers *l, const sim_stage *s, const bool *put_out, bool heavy);
/* s->at, out of the cloth itself. *changed: it was not. */
CB_CHECKED cb_status sim_layers_resolve(sim_layers *l, const sim_stage *s, bool *changed,
                                        sim_step_report *report, cb_err *err);

/* For who looks between steps. Not NULL. */
sim_self *sim_layers_self(const sim_layers *l);

#endif
