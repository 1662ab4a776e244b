#include "fit_forecast_smooth.h"

#include <math.h>

#include "cb_num.h"

/* A cart that broke away, in units in which its mass, the link's stiffness and F_s - F_k are 1. w is the
 * stage's speed less the cart's: w'' + 2 d w' + w = 0, with w = u and w' = -1 at first, u the stage's speed.
 * w falls, and comes back to a maximum, which this returns. If it is u or more, the cart has stood. */
static double next_maximum(double u, double d) {
  const double swing = sqrt(1 - d * d), b = (d * u - 1) / swing;
  /* w' = 0 where tan s = -swing / (u - d), s = swing t: first at the minimum, half a turn later again. */
  double s = atan2(-swing, u - d);
  while (s <= 0) s += CB_PI;
  s += CB_PI;
  return exp(-d * s / swing) * (u * cos(s) + b * sin(s));
}

double fit_forecast_smooth_factor(double damping_ratio) {
  const double d = damping_ratio;
  if (!(d > 0)) return INFINITY;
  if (d >= 1) return 0;
  double low = 1e-9, high = 1 + 1 / sqrt(d); /* twice the limit for small d, and more */
  for (int i = 0; i < 100 && high > low * (1 + 1e-14); i++) {
    const double u = sqrt(low * high);
    if (next_maximum(u, d) < u)
      high = u;
    else
      low = u;
  }
  return high;
}
