#include "cb_law_json.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "cb_json.h"

/* ---- law <-> JSON ---- */

static void name_u(int k, char out[40]) { (void)snprintf(out, 40, "u_%s", cb_elastic_names[k]); }

json_t *cb_elasticity_json(const cb_elasticity_law *law) {
  json_t *doc = json_object();
  char u[40];
  bool whole = doc != NULL;
  for (int k = 0; k < CB_ELASTIC_NUMBERS && whole; k++) {
    name_u(k, u);
    whole = json_object_set_new(doc, cb_elastic_names[k], cb_json_real(law->value[k])) == 0 &&
            json_object_set_new(doc, u, cb_json_real(law->u[k])) == 0;
  }
  if (whole) return doc;
  json_decref(doc);
  return NULL;
}

/* null is unknown. */
static cb_status read_number(const json_t *doc, const char *key, double *out, cb_err *err) {
  const json_t *v = json_object_get(doc, key);
  if (!json_is_number(v) && !json_is_null(v))
    return cb_fail(err, CB_E_PARSE, "law of elasticity: %s: a number or null was wanted", key);
  *out = json_is_null(v) ? NAN : json_number_value(v);
  return CB_OK;
}

static cb_status read_law(const json_t *doc, cb_elasticity_law *law, cb_err *err) {
  char u[40];
  for (int k = 0; k < CB_ELASTIC_NUMBERS; k++) {
    name_u(k, u);
    CB_TRY(read_number(doc, cb_elastic_names[k], &law->value[k], err));
    CB_TRY(read_number(doc, u, &law->u[k], err));
  }
  return cb_elasticity_law_check(law, err);
}

cb_status cb_elasticity_parse(const char *text, cb_elasticity_law *law, cb_err *err) {
  json_error_t at;
  json_t *doc = json_loads(text, JSON_REJECT_DUPLICATES, &at);
  *law = cb_elasticity_law_unknown();
  if (!doc) return cb_fail(err, CB_E_PARSE, "law of elasticity: line %d: %s", at.line, at.text);
  cb_status st = read_law(json_object_get(doc, "law"), law, err);
  json_decref(doc);
  return st;
}

/* ---- from the store ---- */

cb_status cb_store_elasticity(cb_store *s, const char *body, cb_elasticity_law *law, cb_origin *origin,
                              cb_err *err) {
  cb_material m;
  cb_material_law stored;
  CB_TRY(cb_store_material_find(s, CB_BODY, body, &m, err));
  cb_status st = cb_store_material_law_find(s, &m, CB_LAW_ELASTICITY, &stored, err);
  if (st == CB_E_NOTFOUND)
    return cb_fail(err, st, "%s: '%s' has no law of elasticity: 'clothbench import elasticity' stores one",
                   cb_store_path(s), body);
  CB_TRY(st);
  st = cb_elasticity_parse(stored.result_json, law, err);
  law->id = stored.id;
  *origin = stored.origin;
  free(stored.result_json);
  return st == CB_OK ? CB_OK : cb_fail_in(err, st, "%s: law %lld", cb_store_path(s), (long long)stored.id);
}
