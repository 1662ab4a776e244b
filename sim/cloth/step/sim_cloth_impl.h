/* What a cloth is made of, for the files that step it: this folder alone. */
#ifndef SIM_CLOTH_IMPL_H
#define SIM_CLOTH_IMPL_H

#include "sim_bending.h"
#include "sim_bending_friction.h"
#include "sim_contacts.h"
#include "sim_cloth_self.h"
#include "sim_matrix.h"
#include "sim_membrane.h"
#include "sim_pcg.h"
#include "sim_stage.h"
#include "sim_tethers.h"

struct sim_cloth {
  sim_cloth_setup setup;
  sim_stage now;                /* owns its arrays; x and v are the state between steps */
  double time_s, previous_dt_s; /* 0: no step was taken yet */
  double (*x_before)[3], (*v_before)[3];

  /* What the stages remember. */
  sim_contacts *contacts;
  sim_tethers *tethers;
  sim_cloth_self *self_contacts; /* NULL: the cloth does not meet itself */

  /* The parts of the system. */
  sim_membrane membrane;
  sim_bending bending;
  sim_bending_friction bending_friction;
  bool sliders_wait; /* while an equilibrium is looked for on detours */
  sim_matrix matrix;
  sim_multilevel multilevel;
  sim_pcg pcg;

  /* One step's work. */
  double phase_start_s;
  double (*v_start)[3], (*force)[3], (*shift)[3];
  float (*right)[4], (*change)[4];
  bool *put_out; /* by sim_contacts_keep_out */
  struct {
    double (*v)[3], (*reaction)[3];
  } kept; /* before the last linearisation, where there are several */

  sim_cloth_energies ledger; /* friction, damping, supports so far; the rest is 0 */
};

/* Refuses a step that makes no sense. */
CB_CHECKED cb_status sim_cloth_check_step(const sim_cloth *c, double dt_s, cb_err *err);

/* The end positions now.at, out of bodies and of the cloth itself; velocities follow. */
CB_CHECKED cb_status sim_fail_safe(sim_cloth *c, sim_step_report *report, cb_err *err);

/* What the step that was just solved dissipates and is given; before positions move on. */
void sim_ledger_add(sim_cloth *c);

#endif
