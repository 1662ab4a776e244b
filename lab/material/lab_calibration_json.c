/* Calibrations and their budgets as documents, and the budget back. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cb_json.h"
#include "lab_budget_parts.h"
#include "lab_calibration_impl.h"
#include "lab_fields.h"

/* ---- the budget ---- */

#define B(member, key) LAB_KEY(LAB_REAL, lab_calibration_budget, member, key)
static const lab_field sum_fields[] = {B(force_N, "force_N"), B(at_full_scale.u, "u_N"),
                                       B(at_full_scale.dof, "dof"), B(at_full_scale.k, "k"),
                                       B(at_full_scale.U, "U_N")};
static const lab_field share_fields[] = {B(u_rel, "u_rel"), B(u_floor_N, "u_floor_N")};

json_t *lab_calibration_budget_json(const lab_calibration_budget *b) {
  if (b->n_entries == 0) return json_null();
  json_t *doc = json_pack("{s:o, s:o}", "entries", lab_budget_entries_json(b->entry, b->n_entries),
                          "at_full_scale", lab_fields_json(sum_fields, LAB_N(sum_fields), b));
  if (lab_fields_join(doc, lab_fields_json(share_fields, LAB_N(share_fields), b))) return doc;
  json_decref(doc);
  return NULL;
}

static cb_status read_entries(lab_calibration_budget *out, cb_err *err) {
  const json_t *list, *o;
  size_t i;
  CB_TRY(lab_fields_list(out->words, "entries", FIT_CALIBRATION_ENTRIES, &list, err));
  json_array_foreach(list, i, o) if (!json_is_object(o)) return cb_fail(err, CB_E_DB,
                                                                        "entries: objects were wanted");
  out->n_entries = lab_budget_entries_read(list, out->entry, FIT_CALIBRATION_ENTRIES);
  for (i = 0; i < out->n_entries; i++)
    if (out->entry[i].type && !strchr("AB", out->entry[i].type))
      return cb_fail(err, CB_E_DB, "type: A or B was wanted");
  return out->n_entries > 0 ? CB_OK : cb_fail(err, CB_E_DB, "entries: a list of 1 at least was wanted");
}

static cb_status read_budget(lab_calibration_budget *out, cb_err *err) {
  const json_t *sum;
  CB_TRY(read_entries(out, err));
  CB_TRY(lab_fields_object(out->words, "at_full_scale", &sum, err));
  CB_TRY(lab_fields_read(sum_fields, LAB_N(sum_fields), sum, out, err));
  if (isnan(out->at_full_scale.dof)) out->at_full_scale.dof = INFINITY; /* JSON has no number for it */
  return lab_fields_read(share_fields, LAB_N(share_fields), out->words, out, err);
}

cb_status lab_calibration_budget_read(const char *text, lab_calibration_budget *out, cb_err *err) {
  *out = (lab_calibration_budget){.n_entries = 0};
  if (!text[0]) return CB_OK;
  cb_status st = lab_fields_document(text, &out->words, err);
  if (st == CB_OK) st = read_budget(out, err);
  return st == CB_OK ? CB_OK : cb_fail_in(err, st, "budget of a calibration");
}

void lab_calibration_budget_clear(lab_calibration_budget *b) {
  json_decref(b->words);
  *b = (lab_calibration_budget){.n_entries = 0};
}

/* ---- the calibration ---- */

static json_t *points_json(const cb_calibration_point *p, size_t n) {
  json_t *list = json_array();
  for (size_t i = 0; i < n; i++)
    json_array_append_new(
        list, json_pack("{s:i, s:i, s:s, s:f, s:f, s:f, s:f, s:I, s:f}", "step", p[i].step, "cycle",
                        p[i].cycle, "direction", cb_calibration_direction_names[p[i].direction], "mass_kg",
                        p[i].mass_kg, "force_N", p[i].force_N, "reading", p[i].reading, "sd", p[i].sd, "n",
                        (json_int_t)p[i].n, "t_s", p[i].t_s));
  return list;
}

static json_t *results_json(const cb_calibration *c) {
  return json_pack(
      "{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "sensitivity_unit_per_N",
      cb_json_real(c->sensitivity), "u_sensitivity_unit_per_N", cb_json_real(c->u_sensitivity),
      "intercept_unit", cb_json_real(c->intercept), "u_intercept_unit", cb_json_real(c->u_intercept),
      "cov_intercept_sensitivity", cb_json_real(c->cov_intercept_sensitivity), "residual_sd_unit",
      cb_json_real(c->residual_sd), "nonlinearity_N", cb_json_real(c->nonlinearity_N), "hysteresis_N",
      cb_json_real(c->hysteresis_N), "repeatability_N", cb_json_real(c->repeatability_N), "zero_return_N",
      cb_json_real(c->zero_return_N), "creep_N", cb_json_real(c->creep_N));
}

static json_t *facts_json(const cb_calibration *c) {
  return json_pack(
      "{s:I, s:s, s:s, s:s, s:s, s:f, s:f, s:f, s:o, s:f, s:s, s:s, s:s, s:s, s:s, s:o, s:o, s:o, s:o}",
      "calibration_id", (json_int_t)c->id, "kind", cb_calibration_kind_names[c->kind], "origin",
      cb_origin_names[c->origin], "cell", c->cell, "unit", c->unit, "slope_N_per_unit", c->slope_N_per_unit,
      "u_rel", c->u_rel, "u_floor_N", c->u_floor_N, "dof", c->dof > 0 ? json_real(c->dof) : json_null(),
      "resolution_N", c->resolution_N, "certificate", c->certificate, "valid_from", c->valid_from,
      "valid_until", c->valid_until, "operator", c->operator_name, "created_at", c->created_at,
      "gravity_m_per_s2", c->gravity_m_per_s2 > 0 ? json_real(c->gravity_m_per_s2) : json_null(),
      "air_density_kg_per_m3",
      c->air_density_kg_per_m3 > 0 ? json_real(c->air_density_kg_per_m3) : json_null(), "temperature_degC",
      cb_json_real(c->temperature_degC), "full_scale_N",
      c->full_scale_N > 0 ? json_real(c->full_scale_N) : json_null());
}

json_t *lab_calibration_json(const lab_calibration *c) {
  json_t *doc = facts_json(&c->row);
  bool whole = lab_fields_join(doc, results_json(&c->row));
  whole = json_object_set_new(doc, "budget", lab_calibration_budget_json(&c->budget)) == 0 && whole;
  whole = json_object_set_new(doc, "points", points_json(c->points, c->n_points)) == 0 && whole;
  if (whole) return doc;
  json_decref(doc);
  return NULL;
}
