#include "lab_calibration_impl.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "cb_json.h"

/* ---- readings -> calibration ---- */

static lab_calibration_budget make_budget(const fit_calibration *f) {
  lab_calibration_budget b = {.n_entries = f->n_entries,
                              .force_N = f->full_scale_N,
                              .at_full_scale = f->at_full_scale,
                              .u_rel = f->u_rel,
                              .u_floor_N = f->u_floor_N};
  for (size_t i = 0; i < f->n_entries; i++) b.entry[i] = f->entry[i];
  return b;
}

static cb_calibration make_row(const fit_calibration_input *in, const fit_calibration *f) {
  return (cb_calibration){.kind = CB_CALIBRATION_MEASURED,
                          .slope_N_per_unit = f->slope_N_per_unit,
                          .u_rel = f->u_rel,
                          .u_floor_N = f->u_floor_N,
                          .dof = isfinite(f->at_full_scale.dof) ? f->at_full_scale.dof : 0,
                          .resolution_N = fabs(in->resolution * f->slope_N_per_unit),
                          .gravity_m_per_s2 = in->gravity_m_per_s2,
                          .air_density_kg_per_m3 = in->air_density_kg_per_m3,
                          .full_scale_N = f->full_scale_N,
                          .sensitivity = f->line.slope,
                          .u_sensitivity = f->line.u_slope,
                          .intercept = f->line.intercept,
                          .u_intercept = f->line.u_intercept,
                          .cov_intercept_sensitivity = f->line.cov,
                          .residual_sd = f->line.sd,
                          .nonlinearity_N = f->nonlinearity_N,
                          .hysteresis_N = f->hysteresis_N,
                          .repeatability_N = f->repeatability_N,
                          .zero_return_N = f->zero_return_N,
                          .creep_N = f->creep_N};
}

static void add_facts(const lab_calibration_facts *facts, cb_calibration *row) {
  row->origin = facts->origin;
  row->temperature_degC = facts->temperature_degC;
  (void)snprintf(row->cell, sizeof row->cell, "%s", facts->cell);
  (void)snprintf(row->unit, sizeof row->unit, "%s", facts->unit);
  (void)snprintf(row->certificate, sizeof row->certificate, "%s", facts->certificate);
  (void)snprintf(row->valid_from, sizeof row->valid_from, "%s", facts->valid_from);
  (void)snprintf(row->valid_until, sizeof row->valid_until, "%s", facts->valid_until);
  (void)snprintf(row->operator_name, sizeof row->operator_name, "%s", facts->operator_name);
}

cb_status lab_calibration_make(const fit_calibration_input *in, const lab_calibration_facts *facts,
                               lab_calibration *out, cb_err *err) {
  fit_calibration fit;
  *out = (lab_calibration){.n_points = 0};
  CB_TRY(fit_calibration_make(in, &fit, err));
  out->row = make_row(in, &fit);
  add_facts(facts, &out->row);
  out->budget = make_budget(&fit);
  out->points = in->points;
  out->n_points = in->n;
  return CB_OK;
}

/* ---- the store ---- */

cb_status lab_calibration_store(cb_store *s, const char *rig_name, const char *rig_text,
                                const char *weights_text, lab_calibration *c, cb_err *err) {
  json_t *doc = lab_calibration_budget_json(&c->budget);
  char *text = cb_json_text(doc);
  json_decref(doc);
  cb_status st = text ? CB_OK : cb_no_memory(err, "the budget");
  if (st == CB_OK) st = cb_store_rig_ensure(s, rig_name, rig_text, &c->row.rig_id, err);
  if (st == CB_OK) st = cb_store_calibration_put(s, &c->row, c->points, c->n_points, weights_text, text, err);
  free(text);
  return st;
}

static cb_status load_budget(cb_store *s, int64_t id, lab_calibration_budget *out, cb_err *err) {
  char *text;
  CB_TRY(cb_store_calibration_budget(s, id, &text, err));
  cb_status st = lab_calibration_budget_read(text, out, err);
  free(text);
  return st == CB_E_DB ? cb_fail_in(err, st, "%s: calibration %lld", cb_store_path(s), (long long)id) : st;
}

cb_status lab_calibration_load(cb_store *s, int64_t id, lab_calibration *out, cb_err *err) {
  *out = (lab_calibration){.n_points = 0};
  CB_TRY(cb_store_calibration_get(s, id, &out->row, err));
  CB_TRY(cb_store_calibration_points(s, id, &out->owned, &out->n_points, err));
  out->points = out->owned;
  return load_budget(s, id, &out->budget, err);
}

void lab_calibration_clear(lab_calibration *c) {
  free(c->owned);
  lab_calibration_budget_clear(&c->budget);
  *c = (lab_calibration){.n_points = 0};
}
