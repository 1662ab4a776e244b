/* The verdicts of Chen, Feng, Wang (SIGGRAPH 2013) by the authors' own arithmetic, found from their printed tables: friction
 * coefficients are used as printed, direction means are rounded to the same digits before they are compared.
 *
 * What belongs together is a campaign: another day, another specimen. A rule is applied inside one campaign where that
 * suffices, else over all of them. */
#include <math.h>
#include <stdlib.h>

#include "cb_num.h"
#include "cb_stats.h"
#include "fit_friction_steps.h"

/* Runs p[first .. first + n), by angle. */
typedef struct group {
  size_t first, n;
  size_t angles, repeated; /* directions; directions with two runs or more */
  size_t level;
} group;

static int compare(size_t a, size_t b) { return (a > b) - (a < b); }

static int campaign_order(const fit_datum *x, const fit_datum *y) {
  return (x->campaign_id > y->campaign_id) - (x->campaign_id < y->campaign_id);
}

static int index_order(const fit_datum *x, const fit_datum *y) { return compare(x->index, y->index); }

static int by_campaign_level_angle(const void *a, const void *b) {
  const fit_datum *x = *(const fit_datum *const *)a, *y = *(const fit_datum *const *)b;
  int c = campaign_order(x, y);
  if (c == 0) c = compare(x->level, y->level);
  if (c == 0) c = compare(x->angle, y->angle);
  return c ? c : index_order(x, y);
}

static int by_angle_campaign_level(const void *a, const void *b) {
  const fit_datum *x = *(const fit_datum *const *)a, *y = *(const fit_datum *const *)b;
  int c = compare(x->angle, y->angle);
  if (c == 0) c = campaign_order(x, y);
  if (c == 0) c = compare(x->level, y->level);
  return c ? c : index_order(x, y);
}

static int by_angle_level(const void *a, const void *b) {
  const fit_datum *x = *(const fit_datum *const *)a, *y = *(const fit_datum *const *)b;
  int c = compare(x->angle, y->angle);
  if (c == 0) c = compare(x->level, y->level);
  return c ? c : index_order(x, y);
}

/* ---- fixed load: anisotropy ---- */

static group group_from(const fit_datum *const *p, size_t n, size_t first, bool one_campaign) {
  group g = {.first = first, .level = p[first]->level};
  size_t i = first;
  while (i < n && p[i]->level == g.level && (!one_campaign || p[i]->campaign_id == p[first]->campaign_id)) {
    size_t start = i, angle = p[i]->angle;
    while (i < n && p[i]->angle == angle && p[i]->level == g.level && (!one_campaign || p[i]->campaign_id == p[first]->campaign_id)) i++;
    g.angles++;
    g.repeated += i - start >= 2;
  }
  g.n = i - first;
  return g;
}

/* Directions that repeat count first, then directions, then runs, then the larger load, which a given digit reads better. */
static bool better(group a, group b) {
  if (a.repeated != b.repeated) return a.repeated > b.repeated;
  if (a.angles != b.angles) return a.angles > b.angles;
  if (a.n != b.n) return a.n > b.n;
  return a.level > b.level;
}

static group best_group(const fit_datum *const *p, size_t n, bool one_campaign) {
  group best = group_from(p, n, 0, one_campaign);
  for (size_t i = best.n; i < n;) {
    group g = group_from(p, n, i, one_campaign);
    if (better(g, best)) best = g;
    i += g.n;
  }
  return best;
}

static void angle_stats(const fit_datum *const *p, size_t n, double *work, fit_angle *a) {
  for (size_t i = 0; i < n; i++) work[i] = p[i]->mu;
  a->n = n;
  a->mean_mu = cb_mean(work, n);
  a->sd_mu = n >= 2 ? cb_sd(work, n) : NAN;
}

/* Decimals the whole group was printed with; -1 if some of it was not printed. */
static int printed_decimals(const fit_datum *const *p, size_t n) {
  int most = 0;
  for (size_t i = 0; i < n; i++) {
    if (p[i]->mu_decimals < 0) return -1;
    if (p[i]->mu_decimals > most) most = p[i]->mu_decimals;
  }
  return most;
}

static void apply_anisotropy(const fit_datum *const *p, group g, double *work, fit_verdict *v) {
  int decimals = printed_decimals(p + g.first, g.n);
  double lowest = INFINITY, highest = -INFINITY;
  for (size_t i = g.first, k; i < g.first + g.n; i = k) {
    for (k = i; k < g.first + g.n && p[k]->angle == p[i]->angle;) k++;
    fit_angle *a = &v->angles[p[i]->angle];
    angle_stats(p + i, k - i, work, a);
    double mean = decimals >= 0 ? cb_round_decimals(a->mean_mu, decimals) : a->mean_mu;
    lowest = fmin(lowest, mean);
    highest = fmax(highest, mean);
  }
  if (g.angles < 2 || !(lowest > 0)) return;
  v->anisotropy_percent = 100 * (highest / lowest - 1);
  v->isotropic = v->anisotropy_percent <= FIT_ISOTROPIC_PERCENT;
}

static void fixed_load(const fit_data *d, const fit_datum **p, double *work, fit_verdict *v) {
  qsort(p, d->n, sizeof *p, by_campaign_level_angle);
  group g = best_group(p, d->n, true);
  if (g.repeated < 2) {
    for (size_t i = 0; i < d->n; i++) p[i] = &d->data[i];
    group pooled = best_group(p, d->n, false);
    if (pooled.repeated > g.repeated || pooled.angles > g.angles)
      g = pooled;
    else
      qsort(p, d->n, sizeof *p, by_campaign_level_angle);
  }
  v->fixed_load_N = d->levels[g.level].normal_force_N;
  apply_anisotropy(p, g, work, v);
}

