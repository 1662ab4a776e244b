/* A foreign table -> tests of materials, in one transaction. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cb_num.h"
#include "cli_import.h"
#include "fit_table.h"

/* ---- what a mapping may give ---- */

enum { MATERIAL, SPECIMEN, DIRECTION, REPEAT, LAYERS, AREAL_DENSITY, TEMPERATURE, N_COMMON };
#define COMMON                                                                                               \
  {"material", CB_DIM_NONE, true, 0, 0}, {"specimen", CB_DIM_NONE, false, 0, 0},                             \
      {"direction", CB_DIM_ANGLE, false, -2 * CB_PI, 2 * CB_PI}, {"repeat", CB_DIM_COUNT, false, 1, 1e6},    \
      {"layers", CB_DIM_COUNT, false, 1, 1000}, {"areal_density", CB_DIM_AREAL_DENSITY, false, 1e-4, 100}, { \
    "temperature", CB_DIM_TEMPERATURE, false, 200, 500                                                       \
  }

enum { PRESSURE = N_COMMON, VELOCITY, FLOW, AREA };
static const fit_table_field permeability_fields[] = {COMMON,
                                                      {"pressure", CB_DIM_PRESSURE, true, 1e-6, 1e7},
                                                      {"velocity", CB_DIM_SPEED, false, 0, 1e3},
                                                      {"flow", CB_DIM_FLOW, false, 0, 1e3},
                                                      {"area", CB_DIM_AREA, false, 1e-8, 100}};

enum { DISPLACEMENT = N_COMMON, CLAMP_DISTANCE, STRAIN, FORCE, FORCE_PER_WIDTH, LENGTH, STRETCH_WIDTH };
static const fit_table_field stretch_fields[] = {COMMON,
                                                 {"displacement", CB_DIM_LENGTH, false, -100, 100},
                                                 {"clamp_distance", CB_DIM_LENGTH, false, 0, 100},
                                                 {"strain", CB_DIM_RATIO, false, -1, 100},
                                                 {"force", CB_DIM_FORCE, false, -1e6, 1e6},
                                                 {"force_per_width", CB_DIM_STIFFNESS, false, -1e6, 1e6},
                                                 {"length", CB_DIM_LENGTH, false, 1e-6, 100},
                                                 {"width", CB_DIM_LENGTH, true, 1e-6, 100}};

enum { OVERHANG = N_COMMON, CHORD_ANGLE, CANTILEVER_WIDTH, SIDE };
static const fit_table_field cantilever_fields[] = {COMMON,
                                                    {"overhang", CB_DIM_LENGTH, true, 1e-4, 10},
                                                    {"chord_angle", CB_DIM_ANGLE, true, 0, CB_PI / 2},
                                                    {"width", CB_DIM_LENGTH, false, 1e-6, 100},
                                                    {"side", CB_DIM_NONE, false, 0, 0}};

enum { CURVATURE = N_COMMON, MOMENT_PER_WIDTH, MOMENT_WIDTH };
static const fit_table_field moment_fields[] = {COMMON,
                                                {"curvature", CB_DIM_CURVATURE, true, -1e5, 1e5},
                                                {"moment_per_width", CB_DIM_FORCE, true, -1e3, 1e3},
                                                {"width", CB_DIM_LENGTH, false, 1e-6, 100}};

/* ---- a row as a point ---- */

static double number(const fit_table *t, size_t field, size_t row) { return fit_table_number(t, field, row); }

/* What is not given is 0 in the struct. */
static double fact(const fit_table *t, size_t field, size_t row) {
  double v = number(t, field, row);
  return isnan(v) ? 0 : v;
}

/* The one of several fields that the mapping gives; an error where it is none or more than one. */
static cb_status choose(const fit_table *t, const fit_table_field *f, const size_t *of, size_t n, size_t *which, cb_err *err) {
  size_t found = 0;
  char names[120] = "";
  for (size_t i = 0; i < n; i++) {
    (void)snprintf(names + strlen(names), sizeof names - strlen(names), "%s%s", i ? ", " : "", f[of[i]].name);
    if (fit_table_given(t, of[i])) *which = of[i], found++;
  }
  return found == 1 ? CB_OK : cb_fail(err, CB_E_PARSE, "the mapping gives %zu of the columns %s: exactly one was wanted", found, names);
}

