/* Uncertainty budgets (JCGM 100:2008) of a friction force: of one run, and of a force that a law predicts.
 * docs/method/uncertainty.md gives the source of every entry. Forces in N, angles in rad. */
#ifndef FIT_FORCE_BUDGET_H
#define FIT_FORCE_BUDGET_H

#include "cb_friction_law.h"
#include "fit_calibration.h"
#include "fit_friction.h"

#define FIT_FORCE_ENTRIES 15

typedef struct fit_force_budget {
  double angle_rad, normal_force_N, force_N;
  size_t n_entries;
  fit_budget_entry entry[FIT_FORCE_ENTRIES];
  fit_budget total;
} fit_force_budget;

/* Sources of scatter in a pair's runs, each for a typical run. They make up the part of a law's uncertainty
 * that the fit found. */
typedef struct fit_force_scatter {
  double repeat_rel, repeat_dof, place_rel, place_dof; /* standard deviations relative to the force */
  double zero_N, plateau_N;  /* root mean squares of the points' own uncertainties */
  double angle_rad;          /* standard uncertainty of the sample's orientation */
  double pitch_rad, yaw_rad; /* of the pull line's direction; 0: not given */
  double calibration_dof;    /* INFINITY: not known */
  double lots_dof;           /* of the variance between lots of the cloth */
  bool place_tested;         /* the runs could separate mounting from scatter */
  double runs_per_cell;      /* mean over the pair's cells (direction, load) */
} fit_force_scatter;
/* Computes the scatter from the n >= 1 observations behind a law and the fit of that law. */
fit_force_scatter fit_force_scatter_of(const cb_friction_obs *obs, size_t n, const fit_friction_law *fit,
                                       const fit_friction_options *opt);

/* Makes the budget of a force that the law predicts. With s = NULL, where the runs are not at hand, the part
 * found by the fit is one entry. out->total.u is that of cb_friction_law_eval. */
void fit_force_budget_law(const cb_friction_law *law, double angle_rad, double normal_force_N,
                          const fit_force_scatter *s, fit_force_budget *out);

/* Makes the budget of one run's force, of the law's kind. The law gives its change with load and angle.
 * resolution_N is the digit of the read-out as a force; 0: not known. */
void fit_force_budget_run(const cb_friction_law *law, const cb_friction_obs *run, const fit_force_scatter *s,
                          double resolution_N, fit_force_budget *out);

/* Lists, in static sentences, the sources that no entry covers. Returns their number. s may be NULL. */
#define FIT_NOT_ASSESSED 2
size_t fit_force_not_assessed(const cb_friction_law *law, const fit_force_scatter *s,
                              const char *out[FIT_NOT_ASSESSED]);

#endif
