#include "lab_campaign.h"

#include <stdlib.h>

static cb_status load_runs(cb_store *s, lab_campaign *c, cb_err *err) {
  cb_run *list;
  cb_friction_point *points = NULL;
  cb_run_filter f = cb_run_filter_all();
  f.campaign_id = c->facts.id;
  CB_TRY(cb_store_runs(s, &f, &list, &c->n_runs, err));
  c->runs = calloc(c->n_runs + 1, sizeof *c->runs);
  cb_status st = c->runs ? CB_OK : cb_no_memory(err, "the runs of campaign %lld", (long long)c->facts.id);
  if (st == CB_OK) st = cb_store_points_of_runs(s, list, c->n_runs, &points, err);
  for (size_t i = 0; i < c->n_runs && st == CB_OK; i++)
    c->runs[i] = (lab_campaign_run){.run = list[i], .point = points[i], .has_point = points[i].id > 0};
  free(points);
  free(list);
  return st;
}

cb_status lab_campaign_load(cb_store *s, int64_t id, lab_campaign *out, cb_err *err) {
  *out = (lab_campaign){.n_runs = 0};
  CB_TRY(cb_store_campaign_get(s, id, &out->facts, err));
  CB_TRY(cb_store_conditions_get(s, id, out->preset, &out->conditions, err));
  return load_runs(s, out, err);
}

void lab_campaign_clear(lab_campaign *c) {
  free(c->runs);
  *c = (lab_campaign){.n_runs = 0};
}
