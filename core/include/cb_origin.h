/* Where a number comes from. The origin travels with every value that is shown or exported, so that a virtual
 * or simulated value can never pass as measured. */
#ifndef CB_ORIGIN_H
#define CB_ORIGIN_H

#include <stdbool.h>

#include "cb_err.h"

typedef enum cb_origin { CB_MEASURED, CB_IMPORTED, CB_VIRTUAL, CB_SIMULATED } cb_origin;
extern const char *const cb_origin_names[]; /* "measured", "imported", "virtual", "simulated", NULL */

/* Returns true for measured and imported values, which come from the real world. */
static inline bool cb_origin_is_real(cb_origin o) { return o == CB_MEASURED || o == CB_IMPORTED; }

/* Sets *joint to the weaker of *joint and next: the origin of what is made of both.
 * Errors: CB_E_RANGE if one is real and the other is not, as nothing is ever made of both. *joint is then
 * unchanged. */
CB_CHECKED cb_status cb_origin_join(cb_origin *joint, cb_origin next, cb_err *err);

#endif
