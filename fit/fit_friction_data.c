#include "fit_friction_data.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cb_num.h"
#include "fit_friction_quadratic.h"

/* Loads closer than this are one level: a weight and its calibrated value. */
#define SAME_LOAD_REL 1e-3
/* Angles closer than this are one direction as far as the tables go ... */
#define SAME_ANGLE_DEG 0.01
/* ... and directions must be this far apart before three of them are worth a matrix. */
#define APART_DEG 10.0

static cb_status check_obs(const cb_friction_obs *o, double force, double u, cb_err *err) {
  const cb_run *r = &o->run;
  if (!isfinite(force) || !isfinite(u) || u < 0)
    return cb_fail(err, CB_E_NUM, "run %lld: force %g N with uncertainty %g N: finite numbers were wanted", (long long)r->id, force, u);
  if (!isfinite(r->angle_deg))
    return cb_fail(err, CB_E_NUM, "run %lld: angle_deg = %g: a finite angle was wanted", (long long)r->id, r->angle_deg);
  if (!(r->normal_force_N > 0) || !isfinite(r->normal_force_N))
    return cb_fail(err, CB_E_RANGE, "run %lld: normal_force_N = %g N: must be > 0", (long long)r->id, r->normal_force_N);
  if (!(r->u_normal_force_N >= 0) || !isfinite(r->u_normal_force_N))
    return cb_fail(err, CB_E_RANGE, "run %lld: u_normal_force_N = %g N: must be >= 0", (long long)r->id, r->u_normal_force_N);
  return CB_OK;
}

static cb_status take(fit_data *d, const cb_friction_obs *obs, size_t n, cb_friction_kind kind, const bool *left_out, cb_err *err) {
  for (size_t i = 0; i < n; i++) {
    const cb_friction_point *p = &obs[i].point;
    double force = kind == CB_FRICTION_KINETIC ? p->kinetic_N : p->static_N,
           u = kind == CB_FRICTION_KINETIC ? p->u_kinetic_N : p->u_static_N;
    if (isnan(force) || (left_out && left_out[i])) continue;
    CB_TRY(check_obs(&obs[i], force, u, err));
    bool printed = kind == CB_FRICTION_KINETIC && isfinite(p->mu_reported);
    d->data[d->n++] = (fit_datum){.index = i,
                                  .normal_force_N = obs[i].run.normal_force_N,
                                  .u_normal_force_N = obs[i].run.u_normal_force_N,
                                  .angle_deg = obs[i].run.angle_deg,
                                  .force_N = force,
                                  .u_force_N = u,
                                  .mu = printed ? p->mu_reported : force / obs[i].run.normal_force_N,
                                  .mu_decimals = printed ? p->mu_reported_decimals : -1,
                                  .direction = obs[i].run.direction,
                                  .campaign_id = obs[i].run.campaign_id};
  }
  return CB_OK;
}

static int order(double a, double b) { return (a > b) - (a < b); }

static int by_angle(const void *a, const void *b) { return order(((const fit_datum *)a)->angle_deg, ((const fit_datum *)b)->angle_deg); }

static int by_load(const void *a, const void *b) {
  return order(((const fit_datum *)a)->normal_force_N, ((const fit_datum *)b)->normal_force_N);
}

static int by_place(const void *a, const void *b) {
  const fit_datum *x = a, *y = b;
  if (x->level != y->level) return x->level < y->level ? -1 : 1;
  if (x->angle != y->angle) return x->angle < y->angle ? -1 : 1;
  return x->index < y->index ? -1 : x->index > y->index;
}

static bool number_angles(fit_data *d) {
  qsort(d->data, d->n, sizeof *d->data, by_angle);
  for (size_t i = 0; i < d->n; i++) {
    double a = d->data[i].angle_deg;
    if (d->n_angles == 0 || a > d->angle_deg[d->n_angles - 1] + SAME_ANGLE_DEG) {
      if (d->n_angles == FIT_MAX_ANGLES) return false;
      d->angle_deg[d->n_angles++] = a;
    }
    d->data[i].angle = d->n_angles - 1;
  }
  return true;
}

