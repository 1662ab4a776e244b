#include "fit_friction.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cb_stats.h"
#include "fit_friction_impl.h"

const char *const fit_friction_outcome_text[] = {"fitted",
                                                 "there is no usable friction force",
                                                 "the mean friction force is not positive at some load",
                                                 "no friction tensor fits the directions",
                                                 "there are more than 64 distinct loads",
                                                 "there are more than 64 distinct angles"};

/* ---- what may be fitted together ---- */

static cb_status check_pair(const cb_friction_obs *obs, size_t n, cb_err *err) {
  for (size_t i = 1; i < n; i++) {
    const cb_run *a = &obs[0].run, *b = &obs[i].run;
    if (cb_origin_is_real(a->origin) != cb_origin_is_real(b->origin))
      return cb_fail(err, CB_E_RANGE,
                     "run %lld is %s and run %lld is %s: real and virtual runs are never fitted together, "
                     "one origin was wanted",
                     (long long)a->id, cb_origin_names[a->origin], (long long)b->id,
                     cb_origin_names[b->origin]);
    if (fabs(a->contact_area_m2 - b->contact_area_m2) > 1e-3 * a->contact_area_m2)
      return cb_fail(
          err, CB_E_RANGE,
          "run %lld has a contact area of %g cm2 and run %lld one of %g cm2: one law holds for one area",
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

/* ---- what all runs share ---- */

/* A wrong load is a wrong force, by the local power law. The cart is under every load, so that its error is
 * the same everywhere. */
static void add_load_uncertainty(cb_friction_law *law, const fit_data *d) {
  double largest = 0;
  for (size_t l = 0; l < law->n_knots; l++) largest = fmax(largest, d->levels[l].u_normal_force_N);
  if (!(largest > 0)) return;
  cb_friction_shared *part = fit_new_part(law, "load");
  for (size_t l = 0; l < law->n_knots; l++) {
    const cb_friction_knot *k = &law->knots[l];
    double r = law->exponent * d->levels[l].u_normal_force_N / (k->normal_force_N + law->offset_N);
    for (int i = 0; i < 3; i++) part->f_N[l][i] = r * k->f_N[i];
    if (l == 0) part->exponent[0] = -r;
    part->exponent[1] = -r;
  }
}

/* The part of the calibration that does not grow with the force is the same newtons in every direction: f00
 * and f11 go together. */
static void add_calibration_floor(cb_friction_law *law, double u_floor_N) {
  if (!(u_floor_N > 0)) return;
  cb_friction_shared *part = fit_new_part(law, "zero");
  for (size_t l = 0; l < law->n_knots; l++) {
    part->f_N[l][0] = part->f_N[l][2] = u_floor_N;
    double r = law->exponent * u_floor_N / (0.5 * (law->knots[l].f_N[0] + law->knots[l].f_N[2]));
    if (l == 0) part->exponent[0] = -r;
    part->exponent[1] = -r;
  }
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

/* The same where runs do not weigh alike: cells that are known well count for more. */
static double weighed_run_var(const fit_data *d, const fit_level *l, const fit_scatter *s) {
  double sum = 0, squares = 0;
  for (size_t k = l->first; k < l->first + l->n; k++) {
    const fit_cell *c = &d->cells[k];
    const double u = c->u_point_N / c->mean_N, w = 1 / (s->rel * s->rel + u * u);
    sum += (double)c->n * w, squares += (double)c->n * w * w;
  }
  return sum / squares;
}

/* Welch-Satterthwaite, averaged over loads and directions: the pooled scatter has the degrees of freedom of
 * the repeats, the calibration its own; load and what the points state themselves count as known. */
static double joint_dof(const cb_friction_law *law, const fit_data *d, const fit_scatter *s,
                        double calibration_dof) {
  double worth = 0, dof = s->place_rel > 0 ? s->place_dof : s->dof;
  /* Where the points' own uncertainty explains everything, nothing was estimated. */
  if (!(s->rel > 0) && !(s->place_rel > 0)) dof = INFINITY;
  for (size_t l = 0; l < law->n_knots; l++)
    for (int r = 0; r < 3; r++) {
      const double one_run = s->weighed ? weighed_run_var(d, &d->levels[l], s) : run_var(d, &d->levels[l], s);
      double var = fit_direction_var(law, l, fit_three_rows[r]),
             common = law->u_rel_common * law->u_rel_common, total = var + common;
      if (!(total > 0)) continue;
      double estimated = isinf(dof) ? 0 : s->place_rel > 0 ? var : var * fmin(1, s->pooled_var / one_run);
      double e = estimated / total, c = common / total;
      worth += (e * e / dof + c * c / calibration_dof) / (3 * (double)law->n_knots);
    }
  return worth > 0 ? fmax(1, 1 / worth) : INFINITY;
}

static double rmse(const fit_data *d, const cb_friction_law *law) {
  double sum = 0, f[3];
  for (size_t k = 0; k < d->n_cells; k++) {
    const fit_cell *c = &d->cells[k];
    if (k == 0 || c->level != c[-1].level) cb_friction_law_matrix(law, d->levels[c->level].normal_force_N, f);
    for (size_t i = c->first; i < c->first + c->n; i++) {
      double e = d->data[i].force_N - fit_dot(c->row, f);
      sum += e * e;
    }
  }
  return sqrt(sum / (double)d->n);
}

/* ---- one kind of force ---- */

/* What scatters is the surface: breakaway shows at least as much of it as sliding does. Seen alone, static
 * peaks of light carts are so noisy that the difference of two large variances would leave nothing. */
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

/* What the runs of a cell tell by their sense and order. Rows of a table that came from elsewhere are in no
 * order of time. */
static void test_order(const fit_data *d, cb_origin origin, fit_verdict *v) {
  v->symmetry = fit_symmetry_of(d);
  v->drift = fit_drift_of(d);
  v->first = fit_first_of(d);
  if (origin != CB_IMPORTED) v->wear = fit_wear_of(d);
  const fit_test *wear = &v->wear.test;
  /* A steady change explains it better, and has its own part of the band. */
  if (wear->done && wear->p_value < FIT_WEAR_P && wear->p_value < v->first.p_value)
    v->first = (fit_test){.done = false};
}

/* least: bounds the scatter from below, and receives it. without: the law without the doubtful runs; NULL:
 * there are none. */
static cb_status fit_law(fit_data *d, const fit_friction_options *opt, const calibration *cal,
                         const cb_friction_law *without, fit_scatter *least, fit_friction_law *f,
                         fit_verdict *v, cb_err *err) {
  f->outcome = d->outcome;
  f->n_points = d->n;
  if (d->outcome != FIT_FRICTION_OK) return CB_OK;
  fit_scatter s = fit_scatter_of(d);
  fit_scatter_assume_placement(&s, &opt->placement);
  scatter_at_least(&s, least);
  *least = s;
  fit_cells_weigh(d, &s);
  fit_data_weigh(d, &s);
  fit_directions dir = fit_directions_of(d, &s);
  v->isotropy = dir.test;
  v->found_anisotropy_percent = dir.found_percent;
  test_order(d, f->law.origin, v);
  fit_harmonics_of(d, &s, &v->diagonal, &v->fourth);
  f->scatter_rel = s.rel;
  f->scatter_dof = s.dof;
  f->placement_rel = s.place_rel;
  f->placement_dof = s.place_dof;
  f->placement_tested = s.place_tested;
  f->placement_found = s.place_found;
  f->scatter_basis = s.basis;
  f->direction_basis = dir.basis;
  f->exponent_basis = d->n_levels > 2 ? FIT_FROM_RESIDUALS : d->n_levels == 2 ? s.basis : FIT_ASSUMED;
  CB_TRY(fit_choose(d, &s, &dir, opt->u_angle_rad, f, v, err));
  if (f->outcome != FIT_FRICTION_OK) return CB_OK;
  if (without) fit_add_doubt(&f->law, without);
  f->law.u_rel_common = cal->u_rel;
  add_load_uncertainty(&f->law, d);
  add_calibration_floor(&f->law, cal->u_floor_N);
  fit_add_alignment(&f->law, opt->u_pitch_rad, opt->u_yaw_rad);
  f->law.dof = joint_dof(&f->law, d, &s, cal->dof);
  fit_add_lots(&f->law, &f->lots);
  f->rmse_N = rmse(d, &f->law);
  fit_say(d, &s, f, v);
  fit_far_of(d, &s, f);
  if (!fit_add_misfit(d, &s, f)) {
    f->outcome = FIT_FRICTION_NO_TENSOR;
    return CB_OK;
  }
  fit_add_senses(&f->law, &v->symmetry);
  fit_add_wear(&f->law, &v->wear);
  fit_add_first(&f->law, &v->first);
  return cb_friction_law_check(&f->law, err);
}

static void name_law(cb_friction_law *law, const char *cloth, const char *body, cb_friction_kind kind,
                     const cb_friction_obs *obs, size_t n) {
  (void)snprintf(law->cloth, sizeof law->cloth, "%s", cloth);
  (void)snprintf(law->body, sizeof law->body, "%s", body);
  law->kind = kind;
  law->origin = joint_origin(obs, n);
  law->contact_area_m2 = n ? obs[0].run.contact_area_m2 : 0;
}

static void mark(const fit_outlier *list, size_t n, bool value, bool *left_out) {
  for (size_t i = 0; i < n; i++) left_out[list[i].index] = value;
}

/* What is fitted: the runs of one pair, one kind of force and one speed. */
typedef struct task {
  const cb_friction_obs *obs;
  size_t n;
  cb_friction_kind kind;
  const fit_friction_options *opt;
  calibration cal;
  bool *left_out;           /* runs that do not count, by the observation's index */
  const fit_scatter *least; /* bounds the scatter from below */
} task;

static cb_status fit_rest(const task *t, const cb_friction_law *without, fit_scatter *scatter,
                          fit_friction_law *f, fit_verdict *v, cb_err *err) {
  fit_data d;
  *scatter = *t->least;
  cb_status st = fit_data_init(&d, t->obs, t->n, t->kind, t->left_out, err);
  if (st == CB_OK) st = fit_law(&d, t->opt, &t->cal, without, scatter, f, v, err);
  fit_data_clear(&d);
  return st;
}

/* f knows its outliers and doubtful runs. */
static cb_status fit_without_outliers(const task *t, fit_scatter *scatter, fit_friction_law *f,
                                      fit_verdict *v, cb_err *err) {
  if (f->n_doubtful == 0) return fit_rest(t, NULL, scatter, f, v, err);
  fit_friction_law *without = calloc(1, sizeof *without);
  fit_verdict unused = *v;
  if (!without) return cb_no_memory(err, "a law without the doubtful runs");
  without->law = f->law; /* its name */
  without->lots = f->lots;
  mark(f->doubtful, f->n_doubtful, true, t->left_out);
  cb_status st = fit_rest(t, NULL, scatter, without, &unused, err);
  mark(f->doubtful, f->n_doubtful, false, t->left_out);
  if (st == CB_OK)
    st = fit_rest(t, without->outcome == FIT_FRICTION_OK ? &without->law : NULL, scatter, f, v, err);
  free(without);
  return st;
}

/* The task's observations with the lots levelled, in `level`; the task goes on with them. */
static cb_status level_lots(task *t, const cb_friction_obs *obs, cb_friction_obs *level, fit_lots *lots,
                            cb_err *err) {
  fit_data d;
  double effect[FIT_MAX_LOTS];
  cb_status st = fit_data_init(&d, obs, t->n, t->kind, t->left_out, err);
  if (st == CB_OK && d.outcome == FIT_FRICTION_OK) {
    fit_lots_of(&d, t->opt->lot, t->opt->n_lots, lots, effect);
    memcpy(level, obs, t->n * sizeof *obs);
    fit_lots_level(level, t->n, t->opt->lot, effect);
    t->obs = level;
  }
  fit_data_clear(&d);
  return st;
}

/* The authors' rules know neither lots nor outliers. */
static cb_status apply_rules(const task *t, fit_verdict *v, cb_err *err) {
  fit_data d;
  cb_status st = fit_data_init(&d, t->obs, t->n, t->kind, t->left_out, err);
  if (st == CB_OK && d.outcome == FIT_FRICTION_OK) st = fit_rules_apply(&d, v, err);
  fit_data_clear(&d);
  return st;
}

static cb_status find_outliers(const task *t, fit_friction_law *f, cb_err *err) {
  fit_data d;
  cb_status st = fit_data_init(&d, t->obs, t->n, t->kind, t->left_out, err);
  if (st == CB_OK && d.outcome == FIT_FRICTION_OK)
    fit_outliers_of(&d, t->obs, t->opt->trusted, t->left_out, f);
  fit_data_clear(&d);
  return st;
}

/* Lots and outliers hide each other: lots are levelled again without the outliers. */
static cb_status find_lots_and_outliers(task *t, cb_friction_obs *level, fit_friction_law *f, cb_err *err) {
  const cb_friction_obs *obs = t->obs;
  if (level) CB_TRY(level_lots(t, obs, level, &f->lots, err));
  CB_TRY(find_outliers(t, f, err));
  return level && f->n_outliers > 0 ? level_lots(t, obs, level, &f->lots, err) : CB_OK;
}

/* left_out receives the outlying runs for the while; scatter bounds the scatter from below, and receives
 * it. */
static cb_status fit_kind(const cb_friction_obs *obs, size_t n, cb_friction_kind kind,
                          const fit_friction_options *opt, bool *left_out, fit_scatter *scatter,
                          fit_friction_law *f, fit_verdict *v, cb_err *err) {
  const fit_scatter least = *scatter;
  cb_friction_obs *level = opt->n_lots > 1 ? malloc(n * sizeof *level) : NULL;
  if (opt->n_lots > 1 && !level) return cb_no_memory(err, "%zu runs", n);
  task t = {.obs = obs,
            .n = n,
            .kind = kind,
            .opt = opt,
            .cal = worst_calibration(obs, n),
            .left_out = left_out,
            .least = &least};
  cb_status st = apply_rules(&t, v, err);
  if (st == CB_OK) st = find_lots_and_outliers(&t, level, f, err);
  if (st == CB_OK) st = fit_without_outliers(&t, scatter, f, v, err);
  mark(f->outliers, f->n_outliers, false, left_out);
  free(level);
  return st;
}

static size_t count_static(const cb_friction_obs *obs, size_t n) {
  size_t found = 0;
  for (size_t i = 0; i < n; i++) found += isfinite(obs[i].point.static_N) ? 1 : 0;
  return found;
}

static cb_status fit_both(const cb_friction_obs *obs, size_t n, const fit_friction_options *opt,
                          bool *left_out, fit_friction_result *out, cb_err *err) {
  fit_verdict unused = {0};
  fit_scatter scatter = {0};
  for (size_t i = 0; i < n; i++) left_out[i] = !fit_speed_is_law(&out->speed, &obs[i].run);
  CB_TRY(fit_kind(obs, n, CB_FRICTION_KINETIC, opt, left_out, &scatter, &out->kinetic, &out->verdict, err));
  if (out->kinetic.outcome == FIT_FRICTION_OK) fit_speed_test(obs, n, &out->kinetic.law, &out->speed);
  /* Where most pulls show no peak, the few that do are a biased sample. */
  if (2 * count_static(obs, n) < n || n == 0) {
    out->stat.outcome = FIT_FRICTION_NO_DATA;
    return CB_OK;
  }
  return fit_kind(obs, n, CB_FRICTION_STATIC, opt, left_out, &scatter, &out->stat, &unused, err);
}

cb_status fit_friction(const cb_friction_obs *obs, size_t n, const char *cloth, const char *body,
                       const fit_friction_options *opt, fit_friction_result *out, cb_err *err) {
  memset(out, 0, sizeof *out);
  CB_TRY(check_pair(obs, n, err));
  CB_TRY(fit_speed_of(obs, n, &out->speed, err));
  name_law(&out->kinetic.law, cloth, body, CB_FRICTION_KINETIC, obs, n);
  name_law(&out->stat.law, cloth, body, CB_FRICTION_STATIC, obs, n);
  out->kinetic.law.speed_m_per_s = out->stat.law.speed_m_per_s = out->speed.law_m_per_s;
  bool *left_out = malloc(n + 1);
  if (!left_out) return cb_no_memory(err, "%zu runs", n);
  cb_status st = fit_both(obs, n, opt, left_out, out, err);
  free(left_out);
  return st;
}

void fit_friction_method(const fit_friction_law *fit, const fit_friction_options *opt, char out[FIT_METHOD]) {
  int n = snprintf(
      out, FIT_METHOD,
      "friction/2 %s %s, %zu points, scatter from %s, directions from %s, exponent from %s, u_angle=%grad",
      cb_friction_form_names[fit->law.form], cb_friction_model_names[fit->law.model], fit->n_points,
      fit_basis_names[fit->scatter_basis], fit_basis_names[fit->direction_basis],
      fit_basis_names[fit->exponent_basis], opt->u_angle_rad);
  if (opt->u_pitch_rad > 0)
    n += snprintf(out + n, FIT_METHOD - (size_t)n, ", u_line=%g,%grad", opt->u_pitch_rad, opt->u_yaw_rad);
  if (fit->placement_tested && !(fit->placement_found.dof > 0))
    (void)snprintf(out + n, FIT_METHOD - (size_t)n, ", placement of other pairs %g (%g dof)",
                   fit->placement_rel, opt->placement.dof);
}

void fit_friction_why(const fit_friction_law *fit, char out[FIT_WHY]) {
  const fit_misfit *m = &fit->misfit;
  if (fit->outcome == FIT_FRICTION_NO_TENSOR)
    (void)snprintf(out, FIT_WHY,
                   "%s: the nearest one has %.3g N at %g deg under %.3g N, where %.3g N was measured: is a "
                   "direction or a force wrong?",
                   fit_friction_outcome_text[fit->outcome], m->law_N, m->angle_deg, m->normal_force_N,
                   m->measured_N);
  else
    (void)snprintf(out, FIT_WHY, "%s", fit_friction_outcome_text[fit->outcome]);
}
