/* Allocation failure (alloctest.h) in the store: of our own code every allocation, of SQLite's so many that
 * all of a work is visited. What was stored before is never lost, and what fails leaves nothing half done. */
#include "alloctest.h"

#include "cb_store_file.h"
#include "daq_calibration.h"
#include "storelab.h"
#include "storeshape.h"
#include "cb_store_rows_impl.h"

/* ---- SQLite's allocations ---- */

static sqlite3_mem_methods real_memory;
static bool sqlite_too; /* its allocations count, and fail, like ours */

static void *poor_malloc(int n) { return sqlite_too && at_fails() ? NULL : real_memory.xMalloc(n); }
static void *poor_realloc(void *p, int n) {
  return sqlite_too && at_fails() ? NULL : real_memory.xRealloc(p, n);
}

/* Without the lookaside buffers every small piece is an allocation of its own. */
static void configure_sqlite(void) {
  assert_int_equal(sqlite3_config(SQLITE_CONFIG_GETMALLOC, &real_memory), SQLITE_OK);
  sqlite3_mem_methods poor = real_memory;
  poor.xMalloc = poor_malloc;
  poor.xRealloc = poor_realloc;
  assert_int_equal(sqlite3_config(SQLITE_CONFIG_MALLOC, &poor), SQLITE_OK);
  assert_int_equal(sqlite3_config(SQLITE_CONFIG_LOOKASIDE, 0, 0), SQLITE_OK);
}

/* Steps grow with k: the first allocations one by one, the later ones in steps of 1/part of the way; without
 * CB_SLOW in three times as long ones, and others tomorrow. */
static void sweep_sqlite(at_work *w, void *context, long part) {
  long k = 0;
  if (!getenv("CB_SLOW")) part = (part + 2) / 3, k = at_day() % 5;
  sqlite_too = true;
  while (at_try(w, context, k)) k += 1 + k / part;
  sqlite_too = false;
  assert_true(k > 100);
}

/* The lab's own handle is closed meanwhile: SQLite keeps descriptors of a file for as long as the process has
 * it open anywhere. */
static void sweep_store(at_work *w, store_lab *l, long at_least, long part) {
  assert_ok(cb_store_close(l->store, err));
  l->store = NULL;
  assert_true(at_sweep(w, l) >= at_least);
  sweep_sqlite(w, l, part);
  assert_ok(cb_store_open(l->db, CB_STORE_WRITE, &l->store, err));
  assert_ok(cb_store_check(l->store, NULL, err));
}

/* Nothing may be left open: SQLite would refuse. */
static cb_status closed(cb_store *s, cb_status st) {
  assert_ok(cb_store_close(s, err));
  return st;
}

static int64_t count(const char *db, const char *sql) {
  long held = at_hold();
  int64_t n = store_lab_int(db, sql);
  at_release(held);
  return n;
}

/* ---- samples ---- */

#define N_SAMPLES 400

static cb_status read_everything(cb_store *s, int64_t run_id, cb_err *err) {
  cb_run *runs = NULL;
  cb_material *materials = NULL;
  cb_series series = {0};
  size_t n_runs, n_materials;
  cb_run_filter all = cb_run_filter_all();
  cb_status st = cb_store_runs(s, &all, &runs, &n_runs, err);
  if (st == CB_OK) st = cb_store_materials(s, &materials, &n_materials, err);
  if (st == CB_OK) st = cb_store_samples(s, run_id, CB_CHANNEL_FORCE, &series, err);
  if (st == CB_OK) {
    assert_true(n_runs == 1 && n_materials == 2 && series.n == N_SAMPLES);
    assert_string_equal(materials[0].name, "Twill");
    assert_string_equal(runs[0].source, "somewhere");
  }
  cb_series_clear(&series);
  free(materials);
  free(runs);
  return st;
}

/* A tail, and enough to pack it. */
static cb_status append_many(cb_store *s, int64_t run_id, cb_err *err) {
  static double x[CB_CHUNK_N];
  cb_series back;
  for (int i = 0; i < CB_CHUNK_N; i++) x[i] = i;
  CB_TRY(cb_store_samples_append(s, run_id, CB_CHANNEL_POSITION, 0, 500, x, x, err));
  CB_TRY(
      cb_store_samples_append(s, run_id, CB_CHANNEL_POSITION, 500, CB_CHUNK_N - 500, x + 500, x + 500, err));
  CB_TRY(cb_store_check(s, NULL, err));
  CB_TRY(cb_store_samples(s, run_id, CB_CHANNEL_POSITION, &back, err));
  assert_true(back.n == CB_CHUNK_N && back.v[CB_CHUNK_N - 1] == CB_CHUNK_N - 1);
  cb_series_clear(&back);
  return CB_OK;
}

