#include "lab_chart.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cb_json.h"
#include "cb_stats.h"
#include "cb_store_query.h"
#include "lab_friction_parts.h"

/* Angles and loads that are the same place of a plan. */
#define SAME_ANGLE_DEG 0.5
#define SAME_LOAD_REL 0.01

/* ---- the runs ---- */

static double coefficient(const lab_chart *c, const cb_friction_obs *o) {
  const cb_friction_point *p = &o->point;
  return (c->kind == CB_FRICTION_KINETIC ? p->kinetic_N : p->static_N) / o->run.normal_force_N;
}

static bool is_of_cell(const lab_chart *c, const cb_run *r) {
  return !(fabs(r->angle_deg - c->angle_deg) > SAME_ANGLE_DEG) &&
         !(fabs(r->normal_force_N / c->normal_force_N - 1) > SAME_LOAD_REL);
}

static size_t count_alike(lab_chart *c, const cb_friction_obs *obs, size_t n) {
  size_t alike = 0;
  for (size_t i = 0; i < n; i++) alike += is_of_cell(c, &obs[i].run);
  return alike;
}

/* The angle and load of most runs among those that were asked for; of equals the first. Returns whether there
 * are any. */
static bool choose_cell(const lab_chart_query *q, const cb_friction_obs *obs, size_t n, lab_chart *c) {
  size_t most = 0;
  lab_chart asked = *c, best = *c;
  asked.angle_deg = q->angle_deg;
  asked.normal_force_N = q->normal_force_N;
  for (size_t i = 0; i < n && most < n - i; i++) {
    if (!is_of_cell(&asked, &obs[i].run)) continue;
    c->angle_deg = obs[i].run.angle_deg;
    c->normal_force_N = obs[i].run.normal_force_N;
    const size_t alike = count_alike(c, obs, n);
    if (alike > most) best = *c;
    if (alike > most) most = alike;
  }
  *c = best;
  return most > 0;
}

/* Real runs, or virtual ones if there are no others; of the cell; with a force. */
static size_t keep_runs(const lab_chart_query *q, cb_friction_obs *obs, size_t n, lab_chart *c) {
  size_t kept = 0, of_cell = 0;
  bool real = false;
  for (size_t i = 0; i < n; i++) real = real || cb_origin_is_real(obs[i].run.origin);
  for (size_t i = 0; i < n; i++)
    if (cb_origin_is_real(obs[i].run.origin) == real && isfinite(coefficient(c, &obs[i])))
      obs[kept++] = obs[i];
  if (!choose_cell(q, obs, kept, c)) return 0;
  for (size_t i = 0; i < kept; i++)
    if (is_of_cell(c, &obs[i].run)) obs[of_cell++] = obs[i];
  return of_cell;
}

static int by_time(const void *a, const void *b) {
  const cb_run *p = &((const cb_friction_obs *)a)->run, *q = &((const cb_friction_obs *)b)->run;
  const int order = strcmp(p->started_at, q->started_at);
  return order ? order : (p->id > q->id) - (p->id < q->id);
}

static int by_campaign(const void *a, const void *b) {
  const cb_run *p = &((const cb_friction_obs *)a)->run, *q = &((const cb_friction_obs *)b)->run;
  return p->campaign_id != q->campaign_id ? (p->campaign_id > q->campaign_id ? 1 : -1) : by_time(a, b);
}

/* ---- points ---- */

static bool belongs(const lab_chart_query *q, const lab_chart_point *p, const cb_run *r) {
  return q->by_campaign ? p->campaign_id == r->campaign_id : strncmp(p->day, r->started_at, 10) == 0;
}

static void finish_point(const lab_chart *c, const cb_friction_obs *first, const double *mu,
                         lab_chart_point *p) {
  const cb_friction_point *own = &first->point;
  p->mu = cb_mean(mu, p->n);
  p->u = p->n > 1 ? cb_sd(mu, p->n) / sqrt((double)p->n)
                  : (c->kind == CB_FRICTION_KINETIC ? own->u_kinetic_N : own->u_static_N) /
                        first->run.normal_force_N;
}

static void make_points(const lab_chart_query *q, const cb_friction_obs *obs, size_t n, double *mu,
                        lab_chart *c) {
  for (size_t i = 0, first = 0; i < n; i++) {
    const cb_run *r = &obs[i].run;
    lab_chart_point *p = &c->points[c->n];
    if (i == first) {
      *p = (lab_chart_point){.campaign_id = r->campaign_id, .run_id = r->id};
      (void)snprintf(p->day, sizeof p->day, "%.10s", r->started_at);
    }
    mu[p->n++] = coefficient(c, &obs[i]);
    c->u_rel_shared =
        fmax(c->u_rel_shared, hypot(hypot(obs[i].u_rel_calibration, r->u_normal_force_N / r->normal_force_N),
                                    obs[i].u_floor_calibration_N / (r->normal_force_N * mu[p->n - 1])));
    if (i + 1 < n && belongs(q, p, &obs[i + 1].run)) continue;
    finish_point(c, &obs[first], mu, p);
    first = i + 1;
    c->n++;
  }
}

