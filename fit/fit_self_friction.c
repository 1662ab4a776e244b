#include "fit_self_friction.h"

#include <math.h>
#include <string.h>

#include "fit_regress.h"

const char *const fit_self_outcome_text[] = {"fitted", "there are too few pulls", "the angles do not tell the two cloths apart",
                                             "no positive tensor fits"};
const char *const fit_self_rule_names[] = {"mean", "product", NULL};

#define HALVINGS 20 /* of a step, until it helps: to a millionth */
#define STEPS 30

typedef struct candidate {
  double p[5], cov[5][5], rest;
  bool ok, told;
} candidate;

static void harmonics_of(double angle_rad, double h[2]) { h[0] = cos(2 * angle_rad), h[1] = sin(2 * angle_rad); }

/* Relative friction of both surfaces; ln mu and, in g, its derivatives by ln m, a_1, b_1, a_2, b_2. */
static double log_mu(fit_self_rule rule, const double p[5], const double angle_rad[2], double g[5]) {
  double h[2][2], q[2];
  for (int i = 0; i < 2; i++) {
    harmonics_of(angle_rad[i], h[i]);
    q[i] = 1 + p[1 + 2 * i] * h[i][0] + p[2 + 2 * i] * h[i][1];
  }
  g[0] = 1;
  for (int i = 0; i < 2; i++)
    for (int k = 0; k < 2; k++) g[1 + 2 * i + k] = h[i][k] / (rule == FIT_SELF_MEAN ? q[0] + q[1] : 2 * q[i]);
  return log(p[0]) + (rule == FIT_SELF_MEAN ? log(0.5 * (q[0] + q[1])) : 0.5 * log(q[0] * q[1]));
}

static bool is_positive(const double p[5]) { return p[0] > 0 && hypot(p[1], p[2]) < 1 && hypot(p[3], p[4]) < 1; }

/* One cloth on itself: two columns each become one. */
static void fold(bool same, double g[5]) {
  if (!same) return;
  g[1] += g[3], g[2] += g[4];
  g[3] = g[4] = 0;
}

/* Normal equations about p; returns the sum of squares there. */
static double equations(fit_self_rule rule, const fit_self_obs *obs, size_t n, bool same, const double p[5], fit_regress *r) {
  double sum = 0, g[5];
  *r = (fit_regress){.n_columns = same ? 3 : 5};
  for (size_t i = 0; i < n; i++) {
    double e = log(obs[i].force_N / obs[i].normal_force_N) - log_mu(rule, p, obs[i].angle_rad, g);
    fold(same, g);
    fit_regress_add(r, g, e, 1);
    sum += e * e;
  }
  return sum;
}

static void step_from(const double p[5], const fit_regression *g, bool same, double size, double next[5]) {
  next[0] = p[0] * exp(size * g->beta[0]);
  for (int k = 1; k < 5; k++) next[k] = p[k] + size * g->beta[same && k > 2 ? k - 2 : k];
}

/* Gauss and Newton with halved steps, from tensors without directions. */
static candidate fit_rule(fit_self_rule rule, const fit_self_obs *obs, size_t n, bool same) {
  candidate c = {.ok = true};
  fit_regress r, unused;
  fit_regression g;
  double mean = 0;
  for (size_t i = 0; i < n; i++) mean += log(obs[i].force_N / obs[i].normal_force_N) / (double)n;
  c.p[0] = exp(mean);
  c.rest = equations(rule, obs, n, same, c.p, &r);
  fit_regress_solve(&r, &g);
  c.told = g.rank == r.n_columns;
  for (int i = 0; i < STEPS && c.told; i++) {
    double next[5], rest = INFINITY;
    for (int halving = 0; halving < HALVINGS; halving++) {
      step_from(c.p, &g, same, ldexp(1, -halving), next);
      rest = is_positive(next) ? equations(rule, obs, n, same, next, &unused) : INFINITY;
      if (rest < c.rest) break;
    }
    if (!(rest < c.rest)) break;
    memcpy(c.p, next, sizeof next);
    c.rest = equations(rule, obs, n, same, c.p, &r);
    fit_regress_solve(&r, &g);
  }
  for (int i = 0; i < 5; i++)
    for (int j = 0; j < 5; j++) {
      size_t a = (size_t)(same && i > 2 ? i - 2 : i), b = (size_t)(same && j > 2 ? j - 2 : j);
      c.cov[i][j] = g.inverse[a][b] * (i ? 1 : c.p[0]) * (j ? 1 : c.p[0]);
    }
  /* Stuck at the edge of what is positive. */
  c.ok = hypot(c.p[1], c.p[2]) < 0.999 && hypot(c.p[3], c.p[4]) < 0.999;
  return c;
}

static cb_status check(const fit_self_obs *obs, size_t n, cb_err *err) {
  for (size_t i = 0; i < n; i++) {
    const fit_self_obs *o = &obs[i];
    if (!(o->force_N > 0) || !isfinite(o->force_N) || !(o->normal_force_N > 0) || !isfinite(o->normal_force_N) ||
        !isfinite(o->angle_rad[0]) || !isfinite(o->angle_rad[1]))
      return cb_fail(err, CB_E_RANGE, "pull %zu: force %g N under %g N at %g and %g rad: finite numbers, force and load > 0 were wanted", i,
                     o->force_N, o->normal_force_N, o->angle_rad[0], o->angle_rad[1]);
  }
  return CB_OK;
}

cb_status fit_self_friction_fit(const fit_self_obs *obs, size_t n, bool same, fit_self_friction *out, cb_err *err) {
  *out = (fit_self_friction){.outcome = FIT_SELF_TOO_FEW};
  CB_TRY(check(obs, n, err));
  size_t parameters = same ? 3 : 5;
  if (n <= parameters) return CB_OK;
  candidate c[2] = {fit_rule(FIT_SELF_MEAN, obs, n, same), fit_rule(FIT_SELF_PRODUCT, obs, n, same)};
  out->outcome = FIT_SELF_NOT_TOLD;
  if (!c[0].told) return CB_OK;
  out->outcome = FIT_SELF_NO_TENSOR;
  if (!c[0].ok && !c[1].ok) return CB_OK;
  int best = !c[0].ok || (c[1].ok && c[1].rest < c[0].rest);
  out->outcome = FIT_SELF_OK;
  out->rule = best ? FIT_SELF_PRODUCT : FIT_SELF_MEAN;
  out->dof = (double)(n - parameters);
  out->rms_rel = sqrt(c[best].rest / out->dof);
  out->other_rms_rel = sqrt(c[!best].rest / out->dof);
  memcpy(out->p, c[best].p, sizeof out->p);
  for (int i = 0; i < 5; i++)
    for (int j = 0; j < 5; j++) out->cov[i][j] = c[best].cov[i][j] * out->rms_rel * out->rms_rel;
  return CB_OK;
}

double fit_self_friction_mu(const fit_self_friction *f, double angle1_rad, double angle2_rad, double *u) {
  double g[5], angle_rad[2] = {angle1_rad, angle2_rad}, mu = exp(log_mu(f->rule, f->p, angle_rad, g)), var = 0;
  g[0] /= f->p[0];
  for (int i = 0; i < 5; i++)
    for (int j = 0; j < 5; j++) var += g[i] * f->cov[i][j] * g[j];
  if (u) *u = mu * sqrt(fmax(0, var));
  return mu;
}
