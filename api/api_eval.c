#include <math.h>

#include "api_impl.h"
#include "cb_num.h"
#include "cb_stats.h"

/* One point of a law. */
typedef struct point {
  double value, u, dof; /* u: of the value, or of its logarithm */
  bool measured, of_log;
} point;

static void put_point(const clothbench_law *law, const clothbench_band *out, size_t i, point p) {
  const double u = law->drawn ? 0 : p.u, wide = u > 0 ? cb_student_t(0.95, p.dof) * u : u;
  if (out->value) out->value[i] = p.value;
  if (out->u) out->u[i] = p.of_log ? p.value * u : u;
  if (out->low) out->low[i] = p.of_log ? p.value * exp(-wide) : p.value - wide;
  if (out->high) out->high[i] = p.of_log ? p.value * exp(wide) : p.value + wide;
  if (out->measured) out->measured[i] = p.measured;
}

static cb_status check_kind(const clothbench_law *law, bool fits, const char *wanted, cb_err *err) {
  return fits ? CB_OK : cb_fail(err, CB_E_ARG, "the law of %s: a law of %s was wanted", law->cloth, wanted);
}

/* zero: 0 is allowed. */
static cb_status check_positive(const char *name, size_t n, const double *x, bool zero, cb_err *err) {
  for (size_t i = 0; i < n; i++)
    if (!(x[i] > 0 || (zero && x[i] == 0)) || !isfinite(x[i]))
      return cb_fail(err, CB_E_RANGE, "%s[%zu] = %g: a number %s 0 was wanted", name, i, x[i],
                     zero ? ">=" : ">");
  return CB_OK;
}

static cb_status check_angles(const char *name, size_t n, const double *deg, cb_err *err) {
  for (size_t i = 0; i < n; i++)
    if (!isfinite(deg[i]))
      return cb_fail(err, CB_E_RANGE, "%s[%zu] = %g: an angle was wanted", name, i, deg[i]);
  return CB_OK;
}

/* ---- friction ---- */

static cb_status check_friction(const clothbench_law *law, size_t n, const double *angle_deg, const double *N,
                                bool zero, cb_err *err) {
  CB_TRY(check_kind(law, law->kind <= CLOTHBENCH_STATIC, "kinetic or static friction", err));
  CB_TRY(check_angles("angle_deg", n, angle_deg, err));
  return check_positive("normal_force_N", n, N, zero, err);
}

static point friction_at(const clothbench_law *law, double angle_deg, double N, double over) {
  cb_friction_value v;
  cb_friction_law_eval(&law->of.friction, cb_direction_rad(angle_deg), N, &v);
  return (point){v.force_N / over, v.u_force_N / over, v.dof, v.inside_measured_range, false};
}

clothbench_status clothbench_friction_force(const clothbench_law *law, size_t n, const double *angle_deg,
                                            const double *normal_force_N, const clothbench_band *out,
                                            clothbench_error *error) {
  const cb_status st = check_friction(law, n, angle_deg, normal_force_N, true, api_err(error));
  for (size_t i = 0; st == CB_OK && i < n; i++)
    put_point(law, out, i, friction_at(law, angle_deg[i], normal_force_N[i], 1));
  return api_status(st);
}

clothbench_status clothbench_friction_mu(const clothbench_law *law, size_t n, const double *angle_deg,
                                         const double *normal_force_N, const clothbench_band *out,
                                         clothbench_error *error) {
  const cb_status st = check_friction(law, n, angle_deg, normal_force_N, false, api_err(error));
  for (size_t i = 0; st == CB_OK && i < n; i++)
    put_point(law, out, i, friction_at(law, angle_deg[i], normal_force_N[i], normal_force_N[i]));
  return api_status(st);
}

clothbench_status clothbench_friction_tensor(const clothbench_law *law, size_t n,
                                             const double *normal_force_N, double *f_N,
                                             clothbench_error *error) {
  cb_status st =
      check_kind(law, law->kind <= CLOTHBENCH_STATIC, "kinetic or static friction", api_err(error));
  if (st == CB_OK) st = check_positive("normal_force_N", n, normal_force_N, true, api_err(error));
  for (size_t i = 0; st == CB_OK && i < n; i++)
    cb_friction_law_matrix(&law->of.friction, normal_force_N[i], &f_N[3 * i]);
  return api_status(st);
}

clothbench_status clothbench_self_friction_force(const clothbench_law *law, size_t n, const double *angle_deg,
                                                 const double *body_angle_deg, const double *normal_force_N,
                                                 const clothbench_band *out, clothbench_error *error) {
  cb_err *err = api_err(error);
  cb_status st = check_kind(law, law->kind == CLOTHBENCH_SELF_FRICTION, "self-friction", err);
  if (st == CB_OK) st = check_angles("angle_deg", n, angle_deg, err);
  if (st == CB_OK) st = check_angles("body_angle_deg", n, body_angle_deg, err);
  if (st == CB_OK) st = check_positive("normal_force_N", n, normal_force_N, true, err);
  for (size_t i = 0; st == CB_OK && i < n; i++) {
    cb_friction_value v;
    cb_self_friction_eval(&law->of.self, cb_direction_rad(angle_deg[i]), cb_direction_rad(body_angle_deg[i]),
                          normal_force_N[i], &v);
    put_point(law, out, i, (point){v.force_N, v.u_force_N, v.dof, v.inside_measured_range, false});
  }
  return api_status(st);
}

/* ---- stretch and bending ---- */

