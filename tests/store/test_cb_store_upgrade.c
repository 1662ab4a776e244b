/* The store: files of older schemas. */
#include "cb_store_impl.h"
#include "cb_store_rows_impl.h"
#include "cb_store_material_test.h"
#include "storetest.h"
#include "storelab.h"
#include "storelaws.h"

/* A file as the first schema made it, with one sample in it. */
static void make_schema_1(const char *path) {
  static const char rows[] =
      "INSERT INTO meta VALUES('role', 'lab');"
      "INSERT INTO material VALUES(1, 'cloth', 'C', '', '', NULL, NULL, '', 'virtual'), (2, 'body', 'B', '', "
      "'', NULL, NULL, '', "
      "'virtual');"
      "INSERT INTO campaign VALUES(1, 'u1', 'old', 'friction', 1, 2, NULL, '', '', NULL, NULL, 'virtual', "
      "'0', '', NULL);"
      "INSERT INTO run VALUES(1, 'u2', 1, 1, 2, NULL, NULL, 'pull', 0, 0.01, 0, 0.1, 0, 0.01, 0, 0.01, 0.02, "
      "1, 1, 100, 'virtual', '', '0',"
      "  '', NULL, 'done', '');"
      /* t = 0.5, v = 0.25; CRC-32 of the 16 bytes */
      "INSERT INTO sample_chunk VALUES(1, 'force', 0, 1, 'tv-f64le', 495952133, "
      "x'000000000000e03f000000000000d03f');";
  char identity[96];
  (void)snprintf(identity, sizeof identity, "PRAGMA user_version = 1; PRAGMA application_id = %d;",
                 CB_APPLICATION_ID);
  store_exec(path, cb_schema_steps[0], NULL);
  store_exec(path, rows, NULL);
  store_exec(path, identity, NULL);
}

/* All steps before the first that says this, with these rows. */
static void make_schema_before(const char *path, const char *says, const char *rows) {
  char identity[96];
  int before = cb_schema_version - 1;
  while (!strstr(cb_schema_steps[before], says)) before--;
  for (int i = 0; i < before; i++) store_exec(path, cb_schema_steps[i], NULL);
  store_exec(path, rows, NULL);
  (void)snprintf(identity, sizeof identity, "PRAGMA user_version = %d; PRAGMA application_id = %d;", before,
                 CB_APPLICATION_ID);
  store_exec(path, identity, NULL);
}

static size_t count_numbers(cb_store *s) {
  size_t n;
  bool found;
  assert_ok(cbs_one(s, cbs_read_count, &n, &found, err, "SELECT count(*) FROM law_number", ""));
  return n;
}

/* Laws of cloths from before bodies had any: all of them, with their tests; and no law of elasticity but a
 * body's. */
static void older_laws_stay_and_bodies_get_theirs(void **state) {
  (void)state;
  char path[400];
  cb_store *s;
  cb_material cloth, body;
  cb_material_law law;
  cb_material_test *tests;
  size_t n;
  char *text = store_law_stretch(), rows[4000];
  (void)cbt_path("laws.db", path);
  (void)snprintf(
      rows, sizeof rows,
      "INSERT INTO meta VALUES('role', 'lab');"
      "INSERT INTO material VALUES(1, 'cloth', 'C', '', '', NULL, NULL, '', 'virtual'), (2, 'body', 'B', '', "
      "'', NULL, NULL,"
      " '', 'virtual');"
      "INSERT INTO material_test VALUES(7, 'u', 1, 'stretch', '', '', NULL, 1, 1, NULL, NULL, NULL, NULL, "
      "NULL, 0, 0, 0, 0,"
      " 'virtual', '', '', '', '0', '');"
      "INSERT INTO material_law VALUES(3, 1, 'stretch', 'f', 'virtual', 's', '%s', 'm', '0', 'then');"
      "INSERT INTO material_law_input VALUES(3, 7);",
      text);
  make_schema_before(path, "'elasticity'", rows);
  assert_ok(cb_store_open(path, CB_STORE_WRITE, &s, err));
  assert_ok(cb_store_material_find(s, CB_CLOTH, "C", &cloth, err));
  assert_ok(cb_store_material_find(s, CB_BODY, "B", &body, err));
  assert_ok(cb_store_material_law_find(s, &cloth, CB_LAW_STRETCH, &law, err));
  assert_true(law.id == 3 && law.origin == CB_VIRTUAL);
  assert_string_equal(law.result_json, text);
  free(text);
  assert_string_equal(law.created_at, "then");
  free(law.result_json);
  assert_ok(cb_store_material_law_tests(s, 3, &tests, &n, err));
  assert_true(n == 1 && tests[0].id == 7);
  free(tests);
  assert_int_equal(count_numbers(s), 3);
  store_exec(path, "DELETE FROM material_law_input", "append-only");
  store_exec(path, "UPDATE material_law SET form = 'g'", "append-only");
  store_exec(path, "PRAGMA foreign_keys = ON; INSERT INTO material_law_input VALUES(99, 7)", "FOREIGN KEY");
  law = (cb_material_law){.material_id = cloth.id,
                          .kind = CB_LAW_ELASTICITY,
                          .origin = CB_VIRTUAL,
                          .result_json = store_law_elasticity()};
  assert_fails(CB_E_DB, "elasticity is a law of bodies", cb_store_material_law_put(s, &law, NULL, 0, err));
  law.material_id = body.id;
  assert_ok(cb_store_material_law_put(s, &law, NULL, 0, err));
  free(law.result_json);
  assert_ok(cb_store_check(s, NULL, err));
  assert_ok(cb_store_close(s, err));
}

