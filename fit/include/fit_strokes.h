/* Strokes of a reciprocating motion: the stretches between reversals, found with hysteresis, so that noise and rests make none. */
#ifndef FIT_STROKES_H
#define FIT_STROKES_H

#include "cb_err.h"
#include "cb_trace.h"

/* Readings first to first + n - 1 of a force. */
typedef struct fit_stroke {
  int direction; /* +1: the position grows */
  size_t first, n;
} fit_stroke;

/* The motion turns where it has come back by this part of its whole range; a stroke lasts from where it has left its turning point by as
 * much, until it is as near to the next. */
#define FIT_STROKES_HYSTERESIS_REL 0.02

/* The strokes of trace->position_m, as readings of trace->force_N that surely (trace->doubt_s) lie in them; strokes without readings are
 * left out, and so are the first and the last one where they are not half as long as the longest. *list: caller frees; NULL, 0: it never
 * moved. Errors: fewer than 2 positions, times that do not ascend, no memory. */
CB_CHECKED cb_status fit_strokes_find(const cb_trace *trace, fit_stroke **list, size_t *n, cb_err *err);

#endif
