#include "sim_sled.h"

#include <math.h>

#include "cb_num.h"

cb_status sim_profile_check(const sim_profile *p, cb_err *err) {
  CB_TRY(cb_check_range(p->start_s, 0, INFINITY, "stage profile: start", "s", err));
  CB_TRY(cb_check_range(p->travel_m, -INFINITY, INFINITY, "stage profile: travel", "m", err));
  if (!(p->speed_m_per_s > 0) || isinf(p->speed_m_per_s))
    return cb_fail(err, CB_E_RANGE, "stage profile: speed = %g m/s: must be > 0 and finite",
                   p->speed_m_per_s);
  if (!(p->acceleration_m_per_s2 > 0) || isinf(p->acceleration_m_per_s2))
    return cb_fail(err, CB_E_RANGE, "stage profile: acceleration = %g m/s2: must be > 0 and finite",
                   p->acceleration_m_per_s2);
  return CB_OK;
}

/* Highest speed that is reached. */
static double peak_speed(const sim_profile *p) {
  return fmin(p->speed_m_per_s, sqrt(fabs(p->travel_m) * p->acceleration_m_per_s2));
}

void sim_profile_breaks(const sim_profile *p, double t_s[4]) {
  double v = peak_speed(p), ramp = v / p->acceleration_m_per_s2;
  double cruise = v > 0 ? fmax(0, fabs(p->travel_m) / v - ramp) : 0;
  t_s[0] = p->start_s;
  t_s[1] = t_s[0] + ramp;
  t_s[2] = t_s[1] + cruise;
  t_s[3] = t_s[2] + ramp;
}

double sim_profile_at(const sim_profile *p, const double breaks_s[4], double t_s, double *velocity_m_per_s) {
  const double *b = breaks_s;
  double a = p->acceleration_m_per_s2, x, speed;
  if (t_s <= b[0]) {
    x = speed = 0;
  } else if (t_s < b[1]) {
    speed = a * (t_s - b[0]);
    x = 0.5 * speed * (t_s - b[0]);
  } else if (t_s < b[2]) {
    speed = a * (b[1] - b[0]);
    x = speed * (t_s - 0.5 * (b[0] + b[1]));
  } else if (t_s < b[3]) {
    speed = a * (b[3] - t_s);
    x = fabs(p->travel_m) - 0.5 * speed * (b[3] - t_s);
  } else {
    speed = 0;
    x = fabs(p->travel_m);
  }
  if (velocity_m_per_s) *velocity_m_per_s = copysign(speed, p->travel_m);
  return copysign(x, p->travel_m);
}
