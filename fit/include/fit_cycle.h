/* Strokes there and back -> friction and zero. Forward the channel reads f + z, backward -f + z. Half of the
 * difference is friction, half of the sum the zero; no reading without force is needed. The method cannot
 * separate a friction that differs by direction from a zero that does. docs/reference/traces.md is the page.
 */
#ifndef FIT_CYCLE_H
#define FIT_CYCLE_H

#include "cb_err.h"
#include "cb_trace.h"
#include "fit_plateau.h"
#include "fit_strokes.h"

typedef enum fit_cycle_outcome {
  FIT_CYCLE_OK,
  FIT_CYCLE_ONE_WAY, /* all strokes go the same way, so that zero and friction are inseparable */
  FIT_CYCLE_SHORT    /* the strokes of one direction have fewer than 8 readings in their windows */
} fit_cycle_outcome;
extern const char *const fit_cycle_outcome_text[]; /* by fit_cycle_outcome */

/* Window of a stroke, as in a pull. It begins after the fraction from_rel of the way left once the force has
 * passed half of its change. It ends at the fraction to_rel of the whole way. Without positions the fractions
 * are of the readings. */
typedef struct fit_cycle_options {
  double from_rel, to_rel;
} fit_cycle_options;
/* Returns: 0.3, 0.95. */
fit_cycle_options fit_cycle_options_default(void);

/* One stroke and its window. */
typedef struct fit_cycle_stroke {
  fit_stroke window;   /* n = 0: fewer than 8 readings; the rest is then 0 */
  fit_plateau plateau; /* along the motion, zero subtracted */
} fit_cycle_stroke;

typedef struct fit_cycle {
  fit_cycle_outcome outcome;
  size_t n_strokes;                /* all of the input */
  fit_cycle_stroke *strokes;       /* owned; in order of time */
  size_t n_used[2];                /* strokes with a window: forward, backward */
  double friction_N, u_friction_N; /* u: with u_window_N */
  double u_window_N;               /* from the halves of the windows, which all strokes share */
  double zero_N, u_zero_N;         /* as the channel reads it, in the middle of the record */
  /* Change over the whole record. NAN for fewer than two strokes of each direction, which cannot separate the
   * two. */
  double zero_drift_N, u_zero_drift_N;
  double friction_drift_N, u_friction_drift_N; /* wear, running-in */
  double sd_N, n_eff; /* of the readings in all windows; effective number of samples */
  size_t n_stray;     /* readings of the trace that stand alone (cb_stray.h): they count to nothing */
} fit_cycle;

/* Reduces n strokes of a trace. The caller frees *out with fit_cycle_clear, also after a failure. With two
 * strokes or more of each direction, straight lines over time through those forward and those backward are
 * compared in the middle of the record. A drift of the zero and wear then do not affect the friction. With
 * fewer strokes the means are compared, and drifts do affect it.
 * CB_E_NUM: a sample of the force is not finite. CB_E_RANGE: a stroke is empty, or beyond the force.
 * CB_E_NOMEM. */
CB_CHECKED cb_status fit_cycle_reduce(const cb_trace *trace, const fit_stroke *strokes, size_t n,
                                      const fit_cycle_options *opt, fit_cycle *out, cb_err *err);
/* Frees the strokes and zeroes *c. */
void fit_cycle_clear(fit_cycle *c);
/* Writes "cycle/3 ...", the method text stored with a point. */
void fit_cycle_method(const fit_cycle_options *opt, char out[160]);

#endif
