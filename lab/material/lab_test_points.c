#include "lab_test_points.h"

#include <math.h>
#include <stdlib.h>

#include "cb_store_material_test.h"
#include "cb_array.h"
#include "cb_stretch_law.h"
#include "lab_stretch_impl.h"

typedef struct points {
  lab_test_point *list;
  size_t n, capacity;
} points;

/* How a test's numbers become those of the law. Strain 0 lies at x0. */
typedef struct scale {
  double x0, x_unit, y0, y_unit, u_x;
  size_t most; /* points from x0 on */
} scale;

static double uncertainty(const cb_material_test *t, double y, double unit) {
  return hypot(t->u_y_rel * y, t->y_digit / sqrt(12)) / unit;
}

static cb_status add_points(cb_store *s, const cb_material_test *t, const scale *c, size_t test, points *p,
                            cb_err *err) {
  cb_test_point *raw;
  size_t n, kept = 0;
  CB_TRY(cb_store_test_points(s, t, &raw, &n, err));
  lab_test_point *grown = cb_array_grow(p->list, &p->capacity, p->n + n + 1, sizeof *grown);
  if (grown) p->list = grown;
  for (size_t i = 0; grown && i < n && kept < c->most; i++) {
    const double x = (raw[i].x - c->x0) / c->x_unit, y = raw[i].y / c->y_unit - c->y0;
    grown[p->n++] = (lab_test_point){.x = x,
                                     .y = y,
                                     .u_x = c->u_x,
                                     .u_y = uncertainty(t, raw[i].y, c->y_unit),
                                     .direction_deg = cb_stretch_fold_deg(t->direction_deg),
                                     .test = test,
                                     .origin = t->origin};
    kept += t->kind != CB_TEST_STRETCH || x >= 0;
  }
  free(raw);
  return grown ? CB_OK : cb_no_memory(err, "%zu points", p->n + n);
}

static const lab_stretch_test *find_part(const lab_stretch *law, int64_t test_id) {
  for (size_t i = 0; i < law->n_tests; i++)
    if (law->tests[i].test_id == test_id && law->tests[i].part.outcome == FIT_STRETCH_PART_OK)
      return &law->tests[i];
  return NULL;
}

/* Returns whether the points of the test are in the law's quantities. */
static bool find_scale(const cb_material_test *t, const lab_stretch *law, double pretension_N_per_m,
                       scale *c) {
  *c = (scale){.x_unit = 1, .y_unit = 1, .most = SIZE_MAX};
  if (t->kind == CB_TEST_PERMEABILITY) c->x_unit = t->layers;
  if (t->kind == CB_TEST_COMPRESSION) c->y_unit = t->layers;
  if (t->kind != CB_TEST_STRETCH) return true;
  const lab_stretch_test *used = find_part(law, t->id);
  if (!used) return false;
  *c = (scale){.x0 = used->part.slack_m,
               .x_unit = used->part.length_m,
               .u_x = used->part.u_slack_m / used->part.length_m,
               .y0 = pretension_N_per_m,
               .y_unit = t->width_m * t->layers,
               .most = used->part.n_loading};
  return c->x_unit > 0 && c->y_unit > 0;
}

static cb_status load_stretch(cb_store *s, const cb_material *m, lab_stretch *law, double *pretension_N_per_m,
                              cb_err *err) {
  cb_material_law row;
  *pretension_N_per_m = 0;
  cb_status st = lab_stretch_stored(s, m->name, law, err);
  if (st != CB_OK) return st == CB_E_NOTFOUND ? CB_OK : st;
  CB_TRY(cb_store_material_law_find(s, m, CB_LAW_STRETCH, &row, err));
  *pretension_N_per_m = lab_stretch_pretension(row.method);
  free(row.result_json);
  return CB_OK;
}

static cb_status gather_points(cb_store *s, const cb_material *m, cb_test_kind kind, points *p, cb_err *err) {
  cb_material_test *tests = NULL;
  size_t n = 0;
  double pretension_N_per_m = 0;
  lab_stretch law = {.n_tests = 0};
  cb_status st = kind == CB_TEST_STRETCH ? load_stretch(s, m, &law, &pretension_N_per_m, err) : CB_OK;
  if (st == CB_OK) st = cb_store_tests(s, m->id, kind, &tests, &n, err);
  for (size_t i = 0; i < n && st == CB_OK; i++) {
    scale c;
    if (find_scale(&tests[i], &law, pretension_N_per_m, &c)) st = add_points(s, &tests[i], &c, i, p, err);
  }
  free(tests);
  lab_stretch_clear(&law);
  return st;
}

cb_status lab_test_points(cb_store *s, const char *cloth, cb_test_kind kind, lab_test_point **list, size_t *n,
                          cb_err *err) {
  cb_material m;
  points p = {.list = NULL};
  *list = NULL;
  *n = 0;
  CB_TRY(cb_store_material_find(s, CB_CLOTH, cloth, &m, err));
  cb_status st = gather_points(s, &m, kind, &p, err);
  if (st != CB_OK) {
    free(p.list);
    return st;
  }
  *list = p.list;
  *n = p.n;
  return CB_OK;
}
