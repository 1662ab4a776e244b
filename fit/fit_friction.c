#include "fit_friction.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cb_num.h"
#include "cb_stats.h"
#include "fit_steps.h"

const char *const fit_friction_outcome_text[] = {"fitted", "there is no usable friction force",
                                                 "the mean friction force is not positive at some load",
                                                 "there are more than 64 distinct loads", "there are more than 64 distinct angles"};
const char *const fit_basis_names[] = {"repeats", "residuals", "assumed", NULL};

/* ---- what may be fitted together ---- */

static cb_status check_pair(const cb_friction_obs *obs, size_t n, cb_err *err) {
  for (size_t i = 1; i < n; i++) {
    const cb_run *a = &obs[0].run, *b = &obs[i].run;
    if (cb_origin_is_real(a->origin) != cb_origin_is_real(b->origin))
      return cb_fail(err, CB_E_RANGE,
                     "run %lld is %s and run %lld is %s: real and virtual runs are never fitted together, one origin was wanted",
                     (long long)a->id, cb_origin_names[a->origin], (long long)b->id, cb_origin_names[b->origin]);
    if (fabs(a->contact_area_m2 - b->contact_area_m2) > 1e-3 * a->contact_area_m2)
      return cb_fail(err, CB_E_RANGE, "run %lld has a contact area of %g cm2 and run %lld one of %g cm2: one law holds for one area",
                     (long long)a->id, 1e4 * a->contact_area_m2, (long long)b->id, 1e4 * b->contact_area_m2);
  }
  return CB_OK;
}

/* The weakest origin that went in. */
static cb_origin joint_origin(const cb_friction_obs *obs, size_t n) {
  cb_origin o = CB_MEASURED;
  for (size_t i = 0; i < n; i++)
    if (obs[i].run.origin > o) o = obs[i].run.origin;
  return o;
}

/* The worst of the calibrations that went in: nobody knows how far they would agree. */
typedef struct calibration {
  double u_rel, u_floor_N, dof; /* dof: INFINITY where not known */
} calibration;

static calibration worst_calibration(const cb_friction_obs *obs, size_t n) {
  calibration c = {.dof = INFINITY};
  for (size_t i = 0; i < n; i++) {
    c.u_rel = fmax(c.u_rel, obs[i].u_rel_calibration);
    c.u_floor_N = fmax(c.u_floor_N, obs[i].u_floor_calibration_N);
    if (obs[i].dof_calibration > 0) c.dof = fmin(c.dof, obs[i].dof_calibration);
  }
  return c;
}

/* ---- over the loads ---- */

static double trace_of(const cb_friction_knot *k) { return k->f_N[0] + k->f_N[2]; }

/* Relative variance of the force in one direction. */
static double direction_var(const cb_friction_knot *k, double angle_rad) {
  double c = cos(angle_rad), s = sin(angle_rad), g[3] = {c * c, 2 * s * c, s * s}, var = 0, f = cb_friction_quadratic(k->f_N, angle_rad);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) var += g[i] * k->cov_N2[i][j] * g[j];
  return var / (f * f);
}

/* Relative variance of the mean over directions, f00 + f11. */
static double trace_var(const cb_friction_knot *k) {
  double t = trace_of(k);
  return (k->cov_N2[0][0] + 2 * k->cov_N2[0][2] + k->cov_N2[2][2]) / (t * t);
}

/* Leaves out each inner knot: what the power law between its neighbours misses, less what noise explains, is curvature.
 * For a smooth curve e = k h1 h2 / 2, and the law, which keeps the knot, misses k h^2 / 8 at the middle of an interval h. A quarter of
 * e would follow for even spacing; half is used, because nothing promises that real curves are that smooth between loads. */
