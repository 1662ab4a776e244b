/* Allocation failure (alloctest.h) in the fits, and in the documents that laws come and go in. */
#include <jansson.h>

#include "alloctest.h"
#include "exch_material.h"
#include "fit_bending.h"
#include "fit_figures.h"
#include "fit_cycle.h"
#include "fit_drape.h"
#include "fit_import_impl.h"
#include "fit_nls.h"
#include "fit_permeability.h"
#include "fit_self_friction.h"
#include "fit_trace.h"
#include "fit_trace_impl.h"
#include "stretchtest.h"

static void line_model(const void *context, const double *b, double *predicted, double *jacobian) {
  (void)context;
  for (int i = 0; i < 3; i++) {
    predicted[i] = i * b[0];
    if (jacobian) jacobian[i] = i;
  }
}

static cb_status fit_line(void *context, cb_err *err) {
  const double y[] = {0, 1, 3}, start[] = {0};
  fit_nls_problem q = {.n = 3, .p = 1, .model = line_model, .context = context, .y = y, .start = start};
  fit_nls_result r;
  return fit_nls(&q, &r, err);
}

static void nls(void **state) {
  (void)state;
  assert_true(at_sweep(fit_line, NULL) >= 2);
}

/* jansson calls a document bad where it had no memory for a word of it: its own allocations are counted, but
 * do not fail. */
static void *unfailing(size_t n) { return at_counted(__real_malloc(n)); }

/* A document to read, and what is read to write. */
static cb_status use_material(void *context, cb_err *err) {
  exch_material m;
  char *text = NULL;
  CB_TRY(exch_material_read(context, strlen(context), "t", &m, err));
  cb_status st = exch_material_write(&m, &text, err);
  free(text);
  exch_material_clear(&m);
  return st;
}

static void material(void **state) {
  (void)state;
  static const char *const files[] = {"friction", "laws"};
  json_set_alloc_funcs(unfailing, free);
  for (int i = 0; i < 2; i++) {
    char path[400], *text;
    size_t n;
    (void)snprintf(path, sizeof path, CB_SOURCE_DIR "/tests/fuzz/corpus/material/%s", files[i]);
    assert_ok(cb_file_read(path, 1 << 20, &text, &n, err));
    assert_true(at_sweep(use_material, text) >= 2);
    free(text);
  }
}

/* Two curves of five points: every form is tried. */
static cb_status fit_cloth(void *context, cb_err *err) {
  fit_permeability_point points[10];
  (void)context;
  for (size_t i = 0; i < 10; i++)
    points[i] = (fit_permeability_point){.test = i / 5,
                                         .pressure_Pa = 50. * (double)(i % 5 + 1),
                                         .velocity_m_per_s = 0.1 * sqrt((double)(i % 5 + 1 + i / 5))};
  fit_permeability_result r;
  cb_status st = fit_permeability(points, 10, 0, 0, &r, err);
  fit_permeability_clear(&r);
  return st;
}

static void permeability(void **state) {
  (void)state;
  assert_true(at_sweep(fit_cloth, NULL) > 20);
}

/* Both kinds of tests; the context says which. */
static cb_status fit_strips(void *kind, cb_err *err) {
  enum { N = 40 };
  cb_test_point p[N];
  cb_material_test t = {
      .kind = *(const cb_test_kind *)kind, .areal_density_kg_per_m2 = 0.15, .origin = CB_IMPORTED};
  bool cantilever = t.kind == CB_TEST_CANTILEVER;
  for (int i = 0; i < N; i++)
    p[i] = cantilever ? (cb_test_point){0.02 + 0.001 * i, 0.6} : (cb_test_point){5.0 * i, 2e-5 * i};
  fit_bending_input in = {&t, p, N};
  fit_bending_options opt = fit_bending_options_default();
  fit_bending_result r;
  return fit_bending(&in, 1, &opt, &r, NULL, err);
}

static void bending(void **state) {
  (void)state;
  for (cb_test_kind kind = CB_TEST_CANTILEVER; kind <= CB_TEST_BENDING_MOMENT; kind++)
    assert_true(at_sweep(fit_strips, &kind) > 4);
}

/* ---- shear and compression ---- */

static cb_status reduce_curve(void *kind, cb_err *err) {
  enum { N = 60 };
  cb_test_point p[N];
  const cb_material_test t = {.kind = *(const cb_test_kind *)kind, .layers = 1};
  for (int i = 0; i < N; i++)
    p[i] = t.kind == CB_TEST_SHEAR ? (cb_test_point){0.002 * i, 0.1 * i}
                                   : (cb_test_point){100. * i, 1 - 0.01 * i};
  fit_figures f;
  CB_TRY(fit_figures_reduce(&t, p, N, &f, err));
  assert_int_equal(f.defect, FIT_FIGURES_USED);
  return CB_OK;
}

static void curves(void **state) {
  (void)state;
  for (cb_test_kind kind = CB_TEST_SHEAR; kind <= CB_TEST_COMPRESSION; kind++)
    assert_true(at_sweep(reduce_curve, &kind) >= (kind == CB_TEST_SHEAR ? 1 : 0));
}

/* ---- stretch ---- */

static cb_status fit_strips_of_knit(void *context, cb_err *err) {
  const st_lab *lab = context;
  fit_stretch_options opt = fit_stretch_options_default();
  fit_stretch_result r;
  cb_status st = fit_stretch(lab->inputs, lab->n, &opt, &r, err);
  if (st == CB_OK) assert_int_equal(r.n_outliers, 4);
  fit_stretch_clear(&r);
  return st;
}

