#include "cb_law_json.h"
#include "law_rows.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cb_json_fields.h"
#include "cb_plural.h"
#include "cb_stretch_form.h"
#include "cb_stretch_green.h"

/* ---- numbers by name ---- */

#define KEY(type, member) \
  { #member, offsetof(type, member), CB_JSON_NAN }
static const cb_json_field knot_keys[] = {KEY(cb_stretch_knot, strain), KEY(cb_stretch_knot, force_N_per_m),
                                          KEY(cb_stretch_knot, u_N_per_m), KEY(cb_stretch_knot, sd_N_per_m)};
static const cb_json_field kes_keys[] = {
    KEY(cb_stretch_kes, load_N_per_m),  KEY(cb_stretch_kes, emt),
    KEY(cb_stretch_kes, u_emt),         KEY(cb_stretch_kes, wt_J_per_m2),
    KEY(cb_stretch_kes, u_wt_J_per_m2), KEY(cb_stretch_kes, lt),
    KEY(cb_stretch_kes, u_lt),          KEY(cb_stretch_kes, rt),
    KEY(cb_stretch_kes, u_rt),          KEY(cb_stretch_kes, rt_load_N_per_m)};
static const cb_json_field direction_keys[] = {
    KEY(cb_stretch_direction, angle_deg),       KEY(cb_stretch_direction, dof),
    KEY(cb_stretch_direction, k1_N_per_m),      KEY(cb_stretch_direction, u_k1_N_per_m),
    KEY(cb_stretch_direction, k3_N_per_m),      KEY(cb_stretch_direction, u_k3_N_per_m),
    KEY(cb_stretch_direction, cubic_misfit_rel)};
static const cb_json_field law_keys[] = {KEY(cb_stretch_law, u_force_rel), KEY(cb_stretch_law, u_strain_rel)};

/* ---- law -> JSON ---- */

static json_t *direction_json(const cb_stretch_direction *d) {
  json_t *o = cb_json_object(direction_keys, CB_JSON_COUNT_OF(direction_keys), d), *knots = json_array();
  int failed = !o || json_object_set_new(o, "n_tests", json_integer((json_int_t)d->n_tests)) != 0;
  for (size_t i = 0; i < d->n_knots; i++)
    if (json_array_append_new(knots, cb_json_object(knot_keys, CB_JSON_COUNT_OF(knot_keys), &d->knots[i])) !=
        0)
      failed = 1;
  if (json_object_set_new(o, "knots", knots) != 0) failed = 1;
  if (json_object_set_new(o, "kes", cb_json_object(kes_keys, CB_JSON_COUNT_OF(kes_keys), &d->kes)) != 0)
    failed = 1;
  if (!failed) return o;
  json_decref(o);
  return NULL;
}

json_t *cb_stretch_wang_json(const cb_stretch_wang *w, bool imported, bool beyond) {
  json_t *rows = json_array();
  for (int r = 0; r < CB_WANG_ROWS; r++) {
    const double *c = w->c_N_per_m[r];
    (void)json_array_append_new(rows, json_pack("[f, f, f, f]", c[0], c[1], c[2], c[3]));
  }
  return json_pack("{s:o, s:b, s:b}", "c_N_per_m", rows, "imported", imported, "beyond_measured_range",
                   beyond);
}

json_t *cb_stretch_json(const cb_stretch_law *law) {
  json_t *list = json_array();
  int failed = !list;
  for (size_t i = 0; i < law->n; i++)
    if (json_array_append_new(list, direction_json(&law->directions[i])) != 0) failed = 1;
  json_t *o = json_pack("{s:s, s:s, s:s, s:b, s:o}", "cloth", law->cloth, "origin",
                        cb_origin_names[law->origin], "form", cb_stretch_form_names[law->form], "form_tested",
                        law->form_tested, "directions", list);
  failed |= cb_json_put(o, law_keys, CB_JSON_COUNT_OF(law_keys), law);
  if (o && json_object_set_new(
               o, "wang", law->has_wang ? cb_stretch_wang_json(&law->wang, true, false) : json_null()) != 0)
    failed = 1;
  if (!failed) return o;
  json_decref(o);
  return NULL;
}

/* ---- JSON -> law ---- */

static cb_status parse_direction(const json_t *o, cb_stretch_direction *d, cb_err *err) {
  const json_t *knots = json_object_get(o, "knots"), *tests = json_object_get(o, "n_tests");
  size_t n = json_array_size(knots);
  CB_TRY(
      cb_json_get(o, "stretch law: directions[].", direction_keys, CB_JSON_COUNT_OF(direction_keys), d, err));
  if (!json_is_integer(tests) || json_integer_value(tests) < 1)
    return cb_fail(err, CB_E_PARSE, "stretch law: directions[].n_tests: a count was wanted");
  if (n > CB_STRETCH_MAX_KNOTS)
    return cb_fail(err, CB_E_RANGE, "stretch law: %zu knot%s at %g deg: at most %d are allowed", n, CB_S(n),
                   d->angle_deg, CB_STRETCH_MAX_KNOTS);
  d->n_tests = (size_t)json_integer_value(tests);
  d->n_knots = n;
  for (size_t i = 0; i < n; i++)
    CB_TRY(cb_json_get(json_array_get(knots, i), "stretch law: directions[].knots[].", knot_keys,
                       CB_JSON_COUNT_OF(knot_keys), &d->knots[i], err));
  return cb_json_get(json_object_get(o, "kes"), "stretch law: directions[].kes.", kes_keys,
                     CB_JSON_COUNT_OF(kes_keys), &d->kes, err);
}

static cb_status parse_wang(const json_t *o, cb_stretch_law *law, cb_err *err) {
  const json_t *rows = json_object_get(o, "c_N_per_m");
  law->has_wang = json_is_true(json_object_get(o, "imported"));
  if (!law->has_wang) return CB_OK;
  for (size_t i = 0; i < (size_t)CB_WANG_ROWS * 4; i++) {
    const json_t *v = json_array_get(json_array_get(rows, i / 4), i % 4);
    if (!json_is_number(v))
      return cb_fail(err, CB_E_PARSE, "stretch law: wang.c_N_per_m: %d rows of 4 numbers were wanted",
                     CB_WANG_ROWS);
    law->wang.c_N_per_m[i / 4][i % 4] = json_number_value(v);
  }
  return CB_OK;
}

static int index_of(const json_t *text, const char *const *names) {
  const char *s = json_string_value(text);
  for (int i = 0; s && names[i]; i++)
    if (strcmp(s, names[i]) == 0) return i;
  return -1;
}

static cb_status parse_law(const json_t *o, cb_stretch_law *law, cb_err *err) {
  const json_t *list = json_object_get(o, "directions");
  const char *cloth = json_string_value(json_object_get(o, "cloth"));
  int origin = index_of(json_object_get(o, "origin"), cb_origin_names),
      form = index_of(json_object_get(o, "form"), cb_stretch_form_names);
  if (origin < 0 || form < 0 || !cloth || !json_is_array(list))
    return cb_fail(err, CB_E_PARSE, "stretch law: cloth, origin, form and directions were wanted");
  if (json_array_size(list) > CB_STRETCH_MAX_DIRECTIONS)
    return cb_fail(err, CB_E_RANGE, "stretch law: %zu direction%s: at most %d are allowed",
                   json_array_size(list), CB_S(json_array_size(list)), CB_STRETCH_MAX_DIRECTIONS);
  (void)snprintf(law->cloth, sizeof law->cloth, "%s", cloth);
  law->origin = (cb_origin)origin;
  law->form = (cb_stretch_form)form;
  law->form_tested = json_is_true(json_object_get(o, "form_tested"));
  law->n = json_array_size(list);
  for (size_t i = 0; i < law->n; i++)
    CB_TRY(parse_direction(json_array_get(list, i), &law->directions[i], err));
  CB_TRY(cb_json_get(o, "stretch law: law.", law_keys, CB_JSON_COUNT_OF(law_keys), law, err));
  CB_TRY(parse_wang(json_object_get(o, "wang"), law, err));
  return cb_stretch_law_check(law, err);
}

/* ---- the row of the table ---- */

static cb_status read(const json_t *doc, void *out, cb_err *err) {
  *(cb_stretch_law *)out = (cb_stretch_law){.n = 0};
  return parse_law(doc, out, err);
}

static void adopt(void *out, const cb_material_law *row, const char *material) {
  (void)material;
  ((cb_stretch_law *)out)->id = row->id;
}

static void tell_kes(const cb_stretch_direction *d, law_take *take, void *to) {
  const cb_stretch_kes *k = &d->kes;
  const law_figure figures[] = {
      {.name = "EMT", .unit = "1", .value = k->emt, .u = k->u_emt, .dof = d->dof},
      {.name = "WT", .unit = "J/m2", .value = k->wt_J_per_m2, .u = k->u_wt_J_per_m2, .dof = d->dof},
      {.name = "LT", .unit = "1", .value = k->lt, .u = k->u_lt, .dof = d->dof}};
  for (size_t i = 0; i < 3; i++)
    law_tell(take, to, figures[i], "%g deg at %.4g N/m", d->angle_deg, k->load_N_per_m);
  law_tell(take, to, (law_figure){.name = "RT", .unit = "1", .value = k->rt, .u = k->u_rt, .dof = d->dof},
           "%g deg, from %.4g N/m", d->angle_deg, k->rt_load_N_per_m);
}

static law_figure secant(const cb_stretch_law *law, const char *name, double angle_deg) {
  cb_stretch_value v;
  cb_stretch_eval(law, angle_deg, CB_STRETCH_SECANT_STRAIN, &v);
  return (law_figure){.name = name,
                      .unit = "N/m",
                      .value = v.force_N_per_m / CB_STRETCH_SECANT_STRAIN,
                      .u = v.u_N_per_m / CB_STRETCH_SECANT_STRAIN,
                      .dof = v.dof};
}

static void number(const void *from, law_take *take, void *to) {
  const cb_stretch_law *law = from;
  law_figure shear = {.name = "shear_N_per_m", .unit = "N/m", .dof = NAN};
  const law_figure warp = secant(law, "stretch_warp_N_per_m", 0),
                   weft = secant(law, "stretch_weft_N_per_m", 90);
  shear.value = cb_stretch_shear(law, &shear.u);
  take(to, &warp);
  take(to, &weft);
  take(to, &shear);
}

static void tell_wang(const cb_stretch_wang *w, law_take *take, void *to) {
  static const char *const names[] = {"k11", "k12", "k22", "k33"};
  const double at_rest[3] = {0};
  double k[4];
  cb_stretch_wang_stiffness(w, at_rest, k);
  for (int i = 0; i < 4; i++)
    law_tell(take, to, (law_figure){.name = names[i], .unit = "N/m", .value = k[i], .u = NAN, .dof = NAN},
             "no strain");
}

static void tell(const void *from, const cb_material_law *row, law_take *take, void *to) {
  const cb_stretch_law *law = from;
  (void)row;
  for (int deg = 0; deg <= 90; deg += 45) {
    cb_stretch_value v;
    cb_stretch_eval(law, deg, CB_STRETCH_SECANT_STRAIN, &v);
    law_tell(take, to, secant(law, "stiffness", deg), "%d deg, secant to %g %%%s", deg,
             100 * CB_STRETCH_SECANT_STRAIN, law_outside(v.inside_measured_range));
  }
  for (size_t i = 0; i < law->n; i++) tell_kes(&law->directions[i], take, to);
  if (law->has_wang) tell_wang(&law->wang, take, to);
}

const law_row law_stretch = {.of = CB_CLOTH,
                             .made_by = "'clothbench fit stretch' makes one",
                             .size = sizeof(cb_stretch_law),
                             .read = read,
                             .adopt = adopt,
                             .tell = tell,
                             .number = number};
