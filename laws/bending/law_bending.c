#include "cb_law_json.h"
#include "law_rows.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "cb_json_fields.h"
#include "cb_num.h"

#define REAL(name, member) \
  { name, offsetof(cb_bending_law, member), CB_JSON_NAN }
static const cb_json_field fields[] = {
    REAL("B1_Nm", B_Nm[0]),
    REAL("H_Nm", B_Nm[1]),
    REAL("B2_Nm", B_Nm[2]),
    REAL("u_rel_common", u_rel_common),
    {"dof", offsetof(cb_bending_law, dof), CB_JSON_INF},
    REAL("curvature_per_m", curvature_per_m),
    REAL("curvature_min_per_m", curvature_min_per_m),
    REAL("curvature_max_per_m", curvature_max_per_m),
    REAL("exponent", exponent),
    REAL("u_exponent", u_exponent),
    REAL("width_warp_N", width_N[0]),
    REAL("u_width_warp_N", u_width_N[0]),
    REAL("width_weft_N", width_N[1]),
    REAL("u_width_weft_N", u_width_N[1]),
};
#undef REAL
#define N_FIELDS CB_JSON_COUNT_OF(fields)

/* The key B_is is only there where the curvatures do not tell: those of KES-FB2 are its window. */
static cb_bending_reading guess_reading(const cb_bending_law *law) {
  bool window = fabs(law->curvature_min_per_m - 50) < 1e-6 && fabs(law->curvature_max_per_m - 150) < 1e-6;
  return window ? CB_BENDING_SLOPE : CB_BENDING_SECANT;
}

json_t *cb_bending_json(const cb_bending_law *law) {
  json_t *o = json_pack("{s:s}", "form", cb_bending_form_names[law->form]);
  bool table = law->form == CB_BENDING_TABLE;
  int failed = !o;
  if (!table) failed |= cb_json_put(o, fields, N_FIELDS, law);
  if (!table) failed |= json_object_set_new(o, "u_rel_between", cb_json_real(law->u_rel_between));
  if (!table && law->B_is != guess_reading(law))
    failed |= json_object_set_new(o, "B_is", json_string(cb_bending_reading_names[law->B_is]));
  if (!table) failed |= json_object_set_new(o, "covariance_N2m2", cb_json_matrix(&law->cov_N2m2[0][0], 3, 3));
  failed |= json_object_set_new(
      o, "wang_ke_Nm",
      table ? cb_json_matrix(&law->wang.ke_Nm[0][0], CB_BENDING_WANG_ROWS, CB_BENDING_WANG_SAMPLES)
            : json_null());
  if (!failed) return o;
  json_decref(o);
  return NULL;
}

static cb_status parse_reading(const json_t *o, cb_bending_law *law, cb_err *err) {
  const json_t *value = json_object_get(o, "B_is");
  const char *text = json_string_value(value);
  bool known = value == NULL;
  law->B_is = guess_reading(law);
  for (int k = 0; text && cb_bending_reading_names[k]; k++) {
    if (strcmp(text, cb_bending_reading_names[k]) != 0) continue;
    law->B_is = (cb_bending_reading)k;
    known = true;
  }
  if (!known)
    return cb_fail(err, CB_E_PARSE, "bending law: B_is '%.40s': secant or slope was wanted",
                   text ? text : "");
  return CB_OK;
}

static cb_status parse_law(const json_t *o, cb_bending_law *law, cb_err *err) {
  const char *form = json_string_value(json_object_get(o, "form"));
  int f = 0;
  while (form && cb_bending_form_names[f] && strcmp(cb_bending_form_names[f], form) != 0) f++;
  if (!form || !cb_bending_form_names[f])
    return cb_fail(err, CB_E_PARSE,
                   "bending law: form '%.40s': isotropic, peirce, orthotropic or table was wanted",
                   form ? form : "");
  law->form = (cb_bending_form)f;
  if (law->form == CB_BENDING_TABLE) {
    CB_TRY(cb_json_get_matrix(json_object_get(o, "wang_ke_Nm"), "bending law: wang_ke_Nm",
                              CB_BENDING_WANG_ROWS, CB_BENDING_WANG_SAMPLES, &law->wang.ke_Nm[0][0], err));
    return cb_bending_law_check(law, err);
  }
  CB_TRY(cb_json_get(o, "bending law: ", fields, N_FIELDS, law, err));
  CB_TRY(cb_json_get_matrix(json_object_get(o, "covariance_N2m2"), "bending law: covariance_N2m2", 3, 3,
                            &law->cov_N2m2[0][0], err));
  const json_t *between = json_object_get(o, "u_rel_between"); /* none before December 2026 */
  if (between && !json_is_number(between))
    return cb_fail(err, CB_E_PARSE, "bending law: u_rel_between: a number was wanted");
  law->u_rel_between = json_number_value(between);
  CB_TRY(parse_reading(o, law, err));
  return cb_bending_law_check(law, err);
}

/* ---- the row of the table ---- */

static cb_status read(const json_t *doc, void *out, cb_err *err) {
  *(cb_bending_law *)out = (cb_bending_law){.form = CB_BENDING_ISOTROPIC};
  return parse_law(json_object_get(doc, "law"), out, err);
}

static void tell(const void *from, const cb_material_law *row, law_take *take, void *to) {
  const cb_bending_law *law = from;
  const double curvature = law->form == CB_BENDING_TABLE ? 0 : law->curvature_per_m;
  (void)row;
  for (int deg = 0; deg <= 90; deg += 45) {
    cb_bending_value v;
    cb_bending_eval(law, deg * CB_DEG, curvature, &v);
    law_tell(take, to,
             (law_figure){.name = "rigidity", .unit = "N m", .value = v.B_Nm, .u = v.u_B_Nm, .dof = v.dof},
             "%d deg at %.3g 1/m", deg, curvature);
    law_tell(take, to,
             (law_figure){
                 .name = "hysteresis 2HB", .unit = "N", .value = v.width_N, .u = v.u_width_N, .dof = v.dof},
             "%d deg", deg);
  }
}

static void number(const void *from, law_take *take, void *to) {
  static const char *const names[] = {"bending_warp_Nm", "bending_weft_Nm"};
  for (int i = 0; i < 2; i++) {
    cb_bending_value v;
    cb_bending_eval(from, i * CB_PI / 2, NAN, &v);
    take(to, &(law_figure){.name = names[i], .unit = "N m", .value = v.B_Nm, .u = v.u_B_Nm, .dof = v.dof});
  }
}

const law_row law_bending = {.of = CB_CLOTH,
                             .made_by = "'clothbench fit bending' makes one",
                             .size = sizeof(cb_bending_law),
                             .read = read,
                             .tell = tell,
                             .number = number};
