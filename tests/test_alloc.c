/* Allocation failure: the k-th allocation of our own code fails, for k = 0, 1, 2 ... until the work succeeds. Every failure
 * must come back as a status with a sentence, leave nothing allocated behind, and never lose what was stored before.
 * malloc, calloc, realloc, strdup and free are wrapped by the linker (tests/CMakeLists.txt). */
#include <jansson.h>

#include "cb_csv.h"
#include "cb_rig.h"
#include "cb_store_file.h"
#include "cbtest.h"
#include "exch_material.h"
#include "fit_nls.h"
#include "fit_permeability.h"
#include "fit_bending.h"

static long countdown = -1; /* < 0: never fail */
static long live;

static int fails(void) { return countdown >= 0 && countdown-- == 0; }

void *__real_malloc(size_t n);
void *__real_calloc(size_t a, size_t b);
void *__real_realloc(void *p, size_t n);
char *__real_strdup(const char *s);
void __real_free(void *p);
void *__wrap_malloc(size_t n);
void *__wrap_calloc(size_t a, size_t b);
void *__wrap_realloc(void *p, size_t n);
char *__wrap_strdup(const char *s);
void __wrap_free(void *p);

static void *counted(void *p) {
  live += p != NULL;
  return p;
}

void *__wrap_malloc(size_t n) { return fails() ? NULL : counted(__real_malloc(n)); }
void *__wrap_calloc(size_t a, size_t b) { return fails() ? NULL : counted(__real_calloc(a, b)); }
char *__wrap_strdup(const char *s) { return fails() ? NULL : (char *)counted(__real_strdup(s)); }
void *__wrap_realloc(void *p, size_t n) {
  if (fails()) return NULL;
  void *q = __real_realloc(p, n);
  live += p == NULL && q != NULL;
  return q;
}
void __wrap_free(void *p) {
  live -= p != NULL;
  __real_free(p);
}

typedef cb_status work(void *context, cb_err *err);

/* Returns how many allocations the work makes. */
static long sweep(work *w, void *context) {
  for (long k = 0; k < 10000; k++) {
    long before = live;
    cb_err err = {""};
    countdown = k;
    cb_status st = w(context, &err);
    int reached = countdown < 0;
    countdown = -1;
    assert_int_equal(live, before);
    if (!reached) {
      if (st != CB_OK) fail_msg("no allocation failed, but: %s", err.msg);
      return k;
    }
    if (st == CB_OK) continue; /* the work could do without, e.g. by looking again */
    assert_int_equal(st, CB_E_NOMEM);
    assert_true(err.msg[0] != '\0');
  }
  fail_msg("never ends");
  return 0;
}

static cb_status read_csv(void *context, cb_err *err) {
  (void)context;
  char text[4000] = "a,b\n";
  cb_csv *csv;
  for (int i = 0; i < 300; i++) strcat(text, "1,\"2\"\n");
  cb_csv_options o = cb_csv_options_default();
  cb_status st = cb_csv_parse(text, strlen(text), "t", &o, &csv, err);
  cb_csv_free(csv);
  return st;
}

static cb_status read_rig(void *context, cb_err *err) {
  cb_rig rig;
  cb_status st = cb_rig_parse(context, "r", &rig, err);
  cb_rig_clear(&rig);
  return st;
}

typedef struct measured {
  char db[300];
  int64_t run_id;
} measured;

static cb_status read_everything(cb_store *s, const measured *m, cb_err *err) {
  cb_run *runs = NULL;
  cb_material *materials = NULL;
  cb_series series = {0};
  size_t n;
  cb_run_filter all = cb_run_filter_all();
  cb_status st = cb_store_runs(s, &all, &runs, &n, err);
  if (st == CB_OK) st = cb_store_materials(s, &materials, &n, err);
  if (st == CB_OK) st = cb_store_samples(s, m->run_id, CB_CHANNEL_FORCE, &series, err);
  cb_series_clear(&series);
  free(materials);
  free(runs);
  return st;
}

/* Enough to pack the tail. */
static cb_status append_many(cb_store *s, int64_t run_id, cb_err *err) {
  static double x[CB_CHUNK_N];
  for (int i = 0; i < CB_CHUNK_N; i++) x[i] = i + 500;
  CB_TRY(cb_store_samples_append(s, run_id, CB_CHANNEL_POSITION, 500, CB_CHUNK_N, x, x, err));
  return cb_store_check(s, NULL, err);
}

static cb_status use_store(void *context, cb_err *err) {
  measured *m = context;
  cb_store *s;
  CB_TRY(cb_store_open(m->db, CB_STORE_WRITE, &s, err));
  double t[500], v[500];
  for (int i = 0; i < 500; i++) t[i] = i, v[i] = i;
  cb_status st = cb_store_begin(s, err);
  if (st == CB_OK) st = cb_store_samples_append(s, m->run_id, CB_CHANNEL_POSITION, 0, 500, t, v, err);
  if (st == CB_OK) st = append_many(s, m->run_id, err);
  cb_store_rollback(s);
  if (st == CB_OK) st = read_everything(s, m, err);
  cb_status closed = cb_store_close(s, NULL);
  return st != CB_OK ? st : closed;
}

static void no_conflict(void *context, const char *sentence) { fail_msg("%s%s", context ? "" : "conflict: ", sentence); }

