#include "lab_correction.h"

#include <stdio.h>
#include <string.h>

#include "cb_num.h"

/* --set FIELD=VALUE */
cb_status lab_correction_change(cb_store *s, const char *set, cb_correction *c, cb_err *err) {
  if (!set) set = "";
  const char *value = strchr(set, '=');
  const size_t n = value ? (size_t)(value - set) : 0;
  int i = 0;
  while (cb_correction_fields[i] &&
         (strlen(cb_correction_fields[i]) != n || memcmp(set, cb_correction_fields[i], n) != 0))
    i++;
  if (n == 0 || n >= sizeof c->field || !cb_correction_fields[i]) {
    char fields[300] = "";
    for (i = 0; cb_correction_fields[i]; i++)
      (void)snprintf(fields + strlen(fields), sizeof fields - strlen(fields), "%s%s", i > 0 ? ", " : "",
                     cb_correction_fields[i]);
    return cb_fail(err, CB_E_ARG, "--set %s: FIELD=VALUE was wanted, FIELD one of: %s", set, fields);
  }
  memcpy(c->field, set, n);
  if (i > 1) return cb_parse_double(value + 1, c->field, &c->value, err);
  cb_material m;
  CB_TRY(cb_store_material_find(s, i == 0 ? CB_CLOTH : CB_BODY, value + 1, &m, err));
  c->material_id = m.id;
  return CB_OK;
}

/* A name that a cloth and a body have needs --kind. */
cb_status lab_correction_kind(cb_store *s, const char *kind, const char *name, cb_material_kind *out,
                              cb_err *err) {
  cb_material m;
  if (kind && strcmp(kind, "cloth") != 0 && strcmp(kind, "body") != 0)
    return cb_fail(err, CB_E_ARG, "--kind %s: cloth or body was wanted", kind);
  *out = kind && strcmp(kind, "body") == 0 ? CB_BODY : CB_CLOTH;
  if (kind) return CB_OK;
  const bool body = cb_store_material_find(s, CB_BODY, name, &m, NULL) == CB_OK;
  const cb_status cloth = cb_store_material_find(s, CB_CLOTH, name, &m, body ? NULL : err);
  if (body && cloth == CB_OK)
    return cb_fail(err, CB_E_ARG, "'%s' is a cloth and a body: --kind cloth or --kind body was wanted", name);
  *out = body ? CB_BODY : CB_CLOTH;
  return body ? CB_OK : cloth;
}

json_t *lab_correction_json(const cb_correction *c) {
  const bool amended = c->kind == CB_CORRECTION_AMEND;
  return json_pack("{s:I, s:I, s:s, s:s?, s:s?, s:s?, s:s, s:s, s:s}", "correction_id", (json_int_t)c->id,
                   "run_id", (json_int_t)c->run_id, "kind", cb_correction_kind_names[c->kind], "field",
                   amended ? c->field : NULL, "was", amended ? c->was : NULL, "is", amended ? c->is : NULL,
                   "reason", c->reason, "operator", c->operator_name, "created_at", c->created_at);
}
