/* The inside of a cloth, for the files of this folder only. */
#ifndef SIM_CLOTH_IMPL_H
#define SIM_CLOTH_IMPL_H

#include "sim_bending.h"
#include "sim_bending_friction.h"
#include "sim_contacts.h"
#include "sim_cloth_self.h"
#include "sim_edge_limit.h"
#include "sim_guess.h"
#include "sim_matrix.h"
#include "sim_membrane.h"
#include "sim_pcg.h"
#include "sim_stage.h"
#include "sim_tethers.h"

struct sim_cloth {
  sim_cloth_setup setup;
  sim_stage now;                /* owns its arrays; x and v are the state between steps */
  double time_s, previous_dt_s; /* 0: no step was taken yet */
  int stiffest;                 /* free vertex of most stiffness for its mass, per N/m of stretch */
  double stiffest_per_kg;
  double (*x_before)[3], (*v_before)[3];

  /* States of the stages. */
  sim_contacts *contacts;
  sim_tethers *tethers;
  sim_cloth_self *self_contacts; /* NULL: no self_collision */

  /* Parts of the linear system. */
  sim_membrane membrane;
  sim_bending bending;
  sim_bending_friction bending_friction;
  sim_edge_limit edge_limit;
  bool sliders_wait; /* sliders of bending friction stay; during sim_cloth_calm */
  sim_matrix matrix;
  sim_multilevel multilevel;
  sim_pcg pcg;
  sim_guess *guess; /* NULL: solves start from the last change; during sim_cloth_calm */

  /* Work arrays of a step. */
  double phase_start_s;
  double (*force)[3], (*shift)[3];
  float (*right)[4], (*change)[4];
  bool *put_out; /* vertices moved by sim_contacts_keep_out */
  struct {
    double (*v)[3], (*reaction)[3];
  } kept; /* of the iterate before the last linearisation; only with several */

  sim_cloth_energies ledger; /* friction, damping and supports so far; the other members are 0 */
};

/* Refuses a step that is not > 0 and finite, or whose stiffness is too far above the inertia: CB_E_RANGE. */
CB_CHECKED cb_status sim_cloth_check_step(const sim_cloth *c, double dt_s, cb_err *err);

/* Moves the end positions now.at out of bodies and of the cloth itself; velocities follow. Errors: those of
 * sim_cloth_self_resolve. */
CB_CHECKED cb_status sim_fail_safe(sim_cloth *c, sim_step_report *report, cb_err *err);

/* Adds the solved step's dissipation and work to the ledger. Call it before positions advance. */
void sim_ledger_add(sim_cloth *c);

#endif
