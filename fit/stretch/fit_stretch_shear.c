/* A strip at 45 degrees that nobody tested, out of warp, weft and the shear stiffness G: as an orthotropic
 * sheet without Poisson's ratio has it, 1/E45 = (1/E0 + 1/E90 + 1/G) / 4, secants at equal strain. */
#include <math.h>

#include "fit_stretch_impl.h"

#define NEAR_DEG 15 /* a strip this near to 45 degrees tells more than G */

cb_stretch_knot fit_stretch_diagonal_knot(double strain, fit_stretch_told warp, fit_stretch_told weft,
                                          fit_stretch_told shear) {
  if (!(warp.value > 0 && weft.value > 0)) return (cb_stretch_knot){strain, 0, 0, NAN};
  const double s0 = strain / warp.value, s1 = strain / weft.value, sg = 1 / shear.value, sum = s0 + s1 + sg,
               force = 4 * strain / sum,
               u_rel = hypot(hypot(s0 * warp.u_rel, s1 * weft.u_rel), sg * shear.u_rel) / sum;
  return (cb_stretch_knot){strain, force, u_rel * force, NAN};
}

void fit_stretch_cubic_of(cb_stretch_direction *d) {
  const size_t n = d->n_knots;
  double e[CB_STRETCH_MAX_KNOTS] = {0}, f[CB_STRETCH_MAX_KNOTS] = {0}, sum = 0;
  for (size_t i = 0; i < n; i++) e[i] = d->knots[i].strain, f[i] = d->knots[i].force_N_per_m;
  fit_stretch_cubic(e, f, n, &d->k1_N_per_m, &d->k3_N_per_m);
  for (size_t i = 0; i < n; i++) {
    const double r = f[i] - d->k1_N_per_m * e[i] - d->k3_N_per_m * e[i] * e[i] * e[i];
    sum += r * r / (double)n;
  }
  d->cubic_misfit_rel = sqrt(sum) / f[n - 1];
  const double u_rel = d->knots[n - 1].u_N_per_m / f[n - 1];
  d->u_k1_N_per_m = u_rel * d->k1_N_per_m;
  d->u_k3_N_per_m = u_rel * d->k3_N_per_m;
}

static bool wants_shear(const cb_stretch_law *law, const fit_stretch_options *opt) {
  for (size_t i = 0; i < law->n; i++)
    if (fabs(law->directions[i].angle_deg - 45) <= NEAR_DEG) return false;
  return opt->shear_N_per_m > 0 && law->n < CB_STRETCH_MAX_DIRECTIONS && cb_stretch_find(law, 0) &&
         cb_stretch_find(law, 90);
}

/* Without what all tests of the instrument share, which is added when the law is evaluated. */
static fit_stretch_told told(const cb_stretch_law *law, double angle_deg, double strain, double *dof) {
  cb_stretch_value v;
  cb_stretch_eval(law, angle_deg, strain, &v);
  *dof = fmin(*dof, v.dof);
  return (fit_stretch_told){v.force_N_per_m, v.force_N_per_m > 0 ? v.u_N_per_m / v.force_N_per_m : 0};
}

bool fit_stretch_diagonal(const cb_stretch_law *law, const fit_stretch_options *opt,
                          cb_stretch_direction *d) {
  if (!wants_shear(law, opt)) return false;
  cb_stretch_law own = *law;
  own.u_force_rel = own.u_strain_rel = 0;
  const double most =
      fmin(cb_stretch_strain_max(cb_stretch_find(law, 0)), cb_stretch_strain_max(cb_stretch_find(law, 90)));
  const fit_stretch_told shear = {opt->shear_N_per_m, opt->u_shear_N_per_m / opt->shear_N_per_m};
  *d = (cb_stretch_direction){.angle_deg = 45,
                              .n_tests = opt->shear_tests,
                              .dof = opt->shear_dof > 0 ? opt->shear_dof : INFINITY,
                              .n_knots = FIT_STRETCH_DIAGONAL_KNOTS,
                              .kes = {NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN}};
  d->knots[0] = (cb_stretch_knot){0, 0, 0, NAN};
  for (size_t i = 1; i < d->n_knots; i++) {
    const double e = most * (double)i / (double)(d->n_knots - 1);
    const fit_stretch_told warp = told(&own, 0, e, &d->dof), weft = told(&own, 90, e, &d->dof);
    d->knots[i] = fit_stretch_diagonal_knot(e, warp, weft, shear);
  }
  if (!(d->knots[d->n_knots - 1].force_N_per_m > 0)) return false;
  fit_stretch_cubic_of(d);
  return true;
}
