/* A calibration of the force channel: readings under dead weights -> line, faults, uncertainty budget -> a
 * row of the database, and back. docs/calibration.md */
#ifndef LAB_CALIBRATION_H
#define LAB_CALIBRATION_H

#include <jansson.h>
#include <stdbool.h>

#include "cb_store.h"
#include "fit_calibration.h"

/* The budget as it is stored with the calibration. */
typedef struct lab_calibration_budget {
  size_t n_entries; /* 0: there is none */
  fit_budget_entry entry[FIT_CALIBRATION_ENTRIES];
  double force_N; /* full scale */
  fit_budget at_full_scale;
  double u_rel, u_floor_N;
  json_t *words; /* owned: the texts of entries that were read point into it; NULL: they are constants of the
                    program */
} lab_calibration_budget;

typedef struct lab_calibration {
  cb_calibration row; /* id 0: not stored */
  lab_calibration_budget budget;
  const cb_calibration_point *points;
  size_t n_points;
  cb_calibration_point *owned; /* points, if it was loaded; NULL: they are the caller's */
} lab_calibration;

/* What is known beside the readings. Texts are cut to what a cb_calibration holds. */
typedef struct lab_calibration_facts {
  cb_origin origin;
  const char *cell, *unit, *certificate, *operator_name;
  const char *valid_from, *valid_until; /* "2026-11-21" */
  double temperature_degC;
} lab_calibration_facts;

/* Reduces readings; nothing is stored. out->points are those of `in`. Errors are those of
 * fit_calibration_make. */
CB_CHECKED cb_status lab_calibration_make(const fit_calibration_input *in, const lab_calibration_facts *facts,
                                          lab_calibration *out, cb_err *err);

/* With its rig, its points and the text of the weights file. Sets c->row.id. */
CB_CHECKED cb_status lab_calibration_store(cb_store *s, const char *rig_name, const char *rig_text,
                                           const char *weights_text, lab_calibration *c, cb_err *err);

/* CB_E_NOTFOUND: there is none of this number. Caller: lab_calibration_clear, also after a failure. */
CB_CHECKED cb_status lab_calibration_load(cb_store *s, int64_t id, lab_calibration *out, cb_err *err);
/* Of a loaded one. */
void lab_calibration_clear(lab_calibration *c);

/* Facts, budget, points: docs/json.md, "calibrate". NULL: no memory. Caller: json_decref. */
json_t *lab_calibration_json(const lab_calibration *c);

#endif
