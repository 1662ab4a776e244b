/* Where a number comes from. It travels with every figure that is shown or exported: a virtual or simulated value can never
 * pass as measured. */
#ifndef CB_ORIGIN_H
#define CB_ORIGIN_H

#include <stdbool.h>

#include "cb_err.h"

typedef enum cb_origin { CB_MEASURED, CB_IMPORTED, CB_VIRTUAL, CB_SIMULATED } cb_origin;
extern const char *const cb_origin_names[]; /* "measured", "imported", "virtual", "simulated", NULL */

/* measured and imported come from the real world. */
static inline bool cb_origin_is_real(cb_origin o) { return o == CB_MEASURED || o == CB_IMPORTED; }

/* What is made of two origins has the weaker one. CB_E_RANGE: one is real, the other is not; nothing is ever made of both. */
CB_CHECKED cb_status cb_origin_join(cb_origin *joint, cb_origin next, cb_err *err);

#endif
