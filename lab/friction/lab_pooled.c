#include "lab_pooled_impl.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lab_fields.h"

#define MOST_CAMPAIGNS 100000

const char *const lab_specimen_names[] = {"cloth_lot", "cloth_side", "wash_state", "body_specimen"};

void lab_pooled_clear(lab_pooled *p) {
  free(p->campaigns);
  *p = (lab_pooled){0};
}

/* ---- from the store ---- */

static cb_status add_campaign(cb_store *s, lab_pooled *p, int64_t id, cb_err *err) {
  char preset[32];
  cb_conditions c;
  cb_campaign row;
  lab_pooled_campaign *grown = realloc(p->campaigns, (p->n + 1) * sizeof *grown);
  if (!grown) return cb_no_memory(err, "the campaigns of a law");
  p->campaigns = grown;
  CB_TRY(cb_store_campaign_get(s, id, &row, err));
  CB_TRY(cb_store_conditions_get(s, id, preset, &c, err));
  lab_pooled_campaign *added = &p->campaigns[p->n++];
  const char *says[] = {c.cloth_lot, c.cloth_side < 0 ? "" : cb_side_names[c.cloth_side], c.wash_state,
                        c.body_specimen};
  *added = (lab_pooled_campaign){.id = id};
  (void)snprintf(added->name, sizeof added->name, "%s", row.name);
  for (int k = 0; k < LAB_SPECIMENS; k++)
    (void)snprintf(added->says[k], sizeof added->says[k], "%s", says[k]);
  return CB_OK;
}

static size_t find_campaign(const lab_pooled *p, int64_t id) {
  size_t i = 0;
  while (i < p->n && p->campaigns[i].id != id) i++;
  return i;
}

static bool differs(const lab_pooled *p, int what) {
  const char *first = "";
  for (size_t i = 0; i < p->n; i++) {
    const char *says = p->campaigns[i].says[what];
    if (first[0] && says[0] && strcmp(first, says) != 0) return true;
    if (!first[0]) first = says;
  }
  return false;
}

cb_status lab_pooled_of(cb_store *s, const cb_friction_obs *obs, size_t n, lab_pooled *out, cb_err *err) {
  *out = (lab_pooled){0};
  for (size_t i = 0; i < n; i++) {
    if (!isfinite(obs[i].point.kinetic_N)) continue;
    size_t k = find_campaign(out, obs[i].run.campaign_id);
    if (k == out->n) CB_TRY(add_campaign(s, out, obs[i].run.campaign_id, err));
    out->campaigns[k].n_runs++;
  }
  for (int k = 0; k < LAB_SPECIMENS; k++) out->differs[k] = differs(out, k);
  return CB_OK;
}

size_t lab_pooled_runs(const lab_pooled *p, lab_specimen what, size_t campaign) {
  const char *value = p->campaigns[campaign].says[what];
  size_t runs = 0;
  for (size_t i = 0; i < p->n; i++) {
    if (strcmp(p->campaigns[i].says[what], value) != 0) continue;
    if (i < campaign) return 0;
    runs += p->campaigns[i].n_runs;
  }
  return runs;
}

/* ---- struct -> document ---- */

static const lab_field campaign_fields[] = {
    LAB_KEY(LAB_ID, lab_pooled_campaign, id, "campaign_id"),
    LAB_KEY_TEXT(lab_pooled_campaign, name, "name"),
    LAB_KEY(LAB_COUNT, lab_pooled_campaign, n_runs, "runs"),
};

/* The value of a campaign, and all campaigns that state it. */
static json_t *value_json(const lab_pooled *p, lab_specimen what, size_t campaign) {
  const char *value = p->campaigns[campaign].says[what];
  json_t *ids = json_array();
  for (size_t i = campaign; i < p->n; i++)
    if (strcmp(p->campaigns[i].says[what], value) == 0)
      (void)json_array_append_new(ids, json_integer((json_int_t)p->campaigns[i].id));
  return json_pack("{s:s?, s:I, s:o}", "value", value[0] ? value : NULL, "runs",
                   (json_int_t)lab_pooled_runs(p, what, campaign), "campaign_ids", ids);
}

