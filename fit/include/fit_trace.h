/* A log of a friction rig with a mapping (YAML) -> a run with its raw samples, ready to store. The log is a
 * CSV table of force and motion, or two tables of two devices, each with a mapping. docs/reference/traces.md
 * lists every key. Nothing here accesses the store. */
#ifndef FIT_TRACE_H
#define FIT_TRACE_H

#include <stdbool.h>

#include "cb_calibration.h"
#include "cb_run.h"
#include "cb_trace.h"
#include "fit_table.h"

/* The offset between two clocks, from the motion that two devices recorded. */
typedef enum fit_clocks_outcome {
  FIT_CLOCKS_OK,
  FIT_CLOCKS_STRANGERS,   /* the best correlation is below 0.7: they did not record the same motion */
  FIT_CLOCKS_AMBIGUOUS,   /* another offset is as good, as in a motion that repeats itself */
  FIT_CLOCKS_CONTRADICTED /* the beginnings of both motions give another offset */
} fit_clocks_outcome;
extern const char *const fit_clocks_outcome_text[]; /* by fit_clocks_outcome */

typedef struct fit_clocks {
  fit_clocks_outcome outcome;
  double offset_s, u_offset_s; /* added to the motion's times; NAN unless FIT_CLOCKS_OK */
  double correlation;          /* at the offset */
  double scale;                /* change of the force per change of the motion */
} fit_clocks;

typedef struct fit_trace {
  char cloth[64], body[64];
  cb_run run;                 /* SI; ids 0; an unknown load is 0, an unknown area 1 m2, and flags say so */
  cb_calibration calibration; /* unit N; certificate: the mapping's source */
  cb_run_channel force, motion;
  /* As written, each on its own clock; owned. motion_raw.n = 0: strokes are labelled instead. */
  cb_series force_raw, motion_raw;
  bool has_zero;
  cb_run_zero zero;        /* N */
  cb_run_stroke *strokes;  /* owned */
  size_t n_strokes, holes; /* holes: rows without force, time or motion */
  bool two_clocks;         /* `clocks` holds; clocks.scale 0: the mapping gave the offset */
  fit_clocks clocks;
  char fingerprint[40]; /* of the files' bytes */
  char digit_note[256]; /* fit_table_note, of the force */
  char *mapping_text;   /* as read, the force's then the motion's; owned */
} fit_trace;

/* Reads a log. motion_mapping and motion are paths, or both NULL. The caller frees *out with fit_trace_clear,
 * also after a failure.
 * Errors, with file:line, column and value: CB_E_PARSE for a mapping or table that is malformed, CB_E_RANGE
 * for values, times and clocks that cannot be used, CB_E_NOTFOUND for a column; CB_E_IO, CB_E_NUM,
 * CB_E_NOMEM. */
CB_CHECKED cb_status fit_trace_read(const char *mapping, const char *force, const char *motion_mapping,
                                    const char *motion, fit_trace *out, cb_err *err);
void fit_trace_clear(fit_trace *t);

#endif
