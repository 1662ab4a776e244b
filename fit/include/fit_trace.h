/* A log of a friction rig (CSV: force and motion, in one file or in two of two devices) plus a mapping (YAML) for each -> a run with its
 * raw samples, ready to store. docs/traces.md lists every key. Nothing here touches the store. */
#ifndef FIT_TRACE_H
#define FIT_TRACE_H

#include <stdbool.h>

#include "cb_calibration.h"
#include "cb_run.h"
#include "cb_trace.h"
#include "fit_table.h"

/* Two devices saw the same motion, each by a clock of its own: by how much one clock is ahead. */
typedef enum fit_clocks_outcome {
  FIT_CLOCKS_OK,
  FIT_CLOCKS_STRANGERS,   /* the best correlation stays below 0.7: they did not see the same thing */
  FIT_CLOCKS_AMBIGUOUS,   /* another offset is as good, as in a motion that repeats itself */
  FIT_CLOCKS_CONTRADICTED /* where both begin to move, the offset is another */
} fit_clocks_outcome;
extern const char *const fit_clocks_outcome_text[];

typedef struct fit_clocks {
  fit_clocks_outcome outcome;
  double offset_s, u_offset_s; /* to be added to b's times; NAN unless FIT_CLOCKS_OK */
  double correlation;          /* at the offset */
  double scale;                /* a changes by so much where b changes by 1 */
} fit_clocks;

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
/* motion_mapping, motion: paths or NULL. */
CB_CHECKED cb_status fit_trace_read(const char *mapping, const char *force, const char *motion_mapping, const char *motion, fit_trace *out,
                                    cb_err *err);
void fit_trace_clear(fit_trace *t);

#endif
