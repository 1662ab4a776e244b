#include "sim_body.h"

#include <stddef.h>

#include "sim_vec.h"

const char *const sim_shape_names[] = {"plane", "sphere", "cylinder", NULL};

/* Away from the centre or the axis; on it, any direction is as good. */
static void touch_round(const sim_body *b, double r[3], sim_touch *out) {
  if (b->shape == SIM_CYLINDER) sim_add(r, -sim_dot(r, b->axis), b->axis);
  double length = sim_norm(r);
  out->distance_m = length - b->radius_m;
  for (int k = 0; k < 3; k++) out->normal[k] = length > 0 ? r[k] / length : 0;
  if (length > 0) return;
  int least = 0;
  for (int k = 1; k < 3; k++)
    if (fabs(b->axis[k]) < fabs(b->axis[least])) least = k;
  double any[3] = {0, 0, 0};
  any[least] = 1;
  sim_cross(b->axis, any, out->normal);
  double norm = sim_norm(out->normal);
  for (int k = 0; k < 3; k++) out->normal[k] /= norm;
}

void sim_body_touch(const sim_body *b, const double x_m[3], sim_touch *out) {
  double r[3], turned[3];
  sim_sub(x_m, b->origin_m, r);
  sim_cross(b->spin_rad_per_s, r, turned);
  for (int k = 0; k < 3; k++) out->velocity_m_per_s[k] = b->velocity_m_per_s[k] + turned[k];
  if (b->shape != SIM_PLANE) {
    touch_round(b, r, out);
    return;
  }
  out->distance_m = sim_dot(r, b->axis);
  for (int k = 0; k < 3; k++) out->normal[k] = b->axis[k];
}

/* Rodrigues' rotation of a unit vector by the spin over dt. */
static void turn(const double spin[3], double dt_s, double v[3]) {
  double rate = sim_norm(spin), angle = rate * dt_s;
  if (rate == 0) return;
  double n[3] = {spin[0] / rate, spin[1] / rate, spin[2] / rate}, across[3];
  sim_cross(n, v, across);
  double along = sim_dot(n, v), c = cos(angle), s = sin(angle);
  for (int k = 0; k < 3; k++) v[k] = c * v[k] + s * across[k] + (1 - c) * along * n[k];
  double norm = sim_norm(v);
  for (int k = 0; k < 3; k++) v[k] /= norm;
}

void sim_body_move(sim_body *b, double dt_s) {
  sim_add(b->origin_m, dt_s, b->velocity_m_per_s);
  turn(b->spin_rad_per_s, dt_s, b->axis);
}

static cb_status check_finite(const char *what, const double v[3], cb_err *err) {
  for (int k = 0; k < 3; k++)
    if (!isfinite(v[k])) return cb_fail(err, CB_E_RANGE, "body: %s[%d] = %g: must be finite", what, k, v[k]);
  return CB_OK;
}

cb_status sim_body_check(const sim_body *b, cb_err *err) {
  CB_TRY(check_finite("origin_m", b->origin_m, err));
  CB_TRY(check_finite("axis", b->axis, err));
  CB_TRY(check_finite("velocity_m_per_s", b->velocity_m_per_s, err));
  CB_TRY(check_finite("spin_rad_per_s", b->spin_rad_per_s, err));
  if (fabs(sim_norm(b->axis) - 1) > 1e-9) return cb_fail(err, CB_E_RANGE, "body: axis has length %g: must be 1", sim_norm(b->axis));
  if (b->shape != SIM_PLANE && !(isfinite(b->radius_m) && b->radius_m > 0))
    return cb_fail(err, CB_E_RANGE, "body: radius = %g m: must be finite and > 0", b->radius_m);
  return sim_friction_check(&b->friction, err);
}
