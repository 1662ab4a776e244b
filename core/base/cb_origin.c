#include "cb_origin.h"

#include <stddef.h>

const char *const cb_origin_names[] = {"measured", "imported", "virtual", "simulated", NULL};

cb_status cb_origin_join(cb_origin *joint, cb_origin next, cb_err *err) {
  if (cb_origin_is_real(*joint) != cb_origin_is_real(next))
    return cb_fail(
        err, CB_E_RANGE,
        "%s and %s data together: either real (measured, imported) or virtual and simulated ones were wanted",
        cb_origin_names[*joint], cb_origin_names[next]);
  if (next > *joint) *joint = next;
  return CB_OK;
}
