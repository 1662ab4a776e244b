#include "cli_pooled.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cb_text.h"
#include "cli.h"

/* What campaigns write down about the specimens, and how it is called. */
static const struct {
  const char *key, *words;
} kinds[] = {{"cloth_lot", "lots of the cloth"},
             {"cloth_side", "sides of the cloth"},
             {"wash_state", "wash states of the cloth"},
             {"body_specimen", "specimens of the body"}};
#define KINDS (sizeof kinds / sizeof kinds[0])

/* By kinds; "": not written down. */
static const char *value_of(const cb_conditions *c, size_t kind) {
  const char *const values[KINDS] = {c->cloth_lot, c->cloth_side < 0 ? "" : cb_side_names[c->cloth_side], c->wash_state, c->body_specimen};
  return values[kind];
}

static json_t *find(json_t *list, const char *key, const json_t *value) {
  size_t i;
  json_t *o;
  json_array_foreach(list, i, o) if (json_equal(json_object_get(o, key), value)) return o;
  return NULL;
}

static void add_runs(json_t *o, json_int_t runs) {
  (void)json_object_set_new(o, "runs", json_integer(json_integer_value(json_object_get(o, "runs")) + runs));
}

/* One more run of the campaign. */
static cb_status count_run(cb_store *s, json_t *campaigns, int64_t campaign_id, cb_err *err) {
  json_t *id = json_integer((json_int_t)campaign_id), *o = find(campaigns, "campaign_id", id);
  json_decref(id);
  if (!o) {
    cb_campaign c;
    CB_TRY(cb_store_campaign_get(s, campaign_id, &c, err));
    o = json_pack("{s:I, s:s, s:I}", "campaign_id", (json_int_t)campaign_id, "name", c.name, "runs", (json_int_t)0);
    if (json_array_append_new(campaigns, o) != 0) return cb_fail(err, CB_E_NOMEM, "no memory for the campaigns of a law");
  }
  add_runs(o, 1);
  return CB_OK;
}

/* The runs of one campaign, to the value that it states. */
static void add_value(json_t *values, const char *text, const json_t *campaign) {
  json_t *value = text[0] ? json_string(text) : json_null(), *o = find(values, "value", value);
  if (!o) {
    o = json_pack("{s:O, s:I, s:[]}", "value", value, "runs", (json_int_t)0, "campaign_ids");
    (void)json_array_append_new(values, o);
  }
  json_decref(value);
  add_runs(o, json_integer_value(json_object_get(campaign, "runs")));
  (void)json_array_append(json_object_get(o, "campaign_ids"), json_object_get(campaign, "campaign_id"));
}

static bool differ(const json_t *values) {
  size_t i, known = 0;
  json_t *o;
  json_array_foreach(values, i, o) known += json_is_string(json_object_get(o, "value")) ? 1 : 0;
  return known > 1;
}

static cb_status compare(cb_store *s, const json_t *campaigns, json_t *pooled, cb_err *err) {
  size_t i;
  json_t *o, *values[KINDS];
  cb_status st = CB_OK;
  for (size_t k = 0; k < KINDS; k++) values[k] = json_array();
  json_array_foreach(campaigns, i, o) {
    char preset[32];
    cb_conditions c;
    if (st == CB_OK) st = cb_store_conditions_get(s, json_integer_value(json_object_get(o, "campaign_id")), preset, &c, err);
    for (size_t k = 0; k < KINDS && st == CB_OK; k++) add_value(values[k], value_of(&c, k), o);
  }
  for (size_t k = 0; k < KINDS; k++) {
    if (st == CB_OK && differ(values[k]))
      (void)json_array_append_new(pooled, json_pack("{s:s, s:O}", "what", kinds[k].key, "values", values[k]));
    json_decref(values[k]);
  }
  return st;
}

cb_status cli_pooled(cb_store *s, const cb_friction_obs *obs, size_t n, json_t **out, cb_err *err) {
  json_t *campaigns = json_array(), *pooled = json_array();
  cb_status st = CB_OK;
  for (size_t i = 0; i < n && st == CB_OK; i++)
    if (isfinite(obs[i].point.kinetic_N)) st = count_run(s, campaigns, obs[i].run.campaign_id, err);
  if (st == CB_OK) st = compare(s, campaigns, pooled, err);
  *out = json_pack("{s:o, s:o}", "campaigns", campaigns, "pooled", pooled);
  if (st == CB_OK && *out) return CB_OK;
  json_decref(*out);
  *out = NULL;
  return st == CB_OK ? cb_fail(err, CB_E_NOMEM, "no memory for the campaigns of a law") : st;
}

