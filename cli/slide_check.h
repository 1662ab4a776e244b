/* Prediction against measurement of one pull: the laws of its pair, the simulated sled or sheet, the reduced trace, and E_n scores.
 *
 * E_n = (predicted - measured) / (U_predicted^2 + U_measured^2)^1/2 with expanded uncertainties at 95 % (ISO 13528, ISO/IEC
 * 17043); |E_n| <= 1 agrees. */
#ifndef SLIDE_CHECK_H
#define SLIDE_CHECK_H

#include <stdbool.h>
#include <stddef.h>

#include "cb_friction_law.h"
#include "cb_rig.h"
#include "cb_store.h"
#include "fit_pull.h"

#define SLIDE_DRAWS 200
#define SLIDE_SEED 20130721u
#define SLIDE_CURVE_POINTS 400

/* How much single runs differ beyond their own uncertainty, as relative standard deviations. */
typedef struct slide_scatter {
  double repeat_rel;    /* from repeat to repeat, as the fit documented it with the law; 0: not documented */
  double placement_rel; /* from one laying of the cloth to the next: what the law's knots depart from smoothness over load */
  double dof;           /* effective, of both together; 0: neither is known */
} slide_scatter;

/* What is pulled: the rigid sled (sim_sled.h), or a sheet over a body by the three layers (val_pull.h). */
typedef enum slide_model { SLIDE_SLED, SLIDE_TOLD, SLIDE_HELD } slide_model;
extern const char *const slide_model_names[]; /* "sled", "told", "held", NULL */

typedef struct slide_case {
  slide_model model;
  double young_Pa, poisson;  /* held: of the body */
  int64_t elasticity_law_id; /* held: 0: the database knows none, and these are assumed */
  cb_run run;
  cb_rig_bench bench;
  double acceleration_m_per_s2;
  cb_friction_law kinetic, stat;
  bool has_static;
  cb_calibration calibration;
  double zero_drift_N;     /* from before the pull to after it */
  bool calibration_shared; /* law and slide were read with the same calibration: its error cancels */
  slide_scatter kinetic_scatter, static_scatter;
  double restlessness_rel; /* typical sd within a plateau over its mean, in the pulls of the pair */
  cb_trace trace;          /* measured; owned */
} slide_case;

typedef struct slide_quantity {
  const char *name, *unit;
  double predicted, u_predicted, U_predicted; /* u: k = 1; U: 95 % */
  double measured, u_measured, U_measured;
  double en;
  bool compared; /* false: the trace or the laws do not have it */
} slide_quantity;

enum { SLIDE_STATIC_PEAK, SLIDE_KINETIC_PLATEAU, SLIDE_BREAKAWAY, SLIDE_CURVE_RMS, SLIDE_QUANTITIES };

typedef struct slide_result {
  slide_quantity q[SLIDE_QUANTITIES];
  double worst_en; /* largest |E_n| */
  bool pass;
  bool inside_measured_range; /* of the kinetic law, by load */
  size_t n_curve;
  double curve_x_m[SLIDE_CURVE_POINTS], curve_N[SLIDE_CURVE_POINTS]; /* predicted force along the motion over stage displacement */
} slide_result;

/* Reads everything a comparison needs; wants a finished, level pull with a rig and a trace. Caller: slide_case_clear. */
CB_CHECKED cb_status slide_case_load(cb_store *s, const cb_run *run, slide_model model, slide_case *c, cb_err *err);
void slide_case_clear(slide_case *c);

CB_CHECKED cb_status slide_check_run(const slide_case *c, slide_result *out, cb_err *err);

#endif
