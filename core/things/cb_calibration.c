#include "cb_calibration.h"

#include <math.h>

const char *const cb_calibration_kind_names[] = {"declared", "measured", "imported", NULL};
const char *const cb_calibration_direction_names[] = {"preload", "zero", "up", "down", "creep", NULL};

double cb_calibration_u_N(const cb_calibration *c, double force_N) {
  return hypot(c->u_rel * force_N, c->u_floor_N);
}
