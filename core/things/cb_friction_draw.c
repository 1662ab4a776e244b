/* Laws at random from one law's uncertainty. */
#include <math.h>

#include "cb_friction_law_impl.h"
#include "cb_rng_parts.h"

void cb_friction_knot_cholesky(const cb_friction_knot *knot, double lower[3][3]) {
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < i; j++) {
      double sum = knot->cov_N2[i][j];
      for (int k = 0; k < j; k++) sum -= lower[i][k] * lower[j][k];
      lower[i][j] = lower[j][j] > 0 ? sum / lower[j][j] : 0;
    }
    double rest = knot->cov_N2[i][i];
    for (int k = 0; k < i; k++) rest -= lower[i][k] * lower[i][k];
    /* What remains of a row that depends on the others is rounding. */
    lower[i][i] = rest > 1e-14 * knot->cov_N2[i][i] ? sqrt(rest) : 0;
    for (int j = i + 1; j < 3; j++) lower[i][j] = 0;
  }
}

/* M + d + d M^-1 d / 4 = (I + d M^-1 / 2) M (I + d M^-1 / 2)^T: to first order M + d, and never negative in
 * any direction. */
static void perturb(double m[3], const double d[3]) {
  double det = m[0] * m[2] - m[1] * m[1], inverse[3] = {m[2] / det, -m[1] / det, m[0] / det};
  double a[2][2] = {{d[0] * inverse[0] + d[1] * inverse[1], d[0] * inverse[1] + d[1] * inverse[2]},
                    {d[1] * inverse[0] + d[2] * inverse[1], d[1] * inverse[1] + d[2] * inverse[2]}};
  m[0] += d[0] + 0.25 * (a[0][0] * d[0] + a[0][1] * d[1]);
  m[1] += d[1] + 0.25 * (a[0][0] * d[1] + a[0][1] * d[2]);
  m[2] += d[2] + 0.25 * (a[1][0] * d[1] + a[1][1] * d[2]);
  /* A draw may meet the boundary of the cone to within rounding. */
  double limit = sqrt(m[0] * m[2]) * (1 - 1e-9);
  m[1] = fmin(fmax(m[1], -limit), limit);
}

static void add_own(const cb_friction_knot *k, double scale, cb_rng *rng, double d[3]) {
  double lower[3][3], z[3];
  cb_friction_knot_cholesky(k, lower);
  for (int i = 0; i < 3; i++) z[i] = scale * cb_rng_normal(rng);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j <= i; j++) d[i] += lower[i][j] * z[j];
}

void cb_friction_law_draw(const cb_friction_law *law, cb_rng *rng, cb_friction_law *out) {
  double z[CB_LAW_MAX_SHARED];
  *out = *law;
  out->n_shared = 0;
  out->u_exponent = out->u_rel_common = out->u_rel_model = 0;
  out->dof = INFINITY;
  double scale = law->dof < 1e6 ? sqrt(law->dof / cb_rng_chi2(rng, law->dof)) : 1;
  for (size_t c = 0; c < law->n_shared; c++) z[c] = scale * cb_rng_normal(rng);
  double gain = exp(scale * law->u_rel_common * cb_rng_normal(rng));
  for (size_t k = 0; k < law->n_knots; k++) {
    cb_friction_knot *knot = &out->knots[k];
    double d[3] = {0};
    add_own(&law->knots[k], scale, rng, d);
    for (size_t c = 0; c < law->n_shared; c++)
      for (int i = 0; i < 3; i++) d[i] += z[c] * law->shared[c].f_N[k][i];
    perturb(knot->f_N, d);
    for (int i = 0; i < 3; i++) {
      knot->f_N[i] *= gain;
      for (int j = 0; j < 3; j++) knot->cov_N2[i][j] = 0;
    }
    const double between = cb_rng_normal(rng);
    if (k + 1 < law->n_knots) out->drawn.between[k] += scale * cb_friction_law_u_between(law, k) * between;
  }
  if (law->u_exponent > 0) out->drawn.adhesion += scale * cb_rng_normal(rng);
  for (int side = 0; side < 2; side++) {
    out->drawn.walk[side] += scale * law->u_exponent * cb_rng_normal(rng);
    for (size_t c = 0; c < law->n_shared; c++)
      out->drawn.exponent[side] += z[c] * law->shared[c].exponent[side];
  }
}
