#include "lab_import_parts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cb_store_material_test.h"
#include "cb_array.h"
#include "cb_num.h"
#include "cb_plural.h"
#include "fit_figures.h"
#include "lab_test_fields.h"
#include "lab_transact.h"

/* ---- rows -> tests ---- */

typedef struct reading {
  const lab_test_reader *reader;
  lab_test_axes axes;
  lab_material_tests *out;
} reading;

static bool same_direction(double a, double b) { return a == b || (isnan(a) && isnan(b)); }

static bool row_belongs(const reading *r, const lab_material_curve *c, size_t row) {
  const fit_table *t = r->out->table;
  double repeat = fit_table_number(t, LAB_TEST_REPEAT, row),
         layers = fit_table_number(t, LAB_TEST_LAYERS, row),
         direction_deg = fit_table_number(t, LAB_TEST_DIRECTION, row) / CB_DEG;
  return strcmp(c->material, fit_table_text(t, LAB_TEST_MATERIAL, row)) == 0 &&
         strcmp(c->test.specimen, fit_table_text(t, LAB_TEST_SPECIMEN, row)) == 0 &&
         same_direction(c->test.direction_deg, direction_deg) &&
         c->test.repeat == (isnan(repeat) ? 1 : (int)repeat) &&
         c->test.layers == (isnan(layers) ? 1 : (int)layers);
}

static cb_status grow_curves(lab_material_tests *t, cb_err *err) {
  lab_material_curve *grown = cb_array_grow(t->curves, &t->cap, t->n + 1, sizeof *grown);
  if (!grown) return cb_no_memory(err, "%zu tests", t->n + 1);
  t->curves = grown;
  return CB_OK;
}

/* What all rows of a test share, out of its first. */
static cb_material_test make_test(const reading *r, size_t row) {
  const fit_table *t = r->out->table;
  double repeat = fit_table_number(t, LAB_TEST_REPEAT, row),
         layers = fit_table_number(t, LAB_TEST_LAYERS, row),
         temperature_K = fit_table_number(t, LAB_TEST_TEMPERATURE, row),
         areal = fit_table_number(t, LAB_TEST_AREAL_DENSITY, row);
  return (cb_material_test){.kind = r->out->kind,
                            .direction_deg = fit_table_number(t, LAB_TEST_DIRECTION, row) / CB_DEG,
                            .repeat = isnan(repeat) ? 1 : (int)repeat,
                            .layers = isnan(layers) ? 1 : (int)layers,
                            .areal_density_kg_per_m2 = isnan(areal) ? 0 : areal,
                            .temperature_degC = temperature_K - 273.15,
                            .u_x_rel = fit_table_u_rel(t, r->axes.x),
                            .u_y_rel = fit_table_u_rel(t, r->axes.y),
                            .x_digit = fit_table_digit(t, r->axes.x),
                            .y_digit = fit_table_digit(t, r->axes.y)};
}

static cb_status begin_curve(reading *r, size_t row, cb_err *err) {
  const fit_table *t = r->out->table;
  CB_TRY(grow_curves(r->out, err));
  lab_material_curve *c = &r->out->curves[r->out->n];
  *c = (lab_material_curve){.test = make_test(r, row)};
  CB_TRY(fit_table_origin(t, LAB_TEST_ORIGIN, row, &c->test.origin, err));
  CB_TRY(fit_table_name(t, LAB_TEST_MATERIAL, row, c->material, sizeof c->material, err));
  CB_TRY(fit_table_name(t, LAB_TEST_SPECIMEN, row, c->test.specimen, sizeof c->test.specimen, err));
  (void)snprintf(c->test.method, sizeof c->test.method, "%s", fit_table_method(t));
  (void)snprintf(c->test.source, sizeof c->test.source, "%s", fit_table_source(t));
  r->reader->facts(t, &r->axes, &c->test, row);
  r->out->n++;
  return CB_OK;
}

static cb_status push_point(reading *r, lab_material_curve *c, cb_test_point p, cb_err *err) {
  cb_test_point *grown = cb_array_grow(c->points, &c->cap, c->n + 1, sizeof *grown);
  if (!grown) return cb_no_memory(err, "%zu points", c->n + 1);
  c->points = grown;
  c->points[c->n++] = p;
  r->out->points++;
  return CB_OK;
}

static bool is_hole(const reading *r, size_t row) {
  const lab_test_axes *a = &r->axes;
  const size_t fields[] = {a->x, a->y, a->needs[0], a->needs[1]};
  for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++)
    if (fields[i] != LAB_TEST_MATERIAL && isnan(fit_table_number(r->out->table, fields[i], row))) return true;
  return false;
}

static cb_status read_row(reading *r, size_t row, cb_err *err) {
  if (is_hole(r, row)) {
    r->out->holes++;
    return CB_OK;
  }
  /* Rows of one test mostly stand together. */
  size_t i = r->out->n;
  while (i > 0 && !row_belongs(r, &r->out->curves[i - 1], row)) i--;
  if (i == 0) {
    CB_TRY(begin_curve(r, row, err));
    i = r->out->n;
  }
  lab_material_curve *c = &r->out->curves[i - 1];
  return push_point(r, c, r->reader->point(r->out->table, &r->axes, &c->test, row), err);
}

