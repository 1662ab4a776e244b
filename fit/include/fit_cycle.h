/* Strokes there and back -> friction and zero. Nobody has to have seen the zero: forward the channel reads f + z, backward -f + z, so that
 * half of the difference is friction and half of the sum the zero. What that cannot tell: friction that differs by direction from a zero
 * that does. */
#ifndef FIT_CYCLE_H
#define FIT_CYCLE_H

#include "cb_err.h"
#include "cb_trace.h"
#include "fit_plateau.h"
#include "fit_strokes.h"

typedef enum fit_cycle_outcome {
  FIT_CYCLE_OK,
  FIT_CYCLE_ONE_WAY, /* all strokes go the same way: without a zero there is no friction */
  FIT_CYCLE_SHORT    /* the strokes of one direction have fewer than 8 readings in their windows */
} fit_cycle_outcome;
extern const char *const fit_cycle_outcome_text[];

/* The windows are those of a pull: from this part of the way that is left once the force has passed half of its change, to that part of the
 * whole way. Where no position is known, of the readings. */
typedef struct fit_cycle_options {
  double from_rel, to_rel;
} fit_cycle_options;
fit_cycle_options fit_cycle_options_default(void);

/* One stroke and its window. */
typedef struct fit_cycle_stroke {
  fit_stroke window;   /* n = 0: fewer than 8 readings, and the rest is 0 */
  fit_plateau plateau; /* along the motion, zero subtracted */
} fit_cycle_stroke;

typedef struct fit_cycle {
  fit_cycle_outcome outcome;
  size_t n_strokes;          /* of the list */
  fit_cycle_stroke *strokes; /* owned; in order of time */
  size_t n_used[2];          /* strokes with a window: forward, backward */
  double friction_N, u_friction_N;
  double zero_N, u_zero_N; /* as the channel reads it, in the middle of the record */
  /* Over the whole record; NAN for fewer than two strokes of each direction, when a change of friction, of the zero and of the place are
   * one. */
  double zero_drift_N, u_zero_drift_N;
  double friction_drift_N, u_friction_drift_N; /* wear, running in */
  double sd_N, n_eff;                          /* of the readings in all windows; how many independent ones they are worth */
} fit_cycle;

/* Two strokes of each direction and more: straight lines over time through those forward and those backward, compared in the middle, so
 * that neither a drifting zero nor wear gets into the friction. Fewer: the means, and what drifts does get in. Errors: bad data (NaN,
 * strokes beyond the force), no memory. Caller: fit_cycle_clear, also after a failure. */
CB_CHECKED cb_status fit_cycle_reduce(const cb_trace *trace, const fit_stroke *strokes, size_t n, const fit_cycle_options *opt,
                                      fit_cycle *out, cb_err *err);
void fit_cycle_clear(fit_cycle *c);
/* "cycle/1 ...": the method text stored with a point. */
void fit_cycle_method(const fit_cycle_options *opt, char out[160]);

#endif