static cb_status chart_runs(const lab_chart_query *q, cb_friction_obs *obs, size_t n, lab_chart *c,
                            cb_err *err) {
  double *mu = calloc(n, sizeof *mu);
  c->points = calloc(n, sizeof *c->points);
  c->runs = calloc(n, sizeof *c->runs);
  cb_status st = mu && c->points && c->runs ? CB_OK : cb_no_memory(err, "a chart of %zu runs", n);
  if (st == CB_OK) {
    qsort(obs, n, sizeof *obs, q->by_campaign ? by_campaign : by_time);
    for (size_t i = 0; i < n; i++) c->runs[i] = obs[i].run;
    make_points(q, obs, n, mu, c);
    for (size_t i = 0; i < c->n; i++) mu[i] = c->points[i].mu;
    st = fit_chart_make(mu, c->n, q->baseline, &c->chart, err);
  }
  free(mu);
  return st;
}

/* ---- weights ---- */

/* What `rig live --record` read of a weight of ?1 g, the newest first. */
static const char weighings[] =
    "SELECT v.run_id, v.campaign_id, v.started_at, v.origin, v.source, e.text FROM event e JOIN v_run v ON "
    "v.run_id = e.run_id WHERE e.kind = 'weight' AND v.kind = 'look' AND v.status = 'done' AND "
    "abs(CAST(e.text AS REAL) / ?1 - 1) < 1e-4 ORDER BY e.id DESC";

static const char *word(const json_t *row, size_t i) { return json_string_value(json_array_get(row, i)); }

/* The normal force is that of the weight, the kinetic force what was read. */
static bool take(const json_t *row, cb_friction_obs *o) {
  cb_run *r = &o->run;
  *o = (cb_friction_obs){.run = {.id = json_integer_value(json_array_get(row, 0)),
                                 .campaign_id = json_integer_value(json_array_get(row, 1)),
                                 .origin = strcmp(word(row, 3), "virtual") ? CB_MEASURED : CB_VIRTUAL,
                                 .angle_deg = NAN}};
  (void)snprintf(r->started_at, sizeof r->started_at, "%s", word(row, 2));
  (void)snprintf(r->source, sizeof r->source, "%s", word(row, 4));
  return sscanf(word(row, 5), "%*f g pulls with %lf N; read: %lf N, u %lf N", &r->normal_force_N,
                &o->point.kinetic_N, &o->point.u_kinetic_N) == 3 &&
         r->normal_force_N > 0;
}

/* On a rig; NULL: on the one that read the weight last. */
static cb_status list_weighings(cb_store *s, const lab_chart_query *q, cb_friction_obs **list, size_t *n,
                                cb_err *err) {
  const cb_query_value mass_g = {NULL, q->weight_kg * 1e3};
  json_t *doc;
  *n = 0;
  CB_TRY(cb_store_query(s, weighings, &mass_g, 1, &doc, err));
  const json_t *rows = json_object_get(doc, "rows"), *row;
  *list = calloc(json_array_size(rows) + 1, sizeof **list);
  for (size_t i = 0; *list && (row = json_array_get(rows, i)); i++)
    *n += take(row, &(*list)[*n]) &&
          strcmp((*list)[*n].run.source, q->sel.rig ? q->sel.rig : (*list)[0].run.source) == 0;
  json_decref(doc);
  return *list ? CB_OK : cb_no_memory(err, "readings of a weight");
}

static cb_status find_runs(cb_store *s, const lab_chart_query *q, cb_friction_obs **obs, size_t *n,
                           lab_chart *c, cb_err *err) {
  const bool weight = q->weight_kg > 0;
  if (weight) {
    CB_TRY(list_weighings(s, q, obs, n, err));
    (void)snprintf(c->cloth, sizeof c->cloth, "the weight of %g g", q->weight_kg * 1e3);
    (void)snprintf(c->body, sizeof c->body, "%.63s", (*obs)[0].run.source);
  } else {
    (void)snprintf(c->cloth, sizeof c->cloth, "%s", q->cloth);
    (void)snprintf(c->body, sizeof c->body, "%s", q->body);
    CB_TRY(lab_friction_observations_like(s, q->cloth, q->body, LAB_ANY_ORIGIN, obs, n, err));
  }
  CB_TRY(lab_selection_keep(s, &q->sel, *obs, n, err));
  *n = c->n_runs = keep_runs(q, *obs, *n, c);
  if (*n > 0) return CB_OK;
  if (weight)
    return cb_fail(err, CB_E_NOTFOUND,
                   "%s: %s was read in no such run: 'rig live --record --weight-g %g' reads it",
                   cb_store_path(s), c->cloth, q->weight_kg * 1e3);
  return cb_fail(err, CB_E_NOTFOUND, "%s: '%s' on '%s' has no such runs of %s friction", cb_store_path(s),
                 q->cloth, q->body, cb_friction_kind_names[q->kind]);
}

