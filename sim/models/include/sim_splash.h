/* A fluid and a sheet that push each other.
 *
 * A step: the fluid's velocities (sim_fluid_push); who will touch which triangle first (sim_impact.h over the step, or nearer than the
 * gap); sheet and touching particles together, each contact with the integral of stiffness x depth over its time, at its place on the
 * triangle, opposite on both (sim_sheet.h); then the guard: every particle's way against every triangle's, as they have become. Who would
 * pass is stopped on the side from which it comes, and what that takes of its momentum the triangle gets.
 *
 * Tearing is the caller's: sim_sheet_tear between steps. Sums of momenta are kept to rounding. Same bits for any number of threads. SI. */
#ifndef SIM_SPLASH_H
#define SIM_SPLASH_H

#include "sim_fluid.h"
#include "sim_sheet.h"

typedef struct sim_splash_report {
  sim_fluid_report fluid;
  sim_sheet_report sheet;
  int touching;                             /* particles */
  int guarded;                              /* that the guard stopped */
  int seeped;                               /* that went through as liquid does through cloth */
  int stuck;                                /* that it could not stop: they may have passed */
  double given_Ns[3];                       /* to the particles by the cloth, and by walls against which it pressed them */
  double fluid_s, find_s, sheet_s, guard_s; /* wall clock */
} sim_splash_report;

typedef struct sim_splash sim_splash;

/* Fluid and sheet are the caller's and outlive it; at the start no particle is on the cloth itself. gap_m: between particles and cloth, 0:
 * half a spacing. Caller: sim_splash_free. */
CB_CHECKED cb_status sim_splash_new(sim_fluid *fluid, sim_sheet *sheet, double gap_m, sim_splash **out, cb_err *err);
void sim_splash_free(sim_splash *s);

/* Liquid goes through the cloth at this speed where it is pressed on it with 1 Pa (Darcy: the volume that goes through is this times the
 * force of the contacts times time); a particle goes through whole, after its volume has. 0, as at first: nobody does. CB_E_RANGE: below 0,
 * not finite. Air's permeability K at a pressure p, scaled by the viscosities: K/p mu_air/mu_liquid. */
CB_CHECKED cb_status sim_splash_seep(sim_splash *s, double m_per_s_Pa, cb_err *err);

/* Errors: those of sim_fluid_push and sim_sheet_step. report may be NULL. */
CB_CHECKED cb_status sim_splash_step(sim_splash *s, double dt_s, sim_splash_report *report, cb_err *err);

#endif
