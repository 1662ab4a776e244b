/* The cloth of sim_splash.h by itself. */
#ifndef SIM_SHEET_H
#define SIM_SHEET_H

#include "sim_splash.h"

/* Errors: a number out of range. */
CB_CHECKED cb_status sim_sheet_setup_check(const sim_sheet_setup *s, cb_err *err);

/* A mass point that touches a triangle: n points from the cloth to it. Moves along, and its velocity
 * changes. */
typedef struct sim_sheet_guest {
  double x[3], v[3], inverse_mass_per_kg;
  int vertex[3];
  double weight[3], normal[3], gap_m;
  double impulse_Ns; /* out: along n */
} sim_sheet_guest;

const double (*sim_sheet_before(const sim_sheet *s))[3];  /* positions where the last step began */
const double *sim_sheet_inverse_mass(const sim_sheet *s); /* 0: held */

/* guests may be NULL with n = 0; report may be NULL. CB_E_NUM: a number that is not finite; memory, when
 * lists grow. */
CB_CHECKED cb_status sim_sheet_step(sim_sheet *s, double dt_s, sim_sheet_guest *guest, int n_guests,
                                    sim_sheet_report *report, cb_err *err);

/* Pairs of its triangles that cross: 0 where cloth is whole. */
CB_CHECKED cb_status sim_sheet_crossings(sim_sheet *s, int *out, cb_err *err);

#endif
