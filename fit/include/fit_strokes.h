/* Strokes of a reciprocating motion: the stretches between reversals. Hysteresis keeps noise and rests from
 * making strokes. */
#ifndef FIT_STROKES_H
#define FIT_STROKES_H

#include "cb_err.h"
#include "cb_trace.h"

/* The readings `first` to `first` + n - 1 of a force. */
typedef struct fit_stroke {
  int direction; /* +1: the position grows; -1: it falls */
  size_t first, n;
} fit_stroke;

/* A turning point is one from which the motion comes back by this part of its whole range. A stroke begins at
 * this distance from its turning point and ends at this distance from the next. */
#define FIT_STROKES_HYSTERESIS_REL 0.02

/* Finds the strokes of trace->position_m, as readings of trace->force_N that surely (trace->doubt_s) lie in
 * them. Strokes without readings are left out. So is a first or last stroke shorter than half of the longest.
 * The caller frees *list; it is NULL, with *n = 0, if there is none.
 * CB_E_RANGE: fewer than 2 positions. CB_E_NUM: a position is not finite, or times do not ascend.
 * CB_E_NOMEM. */
CB_CHECKED cb_status fit_strokes_find(const cb_trace *trace, fit_stroke **list, size_t *n, cb_err *err);

#endif
