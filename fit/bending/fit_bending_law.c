/* The specimens of one cloth -> directions, the law, its budget. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cb_num.h"
#include "cb_stats.h"
#include "fit_bending_impl.h"
#include "fit_first.h"

/* ---- directions ---- */

/* Running mean that leaves NAN out. */
typedef struct mean {
  double sum, n;
} mean;

static void take_value(mean *m, double x) {
  if (isfinite(x)) m->sum += x, m->n++;
}

static double mean_of(const mean *m) { return m->n > 0 ? m->sum / m->n : NAN; }

static void fill_direction(const fit_bending_job *j, size_t number, fit_bending_direction *d) {
  mean B = {0}, peirce = {0}, length = {0}, face = {0}, back = {0}, width = {0}, own = {0}, square = {0};
  for (size_t k = 0; k < j->n_specimens; k++) {
    const fit_bending_specimen *s = &j->specimens[k];
    if (s->direction != number) continue;
    take_value(&B, s->B_Nm), take_value(&peirce, s->peirce_Nm), take_value(&length, s->length_m),
        take_value(&width, s->width_N);
    take_value(&face, s->side_Nm[0]), take_value(&back, s->side_Nm[1]), take_value(&own, s->u_width_N);
  }
  d->n = (size_t)B.n;
  d->B_Nm = mean_of(&B), d->peirce_Nm = mean_of(&peirce), d->length_m = mean_of(&length),
  d->width_N = mean_of(&width);
  d->face_Nm = mean_of(&face), d->back_Nm = mean_of(&back);
  for (size_t k = 0; k < j->n_specimens; k++) {
    const fit_bending_specimen *s = &j->specimens[k];
    if (s->direction != number) continue;
    take_value(&square, (s->B_Nm - d->B_Nm) * (s->B_Nm - d->B_Nm));
  }
  d->sd_Nm = B.n > 1 ? sqrt(square.sum / (B.n - 1)) : NAN;
  d->u_width_N = mean_of(&own);
}

/* Relative scatter from specimen to specimen, pooled over the directions. */
static void pool_scatter(fit_bending_result *r) {
  double square = 0, dof = 0;
  for (size_t k = 0; k < r->n_directions; k++) {
    const fit_bending_direction *d = &r->directions[k];
    if (d->n < 2) continue;
    square += (double)(d->n - 1) * d->sd_Nm * d->sd_Nm / (d->B_Nm * d->B_Nm);
    dof += (double)(d->n - 1);
  }
  r->scatter_basis = dof > 0 ? FIT_FROM_REPEATS : FIT_ASSUMED;
  r->scatter_rel = dof > 0 ? sqrt(square / dof) : FIT_BENDING_TYPICAL_SCATTER;
  r->scatter_dof = dof > 0 ? dof : FIT_BENDING_TYPICAL_SCATTER_DOF;
}

double fit_bending_mean_var_rel(const fit_bending_job *j, const fit_bending_result *r, size_t number) {
  double own = 0, n = (double)r->directions[number].n, s2 = r->scatter_rel * r->scatter_rel;
  for (size_t k = 0; k < j->n_specimens; k++)
    if (j->specimens[k].direction == number) own += j->specimens[k].var_rel / n;
  s2 = r->scatter_basis == FIT_ASSUMED ? s2 + own : fmax(s2, own);
  return fmax(s2 / n, 1e-18);
}

/* ---- the law ---- */

/* Where the curvature is known that B belongs to: geometric mean, and range. */
static void set_curvatures(const fit_bending_job *j, cb_bending_law *law) {
  double sum = 0, n = 0, low = INFINITY, high = 0;
  if (j->in[0].test->kind == CB_TEST_BENDING_MOMENT) {
    law->B_is = CB_BENDING_SLOPE;
    law->curvature_min_per_m = FIT_BENDING_KES_FROM_PER_M;
    law->curvature_per_m = FIT_BENDING_KES_WIDTH_PER_M;
    law->curvature_max_per_m = FIT_BENDING_KES_TO_PER_M;
    return;
  }
  if (j->in[0].test->kind == CB_TEST_BUCKLING) law->B_is = CB_BENDING_SLOPE;
  for (size_t i = 0; i < j->samples.n; i++) {
    double K = j->samples.list[i].curvature_per_m;
    if (j->owner[j->samples.list[i].test] == SIZE_MAX) continue;
    sum += log(K), n++, low = fmin(low, K), high = fmax(high, K);
  }
  law->curvature_min_per_m = low, law->curvature_max_per_m = high;
  law->curvature_per_m = fmin(fmax(exp(sum / n), low), high);
}

