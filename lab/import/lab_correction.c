#include "lab_correction.h"

#include <stdio.h>
#include <string.h>

#include "cb_text.h"
#include "cb_num.h"

/* Fields of a run in the units of campaign and rig files, in which people typed them. */
typedef struct typed_field {
  const char *name, *field;
  double si; /* value of one unit */
} typed_field;

static const typed_field typed_fields[] = {{"cart_mass_g", "cart_mass_kg", 1e-3},
                                           {"added_mass_g", "added_mass_kg", 1e-3},
                                           {"contact_area_cm2", "contact_area_m2", 1e-4},
                                           {"speed_mm_per_s", "speed_m_per_s", 1e-3}};
#define N_TYPED (sizeof typed_fields / sizeof typed_fields[0])

static cb_status refuse_field(const char *set, cb_err *err) {
  char fields[400] = "";
  for (int i = 0; cb_correction_fields[i]; i++)
    cb_text_add(fields, sizeof fields, ", ", "%s", cb_correction_fields[i]);
  for (size_t i = 0; i < N_TYPED; i++) cb_text_add(fields, sizeof fields, ", ", "%s", typed_fields[i].name);
  return cb_fail(err, CB_E_ARG, "--set %s: FIELD=VALUE was wanted, FIELD one of: %s", set, fields);
}

/* The field that n bytes of name mean, and the value of its unit; NULL: none. */
static const char *find_field(const char *name, size_t n, double *si) {
  *si = 1;
  for (int i = 0; cb_correction_fields[i]; i++)
    if (strlen(cb_correction_fields[i]) == n && memcmp(name, cb_correction_fields[i], n) == 0)
      return cb_correction_fields[i];
  for (size_t i = 0; i < N_TYPED; i++) {
    if (strlen(typed_fields[i].name) != n || memcmp(name, typed_fields[i].name, n) != 0) continue;
    *si = typed_fields[i].si;
    return typed_fields[i].field;
  }
  return NULL;
}

static cb_status read_verdict(const char *word, double *value, cb_err *err) {
  for (int v = 0; cb_verdict_names[v]; v++)
    if (strcmp(word, cb_verdict_names[v]) == 0) return (void)(*value = v), CB_OK;
  return cb_fail(err, CB_E_ARG, "--set verdict=%s: valid, doubtful, invalid or found was wanted", word);
}

/* --set FIELD=VALUE */
static cb_status read_change(cb_store *s, const char *set, cb_correction *c, cb_err *err) {
  if (!set) set = "";
  const char *value = strchr(set, '=');
  double si;
  const char *field = value ? find_field(set, (size_t)(value - set), &si) : NULL;
  if (!field) return refuse_field(set, err);
  (void)snprintf(c->field, sizeof c->field, "%s", field);
  if (strcmp(field, "verdict") == 0) return read_verdict(value + 1, &c->value, err);
  const bool cloth = strcmp(field, "cloth") == 0;
  if (!cloth && strcmp(field, "body") != 0) {
    char name[40];
    (void)snprintf(name, sizeof name, "%.*s", (int)(value - set), set);
    CB_TRY(cb_parse_double(value + 1, name, &c->value, err));
    c->value *= si;
    return CB_OK;
  }
  cb_material m;
  CB_TRY(cb_store_material_find(s, cloth ? CB_CLOTH : CB_BODY, value + 1, &m, err));
  c->material_id = m.id;
  return CB_OK;
}

static cb_status read_kind(const char *word, cb_correction_kind *kind, cb_err *err) {
  for (int k = 0; cb_correction_kind_names[k]; k++)
    if (strcmp(word, cb_correction_kind_names[k]) == 0) return (void)(*kind = (cb_correction_kind)k), CB_OK;
  return cb_fail(err, CB_E_ARG, "'%.40s': void, unvoid, note or amend was wanted", word);
}

cb_status lab_correction_read(cb_store *s, const lab_said *said, cb_correction *c, cb_err *err) {
  long long id;
  *c = (cb_correction){.id = 0};
  CB_TRY(read_kind(said->kind, &c->kind, err));
  CB_TRY(cb_parse_int(said->run, "run", &id, err));
  CB_TRY(cb_check_line(said->reason, "--reason", err));
  CB_TRY(cb_check_line(said->person, "--operator", err));
  c->run_id = id;
  if (!said->person[0] || !said->reason[0] || strlen(said->person) >= sizeof c->operator_name ||
      strlen(said->reason) >= sizeof c->reason)
    return cb_fail(err, CB_E_ARG, "--operator and --reason: 1 to %zu and 1 to %zu bytes were wanted",
                   sizeof c->operator_name - 1, sizeof c->reason - 1);
  memcpy(c->operator_name, said->person, strlen(said->person) + 1);
  memcpy(c->reason, said->reason, strlen(said->reason) + 1);
  return c->kind == CB_CORRECTION_AMEND ? read_change(s, said->set, c, err) : CB_OK;
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
