/* The contact stage of a step: all vertices of a cloth against all bodies. sim_contact.h has one vertex.
 *
 * The order of calls in a step: find; per linear solve prescribe, add_friction, constrain, then review; after
 * the last solve keep_out, sim_through_check, count, add_work, remember, move. */
#ifndef SIM_CONTACTS_H
#define SIM_CONTACTS_H

#include "sim_stage.h"

#define SIM_CONTACTS_EACH 2 /* of a vertex */

typedef enum sim_hold { SIM_APART, SIM_SLIDES, SIM_HOLDS } sim_hold;

/* What a vertex knows of its contact from one step to the next. */
typedef struct sim_contact_memory {
  int body; /* -1: none */
  sim_hold hold;
  double normal_N;
} sim_contact_memory;

typedef struct sim_contacts sim_contacts; /* opaque */

/* No vertex touches anything; bodies as the setup has them. Caller: sim_contacts_free. */
CB_CHECKED cb_status sim_contacts_new(const sim_cloth_setup *setup, sim_contacts **out, cb_err *err);
void sim_contacts_free(sim_contacts *c);

/* The state: bodies as they are now; what every vertex remembers. May be written between steps. */
sim_body *sim_contacts_bodies(const sim_contacts *c);
sim_contact_memory (*sim_contacts_memory(const sim_contacts *c))[SIM_CONTACTS_EACH];

/* Contacts that this step can have: bodies that a vertex touches or could reach. Errors: memory, when there
 * are more than ever before. */
CB_CHECKED cb_status sim_contacts_find(sim_contacts *c, const sim_stage *s, cb_err *err);
/* Before a solve: prescribed parts into v; sliding friction into residual and extra; constraints behind those
 * of the grips. */
void sim_contacts_prescribe(const sim_contacts *c, const sim_stage *s);
void sim_contacts_add_friction(const sim_contacts *c, const sim_stage *s);
void sim_contacts_constrain(const sim_contacts *c, sim_stage *s);
/* After a solve: reactions into states. True where the forces that the solve had wrong are at most
 * `tolerance` of those that press. */
bool sim_contacts_review(sim_contacts *c, const sim_stage *s, double tolerance);

/* A vertex with contacts; `fixed`: they constrain it. Begin with at = 0; false after the last one. */
typedef struct sim_contact_site {
  int vertex;
  bool fixed;
  sim_constraint constraint;
} sim_contact_site;
bool sim_contacts_next(const sim_contacts *c, int *at, sim_contact_site *out);

/* Of Newton's method: a copy of all states, and back to it. Only where the setup has several iterations. */
void sim_contacts_keep(sim_contacts *c);
void sim_contacts_restore(sim_contacts *c);

/* Puts vertices that would end in a body, or all but, back in front of it: in s->at. Sets theirs in moved
 * (n). Returns how many. */
int sim_contacts_keep_out(sim_contacts *c, const sim_stage *s, bool *moved);
/* s->at has the end. Errors: a body came through the cloth. After sim_contacts_keep_out in the same step. */
CB_CHECKED cb_status sim_through_check(const sim_contacts *c, const sim_stage *s, double time_s, cb_err *err);

void sim_contacts_count(const sim_contacts *c, sim_step_report *report);
/* What bodies did to the cloth in the step, and what friction took: added [J]. */
void sim_contacts_add_work(const sim_contacts *c, const sim_stage *s, double *supports_J, double *friction_J);
/* What the next step has to know. */
void sim_contacts_remember(sim_contacts *c, const sim_stage *s);
void sim_contacts_move(sim_contacts *c, const sim_stage *s);

/* ---- between steps, of the contacts in the last one ---- */

/* Sum of the forces of a body on the cloth, friction included. */
void sim_contacts_body_force(const sim_contacts *c, int body, double force_N[3]);
/* Of vertices that are pressed the body's outward normal, per vertex; others stay. */
void sim_contacts_support(const sim_contacts *c, double (*normal)[3]);
/* Of the places of bodies that vertices met. */
double sim_contacts_fastest_m_per_s(const sim_contacts *c);

#endif