/* B of each direction at the law's curvature. */
static void to_one_curvature(const fit_bending_job *j, fit_bending_result *r, fit_bending_mean *m) {
  if (r->law.exponent == 0) return;
  for (size_t k = 0; k < r->n_directions; k++) {
    double sum = 0, n = 0;
    for (size_t i = 0; i < j->samples.n; i++) {
      const fit_bending_sample *s = &j->samples.list[i];
      size_t owner = j->owner[s->test];
      if (owner != SIZE_MAX && j->specimens[owner].direction == k) sum += log(s->curvature_per_m), n++;
    }
    if (j->in[0].test->kind == CB_TEST_CANTILEVER && n > 0)
      m[k].B_Nm *= exp(r->law.exponent * (log(r->law.curvature_per_m) - sum / n));
  }
}

static double aicc(const fit_bending_form *f, size_t n) {
  double k = f->constants, left = (double)n - k - 1;
  return left > 0 ? f->square + 2 * k + 2 * k * (k + 1) / left : INFINITY;
}

/* What a form cannot say: half of a rectangle is the largest departure beyond what the values' own variances
 * explain. */
static double misfit_var(const double *departure, const double *var, size_t n, double spare) {
  double most = 0;
  for (size_t k = 0; k < n; k++) most = fmax(most, departure[k] * departure[k] - var[k]);
  return spare > 0 ? most / 3 * (double)n / spare : 0;
}

static double form_misfit_var(const fit_bending_result *r, const fit_bending_mean *m, const double B_Nm[3],
                              double spare) {
  double off[FIT_BENDING_MAX_DIRECTIONS] = {0}, var[FIT_BENDING_MAX_DIRECTIONS] = {0};
  for (size_t k = 0; k < r->n_directions; k++) {
    off[k] = log(m[k].B_Nm / cb_bending_form_B(r->law.form, B_Nm, m[k].angle_rad, NULL));
    var[k] = m[k].var_rel;
  }
  return misfit_var(off, var, r->n_directions, spare);
}

/* The forms that were not chosen, by their Akaike weights, where they are farthest away. */
static double choice_var(const fit_bending_result *r, const fit_bending_mean *m, const double B_Nm[3]) {
  double weight[CB_BENDING_TABLE] = {0}, sum = 0, most = 0;
  fit_bending_form other[CB_BENDING_TABLE];
  if (isnan(r->aicc[r->law.form])) return 0;
  for (int f = 0; f < CB_BENDING_TABLE; f++) {
    fit_bending_form_make((cb_bending_form)f, m, r->n_directions, &other[f]);
    sum += weight[f] = exp(-0.5 * (r->aicc[f] - r->aicc[r->law.form]));
  }
  for (int deg = 0; deg <= 90; deg += 5) {
    double var = 0, B = cb_bending_form_B(r->law.form, B_Nm, deg * CB_DEG, NULL);
    for (int f = 0; f < CB_BENDING_TABLE; f++)
      var += weight[f] / sum *
             pow(log(cb_bending_form_B((cb_bending_form)f, other[f].B_Nm, deg * CB_DEG, NULL) / B), 2);
    most = fmax(most, var);
  }
  return most;
}

static void choose_form(fit_bending_result *r, const fit_bending_mean *m) {
  fit_bending_form best;
  cb_bending_form form = CB_BENDING_ORTHOTROPIC;
  for (int f = 0; f < CB_BENDING_TABLE; f++) r->aicc[f] = NAN;
  if (r->n_directions == 1 && isnan(r->directions[0].angle_deg)) form = CB_BENDING_ISOTROPIC;
  if (r->n_directions > 3)
    for (int f = 0; f < CB_BENDING_TABLE; f++) {
      fit_bending_form_make((cb_bending_form)f, m, r->n_directions, &best);
      r->aicc[f] = aicc(&best, r->n_specimens);
    }
  for (int f = 0; f < CB_BENDING_TABLE; f++)
    if (r->aicc[f] < r->aicc[form]) form = (cb_bending_form)f;
  fit_bending_form_make(form, m, r->n_directions, &best);
  r->law.form = form;
  double spare = (double)r->n_directions - best.constants, unsaid = choice_var(r, m, best.B_Nm);
  if (r->n_directions > 3 && spare > 0) {
    double F = best.square / spare;
    r->shape = (fit_test){true, F, spare, r->scatter_dof, cb_f_p_upper(F, spare, r->scatter_dof), F};
    unsaid += form_misfit_var(r, m, best.B_Nm, spare);
  }
  r->direction_basis = best.held > 0 || r->n_directions == 1 ? FIT_ASSUMED
                       : spare > 0                           ? FIT_FROM_RESIDUALS
                                                             : FIT_FROM_REPEATS;
  double apart = r->n_directions == 3 ? 0 : 1; /* else there is a form to test, or one that is assumed */
  for (size_t k = 0; k < r->n_directions; k++) apart = fmax(apart, fabs(sin(4 * m[k].angle_rad)));
  if (apart < 0.05) r->law.u_rel_between = FIT_BENDING_U_BETWEEN;
  memcpy(r->law.B_Nm, best.B_Nm, sizeof best.B_Nm);
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++)
      r->law.cov_N2m2[i][k] = best.cov_N2m2[i][k] + unsaid * best.B_Nm[i] * best.B_Nm[k];
  /* A cloth whose direction is not given: it may have been any. */
  double unknown =
      form == CB_BENDING_ISOTROPIC && r->n_directions == 1 ? FIT_BENDING_TYPICAL_LN_RATIO * best.B_Nm[0] : 0;
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++) r->law.cov_N2m2[i][k] += unknown * unknown;
}

