/* A table of friction measurements (CSV) plus a mapping (YAML) that says what its columns mean -> runs and points, ready to
 * store. docs/friction-fit.md lists every key of the mapping. Nothing here touches the store. */
#ifndef FIT_IMPORT_H
#define FIT_IMPORT_H

#include <stddef.h>

#include "cb_err.h"
#include "cb_calibration.h"
#include "cb_friction_obs.h"

typedef struct fit_import_row {
  char cloth[64], body[64];
  cb_run run;              /* SI; ids 0 */
  cb_friction_point point; /* ids 0 */
} fit_import_row;

typedef struct fit_import {
  char *mapping_text;         /* as read; owned */
  char fingerprint[17];       /* of the table's bytes (FNV-1a, 64 bit, hexadecimal) */
  cb_calibration calibration; /* ids 0; certificate = the mapping's source */
  fit_import_row *rows;       /* owned */
  size_t n_rows;
  size_t n_holes;           /* rows with neither reading nor coefficient */
  size_t n_conflicts;       /* rows whose reading and coefficient disagree by more than their digits allow */
  char first_conflict[256]; /* sentence about the first of them, "" if none */
} fit_import;

/* Force of a row: coefficient * load where a coefficient is printed, else reading * (calibration mass * gravity / reading).
 * Its uncertainty is the printed digit, rectangular (digit / sqrt 12). Load: (cart + added mass) * gravity; its uncertainty is the
 * cart mass's digit, added weights count as exact. Errors say file:line, column, value, what was wanted.
 * Caller: fit_import_clear, also after a failure. */
CB_CHECKED cb_status fit_import_read(const char *mapping_path, const char *csv_path, fit_import *out, cb_err *err);
void fit_import_clear(fit_import *im);

#endif
