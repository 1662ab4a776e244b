/* The wet cloth of sim_splash.h by itself, for sim/models/fluid, tests and benches. */
#ifndef SIM_WET_CLOTH_H
#define SIM_WET_CLOTH_H

#include "sim_splash.h"

/* Error: CB_E_RANGE for a number out of range. */
CB_CHECKED cb_status sim_wet_cloth_setup_check(const sim_wet_cloth_setup *s, cb_err *err);

/* A guest: a point mass that touches a triangle. normal points from the cloth to it. A step changes
 * x and v. */
typedef struct sim_wet_cloth_guest {
  double x[3], v[3], inverse_mass_per_kg;
  int vertex[3];
  double weight[3], normal[3], gap_m;
  double impulse_Ns; /* out: impulse on the guest along normal */
} sim_wet_cloth_guest;

const double (*sim_wet_cloth_before(const sim_wet_cloth *s))[3];  /* at the start of the last step */
const double *sim_wet_cloth_inverse_mass(const sim_wet_cloth *s); /* 1/kg per vertex; 0: held */

/* Advances the cloth and its guests by one step. guest may be NULL with n_guests = 0; report may be NULL.
 * Errors: CB_E_RANGE for dt_s; CB_E_NUM for a position that is not finite; memory, as lists grow. */
CB_CHECKED cb_status sim_wet_cloth_step(sim_wet_cloth *s, double dt_s, sim_wet_cloth_guest *guest,
                                        int n_guests, sim_wet_cloth_report *report, cb_err *err);

/* Takes back the last step: positions as they were before it, and these velocities. */
void sim_wet_cloth_rewind(sim_wet_cloth *s, double dt_s, const double (*velocity_m_per_s)[3]);

/* Counts the pairs of triangles that cross; 0 for a cloth that does not pass through itself. Error:
 * memory. */
CB_CHECKED cb_status sim_wet_cloth_crossings(sim_wet_cloth *s, int *out, cb_err *err);

#endif
