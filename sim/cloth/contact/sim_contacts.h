/* The contact stage of a step: all vertices of a cloth against all bodies. sim_contact.h treats one vertex.
 *
 * Order of calls in a step: find; for each linear solve prescribe, add_friction, constrain, then review;
 * after the last solve keep_out, sim_through_check, count, add_work, remember, move. */
#ifndef SIM_CONTACTS_H
#define SIM_CONTACTS_H

#include "sim_stage.h"

#define SIM_CONTACTS_EACH 2 /* contacts of a vertex, at most */

typedef enum sim_hold { SIM_APART, SIM_SLIDES, SIM_HOLDS } sim_hold;

/* The memory of a vertex's contact from one step to the next. */
typedef struct sim_contact_memory {
  int body; /* -1: none */
  sim_hold hold;
  double normal_N;
} sim_contact_memory;

typedef struct sim_contacts sim_contacts; /* opaque */

/* Makes the stage without contacts, with copies of the setup's bodies. Caller: sim_contacts_free, also after
 * an error. Errors: CB_E_NOMEM. */
CB_CHECKED cb_status sim_contacts_new(const sim_cloth_setup *setup, sim_contacts **out, cb_err *err);
void sim_contacts_free(sim_contacts *c);

/* The state: the bodies at present, and the memory per vertex. May be written between steps. */
sim_body *sim_contacts_bodies(const sim_contacts *c);
sim_contact_memory (*sim_contacts_memory(const sim_contacts *c))[SIM_CONTACTS_EACH];

/* Finds the contacts that this step can have: bodies that a vertex touches or could reach. Gripped vertices
 * have none. Errors: CB_E_NOMEM, if there are more than ever before. */
CB_CHECKED cb_status sim_contacts_find(sim_contacts *c, const sim_stage *s, cb_err *err);
/* Before a solve: set the prescribed velocities in s->v; add sliding friction to s->residual and s->extra;
 * append the constraints behind those of the grips. */
void sim_contacts_prescribe(const sim_contacts *c, const sim_stage *s);
void sim_contacts_add_friction(const sim_contacts *c, const sim_stage *s);
void sim_contacts_constrain(const sim_contacts *c, sim_stage *s);
/* After a solve: changes the states by the reactions. Returns true if the forces that the solve had wrong are
 * at most `tolerance` of the pressing forces. */
bool sim_contacts_review(sim_contacts *c, const sim_stage *s, double tolerance);

#define SIM_FEW_CONTACTS 256 /* fewer contacts are done by one thread */

/* The vertex of contact j of n. Returns false if j is not the first contact of its vertex. fixed: the
 * contacts constrain the vertex. */
typedef struct sim_contact_site {
  int vertex;
  bool fixed;
  sim_constraint constraint;
} sim_contact_site;
int sim_contacts_n(const sim_contacts *c);
bool sim_contacts_site(const sim_contacts *c, int j, sim_contact_site *out);

/* For Newton's method and trials: keep copies all states, restore puts them back. Only if the setup has
 * several iterations or springs. */
void sim_contacts_keep(sim_contacts *c);
void sim_contacts_restore(sim_contacts *c);

/* Puts vertices whose end position s->at is in a body, or nearly, back in front of it. Sets moved (n) for
 * them. Returns their number. */
int sim_contacts_keep_out(sim_contacts *c, const sim_stage *s, bool *moved);
/* Checks that no body came through the cloth on the way to s->at. Call it after sim_contacts_keep_out in the
 * same step. time_s: at the beginning of the step. Errors: CB_E_NUM. */
CB_CHECKED cb_status sim_through_check(const sim_contacts *c, const sim_stage *s, double time_s, cb_err *err);

/* Adds the contacts of the last solve to a report. */
void sim_contacts_count(const sim_contacts *c, sim_step_report *report);
/* Adds the work of bodies on the cloth in the step, and the energy that friction dissipated [J]. */
void sim_contacts_add_work(const sim_contacts *c, const sim_stage *s, double *supports_J, double *friction_J);
/* remember writes the memory for the next step; move advances the bodies by the step. */
void sim_contacts_remember(sim_contacts *c, const sim_stage *s);
void sim_contacts_move(sim_contacts *c, const sim_stage *s);

/* ---- between steps: contacts of the last step ---- */

/* Sum of the forces of a body on the cloth, friction included [N]. */
void sim_contacts_body_force(const sim_contacts *c, int body, double force_N[3]);
/* Writes the body's outward normal for vertices that are pressed. normal: per vertex; others stay. */
void sim_contacts_support(const sim_contacts *c, double (*normal)[3]);
/* Largest velocity of a body where a vertex has a contact. */
double sim_contacts_fastest_m_per_s(const sim_contacts *c);

#endif
