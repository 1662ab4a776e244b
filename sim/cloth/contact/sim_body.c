#include "sim_body.h"

#include <stddef.h>
#include <string.h>

#include "sim_body_inner.h"
#include "sim_vec.h"

const char *const sim_shape_names[] = {"plane", "sphere", "cylinder", "triangles", NULL};

/* A direction at right angles to the axis. */
static void any_across(const double axis[3], double out[3]) {
  int least = 0;
  for (int k = 1; k < 3; k++)
    if (fabs(axis[k]) < fabs(axis[least])) least = k;
  double any[3] = {0, 0, 0};
  any[least] = 1;
  sim_cross(axis, any, out);
  double norm = sim_norm(out);
  for (int k = 0; k < 3; k++) out[k] /= norm;
}

/* Away from the centre or the axis; on it, any direction is as good. */
static bool touch_round(const sim_body *b, double r[3], double within_m, sim_touch *out) {
  if (b->shape == SIM_CYLINDER) sim_add(r, -sim_dot(r, b->axis), b->axis);
  double length = sim_norm(r);
  out->distance_m = length - b->radius_m;
  if (!(out->distance_m < within_m)) return false;
  for (int k = 0; k < 3; k++) out->normal[k] = length > 0 ? r[k] / length : 0;
  if (!(length > 0)) any_across(b->axis, out->normal);
  return true;
}

static bool touch_plane(const sim_body *b, const double r[3], double within_m, sim_touch *out) {
  out->distance_m = sim_dot(r, b->axis);
  for (int k = 0; k < 3; k++) out->normal[k] = b->axis[k];
  return out->distance_m < within_m;
}

void sim_body_place(const sim_body *b, const double own_m[3], double out_m[3]) {
  for (int k = 0; k < 3; k++) out_m[k] = own_m[k];
  sim_turn(out_m, b->turned_rad, 1);
  sim_add(out_m, 1, b->origin_m);
}

void sim_body_velocity(const sim_body *b, const double x_m[3], double out[3]) {
  double r[3];
  sim_sub(x_m, b->origin_m, r);
  sim_cross(b->spin_rad_per_s, r, out);
  sim_add(out, 1, b->velocity_m_per_s);
}

double sim_body_inner_m(const sim_body *b) {
  if (b->shape == SIM_PLANE) return INFINITY;
  return b->shape == SIM_TRIANGLES ? sim_solid_core(b->solid)->inner_m : b->radius_m;
}

void sim_body_shape_velocity(const sim_body *b, const double x_m[3], double out[3]) {
  sim_body still = *b;
  if (b->shape == SIM_SPHERE) memset(still.spin_rad_per_s, 0, sizeof still.spin_rad_per_s);
  if (b->shape == SIM_CYLINDER) sim_add(still.spin_rad_per_s, -sim_dot(b->spin_rad_per_s, b->axis), b->axis);
  sim_body_velocity(&still, x_m, out);
}

static bool touch_solid(const sim_body *b, double r[3], double within_m, sim_touch *out) {
  sim_turn(r, b->turned_rad, -1);
  if (!sim_solid_near(b->solid, r, within_m, &out->distance_m, out->normal)) return false;
  sim_turn(out->normal, b->turned_rad, 1);
  return true;
}

static bool touch_shape(const sim_body *b, double r[3], double within_m, sim_touch *out) {
  switch (b->shape) {
    case SIM_PLANE: return touch_plane(b, r, within_m, out);
    case SIM_SPHERE:
    case SIM_CYLINDER: return touch_round(b, r, within_m, out);
    case SIM_TRIANGLES: return touch_solid(b, r, within_m, out);
  }
  return false;
}

/* Most points are far away, so that the normal and the velocity come last. */
bool sim_body_near(const sim_body *b, const double x_m[3], double within_m, sim_touch *out) {
  double r[3];
  sim_sub(x_m, b->origin_m, r);
  if (!touch_shape(b, r, within_m, out)) return false;
  sim_body_velocity(b, x_m, out->velocity_m_per_s);
  return true;
}

void sim_body_touch(const sim_body *b, const double x_m[3], sim_touch *out) {
  (void)sim_body_near(b, x_m, INFINITY, out);
}

/* Rotation vector of the quaternion product: first `turned`, then spin over dt. */
static void turn_on(const double spin[3], double dt_s, double turned[3]) {
  double p[4], q[4], v[3];
  const double *rotation[2] = {spin, turned}, share[2] = {dt_s / 2, 0.5};
  double *quaternion[2] = {p, q};
  for (int i = 0; i < 2; i++) {
    double length = sim_norm(rotation[i]), half = length * share[i];
    quaternion[i][0] = cos(half);
    for (int k = 0; k < 3; k++) quaternion[i][k + 1] = length > 0 ? sin(half) * rotation[i][k] / length : 0;
  }
  sim_cross(p + 1, q + 1, v);
  for (int k = 0; k < 3; k++) v[k] += p[0] * q[k + 1] + q[0] * p[k + 1];
  double w = p[0] * q[0] - sim_dot(p + 1, q + 1), s = sim_norm(v);
  double angle = 2 * atan2(s, w);
  for (int k = 0; k < 3; k++) turned[k] = s > 0 ? angle * v[k] / s : 0;
}

void sim_body_move(sim_body *b, double dt_s) {
  sim_add(b->origin_m, dt_s, b->velocity_m_per_s);
  sim_turn(b->axis, b->spin_rad_per_s, dt_s);
  double norm = sim_norm(b->axis);
  for (int k = 0; k < 3 && b->shape != SIM_TRIANGLES; k++) b->axis[k] /= norm;
  if (b->shape == SIM_TRIANGLES) turn_on(b->spin_rad_per_s, dt_s, b->turned_rad);
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
  if (b->shape == SIM_TRIANGLES) {
    CB_TRY(check_finite("turned_rad", b->turned_rad, err));
    if (!b->solid) return cb_fail(err, CB_E_RANGE, "body: triangles without a solid: one was wanted");
    return sim_friction_check(&b->friction, err);
  }
  if (fabs(sim_norm(b->axis) - 1) > 1e-9)
    return cb_fail(err, CB_E_RANGE, "body: axis has length %g: must be 1", sim_norm(b->axis));
  if (b->shape != SIM_PLANE && !(isfinite(b->radius_m) && b->radius_m > 0))
    return cb_fail(err, CB_E_RANGE, "body: radius = %g m: must be finite and > 0", b->radius_m);
  return sim_friction_check(&b->friction, err);
}
