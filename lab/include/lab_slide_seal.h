/* A pull predicted before it is measured, and judged after. docs/guide/compare.md has the method. */
#ifndef LAB_SLIDE_SEAL_H
#define LAB_SLIDE_SEAL_H

#include "lab_seal.h"
#include "lab_slide.h"

/* The pull of a pair on the rig of a finished run: its area, speed, travel and calibration, in another
 * direction and under another load. */
typedef struct lab_slide_question {
  const char *cloth, *body;
  double angle_deg, normal_force_N; /* NAN: those of the run */
  int64_t like_run_id;              /* 0: the newest finished, level run of the pair */
} lab_slide_question;

/* Predicts the pull by the rigid sled. Of *out, what follows from a measurement is NAN, and run_id is that of
 * the run it is like. Errors: CB_E_NOTFOUND without such a run, or without a kinetic law of the pair;
 * CB_E_RANGE if the run is of another pair. */
CB_CHECKED cb_status lab_slide_foresee(cb_store *s, const lab_slide_question *q, lab_slide_verdict *out,
                                       cb_err *err);
/* Makes the document of docs/reference/json, "predict slide". Returns NULL without memory. The caller
 * calls json_decref. */
json_t *lab_slide_foreseen_json(const lab_slide_verdict *v);

/* Judges a run by a sealed prediction. The run must be the pull that was predicted: cloth, body, direction to
 * 0.5 degrees, load to 1 %, speed to 2 %. Errors: those of lab_slide_judge. CB_E_RANGE if it is another pull
 * or began before the prediction was sealed. CB_E_DB if the prediction lacks a number. */
CB_CHECKED cb_status lab_slide_judge_sealed(cb_store *s, const cb_run *run, const lab_seal *seal,
                                            lab_slide_verdict *out, cb_err *err);

#endif
