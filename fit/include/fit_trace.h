/* A log of a friction rig (CSV: force and motion, in one file or in two of two devices) plus a mapping (YAML) for each -> a run with its
 * raw samples, ready to store. docs/traces.md lists every key. Nothing here touches the store. */
#ifndef FIT_TRACE_H
#define FIT_TRACE_H

#include "cb_calibration.h"
#include "cb_run.h"
#include "cb_trace.h"
#include "fit_clocks.h"
#include "fit_table.h"

/* motion: both names NULL where the force's file has it all. */
typedef struct fit_trace_files {
  fit_table_file force_mapping, force, motion_mapping, motion;
} fit_trace_files;

typedef struct fit_trace {
  char cloth[64], body[64];
  cb_run run;                 /* SI; ids 0; what the record does not tell is 0, the area 1 m2, and flags say so */
  cb_calibration calibration; /* of newtons; certificate = the mapping's source */
  cb_run_channel force, motion;
  cb_series force_raw, motion_raw; /* as written, on clocks of their own; motion_raw.n = 0: strokes are labelled */
  bool has_zero;
  cb_run_zero zero;        /* N */
  cb_run_stroke *strokes;  /* owned */
  size_t n_strokes, holes; /* holes: rows without force, time or motion */
  bool two_clocks;         /* clocks says how they were aligned; its scale 0: the mapping told */
  fit_clocks clocks;
  char fingerprint[40]; /* of the files' bytes */
  char *mapping_text;   /* as read, the motion's behind the force's; owned */
} fit_trace;

/* Errors say file:line, column, value, what was wanted. Caller: fit_trace_clear, also after a failure. */
CB_CHECKED cb_status fit_trace_parse(const fit_trace_files *files, fit_trace *out, cb_err *err);
/* motion_mapping, motion: paths or NULL. */
CB_CHECKED cb_status fit_trace_read(const char *mapping, const char *force, const char *motion_mapping, const char *motion, fit_trace *out,
                                    cb_err *err);
void fit_trace_clear(fit_trace *t);

#endif