/* Numbers of laws are written with the law and by an upgrade; numbers that are not those of the text are
 * found and, where the file is taken as it is, written anew. */
static void numbers_follow_the_texts(void **state) {
  (void)state;
  char path[400];
  cb_store *s;
  int64_t id;
  cb_material_law law = {
      .kind = CB_LAW_PERMEABILITY, .origin = CB_VIRTUAL, .result_json = store_law_permeability()};
  assert_ok(cb_store_open(cbt_path("numbers.db", path), CB_STORE_WRITE, &s, err));
  assert_ok(cb_store_material_ensure(s, CB_CLOTH, "C", CB_VIRTUAL, &id, err));
  law.material_id = id;
  assert_ok(cb_store_material_law_put(s, &law, NULL, 0, err));
  free(law.result_json);
  assert_int_equal(count_numbers(s), 1);
  assert_ok(cb_store_check(s, NULL, err));
  assert_ok(cbs_exec(s, "DELETE FROM law_number", err));
  assert_fails(CB_E_DB, "numbers of law P1 are not those of its text", cb_store_check(s, NULL, err));
  assert_ok(cb_store_close(s, err));
  assert_ok(cb_store_open(path, CB_STORE_TAKE, &s, err));
  assert_int_equal(count_numbers(s), 1);
  assert_ok(cb_store_check(s, NULL, err));
  assert_ok(cb_store_close(s, err));
}

/* Which kinds there are, the table of laws says, not the schema. A law that only a later version knows is
 * passed over. */
static void laws_of_later_versions_are_passed_over(void **state) {
  (void)state;
  char path[400];
  cb_store *s;
  cb_material_law *laws;
  size_t n;
  (void)cbt_path("later.db", path);
  assert_ok(cb_store_open(path, CB_STORE_WRITE, &s, err));
  assert_ok(cb_store_close(s, err));
  store_exec(path,
             "INSERT INTO material(id, kind, name, composition, weave, source, origin)"
             " VALUES(1, 'cloth', 'C', '', '', '', 'virtual');"
             "INSERT INTO material_law VALUES(3, 1, 'later-kind', 'f', 'virtual', 's', '{}', 'm', "
             "'0', 'then')",
             NULL);
  assert_ok(cb_store_open(path, CB_STORE_READ, &s, err));
  assert_ok(cb_store_material_laws(s, false, &laws, &n, err));
  assert_true(n == 0);
  cb_material_laws_free(laws, n);
  assert_fails(CB_E_DB, "law L3 is of the kind 'later-kind', which this version does not know",
               cb_store_laws_check(s, err));
  assert_ok(cb_store_close(s, err));
}

