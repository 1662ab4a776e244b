#include "lab_standard_impl.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "cb_json.h"
#include "cb_plural.h"

void lab_standard_clear(lab_standard *e) {
  for (size_t i = 0; i < e->n_groups; i++) free(e->groups[i].specimens);
  free(e->groups);
  free(e->deviations);
  *e = (lab_standard){.campaign_id = 0};
}

typedef struct pulls {
  const cb_standard *standard;
  cb_run *runs;            /* owned */
  fit_standard *evaluated; /* owned; of each run */
  double *mu;              /* owned; room for the coefficients of one group */
  size_t n;
} pulls;

static void clear_pulls(pulls *p) {
  free(p->runs);
  free(p->evaluated);
  free(p->mu);
}

/* ---- pulls ---- */

static cb_status find_standard(cb_store *s, int64_t id, const cb_standard **standard, cb_err *err) {
  char preset[32];
  cb_conditions c;
  CB_TRY(cb_store_conditions_get(s, id, preset, &c, err));
  *standard = cb_standard_find(preset);
  if (*standard && (*standard)->window_m > 0) return CB_OK;
  return cb_fail(err, CB_E_NOTFOUND,
                 "%s: campaign %lld was measured with 'preset: %s', which has no evaluation of its own: "
                 "'clothbench fit friction' reads it",
                 cb_store_path(s), (long long)id, preset);
}

static cb_status load_pulls(cb_store *s, int64_t id, pulls *p, cb_err *err) {
  cb_run_filter f = cb_run_filter_all();
  f.campaign_id = id;
  f.kind = CB_RUN_PULL;
  f.status = CB_RUN_DONE;
  CB_TRY(find_standard(s, id, &p->standard, err));
  CB_TRY(cb_store_runs(s, &f, &p->runs, &p->n, err));
  if (p->n == 0)
    return cb_fail(err, CB_E_NOTFOUND, "%s: campaign %lld has no finished pull", cb_store_path(s),
                   (long long)id);
  p->evaluated = calloc(p->n, sizeof *p->evaluated);
  p->mu = calloc(p->n, sizeof *p->mu);
  return p->evaluated && p->mu ? CB_OK : cb_no_memory(err, "%zu pulls", p->n);
}

static cb_status evaluate_pulls(cb_store *s, pulls *p, cb_err *err) {
  for (size_t i = 0; i < p->n; i++) {
    const cb_run *r = &p->runs[i];
    cb_trace trace;
    CB_TRY(cb_store_trace(s, r, &trace, err));
    cb_status st = fit_standard_pull(&trace, r->direction, r->travel_m, r->normal_force_N, p->standard,
                                     &p->evaluated[i], err);
    cb_trace_clear(&trace);
    if (st != CB_OK) return cb_fail_in(err, st, "run %lld", (long long)r->id);
  }
  return CB_OK;
}

/* ---- groups ---- */

static bool same_group(const cb_run *a, const cb_run *b) {
  return a->angle_deg == b->angle_deg && a->direction == b->direction &&
         a->normal_force_N == b->normal_force_N;
}

static bool is_first_of_group(const pulls *p, size_t i) {
  for (size_t k = 0; k < i; k++)
    if (same_group(&p->runs[k], &p->runs[i])) return false;
  return true;
}

static cb_status list_specimens(const pulls *p, size_t first, lab_standard_group *g, cb_err *err) {
  g->specimens = calloc(p->n, sizeof *g->specimens);
  if (!g->specimens) return cb_no_memory(err, "%zu pulls", p->n);
  for (size_t i = first; i < p->n; i++) {
    const fit_standard *e = &p->evaluated[i];
    if (same_group(&p->runs[first], &p->runs[i]))
      g->specimens[g->n++] = (lab_standard_specimen){p->runs[i].id, p->runs[i].repeat, e->outcome,
                                                     e->static_mu,  e->kinetic_mu,     e->deviation_mu};
  }
  return CB_OK;
}

