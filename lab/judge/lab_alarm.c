#include "lab_alarm.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cb_language.h"
#include "cb_store_correction.h"
#include "cb_store_query.h"

_Static_assert(sizeof LAB_ALARM == 14, "the length of the mark in SQL");

/* ---- one alarm ---- */

/* "ewma, kinetic at 0 deg, 2 N": the same alarm begins alike. */
static void put_key(const lab_chart *c, const fit_chart_alarm *a, char out[120]) {
  if (c->weight_kg > 0)
    (void)snprintf(out, 120, LAB_ALARM "%s, force at %.4g N", fit_chart_names[a->kind], c->normal_force_N);
  else
    (void)snprintf(out, 120, LAB_ALARM "%s, %s at %g deg, %.4g N", fit_chart_names[a->kind],
                   cb_friction_kind_names[c->kind], c->angle_deg, c->normal_force_N);
}

/* A sum has no limits of a coefficient: those of points stand for it. */
static void put_text(const lab_chart *c, const fit_chart_alarm *a, const char *key, char *out, size_t size) {
  const fit_chart_limits *l = &c->chart.limits;
  const bool ewma = a->kind == FIT_CHART_EWMA;
  const double half = ewma ? c->chart.ewma_limit : FIT_CHART_POINT_K * l->factor * l->sigma + l->u_center;
  (void)snprintf(
      out, size,
      "%s, %s on %s: %s = %.5g, limits %.5g to %.5g (n = %zu)%s; changed by %+.2g %% (u = %.2g %%) since %s",
      key, c->cloth, c->body, c->weight_kg > 0 ? "read / true" : "mu",
      ewma ? c->chart.ewma[a->at] : c->points[a->at].mu, l->center - half, l->center + half, l->n,
      a->kind == FIT_CHART_CUSUM ? ", sum beyond 5 sigma" : "", 100 * a->shift / l->center,
      100 * a->u_shift / l->center, c->points[a->since].day);
}

/* Whether a run of one of its points has it already: limits of few points move, and its first point with
 * them. */
static bool is_kept(const lab_chart *c, const fit_chart_alarm *a, const char *key, const cb_correction *notes,
                    size_t n) {
  for (size_t i = 0; i < n; i++) {
    if (notes[i].kind != CB_CORRECTION_NOTE || strncmp(notes[i].reason, key, strlen(key)) != 0) continue;
    for (size_t k = a->at; k <= a->until; k++)
      if (c->points[k].run_id == notes[i].run_id) return true;
  }
  return false;
}

/* ---- all of a chart ---- */

static cb_status keep_new(cb_store *s, const lab_chart *c, bool newest, const char *person, size_t *kept,
                          cb_err *err) {
  cb_correction *notes;
  size_t n;
  char key[120];
  cb_status st = CB_OK;
  CB_TRY(cb_store_corrections(s, 0, &notes, &n, err));
  for (size_t i = 0; i < c->chart.n_alarms && st == CB_OK; i++) {
    const fit_chart_alarm *a = &c->chart.alarms[i];
    put_key(c, a, key);
    if (fit_chart_is_warning(a->kind) || (newest && a->until + 1 < c->n) || is_kept(c, a, key, notes, n))
      continue;
    cb_correction row = {.run_id = c->points[a->at].run_id, .kind = CB_CORRECTION_NOTE};
    put_text(c, a, key, row.reason, sizeof row.reason);
    (void)snprintf(row.operator_name, sizeof row.operator_name, "%s", person);
    st = cb_store_correction_put(s, &row, err);
    *kept += st == CB_OK;
  }
  free(notes);
  return st;
}

cb_status lab_alarms_keep(cb_store *s, const lab_chart *c, bool newest, const char *person, size_t *kept,
                          cb_err *err) {
  *kept = 0;
  CB_TRY(cb_store_begin(s, err));
  cb_status st = keep_new(s, c, newest, person, kept, err);
  if (st == CB_OK) st = cb_store_commit(s, err);
  if (st != CB_OK) cb_store_rollback(s);
  return st;
}

/* ---- after a campaign ---- */

/* The pair and the rig of a campaign of pulls, and of how many campaigns there are pulls of that pair; the
 * rig and the masses in g of weights that a look has read. */
static const char pair_of[] =
    "SELECT m.name, b.name, r.name, (SELECT count(DISTINCT n.campaign_id) FROM run_now n WHERE n.cloth_id = "
    "m.id "
    "AND n.body_id = b.id), 0 FROM campaign c JOIN rig r ON r.id = c.rig_id JOIN material_now o ON o.id = "
    "c.cloth_id JOIN material_now m ON m.id = o.is_id JOIN material_now p ON p.id = c.body_id JOIN "
    "material_now b ON b.id = p.is_id WHERE c.id = ?1 AND c.kind = 'friction' UNION ALL SELECT DISTINCT "
    "NULL, NULL, r.source, 0, CAST(e.text AS REAL) FROM event e JOIN run r ON r.id = e.run_id WHERE "
    "e.campaign_id = ?1 AND e.kind = 'weight'";

static cb_status keep_newest(cb_store *s, const json_t *row, const char *person, char said[400],
                             cb_err *err) {
  const lab_chart_query q = {
      .cloth = json_string_value(json_array_get(row, 0)),
      .body = json_string_value(json_array_get(row, 1)),
      .weight_kg = json_number_value(json_array_get(row, 4)) * 1e-3,
      .kind = CB_FRICTION_KINETIC,
      .angle_deg = NAN,
      .normal_force_N = NAN,
      .by_campaign = true,
      .baseline = FIT_CHART_BASELINE,
      .sel = {.origin = LAB_ANY_ORIGIN, .rig = json_string_value(json_array_get(row, 2))}};
  lab_chart c;
  size_t kept = 0;
  cb_status st = lab_chart_make(s, &q, &c, err);
  if (st == CB_OK) st = lab_alarms_keep(s, &c, true, person, &kept, err);
  if (kept > 0)
    (void)snprintf(said, 400,
                   cb_tr_count("the control charts of %s on %s have %zu new alarm: 'clothbench chart' shows "
                               "it, and 'db note' says what was done",
                               "the control charts of %s on %s have %zu new alarms: 'clothbench chart' shows "
                               "them, and 'db note' says what was done",
                               kept),
                   c.cloth, c.body, kept);
  lab_chart_clear(&c);
  return st == CB_E_NOTFOUND ? CB_OK : st; /* no pull of it counts */
}

cb_status lab_alarms_after(cb_store *s, int64_t campaign_id, const char *person, char said[400],
                           cb_err *err) {
  const cb_query_value value = {NULL, (double)campaign_id};
  json_t *doc;
  cb_status st = CB_OK;
  said[0] = '\0';
  CB_TRY(cb_store_query(s, pair_of, &value, 1, &doc, err));
  const json_t *rows = json_object_get(doc, "rows"), *row;
  /* Reading all pulls of a pair takes its time, and few campaigns give no limits. */
  for (size_t i = 0; st == CB_OK && (row = json_array_get(rows, i)); i++)
    if (!json_is_string(json_array_get(row, 0)) ||
        json_integer_value(json_array_get(row, 3)) >= FIT_CHART_LEAST)
      st = keep_newest(s, row, person, said, err);
  json_decref(doc);
  return st;
}
