/* Does the law of a pair predict a pull that it was not fitted to? docs/slide.md
 *
 * A judgement simulates the pull with the laws and the link of its rig, draws everything that is not known
 * exactly, reduces the simulated and the measured trace alike, and compares them quantity by quantity
 * (lab_en.h). What a program calls:
 *
 *   lab_slide_newest   which pull
 *   lab_slide_judge    the verdict on it
 *   lab_slide_store    keeps the verdict; lab_slide_read reads a kept one */
#ifndef LAB_SLIDE_H
#define LAB_SLIDE_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "cb_friction_law.h"
#include "cb_rig.h"
#include "cb_store.h"

#define LAB_SLIDE_DRAWS 200
#define LAB_SLIDE_SEED 20130721u
#define LAB_SLIDE_CURVE_POINTS 400

/* What is pulled: the rigid sled (sim_sled.h), or a sheet over a body by the three layers (val_pull.h). */
typedef enum lab_slide_model {
  LAB_SLIDE_SLED,
  LAB_SLIDE_PRESCRIBED, /* the body moves as prescribed */
  LAB_SLIDE_ELASTIC     /* the body is elastic and held below; only the plateau can be compared */
} lab_slide_model;
extern const char *const lab_slide_model_names[]; /* "sled", "prescribed", "elastic", NULL */

/* How much single runs differ beyond their own uncertainty, as relative standard deviations. */
typedef struct lab_slide_scatter {
  double repeat_rel;    /* from repeat to repeat, as the fit documented it with the law; 0: not documented */
  double placement_rel; /* from one laying of the cloth to the next: what the law's knots depart from
                           smoothness over load */
  double dof;           /* effective, of both together; 0: neither is known */
} lab_slide_scatter;

/* ---- what a comparison needs ---- */

typedef struct lab_slide_case {
  lab_slide_model model;
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
  lab_slide_scatter kinetic_scatter, static_scatter;
  double restlessness_rel; /* typical sd within a plateau over its mean, in the pulls of the pair */
  cb_trace trace;          /* measured; owned */
} lab_slide_case;

/* ---- the verdict ---- */

enum {
  LAB_SLIDE_STATIC_PEAK,
  LAB_SLIDE_KINETIC_PLATEAU,
  LAB_SLIDE_BREAKAWAY,
  LAB_SLIDE_CURVE_RMS,
  LAB_SLIDE_QUANTITIES
};
extern const char *const lab_slide_quantity_names[]; /* "static_peak", "kinetic_plateau",
                                                        "breakaway_displacement", ..., NULL */
extern const char *const lab_slide_quantity_units[]; /* "N" or "m" */

typedef struct lab_slide_quantity {
  bool compared; /* false: the trace or the laws do not have it, and nothing else here is known */
  double predicted, u_predicted, U_predicted; /* u: k = 1; U: 95 % */
  double measured, u_measured, U_measured;
  double en;
} lab_slide_quantity;

typedef struct lab_slide_verdict {
  bool pass;       /* no |E_n| above 1 */
  double worst_en; /* largest |E_n| */
  lab_slide_quantity q[LAB_SLIDE_QUANTITIES];
  int64_t run_id, law_kinetic_id, law_static_id; /* law_static_id 0: the pair has none; law_kinetic_id 0: it
                                                    was not stored */
  char cloth[64], body[64];
  double angle_deg, normal_force_N, speed_m_per_s; /* of the run */
  int direction;
  cb_origin origin_measured, origin_law;
  bool inside_measured_range; /* of the kinetic law, by load */
  lab_slide_model model;
  double young_Pa, poisson; /* as in lab_slide_case; NAN unless model is LAB_SLIDE_ELASTIC */
  int64_t elasticity_law_id;
  lab_slide_scatter kinetic_scatter, static_scatter;
  bool calibration_shared;
  size_t draws, seed;
  size_t n_curve;
  /* predicted force along the motion over stage displacement */
  double curve_x_m[LAB_SLIDE_CURVE_POINTS], curve_N[LAB_SLIDE_CURVE_POINTS];
} lab_slide_verdict;

/* ---- judge ---- */

/* The newest finished run of kind slide; CB_E_NOTFOUND: there is none. */
CB_CHECKED cb_status lab_slide_newest(cb_store *s, cb_run *run, cb_err *err);

/* Reads only. Wants a finished, level pull with a rig, a calibration and a trace, of a pair with a kinetic
 * law: CB_E_RANGE, CB_E_NOTFOUND. CB_OK whether the prediction holds or not. */
CB_CHECKED cb_status lab_slide_judge(cb_store *s, const cb_run *run, lab_slide_model model,
                                     lab_slide_verdict *out, cb_err *err);

/* ---- keep ---- */

/* As a row of `validation`. */
CB_CHECKED cb_status lab_slide_store(cb_store *s, const lab_slide_verdict *v, cb_err *err);

/* docs/json.md, "validate slide": the document that is stored and that --json prints. NULL: no memory.
 * Caller: json_decref. */
json_t *lab_slide_json(const lab_slide_verdict *v);
/* A stored document. CB_E_DB: it is none. What an older one does not say is NAN, 0 or "". */
CB_CHECKED cb_status lab_slide_read(const char *text, lab_slide_verdict *out, cb_err *err);

#endif