/* ---- hysteresis ---- */

/* The u of every direction's mean: the scatter of its specimens, pooled as that of B, or what its tests say
 * of themselves. */
static void set_u_widths(const fit_bending_job *j, fit_bending_result *r) {
  double n[FIT_BENDING_MAX_DIRECTIONS] = {0}, square = 0, dof = 0;
  mean all = {0};
  for (size_t k = 0; k < r->n_directions; k++) take_value(&all, r->directions[k].width_N);
  const double least = 0.1 * mean_of(&all); /* of a width that scatters about zero */
  for (size_t i = 0; i < j->n_specimens; i++) {
    const fit_bending_specimen *s = &j->specimens[i];
    const double mean_N = r->directions[s->direction].width_N;
    if (isnan(s->width_N)) continue;
    if (n[s->direction]++ > 0) dof++;
    square += pow((s->width_N - mean_N) / fmax(mean_N, least), 2);
  }
  const double scatter = dof > 0 ? sqrt(square / dof) : FIT_BENDING_TYPICAL_SCATTER;
  for (size_t k = 0; k < r->n_directions; k++) {
    fit_bending_direction *d = &r->directions[k];
    const double one = scatter * fmax(d->width_N, least) / sqrt(fmax(n[k], 1));
    d->u_width_N = n[k] > 1 ? one : hypot(one, isfinite(d->u_width_N) ? d->u_width_N : 0);
  }
}

typedef struct widths {
  double c2[FIT_BENDING_MAX_DIRECTIONS], width[FIT_BENDING_MAX_DIRECTIONS], var[FIT_BENDING_MAX_DIRECTIONS];
  size_t n;
} widths;

static widths gather_widths(const fit_bending_result *r) {
  widths w = {.n = 0};
  for (size_t k = 0; k < r->n_directions; k++) {
    const fit_bending_direction *d = &r->directions[k];
    if (!isfinite(d->width_N) || isnan(d->angle_deg)) continue;
    w.c2[w.n] = pow(cos(d->angle_deg * CB_DEG), 2), w.width[w.n] = d->width_N;
    w.var[w.n++] = fmax(d->u_width_N * d->u_width_N, 1e-30);
  }
  return w;
}

/* Along warp and weft, linear in cos^2 between: weighted least squares, neither below zero. What the line
 * cannot say counts twice in the variance of either, so that it is whole half way between them. */
static void set_widths(fit_bending_result *r) {
  const widths w = gather_widths(r);
  double a = 0, b = 0, d = 0, x = 0, y = 0, off[FIT_BENDING_MAX_DIRECTIONS] = {0};
  double *law = r->law.width_N;
  for (int i = 0; i < 2; i++) law[i] = r->law.u_width_N[i] = NAN;
  for (size_t k = 0; k < w.n; k++) {
    const double c2 = w.c2[k], s2 = 1 - c2, weight = 1 / w.var[k];
    a += weight * c2 * c2, b += weight * c2 * s2, d += weight * s2 * s2;
    x += weight * c2 * w.width[k], y += weight * s2 * w.width[k];
  }
  const double det = a * d - b * b;
  if (!(det > 1e-6 * a * d)) return;
  law[0] = (d * x - b * y) / det, law[1] = (a * y - b * x) / det;
  if (law[1] < 0)
    law[0] = x / a, law[1] = 0;
  else if (law[0] < 0)
    law[0] = 0, law[1] = y / d;
  for (size_t k = 0; k < w.n; k++) off[k] = w.width[k] - w.c2[k] * law[0] - (1 - w.c2[k]) * law[1];
  const double unsaid = 2 * misfit_var(off, w.var, w.n, (double)w.n - 2);
  r->law.u_width_N[0] = sqrt(d / det + unsaid), r->law.u_width_N[1] = sqrt(a / det + unsaid);
}