/* ---- in words ---- */

static const char *words_of(const json_t *entry) {
  const char *what = json_string_value(json_object_get(entry, "what"));
  for (size_t k = 0; k < KINDS && what; k++)
    if (strcmp(kinds[k].key, what) == 0) return kinds[k].words;
  return "specimens";
}

/* 'roll 7' (6 runs), 'roll 8' (6 runs) */
static void list_values(const json_t *values, char *out, size_t size) {
  size_t i, n = 0;
  json_t *o;
  out[0] = '\0';
  json_array_foreach(values, i, o) {
    const char *value = json_string_value(json_object_get(o, "value"));
    long long runs = json_integer_value(json_object_get(o, "runs"));
    char shown[160];
    (void)cb_text_show(value ? value : "", shown, sizeof shown);
    int more = snprintf(out + n, size - n, "%s%s%s%s (%lld run%s)", i ? ", " : "", value ? "'" : "not written down", shown,
                        value ? "'" : "", runs, runs == 1 ? "" : "s");
    if (more < 0 || (size_t)more >= size - n) break;
    n += (size_t)more;
  }
}

cb_status cli_pooled_warn(cb_store *s, const cb_friction_obs *obs, size_t n, const char *cloth, const char *body, cb_err *err) {
  size_t i;
  json_t *entry, *doc;
  char text[800];
  CB_TRY(cli_pooled(s, obs, n, &doc, err));
  json_array_foreach(json_object_get(doc, "pooled"), i, entry) {
    list_values(json_object_get(entry, "values"), text, sizeof text);
    cli_say("fit", "warning: %s on %s: one law for different %s: %s", cloth, body, words_of(entry), text);
  }
  json_decref(doc);
  return CB_OK;
}

static void print_campaigns(const json_t *campaigns) {
  size_t i;
  json_t *o;
  char shown[160];
  if (json_array_size(campaigns) < 2) return;
  json_array_foreach(campaigns, i, o) {
    const char *name = json_string_value(json_object_get(o, "name"));
    long long runs = json_integer_value(json_object_get(o, "runs"));
    printf("  campaign %lld '%s': %lld run%s\n", (long long)json_integer_value(json_object_get(o, "campaign_id")),
           cb_text_show(name ? name : "", shown, sizeof shown), runs, runs == 1 ? "" : "s");
  }
}

void cli_pooled_print(const json_t *doc) {
  size_t i;
  json_t *entry;
  char text[800];
  print_campaigns(json_object_get(doc, "campaigns"));
  json_array_foreach(json_object_get(doc, "pooled"), i, entry) {
    list_values(json_object_get(entry, "values"), text, sizeof text);
    printf("  pooled: different %s: %s\n", words_of(entry), text);
  }
}

char *cli_pooled_campaign(const json_t *doc, const json_t *id, char out[64]) {
  out[0] = '\0';
  if (json_array_size(json_object_get(doc, "campaigns")) > 1 && json_is_integer(id))
    (void)snprintf(out, 64, " of campaign %lld", (long long)json_integer_value(id));
  return out;
}

void cli_pooled_print_elsewhere(const json_t *doc, const json_t *row) {
  json_int_t n = json_integer_value(json_object_get(row, "n_elsewhere"));
  const json_t *campaigns = json_object_get(doc, "campaigns"), *mine = json_object_get(row, "campaign_id");
  const json_t *other = json_object_get(json_array_get(campaigns, 0), "campaign_id");
  char of[64];
  if (n == 0) return;
  if (json_equal(other, mine)) other = json_object_get(json_array_get(campaigns, 1), "campaign_id");
  (void)cli_pooled_campaign(doc, json_array_size(campaigns) == 2 ? other : NULL, of);
  printf("; %lld run%s%s %s not in it", (long long)n, n == 1 ? "" : "s", of[0] ? of : " of other campaigns", n == 1 ? "is" : "are");
}