typedef struct axes {
  size_t x, y;     /* fields */
  size_t needs[2]; /* without these a row says nothing, like one without x or y; MATERIAL, a text: none */
} axes;

static cb_status permeability_axes(const fit_table *t, axes *a, cb_err *err) {
  static const size_t ys[] = {VELOCITY, FLOW};
  a->x = PRESSURE;
  CB_TRY(choose(t, permeability_fields, ys, 2, &a->y, err));
  if (a->y == FLOW && !fit_table_given(t, AREA)) return cb_fail(err, CB_E_PARSE, "a flow without its area: the column 'area' was wanted");
  if (a->y == FLOW) a->needs[0] = AREA;
  return CB_OK;
}

static cb_test_point permeability_point(const fit_table *t, const axes *a, const cb_material_test *test, size_t row) {
  double y = number(t, a->y, row);
  (void)test;
  return (cb_test_point){number(t, PRESSURE, row), a->y == FLOW ? y / number(t, AREA, row) : y};
}

static void permeability_facts(const fit_table *t, const axes *a, cb_material_test *test, size_t row) {
  (void)a;
  test->area_m2 = fact(t, AREA, row);
}

static cb_status stretch_axes(const fit_table *t, axes *a, cb_err *err) {
  static const size_t xs[] = {DISPLACEMENT, CLAMP_DISTANCE, STRAIN}, ys[] = {FORCE, FORCE_PER_WIDTH};
  CB_TRY(choose(t, stretch_fields, xs, 3, &a->x, err));
  CB_TRY(choose(t, stretch_fields, ys, 2, &a->y, err));
  if (a->x != CLAMP_DISTANCE && !fit_table_given(t, LENGTH))
    return cb_fail(err, CB_E_PARSE, "the column 'length', the gauge length, is missing");
  if (a->x == STRAIN) a->needs[0] = LENGTH;
  if (a->y == FORCE_PER_WIDTH) a->needs[1] = STRETCH_WIDTH;
  return CB_OK;
}

/* Without a gauge length, the clamps' first distance is it. */
static void stretch_facts(const fit_table *t, const axes *a, cb_material_test *test, size_t row) {
  test->length_m = fact(t, LENGTH, row);
  test->width_m = fact(t, STRETCH_WIDTH, row);
  if (a->x == CLAMP_DISTANCE && test->length_m == 0) test->length_m = number(t, CLAMP_DISTANCE, row);
}

static cb_test_point stretch_point(const fit_table *t, const axes *a, const cb_material_test *test, size_t row) {
  double x = number(t, a->x, row), y = number(t, a->y, row);
  if (a->x == CLAMP_DISTANCE) x -= test->length_m;
  if (a->x == STRAIN) x *= test->length_m;
  return (cb_test_point){x, a->y == FORCE_PER_WIDTH ? y * test->width_m : y};
}

static cb_status bending_axes(const fit_table *t, axes *a, cb_err *err) {
  (void)t, (void)err;
  *a = (axes){.x = N_COMMON, .y = N_COMMON + 1};
  return CB_OK;
}

static void bending_facts(const fit_table *t, const axes *a, cb_material_test *test, size_t row) {
  (void)a;
  test->width_m = fact(t, N_COMMON + 2, row);
}

static cb_test_point plain_point(const fit_table *t, const axes *a, const cb_material_test *test, size_t row) {
  (void)test;
  return (cb_test_point){number(t, a->x, row), number(t, a->y, row)};
}

/* Angles of strips whose back lay up go in below zero: the curvature's sign is the cloth's. */
static bool back_up(const fit_table *t, size_t row) { return strcmp(fit_table_text(t, SIDE, row), "back") == 0; }

