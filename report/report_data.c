#include "report_data.h"

#include <stdlib.h>
#include <string.h>

cb_status report_data_load(cb_store *s, report_data *d, cb_err *err) {
  cb_run_filter all = cb_run_filter_all();
  *d = (report_data){.store = s};
  CB_TRY(cb_store_materials(s, &d->materials, &d->n_materials, err));
  CB_TRY(cb_store_runs(s, &all, &d->runs, &d->n_runs, err));
  return cb_store_laws(s, &d->laws, &d->n_laws, err);
}

void report_data_clear(report_data *d) {
  free(d->materials);
  free(d->runs);
  free(d->laws);
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

static int64_t material_id(const report_data *d, cb_material_kind kind, const char *name) {
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
    if (campaign_id == 0 || r->campaign_id == campaign_id)
      add_pair(pairs, n, (report_pair){r->cloth_id, r->body_id});
  }
  /* A reference database holds laws without runs. */
  for (size_t i = 0; campaign_id == 0 && i < d->n_laws; i++)
    add_pair(
        pairs, n,
        (report_pair){material_id(d, CB_CLOTH, d->laws[i].cloth), material_id(d, CB_BODY, d->laws[i].body)});
  return CB_OK;
}
