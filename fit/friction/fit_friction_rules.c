/* The verdicts of Chen, Feng, Wang (SIGGRAPH 2013) by the authors' own arithmetic, found from their printed
 * tables: friction coefficients are used as printed, direction means are rounded to the same digits before
 * they are compared.
 *
 * What belongs together is a campaign: another day, another specimen. A rule is applied inside one campaign
 * where that suffices, else over all of them. */
#include <math.h>
#include <stdlib.h>

#include "cb_num.h"
#include "cb_stats.h"
#include "fit_friction_impl.h"

/* Runs p[first .. first + n), by angle. */
typedef struct group {
  size_t first, n;
  size_t angles, repeated; /* directions; directions with two runs or more */
  size_t level;
} group;

static int compare_sizes(size_t a, size_t b) { return (a > b) - (a < b); }

static int campaign_order(const fit_datum *x, const fit_datum *y) {
  return (x->campaign_id > y->campaign_id) - (x->campaign_id < y->campaign_id);
}

static int index_order(const fit_datum *x, const fit_datum *y) { return compare_sizes(x->index, y->index); }

static int by_campaign_level_angle(const void *a, const void *b) {
  const fit_datum *x = *(const fit_datum *const *)a, *y = *(const fit_datum *const *)b;
  int c = campaign_order(x, y);
  if (c == 0) c = compare_sizes(x->level, y->level);
  if (c == 0) c = compare_sizes(x->angle, y->angle);
  return c ? c : index_order(x, y);
}

static int by_angle_campaign_level(const void *a, const void *b) {
  const fit_datum *x = *(const fit_datum *const *)a, *y = *(const fit_datum *const *)b;
  int c = compare_sizes(x->angle, y->angle);
  if (c == 0) c = campaign_order(x, y);
  if (c == 0) c = compare_sizes(x->level, y->level);
  return c ? c : index_order(x, y);
}

static int by_angle_level(const void *a, const void *b) {
  const fit_datum *x = *(const fit_datum *const *)a, *y = *(const fit_datum *const *)b;
  int c = compare_sizes(x->angle, y->angle);
  if (c == 0) c = compare_sizes(x->level, y->level);
  return c ? c : index_order(x, y);
}

/* ---- fixed load: anisotropy ---- */

static group group_from(const fit_datum *const *p, size_t n, size_t first, bool one_campaign) {
  group g = {.first = first, .level = p[first]->level};
  size_t i = first;
  while (i < n && p[i]->level == g.level && (!one_campaign || p[i]->campaign_id == p[first]->campaign_id)) {
    size_t start = i, angle = p[i]->angle;
    while (i < n && p[i]->angle == angle && p[i]->level == g.level &&
           (!one_campaign || p[i]->campaign_id == p[first]->campaign_id))
      i++;
    g.angles++;
    g.repeated += i - start >= 2;
  }
  g.n = i - first;
  return g;
}

/* Directions that repeat count first, then directions, then runs, then the larger load, which a given digit
 * reads better. */
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

/* Whose runs these are; 0: of several campaigns. */
static int64_t campaign_of(const fit_datum *const *p, size_t n) {
  for (size_t i = 1; i < n; i++)
    if (p[i]->campaign_id != p[0]->campaign_id) return 0;
  return n > 0 ? p[0]->campaign_id : 0;
}

/* Runs of the direction and load of x. */
static size_t runs_like(const fit_data *d, const fit_datum *x) {
  for (size_t k = 0; k < d->n_cells; k++)
    if (d->cells[k].level == x->level && d->cells[k].angle == x->angle) return d->cells[k].n;
  return 0;
}

static void apply_anisotropy(const fit_data *d, const fit_datum *const *p, group g, double *work,
                             fit_verdict *v) {
  int decimals = printed_decimals(p + g.first, g.n);
  double lowest = INFINITY, highest = -INFINITY;
  for (size_t i = g.first, k; i < g.first + g.n; i = k) {
    for (k = i; k < g.first + g.n && p[k]->angle == p[i]->angle;) k++;
    fit_angle *a = &v->angles[p[i]->angle];
    angle_stats(p + i, k - i, work, a);
    a->campaign_id = campaign_of(p + i, k - i);
    a->n_elsewhere = runs_like(d, p[i]) - a->n;
    double mean = decimals >= 0 ? cb_round_decimals(a->mean_mu, decimals) : a->mean_mu;
    lowest = fmin(lowest, mean);
    highest = fmax(highest, mean);
  }
  if (g.angles < 2 || !(lowest > 0)) return;
  v->anisotropy_percent = 100 * (highest / lowest - 1);
  v->isotropic = v->anisotropy_percent <= FIT_ISOTROPIC_PERCENT;
}

/* The runs come by level and angle. */
static void sort_by_campaign(const fit_data *d, const fit_datum **p) {
  bool one = true;
  for (size_t i = 1; i < d->n && one; i++) one = d->data[i].campaign_id == d->data[0].campaign_id;
  if (!one) qsort(p, d->n, sizeof *p, by_campaign_level_angle);
}