cb_status lab_chart_make(cb_store *s, const lab_chart_query *q, lab_chart *out, cb_err *err) {
  cb_friction_obs *obs = NULL;
  size_t n;
  *out = (lab_chart){.kind = q->kind, .weight_kg = q->weight_kg, .angle_deg = NAN, .normal_force_N = NAN};
  cb_status st = find_runs(s, q, &obs, &n, out, err);
  if (st == CB_OK) out->origin = obs[0].run.origin;
  if (st == CB_OK) st = chart_runs(q, obs, n, out, err);
  free(obs);
  return st;
}

void lab_chart_clear(lab_chart *c) {
  fit_chart_clear(&c->chart);
  free(c->points);
  free(c->runs);
  *c = (lab_chart){.n = 0};
}

bool lab_chart_is_alarmed(const lab_chart *c) {
  for (size_t i = 0; i < c->chart.n_alarms; i++) {
    const fit_chart_alarm *a = &c->chart.alarms[i];
    if (!fit_chart_is_warning(a->kind) && a->until + 1 == c->n) return true;
  }
  return false;
}

void lab_chart_what(const lab_chart *c, char out[240]) {
  int n = snprintf(out, 240, "%s on %s, ", c->cloth, c->body);
  if (c->weight_kg > 0)
    (void)snprintf(out + n, 240 - (size_t)n, "read / true force at %.4g N", c->normal_force_N);
  else
    (void)snprintf(out + n, 240 - (size_t)n, "%s friction at %g deg, %.4g N", cb_friction_kind_names[c->kind],
                   c->angle_deg, c->normal_force_N);
}

/* ---- the document ---- */

static json_t *points_json(const lab_chart *c) {
  json_t *list = json_array();
  for (size_t i = 0; i < c->n; i++) {
    const lab_chart_point *p = &c->points[i];
    (void)json_array_append_new(list, json_pack("{s:s, s:I, s:I, s:o, s:o, s:o}", "day", p->day, "campaign",
                                                (json_int_t)p->campaign_id, "runs", (json_int_t)p->n, "mu",
                                                cb_json_real(p->mu), "u_mu", cb_json_real(p->u), "ewma",
                                                cb_json_real(c->chart.limits.n ? c->chart.ewma[i] : NAN)));
  }
  return list;
}

static json_t *alarms_json(const lab_chart *c) {
  json_t *list = json_array();
  for (size_t i = 0; i < c->chart.n_alarms; i++) {
    const fit_chart_alarm *a = &c->chart.alarms[i];
    (void)json_array_append_new(
        list, json_pack("{s:s, s:b, s:I, s:I, s:I, s:o, s:o}", "chart", fit_chart_names[a->kind], "warning",
                        fit_chart_is_warning(a->kind), "at", (json_int_t)a->at, "until", (json_int_t)a->until,
                        "since", (json_int_t)a->since, "shift_mu", cb_json_real(a->shift), "u_shift_mu",
                        cb_json_real(a->u_shift)));
  }
  return list;
}

json_t *lab_chart_json(const lab_chart *c) {
  const fit_chart_limits *l = &c->chart.limits;
  const bool known = l->n > 0;
  return json_pack(
      "{s:s, s:s, s:s, s:s, s:o, s:o, s:I, s:I, s:o, s:o, s:o, s:o, s:o, s:o, s:b, s:o, s:o, s:b}", "cloth",
      c->cloth, "body", c->body, "kind", c->weight_kg > 0 ? "weight" : cb_friction_kind_names[c->kind],
      "origin", cb_origin_names[c->origin], "angle_deg", cb_json_real(c->angle_deg), "normal_force_N",
      cb_json_real(c->normal_force_N), "runs", (json_int_t)c->n_runs, "baseline_points", (json_int_t)l->n,
      "center_mu", cb_json_real(known ? l->center : NAN), "u_center_mu",
      cb_json_real(known ? l->u_center : NAN), "sigma_mu", cb_json_real(known ? l->sigma : NAN), "limit_mu",
      cb_json_real(known ? FIT_CHART_POINT_K * l->factor * l->sigma + l->u_center : NAN), "ewma_limit_mu",
      cb_json_real(known ? c->chart.ewma_limit : NAN), "r1", cb_json_real(known ? l->r1 : NAN), "correlated",
      l->correlated, "points", points_json(c), "alarms", alarms_json(c), "alarmed", lab_chart_is_alarmed(c));
}