/* A copy of the file, and both made one. */
static cb_status use_files(void *context, cb_err *err) {
  measured *m = context;
  cb_store *s;
  cb_merge_result r;
  cb_backup_options quick = {.pause = 0};
  char copy[310];
  (void)snprintf(copy, sizeof copy, "%s.copy", m->db);
  (void)unlink(copy);
  CB_TRY(cb_store_open(m->db, CB_STORE_WRITE, &s, err));
  cb_status st = cb_store_backup(s, copy, &quick, NULL, err);
  if (st == CB_OK) st = cb_store_merge(s, copy, no_conflict, NULL, &r, err);
  cb_status closed = cb_store_close(s, NULL);
  return st != CB_OK ? st : closed;
}

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
  assert_true(sweep(fit_line, NULL) >= 2);
}

/* jansson calls a document bad where it had no memory for a word of it: its own allocations are counted, but do not fail. */
static void *unfailing(size_t n) { return counted(__real_malloc(n)); }

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
    assert_true(sweep(use_material, text) >= 2);
    free(text);
  }
}

/* Two curves of five points: every form is tried. */
static cb_status fit_cloth(void *context, cb_err *err) {
  fit_permeability_point points[10];
  (void)context;
  for (size_t i = 0; i < 10; i++)
    points[i] = (fit_permeability_point){
        .test = i / 5, .pressure_Pa = 50. * (double)(i % 5 + 1), .velocity_m_per_s = 0.1 * sqrt((double)(i % 5 + 1 + i / 5))};
  fit_permeability_result r;
  cb_status st = fit_permeability(points, 10, 0, 0, &r, err);
  fit_permeability_clear(&r);
  return st;
}

static void permeability(void **state) {
  (void)state;
  assert_true(sweep(fit_cloth, NULL) > 20);
}

/* Both kinds of tests; the context says which. */
static cb_status fit_strips(void *kind, cb_err *err) {
  enum { N = 40 };
  cb_test_point p[N];
  cb_material_test t = {.kind = *(const cb_test_kind *)kind, .areal_density_kg_per_m2 = 0.15, .origin = CB_IMPORTED};
  bool cantilever = t.kind == CB_TEST_CANTILEVER;
  for (int i = 0; i < N; i++) p[i] = cantilever ? (cb_test_point){0.02 + 0.001 * i, 0.6} : (cb_test_point){5.0 * i, 2e-5 * i};
  fit_bending_input in = {&t, p, N};
  fit_bending_options opt = fit_bending_options_default();
  fit_bending_result r;
  return fit_bending(&in, 1, &opt, &r, NULL, err);
}

static void bending(void **state) {
  (void)state;
  for (cb_test_kind kind = CB_TEST_CANTILEVER; kind <= CB_TEST_BENDING_MOMENT; kind++) assert_true(sweep(fit_strips, &kind) > 4);
}

static void csv(void **state) {
  (void)state;
  assert_true(sweep(read_csv, NULL) > 4);
}

static void rig(void **state) {
  (void)state;
  char *text;
  size_t n;
  assert_ok(cb_file_read(CB_SOURCE_DIR "/tests/fuzz/corpus/rig/good", 1 << 20, &text, &n, err));
  assert_true(sweep(read_rig, text) > 2);
  free(text);
}

static void store(void **state) {
  (void)state;
  char dir[256];
  measured m;
  cb_store *s;
  cbt_scratch(dir);
  (void)snprintf(m.db, sizeof m.db, "%s/lab.db", dir);
  assert_ok(cb_store_open(m.db, CB_STORE_WRITE, &s, err));
  cb_campaign c = {.name = "t", .kind = CB_CAMPAIGN_FRICTION, .plan_text = (char *)(uintptr_t) "p", .origin = CB_MEASURED};
  cb_run run = {.contact_area_m2 = 1, .direction = 1, .repeat = 1, .origin = CB_MEASURED, .status = CB_RUN_RUNNING};
  double t[400], v[400];
  for (int i = 0; i < 400; i++) t[i] = i, v[i] = 2 * i;
  assert_ok(cb_store_material_ensure(s, CB_CLOTH, "C", CB_MEASURED, &run.cloth_id, err));
  assert_ok(cb_store_material_ensure(s, CB_BODY, "B", CB_MEASURED, &run.body_id, err));
  assert_ok(cb_store_campaign_put(s, &c, err));
  run.campaign_id = c.id;
  assert_ok(cb_store_run_put(s, &run, err));
  assert_ok(cb_store_chunk_put(s, run.id, CB_CHANNEL_FORCE, 0, 400, t, v, err));
  assert_ok(cb_store_close(s, err));
  m.run_id = run.id;
  assert_true(sweep(use_store, &m) > 5);
  assert_true(sweep(use_files, &m) > 5);
  assert_ok(cb_store_open(m.db, CB_STORE_READ, &s, err));
  assert_ok(cb_store_check(s, NULL, err));
  assert_ok(cb_store_close(s, err));
  cbt_remove(dir);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(csv),          cmocka_unit_test(rig),   cmocka_unit_test(nls),
                                     cmocka_unit_test(permeability), cmocka_unit_test(store), cmocka_unit_test(material),
                                     cmocka_unit_test(bending)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
