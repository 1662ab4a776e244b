#include "sim_limit_strain.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "sim_vec.h"

const char *const sim_limit_kind_names[] = {"principal", "warp-weft", "mapped", "principal-own", NULL};

/* ---- singular values ---- */

/* Unit, across a and b; across a alone where b is none. */
static void unit_across(const double a[3], const double b[3], double out[3]) {
  sim_cross(a, b, out);
  if (!(sim_norm(out) > 0)) {
    const int k = fabs(a[0]) < 0.5 ? 0 : 1;
    double axis[3] = {k == 0, k == 1, 0};
    sim_cross(a, axis, out);
  }
  const double length = sim_norm(out);
  for (int k = 0; k < 3; k++) out[k] = length > 0 ? out[k] / length : k == 2;
}

/* The directions are half the angle of (a - b, 2 c), W^T W = [a c; c b]: by roots alone, which are the same
 * on every machine. */
static void directions(const double w[2][3], double v[2][2]) {
  const double a = sim_dot(w[0], w[0]), b = sim_dot(w[1], w[1]), c = sim_dot(w[0], w[1]);
  const double d = sqrt((a - b) * (a - b) + 4 * c * c);
  double cosine = 1, sine = 0;
  if (d > 0 && a >= b) {
    cosine = sqrt((1 + (a - b) / d) / 2);
    sine = c / (d * cosine);
  } else if (d > 0) {
    sine = sqrt((1 - (a - b) / d) / 2);
    cosine = c / (d * sine);
  }
  v[0][0] = cosine, v[0][1] = sine;
  v[1][0] = -sine, v[1][1] = cosine;
}

void sim_limit_svd_of(const double w[2][3], sim_limit_svd *out) {
  directions(w, out->v);
  for (int k = 0; k < 2; k++) {
    for (int r = 0; r < 3; r++) out->u[k][r] = out->v[k][0] * w[0][r] + out->v[k][1] * w[1][r];
    out->sigma[k] = sim_norm(out->u[k]);
  }
  const double across[3] = {out->u[1][0], out->u[1][1], out->u[1][2]};
  for (int r = 0; r < 3; r++) out->u[0][r] = out->sigma[0] > 0 ? out->u[0][r] / out->sigma[0] : r == 0;
  unit_across(out->u[0], across, out->u[2]);
  sim_cross(out->u[2], out->u[0], out->u[1]);
}

/* ---- gauges ---- */

/* out += s u v^T */
static void add_outer(double s, const double u[3], const double v[2], double out[2][3]) {
  for (int a = 0; a < 2; a++) sim_add(out[a], s * v[a], u);
}

/* d sigma = u^T dW v */
static void principal(bool slopes, sim_limit_gauges *g) {
  g->n = 2;
  for (int k = 0; k < 2; k++) {
    g->range[k] = g->which[k] = k;
    g->share[k] = g->inner[k] = 1;
    g->value[k] = g->svd.sigma[k] - 1;
    if (slopes) add_outer(1, g->svd.u[k], g->svd.v[k], g->slope[k]);
  }
}

static void warp_weft(const double w[2][3], bool slopes, sim_limit_gauges *g) {
  g->n = 2;
  for (int a = 0; a < 2; a++) {
    const double length = sim_norm(w[a]);
    g->range[a] = g->which[a] = a;
    g->share[a] = g->inner[a] = 1;
    g->value[a] = length - 1;
    if (slopes && length > 0) sim_add(g->slope[a][a], 1 / length, w[a]);
  }
}

/* |<e_k, g>| in one, where both singular values are the same: every direction is a principal one then, g too.
 * m = 1 - (1 - <e, g>^2) d^2 / (d^2 + blur^2), d = s_1^2 - s_2^2; its root is the share. It is never less
 * than |<e, g>|, so that what is within is so without it. With it goes what nothing could follow, a limit
 * that jumps with directions that are anyone's.
 *
 * Derivatives: directions turn by (s_1 u_1^T dW v_2 + s_2 u_2^T dW v_1) / d, de_1 = turn e_2, de_2 = -turn
 * e_1 (Papadopoulo and Lourakis 2000, their 2 x 2 system solved); one d of d^2 cancels. */
static double blurred_share(const sim_limit_svd *s, int k, int along, double blur, double slope[2][3]) {
  const double d = s->sigma[0] * s->sigma[0] - s->sigma[1] * s->sigma[1], both = d * d + blur * blur,
               inner = s->v[k][along];
  if (!(both > 0)) return 1;
  const double share = sqrt(1 - s->v[1 - k][along] * s->v[1 - k][along] * d * d / both);
  if (!slope || !(share > 0)) return share;
  /* per what stands above d */
  const double turned = inner * (k == 0 ? s->v[1][along] : -s->v[0][along]) * d / both / share;
  const double apart = -s->v[1 - k][along] * s->v[1 - k][along] * d * blur * blur / (both * both) / share;
  add_outer(turned * s->sigma[0], s->u[0], s->v[1], slope);
  add_outer(turned * s->sigma[1], s->u[1], s->v[0], slope);
  add_outer(2 * apart * s->sigma[0], s->u[0], s->v[0], slope);
  add_outer(-2 * apart * s->sigma[1], s->u[1], s->v[1], slope);
  return share;
}

static void mapped(double blur, bool slopes, sim_limit_gauges *g) {
  const sim_limit_svd *s = &g->svd;
  g->n = 4;
  for (int i = 0; i < 4; i++) {
    const int k = i / 2, along = i % 2;
    const double strain = s->sigma[k] - 1;
    g->which[i] = k;
    g->range[i] = along;
    g->inner[i] = fabs(s->v[k][along]);
    g->share[i] = blurred_share(s, k, along, blur, slopes ? g->slope[i] : NULL);
    g->value[i] = strain * g->share[i];
    if (!slopes) continue;
    for (int j = 0; j < 6; j++) g->slope[i][j / 3][j % 3] *= strain;
    add_outer(g->share[i], s->u[k], s->v[k], g->slope[i]);
  }
}

void sim_limit_gauges_of(sim_limit_kind kind, double blur, const double w[2][3], bool slopes,
                         sim_limit_gauges *out) {
  if (slopes) memset(out->slope, 0, sizeof out->slope);
  if (kind == SIM_LIMIT_WARP_WEFT) {
    warp_weft(w, slopes, out);
    return;
  }
  sim_limit_svd_of(w, &out->svd);
  if (kind == SIM_LIMIT_PRINCIPAL || kind == SIM_LIMIT_PRINCIPAL_OWN)
    principal(slopes, out);
  else
    mapped(blur, slopes, out);
}
