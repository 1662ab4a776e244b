#include "cb_law_json.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "cb_json.h"

/* A double of the law and its key. */
typedef struct key {
  const char *name;
  size_t at;
  double unknown; /* what null stands for */
} key;

#define KEY(name, member, unknown) \
  { name, offsetof(cb_bending_law, member), unknown }
static const key keys[] = {
    KEY("B1_Nm", B_Nm[0], NAN),
    KEY("H_Nm", B_Nm[1], NAN),
    KEY("B2_Nm", B_Nm[2], NAN),
    KEY("u_rel_common", u_rel_common, NAN),
    KEY("dof", dof, INFINITY),
    KEY("curvature_per_m", curvature_per_m, NAN),
    KEY("curvature_min_per_m", curvature_min_per_m, NAN),
    KEY("curvature_max_per_m", curvature_max_per_m, NAN),
    KEY("exponent", exponent, NAN),
    KEY("u_exponent", u_exponent, NAN),
    KEY("width_warp_N", width_N[0], NAN),
    KEY("u_width_warp_N", u_width_N[0], NAN),
    KEY("width_weft_N", width_N[1], NAN),
    KEY("u_width_weft_N", u_width_N[1], NAN),
};
#undef KEY
#define N_KEYS (sizeof keys / sizeof keys[0])

static json_t *matrix_json(const double *a, size_t rows, size_t columns) {
  json_t *list = json_array();
  for (size_t r = 0; r < rows; r++) {
    json_t *row = json_array();
    for (size_t c = 0; c < columns; c++)
      if (json_array_append_new(row, cb_json_real(a[r * columns + c])) != 0) break;
    if (json_array_append_new(list, row) != 0) break;
  }
  return list;
}

json_t *cb_bending_json(const cb_bending_law *law) {
  json_t *o = json_pack("{s:s}", "form", cb_bending_form_names[law->form]);
  bool table = law->form == CB_BENDING_TABLE;
  int failed = o == NULL;
  for (size_t i = 0; i < N_KEYS && !table; i++)
    failed |= json_object_set_new(o, keys[i].name, cb_json_real(*(const double *)(const void *)((const char *)law + keys[i].at)));
  if (!table) failed |= json_object_set_new(o, "covariance_N2m2", matrix_json(&law->cov_N2m2[0][0], 3, 3));
  failed |= json_object_set_new(o, "wang_ke_Nm",
                                table ? matrix_json(&law->wang.ke_Nm[0][0], CB_BENDING_WANG_ROWS, CB_BENDING_WANG_SAMPLES) : json_null());
  if (!failed) return o;
  json_decref(o);
  return NULL;
}

static cb_status parse_matrix(const json_t *list, const char *name, size_t rows, size_t columns, double *out, cb_err *err) {
  for (size_t i = 0; i < rows * columns; i++) {
    const json_t *v = json_array_get(json_array_get(list, i / columns), i % columns);
    if (!json_is_number(v)) return cb_fail(err, CB_E_PARSE, "bending law: %s: %zu rows of %zu numbers were wanted", name, rows, columns);
    out[i] = json_number_value(v);
  }
  return CB_OK;
}

static cb_status parse_law(const json_t *o, cb_bending_law *law, cb_err *err) {
  const char *form = json_string_value(json_object_get(o, "form"));
  int f = 0;
  while (form && cb_bending_form_names[f] && strcmp(cb_bending_form_names[f], form) != 0) f++;
  if (!form || !cb_bending_form_names[f])
    return cb_fail(err, CB_E_PARSE, "bending law: form '%.40s': isotropic, peirce, orthotropic or table was wanted", form ? form : "");
  law->form = (cb_bending_form)f;
  if (law->form == CB_BENDING_TABLE) {
    CB_TRY(parse_matrix(json_object_get(o, "wang_ke_Nm"), "wang_ke_Nm", CB_BENDING_WANG_ROWS, CB_BENDING_WANG_SAMPLES,
                        &law->wang.ke_Nm[0][0], err));
    return cb_bending_law_check(law, err);
  }
  for (size_t i = 0; i < N_KEYS; i++) {
    const json_t *v = json_object_get(o, keys[i].name);
    if (!json_is_number(v) && !json_is_null(v))
      return cb_fail(err, CB_E_PARSE, "bending law: %s: a number or null was wanted", keys[i].name);
    *(double *)(void *)((char *)law + keys[i].at) = json_is_null(v) ? keys[i].unknown : json_number_value(v);
  }
  CB_TRY(parse_matrix(json_object_get(o, "covariance_N2m2"), "covariance_N2m2", 3, 3, &law->cov_N2m2[0][0], err));
  return cb_bending_law_check(law, err);
}

cb_status cb_bending_parse(const char *text, cb_bending_law *law, cb_err *err) {
  json_error_t at;
  json_t *doc = json_loads(text, JSON_REJECT_DUPLICATES, &at);
  *law = (cb_bending_law){.form = CB_BENDING_ISOTROPIC};
  if (!doc) return cb_fail(err, CB_E_PARSE, "bending law: line %d: %s", at.line, at.text);
  cb_status st = parse_law(json_object_get(doc, "law"), law, err);
  json_decref(doc);
  return st;
}

cb_status cb_store_bending(cb_store *s, const char *cloth, cb_bending_law *law, cb_material_law *row, cb_err *err) {
  cb_material m;
  cb_material_law found;
  CB_TRY(cb_store_material_find(s, CB_CLOTH, cloth, &m, err));
  CB_TRY(cb_store_material_law_find(s, &m, CB_LAW_BENDING, &found, err));
  cb_status st = cb_bending_parse(found.result_json, law, err);
  if (st != CB_OK) (void)cb_fail_in(err, st, "%s: law %lld", cb_store_path(s), (long long)found.id);
  if (row && st == CB_OK)
    *row = found;
  else
    free(found.result_json);
  return st;
}