/* As the program of that schema left it. */
static void seal_as_it_is(const char *path) {
  char name[400];
  cb_store old = {.mode = CB_STORE_WRITE, .path = name};
  (void)snprintf(name, sizeof name, "%s", path);
  assert_int_equal(sqlite3_open(path, &old.db), SQLITE_OK);
  assert_ok(cbs_seal_open(&old, err));
  assert_ok(cbs_exec(&old, "BEGIN", err));
  assert_ok(cbs_seal_all(&old, err));
  assert_ok(cbs_exec(&old, "COMMIT", err));
  cbs_seal_close(&old);
  assert_int_equal(cbs_close(&old), SQLITE_OK);
}

/* Tests from before a step: all of them, with what refers to them; and the new kind beside them. */
static void check_older_tests(const char *name, const char *step_says, cb_test_kind kind) {
  static const char rows[] =
      "INSERT INTO meta VALUES('role', 'lab');"
      "INSERT INTO material VALUES(1, 'cloth', 'C', '', '', NULL, NULL, '', 'virtual', NULL, NULL);"
      "INSERT INTO material_test VALUES(7, 'u', 1, 'stretch', '', '', NULL, 1, 1, NULL, NULL, NULL, NULL, "
      "NULL, 0, 0, 0, 0, 'virtual', '', '', '', '0', '');"
      "INSERT INTO stretch_point VALUES(7, 0, 0.001, 0.5), (7, 1, 0.002, 1.5);"
      "INSERT INTO validation VALUES(1, 'stretch', NULL, 1, NULL, NULL, NULL, 1, 0.5, '{}', '0', '');"
      "INSERT INTO validation_test VALUES(1, 7);";
  const cb_test_point p[2] = {{-0.1, -2}, {0.1, 2}};
  char path[400];
  cb_store *s;
  cb_material_test *list, t = {.material_id = 1,
                               .kind = kind,
                               .direction_deg = NAN,
                               .repeat = 1,
                               .layers = 1,
                               .temperature_degC = NAN,
                               .origin = CB_VIRTUAL};
  cb_test_point *points;
  size_t n;
  (void)cbt_path(name, path);
  make_schema_before(path, step_says, rows);
  seal_as_it_is(path);
  assert_ok(cb_store_open(path, CB_STORE_WRITE, &s, err));
  assert_ok(cb_store_tests(s, 1, CB_TEST_STRETCH, &list, &n, err));
  assert_true(n == 1 && list[0].id == 7 && list[0].origin == CB_VIRTUAL);
  assert_ok(cb_store_test_points(s, &list[0], &points, &n, err));
  assert_true(n == 2 && points[1].y == 1.5);
  free(points);
  free(list);
  assert_ok(cb_store_test_put(s, &t, p, 2, "", "", err));
  store_exec(path, "DELETE FROM material_test", "append-only");
  store_exec(path, "UPDATE material_test SET method = 'x'", "append-only");
  store_exec(path, "PRAGMA foreign_keys = ON; INSERT INTO validation_test VALUES(1, 99)", "FOREIGN KEY");
  assert_ok(cb_store_check(s, NULL, err));
  assert_ok(cb_store_close(s, err));
}

static void older_tests_stay_and_new_kinds_come(void **state) {
  (void)state;
  check_older_tests("figures.db", "'shear','compression')", CB_TEST_SHEAR);
  check_older_tests("buckling.db", "'buckling'", CB_TEST_BUCKLING);
}

/* A run of the schema before specimens keeps its seal's content, and gets none. */
static void older_runs_have_no_specimen(void **state) {
  (void)state;
  char path[400];
  cb_store *s;
  cb_run run;
  (void)cbt_path("runs.db", path);
  make_schema_before(
      path, "CREATE TABLE specimen(",
      "INSERT INTO meta VALUES('role', 'lab');"
      "INSERT INTO material(id, kind, name, composition, weave, source, origin) VALUES(1, 'cloth', 'C', '', "
      "'', '', 'virtual'), (2, 'body', 'B', '', '', '', 'virtual');"
      "INSERT INTO campaign VALUES(1, 'u1', 'old', 'friction', 1, 2, NULL, '', '', NULL, NULL, 'virtual', "
      "'0', '', NULL);"
      "INSERT INTO run(id, uuid, campaign_id, cloth_id, body_id, kind, angle_deg, cart_mass_kg, "
      "added_mass_kg, normal_force_N, u_normal_force_N, contact_area_m2, incline_deg, speed_m_per_s, "
      "travel_m, direction, repeat, rate_Hz, origin, source, program_version, started_at, status, reason) "
      "VALUES(1, 'u2', 1, 1, 2, 'pull', 30, 0.01, 0, 0.1, 0, 0.01, 0, 0.01, 0.02, 1, 1, 100, 'virtual', "
      "'', '0', '', 'done', '');");
  seal_as_it_is(path);
  assert_ok(cb_store_open(path, CB_STORE_WRITE, &s, err));
  assert_ok(cb_store_run_get(s, 1, &run, err));
  assert_true(run.specimen_id == 0 && run.angle_deg == 30);
  assert_ok(cb_store_check(s, NULL, err));
  store_exec(path, "UPDATE run SET specimen_id = 1", "append-only");
  assert_ok(cb_store_close(s, err));
}