static json_t *difference_json(const lab_pooled *p, lab_specimen what) {
  json_t *values = json_array();
  for (size_t i = 0; i < p->n; i++)
    if (lab_pooled_runs(p, what, i) > 0) (void)json_array_append_new(values, value_json(p, what, i));
  return json_pack("{s:s, s:o}", "what", lab_specimen_names[what], "values", values);
}

json_t *lab_pooled_json(const lab_pooled *p) {
  json_t *campaigns = json_array(), *pooled = json_array();
  for (size_t i = 0; i < p->n; i++)
    (void)json_array_append_new(campaigns,
                                lab_fields_json(campaign_fields, LAB_N(campaign_fields), &p->campaigns[i]));
  for (int k = 0; k < LAB_SPECIMENS; k++)
    if (p->differs[k]) (void)json_array_append_new(pooled, difference_json(p, (lab_specimen)k));
  return json_pack("{s:o, s:o}", "campaigns", campaigns, "pooled", pooled);
}

/* ---- document -> struct ---- */

static cb_status read_campaigns(const json_t *doc, lab_pooled *p, cb_err *err) {
  const json_t *list;
  CB_TRY(lab_fields_list(doc, "campaigns", MOST_CAMPAIGNS, &list, err));
  p->campaigns = calloc(json_array_size(list) + 1, sizeof *p->campaigns);
  if (!p->campaigns) return cb_no_memory(err, "the campaigns of a law");
  for (size_t i = 0; i < json_array_size(list); i++) {
    lab_pooled_campaign *c = &p->campaigns[p->n++];
    CB_TRY(lab_fields_read(campaign_fields, LAB_N(campaign_fields), json_array_get(list, i), c, err));
    if (c->n_runs == 0 || c->id == 0 || find_campaign(p, c->id) != i)
      return cb_fail(err, CB_E_DB, "campaigns[%zu]: a campaign_id of its own and runs were wanted", i);
  }
  return CB_OK;
}

/* What one value says, to the campaigns that state it. */
static cb_status read_value(const json_t *value, lab_pooled *p, int what, cb_err *err) {
  struct {
    char text[sizeof p->campaigns->says[0]];
  } v;
  const lab_field field = {"value", LAB_TEXT, 0, sizeof v.text, NULL, 0};
  const json_t *ids;
  CB_TRY(lab_fields_read(&field, 1, value, &v, err));
  CB_TRY(lab_fields_list(value, "campaign_ids", MOST_CAMPAIGNS, &ids, err));
  for (size_t i = 0; i < json_array_size(ids); i++) {
    size_t k = find_campaign(p, json_integer_value(json_array_get(ids, i)));
    if (k == p->n) return cb_fail(err, CB_E_DB, "campaign_ids: one that is not among the campaigns");
    memcpy(p->campaigns[k].says[what], v.text, sizeof v.text);
  }
  return CB_OK;
}

static cb_status read_difference(const json_t *entry, lab_pooled *p, cb_err *err) {
  int what = -1;
  const lab_field field = {"what", LAB_CHOICE, 0, LAB_SPECIMENS, lab_specimen_names, 0};
  const json_t *values;
  CB_TRY(lab_fields_read(&field, 1, entry, &what, err));
  if (what < 0) return cb_fail(err, CB_E_DB, "what: one of its words was wanted");
  CB_TRY(lab_fields_list(entry, "values", MOST_CAMPAIGNS, &values, err));
  for (size_t i = 0; i < json_array_size(values); i++)
    CB_TRY(read_value(json_array_get(values, i), p, what, err));
  p->differs[what] = true;
  return CB_OK;
}

cb_status lab_pooled_read(const json_t *doc, lab_pooled *out, cb_err *err) {
  const json_t *list;
  *out = (lab_pooled){0};
  CB_TRY(read_campaigns(doc, out, err));
  CB_TRY(lab_fields_list(doc, "pooled", LAB_SPECIMENS, &list, err));
  for (size_t i = 0; i < json_array_size(list); i++)
    CB_TRY(read_difference(json_array_get(list, i), out, err));
  return CB_OK;
}