static void summarise_group(const pulls *p, lab_standard_group *g) {
  for (size_t i = 0; i < g->n; i++) p->mu[i] = g->specimens[i].static_mu;
  g->stat = fit_standard_summarise(p->mu, g->n, p->standard->decimals);
  for (size_t i = 0; i < g->n; i++) p->mu[i] = g->specimens[i].kinetic_mu;
  g->kinetic = fit_standard_summarise(p->mu, g->n, p->standard->decimals);
  for (size_t i = 0; i < g->n; i++) p->mu[i] = g->specimens[i].deviation_mu;
  g->deviation = fit_standard_summarise(p->mu, g->n, p->standard->decimals);
}

static void note_deviations(const cb_standard *standard, const lab_standard_group *g, lab_standard *out) {
  if ((double)g->kinetic.n >= standard->specimens.min) return;
  char *text = out->deviations[out->n_deviations++];
  (void)snprintf(text, sizeof *out->deviations, "%zu specimen%s at %g deg, %s says at least %g", g->kinetic.n,
                 CB_S(g->kinetic.n), g->angle_deg, standard->title, standard->specimens.min);
}

static cb_status add_group(const pulls *p, size_t first, lab_standard *out, cb_err *err) {
  const cb_run *r = &p->runs[first];
  lab_standard_group *g = &out->groups[out->n_groups++];
  *g = (lab_standard_group){
      .angle_deg = r->angle_deg, .normal_force_N = r->normal_force_N, .direction = r->direction};
  CB_TRY(list_specimens(p, first, g, err));
  summarise_group(p, g);
  note_deviations(p->standard, g, out);
  return CB_OK;
}

static cb_status group_pulls(const pulls *p, lab_standard *out, cb_err *err) {
  out->groups = calloc(p->n, sizeof *out->groups);
  out->deviations = calloc(p->n, sizeof *out->deviations);
  if (!out->groups || !out->deviations) return cb_no_memory(err, "%zu pulls", p->n);
  for (size_t i = 0; i < p->n; i++)
    if (is_first_of_group(p, i)) CB_TRY(add_group(p, i, out, err));
  return CB_OK;
}

/* ---- the campaign ---- */

static void describe(const pulls *p, lab_standard *out) {
  const cb_run *r = &p->runs[0];
  (void)snprintf(out->standard, sizeof out->standard, "%s", p->standard->name);
  (void)snprintf(out->title, sizeof out->title, "%s", p->standard->title);
  out->surface = p->standard->surface;
  out->sled_g = 1e3 * (r->cart_mass_kg + r->added_mass_kg);
  out->area_cm2 = 1e4 * r->contact_area_m2;
  out->speed_mm_per_min = 60e3 * r->speed_m_per_s;
  out->travel_mm = 1e3 * r->travel_m;
  out->decimals = p->standard->decimals;
  out->window_mm = 1e3 * p->standard->window_m;
  out->without_peak_mm = 1e3 * p->standard->peak_m;
}

cb_status lab_standard_evaluate(cb_store *s, int64_t campaign_id, lab_standard *out, cb_err *err) {
  pulls p = {.n = 0};
  *out = (lab_standard){.campaign_id = campaign_id};
  cb_status st = load_pulls(s, campaign_id, &p, err);
  if (st == CB_OK) st = evaluate_pulls(s, &p, err);
  if (st == CB_OK) {
    describe(&p, out);
    st = group_pulls(&p, out, err);
  }
  clear_pulls(&p);
  return st;
}

cb_status lab_standard_fit(cb_store *s, int64_t campaign_id, lab_standard *out, cb_err *err) {
  CB_TRY(lab_standard_evaluate(s, campaign_id, out, err));
  json_t *doc = lab_standard_json(out);
  char *text = cb_json_text(doc);
  json_decref(doc);
  if (!text) return cb_no_memory(err, "the evaluation");
  cb_status st = cb_store_standard_put(s, campaign_id, out->standard, text, err);
  free(text);
  return st;
}

cb_status lab_standard_stored(cb_store *s, int64_t campaign_id, lab_standard *out, cb_err *err) {
  char *text;
  *out = (lab_standard){.campaign_id = 0};
  CB_TRY(cb_store_standard_find(s, campaign_id, &text, err));
  cb_status st = lab_standard_read(text, out, err);
  free(text);
  return st;
}
