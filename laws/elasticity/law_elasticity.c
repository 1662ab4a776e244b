#include "cb_law_json.h"
#include "law_rows.h"

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

/* ---- the row of the table ---- */

static cb_status read(const json_t *doc, void *out, cb_err *err) {
  *(cb_elasticity_law *)out = cb_elasticity_law_unknown();
  return read_law(json_object_get(doc, "law"), out, err);
}

static void adopt(void *out, const cb_material_law *row, const char *material) {
  cb_elasticity_law *law = out;
  (void)material;
  law->id = row->id;
  law->origin = row->origin;
}

static void tell(const void *from, const cb_material_law *row, law_take *take, void *to) {
  static const char *const names[] = {"density", "Young's modulus", "Poisson's ratio"}, *const units[] = {
                                                                                            "kg/m3", "Pa",
                                                                                            "1"};
  const cb_elasticity_law *law = from;
  for (int k = 0; k < CB_ELASTIC_NUMBERS; k++)
    law_tell(
        take, to,
        (law_figure){.name = names[k], .unit = units[k], .value = law->value[k], .u = law->u[k], .dof = NAN},
        "%s", row->method);
}

const law_row law_elasticity = {.of = CB_BODY,
                                .made_by = "'clothbench import elasticity' stores one",
                                .late = true,
                                .size = sizeof(cb_elasticity_law),
                                .read = read,
                                .adopt = adopt,
                                .tell = tell};