static cb_status use_samples(void *context, cb_err *err) {
  const store_lab *l = context;
  cb_store *s;
  CB_TRY(cb_store_open(l->db, CB_STORE_WRITE, &s, err));
  cb_status st = cb_store_begin(s, err);
  if (st == CB_OK) st = append_many(s, l->run_id, err);
  cb_store_rollback(s);
  if (st == CB_OK) st = read_everything(s, l->run_id, err);
  return closed(s, st);
}

/* ---- calibrations ---- */

#define N_READINGS 300
static const char budget[] = "{\"entries\":[\"drift\"]}";

static cb_status put_calibration(cb_store *s, int64_t rig_id, int64_t *id, cb_err *err) {
  double t[N_READINGS], v[N_READINGS];
  for (int i = 0; i < N_READINGS; i++) t[i] = i, v[i] = 0.5 * i;
  cb_calibration_point p[3] = {{.step = 1, .direction = CB_CAL_ZERO},
                               {.step = 2, .direction = CB_CAL_UP},
                               {.step = 3, .direction = CB_CAL_DOWN}};
  for (int i = 0; i < 3; i++) p[i].n = N_READINGS, p[i].raw = (cb_series){.t_s = t, .v = v, .n = N_READINGS};
  cb_calibration c = {
      .rig_id = rig_id, .origin = CB_MEASURED, .cell = "LC-1", .unit = "mV/V", .slope_N_per_unit = 3};
  cb_status st = cb_store_calibration_put(s, &c, p, 3, "weights", budget, err);
  assert_true((st == CB_OK) == (c.id > 0));
  *id = c.id;
  return st;
}

static cb_status read_calibration(cb_store *s, int64_t id, cb_err *err) {
  cb_calibration c;
  cb_calibration_point *points;
  cb_series raw;
  char *json;
  size_t n;
  CB_TRY(cb_store_calibration_get(s, id, &c, err));
  assert_string_equal(c.cell, "LC-1");
  assert_string_equal(c.rig_name, "rig");
  CB_TRY(cb_store_calibration_points(s, id, &points, &n, err));
  assert_true(n == 3 && points[2].direction == CB_CAL_DOWN);
  free(points);
  CB_TRY(cb_store_calibration_raw(s, id, 2, &raw, err));
  assert_true(raw.n == N_READINGS && raw.v[N_READINGS - 1] == 0.5 * (N_READINGS - 1));
  cb_series_clear(&raw);
  CB_TRY(cb_store_calibration_budget(s, id, &json, err));
  assert_string_equal(json, budget);
  free(json);
  return CB_OK;
}

/* The newest is the one that a run takes. */
static cb_status choose_calibration(cb_store *s, int64_t id, cb_err *err) {
  const cb_rig rig = {.path = "r.yaml", .force = {.cell = "LC-1", .unit = "mV/V"}};
  daq_calibration chosen;
  CB_TRY(daq_calibration_choose(s, &rig, "2026-11-21", true, &chosen, err));
  assert_int_equal(chosen.row.id, id);
  return CB_OK;
}

static cb_status declare_calibration(cb_store *s, const store_lab *l, cb_err *err) {
  cb_calibration c = {.rig_id = l->like.rig_id,
                      .unit = "N",
                      .slope_N_per_unit = 1,
                      .u_rel = 0.001,
                      .certificate = "W",
                      .valid_from = "2026-01-01"};
  CB_TRY(cb_store_calibration_ensure(s, &c, err));
  assert_int_equal(c.id, l->like.calibration_id);
  return CB_OK;
}

static cb_status use_calibrations(void *context, cb_err *err) {
  const store_lab *l = context;
  const char rows[] = "SELECT count(*) + (SELECT count(*) FROM calibration_point) FROM calibration";
  cb_store *s;
  int64_t id = 0, before = count(l->db, rows);
  CB_TRY(cb_store_open(l->db, CB_STORE_WRITE, &s, err));
  cb_status st = put_calibration(s, l->like.rig_id, &id, err);
  if (st == CB_OK) st = read_calibration(s, id, err);
  if (st == CB_OK) st = choose_calibration(s, id, err);
  if (st == CB_OK) st = declare_calibration(s, l, err);
  st = closed(s, st);
  assert_int_equal(count(l->db, rows), id ? before + 4 : before);
  return st;
}

/* ---- whole files ---- */

static void expect_file(const store_lab *l, const char *name, bool there) {
  char path[310];
  (void)snprintf(path, sizeof path, "%s/%s", l->folder, name);
  if ((access(path, F_OK) == 0) != there) fail_msg("%s is %s", path, there ? "not there" : "there");
}

static cb_status back_up(void *context, cb_err *err) {
  const store_lab *l = context;
  const cb_backup_options quick = {.pause = 0};
  cb_store *s;
  cb_store_tally tally;
  char copy[310];
  (void)snprintf(copy, sizeof copy, "%s/copy", l->folder);
  CB_TRY(cb_store_open(l->db, CB_STORE_WRITE, &s, err));
  cb_status st = closed(s, cb_store_backup(s, copy, &quick, &tally, err));
  expect_file(l, "copy", st == CB_OK);
  expect_file(l, "copy.part", false);
  if (st == CB_OK) assert_int_equal(tally.n_samples, N_SAMPLES);
  (void)unlink(copy);
  return st;
}

