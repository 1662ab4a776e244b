/* The ground truth of a virtual rig. */
#include <math.h>

#include "cb_rig.h"

/* f_ij(N) of a load law; c, n: coefficient and exponent. */
static double grow(const cb_rig_truth *t, double c, double n, double N) {
  switch (t->load_law) {
    case CB_RIG_LOAD_HERTZ: return c * pow(N + t->adhesion_N, 2.0 / 3);
    case CB_RIG_LOAD_LANGMUIR: return c * pow(N, n) / (1 + N / t->saturation_N);
    case CB_RIG_LOAD_KINK: return c * pow(N, n) * pow(fmax(N / t->kink_N, 1), t->kink_exponent_change);
    default: return c * pow(N, n);
  }
}

static double form(const cb_rig_truth *t, double angle_rad, double N) {
  double c = cos(angle_rad), s = sin(angle_rad);
  return grow(t, t->c00, t->n00, N) * c * c + 2 * grow(t, t->c01, t->n01, N) * s * c +
         grow(t, t->c11, t->n11, N) * s * s;
}

static double at_angle(const cb_rig_truth *t, double angle_rad, double N) {
  double F = form(t, angle_rad, N);
  if (t->cos4 == 0 && t->sin4 == 0) return F;
  return F * (1 + t->cos4 * cos(4 * angle_rad) + t->sin4 * sin(4 * angle_rad));
}

double cb_rig_truth_kinetic(const cb_rig_truth *t, double angle_rad, double normal_force_N,
                            double speed_m_per_s) {
  if (normal_force_N <= 0) return 0;
  double v = speed_m_per_s / t->stribeck_speed_m_per_s;
  double factor = 1 + t->stribeck_excess * exp(-v * v);
  if (t->log_velocity != 0 && speed_m_per_s > 0)
    factor += t->log_velocity * log(speed_m_per_s / t->reference_speed_m_per_s);
  /* A logarithm has no floor; friction has. */
  return at_angle(t, angle_rad, normal_force_N) * fmax(factor, 0.05);
}

double cb_rig_truth_static(const cb_rig_truth *t, double angle_rad, double normal_force_N) {
  return normal_force_N <= 0 ? 0 : at_angle(t, angle_rad, normal_force_N) * (1 + t->static_excess);
}
