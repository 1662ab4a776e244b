#include "cb_store_self_friction.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cb_json_fields.h"

/* ---- law <-> JSON ---- */

#define REAL(member) \
  { #member, offsetof(cb_self_friction_law, member), CB_JSON_NAN }
/* The speed may be unknown; of the others the law's check speaks. */
static const cb_json_field fields[] = {
    REAL(dof),           REAL(other_weight), REAL(reference_N),
    REAL(min_N),         REAL(max_N),        REAL(contact_area_m2),
    REAL(speed_m_per_s), REAL(u_rel_common), REAL(u_floor_N),
};
#define N_FIELDS CB_JSON_COUNT_OF(fields)
#define NP CB_SELF_PARAMETERS

static json_t *list_json(const double *v, size_t n) {
  json_t *list = json_array();
  for (size_t i = 0; list && i < n; i++) (void)json_array_append_new(list, json_real(v[i]));
  return list;
}

static json_t *form_json(const cb_self_form *f) {
  return json_pack("{s:s, s:o}", "rule", cb_self_rule_names[f->rule], "parameters", list_json(f->p, NP));
}

json_t *cb_self_friction_json(const cb_self_friction_law *law) {
  json_t *cov = json_array();
  for (int i = 0; cov && i < NP; i++) (void)json_array_append_new(cov, list_json(law->cov[i], NP));
  json_t *doc = json_pack("{s:b, s:s, s:o, s:o, s:o}", "same", law->same, "exponent_from",
                          cb_self_exponent_names[law->exponent_from], "form", form_json(&law->form), "other",
                          law->other_weight > 0 ? form_json(&law->other) : json_null(), "covariance", cov);
  if (cb_json_put(doc, fields, N_FIELDS, law) == 0) return doc;
  json_decref(doc);
  return NULL;
}

static int index_of(const char *const *names, const char *name) {
  for (int i = 0; name && names[i]; i++)
    if (strcmp(names[i], name) == 0) return i;
  return -1;
}

static bool read_list(const json_t *list, double *v, size_t n) {
  if (json_array_size(list) != n) return false;
  for (size_t i = 0; i < n; i++) {
    if (!json_is_number(json_array_get(list, i))) return false;
    v[i] = json_number_value(json_array_get(list, i));
  }
  return true;
}

static bool read_form(const json_t *doc, cb_self_form *f) {
  int rule = index_of(cb_self_rule_names, json_string_value(json_object_get(doc, "rule")));
  f->rule = rule == CB_SELF_PRODUCT ? CB_SELF_PRODUCT : CB_SELF_MEAN;
  return rule >= 0 && read_list(json_object_get(doc, "parameters"), f->p, NP);
}

static bool read_law(const json_t *doc, cb_self_friction_law *law) {
  int from = index_of(cb_self_exponent_names, json_string_value(json_object_get(doc, "exponent_from")));
  const json_t *other = json_object_get(doc, "other"), *cov = json_object_get(doc, "covariance");
  if (from < 0 || !read_form(json_object_get(doc, "form"), &law->form)) return false;
  if (json_is_object(other) && !read_form(other, &law->other)) return false;
  law->same = json_is_true(json_object_get(doc, "same"));
  law->exponent_from = (cb_self_exponent)from;
  for (size_t i = 0; i < NP; i++)
    if (!read_list(json_array_get(cov, i), law->cov[i], NP)) return false;
  return cb_json_get(doc, "", fields, N_FIELDS, law, NULL) == CB_OK;
}

cb_status cb_self_friction_parse(const cb_self_friction_row *row, cb_self_friction_law *law, cb_err *err) {
  json_t *doc = json_loads(row->result_json, JSON_REJECT_DUPLICATES, NULL);
  *law = (cb_self_friction_law){.id = row->id, .origin = row->origin};
  memcpy(law->cloth, row->cloth, sizeof law->cloth);
  memcpy(law->body, row->body, sizeof law->body);
  bool read = read_law(json_object_get(doc, "law"), law);
  json_decref(doc);
  return read ? cb_self_friction_law_check(law, err)
              : cb_fail(err, CB_E_PARSE, "law T%lld is no law of self-friction", (long long)row->id);
}

/* ---- from the store ---- */

cb_status cb_store_self_friction_newest(cb_store *s, const char *cloth, const char *body,
                                        cb_self_friction_row *row, cb_err *err) {
  cb_material c, b;
  cb_self_friction_row *list;
  size_t n;
  CB_TRY(cb_store_material_find(s, CB_CLOTH, cloth, &c, err));
  CB_TRY(cb_store_material_find(s, CB_BODY, body, &b, err));
  CB_TRY(cb_store_self_friction_list(s, c.id, b.id, &list, &n, err));
  if (n > 0) *row = list[0]; /* with its text: there is one per pair */
  free(list);
  if (n > 0) return CB_OK;
  return cb_fail(err, CB_E_NOTFOUND,
                 "%s: no law of self-friction of '%s' on '%s': 'clothbench fit self-friction' makes one of "
                 "runs with both angles",
                 cb_store_path(s), cloth, body);
}
