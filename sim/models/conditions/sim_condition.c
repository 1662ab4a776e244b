#include "sim_condition.h"

#include <math.h>
#include <string.h>

#include "sim_vec.h"

const char *const sim_conditions_kind_names[] = {"stretch", "warp", "weft", "shear", "bend", NULL};

/* ---- conditions of a triangle ---- */

static void derivative(const sim_patch *t, int along, const double x[4][3], double w[3]) {
  for (int k = 0; k < 3; k++)
    w[k] = t->slope[along][0] * x[0][k] + t->slope[along][1] * x[1][k] + t->slope[along][2] * x[2][k];
}

/* a (|w| - b). Cloth that is drawn together to a point has no direction: it resists, and pushes nowhere. */
static void length_first(const sim_patch *t, int along, double rest, const double x[4][3], int part,
                         sim_condition *out) {
  double w[3];
  derivative(t, along, x, w);
  const double length = sim_norm(w);
  out->c[part] = t->a * (length - rest);
  for (int i = 0; i < 3 && length > 0; i++) sim_add(out->d[part][i], t->a * t->slope[along][i] / length, w);
}

static void shear_first(const sim_patch *t, const double x[4][3], sim_condition *out) {
  double wu[3], wv[3];
  derivative(t, 0, x, wu);
  derivative(t, 1, x, wv);
  out->c[0] = t->a * sim_dot(wu, wv);
  for (int i = 0; i < 3; i++) {
    sim_add(out->d[0][i], t->a * t->slope[0][i], wv);
    sim_add(out->d[0][i], t->a * t->slope[1][i], wu);
  }
}

void sim_condition_first(sim_conditions_kind kind, const sim_patch *patch, const double rest[2],
                         const double x[4][3], sim_condition *out) {
  *out = (sim_condition){.n = patch->n, .parts = kind == SIM_CONDITIONS_STRETCH ? 2 : 1};
  switch (kind) {
    case SIM_CONDITIONS_STRETCH:
      length_first(patch, 0, rest[0], x, 0, out);
      length_first(patch, 1, rest[1], x, 1, out);
      break;
    case SIM_CONDITIONS_WARP: length_first(patch, 0, rest[0], x, 0, out); break;
    case SIM_CONDITIONS_WEFT: length_first(patch, 1, rest[1], x, 0, out); break;
    case SIM_CONDITIONS_SHEAR: shear_first(patch, x, out); break;
    default: sim_hinge_angle(x, &out->c[0], out->d[0]);
  }
}

/* d2|w|/dw2 = (1 - w w^T / w.w) / |w| is positive semi-definite: its positive part is all of it or nothing.
 * It acts across w where the square of the first derivative acts along it, so that what is left out is
 * exactly the negative eigenvalues. */
static void length_second(const sim_patch *t, int along, const double x[4][3], double q, sim_tangent tangent,
                          sim_condition_block block[4][4]) {
  double w[3];
  derivative(t, along, x, w);
  const double square = sim_dot(w, w);
  if (!(square > 0) || (tangent == SIM_TANGENT_CLAMPED && q < 0)) return;
  for (int i = 0; i < 3; i++)
    for (int j = i; j < 3; j++) {
      const double s = q * t->a * t->slope[along][i] * t->slope[along][j] / sqrt(square);
      for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++) block[i][j][r][c] += s * ((r == c) - w[r] * w[c] / square);
    }
}

/* w_u.w_v = |w_u + w_v|^2/4 - |w_u - w_v|^2/4: one of the two is convex, the other concave. */
static void shear_second(const sim_patch *t, double q, sim_tangent tangent, sim_condition_block block[4][4]) {
  for (int i = 0; i < 3; i++)
    for (int j = i; j < 3; j++) {
      const double *u = t->slope[0], *v = t->slope[1];
      double s = q * t->a * (u[i] * v[j] + v[i] * u[j]);
      if (tangent == SIM_TANGENT_CLAMPED) {
        const double sign = q < 0 ? -1 : 1;
        s = fabs(q) / 2 * t->a * (u[i] + sign * v[i]) * (u[j] + sign * v[j]);
      }
      for (int k = 0; k < 3; k++) block[i][j][k][k] += s;
    }
}

/* block[i][j] += q d2C/dx_i dx_j of one part. A clamped tangent adds the positive semi-definite part of
 * that, for bend nothing. */
static void add_second(sim_conditions_kind kind, const sim_patch *patch, const double x[4][3], int part,
                       double q, sim_tangent tangent, sim_condition_block block[4][4]) {
  if (kind == SIM_CONDITIONS_SHEAR)
    shear_second(patch, q, tangent, block);
  else if (kind != SIM_CONDITIONS_BEND)
    length_second(patch, kind == SIM_CONDITIONS_WEFT ? 1 : part, x, q, tangent, block);
  else if (tangent == SIM_TANGENT_EXACT)
    sim_hinge_add_second(x, q, block);
}

/* ---- any condition ---- */

sim_response sim_condition_response(const sim_condition *c, const sim_conditions_law *law, double rate,
                                    const double was[2]) {
  double square = 0;
  for (int p = 0; p < c->parts; p++) square += c->c[p] * c->c[p];
  sim_response r = {law->k / 2 * square + law->lambda / 4 * square * square, {0}};
  for (int p = 0; p < c->parts; p++) {
    const double change = rate > 0 ? c->c[p] - was[p] : 0;
    r.energy_J += rate / 2 * change * change;
    r.q[p] = (law->k + law->lambda * square) * c->c[p] + rate * change;
  }
  return r;
}

/* block += s g g^T */
static void add_square(int n, double s, const double g[4][3], sim_condition_block block[4][4]) {
  for (int i = 0; i < n; i++)
    for (int j = i; j < n; j++)
      for (int r = 0; r < 3; r++)
        for (int k = 0; k < 3; k++) block[i][j][r][k] += s * g[i][r] * g[j][k];
}

/* (k + lambda C.C + rate) dC dC^T + 2 lambda (dC C)(dC C)^T + q d2C. The middle term, which the paper leaves
 * out, is what makes the tangent of a cubic 3 lambda C^2 and not lambda C^2. */
void sim_condition_add_hessian(sim_conditions_kind kind, const sim_patch *patch, const double x[4][3],
                               const sim_condition *c, const sim_conditions_law *law, double rate,
                               const sim_response *r, sim_tangent tangent, sim_condition_block block[4][4]) {
  double square = 0, g[4][3] = {{0}};
  for (int p = 0; p < c->parts; p++) {
    square += c->c[p] * c->c[p];
    for (int i = 0; i < c->n; i++) sim_add(g[i], c->c[p], c->d[p][i]);
  }
  for (int p = 0; p < c->parts; p++) {
    add_square(c->n, law->k + law->lambda * square + rate, c->d[p], block);
    add_second(kind, patch, x, p, r->q[p], tangent, block);
  }
  if (law->lambda > 0) add_square(c->n, 2 * law->lambda, (const sim_vec3 *)g, block);
}
