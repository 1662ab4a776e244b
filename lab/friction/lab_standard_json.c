/* The evaluation of a campaign by a test standard as its column has it: docs/reference/json, `fit
 * standard`. */
#include <stdlib.h>

#include "cb_text.h"
#include "lab_fields.h"
#include "lab_standard_impl.h"

#define MOST_GROUPS 100000
#define MOST_DECIMALS 17

/* ---- the keys ---- */

static const lab_field name_fields[] = {
    LAB_KEY(LAB_ID, lab_standard, campaign_id, "campaign_id"),
    LAB_KEY_TEXT(lab_standard, standard, "standard"),
    LAB_KEY_TEXT(lab_standard, title, "title"),
    LAB_KEY(LAB_TRUTH, lab_standard, surface, "surface"),
    LAB_KEY(LAB_REAL, lab_standard, sled_g, "sled_g"),
    LAB_KEY(LAB_REAL, lab_standard, area_cm2, "area_cm2"),
    LAB_KEY(LAB_REAL, lab_standard, speed_mm_per_min, "speed_mm_per_min"),
    LAB_KEY(LAB_REAL, lab_standard, travel_mm, "travel_mm"),
    LAB_KEY(LAB_SIGN, lab_standard, decimals, "decimals"),
    LAB_KEY(LAB_REAL, lab_standard, window_mm, "window_mm"),
    LAB_KEY(LAB_REAL, lab_standard, without_peak_mm, "without_peak_mm"),
};
static const lab_field group_fields[] = {
    LAB_KEY(LAB_REAL, lab_standard_group, angle_deg, "angle_deg"),
    LAB_KEY(LAB_SIGN, lab_standard_group, direction, "direction"),
    LAB_KEY(LAB_REAL, lab_standard_group, normal_force_N, "normal_force_N"),
};
static const lab_field summary_fields[] = {
    LAB_KEY(LAB_COUNT, fit_standard_summary, n, "n"),
    LAB_KEY(LAB_REAL, fit_standard_summary, mean, "mean"),
    LAB_KEY(LAB_REAL, fit_standard_summary, sd, "sd"),
};
static const lab_field specimen_fields[] = {
    LAB_KEY(LAB_ID, lab_standard_specimen, run_id, "run_id"),
    LAB_KEY(LAB_SIGN, lab_standard_specimen, specimen, "specimen"),
    LAB_KEY(LAB_REAL, lab_standard_specimen, static_mu, "static_mu"),
    LAB_KEY(LAB_REAL, lab_standard_specimen, kinetic_mu, "kinetic_mu"),
    LAB_KEY(LAB_REAL, lab_standard_specimen, deviation_mu, "deviation_mu"),
    LAB_KEY_CHOICE(lab_standard_specimen, outcome, "outcome", fit_standard_outcome_text,
                   FIT_STANDARD_TOO_SHORT),
};

/* ---- struct -> document ---- */

static json_t *summary_json(const fit_standard_summary *s) {
  return lab_fields_json(summary_fields, LAB_N(summary_fields), s);
}

static json_t *group_json(const lab_standard_group *g) {
  json_t *specimens = json_array(), *o = lab_fields_json(group_fields, LAB_N(group_fields), g);
  for (size_t i = 0; i < g->n; i++)
    (void)json_array_append_new(specimens,
                                lab_fields_json(specimen_fields, LAB_N(specimen_fields), &g->specimens[i]));
  if (lab_fields_join(o, json_pack("{s:o, s:o, s:o, s:o}", "static", summary_json(&g->stat), "kinetic",
                                   summary_json(&g->kinetic), "deviation", summary_json(&g->deviation),
                                   "specimens", specimens)))
    return o;
  json_decref(o);
  return NULL;
}

json_t *lab_standard_json(const lab_standard *e) {
  json_t *groups = json_array(), *deviations = json_array(),
         *doc = lab_fields_json(name_fields, LAB_N(name_fields), e);
  for (size_t i = 0; i < e->n_groups; i++) (void)json_array_append_new(groups, group_json(&e->groups[i]));
  for (size_t i = 0; i < e->n_deviations; i++)
    (void)json_array_append_new(deviations, json_string(e->deviations[i]));
  if (lab_fields_join(doc, json_pack("{s:o, s:o}", "groups", groups, "deviations", deviations))) return doc;
  json_decref(doc);
  return NULL;
}

