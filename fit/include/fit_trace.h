/* A log of a friction rig with a mapping (YAML) -> a run with its raw samples, ready to store. The log is a
 * CSV table of force and motion, or two tables of two devices, each with a mapping. docs/traces.md lists
 * every key. Nothing here accesses the store. */
#ifndef FIT_TRACE_H
#define FIT_TRACE_H

#include "cb_calibration.h"
#include "cb_run.h"
#include "cb_trace.h"
#include "fit_clocks.h"
#include "fit_table.h"

/* Both names of the motion are NULL if the force's file holds the motion, too. */
typedef struct fit_trace_files {
  fit_table_file force_mapping, force, motion_mapping, motion;
} fit_trace_files;

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
  char *mapping_text;   /* as read, the force's then the motion's; owned */
} fit_trace;

/* Read a log from texts, or from files. The caller frees *out with fit_trace_clear, also after a failure.
 * Errors, with file:line, column and value: CB_E_PARSE for a mapping or table that is malformed, CB_E_RANGE
 * for values, times and clocks that cannot be used, CB_E_NOTFOUND for a column; CB_E_IO, CB_E_NUM,
 * CB_E_NOMEM. */
CB_CHECKED cb_status fit_trace_parse(const fit_trace_files *files, fit_trace *out, cb_err *err);
/* motion_mapping and motion are paths, or both NULL. */
CB_CHECKED cb_status fit_trace_read(const char *mapping, const char *force, const char *motion_mapping,
                                    const char *motion, fit_trace *out, cb_err *err);
void fit_trace_clear(fit_trace *t);

#endif