static void no_conflict(void *context, const char *sentence) {
  fail_msg("%sconflict: %s", context ? "" : "", sentence);
}

/* Into a new file: all of the lab's, or nothing. Then once more: all is known. */
static cb_status merge(void *context, cb_err *err) {
  const store_lab *l = context;
  const char rows[] =
      "SELECT count(*) + (SELECT count(*) FROM material) + (SELECT count(*) FROM calibration_point) FROM run";
  cb_store *s;
  cb_merge_result first = {0}, again = {0};
  char other[310];
  (void)snprintf(other, sizeof other, "%s/other", l->folder);
  cb_status st = cb_store_open(other, CB_STORE_WRITE, &s, err);
  if (st != CB_OK) expect_file(l, "other", false);
  CB_TRY(st);
  st = cb_store_merge(s, l->db, no_conflict, NULL, &first, err);
  bool merged = st == CB_OK;
  if (merged) st = cb_store_merge(s, l->db, no_conflict, NULL, &again, err);
  st = closed(s, st);
  assert_int_equal(count(other, rows), merged ? count(l->db, rows) : 0);
  if (merged)
    assert_true(first.samples_taken == N_SAMPLES && first.runs.taken == 1 && first.materials.taken == 2);
  if (st == CB_OK) assert_true(again.all.taken == 0 && again.all.known == first.all.taken);
  (void)unlink(other);
  return st;
}

static cb_status check(void *context, cb_err *err) {
  const store_lab *l = context;
  cb_store *s;
  cb_store_tally tally = {0};
  CB_TRY(cb_store_open(l->db, CB_STORE_READ, &s, err));
  cb_status st = closed(s, cb_store_check(s, &tally, err));
  if (st == CB_OK)
    assert_true(tally.n_runs == 1 && tally.n_samples == N_SAMPLES && tally.n_calibrations >= 1);
  return st;
}

/* ---- a draped shape ---- */

static cb_status there_and_back(cb_store *s, int64_t cloth_id, cb_err *err) {
  cb_drape_shape back;
  const long held = at_hold();
  cb_drape_shape p = store_shape_bowl(cloth_id, 5);
  at_release(held);
  cb_status st = cb_store_shape_put(s, &p, err);
  if (st == CB_OK) st = cb_store_check(s, NULL, err);
  if (st == CB_OK) st = cb_store_shape_newest(s, cloth_id, &back, err);
  if (st == CB_OK) {
    assert_true(back.id == p.id && back.n_vertices == 25);
    assert_memory_equal(back.triangle, p.triangle, 32 * sizeof *p.triangle);
    cb_drape_shape_clear(&back);
  }
  cb_drape_shape_clear(&p);
  return st;
}

static cb_status use_shape(void *context, cb_err *err) {
  const store_lab *l = context;
  cb_store *s;
  CB_TRY(cb_store_open(l->db, CB_STORE_WRITE, &s, err));
  cb_status st = cb_store_begin(s, err);
  if (st == CB_OK) st = there_and_back(s, l->like.cloth_id, err);
  cb_store_rollback(s);
  return closed(s, st);
}

/* ---- the lab ---- */

static int set_up(void **state) {
  sqlite_too = false;
  (void)store_lab_set_up(state);
  store_lab *l = *state;
  int64_t id;
  (void)strcpy(l->like.source, "somewhere");
  l->run_id = store_lab_run(l, 1, N_SAMPLES, CB_RUN_RUNNING);
  assert_ok(put_calibration(l->store, l->like.rig_id, &id, err));
  return 0;
}

static void samples(void **state) { sweep_store(use_samples, *state, 20, 10); }
static void calibrations(void **state) { sweep_store(use_calibrations, *state, 10, 10); }
static void backup(void **state) { sweep_store(back_up, *state, 5, 20); }
static void checking(void **state) { sweep_store(check, *state, 5, 100); }

static void shape(void **state) { sweep_store(use_shape, *state, 20, 10); }

static void merging(void **state) {
  store_lab *l = *state;
  assert_ok(cb_store_run_finish(l->store, l->run_id, CB_RUN_DONE, "", err));
  sweep_store(merge, l, 5, 5);
}

#define LAB_TEST(f) cmocka_unit_test_setup_teardown(f, set_up, store_lab_tear_down)
int main(void) {
  const struct CMUnitTest tests[] = {LAB_TEST(samples),  LAB_TEST(calibrations), LAB_TEST(backup),
                                     LAB_TEST(checking), LAB_TEST(shape),        LAB_TEST(merging)};
  configure_sqlite();
  return cmocka_run_group_tests(tests, NULL, NULL);
}