/* ---- document -> struct ---- */

static cb_status read_summary(const json_t *group, const char *key, fit_standard_summary *s, cb_err *err) {
  const json_t *o;
  CB_TRY(lab_fields_object(group, key, &o, err));
  return lab_fields_read(summary_fields, LAB_N(summary_fields), o, s, err);
}

static cb_status read_specimens(const json_t *group, lab_standard_group *g, cb_err *err) {
  const json_t *list;
  CB_TRY(lab_fields_list(group, "specimens", MOST_GROUPS, &list, err));
  g->specimens = calloc(json_array_size(list) + 1, sizeof *g->specimens);
  if (!g->specimens) return cb_no_memory(err, "%zu specimens", json_array_size(list));
  g->n = json_array_size(list);
  for (size_t i = 0; i < g->n; i++)
    CB_TRY(lab_fields_read(specimen_fields, LAB_N(specimen_fields), json_array_get(list, i), &g->specimens[i],
                           err));
  return CB_OK;
}

static cb_status read_group(const json_t *o, lab_standard_group *g, cb_err *err) {
  CB_TRY(lab_fields_read(group_fields, LAB_N(group_fields), o, g, err));
  CB_TRY(read_summary(o, "static", &g->stat, err));
  CB_TRY(read_summary(o, "kinetic", &g->kinetic, err));
  CB_TRY(read_summary(o, "deviation", &g->deviation, err));
  return read_specimens(o, g, err);
}

static cb_status read_groups(const json_t *doc, lab_standard *e, cb_err *err) {
  const json_t *list;
  CB_TRY(lab_fields_list(doc, "groups", MOST_GROUPS, &list, err));
  e->groups = calloc(json_array_size(list) + 1, sizeof *e->groups);
  if (!e->groups) return cb_no_memory(err, "%zu groups", json_array_size(list));
  for (size_t i = 0; i < json_array_size(list); i++)
    CB_TRY(read_group(json_array_get(list, i), &e->groups[e->n_groups++], err));
  return CB_OK;
}

static cb_status read_deviations(const json_t *doc, lab_standard *e, cb_err *err) {
  const json_t *list;
  CB_TRY(lab_fields_list(doc, "deviations", MOST_GROUPS, &list, err));
  e->deviations = calloc(json_array_size(list) + 1, sizeof *e->deviations);
  if (!e->deviations) return cb_no_memory(err, "%zu deviations", json_array_size(list));
  for (size_t i = 0; i < json_array_size(list); i++) {
    const char *text = json_string_value(json_array_get(list, i));
    if (!text) return cb_fail(err, CB_E_DB, "deviations: a text was wanted");
    (void)cb_text_show(text, e->deviations[e->n_deviations++], sizeof *e->deviations);
  }
  return CB_OK;
}

static cb_status read_names(const json_t *doc, lab_standard *e, cb_err *err) {
  CB_TRY(lab_fields_read(name_fields, LAB_N(name_fields), doc, e, err));
  if (e->decimals < 0 || e->decimals > MOST_DECIMALS)
    return cb_fail(err, CB_E_DB, "decimals = %d: 0 to %d was wanted", e->decimals, MOST_DECIMALS);
  return CB_OK;
}

cb_status lab_standard_read(const char *text, lab_standard *out, cb_err *err) {
  json_t *doc;
  *out = (lab_standard){.campaign_id = 0};
  cb_status st = lab_fields_document(text, &doc, err);
  if (st == CB_OK) st = read_names(doc, out, err);
  if (st == CB_OK) st = read_groups(doc, out, err);
  if (st == CB_OK) st = read_deviations(doc, out, err);
  json_decref(doc);
  return st == CB_OK ? CB_OK : cb_fail_in(err, st, "evaluation by a standard");
}
