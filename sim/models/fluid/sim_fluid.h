/* The liquid of sim_splash.h by itself. */
#ifndef SIM_FLUID_H
#define SIM_FLUID_H

#include "sim_splash.h"

/* Errors: a number out of range. */
CB_CHECKED cb_status sim_fluid_setup_check(const sim_fluid_setup *s, cb_err *err);

/* A block of whole cells of the spacing between the corners. */
CB_CHECKED cb_status sim_fluid_add_block(sim_fluid *f, const double lo_m[3], const double hi_m[3],
                                         const double velocity_m_per_s[3], cb_err *err);

/* Arrays as those of sim_splash.h. */
const float *sim_fluid_pressure(const sim_fluid *f); /* Pa, of the last step */
const float *sim_fluid_density(const sim_fluid *f);  /* rho/rho_0 where the last step began */
double sim_fluid_particle_mass(const sim_fluid *f);
double sim_fluid_time(const sim_fluid *f);

/* A step: the velocities at its end, then the way. report may be NULL. CB_E_NUM: a number that is not finite,
 * with time and particle. */
CB_CHECKED cb_status sim_fluid_step(sim_fluid *f, double dt_s, sim_fluid_report *report, cb_err *err);
/* The same in two parts, between which others may change the velocities. */
CB_CHECKED cb_status sim_fluid_push(sim_fluid *f, double dt_s, sim_fluid_report *report, cb_err *err);
CB_CHECKED cb_status sim_fluid_move(sim_fluid *f, double dt_s, cb_err *err);

#endif
