/* Uncertainty budgets (JCGM 100:2008) of a friction force: of one run, and of a force that a law predicts. docs/uncertainty.md says where
 * every entry comes from. Forces in N, angles in rad. */
#ifndef FIT_FORCE_BUDGET_H
#define FIT_FORCE_BUDGET_H

#include "cb_friction_law.h"
#include "fit_calibration.h"
#include "fit_friction.h"

#define FIT_FORCE_ENTRIES 14

typedef struct fit_force_budget {
  double angle_rad, normal_force_N, force_N;
  size_t n_entries;
  fit_budget_entry entry[FIT_FORCE_ENTRIES];
  fit_budget total;
} fit_force_budget;

/* What scatters in a pair's runs, each for a typical run: where the part of a law's uncertainty that the fit found comes from. */
typedef struct fit_force_scatter {
  double repeat_rel, repeat_dof, place_rel, place_dof; /* standard deviations relative to the force */
  double zero_N, plateau_N;                            /* root mean squares of what the points state */
  double angle_rad;                                    /* standard uncertainty of the sample's orientation */
  double pitch_rad, yaw_rad;                           /* and of the pull line's direction; 0: not stated */
  double calibration_dof;                              /* INFINITY: not known */
  bool place_tested;                                   /* the runs could tell placement from scatter */
  double runs_per_cell;                                /* mean over the pair's directions and loads */
} fit_force_scatter;
/* From the observations that went into the law, and what the fit of this kind said. n >= 1. */
fit_force_scatter fit_force_scatter_of(const cb_friction_obs *obs, size_t n, const fit_friction_law *fit, const fit_friction_options *opt);

/* A predicted force. s may be NULL (the runs are not at hand): what the fit found is one entry then. total.u is what cb_friction_law_eval
 * says of this force. */
void fit_force_budget_law(const cb_friction_law *law, double angle_rad, double normal_force_N, const fit_force_scatter *s,
                          fit_force_budget *out);

/* The force of one run, of the law's kind; the law tells how it would change with load and angle. resolution_N: digit of the read-out
 * as a force, 0: not known. */
void fit_force_budget_run(const cb_friction_law *law, const cb_friction_obs *run, const fit_force_scatter *s, double resolution_N,
                          fit_force_budget *out);

/* What no entry is about: sentences; returns how many. s may be NULL. */
#define FIT_NOT_ASSESSED 2
size_t fit_force_not_assessed(const cb_friction_law *law, const fit_force_scatter *s, const char *out[FIT_NOT_ASSESSED]);

#endif