clothbench_status clothbench_stretch_force(const clothbench_law *law, size_t n, const double *angle_deg,
                                           const double *strain, const clothbench_band *out,
                                           clothbench_error *error) {
  cb_err *err = api_err(error);
  cb_status st = check_kind(law, law->kind == CLOTHBENCH_STRETCH, "stretch", err);
  if (st == CB_OK) st = check_angles("angle_deg", n, angle_deg, err);
  if (st == CB_OK) st = check_positive("strain", n, strain, true, err);
  for (size_t i = 0; st == CB_OK && i < n; i++) {
    cb_stretch_value v;
    cb_stretch_eval(&law->of.stretch, angle_deg[i], strain[i], &v);
    put_point(law, out, i, (point){v.force_N_per_m, v.u_N_per_m, v.dof, v.inside_measured_range, false});
  }
  return api_status(st);
}

static point rigidity_at(const clothbench_law *law, double angle_deg, double K) {
  cb_bending_value v;
  cb_bending_eval(&law->of.bending.law, cb_direction_rad(angle_deg), K, &v);
  return (point){v.B_Nm, v.u_B_Nm, v.dof, v.inside_measured_range, false};
}

/* The friction of warp (0) or weft at a curvature along it: it grows up to the onset. */
static double yarn_friction_N(const cb_bending_loading *l, int yarn, double K) {
  if (isnan(l->onset_per_m)) return NAN;
  return l->onset_per_m > 0 ? l->friction_N[yarn] * fmin(K / l->onset_per_m, 1) : 0;
}

/* A law of slopes tells B K beyond the friction of the yarns. Warp and weft bend by K c^2 and K s^2, and
 * their frictions do the work of one moment: as in the simulator (docs/method/bending.md). */
static point moment_at(const clothbench_law *law, double angle_deg, double K) {
  const cb_bending_loading *l = &law->of.bending.loading;
  const double c = cos(cb_direction_rad(angle_deg)), c2 = c * c, s2 = 1 - c2,
               h = c2 * yarn_friction_N(l, 0, K * c2) + s2 * yarn_friction_N(l, 1, K * s2),
               most = c2 * l->friction_N[0] + s2 * l->friction_N[1];
  point p = rigidity_at(law, angle_deg, K);
  p.u = hypot(p.u * K, h * hypot(l->u_ln_friction, h < most ? l->u_ln_onset : 0));
  p.value = p.value * K + h;
  return p;
}

static clothbench_status bend(const clothbench_law *law, size_t n, const double *angle_deg,
                              const double *K_per_m,
                              point (*at)(const clothbench_law *law, double angle_deg, double K),
                              const clothbench_band *out, cb_err *err) {
  cb_status st = check_kind(law, law->kind == CLOTHBENCH_BENDING, "bending", err);
  if (st == CB_OK) st = check_angles("angle_deg", n, angle_deg, err);
  if (st == CB_OK) st = check_positive("curvature_per_m", n, K_per_m, true, err);
  for (size_t i = 0; st == CB_OK && i < n; i++) put_point(law, out, i, at(law, angle_deg[i], K_per_m[i]));
  return api_status(st);
}

clothbench_status clothbench_bending_rigidity(const clothbench_law *law, size_t n, const double *angle_deg,
                                              const double *curvature_per_m, const clothbench_band *out,
                                              clothbench_error *error) {
  return bend(law, n, angle_deg, curvature_per_m, rigidity_at, out, api_err(error));
}

clothbench_status clothbench_bending_moment(const clothbench_law *law, size_t n, const double *angle_deg,
                                            const double *curvature_per_m, const clothbench_band *out,
                                            clothbench_error *error) {
  return bend(law, n, angle_deg, curvature_per_m, moment_at, out, api_err(error));
}

/* ---- under a pressure ---- */

static cb_status check_pressure(const clothbench_law *law, clothbench_kind kind, const char *wanted, size_t n,
                                const double *pressure_Pa, cb_err *err) {
  CB_TRY(check_kind(law, law->kind == kind, wanted, err));
  return check_positive("pressure_Pa", n, pressure_Pa, false, err);
}

clothbench_status clothbench_air_velocity(const clothbench_law *law, size_t n, const double *pressure_Pa,
                                          const clothbench_band *out, clothbench_error *error) {
  const cb_permeability_layer one = {&law->of.air, 1};
  const cb_status st =
      check_pressure(law, CLOTHBENCH_PERMEABILITY, "permeability", n, pressure_Pa, api_err(error));
  for (size_t i = 0; st == CB_OK && i < n; i++) {
    cb_permeability_value v;
    cb_permeability_at_pressure(&one, 1, pressure_Pa[i], &v);
    put_point(law, out, i,
              (point){v.velocity_m_per_s, v.u_ln_velocity, v.dof, v.inside_measured_range, true});
  }
  return api_status(st);
}

clothbench_status clothbench_thickness(const clothbench_law *law, size_t n, const double *pressure_Pa,
                                       const clothbench_band *out, clothbench_error *error) {
  const cb_status st =
      check_pressure(law, CLOTHBENCH_COMPRESSION, "compression", n, pressure_Pa, api_err(error));
  for (size_t i = 0; st == CB_OK && i < n; i++) {
    cb_compression_value v;
    cb_compression_at_pressure(&law->of.compression, pressure_Pa[i], &v);
    put_point(law, out, i, (point){v.thickness_m, v.u_ln, v.dof, v.inside_measured_range, true});
  }
  return api_status(st);
}

double clothbench_en(double predicted, double u95_predicted, double measured, double u95_measured) {
  return (predicted - measured) / hypot(u95_predicted, u95_measured);
}
