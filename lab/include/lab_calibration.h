/* Calibration of the force channel: from readings under dead weights to a line, its deviations, an
 * uncertainty budget and a row of the database, and back. docs/guide/calibration.md has the method. Nothing
 * here prints. */
#ifndef LAB_CALIBRATION_H
#define LAB_CALIBRATION_H

#include <jansson.h>
#include <stdbool.h>

#include "cb_store.h"
#include "fit_calibration.h"

/* The uncertainty budget that is stored with a calibration. */
typedef struct lab_calibration_budget {
  size_t n_entries; /* 0: no budget */
  fit_budget_entry entry[FIT_CALIBRATION_ENTRIES];
  double force_N; /* full scale */
  fit_budget at_full_scale;
  double u_rel, u_floor_N;
  json_t *words; /* owned; entries that were read from the store point into it; NULL: they are constants of
                    the program */
} lab_calibration_budget;

typedef struct lab_calibration {
  cb_calibration row; /* id 0: not stored */
  lab_calibration_budget budget;
  const cb_calibration_point *points;
  size_t n_points;
  cb_calibration_point *owned; /* = points if loaded; NULL: points are the caller's */
} lab_calibration;

/* Facts beside the readings. Texts are cut to the length of the fields of cb_calibration. */
typedef struct lab_calibration_facts {
  cb_origin origin;
  const char *cell, *unit, *certificate, *operator_name;
  const char *valid_from, *valid_until; /* "2026-11-21" */
  double temperature_degC;
} lab_calibration_facts;

/* Reduces readings without storing anything. out->points are those of `in`, which must outlive *out. Errors:
 * those of fit_calibration_make. */
CB_CHECKED cb_status lab_calibration_make(const fit_calibration_input *in, const lab_calibration_facts *facts,
                                          lab_calibration *out, cb_err *err);

/* Stores a calibration with its rig, its points and the text of the weights file. Sets c->row.id. */
CB_CHECKED cb_status lab_calibration_store(cb_store *s, const char *rig_name, const char *rig_text,
                                           const char *weights_text, lab_calibration *c, cb_err *err);

/* Loads a calibration. The caller calls lab_calibration_clear, even after an error. Error: CB_E_NOTFOUND
 * without this id. */
CB_CHECKED cb_status lab_calibration_load(cb_store *s, int64_t id, lab_calibration *out, cb_err *err);
/* Frees what lab_calibration_load made. */
void lab_calibration_clear(lab_calibration *c);

/* Makes the document of docs/reference/json, "calibrate": facts, budget, points. Returns NULL without
 * memory. The caller calls json_decref. */
json_t *lab_calibration_json(const lab_calibration *c);

#endif