/* ---- the budget ---- */

static void add_entry(fit_bending_result *r, const char *name, char type, double u_rel, double dof,
                      bool common) {
  fit_bending_entry *e = &r->entries[r->n_entries++];
  *e = (fit_bending_entry){.type = {type}, .u_rel = u_rel, .dof = dof, .common = common};
  (void)snprintf(e->name, sizeof e->name, "%s", name);
}

/* Means over the tests of what they share; what one instrument gives to all is not averaged away. */
static void set_budget(const fit_bending_job *j, const fit_bending_mean *m, const fit_bending_options *opt,
                       fit_bending_result *r) {
  double x = 0, y = 0, used = 0, own = 0;
  const cb_test_kind kind = j->in[0].test->kind;
  const bool cantilever = kind == CB_TEST_CANTILEVER, buckled = kind == CB_TEST_BUCKLING;
  for (size_t i = 0; i < j->n; i++) {
    if (j->owner[i] == SIZE_MAX) continue;
    const fit_bending_reading *q = &j->readings[i];
    used++;
    x += (cantilever ? 3 : 1) * j->in[i].test->u_x_rel;
    y += cantilever ? fabs(q->angle_slope_per_rad) * q->u_angle_rad : j->in[i].test->u_y_rel;
  }
  for (size_t k = 0; k < r->n_directions; k++) own += m[k].var_rel / (double)r->n_directions;
  add_entry(r, "specimens", 'A', sqrt(own), r->scatter_dof, false);
  add_entry(r, cantilever ? "overhang" : buckled ? "shortening" : "curvature", 'B', x / used, INFINITY, true);
  add_entry(r, cantilever ? "chord angle" : buckled ? "force" : "moment", 'B', y / used, INFINITY, true);
  if (cantilever) {
    add_entry(r, "areal density", 'B', opt->u_rel_areal_density, INFINITY, true);
    add_entry(r, "local gravity", 'B', FIT_BENDING_U_REL_GRAVITY, INFINITY, true);
  }
  if (fit_first_half(&r->first) > 0)
    add_entry(r, "first tests", 'A', fit_first_half(&r->first), INFINITY, true);
  for (int i = 0; i < 2; i++) r->law.u_width_N[i] = hypot(r->law.u_width_N[i], y / used * r->law.width_N[i]);
  double common = 0;
  for (size_t i = 0; i < r->n_entries; i++)
    if (r->entries[i].common) common += r->entries[i].u_rel * r->entries[i].u_rel;
  r->law.u_rel_common = sqrt(common);
  /* Welch and Satterthwaite (GUM G.4.1); fewer than one degree has no use. */
  r->law.dof = fmax(1, (own + common) * (own + common) / (own * own / r->scatter_dof));
}

static void fill_means(const fit_bending_job *j, fit_bending_result *r, fit_bending_mean *m) {
  for (size_t k = 0; k < r->n_directions; k++) {
    fit_bending_direction *d = &r->directions[k];
    m[k] = (fit_bending_mean){isnan(d->angle_deg) ? 0 : d->angle_deg * CB_DEG, d->B_Nm,
                              fit_bending_mean_var_rel(j, r, k)};
    d->u_B_Nm = d->B_Nm * sqrt(m[k].var_rel);
  }
}

cb_status fit_bending_law_make(const fit_bending_job *j, const fit_bending_options *opt,
                               fit_bending_result *r, cb_err *err) {
  fit_bending_mean m[FIT_BENDING_MAX_DIRECTIONS] = {{0}};
  for (size_t k = 0; k < r->n_directions; k++) fill_direction(j, k, &r->directions[k]);
  pool_scatter(r);
  set_u_widths(j, r);
  CB_TRY(fit_bending_test(j, r, err));
  set_curvatures(j, &r->law);
  fill_means(j, r, m);
  to_one_curvature(j, r, m);
  choose_form(r, m);
  set_widths(r);
  set_budget(j, m, opt, r);
  return cb_bending_law_check(&r->law, err);
}