/* ---- load sweeps: nonlinearity ---- */

/* Runs p[0 .. n) of one direction, by level. */
static size_t count_levels(const fit_datum *const *p, size_t n) {
  size_t levels = 0;
  for (size_t i = 0; i < n; i++) levels += i == 0 || p[i]->level != p[i - 1]->level;
  return levels;
}

/* Sum of squares that power_N N^exponent leaves, with the best power_N for the exponent. */
static double power_rest(const fit_datum *const *p, size_t n, fit_angle *a) {
  double fg = 0, gg = 0, rest = 0;
  for (size_t i = 0; i < n; i++) {
    double g = pow(p[i]->normal_force_N, a->exponent);
    fg += p[i]->force_N * g;
    gg += g * g;
  }
  a->power_N = fg / gg;
  for (size_t i = 0; i < n; i++) {
    double e = p[i]->force_N - a->power_N * pow(p[i]->normal_force_N, a->exponent);
    rest += e * e;
  }
  return rest;
}

/* The exponent by golden section: the rest has one minimum over it. */
static void fit_power(const fit_datum *const *p, size_t n, fit_angle *a) {
  const double golden = 0.61803398874989485;
  double from = 0, to = 3, mean = 0, total = 0, rest[2], at[2];
  for (int k = 0; k < 2; k++) at[k] = k ? from + golden * (to - from) : to - golden * (to - from);
  for (int k = 0; k < 2; k++) a->exponent = at[k], rest[k] = power_rest(p, n, a);
  for (int i = 0; i < 60; i++) {
    int drop = rest[0] < rest[1];
    if (drop)
      to = at[1], at[1] = at[0], rest[1] = rest[0], at[0] = to - golden * (to - from);
    else
      from = at[0], at[0] = at[1], rest[0] = rest[1], at[1] = from + golden * (to - from);
    a->exponent = at[!drop];
    rest[!drop] = power_rest(p, n, a);
  }
  a->exponent = 0.5 * (from + to);
  for (size_t i = 0; i < n; i++) mean += p[i]->force_N / (double)n;
  for (size_t i = 0; i < n; i++) total += (p[i]->force_N - mean) * (p[i]->force_N - mean);
  double left = power_rest(p, n, a);
  a->r2 = total > 0 ? 1 - left / total : NAN;
}

static void sweep(const fit_datum *const *p, size_t n, double *work, fit_angle *a) {
  double lowest = INFINITY, highest = -INFINITY;
  a->n_loads = count_levels(p, n);
  if (a->n_loads < 3) return;
  for (size_t i = 0, k; i < n; i = k) {
    for (k = i; k < n && p[k]->level == p[i]->level; k++) work[k - i] = p[k]->mu;
    double mu = cb_mean(work, k - i);
    lowest = fmin(lowest, mu);
    highest = fmax(highest, mu);
  }
  if (lowest > 0) a->nonlinearity_percent = 100 * (highest / lowest - 1);
  fit_power(p, n, a);
}

/* The campaign with most loads in this direction, the newest of equals; p by campaign and level. */
static void best_sweep(const fit_datum *const *p, size_t n, size_t *first, size_t *count) {
  size_t most = 0;
  for (size_t i = 0, k; i < n; i = k) {
    for (k = i; k < n && p[k]->campaign_id == p[i]->campaign_id;) k++;
    size_t levels = count_levels(p + i, k - i);
    if (levels < most) continue;
    most = levels;
    *first = i;
    *count = k - i;
  }
}

static void sweeps(const fit_data *d, const fit_datum **p, double *work, fit_verdict *v) {
  qsort(p, d->n, sizeof *p, by_angle_campaign_level);
  for (size_t i = 0, k; i < d->n; i = k) {
    for (k = i; k < d->n && p[k]->angle == p[i]->angle;) k++;
    fit_angle *a = &v->angles[p[i]->angle];
    size_t first = 0, count = 0;
    best_sweep(p + i, k - i, &first, &count);
    if (count_levels(p + i + first, count) < 3) {
      qsort(p + i, k - i, sizeof *p, by_angle_level);
      first = 0, count = k - i;
    }
    sweep(p + i + first, count, work, a);
    v->nonlinearity_percent = fmax(v->nonlinearity_percent, a->nonlinearity_percent);
  }
  v->linear = v->nonlinearity_percent <= FIT_LINEAR_PERCENT;
}

cb_status fit_rules_apply(const fit_data *d, fit_verdict *v, cb_err *err) {
  *v = (fit_verdict){
      .n_angles = d->n_angles, .fixed_load_N = NAN, .anisotropy_percent = NAN, .isotropic = true, .nonlinearity_percent = NAN};
  for (size_t a = 0; a < d->n_angles; a++)
    v->angles[a] = (fit_angle){.angle_deg = d->angle_deg[a],
                               .mean_mu = NAN,
                               .sd_mu = NAN,
                               .nonlinearity_percent = NAN,
                               .power_N = NAN,
                               .exponent = NAN,
                               .r2 = NAN};
  const fit_datum **p = malloc(d->n * sizeof *p);
  double *work = malloc(d->n * sizeof *work);
  cb_status st = CB_OK;
  if (p && work) {
    for (size_t i = 0; i < d->n; i++) p[i] = &d->data[i];
    fixed_load(d, p, work, v);
    sweeps(d, p, work, v);
  } else {
    st = cb_fail(err, CB_E_NOMEM, "no memory for the verdicts of %zu points", d->n);
  }
  free(p);
  free(work);
  return st;
}
