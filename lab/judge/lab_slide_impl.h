/* The two steps of lab_slide_judge, private to lab/. */
#ifndef LAB_SLIDE_IMPL_H
#define LAB_SLIDE_IMPL_H

#include "cb_friction_law.h"
#include "cb_permeability_law.h"
#include "cb_rig.h"
#include "lab_slide.h"
#include "sim_material.h"

/* One pull with all that its comparison needs. */
typedef struct lab_slide_case {
  lab_slide_model model;
  double young_Pa, poisson;  /* LAB_SLIDE_ELASTIC: of the body */
  int64_t elasticity_law_id; /* LAB_SLIDE_ELASTIC: 0: the values are assumed */
  lab_slide_sheet sheet;
  sim_material *cloth;      /* of the sheet; owned; NULL: that of val_pull_default */
  cb_permeability_law *air; /* owned; NULL: none */
  cb_run run;
  cb_rig_bench bench;
  double acceleration_m_per_s2;
  cb_friction_law kinetic, stat;
  bool has_static;
  cb_calibration calibration;
  double zero_drift_N;     /* change of the zero over the pull */
  bool calibration_shared; /* law and pull have the same calibration, so its error cancels */
  lab_slide_scatter kinetic_scatter, static_scatter;
  double restlessness_rel; /* rms over the pulls of the pair of the sd within a plateau over its mean */
  cb_trace trace;          /* measured; owned */
} lab_slide_case;

/* Loads a case, which may be changed before it is compared. The caller calls lab_slide_case_clear, even
 * after an error. */
CB_CHECKED cb_status lab_slide_case_load(cb_store *s, const cb_run *run, lab_slide_model model,
                                         lab_slide_grip grip, lab_slide_case *c, cb_err *err);

void lab_slide_case_clear(lab_slide_case *c);

/* Compares prediction and measurement of a case. */
CB_CHECKED cb_status lab_slide_compare(const lab_slide_case *c, lab_slide_verdict *out, cb_err *err);

#endif
