/* A buckled strip: force over the distance of two clamps that approach and go back, in cycles -> rigidity and
 * friction of bending, or the weight of the strip.
 *
 * The model is the heavy elastica with clamped ends and friction (fit_buckled_strip.h), played through all
 * the readings in their order. Fitted are B, the friction and the zero of the force in each cycle, by least
 * squares, at the onset of a list that leaves the smallest misfit. The zero of a load cell is not known to a
 * gram-force, so B comes from how the force changes with the distance. docs/method/fab.md is the page. SI
 * units. */
#ifndef FIT_BUCKLED_H
#define FIT_BUCKLED_H

#include <stdbool.h>
#include <stddef.h>

#include "cb_err.h"

#define FIT_BUCKLED_MAX_CYCLES 8

typedef struct fit_buckled_reading {
  double distance_m; /* of the clamps */
  double force_N;    /* above 0: the strip pulls the clamps together */
  int cycle;         /* from 0, below FIT_BUCKLED_MAX_CYCLES, ascending */
} fit_buckled_reading;

typedef struct fit_buckled_input {
  const fit_buckled_reading *readings; /* n, borrowed; every distance in (0, length_m) */
  size_t n;
  double length_m, width_m; /* of the strip between the clamps, > 0 */
  double areal_density_kg_per_m2;
  bool up; /* it bulges against gravity */
} fit_buckled_input;

typedef enum fit_buckled_outcome {
  FIT_BUCKLED_OK,
  /* No parameters; three readings or fewer for each; or what was asked for is below twice its u. */
  FIT_BUCKLED_NOT_FOUND
} fit_buckled_outcome;
extern const char *const fit_buckled_outcome_text[]; /* by fit_buckled_outcome */

/* u: standard uncertainty of the fit; it grows with the autocorrelation of the residuals. That of B and the
 * width also has the step of the list of onsets. */
typedef struct fit_buckled_result {
  fit_buckled_outcome outcome; /* all else holds only with FIT_BUCKLED_OK */
  double B_Nm, u_B_Nm;
  double width_N, u_width_N; /* 2HB */
  double onset_per_m;
  double areal_density_kg_per_m2, u_areal_density_kg_per_m2; /* u: 0 where it was given */
  double zero_N[FIT_BUCKLED_MAX_CYCLES];
  size_t cycles;
  double residual_sd_N;
  double dof; /* independent readings, as autocorrelation leaves them, less the parameters; at least 1 */
} fit_buckled_result;

/* Fits B and 2HB; the areal density is given.
 * Errors: CB_E_RANGE: a reading or a size outside its range, a cycle that goes back. CB_E_NOMEM. */
CB_CHECKED cb_status fit_buckled(const fit_buckled_input *in, fit_buckled_result *out, cb_err *err);

/* Fits the areal density and 2HB of a long strip, whose force hardly depends on B; B and the onset are given.
 * The input's areal density is the start. The same errors. */
CB_CHECKED cb_status fit_buckled_weight(const fit_buckled_input *in, double B_Nm, double onset_per_m,
                                        fit_buckled_result *out, cb_err *err);

#endif
