#include "cb_compression_law.h"
#include "law_rows.h"

#include <math.h>
#include <stdio.h>

#include "cb_json_fields.h"
#include "cb_law_json.h"

/* ---- law <-> JSON ---- */

#define KEY(type, member, null) \
  { #member, offsetof(type, member), null }
static const cb_json_field knot_keys[] = {KEY(cb_compression_knot, pressure_Pa, CB_JSON_NEVER),
                                          KEY(cb_compression_knot, thickness_m, CB_JSON_NEVER),
                                          KEY(cb_compression_knot, u_ln, CB_JSON_NEVER)};
static const cb_json_field law_keys[] = {KEY(cb_compression_law, u_pressure_rel, CB_JSON_NEVER),
                                         KEY(cb_compression_law, u_thickness_rel, CB_JSON_NEVER),
                                         KEY(cb_compression_law, specimen_sd, CB_JSON_NEVER),
                                         KEY(cb_compression_law, dof, CB_JSON_INF)};
static const cb_json_field kes_keys[] = {
    KEY(cb_compression_kes, lc, CB_JSON_NAN),          KEY(cb_compression_kes, u_lc, CB_JSON_NAN),
    KEY(cb_compression_kes, wc_J_per_m2, CB_JSON_NAN), KEY(cb_compression_kes, u_wc_J_per_m2, CB_JSON_NAN),
    KEY(cb_compression_kes, rc, CB_JSON_NAN),          KEY(cb_compression_kes, u_rc, CB_JSON_NAN)};

json_t *cb_compression_json(const cb_compression_law *law) {
  json_t *o = cb_json_object(law_keys, CB_JSON_COUNT_OF(law_keys), law), *knots = json_array();
  int failed = !o || !knots;
  for (size_t k = 0; k < law->n && !failed; k++)
    failed =
        json_array_append_new(knots, cb_json_object(knot_keys, CB_JSON_COUNT_OF(knot_keys), &law->knot[k]));
  failed |= json_object_set_new(o, "knots", knots);
  failed |= json_object_set_new(o, "kes", cb_json_object(kes_keys, CB_JSON_COUNT_OF(kes_keys), &law->kes));
  if (!failed) return o;
  json_decref(o);
  return NULL;
}

static cb_status read_law(const json_t *o, cb_compression_law *law, cb_err *err) {
  const json_t *knots = json_object_get(o, "knots");
  law->n = json_array_size(knots);
  if (law->n < 2 || law->n > CB_COMPRESSION_KNOTS)
    return cb_fail(err, CB_E_PARSE, "law of compression: knots: 2 to %d were wanted", CB_COMPRESSION_KNOTS);
  CB_TRY(cb_json_get(o, "law of compression: ", law_keys, CB_JSON_COUNT_OF(law_keys), law, err));
  for (size_t k = 0; k < law->n; k++)
    CB_TRY(cb_json_get(json_array_get(knots, k), "law of compression: knots[].", knot_keys,
                       CB_JSON_COUNT_OF(knot_keys), &law->knot[k], err));
  CB_TRY(cb_json_get(json_object_get(o, "kes"), "law of compression: kes.", kes_keys,
                     CB_JSON_COUNT_OF(kes_keys), &law->kes, err));
  return cb_compression_law_check(law, err);
}

/* ---- the row of the table ---- */

static cb_status read(const json_t *doc, void *out, cb_err *err) {
  *(cb_compression_law *)out = (cb_compression_law){.n = 0};
  return read_law(json_object_get(doc, "law"), out, err);
}

static void adopt(void *out, const cb_material_law *row, const char *material) {
  cb_compression_law *law = out;
  law->id = row->id;
  law->origin = row->origin;
  (void)snprintf(law->material, sizeof law->material, "%s", material);
}

static void tell_thickness(const cb_compression_law *law, double pressure_Pa, law_take *take, void *to) {
  cb_compression_value v;
  cb_compression_at_pressure(law, pressure_Pa, &v);
  law_tell(take, to,
           (law_figure){.name = "thickness",
                        .unit = "m",
                        .value = v.thickness_m,
                        .u = v.thickness_m * v.u_ln,
                        .dof = v.dof},
           "%.4g Pa%s", pressure_Pa, law_outside(v.inside_measured_range));
}

static void tell_kes(law_take *take, void *to, const char *name, const char *unit, double value, double u,
                     double dof) {
  law_tell(take, to, (law_figure){.name = name, .unit = unit, .value = value, .u = u, .dof = dof},
           "%.4g to %.4g Pa", CB_COMPRESSION_LOW_PA, CB_COMPRESSION_HIGH_PA);
}

/* T0 and TM of KES, and the pressure of ISO 5084. */
static void tell(const void *from, const cb_material_law *row, law_take *take, void *to) {
  const cb_compression_law *law = from;
  const cb_compression_kes *kes = &law->kes;
  (void)row;
  tell_thickness(law, CB_COMPRESSION_LOW_PA, take, to);
  tell_thickness(law, 1000, take, to);
  tell_thickness(law, CB_COMPRESSION_HIGH_PA, take, to);
  tell_kes(take, to, "WC", "J/m2", kes->wc_J_per_m2, kes->u_wc_J_per_m2, law->dof);
  tell_kes(take, to, "LC", "1", kes->lc, kes->u_lc, law->dof);
  tell_kes(take, to, "RC", "1", kes->rc, kes->u_rc, law->dof);
}

const law_row law_compression = {.of = CB_CLOTH,
                                 .made_by = "'clothbench fit compression' makes one of imported tests",
                                 .late = true,
                                 .size = sizeof(cb_compression_law),
                                 .read = read,
                                 .adopt = adopt,
                                 .tell = tell};
