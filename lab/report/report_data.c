#include "report_data.h"

#include <stdlib.h>
#include <string.h>

/* ---- a selection ---- */

static cb_status add_fit(report_data *d, report_pair pair, cb_err *err) {
  lab_friction *f = calloc(1, sizeof *f);
  if (!f) return cb_no_memory(err, "the law of a selection");
  cb_status st = lab_friction_preview(d->store, report_data_name(d, pair.cloth_id),
                                      report_data_name(d, pair.body_id), d->sel, f, err);
  if (st == CB_OK && f->kinetic.fit.outcome == FIT_FRICTION_OK) d->laws[d->n_laws++] = f->kinetic.fit.law;
  if (st == CB_OK && f->stat.fit.outcome == FIT_FRICTION_OK) d->laws[d->n_laws++] = f->stat.fit.law;
  lab_friction_clear(f);
  free(f);
  return st == CB_E_NOTFOUND || st == CB_E_RANGE ? CB_OK : st; /* points without a law */
}

static size_t count_done(const report_data *d) {
  size_t n = 0;
  for (size_t i = 0; i < d->n_runs; i++) n += d->runs[i].status == CB_RUN_DONE;
  return n;
}

/* The selected runs, and laws of them. */
static cb_status load_selected(report_data *d, cb_err *err) {
  report_pair *pairs;
  size_t n;
  CB_TRY(lab_selection_runs(d->store, d->sel, d->runs, &d->n_runs, err));
  d->n_selected = count_done(d);
  CB_TRY(report_data_pairs(d, 0, &pairs, &n, err));
  d->laws = calloc(2 * n + 1, sizeof *d->laws);
  cb_status st = d->laws ? CB_OK : cb_no_memory(err, "%zu laws", n);
  for (size_t i = 0; i < n && st == CB_OK; i++) st = add_fit(d, pairs[i], err);
  free(pairs);
  return st;
}

cb_status report_data_load(cb_store *s, int64_t cloth_id, const lab_selection *sel, report_data *d,
                           cb_err *err) {
  char all[320] = "";
  const cb_run_filter every = cb_run_filter_all();
  cb_run_filter some = every;
  some.cloth_id = cloth_id;
  if (sel) lab_selection_text(sel, all);
  if (!all[0]) return report_data_load_some(s, &some, d, err);
  *d = (report_data){.store = s, .sel = sel};
  CB_TRY(cb_store_materials(s, &d->materials, &d->n_materials, err));
  CB_TRY(cb_store_runs(s, &every, &d->runs, &d->n_runs, err));
  d->n_of = count_done(d);
  return load_selected(d, err);
}

cb_status report_data_load_some(cb_store *s, const cb_run_filter *f, report_data *d, cb_err *err) {
  *d = (report_data){.store = s};
  CB_TRY(cb_store_materials(s, &d->materials, &d->n_materials, err));
  CB_TRY(cb_store_runs(s, f, &d->runs, &d->n_runs, err));
  d->n_of = count_done(d);
  return f->cloth_id ? cb_store_laws_of(s, f->cloth_id, &d->laws, &d->n_laws, err)
                     : cb_store_laws(s, &d->laws, &d->n_laws, err);
}

cb_status report_data_fit(const report_data *d, const cb_friction_law *law, lab_friction *f, cb_err *err) {
  if (law->id) return lab_friction_law_read(d->store, law, f, err);
  if (f->n_runs > 0) return CB_OK; /* both kinds came at once */
  lab_friction_clear(f);
  return lab_friction_preview(d->store, law->cloth, law->body, d->sel, f, err);
}

cb_status report_data_observations(const report_data *d, report_pair pair, cb_friction_obs **obs, size_t *n,
                                   cb_err *err) {
  CB_TRY(cb_store_observations(d->store, pair.cloth_id, pair.body_id, obs, n, err));
  const cb_status st = d->sel ? lab_selection_keep(d->store, d->sel, *obs, n, err) : CB_OK;
  if (st == CB_OK) *n = cb_friction_obs_one_body_angle(*obs, *n);
  if (st == CB_OK) return CB_OK;
  free(*obs);
  *obs = NULL;
  return st;
}

void report_data_clear(report_data *d) {
  free(d->materials);
  free(d->runs);
  free(d->laws);
  report_pen_free(d->pen);
  *d = (report_data){0};
}

const char *report_data_name(const report_data *d, int64_t material_id) {
  for (size_t i = 0; i < d->n_materials; i++)
    if (d->materials[i].id == material_id) return d->materials[i].name;
  return "?";
}

const cb_friction_law *report_data_law(const report_data *d, report_pair pair, cb_friction_kind kind) {
  const char *cloth = report_data_name(d, pair.cloth_id), *body = report_data_name(d, pair.body_id);
  for (size_t i = 0; i < d->n_laws; i++) {
    const cb_friction_law *l = &d->laws[i];
    if (l->kind == kind && strcmp(l->cloth, cloth) == 0 && strcmp(l->body, body) == 0) return l;
  }
  return NULL;
}

bool report_pair_is(report_pair pair, const cb_run *r) {
  return r->cloth_id == pair.cloth_id && r->body_id == pair.body_id;
}

bool report_run_has_trace(const cb_run *r) { return r->status == CB_RUN_DONE && r->rate_Hz > 0; }

int64_t report_data_id(const report_data *d, cb_material_kind kind, const char *name) {
  for (size_t i = 0; i < d->n_materials; i++)
    if (d->materials[i].kind == kind && strcmp(d->materials[i].name, name) == 0) return d->materials[i].id;
  return 0;
}

static void add_pair(report_pair *pairs, size_t *n, report_pair pair) {
  for (size_t k = 0; k < *n; k++)
    if (pairs[k].cloth_id == pair.cloth_id && pairs[k].body_id == pair.body_id) return;
  pairs[(*n)++] = pair;
}

cb_status report_data_pairs(const report_data *d, int64_t campaign_id, report_pair **list, size_t *n,
                            cb_err *err) {
  report_pair *pairs = malloc((d->n_runs + d->n_laws + 1) * sizeof *pairs);
  *list = pairs;
  *n = 0;
  if (!pairs) return cb_no_memory(err, "%zu pairs", d->n_runs);
  for (size_t i = 0; i < d->n_runs; i++) {
    const cb_run *r = &d->runs[i];
    if (r->kind != CB_RUN_LOOK && (campaign_id == 0 || r->campaign_id == campaign_id))
      add_pair(pairs, n, (report_pair){r->cloth_id, r->body_id});
  }
  /* A reference database holds laws without runs. */
  for (size_t i = 0; campaign_id == 0 && i < d->n_laws; i++)
    add_pair(pairs, n,
             (report_pair){report_data_id(d, CB_CLOTH, d->laws[i].cloth),
                           report_data_id(d, CB_BODY, d->laws[i].body)});
  return CB_OK;
}
