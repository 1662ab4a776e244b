/* Readings under dead weights -> sensitivity of the force channel, its errors, and an uncertainty budget.
 *
 * The line is reading = z_c + d_c (t - t_c) + b F, by ordinary least squares through the points of all
 * cycles. Each cycle c has its own zero z_c and drift d_c, as forces are measured from a zero taken shortly
 * before. Runs use the slope 1 / b.
 *
 * The budget follows JCGM 100:2008 (GUM): Type A and B entries, u_i = |c_i| value / divisor, root sum of
 * squares. Effective degrees of freedom are Welch and Satterthwaite's (G.4), k is Student's t for 95 %.
 * docs/guide/calibration.md justifies the size of each entry. */
#ifndef FIT_CALIBRATION_H
#define FIT_CALIBRATION_H

#include <stdbool.h>
#include <stddef.h>

#include "cb_calibration.h"
#include "cb_err.h"

/* ---- straight lines ---- */

typedef struct fit_line_point {
  int group; /* points of a group are neighbours and share an intercept */
  double x, y, t;
} fit_line_point;

typedef struct fit_line {
  double slope, u_slope;
  /* At x = 0: mean of the groups at their mean times; cov: of slope and intercept. */
  double intercept, u_intercept, cov;
  double sd; /* of the residuals */
  double dof;
} fit_line;

/* ---- budgets ---- */

typedef struct fit_budget_entry {
  const char *name, *unit; /* unit of value */
  char type;               /* 'A': statistics of the readings; 'B': anything else */
  const char *distribution;
  double value, divisor; /* standard uncertainty of the input = value / divisor */
  double sensitivity;    /* [N / unit] */
  double u_N;            /* |sensitivity| value / divisor */
  double dof;            /* INFINITY: exactly known */
  bool in_proportion;    /* true: grows with the force; false: the same at all forces */
} fit_budget_entry;

typedef struct fit_budget {
  double u, dof, k, U; /* combined standard uncertainty, effective dof, factor for 95 %, expanded */
} fit_budget;

/* ---- calibrations ---- */

#define FIT_CALIBRATION_MIN_CYCLES 3
#define FIT_CALIBRATION_MIN_LOADS 5
#define FIT_CALIBRATION_ENTRIES 11

typedef struct fit_calibration_input {
  const cb_calibration_point *points; /* in order of time; every cycle begins and ends with a zero */
  size_t n;
  double resolution; /* digit of the reading; 0: not known */
  double k_weights;  /* coverage factor of the weights' certificate, whose expanded U the budget shows */
  double gravity_m_per_s2, u_gravity_m_per_s2;
  double air_density_kg_per_m3, u_air_density_kg_per_m3, weight_density_kg_per_m3;
  /* Of the span, and half-range of the runs' temperature; 0: not known. */
  double temperature_coefficient_per_K, temperature_range_K;
} fit_calibration_input;

typedef struct fit_calibration {
  fit_line line;           /* reading over force: slope = sensitivity [unit / N] */
  double slope_N_per_unit; /* 1 / sensitivity */
  double full_scale_N;     /* largest load */
  size_t cycles, loads;
  double nonlinearity_N;    /* largest distance of a load's mean from the line through zero */
  double hysteresis_N;      /* largest mean difference between loading and unloading */
  double repeatability_N;   /* standard deviation at one load from cycle to cycle, pooled */
  double repeatability_dof; /* degrees of freedom of repeatability_N */
  double zero_return_N;     /* largest change of the zero over a cycle */
  double creep_N, creep_s;  /* change under full load, without the drift of the zero; NAN, 0: not observed */
  size_t n_entries;
  fit_budget_entry entry[FIT_CALIBRATION_ENTRIES];
  fit_budget at_full_scale;
  double u_rel, u_floor_N; /* parts that grow with the force (relative), and that do not */
} fit_calibration;

/* Evaluates a calibration.
 * CB_E_RANGE: fewer than FIT_CALIBRATION_MIN_CYCLES or _MIN_LOADS, a cycle without its zeros, a negative
 * load, or readings that do not follow the loads. CB_E_NUM: a number is not finite. CB_E_NOMEM. */
CB_CHECKED cb_status fit_calibration_make(const fit_calibration_input *in, fit_calibration *out, cb_err *err);

#endif
