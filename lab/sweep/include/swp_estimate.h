/* What a sweep will cost, from three probes: its first case, one in the middle, its last. */
#ifndef SWP_ESTIMATE_H
#define SWP_ESTIMATE_H

#include <jansson.h>

#include "cb_stop.h"
#include "swp_run.h"

#define SWP_PROBES 3

typedef struct swp_estimate {
  swp_outcome probe[SWP_PROBES];
  int n, failed;
  double seconds;    /* per case, the mean of the probes */
  double core_hours; /* of all cases */
  double bytes;      /* of all rows, about */
} swp_estimate;

/* Plays the probes and keeps nothing. progress(context, done, total) is called before and after each.
 * Errors: as swp_run. */
CB_CHECKED cb_status swp_estimate_make(const swp_plan *plan, swp_play play, const cb_stop *stop,
                                       void (*progress)(void *context, int done, int total),
                                       swp_estimate *out, cb_err *err);
/* The document of docs/reference/json/sim.md; the caller owns it. NULL: no memory. */
json_t *swp_estimate_json(const swp_plan *plan, const swp_estimate *e);

#endif
