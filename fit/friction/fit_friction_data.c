#include "fit_friction_data.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cb_num.h"
#include "cb_stats.h"
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
    return cb_fail(err, CB_E_NUM, "run %lld: force %g N with uncertainty %g N: finite numbers were wanted",
                   (long long)r->id, force, u);
  if (!isfinite(r->angle_deg))
    return cb_fail(err, CB_E_NUM, "run %lld: angle_deg = %g: a finite angle was wanted", (long long)r->id,
                   r->angle_deg);
  if (!(r->normal_force_N > 0) || !isfinite(r->normal_force_N))
    return cb_fail(err, CB_E_RANGE, "run %lld: normal_force_N = %g N: must be > 0", (long long)r->id,
                   r->normal_force_N);
  if (!(r->u_normal_force_N >= 0) || !isfinite(r->u_normal_force_N))
    return cb_fail(err, CB_E_RANGE, "run %lld: u_normal_force_N = %g N: must be >= 0", (long long)r->id,
                   r->u_normal_force_N);
  return CB_OK;
}

/* The force of a run that counts; NAN: it does not. */
static double force_of(const cb_friction_obs *obs, size_t i, cb_friction_kind kind, const bool *left_out) {
  if (left_out && left_out[i]) return NAN;
  return kind == CB_FRICTION_KINETIC ? obs[i].point.kinetic_N : obs[i].point.static_N;
}

static double u_force_of(const cb_friction_obs *o, cb_friction_kind kind) {
  return kind == CB_FRICTION_KINETIC ? o->point.u_kinetic_N : o->point.u_static_N;
}

static cb_status count_usable(const cb_friction_obs *obs, size_t n, cb_friction_kind kind,
                              const bool *left_out, size_t *usable, cb_err *err) {
  *usable = 0;
  for (size_t i = 0; i < n; i++) {
    double force = force_of(obs, i, kind, left_out);
    if (isnan(force)) continue;
    CB_TRY(check_obs(&obs[i], force, u_force_of(&obs[i], kind), err));
    (*usable)++;
  }
  return CB_OK;
}

/* ---- groups of values that count as one ---- */

static double load_of(const cb_friction_obs *o) { return o->run.normal_force_N; }
static double angle_of(const cb_friction_obs *o) { return o->run.angle_deg; }

/* Ascending, each group by its first value; a value belongs to it if it is no farther than absolute +
 * relative times that. Returns how many there are; most + 1: more. work: room for all values. */
static size_t group(const cb_friction_obs *obs, size_t n, cb_friction_kind kind, const bool *left_out,
                    double (*value)(const cb_friction_obs *), double absolute, double relative, double *first,
                    size_t most, double *work) {
  size_t used = 0, groups = 0;
  for (size_t i = 0; i < n; i++)
    if (!isnan(force_of(obs, i, kind, left_out))) work[used++] = value(&obs[i]);
  cb_sort(work, used);
  for (size_t i = 0; i < used; i++) {
    if (groups > 0 && work[i] <= first[groups - 1] + absolute + relative * first[groups - 1]) continue;
    if (groups == most) return most + 1;
    first[groups++] = work[i];
  }
  return groups;
}

static size_t group_of(const double *first, size_t n, double value) {
  while (n > 1 && first[n - 1] > value) n--;
  return n - 1;
}

/* ---- runs into cells ---- */

static fit_datum datum_of(const cb_friction_obs *o, size_t index, cb_friction_kind kind, double force,
                          size_t level, size_t angle) {
  const cb_friction_point *p = &o->point;
  bool printed = kind == CB_FRICTION_KINETIC && isfinite(p->mu_reported);
  return (fit_datum){.index = index,
                     .campaign_id = o->run.campaign_id,
                     .normal_force_N = o->run.normal_force_N,
                     .force_N = force,
                     .u_force_N = u_force_of(o, kind),
                     .mu = printed ? p->mu_reported : force / o->run.normal_force_N,
                     .mu_decimals = printed ? p->mu_reported_decimals : -1,
                     .level = (unsigned char)level,
                     .angle = (unsigned char)angle,
                     .backward = o->run.direction < 0};
}