static cb_status read_table(const char *mapping, const char *file, reading *r, cb_err *err) {
  lab_material_tests *out = r->out;
  CB_TRY(fit_table_read(mapping, file, cb_test_kind_names[out->kind], r->reader->fields, r->reader->n_fields,
                        &out->table, err));
  cb_status st = r->reader->axes(out->table, &r->axes, err);
  if (st != CB_OK) return cb_fail_in(err, st, "%s", mapping);
  for (size_t row = 0; row < fit_table_rows(out->table); row++) CB_TRY(read_row(r, row, err));
  return out->n > 0 ? CB_OK
                    : cb_fail(err, CB_E_RANGE, "%s: nothing but holes in %zu row%s", file, out->holes,
                              CB_S(out->holes));
}

cb_status lab_material_tests_read(const char *mapping, const char *file, cb_test_kind kind,
                                  lab_material_tests *out, cb_err *err) {
  reading r = {.reader = &lab_test_readers[kind], .out = out};
  *out = (lab_material_tests){.kind = kind};
  return read_table(mapping, file, &r, err);
}

void lab_material_tests_clear(lab_material_tests *t) {
  for (size_t i = 0; i < t->n; i++) free(t->curves[i].points);
  free(t->curves);
  fit_table_free(t->table);
  *t = (lab_material_tests){.n = 0};
}

/* ---- tests -> the database ---- */

typedef struct table {
  const char *file;
  lab_material_tests *tests;
} table;

/* The mean T0 of the tests of one cloth; NAN: they do not show it. */
static cb_status mean_t0(const lab_material_tests *t, int64_t material_id, fit_figure_mean *out,
                         cb_err *err) {
  fit_figure *list = calloc(t->n + 1, sizeof *list);
  cb_status st = list ? CB_OK : cb_no_memory(err, "%zu tests", t->n);
  size_t n = 0;
  for (size_t i = 0; i < t->n && st == CB_OK; i++) {
    fit_figures f;
    const lab_material_curve *c = &t->curves[i];
    if (c->test.material_id != material_id) continue;
    st = fit_figures_reduce(&c->test, c->points, c->n, &f, err);
    if (st == CB_OK) list[n++] = f.of[FIT_COMPRESSION_T0];
  }
  if (st == CB_OK) *out = fit_figures_mean(list, n);
  free(list);
  return st;
}

/* T0 becomes the thickness of a cloth that has none. */
static cb_status learn_thickness(cb_store *s, const lab_material_tests *t, const lab_material_curve *c,
                                 cb_err *err) {
  cb_material m;
  fit_figure_mean t0;
  int64_t id;
  CB_TRY(cb_store_material_find(s, CB_CLOTH, c->material, &m, err));
  if (m.thickness_m > 0) return CB_OK;
  CB_TRY(mean_t0(t, m.id, &t0, err));
  if (isnan(t0.value)) return CB_OK;
  cb_material told = {.kind = CB_CLOTH, .thickness_m = t0.value, .u_thickness_m = t0.u};
  memcpy(told.name, m.name, sizeof told.name);
  memcpy(told.source, c->test.source, sizeof told.source);
  return cb_store_material_learn(s, &told, &id, err);
}

static cb_status put_tests(cb_store *s, void *context, cb_err *err) {
  const table *q = context;
  lab_material_tests *t = q->tests;
  char before[32];
  const char *fingerprint = fit_table_fingerprint(t->table);
  CB_TRY(cb_store_test_fingerprint(s, t->kind, fingerprint, before, err));
  if (before[0])
    return cb_fail(err, CB_E_RANGE,
                   "%s: this very table was imported into %s on %s: its tests would count twice", q->file,
                   cb_store_path(s), before);
  for (size_t i = 0; i < t->n; i++) {
    lab_material_curve *c = &t->curves[i];
    CB_TRY(cb_store_material_ensure(s, CB_CLOTH, c->material, c->test.origin, &c->test.material_id, err));
    CB_TRY(cb_store_test_put(s, &c->test, c->points, c->n, fit_table_mapping(t->table), fingerprint, err));
  }
  for (size_t i = 0; i < t->n && t->kind == CB_TEST_COMPRESSION; i++)
    CB_TRY(learn_thickness(s, t, &t->curves[i], err));
  return CB_OK;
}

cb_status lab_material_tests_store(cb_store *s, const char *file, lab_material_tests *t, cb_err *err) {
  return lab_transact(s, put_tests, &(table){file, t}, err);
}

cb_status lab_import_tests(const lab_import *q, cb_test_kind kind, lab_material_tests *out, cb_err *err) {
  cb_store *s;
  CB_TRY(lab_material_tests_read(q->mapping, q->file, kind, out, err));
  CB_TRY(lab_import_open(q, &s, err));
  return cb_store_close_after(s, lab_material_tests_store(s, q->file, out, err), err);
}

const char *lab_material_test_unused(const lab_material_tests *t, size_t i, cb_err *err) {
  const lab_material_curve *c = &t->curves[i];
  fit_figures f;
  if (!fit_figure_names(t->kind)) return NULL;
  if (fit_figures_reduce(&c->test, c->points, c->n, &f, err) != CB_OK) return err->msg;
  return f.defect == FIT_FIGURES_USED ? NULL : fit_figures_defect_text[f.defect];
}
