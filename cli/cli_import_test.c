/* A foreign table -> tests of materials, in one transaction. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cb_num.h"
#include "cli_import.h"
#include "cli_import_fields.h"

/* ---- rows -> tests ---- */

typedef struct curve {
  cb_material_test test;
  char material[64];
  cb_test_point *points; /* owned */
  size_t n, cap;
} curve;

typedef struct import {
  const cli_test_reader *reader;
  fit_table *table;
  cli_test_axes axes;
  curve *curves; /* owned */
  size_t n, cap, holes, points;
} import;

static void import_clear(import *im) {
  for (size_t i = 0; i < im->n; i++) free(im->curves[i].points);
  free(im->curves);
  fit_table_free(im->table);
}

static bool same_direction(double a, double b) { return a == b || (isnan(a) && isnan(b)); }

static bool belongs(const import *im, const curve *c, size_t row) {
  const fit_table *t = im->table;
  double repeat = fit_table_number(t, CLI_TEST_REPEAT, row), layers = fit_table_number(t, CLI_TEST_LAYERS, row),
         direction_deg = fit_table_number(t, CLI_TEST_DIRECTION, row) / CB_DEG;
  return strcmp(c->material, fit_table_text(t, CLI_TEST_MATERIAL, row)) == 0 &&
         strcmp(c->test.specimen, fit_table_text(t, CLI_TEST_SPECIMEN, row)) == 0 && same_direction(c->test.direction_deg, direction_deg) &&
         c->test.repeat == (isnan(repeat) ? 1 : (int)repeat) && c->test.layers == (isnan(layers) ? 1 : (int)layers);
}

static cb_status copy_name(const fit_table *t, size_t field, size_t row, bool required, char out[64], cb_err *err) {
  const char *text = fit_table_text(t, field, row);
  if (strlen(text) >= 64 || (required && !text[0]))
    return fit_table_fail(t, row, CB_E_PARSE, err, "'%.60s': a name of 1 to 63 bytes was wanted", text);
  memcpy(out, text, strlen(text) + 1);
  return CB_OK;
}

static cb_status begin_curve(import *im, cb_test_kind kind, size_t row, cb_err *err) {
  const fit_table *t = im->table;
  if (im->n == im->cap) {
    size_t cap = im->cap ? 2 * im->cap : 16;
    curve *grown = realloc(im->curves, cap * sizeof *grown);
    if (!grown) return cb_fail(err, CB_E_NOMEM, "no memory for %zu tests", cap);
    im->curves = grown;
    im->cap = cap;
  }
  curve *c = &im->curves[im->n];
  double repeat = fit_table_number(t, CLI_TEST_REPEAT, row), layers = fit_table_number(t, CLI_TEST_LAYERS, row),
         temperature_K = fit_table_number(t, CLI_TEST_TEMPERATURE, row), areal = fit_table_number(t, CLI_TEST_AREAL_DENSITY, row);
  *c = (curve){.test = {.kind = kind,
                        .direction_deg = fit_table_number(t, CLI_TEST_DIRECTION, row) / CB_DEG,
                        .repeat = isnan(repeat) ? 1 : (int)repeat,
                        .layers = isnan(layers) ? 1 : (int)layers,
                        .areal_density_kg_per_m2 = isnan(areal) ? 0 : areal,
                        .temperature_degC = temperature_K - 273.15,
                        .u_x_rel = fit_table_u_rel(t, im->axes.x),
                        .u_y_rel = fit_table_u_rel(t, im->axes.y),
                        .x_digit = fit_table_digit(t, im->axes.x),
                        .y_digit = fit_table_digit(t, im->axes.y),
                        .origin = CB_IMPORTED}};
  CB_TRY(copy_name(t, CLI_TEST_MATERIAL, row, true, c->material, err));
  CB_TRY(copy_name(t, CLI_TEST_SPECIMEN, row, false, c->test.specimen, err));
  (void)snprintf(c->test.method, sizeof c->test.method, "%s", fit_table_method(t));
  (void)snprintf(c->test.source, sizeof c->test.source, "%s", fit_table_source(t));
  im->reader->facts(t, &im->axes, &c->test, row);
  im->n++;
  return CB_OK;
}

static cb_status push_point(import *im, curve *c, cb_test_point p, cb_err *err) {
  if (c->n == c->cap) {
    size_t cap = c->cap ? 2 * c->cap : 64;
    cb_test_point *grown = realloc(c->points, cap * sizeof *grown);
    if (!grown) return cb_fail(err, CB_E_NOMEM, "no memory for %zu points", cap);
    c->points = grown;
    c->cap = cap;
  }
  c->points[c->n++] = p;
  im->points++;
  return CB_OK;
}