static void fixed_load(const fit_data *d, const fit_datum **p, double *work, fit_verdict *v) {
  sort_by_campaign(d, p);
  group g = best_group(p, d->n, true);
  if (g.repeated < 2) {
    for (size_t i = 0; i < d->n; i++) p[i] = &d->data[i];
    group pooled = best_group(p, d->n, false);
    if (pooled.repeated > g.repeated || pooled.angles > g.angles)
      g = pooled;
    else
      sort_by_campaign(d, p);
  }
  v->fixed_load_N = d->levels[g.level].normal_force_N;
  apply_anisotropy(d, p, g, work, v);
}

/* ---- load sweeps: nonlinearity ---- */

/* Runs p[0 .. n) of one direction, by level. */
static size_t count_levels(const fit_datum *const *p, size_t n) {
  size_t levels = 0;
  for (size_t i = 0; i < n; i++) levels += i == 0 || p[i]->level != p[i - 1]->level;
  return levels;
}

/* Sums over the runs of a sweep with g = N^exponent. */
typedef struct power_sums {
  double fg, gg, fgx, ggx, fgxx, ggxx; /* F g, g g, and the same times ln N, ln^2 N */
} power_sums;

/* work: ln N of the runs. */
static power_sums power_sums_of(const fit_datum *const *p, size_t n, double exponent, const double *work) {
  power_sums s = {0};
  for (size_t i = 0; i < n; i++) {
    double x = work[i], g = exp(exponent * x), fg = p[i]->force_N * g, gg = g * g;
    s.fg += fg, s.fgx += fg * x, s.fgxx += fg * x * x;
    s.gg += gg, s.ggx += gg * x, s.ggxx += gg * x * x;
  }
  return s;
}

/* With the best factor fg / gg an exponent explains fg^2 / gg. The root of its derivative by Newton, held
 * between ends that close in: there is one maximum. */
static double best_exponent(const fit_datum *const *p, size_t n, const double *work) {
  double from = 0, to = 3, exponent = 1;
  for (int i = 0; i < 60; i++) {
    power_sums s = power_sums_of(p, n, exponent, work);
    double c = s.fg / s.gg, dc = (s.fgx - 2 * c * s.ggx) / s.gg, slope = s.fgx - c * s.ggx,
           curvature = s.fgxx - dc * s.ggx - 2 * c * s.ggxx, step = -slope / curvature;
    if (slope * c > 0)
      from = exponent;
    else
      to = exponent;
    double next = curvature * c < 0 && exponent + step > from && exponent + step < to ? exponent + step
                                                                                      : 0.5 * (from + to);
    if (fabs(next - exponent) < 1e-13) break;
    exponent = next;
  }
  return exponent;
}

/* work: room for n numbers. */
static void fit_power(const fit_datum *const *p, size_t n, double *work, fit_angle *a) {
  double mean = 0, total = 0, left = 0;
  for (size_t i = 0; i < n; i++) work[i] = log(p[i]->normal_force_N);
  a->exponent = best_exponent(p, n, work);
  power_sums s = power_sums_of(p, n, a->exponent, work);
  a->power_N = s.fg / s.gg;
  for (size_t i = 0; i < n; i++) mean += p[i]->force_N / (double)n;
  for (size_t i = 0; i < n; i++) {
    double f = p[i]->force_N, e = f - a->power_N * exp(a->exponent * work[i]);
    left += e * e;
    total += (f - mean) * (f - mean);
  }
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
  fit_power(p, n, work, a);
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

/* p: all of one direction, sorted by campaign. */
static void sweep_angle(const fit_datum **p, size_t n, double *work, fit_angle *a) {
  size_t first = 0, count = 0;
  best_sweep(p, n, &first, &count);
  if (count_levels(p + first, count) < 3) {
    qsort(p, n, sizeof *p, by_angle_level);
    first = 0, count = n;
  }
  a->sweep_campaign_id = campaign_of(p + first, count);
  a->n_sweep = count;
  a->n_sweep_elsewhere = n - count;
  sweep(p + first, count, work, a);
}

static void sweeps(const fit_data *d, const fit_datum **p, double *work, fit_verdict *v) {
  qsort(p, d->n, sizeof *p, by_angle_campaign_level);
  for (size_t i = 0, k; i < d->n; i = k) {
    for (k = i; k < d->n && p[k]->angle == p[i]->angle;) k++;
    fit_angle *a = &v->angles[p[i]->angle];
    sweep_angle(p + i, k - i, work, a);
    v->nonlinearity_percent = fmax(v->nonlinearity_percent, a->nonlinearity_percent);
  }
  v->linear = v->nonlinearity_percent <= FIT_LINEAR_PERCENT;
}

cb_status fit_rules_apply(const fit_data *d, fit_verdict *v, cb_err *err) {
  *v = (fit_verdict){.n_angles = d->n_angles,
                     .fixed_load_N = NAN,
                     .anisotropy_percent = NAN,
                     .isotropic = true,
                     .found_anisotropy_percent = NAN,
                     .found_exponent = NAN,
                     .wear.found_percent = NAN,
                     .u95_exponent = NAN,
                     .nonlinearity_percent = NAN};
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
    st = cb_no_memory(err, "the verdicts of %zu points", d->n);
  }
  free(p);
  free(work);
  return st;
}
