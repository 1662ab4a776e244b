/* Shooting: theta'' = -(Q cos theta + P sin theta) from theta(0) = 0 and the curvature, P, Q that Newton's
 * method finds for theta'(1) = 0 and the place of the end. Classical Runge-Kutta; the shortening grows in
 * steps. */
#include "val_elastica.h"

#include <math.h>

#define STEPS 400
#define FIRST 0.002 /* shortening at which the linear column is a good guess */
#define GROWTH 1.25
#define LARGEST_STEP 0.02
#define NEWTON 30

typedef struct state {
  double angle, curvature, x, z;
} state;

static state slope(const state *s, const double u[3]) {
  return (state){s->curvature, -(u[2] * cos(s->angle) + u[1] * sin(s->angle)), cos(s->angle), sin(s->angle)};
}

static state plus(const state *s, double h, const state *d) {
  return (state){s->angle + h * d->angle, s->curvature + h * d->curvature, s->x + h * d->x, s->z + h * d->z};
}

/* u: curvature at the clamp, P, Q. miss: theta'(1), x(1) - (1 - shortening), z(1). */
static void shoot(const double u[3], double shortening, double miss[3]) {
  state s = {.curvature = u[0]};
  const double h = 1.0 / STEPS;
  for (int k = 0; k < STEPS; k++) {
    state a = slope(&s, u), p = plus(&s, h / 2, &a), b = slope(&p, u), q = plus(&s, h / 2, &b),
          c = slope(&q, u), r = plus(&s, h, &c), d = slope(&r, u);
    s = plus(&s, h / 6, &a);
    s = plus(&s, h / 3, &b);
    s = plus(&s, h / 3, &c);
    s = plus(&s, h / 6, &d);
  }
  miss[0] = s.curvature;
  miss[1] = s.x - (1 - shortening);
  miss[2] = s.z;
}

/* Cramer. */
static double determinant(double m[3][3]) {
  return m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) -
         m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
         m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
}

static void find_jacobian(const double u[3], double shortening, const double miss[3], double jacobian[3][3]) {
  for (int k = 0; k < 3; k++) {
    double other[3] = {u[0], u[1], u[2]}, there[3], h = 1e-6 * fmax(1, fabs(u[k]));
    other[k] += h;
    shoot(other, shortening, there);
    for (int r = 0; r < 3; r++) jacobian[r][k] = (there[r] - miss[r]) / h;
  }
}

static double newton_step(double u[3], double shortening) {
  double miss[3], jacobian[3][3], step[3], largest = 0;
  shoot(u, shortening, miss);
  find_jacobian(u, shortening, miss, jacobian);
  double all = determinant(jacobian);
  for (int k = 0; k < 3; k++) {
    double m[3][3];
    for (int r = 0; r < 3; r++)
      for (int c = 0; c < 3; c++) m[r][c] = c == k ? -miss[r] : jacobian[r][c];
    step[k] = determinant(m) / all;
  }
  for (int k = 0; k < 3; k++) {
    u[k] += step[k];
    largest = fmax(largest, fabs(step[k]) / fmax(1, fabs(u[k])));
  }
  return largest;
}

/* The column that just buckles: z' = r (cos k s + k sin k s - 1) with tan k = k, r = Q / P, and half the mean
 * square of z' the shortening.
 */
static void linear_column(double u[3]) {
  const double k = 4.493409457909064;
  double square = 0;
  for (int i = 0; i < STEPS; i++) {
    double s = (i + 0.5) / STEPS, z = cos(k * s) + k * sin(k * s) - 1;
    square += z * z / STEPS;
  }
  double r = sqrt(2 * FIRST / square);
  u[1] = k * k;
  u[0] = u[2] = r * u[1];
}

cb_status val_elastica_solve(double shortening, val_elastica *out, cb_err *err) {
  if (!(shortening > 0 && shortening <= 0.65))
    return cb_fail(err, CB_E_RANGE, "clamped-pinned elastica: shortening = %g: must lie in (0, 0.65]",
                   shortening);
  double u[3];
  linear_column(u);
  for (double reached = FIRST, next;; reached = next) {
    next = fmin(shortening, fmin(GROWTH * reached, reached + LARGEST_STEP));
    double left = INFINITY;
    for (int k = 0; k < NEWTON && !(left < 1e-11); k++) left = newton_step(u, next);
    if (!(left < 1e-8))
      return cb_fail(err, CB_E_NUM, "clamped-pinned elastica: no solution found at a shortening of %g", next);
    if (next == shortening) break;
  }
  *out = (val_elastica){.curvature = u[0], .pressure = u[1], .sideways = u[2]};
  return CB_OK;
}
