/* The lot of the cloth of every run, as its campaign recorded it. Private to lab/. */
#ifndef LAB_LOTS_H
#define LAB_LOTS_H

#include "cb_store.h"
#include "fit_friction.h"

typedef struct lab_lots {
  fit_lot_of *of; /* of every observation; owned; NULL: fewer than two lots were recorded, or too many */
  size_t n;
} lab_lots;

/* Runs without a recorded lot are a lot of their own, once two others were recorded. The caller frees
 * out->of. */
CB_CHECKED cb_status lab_lots_of(cb_store *s, const cb_friction_obs *obs, size_t n, lab_lots *out,
                                 cb_err *err);

#endif