static cb_status cantilever_axes(const fit_table *t, axes *a, cb_err *err) {
  for (size_t row = 0; row < fit_table_rows(t) && fit_table_given(t, SIDE); row++) {
    const char *side = fit_table_text(t, SIDE, row);
    if (strcmp(side, "face") != 0 && strcmp(side, "back") != 0)
      return fit_table_fail(t, row, CB_E_PARSE, err, "side '%.40s': face or back, whichever lay up, was wanted", side);
  }
  return bending_axes(t, a, err);
}

static cb_test_point cantilever_point(const fit_table *t, const axes *a, const cb_material_test *test, size_t row) {
  cb_test_point p = plain_point(t, a, test, row);
  return back_up(t, row) ? (cb_test_point){p.x, -p.y} : p;
}

static const struct reader {
  const fit_table_field *fields;
  size_t n_fields;
  cb_status (*axes)(const fit_table *t, axes *a, cb_err *err);
  void (*facts)(const fit_table *t, const axes *a, cb_material_test *test, size_t row); /* of the test's first row */
  cb_test_point (*point)(const fit_table *t, const axes *a, const cb_material_test *test, size_t row);
} readers[] = {
#define FIELDS(list) list, sizeof list / sizeof list[0]
    [CB_TEST_PERMEABILITY] = {FIELDS(permeability_fields), permeability_axes, permeability_facts, permeability_point},
    [CB_TEST_STRETCH] = {FIELDS(stretch_fields), stretch_axes, stretch_facts, stretch_point},
    [CB_TEST_CANTILEVER] = {FIELDS(cantilever_fields), cantilever_axes, bending_facts, cantilever_point},
    [CB_TEST_BENDING_MOMENT] = {FIELDS(moment_fields), bending_axes, bending_facts, plain_point},
};

/* ---- rows -> tests ---- */

typedef struct curve {
  cb_material_test test;
  char material[64];
  cb_test_point *points; /* owned */
  size_t n, cap;
} curve;

typedef struct import {
  const struct reader *reader;
  fit_table *table;
  axes axes;
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
  double repeat = number(t, REPEAT, row), layers = number(t, LAYERS, row), direction_deg = number(t, DIRECTION, row) / CB_DEG;
  return strcmp(c->material, fit_table_text(t, MATERIAL, row)) == 0 && strcmp(c->test.specimen, fit_table_text(t, SPECIMEN, row)) == 0 &&
         same_direction(c->test.direction_deg, direction_deg) && c->test.repeat == (isnan(repeat) ? 1 : (int)repeat) &&
         c->test.layers == (isnan(layers) ? 1 : (int)layers);
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
  double repeat = number(t, REPEAT, row), layers = number(t, LAYERS, row), temperature_K = number(t, TEMPERATURE, row);
  *c = (curve){.test = {.kind = kind,
                        .direction_deg = number(t, DIRECTION, row) / CB_DEG,
                        .repeat = isnan(repeat) ? 1 : (int)repeat,
                        .layers = isnan(layers) ? 1 : (int)layers,
                        .areal_density_kg_per_m2 = fact(t, AREAL_DENSITY, row),
                        .temperature_degC = temperature_K - 273.15,
                        .u_x_rel = fit_table_u_rel(t, im->axes.x),
                        .u_y_rel = fit_table_u_rel(t, im->axes.y),
                        .x_digit = fit_table_digit(t, im->axes.x),
                        .y_digit = fit_table_digit(t, im->axes.y),
                        .origin = CB_IMPORTED}};
  CB_TRY(copy_name(t, MATERIAL, row, true, c->material, err));
  CB_TRY(copy_name(t, SPECIMEN, row, false, c->test.specimen, err));
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
  const axes *a = &im->axes;
  const size_t fields[] = {a->x, a->y, a->needs[0], a->needs[1]};
  for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++)
    if (fields[i] != MATERIAL && isnan(number(im->table, fields[i], row))) return true;
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
  im->reader = &readers[kind];
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