/* A law from before laws had models: a curve of straight chords that shares nothing. */
static void an_older_law_reads_as_it_was(void **state) {
  (void)state;
  char path[400];
  cb_store *s;
  cb_friction_law law;
  (void)cbt_path("older.db", path);
  make_schema_before(path, "ADD COLUMN model",
                     "INSERT INTO meta VALUES('role', 'lab');"
                     "INSERT INTO material VALUES(1, 'cloth', 'C', '', '', NULL, NULL, '', 'virtual'), (2, "
                     "'body', 'B', '', '', NULL, NULL, '',"
                     " 'virtual');"
                     "INSERT INTO friction_law VALUES(1, 1, 2, 'kinetic', 'isotropic', 'virtual', 0.005, "
                     "0.9, 0.01, 0.002, 0.003, 12,"
                     " 'friction/1', '{}', '0', '');"
                     "INSERT INTO friction_knot VALUES(1, 1, 0.5, 0, 0.5, 1e-6, 0, 0, 1e-6, 0, 1e-6), (1, 4, "
                     "1.5, 0, 1.5, 1e-6, 0, 0, 1e-6,"
                     " 0, 1e-6);");
  assert_ok(cb_store_open(path, CB_STORE_WRITE, &s, err));
  assert_ok(cb_store_law_find(s, "C", "B", CB_FRICTION_KINETIC, &law, err));
  assert_true(law.model == CB_MODEL_CURVE && law.bend == 0 && law.offset_N == 0 && isnan(law.speed_m_per_s) &&
              law.n_shared == 0);
  cb_friction_value v;
  cb_friction_law_eval(&law, 0.3, 2, &v);
  assert_near(v.force_N, sqrt(0.5 * 1.5), 1e-12);
  assert_ok(cb_store_close(s, err));
}

static void an_older_file_is_upgraded(void **state) {
  (void)state;
  char path[400];
  cb_store *s;
  (void)cbt_path("old.db", path);
  make_schema_1(path);
  store_exec(path, "PRAGMA journal_mode = WAL", NULL);
  cb_series x;
  cb_run old;
  for (int i = 0; i < 2; i++) { /* read as it is, twice: nothing is written to it */
    assert_ok(cb_store_open(path, CB_STORE_READ, &s, err));
    assert_ok(cb_store_run_get(s, 1, &old, err));
    assert_ok(cb_store_check(s, NULL, err));
    assert_fails(CB_E_DB, "", cb_store_run_flag(s, 1, "late", err));
    assert_ok(cb_store_close(s, err));
    assert_int_equal(store_lab_int(path, "PRAGMA user_version"), 1);
  }
  assert_ok(cb_store_open(path, CB_STORE_WRITE, &s, err));
  assert_ok(cb_store_run_get(s, 1, &old, err));
  assert_true(isnan(old.body_angle_deg) && old.specimen_id == 0);
  assert_ok(cb_store_samples(s, 1, CB_CHANNEL_FORCE, &x, err));
  assert_true(x.n == 1 && x.t_s[0] == 0.5 && x.v[0] == 0.25);
  cb_series_clear(&x);
  store_exec(path, "DELETE FROM sample_chunk", "append-only");
  store_exec(path,
             "INSERT INTO sample_tail VALUES(1, 1, 'speed', 0, 1, 'tv-f64le', 495952133, "
             "x'000000000000e03f000000000000d03f')",
             NULL);
  store_exec(path, "DELETE FROM sample_tail", "not in a chunk yet");
  store_reseal(path);
  cb_validation v = {.experiment = "slide",
                     .run_id = 1,
                     .pass = true,
                     .worst_en = 0.4,
                     .result_json = (char *)(uintptr_t) "{}"},
                *list;
  size_t n;
  assert_ok(cb_store_validation_put(s, &v, err));
  assert_ok(cb_store_validations(s, 0, &list, &n, err));
  assert_true(n == 1 && list[0].pass && list[0].worst_en == 0.4);
  assert_string_equal(list[0].result_json, "{}");
  cb_validations_free(list, n);
  assert_ok(cb_store_check(s, NULL, err));
  assert_ok(cb_store_close(s, err));
}

