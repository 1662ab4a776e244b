/* The liquid of sim_splash.h by itself, for sim/models/fluid, tests and benches. */
#ifndef SIM_FLUID_H
#define SIM_FLUID_H

#include "sim_splash.h"

/* Error: CB_E_RANGE for a number out of range. */
CB_CHECKED cb_status sim_fluid_setup_check(const sim_fluid_setup *s, cb_err *err);

/* Fills the box from lo_m to hi_m with particles, one at the centre of each whole cube of the spacing.
 * Errors: those of sim_fluid_add. */
CB_CHECKED cb_status sim_fluid_add_block(sim_fluid *f, const double lo_m[3], const double hi_m[3],
                                         const double velocity_m_per_s[3], cb_err *err);

/* Further values, per particle in the order of sim_fluid_position. The arrays belong to f. */
const float *sim_fluid_pressure(const sim_fluid *f); /* Pa, of the last step */
const float *sim_fluid_density(const sim_fluid *f);  /* rho/rho_0 at the start of the last step */
double sim_fluid_particle_mass(const sim_fluid *f);  /* kg */
double sim_fluid_time(const sim_fluid *f);           /* s since the start */

/* Advances the liquid by one step: sim_fluid_push, then sim_fluid_move. report may be NULL. Errors:
 * CB_E_RANGE for a step out of range or too long for the viscosity; CB_E_NUM for a number that is not
 * finite, with time and particle, or for a particle with too many neighbours; memory. */
CB_CHECKED cb_status sim_fluid_step(sim_fluid *f, double dt_s, sim_fluid_report *report, cb_err *err);
/* The two halves of a step: velocities, then positions. The caller may change velocities in between. */
CB_CHECKED cb_status sim_fluid_push(sim_fluid *f, double dt_s, sim_fluid_report *report, cb_err *err);
CB_CHECKED cb_status sim_fluid_move(sim_fluid *f, double dt_s, cb_err *err);

#endif
