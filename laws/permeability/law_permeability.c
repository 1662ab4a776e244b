#include "cb_law_json.h"
#include "law_rows.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cb_json_fields.h"

/* ---- law <-> JSON ---- */

static json_t *curve_json(const cb_permeability_curve *c) {
  return json_pack("{s:s, s:f, s:f}", "form", cb_permeability_form_names[c->form], "velocity_m_per_s",
                   c->velocity_m_per_s, "shape", c->shape);
}

#define REAL(member) \
  { #member, offsetof(cb_permeability_law, member), CB_JSON_NEVER }
#define LIMITLESS(member) \
  { #member, offsetof(cb_permeability_law, member), CB_JSON_INF }
static const cb_json_field fields[] = {
    REAL(reference_Pa),   REAL(u_ln_level),     REAL(u_shape),      REAL(cov_level_shape),
    LIMITLESS(dof_level), LIMITLESS(dof_shape), REAL(other_weight), REAL(u_pressure_rel),
    REAL(specimen_sd),    REAL(u_velocity_rel), REAL(min_Pa),       REAL(max_Pa),
};
#define N_FIELDS CB_JSON_COUNT_OF(fields)

json_t *cb_permeability_json(const cb_permeability_law *law) {
  json_t *doc = json_pack("{s:o, s:o, s:b}", "curve", curve_json(&law->curve), "other",
                          law->other_weight > 0 ? curve_json(&law->other) : json_null(), "one_pressure",
                          law->one_pressure);
  if (cb_json_put(doc, fields, N_FIELDS, law) == 0) return doc;
  json_decref(doc);
  return NULL;
}

static bool read_curve(const json_t *doc, cb_permeability_curve *c) {
  const char *form = json_string_value(json_object_get(doc, "form"));
  const json_t *velocity = json_object_get(doc, "velocity_m_per_s"), *shape = json_object_get(doc, "shape");
  for (int i = 0; form && cb_permeability_form_names[i]; i++)
    if (strcmp(form, cb_permeability_form_names[i]) == 0 && json_is_number(velocity) &&
        json_is_number(shape)) {
      *c = (cb_permeability_curve){(cb_permeability_form)i, json_number_value(velocity),
                                   json_number_value(shape)};
      return true;
    }
  return false;
}

static cb_status read_law(const json_t *doc, cb_permeability_law *law, cb_err *err) {
  const json_t *other = json_object_get(doc, "other");
  if (!read_curve(json_object_get(doc, "curve"), &law->curve) ||
      (json_is_object(other) && !read_curve(other, &law->other)))
    return cb_fail(err, CB_E_PARSE,
                   "law of permeability: curve and other: form, velocity_m_per_s and shape were wanted");
  law->one_pressure = json_is_true(json_object_get(doc, "one_pressure"));
  CB_TRY(cb_json_get(doc, "law of permeability: ", fields, N_FIELDS, law, err));
  return cb_permeability_law_check(law, err);
}

/* ---- the row of the table ---- */

static cb_status read(const json_t *doc, void *out, cb_err *err) {
  *(cb_permeability_law *)out = (cb_permeability_law){.id = 0};
  return read_law(json_object_get(doc, "law"), out, err);
}

static void adopt(void *out, const cb_material_law *row, const char *material) {
  cb_permeability_law *law = out;
  law->id = row->id;
  law->origin = row->origin;
  (void)snprintf(law->material, sizeof law->material, "%s", material);
}

/* Of ISO 9237 and ASTM D737; 200 Pa is what the simulator takes. */
static const double pressures_Pa[] = {100, 125, 200};

static law_figure velocity(const char *name, const cb_permeability_value *v) {
  return (law_figure){.name = name,
                      .unit = "m/s",
                      .value = v->velocity_m_per_s,
                      .u = v->velocity_m_per_s * v->u_ln_velocity,
                      .dof = v->dof};
}

static void tell(const void *from, const cb_material_law *row, law_take *take, void *to) {
  (void)row;
  for (size_t i = 0; i < sizeof pressures_Pa / sizeof pressures_Pa[0]; i++) {
    cb_permeability_value v;
    cb_permeability_at_pressure(&(cb_permeability_layer){from, 1}, 1, pressures_Pa[i], &v);
    law_tell(take, to, velocity("face velocity", &v), "%g Pa%s", pressures_Pa[i],
             law_outside(v.inside_measured_range));
  }
}

static void number(const void *from, law_take *take, void *to) {
  cb_permeability_value v;
  cb_permeability_at_pressure(&(cb_permeability_layer){from, 1}, 1, pressures_Pa[0], &v);
  const law_figure air = velocity("air_m_per_s", &v);
  take(to, &air);
}

const law_row law_permeability = {.of = CB_CLOTH,
                                  .made_by = "'clothbench fit permeability' makes one of imported tests",
                                  .size = sizeof(cb_permeability_law),
                                  .read = read,
                                  .adopt = adopt,
                                  .tell = tell,
                                  .number = number};