/* The table is reworded in place: what was there stays, and a look needs no pair. */
static void older_files_take_looks(void **state) {
  (void)state;
  char path[400];
  cb_store *s;
  cb_run look = {.campaign_id = 1, .kind = CB_RUN_LOOK, .direction = 1, .repeat = 1, .origin = CB_VIRTUAL},
         pull;
  cb_friction_point p = {.zero_N = 0};
  make_schema_before(
      cbt_path("looks.db", path), "CREATE TABLE seal(",
      "INSERT INTO meta VALUES('role', 'lab');"
      "INSERT INTO material(id, kind, name, composition, weave, source, origin) VALUES(1, 'cloth', 'C', '', "
      "'',"
      " '', 'virtual'), (2, 'body', 'B', '', '', '', 'virtual');"
      "INSERT INTO campaign VALUES(1, 'u1', 'old', 'friction', 1, 2, NULL, '', '', NULL, NULL, 'virtual', "
      "'0',"
      " '', NULL);"
      "INSERT INTO run(id, uuid, campaign_id, cloth_id, body_id, kind, angle_deg, cart_mass_kg, "
      "added_mass_kg,"
      " normal_force_N, u_normal_force_N, contact_area_m2, incline_deg, speed_m_per_s, travel_m, direction,"
      " repeat, rate_Hz, origin, source, program_version, started_at, status, reason)"
      " VALUES(1, 'u2', 1, 1, 2, 'pull', 30, 0.01, 0, 0.1, 0, 0.01, 0, 0.01, 0.02, 1, 1, 100, 'virtual', '',"
      " '0', '', 'done', '');");
  store_exec(path, "UPDATE run SET cloth_id = NULL", "append-only");
  assert_ok(cb_store_open(path, CB_STORE_READ, &s, err)); /* its copy is upgraded */
  assert_ok(cb_store_close(s, err));
  assert_ok(cb_store_open(path, CB_STORE_WRITE, &s, err));
  assert_ok(cb_store_run_get(s, 1, &pull, err));
  assert_true(pull.cloth_id == 1 && pull.angle_deg == 30 && pull.travel_m == 0.02);
  look.angle_deg = look.normal_force_N = look.contact_area_m2 = NAN;
  assert_ok(cb_store_run_put(s, &look, err));
  assert_ok(cb_store_run_get(s, look.id, &look, err));
  assert_true(look.kind == CB_RUN_LOOK && look.cloth_id == 0 && isnan(look.angle_deg));
  p.run_id = look.id;
  assert_fails(CB_E_DB, "a look has no point", cb_store_point_put(s, &p, err));
  pull.angle_deg = NAN;
  assert_fails(CB_E_DB, "CHECK constraint failed", cb_store_run_put(s, &pull, err));
  pull.angle_deg = 30;
  pull.cloth_id = 0;
  assert_fails(CB_E_DB, "CHECK constraint failed", cb_store_run_put(s, &pull, err));
  assert_ok(cb_store_check(s, NULL, err));
  assert_ok(cb_store_close(s, err));
  store_exec(path, "UPDATE sqlite_master SET sql = ''", "may not be modified");
}

int main(void) {
  const struct CMUnitTest tests[] = {STORE_TEST(an_older_law_reads_as_it_was),
                                     STORE_TEST(older_laws_stay_and_bodies_get_theirs),
                                     STORE_TEST(laws_of_later_versions_are_passed_over),
                                     STORE_TEST(numbers_follow_the_texts),
                                     STORE_TEST(older_tests_stay_and_new_kinds_come),
                                     STORE_TEST(older_runs_have_no_specimen),
                                     STORE_TEST(older_files_take_looks),
                                     STORE_TEST(an_older_file_is_upgraded)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
