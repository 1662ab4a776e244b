/* Contact of a cloth with itself, within the implicit step.
 *
 * Near places of the cloth press each other apart like springs that only push, up to its thickness. Friction
 * acts against the slip by Coulomb's law or a measured one; a pair that holds begins with its force of the
 * step before (sim_cloth_self_friction.c). Both are terms of the matrix. Afterwards sim_self_resolve stops
 * places that are still on their way through the cloth.
 *
 * Order of calls in a step: find; add and review for each linear solve; after the last solve remember and
 * count; then resolve, in turn with sim_contacts_keep_out. */
#ifndef SIM_CLOTH_SELF_H
#define SIM_CLOTH_SELF_H

#include "sim_self.h"
#include "sim_stage.h"

typedef struct sim_cloth_self sim_cloth_self; /* opaque */

/* Makes the stage for a setup with self_collision. mass_kg: per vertex, not kept. Caller:
 * sim_cloth_self_free, also after an error. Errors: those of sim_self_new. */
CB_CHECKED cb_status sim_cloth_self_new(const sim_cloth_setup *setup, const double *mass_kg,
                                        sim_cloth_self **out, cb_err *err);
void sim_cloth_self_free(sim_cloth_self *l);

/* Finds the near places: at the beginning of the step, or where they move, at the end that the velocities
 * lead to. Errors: CB_E_NOMEM. */
CB_CHECKED cb_status sim_cloth_self_find(sim_cloth_self *l, const sim_stage *s, cb_err *err);
/* Adds their forces to s->residual and sets the matrix's pair terms. Errors: CB_E_NOMEM. */
CB_CHECKED cb_status sim_cloth_self_add(sim_cloth_self *l, const sim_stage *s, sim_matrix *matrix,
                                        cb_err *err);

/* After a solve: finds the pairs anew, once in a step, if they slid to elsewhere than where they were
 * linearised. Then another solve must follow. Errors: CB_E_NOMEM. */
CB_CHECKED cb_status sim_cloth_self_follow(sim_cloth_self *l, const sim_stage *s, bool *anew, cb_err *err);
/* Whether the forces of pairs that a solve had wrong are at most these fractions of the right ones: the
 * pressing forces, and friction. */
bool sim_cloth_self_review(const sim_cloth_self *l, const sim_stage *s, double tolerance,
                           double friction_tolerance);

/* After the last solve: keeps the friction of each pair, and the friction residual, for the next step.
 * Errors: CB_E_NOMEM. */
CB_CHECKED cb_status sim_cloth_self_remember(sim_cloth_self *l, const sim_stage *s, cb_err *err);
/* Keeps a copy of what the friction remembers, or returns to it; for steps that are taken back. There is one
 * copy. */
void sim_cloth_self_keep(sim_cloth_self *l, int n_vertices);
void sim_cloth_self_return(sim_cloth_self *l, int n_vertices);
/* Saves or loads what the next step needs: near places and friction. Loading that fails leaves them
 * unchanged: CB_E_NOMEM, or `wrong` for bad bytes. */
CB_CHECKED cb_status sim_cloth_self_archive(sim_cloth_self *l, int n_vertices, cb_archive *a, cb_err *err);

/* Writes the numbers of pairs of the last solve into the report. */
void sim_cloth_self_count(const sim_cloth_self *l, sim_step_report *report);
/* Makes vertices that a body put out (put_out, per vertex) yield hardly to other places of the cloth while
 * `heavy`, and as usual otherwise. */
void sim_cloth_self_set_put_out(sim_cloth_self *l, const sim_stage *s, const bool *put_out, bool heavy);
/* Moves the end positions s->at out of the cloth itself. *changed: something had to move. Errors: those of
 * sim_self_resolve. */
CB_CHECKED cb_status sim_cloth_self_resolve(sim_cloth_self *l, const sim_stage *s, bool *changed,
                                            sim_step_report *report, cb_err *err);

/* The searcher, for use between steps. Not NULL; belongs to l. */
sim_self *sim_cloth_self_self(const sim_cloth_self *l);

#endif
