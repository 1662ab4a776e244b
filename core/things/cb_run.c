#include "cb_run.h"

#include <math.h>

const char *const cb_run_status_names[] = {"running",     "done",   "failed", "aborted",
                                           "interrupted", "voided", NULL};
const char *const cb_run_kind_names[] = {"pull", "slide", "look", NULL};
const char *const cb_channel_names[] = {"force",        "position", "excitation", "temperature",
                                        "displacement", "speed",    NULL};
_Static_assert(sizeof cb_channel_names / sizeof cb_channel_names[0] == CB_N_CHANNELS + 1,
               "every channel has a name");

bool cb_run_same_body_angle(double a_deg, double b_deg) {
  return a_deg == b_deg || (isnan(a_deg) && isnan(b_deg));
}

double cb_run_channel_value(const cb_run_channel *c, double raw) {
  double x = raw - c->origin;
  return (c->c[0] + x * (c->c[1] + x * (c->c[2] + x * c->c[3]))) * c->scale + c->offset;
}