static double model_error(const cb_friction_law *law) {
  double curvature2 = 0, spacing2 = 0, x[3], y[3];
  size_t n = law->n_knots;
  for (size_t i = 1; i < n; i++) {
    double h = log(law->knots[i].normal_force_N / law->knots[i - 1].normal_force_N);
    spacing2 += h * h / (double)(n - 1);
  }
  if (n < 3) return FIT_TYPICAL_CURVATURE * spacing2 / 4;
  for (size_t i = 1; i + 1 < n; i++) {
    for (size_t j = 0; j < 3; j++) x[j] = log(law->knots[i + j - 1].normal_force_N), y[j] = log(trace_of(&law->knots[i + j - 1]));
    double h1 = x[1] - x[0], h2 = x[2] - x[1], w = h1 / (h1 + h2);
    double e = y[1] - (1 - w) * y[0] - w * y[2];
    double noise = trace_var(&law->knots[i]) + (1 - w) * (1 - w) * trace_var(&law->knots[i - 1]) + w * w * trace_var(&law->knots[i + 1]);
    double k = 2 / (h1 * h2);
    curvature2 += k * k * (e * e - noise) / (double)(n - 2);
  }
  return sqrt(fmax(0, curvature2)) * spacing2 / 4;
}

typedef struct line {
  double slope, var_known, chi2; /* var_known: from the knots' variances alone */
} line;

/* Weighted straight line of ln(trace) over ln N; tau2 is what every knot scatters beyond its variance. */
static line fit_line(const cb_friction_law *law, double tau2) {
  double sw = 0, sx = 0, sy = 0, sxx = 0, sxy = 0, chi2 = 0;
  for (int pass = 0; pass < 2; pass++) {
    for (size_t i = 0; i < law->n_knots; i++) {
      const cb_friction_knot *k = &law->knots[i];
      double w = 1 / (trace_var(k) + tau2 + 1e-18), x = log(k->normal_force_N), y = log(trace_of(k));
      if (pass == 0) {
        sw += w, sx += w * x, sy += w * y;
      } else {
        sxx += w * (x - sx / sw) * (x - sx / sw), sxy += w * (x - sx / sw) * (y - sy / sw), chi2 += w * (y - sy / sw) * (y - sy / sw);
      }
    }
  }
  return (line){.slope = sxy / sxx, .var_known = 1 / sxx, .chi2 = fmax(0, chi2 - sxy * sxy / sxx)};
}

/* How far the exponents of the first and the last interval depart, in the directions 0, 45 and 90 degrees, from the one exponent
 * of the law, beyond noise: that is what counts when the law is carried past its ends. */
static double end_spread2(const cb_friction_law *law, double exponent) {
  size_t n = law->n_knots, from[2] = {0, n - 2};
  double sum = 0;
  for (int i = 0; i < 2; i++)
    for (int deg = 0; deg <= 90; deg += 45) {
      const cb_friction_knot *a = &law->knots[from[i]], *b = a + 1;
      double fa = cb_friction_quadratic(a->f_N, deg * CB_DEG), fb = cb_friction_quadratic(b->f_N, deg * CB_DEG);
      double h = log(b->normal_force_N / a->normal_force_N), s = log(fb / fa) / h;
      sum += ((s - exponent) * (s - exponent) - (direction_var(a, deg * CB_DEG) + direction_var(b, deg * CB_DEG)) / (h * h)) / 6;
    }
  return fmax(0, sum);
}

static void fit_exponent(fit_friction_law *f, const fit_scatter *s, fit_test *linearity) {
  cb_friction_law *law = &f->law;
  *linearity = (fit_test){0};
  f->exponent_basis = FIT_ASSUMED;
  law->exponent = 1;
  law->u_exponent = FIT_TYPICAL_EXPONENT_SPREAD;
  if (law->n_knots < 2) return;
  line l = fit_line(law, law->u_rel_model * law->u_rel_model);
  double spare = (double)law->n_knots - 2, birge = spare > 0 ? fmax(1, l.chi2 / spare) : 1;
  double u = sqrt(l.var_known * birge), ends = spare > 0 ? end_spread2(law, l.slope) : FIT_TYPICAL_END_SPREAD * FIT_TYPICAL_END_SPREAD;
  f->exponent_basis = spare > 0 ? FIT_FROM_RESIDUALS : s->basis;
  law->exponent = fmin(fmax(l.slope, 0.05), 2);
  law->u_exponent = sqrt(u * u + ends);
  *linearity = (fit_test){.done = true, .dof2 = birge > 1 ? spare : s->dof, .effect = l.slope};
  linearity->statistic = (l.slope - 1) / u;
  linearity->p_value = cb_t_p_two_sided(linearity->statistic, linearity->dof2);
}

