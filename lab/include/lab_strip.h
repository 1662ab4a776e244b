/* Does the law of the other directions predict the stretch of a strip? docs/method/stretch-between.md, "A
 * direction that was not fitted". */
#ifndef LAB_STRIP_H
#define LAB_STRIP_H

#include <jansson.h>

#include "lab_stretch.h"

#define LAB_STRIP_POINTS 4

/* Forces per width at one strain, with their expanded uncertainty (95 %). */
typedef struct lab_strip_point {
  double strain, predicted_N_per_m, U_predicted_N_per_m, measured_N_per_m, U_measured_N_per_m, en;
} lab_strip_point;

typedef struct lab_strip {
  char cloth[64];
  double angle_deg;     /* from the warp, folded into 0 to 90 */
  cb_stretch_form form; /* that carried the other directions over */
  int64_t *test_ids;    /* owned; at that angle */
  size_t n_tests, n_other_tests;
  lab_strip_point point[LAB_STRIP_POINTS]; /* at quarters of the strain that both reach */
  double worst_en;
  bool pass; /* no |E_n| is above 1 */
  int64_t validation_id;
} lab_strip;

/* Fits the tests of the other directions, without storing a law, and compares with a fit of the tests at
 * `angle_deg`. CB_E_NOTFOUND: no such cloth, no tests at that angle. CB_E_RANGE: the other directions do not
 * tell it; three are wanted. Caller: lab_strip_clear, also after a failure. */
CB_CHECKED cb_status lab_strip_judge(cb_store *s, const lab_stretch_request *q, double angle_deg,
                                     lab_strip *out, cb_err *err);
void lab_strip_clear(lab_strip *r);

/* As a row of `validation`; sets r->validation_id. */
CB_CHECKED cb_status lab_strip_keep(cb_store *s, lab_strip *r, cb_err *err);
/* docs/reference/json, "validate stretch". NULL: no memory. Caller: json_decref. */
json_t *lab_strip_json(const lab_strip *r);

#endif
