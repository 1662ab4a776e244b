#include "sim_body.h"

#include <math.h>
#include <stddef.h>

static double law_force(const cb_friction_law *law, const double direction[2], double normal_N,
                        double area_m2, bool *extrapolated) {
  double scale = law->contact_area_m2 / area_m2, on_rig_N = normal_N * scale, f[3];
  cb_friction_law_matrix(law, on_rig_N, f);
  if (on_rig_N < law->knots[0].normal_force_N || on_rig_N > law->knots[law->n_knots - 1].normal_force_N)
    *extrapolated = true;
  double u = direction[0], v = direction[1];
  return (f[0] * u * u + 2 * f[1] * u * v + f[2] * v * v) / (u * u + v * v) / scale;
}

sim_friction_force sim_friction_eval(const sim_friction *f, const double direction[2], double normal_force_N,
                                     double area_m2) {
  sim_friction_force out = {.kinetic_N = f->mu_kinetic * normal_force_N,
                            .static_N = f->mu_static * normal_force_N};
  if (normal_force_N <= 0) return (sim_friction_force){0};
  if (f->kinetic_law) {
    out.kinetic_N = law_force(f->kinetic_law, direction, normal_force_N, area_m2, &out.extrapolated);
    out.static_N = out.kinetic_N;
    if (f->static_law)
      out.static_N = law_force(f->static_law, direction, normal_force_N, area_m2, &out.extrapolated);
  }
  /* Laws that were measured apart may cross. Static friction is at least kinetic friction. */
  out.static_N = fmax(out.static_N, out.kinetic_N);
  return out;
}

cb_status sim_friction_check(const sim_friction *f, cb_err *err) {
  if (f->kinetic_law) {
    CB_TRY(cb_friction_law_check(f->kinetic_law, err));
    return f->static_law ? cb_friction_law_check(f->static_law, err) : CB_OK;
  }
  if (f->static_law)
    return cb_fail(err, CB_E_RANGE,
                   "friction: a static law without a kinetic one: both or the kinetic one were wanted");
  if (!isfinite(f->mu_kinetic) || f->mu_kinetic < 0)
    return cb_fail(err, CB_E_RANGE, "friction: kinetic coefficient = %g: must be finite and >= 0",
                   f->mu_kinetic);
  if (!isfinite(f->mu_static) || f->mu_static < f->mu_kinetic)
    return cb_fail(err, CB_E_RANGE,
                   "friction: static coefficient = %g: must be finite and >= the kinetic one, %g",
                   f->mu_static, f->mu_kinetic);
  return CB_OK;
}
