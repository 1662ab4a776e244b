/* What a cloth is made of, for the files that step it. */
#ifndef SIM_CLOTH_PARTS_H
#define SIM_CLOTH_PARTS_H

#include "sim_bending.h"
#include "sim_bending_friction.h"
#include "sim_bytes.h"
#include "sim_cloth.h"
#include "sim_contact.h"
#include "sim_layers.h"
#include "sim_matrix.h"
#include "sim_membrane.h"
#include "sim_pcg.h"

struct sim_cloth {
  sim_setup setup;
  sim_body *bodies;      /* as they are now */
  sim_body *bodies_next; /* ... and at the end of the step */
  int n;
  double time_s, previous_dt_s; /* 0: no step was taken yet */
  double (*x)[3], (*v)[3], (*x_before)[3], (*v_before)[3];
  double *mass_kg;
  sim_contact_memory (*memory)[SIM_CONTACTS_EACH];
  sim_tether *tethers;
  double (*tied_x)[3]; /* where they were tied; NULL: none are */

  /* The parts of the system. */
  sim_membrane membrane;
  sim_bending bending;
  sim_bending_friction bending_friction;
  bool sliders_wait; /* while an equilibrium is looked for on detours */
  sim_matrix matrix;
  sim_multilevel multilevel;
  sim_pcg pcg;

  /* One step's work. */
  double gamma_s, phase_start_s;
  double (*past_x)[3], (*past_v)[3]; /* X, V */
  double (*v_start)[3];
  double (*at)[3]; /* where the forces are linearised */
  double (*force)[3], (*shift)[3], (*residual)[3], (*reaction)[3], *inertia_kg;
  float (*extra)[6], (*right)[4], (*change)[4];
  sim_constraint *constraint; /* the grips, then the contacts */
  int n_grips, n_constraints;
  sim_contact *contact; /* n_contacts, by vertex */
  int n_contacts, contacts_capacity;
  bool *put_out;       /* in this step, by sim_contact_keep_out */
  unsigned char *near; /* bodies that a vertex is near, while contacts are looked for; that it is pinched, while it is kept out */

  /* Before the last linearisation, where there are several. */
  struct {
    double (*v)[3], (*reaction)[3];
    sim_contact *contact;
  } kept;

  sim_layers layers;

  sim_energy ledger; /* friction, damping, supports so far; the rest is 0 */
};

/* Refuses a step that makes no sense. */
CB_CHECKED cb_status sim_cloth_check_step(const sim_cloth *c, double dt_s, cb_err *err);

/* Contacts that this step can have: bodies that a vertex touches or could reach. Errors: memory, when there are more than ever before. */
CB_CHECKED cb_status sim_contact_find(sim_cloth *c, double dt_s, cb_err *err);
/* Before a solve: prescribed parts into v. After it: reactions into states; true where the forces it had wrong are at most `tolerance` of
 * those that press. */
void sim_contact_constrain(sim_cloth *c);
bool sim_contact_review(sim_cloth *c, double tolerance);
void sim_contact_remember(sim_cloth *c);
/* Puts what would end in a body, or all but, back in front of it: in c->at. Returns how many; sets theirs in moved (n). */
int sim_contact_keep_out(sim_cloth *c, double dt_s, bool *moved);

/* Where the tethers are tied, before the first step; and what they add to residual and extra. */
void sim_tether_begin(sim_cloth *c);
void sim_tether_add(sim_cloth *c);
/* Of a tether on a vertex, along the tether, with the velocities at the end of the step. */
double sim_tether_on_vertex_N(const sim_cloth *c, int tether, int vertex);

/* The cloth on itself: near places at the start of the step, what they add to residual and matrix, and what stops the rest. */
CB_CHECKED cb_status sim_layers_init(sim_cloth *c, cb_err *err);
void sim_layers_clear(sim_layers *l);
CB_CHECKED cb_status sim_layers_find(sim_cloth *c, cb_err *err);
CB_CHECKED cb_status sim_layers_add(sim_cloth *c, cb_err *err);
/* The end positions c->at, out of bodies and of the cloth itself; velocities follow. */
CB_CHECKED cb_status sim_fail_safe(sim_cloth *c, double dt_s, sim_step_report *report, cb_err *err);

/* Before positions move on, where there are bodies: c->at has the end. Errors: a body came through the cloth (sim_watch.h). */
CB_CHECKED cb_status sim_through_check(const sim_cloth *c, double dt_s, cb_err *err);

/* The bytes of sim_cloth_save, put into an empty `out`. */
void sim_cloth_checkpoint(const sim_cloth *c, sim_bytes *out);

/* What the step that was just solved dissipates and is given; before positions move on. */
void sim_ledger_add(sim_cloth *c, double dt_s);

#endif