static bool number_levels(fit_data *d) {
  double start = 0;
  qsort(d->data, d->n, sizeof *d->data, by_load);
  for (size_t i = 0; i < d->n; i++) {
    double N = d->data[i].normal_force_N;
    if (d->n_levels == 0 || N > start * (1 + SAME_LOAD_REL)) {
      if (d->n_levels == CB_LAW_MAX_KNOTS) return false;
      d->levels[d->n_levels++] = (fit_level){.n = 0};
      start = N;
    }
    d->data[i].level = d->n_levels - 1;
  }
  return true;
}

static void fill_cell(fit_cell *c, const fit_data *d) {
  double sum = 0, square = 0;
  for (size_t i = c->first; i < c->first + c->n; i++) {
    sum += d->data[i].force_N;
    square += d->data[i].u_force_N * d->data[i].u_force_N;
  }
  c->mean_N = sum / (double)c->n;
  c->u_point_N = sqrt(square / (double)c->n);
  c->angle_rad = d->angle_deg[c->angle] * CB_DEG;
  fit_row(c->angle_rad, c->row);
}

static void make_cells(fit_data *d) {
  for (size_t i = 0; i < d->n; i++) {
    const fit_datum *x = &d->data[i];
    fit_cell *last = d->n_cells ? &d->cells[d->n_cells - 1] : NULL;
    if (last && last->level == x->level && last->angle == x->angle)
      last->n++;
    else
      d->cells[d->n_cells++] = (fit_cell){.first = i, .n = 1, .level = x->level, .angle = x->angle};
  }
  for (size_t k = 0; k < d->n_cells; k++) fill_cell(&d->cells[k], d);
}

/* Greedy: an angle counts if it is far from all that counted before. */
static size_t count_directions(const fit_data *d, const fit_level *l) {
  double taken[FIT_MAX_ANGLES];
  size_t n = 0;
  for (size_t k = l->first; k < l->first + l->n; k++) {
    double a = d->angle_deg[d->cells[k].angle];
    bool far = true;
    for (size_t j = 0; j < n && far; j++) {
      double apart = fabs(remainder(a - taken[j], 180));
      far = apart >= APART_DEG;
    }
    if (far) taken[n++] = a;
  }
  return n;
}

static void make_levels(fit_data *d) {
  for (size_t k = d->n_cells; k-- > 0;) {
    fit_level *l = &d->levels[d->cells[k].level];
    l->first = k;
    l->n++;
  }
  for (size_t i = 0; i < d->n_levels; i++) {
    fit_level *l = &d->levels[i];
    size_t from = d->cells[l->first].first, runs = 0;
    double sum = 0;
    for (size_t k = l->first; k < l->first + l->n; k++) runs += d->cells[k].n;
    for (size_t j = from; j < from + runs; j++) {
      sum += d->data[j].normal_force_N;
      l->u_normal_force_N = fmax(l->u_normal_force_N, d->data[j].u_normal_force_N);
    }
    l->normal_force_N = sum / (double)runs;
    l->n_directions = count_directions(d, l);
  }
}

cb_status fit_data_init(fit_data *d, const cb_friction_obs *obs, size_t n, cb_friction_kind kind, const bool *left_out, cb_err *err) {
  *d = (fit_data){.outcome = FIT_FRICTION_NO_DATA};
  if (n == 0) return CB_OK;
  d->data = calloc(n, sizeof *d->data);
  d->cells = calloc(n, sizeof *d->cells);
  if (!d->data || !d->cells) return cb_fail(err, CB_E_NOMEM, "no memory for %zu friction points", n);
  CB_TRY(take(d, obs, n, kind, left_out, err));
  if (d->n == 0) return CB_OK;
  d->outcome = FIT_FRICTION_TOO_MANY_ANGLES;
  if (!number_angles(d)) return CB_OK;
  d->outcome = FIT_FRICTION_TOO_MANY_LOADS;
  if (!number_levels(d)) return CB_OK;
  qsort(d->data, d->n, sizeof *d->data, by_place);
  make_cells(d);
  make_levels(d);
  d->outcome = FIT_FRICTION_OK;
  return CB_OK;
}

void fit_data_clear(fit_data *d) {
  free(d->data);
  free(d->cells);
  d->data = NULL;
  d->cells = NULL;
}