/* The cells are the whole grid at first. Counting sort: twice over the runs, first how many there are in each
 * cell, then into their places. */
static void sort_runs(fit_data *d, const cb_friction_obs *obs, size_t n, cb_friction_kind kind,
                      const bool *left_out, const double *load_N) {
  for (int pass = 0; pass < 2; pass++) {
    for (size_t i = 0; i < n; i++) {
      double force = force_of(obs, i, kind, left_out);
      if (isnan(force)) continue;
      size_t level = group_of(load_N, d->n_levels, obs[i].run.normal_force_N),
             angle = group_of(d->angle_deg, d->n_angles, obs[i].run.angle_deg);
      fit_cell *c = &d->cells[level * d->n_angles + angle];
      fit_level *l = &d->levels[level];
      l->u_normal_force_N = fmax(l->u_normal_force_N, obs[i].run.u_normal_force_N);
      if (pass == 1) d->data[c->first + c->n] = datum_of(&obs[i], i, kind, force, level, angle);
      c->n++;
    }
    for (size_t k = 0, first = 0; k < d->n_cells && pass == 0; k++) {
      d->cells[k].first = first;
      first += d->cells[k].n;
      d->cells[k].n = 0;
    }
  }
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

static void drop_empty_cells(fit_data *d) {
  size_t kept = 0;
  for (size_t k = 0; k < d->n_cells; k++) {
    fit_cell c = d->cells[k];
    c.level = k / d->n_angles, c.angle = k % d->n_angles;
    if (c.n > 0) d->cells[kept++] = c;
  }
  d->n_cells = kept;
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
    for (size_t j = from; j < from + runs; j++) sum += d->data[j].normal_force_N;
    l->normal_force_N = sum / (double)runs;
    l->ln_load = log(l->normal_force_N);
    l->n_directions = count_directions(d, l);
  }
}

static cb_status make_room(fit_data *d, cb_err *err) {
  d->n_cells = d->n_levels * d->n_angles;
  d->data = malloc(d->n * sizeof *d->data);
  d->cells = calloc(d->n_cells > 0 ? d->n_cells : 1, sizeof *d->cells);
  return d->data && d->cells ? CB_OK : cb_no_memory(err, "%zu friction points", d->n);
}

/* work: room for d->n numbers. */
static cb_status fill_cells(fit_data *d, const cb_friction_obs *obs, size_t n, cb_friction_kind kind,
                            const bool *left_out, double *work, cb_err *err) {
  double load_N[CB_LAW_MAX_KNOTS];
  d->outcome = FIT_FRICTION_TOO_MANY_ANGLES;
  d->n_angles =
      group(obs, n, kind, left_out, angle_of, SAME_ANGLE_DEG, 0, d->angle_deg, FIT_MAX_ANGLES, work);
  if (d->n_angles > FIT_MAX_ANGLES) return CB_OK;
  d->outcome = FIT_FRICTION_TOO_MANY_LOADS;
  d->n_levels = group(obs, n, kind, left_out, load_of, 0, SAME_LOAD_REL, load_N, CB_LAW_MAX_KNOTS, work);
  if (d->n_levels > CB_LAW_MAX_KNOTS) return CB_OK;
  CB_TRY(make_room(d, err));
  sort_runs(d, obs, n, kind, left_out, load_N);
  drop_empty_cells(d);
  make_levels(d);
  d->outcome = FIT_FRICTION_OK;
  return CB_OK;
}

cb_status fit_data_init(fit_data *d, const cb_friction_obs *obs, size_t n, cb_friction_kind kind,
                        const bool *left_out, cb_err *err) {
  memset(d, 0, sizeof *d);
  d->outcome = FIT_FRICTION_NO_DATA;
  CB_TRY(count_usable(obs, n, kind, left_out, &d->n, err));
  if (d->n == 0) return CB_OK;
  double *work = malloc(d->n * sizeof *work);
  if (!work) return cb_no_memory(err, "%zu friction points", d->n);
  cb_status st = fill_cells(d, obs, n, kind, left_out, work, err);
  free(work);
  return st;
}

void fit_data_clear(fit_data *d) {
  free(d->data);
  free(d->cells);
  d->data = NULL;
  d->cells = NULL;
}
