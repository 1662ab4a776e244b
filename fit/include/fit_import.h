/* A table of friction measurements (CSV) with a mapping (YAML) of its columns -> runs and points, ready to
 * store. Two forms: readings of a load cell with a calibrated weight (docs/method/friction-fit.md), and a
 * plain table of forces or coefficients, `kind: friction` (docs/guide/import.md). Nothing here accesses the
 * store. */
#ifndef FIT_IMPORT_H
#define FIT_IMPORT_H

#include <stddef.h>

#include "cb_err.h"
#include "cb_calibration.h"
#include "cb_friction_obs.h"
#include "cb_trace.h"

/* A friction force below this part of the load is none. */
#define FIT_LEAST_MU 1e-6

typedef struct fit_import_row {
  char cloth[64], body[64];
  cb_run run;              /* SI; ids 0 */
  cb_friction_point point; /* ids 0 */
  cb_series distance_m;    /* of a sled on an incline over time (fit_incline.h); else empty; owned */
} fit_import_row;

typedef struct fit_import {
  char *mapping_text;         /* as read; owned */
  char fingerprint[17];       /* of the table's bytes (FNV-1a, 64 bit, hexadecimal) */
  cb_calibration calibration; /* ids 0; certificate: the mapping's source */
  fit_import_row *rows;       /* owned */
  size_t n_rows;
  fit_import_row *holes; /* rows with neither reading nor coefficient: without a point; owned */
  size_t n_holes;
  size_t n_skipped;         /* rows of an incline that lack a number */
  size_t n_conflicts;       /* rows whose reading and coefficient differ by more than their digits allow */
  char first_conflict[256]; /* sentence about the first of these rows; "": none */
  char digit_note[256];     /* fit_table_note */
} fit_import;

/* Reads a table. The caller frees *out with fit_import_clear, also after a failure.
 * - Force of a row: coefficient * load if a coefficient is printed, else reading * slope, the slope being the
 *   mapping's calibration mass * gravity / calibration reading. Its uncertainty is that of the printed digit,
 *   digit / sqrt 12.
 * - Load: (cart + added mass) * gravity. Its uncertainty is that of the cart mass's digit; added weights
 *   count as exact.
 *
 * Errors, with file:line, column and value: CB_E_IO, CB_E_PARSE, CB_E_RANGE, CB_E_NOTFOUND (a column),
 * CB_E_NOMEM. */
CB_CHECKED cb_status fit_import_read(const char *mapping_path, const char *csv_path, fit_import *out,
                                     cb_err *err);
/* Frees rows and text and zeroes *im. */
void fit_import_clear(fit_import *im);

#endif
