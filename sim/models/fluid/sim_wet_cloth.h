/* The cloth of sim_splash.h by itself. */
#ifndef SIM_WET_CLOTH_H
#define SIM_WET_CLOTH_H

#include "sim_splash.h"

/* Errors: a number out of range. */
CB_CHECKED cb_status sim_wet_cloth_setup_check(const sim_wet_cloth_setup *s, cb_err *err);

/* A mass point that touches a triangle: n points from the cloth to it. Moves along, and its velocity
 * changes. */
typedef struct sim_wet_cloth_guest {
  double x[3], v[3], inverse_mass_per_kg;
  int vertex[3];
  double weight[3], normal[3], gap_m;
  double impulse_Ns; /* out: along n */
} sim_wet_cloth_guest;

const double (*sim_wet_cloth_before(const sim_wet_cloth *s))[3];  /* positions where the last step began */
const double *sim_wet_cloth_inverse_mass(const sim_wet_cloth *s); /* 0: held */

/* guests may be NULL with n = 0; report may be NULL. CB_E_NUM: a number that is not finite; memory, when
 * lists grow. */
CB_CHECKED cb_status sim_wet_cloth_step(sim_wet_cloth *s, double dt_s, sim_wet_cloth_guest *guest,
                                        int n_guests, sim_wet_cloth_report *report, cb_err *err);

/* Pairs of its triangles that cross: 0 where cloth is whole. */
CB_CHECKED cb_status sim_wet_cloth_crossings(sim_wet_cloth *s, int *out, cb_err *err);

#endif
