/* Vectors of three numbers. */
#ifndef SIM_VEC_H
#define SIM_VEC_H

#include <math.h>

/* A position, velocity or force: x, y, z. A list of them, sim_vec3 *, is the same type as double (*)[3]. */
typedef double sim_vec3[3];

/* For numbers that are no NaN: fmin and fmax, which care for NaN, are calls in hot loops. */
static inline double sim_lesser(double a, double b) { return a < b ? a : b; }
static inline double sim_greater(double a, double b) { return a > b ? a : b; }

static inline double sim_dot(const double a[3], const double b[3]) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
static inline double sim_norm(const double a[3]) { return sqrt(sim_dot(a, a)); }
static inline void sim_sub(const double a[3], const double b[3], double out[3]) {
  for (int k = 0; k < 3; k++) out[k] = a[k] - b[k];
}
/* a += s b */
static inline void sim_add(double a[3], double s, const double b[3]) {
  for (int k = 0; k < 3; k++) a[k] += s * b[k];
}
static inline void sim_cross(const double a[3], const double b[3], double out[3]) {
  out[0] = a[1] * b[2] - a[2] * b[1];
  out[1] = a[2] * b[0] - a[0] * b[2];
  out[2] = a[0] * b[1] - a[1] * b[0];
}
/* Turns v by `share` times the rotation vector [rad], by Rodrigues' formula. */
static inline void sim_turn(double v[3], const double rotation[3], double share) {
  double length = sim_norm(rotation), angle = length * share;
  if (length == 0) return;
  double n[3] = {rotation[0] / length, rotation[1] / length, rotation[2] / length}, across[3];
  sim_cross(n, v, across);
  double along = sim_dot(n, v), c = cos(angle), s = sin(angle);
  for (int k = 0; k < 3; k++) v[k] = c * v[k] + s * across[k] + (1 - c) * along * n[k];
}

#endif