static void stretch(void **state) {
  (void)state;
  static st_lab lab;
  const double p[] = {1000, 1e4};
  for (int i = 0; i < 4; i++) {
    st_strip(&lab, i < 2 ? 0 : 90, st_cubic, p, 0.2, 60);
    lab.points[i][30].y += 2; /* outliers want memory too */
  }
  assert_true(at_sweep(fit_strips_of_knit, &lab) > 20);
}

/* ---- traces ---- */

/* A log of two devices is read and its clocks aligned; one that goes to and fro is cut into strokes and
 * reduced. */
typedef struct logs {
  char *text;
  size_t n;
} logs;

static cb_status read_log(void *context, cb_err *err) {
  const logs *l = context;
  fit_table_file part[4] = {{"m", l->text, 0}, {NULL, NULL, 0}, {NULL, NULL, 0}, {NULL, NULL, 0}};
  const char *at = l->text, *end = l->text + l->n;
  for (int i = 0; i < 4 && at < end; i++) {
    const char *cut = memchr(at, '\0', (size_t)(end - at));
    part[i] = (fit_table_file){"log", at, (size_t)((cut ? cut : end) - at)};
    at = cut ? cut + 1 : end;
  }
  fit_trace t;
  cb_status st = fit_trace_parse(&(fit_trace_files){part[0], part[1], part[2], part[3]}, &t, err);
  fit_trace_clear(&t);
  return st;
}

static cb_status reduce_strokes(void *context, cb_err *err) {
  const cb_trace *trace = context;
  fit_cycle_options opt = fit_cycle_options_default();
  fit_stroke *strokes;
  fit_cycle c;
  size_t n;
  CB_TRY(fit_strokes_find(trace, &strokes, &n, err));
  cb_status st = fit_cycle_reduce(trace, strokes, n, &opt, &c, err);
  fit_cycle_clear(&c);
  free(strokes);
  return st;
}

static void trace(void **state) {
  (void)state;
  logs l;
  cb_trace t = {0};
  assert_ok(
      cb_file_read(CB_SOURCE_DIR "/tests/fuzz/corpus/trace/two_files_marker", 1 << 20, &l.text, &l.n, err));
  assert_true(at_sweep(read_log, &l) > 10);
  free(l.text);
  for (int i = 0; i < 800; i++) {
    int k = i % 200;
    assert_ok(cb_series_push(&t.force_N, 0.01 * i, k < 100 ? 2 : -1, err));
    assert_ok(cb_series_push(&t.position_m, 0.01 * i, 1e-4 * (k < 100 ? k : 200 - k), err));
  }
  assert_true(at_sweep(reduce_strokes, &t) > 5);
  cb_trace_clear(&t);
}

static cb_status read_incline(void *context, cb_err *err) {
  const logs *l = context;
  const char *cut = memchr(l->text, '\0', l->n);
  fit_import im;
  cb_status st =
      fit_incline_parse(FIT_INCLINE_SLIDE, (fit_table_file){"m", l->text, (size_t)(cut - l->text)},
                        (fit_table_file){"t", cut + 1, l->n - (size_t)(cut + 1 - l->text)}, &im, err);
  fit_import_clear(&im);
  return st;
}

static void incline(void **state) {
  (void)state;
  logs l;
  assert_ok(
      cb_file_read(CB_SOURCE_DIR "/tests/fuzz/corpus/table/incline-records", 1 << 20, &l.text, &l.n, err));
  assert_true(at_sweep(read_incline, &l) > 5);
  free(l.text);
}

static cb_status fit_self(void *context, cb_err *err) {
  const fit_self_options opt = {.exponent = 1};
  fit_self_obs obs[9];
  fit_self_friction *f = context;
  for (int i = 0; i < 9; i++)
    obs[i] = (fit_self_obs){{0.5 * (i % 3), 0.5 * (i / 3)}, 1, 0.5 + 0.01 * (i % 3) + 0.02 * (i / 3)};
  return fit_self_friction_fit(obs, 9, &opt, f, err);
}

static void self_friction(void **state) {
  (void)state;
  fit_self_friction f;
  assert_true(at_sweep(fit_self, &f) >= 1);
  assert_int_equal(f.outcome, FIT_SELF_OK);
}

static cb_status read_drape(void *path, cb_err *err) {
  fit_drape_setup q = fit_drape_setup_default();
  fit_drape_file f;
  CB_TRY(fit_drape_read(path, &q, &f, err));
  return f.drape.nodes >= 4 ? CB_OK : cb_fail(err, CB_E_RANGE, "%d nodes", f.drape.nodes);
}

/* A picture with its support, a mesh that is packed. */
static void drape(void **state) {
  (void)state;
  assert_true(at_sweep(read_drape, (char[]){CB_SOURCE_DIR "/tests/fuzz/corpus/png/disc.png"}) >= 6);
  assert_true(at_sweep(read_drape, (char[]){CB_SOURCE_DIR "/tests/fuzz/corpus/obj/square.obj.gz"}) >= 6);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(nls),          cmocka_unit_test(material),
                                     cmocka_unit_test(permeability), cmocka_unit_test(bending),
                                     cmocka_unit_test(curves),       cmocka_unit_test(trace),
                                     cmocka_unit_test(stretch),      cmocka_unit_test(self_friction),
                                     cmocka_unit_test(drape),        cmocka_unit_test(incline)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
