/* A typed bending length or flexural rigidity: the cantilever test at the standards' angle that has it. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cb_num.h"
#include "cb_store_material_test.h"
#include "lab_test_fields.h"
#include "lab_import_parts.h"

cb_status lab_typed_check_bending(const lab_typed *t, cb_err *err) {
  const bool length = isfinite(t->bending_length_m), rigidity = isfinite(t->flexural_rigidity_Nm);
  if (!length && !rigidity) return CB_OK;
  if (length && rigidity)
    return cb_fail(err, CB_E_ARG,
                   "a bending length and a flexural rigidity say the same: one of them was wanted");
  if (t->kind != CB_CLOTH)
    return cb_fail(err, CB_E_ARG, "a %s: a cloth was wanted",
                   length ? "bending length" : "flexural rigidity");
  return CB_OK;
}

/* What was typed now goes before what the database knows. */
static cb_status find_areal_density(cb_store *s, const lab_typed *t, double *out, cb_err *err) {
  cb_material m;
  CB_TRY(cb_store_material_find(s, CB_CLOTH, t->name, &m, err));
  *out = isfinite(t->areal_density_kg_per_m2) ? t->areal_density_kg_per_m2 : m.areal_density_kg_per_m2;
  if (*out > 0 || isfinite(t->bending_length_m)) return CB_OK;
  return cb_fail(err, CB_E_ARG, "a flexural rigidity of '%s', whose areal mass is not known: it was wanted",
                 t->name);
}

static cb_status refuse_again(cb_store *s, const cb_material_test *test, double overhang_m, cb_err *err) {
  cb_material_test *list = NULL;
  size_t n;
  CB_TRY(cb_store_tests(s, test->material_id, CB_TEST_CANTILEVER, &list, &n, err));
  cb_status st = CB_OK;
  for (size_t i = 0; i < n && st == CB_OK; i++) {
    cb_test_point *points = NULL;
    size_t n_points = 0;
    if (strcmp(list[i].method, test->method) != 0 || strcmp(list[i].source, test->source) != 0 ||
        list[i].direction_deg != test->direction_deg)
      continue;
    st = cb_store_test_points(s, &list[i], &points, &n_points, err);
    if (st == CB_OK && n_points == 1 && points[0].x == overhang_m)
      st = cb_fail(err, CB_E_RANGE, "this very figure is stored already: it would count twice");
    free(points);
  }
  free(list);
  return st;
}

cb_status lab_typed_put_bending(cb_store *s, const lab_typed *t, int64_t cloth_id, cb_err *err) {
  const bool length = isfinite(t->bending_length_m);
  if (!length && isnan(t->flexural_rigidity_Nm)) return CB_OK;
  cb_material_test test = {.kind = CB_TEST_CANTILEVER,
                           .material_id = cloth_id,
                           .direction_deg = t->angle_deg,
                           .repeat = 1,
                           .layers = 1,
                           .temperature_degC = NAN,
                           .u_x_rel = length ? t->u_bending_length_m / t->bending_length_m
                                             : t->u_flexural_rigidity_Nm / t->flexural_rigidity_Nm / 3,
                           .origin = CB_IMPORTED};
  CB_TRY(find_areal_density(s, t, &test.areal_density_kg_per_m2, err));
  (void)snprintf(test.method, sizeof test.method, "typed %s",
                 length ? "bending length" : "flexural rigidity");
  (void)snprintf(test.source, sizeof test.source, "%s", t->source);
  const double overhang_m =
      length ? 2 * t->bending_length_m
             : lab_test_standard_overhang(t->flexural_rigidity_Nm, test.areal_density_kg_per_m2);
  CB_TRY(refuse_again(s, &test, overhang_m, err));
  return cb_store_test_put(s, &test, &(cb_test_point){overhang_m, LAB_TEST_STANDARD_ANGLE}, 1, "", "", err);
}