static bool is_hole(const import *im, size_t row) {
  const cli_test_axes *a = &im->axes;
  const size_t fields[] = {a->x, a->y, a->needs[0], a->needs[1]};
  for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++)
    if (fields[i] != CLI_TEST_MATERIAL && isnan(fit_table_number(im->table, fields[i], row))) return true;
  return false;
}

static cb_status read_row(import *im, cb_test_kind kind, size_t row, cb_err *err) {
  if (is_hole(im, row)) {
    im->holes++;
    return CB_OK;
  }
  /* Rows of one test mostly stand together. */
  size_t i = im->n;
  while (i > 0 && !belongs(im, &im->curves[i - 1], row)) i--;
  if (i == 0) {
    CB_TRY(begin_curve(im, kind, row, err));
    i = im->n;
  }
  curve *c = &im->curves[i - 1];
  return push_point(im, c, im->reader->point(im->table, &im->axes, &c->test, row), err);
}

static cb_status read_file(const cli_import *q, cb_test_kind kind, import *im, cb_err *err) {
  im->reader = &cli_test_readers[kind];
  CB_TRY(fit_table_read(q->mapping, q->file, cb_test_kind_names[kind], im->reader->fields, im->reader->n_fields, &im->table, err));
  cb_status st = im->reader->axes(im->table, &im->axes, err);
  if (st != CB_OK) return cb_fail_in(err, st, "%s", q->mapping);
  for (size_t row = 0; row < fit_table_rows(im->table); row++) CB_TRY(read_row(im, kind, row, err));
  return im->n > 0 ? CB_OK : cb_fail(err, CB_E_RANGE, "%s: all %zu rows are holes", q->file, im->holes);
}

/* ---- into the database ---- */

static cb_status put_all(cb_store *s, const cli_import *q, cb_test_kind kind, import *im, cb_err *err) {
  char before[32];
  const char *fingerprint = fit_table_fingerprint(im->table);
  CB_TRY(cb_store_test_fingerprint(s, kind, fingerprint, before, err));
  if (before[0])
    return cb_fail(err, CB_E_RANGE, "%s: this very table was imported into %s on %s: its tests would count twice", q->file, q->db, before);
  for (size_t i = 0; i < im->n; i++) {
    curve *c = &im->curves[i];
    CB_TRY(cb_store_material_ensure(s, CB_CLOTH, c->material, CB_IMPORTED, &c->test.material_id, err));
    CB_TRY(cb_store_test_put(s, &c->test, c->points, c->n, fit_table_mapping(im->table), fingerprint, err));
  }
  return CB_OK;
}

static cb_status store(const cli_import *q, cb_test_kind kind, import *im, cb_err *err) {
  cb_store *s;
  CB_TRY(cb_store_open(q->db, CB_STORE_WRITE, &s, err));
  cb_status st = cb_store_begin(s, err);
  if (st == CB_OK) st = put_all(s, q, kind, im, err);
  if (st == CB_OK) st = cb_store_commit(s, err);
  if (st != CB_OK) cb_store_rollback(s);
  cb_status closed = cb_store_close(s, st == CB_OK ? err : NULL);
  return st == CB_OK ? closed : st;
}

static int report(const cli_import *q, cb_test_kind kind, const import *im) {
  if (im->holes) cli_say("import", "%zu hole%s skipped", im->holes, im->holes == 1 ? " was" : "s were");
  if (q->json)
    return cli_print_json(
        "import", json_pack("{s:s, s:s, s:s, s:s, s:I, s:I, s:I}", "file", q->file, "db", q->db, "kind", cb_test_kind_names[kind], "origin",
                            "imported", "tests", (json_int_t)im->n, "points", (json_int_t)im->points, "holes", (json_int_t)im->holes));
  printf("%s: %zu %s test%s with %zu points imported into %s\n", q->file, im->n, cb_test_kind_names[kind], im->n == 1 ? "" : "s",
         im->points, q->db);
  return fflush(stdout) == 0 ? CLI_DONE : CLI_FAILED;
}

int cli_import_test(const cli_import *q, cb_test_kind kind) {
  cb_err err = {""};
import im = {.n = 0 };
  cb_status st = read_file(q, kind, &im, &err);
  if (st == CB_OK) st = store(q, kind, &im, &err);
  int code = st == CB_OK ? report(q, kind, &im) : cli_fail("import", st, &err);
  import_clear(&im);
  return code;
}