/* ---- what all runs of a level share ---- */

/* A wrong load is a wrong force, by the local power law; every run of the level sits on the same weights. */
static void add_load_uncertainty(cb_friction_law *law, const fit_data *d) {
  for (size_t l = 0; l < law->n_knots; l++) {
    cb_friction_knot *k = &law->knots[l];
    double r = law->exponent * d->levels[l].u_normal_force_N / k->normal_force_N;
    for (int i = 0; i < 3; i++)
      for (int j = 0; j < 3; j++) k->cov_N2[i][j] += r * r * k->f_N[i] * k->f_N[j];
  }
}

/* The part of the calibration that does not grow with the force is the same newtons in every direction: f00 and f11 go together. */
static void add_calibration_floor(cb_friction_law *law, double u_floor_N) {
  for (size_t l = 0; l < law->n_knots; l++)
    for (int i = 0; i < 3; i += 2)
      for (int j = 0; j < 3; j += 2) law->knots[l].cov_N2[i][j] += u_floor_N * u_floor_N;
}

/* Relative variance of one run at a level. */
static double run_var(const fit_data *d, const fit_level *l, const fit_scatter *s) {
  double sum = 0;
  for (size_t k = l->first; k < l->first + l->n; k++) {
    double u = d->cells[k].u_point_N / d->cells[k].mean_N;
    sum += u * u / (double)l->n;
  }
  return s->rel * s->rel + sum;
}

/* Welch-Satterthwaite, averaged over loads and directions: the pooled scatter has the degrees of freedom of the repeats, the calibration
 * its own; load and what the points state themselves count as known. */
static double joint_dof(const cb_friction_law *law, const fit_data *d, const fit_scatter *s, double calibration_dof) {
  double worth = 0, dof = s->place_rel > 0 ? s->place_dof : s->dof;
  /* Where the points' own uncertainty explains everything, nothing was estimated. */
  if (!(s->rel > 0) && !(s->place_rel > 0)) dof = INFINITY;
  for (size_t l = 0; l < law->n_knots; l++)
    for (int deg = 0; deg <= 90; deg += 45) {
      double var = direction_var(&law->knots[l], deg * CB_DEG), common = law->u_rel_common * law->u_rel_common, total = var + common;
      if (!(total > 0)) continue;
      double estimated = isinf(dof) ? 0 : s->place_rel > 0 ? var : var * fmin(1, s->pooled_var / run_var(d, &d->levels[l], s));
      double e = estimated / total, c = common / total;
      worth += (e * e / dof + c * c / calibration_dof) / (3 * (double)law->n_knots);
    }
  return worth > 0 ? fmax(1, 1 / worth) : INFINITY;
}

static double rmse(const fit_data *d, const cb_friction_law *law) {
  double sum = 0;
  for (size_t i = 0; i < d->n; i++) {
    cb_friction_value v;
    cb_friction_law_eval(law, d->data[i].angle_deg * CB_DEG, d->data[i].normal_force_N, &v);
    sum += (d->data[i].force_N - v.force_N) * (d->data[i].force_N - v.force_N);
  }
  return sqrt(sum / (double)d->n);
}

/* ---- one kind of force ---- */

/* What scatters is the surface: breakaway shows at least as much of it as sliding does. Seen alone, static peaks of light carts are so
 * noisy that the difference of two large variances would leave nothing. */
static void scatter_at_least(fit_scatter *s, const fit_scatter *least) {
  if (s->rel < least->rel) {
    s->rel = least->rel;
    s->dof = least->dof;
    s->pooled_var = fmax(s->pooled_var, least->pooled_var);
  }
  if (s->place_rel < least->place_rel) {
    s->place_rel = least->place_rel;
    s->place_dof = least->place_dof;
  }
}

