#include "cb_self_friction_law.h"

#include <math.h>

#include "cb_uncertainty.h"

const char *const cb_self_rule_names[] = {"mean", "product", NULL};
const char *const cb_self_exponent_names[] = {"fitted", "pair", "assumed", NULL};

/* h: cos and sin of twice the angle. */
static double surface(const double p[CB_SELF_PARAMETERS], int i, const double h[2]) {
  return 1 + p[2 + 2 * i] * h[0] + p[3 + 2 * i] * h[1];
}

static double combine(cb_self_rule rule, const double q[2]) {
  return rule == CB_SELF_MEAN ? 0.5 * (q[0] + q[1]) : sqrt(q[0] * q[1]);
}

double cb_self_friction_log_directions(const cb_self_form *form, const double angle_rad[2],
                                       double gradient[4]) {
  double h[2][2], q[2];
  for (int i = 0; i < 2; i++) {
    h[i][0] = cos(2 * angle_rad[i]), h[i][1] = sin(2 * angle_rad[i]);
    q[i] = surface(form->p, i, h[i]);
  }
  for (int i = 0; gradient && i < 2; i++)
    for (int k = 0; k < 2; k++)
      gradient[2 * i + k] = h[i][k] / (form->rule == CB_SELF_MEAN ? q[0] + q[1] : 2 * q[i]);
  return log(combine(form->rule, q));
}

/* ---- the law ---- */

static cb_status check_form(const cb_self_friction_law *law, const cb_self_form *f, cb_err *err) {
  const double *p = f->p;
  if (isfinite(p[0]) && isfinite(p[1]) && p[1] > 0 && hypot(p[2], p[3]) < 1 && hypot(p[4], p[5]) < 1)
    return CB_OK;
  return cb_fail(err, CB_E_NUM,
                 "self-friction law %s on %s: ln F1 %g, exponent %g, tensors (%g, %g) and (%g, %g): finite "
                 "numbers, an exponent > 0 and "
                 "amplitudes below 1 were wanted",
                 law->cloth, law->body, p[0], p[1], p[2], p[3], p[4], p[5]);
}

static cb_status check_uncertainty(const cb_self_friction_law *law, cb_err *err) {
  CB_TRY(cb_check_dof(law->dof, "dof", err));
  CB_TRY(cb_check_u(law->u_rel_common, "u_rel_common", err));
  CB_TRY(cb_check_u(law->u_floor_N, "u_floor_N", err));
  return cb_check_covariance(&law->cov[0][0], CB_SELF_PARAMETERS, "its parameters", err);
}

cb_status cb_self_friction_law_check(const cb_self_friction_law *law, cb_err *err) {
  CB_TRY(check_form(law, &law->form, err));
  if (law->other_weight > 0) CB_TRY(check_form(law, &law->other, err));
  if (!(law->reference_N > 0) || !(law->min_N > 0) || !(law->max_N >= law->min_N) ||
      !(law->contact_area_m2 > 0))
    return cb_fail(err, CB_E_RANGE,
                   "self-friction law %s on %s: loads %g, %g to %g N, area %g m2: numbers > 0 were wanted",
                   law->cloth, law->body, law->reference_N, law->min_N, law->max_N, law->contact_area_m2);
  if (!(law->other_weight >= 0 && law->other_weight <= 0.5))
    return cb_fail(err, CB_E_RANGE,
                   "self-friction law %s on %s: weight of the other rule %g: 0 to 0.5 was wanted", law->cloth,
                   law->body, law->other_weight);
  cb_status st = check_uncertainty(law, err);
  return st == CB_OK ? CB_OK : cb_fail_in(err, st, "self-friction law %s on %s", law->cloth, law->body);
}

double cb_self_friction_force_N(const cb_self_friction_law *law, const double cloth[2], const double body[2],
                                double normal_force_N) {
  if (!(normal_force_N > 0)) return 0;
  const double *u[2] = {cloth, body}, *p = law->form.p;
  double q[2];
  for (int i = 0; i < 2; i++) {
    double h[2] = {u[i][0] * u[i][0] - u[i][1] * u[i][1], 2 * u[i][0] * u[i][1]};
    q[i] = surface(p, i, h);
  }
  return exp(p[0] + p[1] * log(normal_force_N / law->reference_N)) * combine(law->form.rule, q);
}

/* Relative variance of the force from the parameters. */
static double rel_var(const cb_self_friction_law *law, const double gradient[4], double x) {
  double g[CB_SELF_PARAMETERS] = {1, x, gradient[0], gradient[1], gradient[2], gradient[3]}, var = 0;
  for (int i = 0; i < CB_SELF_PARAMETERS; i++)
    for (int k = 0; k < CB_SELF_PARAMETERS; k++) var += g[i] * law->cov[i][k] * g[k];
  return fmax(var, 0);
}

void cb_self_friction_eval(const cb_self_friction_law *law, double cloth_angle_rad, double body_angle_rad,
                           double normal_force_N, cb_friction_value *out) {
  *out = (cb_friction_value){.dof = law->dof};
  if (!(normal_force_N > 0)) return;
  double angle_rad[2] = {cloth_angle_rad, body_angle_rad}, gradient[4],
         x = log(normal_force_N / law->reference_N), spread = 0;
  const double *p = law->form.p, *o = law->other.p;
  double ln_F = p[0] + p[1] * x + cb_self_friction_log_directions(&law->form, angle_rad, gradient);
  out->force_N = exp(ln_F);
  if (law->other_weight > 0) {
    double other = o[0] + o[1] * x + cb_self_friction_log_directions(&law->other, angle_rad, NULL);
    spread = sqrt(law->other_weight) * expm1(other - ln_F);
  }
  double fit = rel_var(law, gradient, x), floor = law->u_floor_N / out->force_N;
  double var = fit + spread * spread + law->u_rel_common * law->u_rel_common + floor * floor;
  out->u_force_N = out->force_N * sqrt(var);
  if (fit > 0)
    out->dof *= var / fit * (var / fit); /* Welch and Satterthwaite, all but the fit known without limit */
  /* A load typed with fewer digits than the measured one still counts as measured. */
  out->inside_measured_range =
      normal_force_N >= law->min_N * (1 - 1e-6) && normal_force_N <= law->max_N * (1 + 1e-6);
}

cb_self_friction_law cb_self_friction_law_on_area(const cb_self_friction_law *law, double area_m2) {
  cb_self_friction_law scaled = *law;
  double r = area_m2 / law->contact_area_m2;
  scaled.contact_area_m2 = area_m2;
  scaled.form.p[0] += log(r);
  scaled.other.p[0] += log(r);
  scaled.reference_N *= r, scaled.min_N *= r, scaled.max_N *= r, scaled.u_floor_N *= r;
  return scaled;
}
