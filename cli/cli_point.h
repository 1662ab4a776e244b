/* One run's raw samples -> its friction point, with all that the reduction found. */
#ifndef CLI_POINT_H
#define CLI_POINT_H

#include <jansson.h>

#include "cb_store.h"

/* Computed from the raw samples; nothing is stored. detail (may be NULL): {"outcome", "plateau", "cycle", "strokes"}, docs/json.md, `fit
 * trace`; caller: json_decref. A run that cannot be reduced gives a point without forces whose method says why. */
CB_CHECKED cb_status cli_point_of_run(cb_store *s, const cb_run *run, cb_friction_point *p, json_t **detail, cb_err *err);

/* By how much the zero went from before the pull to after it, as the force channel reads it; 0 where it was not taken twice. */
CB_CHECKED cb_status cli_point_zero_drift(cb_store *s, const cb_run *run, double *drift_N, cb_err *err);

#endif