/* least: bounds the scatter from below, and receives it. */
static cb_status fit_law(const fit_data *d, const fit_friction_options *opt, const calibration *cal, fit_scatter *least,
                         fit_friction_law *f, fit_verdict *v, cb_err *err) {
  f->outcome = d->outcome;
  f->n_points = d->n;
  if (d->outcome != FIT_FRICTION_OK) return CB_OK;
  CB_TRY(fit_rules_apply(d, v, err));
  fit_scatter s = fit_scatter_of(d);
  scatter_at_least(&s, least);
  *least = s;
  fit_directions dir = fit_directions_of(d, &s);
  v->isotropy = dir.test;
  v->symmetry = fit_symmetry_of(d);
  f->law.form = fit_form_of(d, v, &dir);
  f->law.n_knots = d->n_levels;
  CB_TRY(fit_knots_make(d, f->law.form, &s, &dir, opt->u_angle_rad, f->law.knots, &v->form, &f->outcome, err));
  if (f->outcome != FIT_FRICTION_OK) return CB_OK;
  f->scatter_rel = s.rel;
  f->scatter_dof = s.dof;
  f->placement_rel = s.place_rel;
  f->placement_dof = s.place_dof;
  f->scatter_basis = s.basis;
  f->direction_basis = dir.basis;
  f->law.u_rel_common = cal->u_rel;
  f->law.u_rel_model = model_error(&f->law);
  fit_exponent(f, &s, &v->linearity);
  add_load_uncertainty(&f->law, d);
  add_calibration_floor(&f->law, cal->u_floor_N);
  f->law.dof = joint_dof(&f->law, d, &s, cal->dof);
  f->rmse_N = rmse(d, &f->law);
  return cb_friction_law_check(&f->law, err);
}

static void name_law(cb_friction_law *law, const char *cloth, const char *body, cb_friction_kind kind, const cb_friction_obs *obs,
                     size_t n) {
  (void)snprintf(law->cloth, sizeof law->cloth, "%s", cloth);
  (void)snprintf(law->body, sizeof law->body, "%s", body);
  law->kind = kind;
  law->origin = joint_origin(obs, n);
  law->contact_area_m2 = n ? obs[0].run.contact_area_m2 : 0;
}

static cb_status fit_kind(const cb_friction_obs *obs, size_t n, cb_friction_kind kind, const fit_friction_options *opt, fit_scatter *least,
                          fit_friction_law *f, fit_verdict *v, cb_err *err) {
  fit_data d;
  const calibration cal = worst_calibration(obs, n);
  cb_status st = fit_data_init(&d, obs, n, kind, err);
  if (st == CB_OK) st = fit_law(&d, opt, &cal, least, f, v, err);
  fit_data_clear(&d);
  return st;
}

static size_t count_static(const cb_friction_obs *obs, size_t n) {
  size_t found = 0;
  for (size_t i = 0; i < n; i++) found += isfinite(obs[i].point.static_N) ? 1 : 0;
  return found;
}

cb_status fit_friction(const cb_friction_obs *obs, size_t n, const char *cloth, const char *body, const fit_friction_options *opt,
                       fit_friction_result *out, cb_err *err) {
  fit_verdict unused = {0};
  fit_scatter scatter = {0};
  memset(out, 0, sizeof *out);
  CB_TRY(check_pair(obs, n, err));
  name_law(&out->kinetic.law, cloth, body, CB_FRICTION_KINETIC, obs, n);
  name_law(&out->stat.law, cloth, body, CB_FRICTION_STATIC, obs, n);
  CB_TRY(fit_kind(obs, n, CB_FRICTION_KINETIC, opt, &scatter, &out->kinetic, &out->verdict, err));
  /* Where most pulls show no peak, the few that do are a biased sample. */
  if (2 * count_static(obs, n) < n || n == 0) {
    out->stat.outcome = FIT_FRICTION_NO_DATA;
    return CB_OK;
  }
  return fit_kind(obs, n, CB_FRICTION_STATIC, opt, &scatter, &out->stat, &unused, err);
}

void fit_friction_method(const fit_friction_law *fit, const fit_friction_options *opt, char out[160]) {
  (void)snprintf(out, 160, "friction/1 %s, %zu points, scatter from %s, directions from %s, exponent from %s, u_angle=%grad",
                 cb_friction_form_names[fit->law.form], fit->n_points, fit_basis_names[fit->scatter_basis],
                 fit_basis_names[fit->direction_basis], fit_basis_names[fit->exponent_basis], opt->u_angle_rad);
}
