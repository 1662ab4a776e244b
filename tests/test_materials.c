/* materials.db against its reviewable text, the text against itself, and both against a new fit of the
 * published tables. */
#include <sqlite3.h>

#include "lab_reference.h"
#include "cbtest.h"

#define TEXT CB_SOURCE_DIR "/materials"
#define SHIPPED CB_SOURCE_DIR "/materials.db"
#define TABLES CBT_DATA "/chen2013_friction/"

/* ---- row by row ---- */

static int count_rows(sqlite3 *db, const char *sql) {
  sqlite3_stmt *q;
  if (sqlite3_prepare_v2(db, sql, -1, &q, NULL) != SQLITE_OK) fail_msg("%s: %s", sql, sqlite3_errmsg(db));
  assert_int_equal(sqlite3_step(q), SQLITE_ROW);
  int n = sqlite3_column_int(q, 0);
  sqlite3_finalize(q);
  return n;
}

static void assert_same_rows(sqlite3 *db, const char *columns, const char *table) {
  char sql[1024];
  for (int turn = 0; turn < 2; turn++) {
    (void)snprintf(sql, sizeof sql, "SELECT count(*) FROM (SELECT %s FROM %s.%s EXCEPT SELECT %s FROM %s.%s)",
                   columns, turn ? "main" : "other", table, columns, turn ? "other" : "main", table);
    if (count_rows(db, sql) != 0)
      fail_msg("%d rows of %s are only in %s", count_rows(db, sql), table,
               turn ? "the text" : "materials.db");
  }
}

static void shipped_database_is_its_text(void **state) {
  (void)state;
  char built[400], sql[600];
  sqlite3 *db;
  (void)cbt_path("built.db", built);
  assert_ok(lab_reference_build(TEXT, built, err));
  assert_int_equal(sqlite3_open_v2(built, &db, SQLITE_OPEN_READONLY, NULL), SQLITE_OK);
  (void)snprintf(sql, sizeof sql, "ATTACH '%s' AS other", SHIPPED);
  assert_int_equal(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
  assert_same_rows(db,
                   "id, kind, name, composition, weave, areal_density_kg_per_m2, thickness_m, source, origin",
                   "material");
  assert_same_rows(db,
                   "id, cloth_id, body_id, kind, form, model, bend, offset_N, speed_m_per_s, origin, "
                   "contact_area_m2, exponent, u_exponent, "
                   "u_rel_common, u_rel_model, dof, "
                   "method, verdicts_json",
                   "friction_law");
  assert_same_rows(db, "*", "friction_knot");
  assert_same_rows(db, "*", "friction_shared");
  assert_same_rows(db, "*", "friction_shared_knot");
  assert_int_equal(count_rows(db, "SELECT count(*) FROM other.material WHERE kind = 'cloth'"), 10);
  assert_int_equal(count_rows(db, "SELECT count(*) FROM other.material WHERE kind = 'body'"), 5);
  assert_int_equal(count_rows(db, "SELECT count(*) FROM other.friction_law"), 30);
  assert_int_equal(count_rows(db, "SELECT count(*) FROM other.run"), 0);
  assert_int_equal(
      count_rows(db, "SELECT count(*) FROM other.meta WHERE key = 'role' AND value = 'reference'"), 1);
  sqlite3_close(db);
}

static void shipped_database_is_whole_and_read_only(void **state) {
  (void)state;
  cb_store *s;
  assert_ok(cb_store_open(SHIPPED, CB_STORE_READ, &s, err));
  assert_true(cb_store_is_reference(s));
  assert_ok(cb_store_check(s, NULL, err));
  assert_ok(cb_store_close(s, err));
  assert_fails(CB_E_DB, "never written", cb_store_open(SHIPPED, CB_STORE_WRITE, &s, err));
}

static void text_survives_the_round_trip(void **state) {
  (void)state;
  char folder[400], path[420], *was, *now;
  size_t n_was, n_now;
  cb_store *s;
  (void)cbt_path("text", folder);
  assert_ok(cb_store_open(SHIPPED, CB_STORE_READ, &s, err));
  assert_ok(lab_reference_write(s, folder, err));
  assert_ok(cb_store_close(s, err));
  (void)snprintf(path, sizeof path, "%s/friction.yaml", folder);
  assert_ok(cb_file_read(TEXT "/friction.yaml", 1 << 24, &was, &n_was, err));
  assert_ok(cb_file_read(path, 1 << 24, &now, &n_now, err));
  assert_string_equal(was, now);
  free(was);
  free(now);
  char again[400];
  (void)cbt_path("again.db", again);
  assert_ok(lab_reference_build(folder, again, err));
}

/* ---- the tables give the text ---- */

static void run_ok(cbt_result *r, const char *args) {
  cbt_run(r, cbt_folder, args);
  if (r->code != 0) fail_msg("%s: exit %d: %s", args, r->code, r->err);
}

static void assert_same_law(const cb_friction_law *a, const cb_friction_law *b) {
  assert_string_equal(a->cloth, b->cloth);
  assert_string_equal(a->body, b->body);
  assert_int_equal(a->form, b->form);
  assert_int_equal(a->model, b->model);
  assert_int_equal(a->n_knots, b->n_knots);
  assert_int_equal(a->n_shared, b->n_shared);
  /* libm may differ by an ulp between processors; nothing here amplifies that beyond 1e-9. */
  assert_near(a->exponent, b->exponent, 1e-9);
  assert_near(a->u_exponent, b->u_exponent, 1e-9);
  assert_near(a->u_rel_common, b->u_rel_common, 1e-12);
  assert_near(a->u_rel_model, b->u_rel_model, 1e-9);
  assert_near(a->dof, b->dof, 1e-8 * b->dof);
  for (size_t k = 0; k < a->n_knots; k++) {
    assert_near(a->knots[k].normal_force_N, b->knots[k].normal_force_N, 1e-12);
    for (int i = 0; i < 3; i++) {
      assert_near(a->knots[k].f_N[i], b->knots[k].f_N[i], 1e-10);
      for (int j = 0; j < 3; j++) assert_near(a->knots[k].cov_N2[i][j], b->knots[k].cov_N2[i][j], 1e-12);
      for (size_t p = 0; p < a->n_shared; p++)
        assert_near(a->shared[p].f_N[k][i], b->shared[p].f_N[k][i], 1e-9);
    }
  }
}

static void refitting_the_tables_gives_the_text(void **state) {
  (void)state;
  if (cbt_absent(TABLES "anisotropy_repeats.csv")) skip();
  cbt_result *r = malloc(sizeof *r);
  char args[600], db[400];
  cb_store *s;
  cb_friction_law *shipped, *fitted;
  size_t n_shipped, n_fitted;
  run_ok(r, "import friction --db lab.db --mapping " CB_SOURCE_DIR
            "/rigs/import/chen2013_repeats.yaml " TABLES "anisotropy_repeats.csv");
  run_ok(r, "import friction --db lab.db --mapping " CB_SOURCE_DIR "/rigs/import/chen2013_loads.yaml " TABLES
            "nonlinearity_loads.csv");
  assert_ok(cb_store_open(SHIPPED, CB_STORE_READ, &s, err));
  assert_ok(cb_store_laws(s, &shipped, &n_shipped, err));
  assert_ok(cb_store_close(s, err));
  for (size_t i = 0; i < n_shipped; i++) {
    (void)snprintf(args, sizeof args, "fit friction --db lab.db --cloth '%s' --body '%s'", shipped[i].cloth,
                   shipped[i].body);
    run_ok(r, args);
  }
  (void)cbt_path("lab.db", db);
  assert_ok(cb_store_open(db, CB_STORE_READ, &s, err));
  assert_ok(cb_store_laws(s, &fitted, &n_fitted, err));
  assert_ok(cb_store_close(s, err));
  assert_int_equal(n_fitted, n_shipped);
  for (size_t i = 0; i < n_fitted; i++) assert_same_law(&fitted[i], &shipped[i]);
  free(shipped);
  free(fitted);
  free(r);
}

/* ---- bad text ---- */

#define MATERIALS                                                                                           \
  "materials:\n  - {name: Twill, kind: cloth, source: me, origin: measured}\n  - {name: Foam, kind: body, " \
  "source: me, origin: measured}\n"
#define LAW                                                                                                  \
  "laws:\n  - cloth: Twill\n    body: Foam\n    kind: kinetic\n    form: isotropic\n    origin: measured\n " \
  "   contact_area_m2: 0.005\n"                                                                              \
  "    exponent: 1\n    u_exponent: 0\n    u_rel_common: 0\n    u_rel_model: 0\n    dof: 5\n    method: "    \
  "x\n    verdicts: '{}'\n    "                                                                              \
  "knots:\n"
#define KNOT "      - [1, 0.5, 0, 0.5, 1e-6, 0, 0, 1e-6, 0, 1e-6]\n"

static void bad_text_is_refused(void **state) {
  (void)state;
  static const struct {
    const char *materials, *laws, *names;
  } bad[] = {
      {"materials:\n  - {name: Twill, kind: cloth, source: me, origin: measured, colour: red}\n", LAW KNOT,
       "materials.yaml:2: unknown key 'colour'"},
      {"materials:\n  - {name: Twill, kind: cloth, source: me, origin: virtual}\n", LAW KNOT,
       "measured or imported"},
      {MATERIALS "  - {name: Foam, kind: body, source: me, origin: measured}\n", LAW KNOT,
       "materials.yaml:4: material 'Foam'"},
      {MATERIALS, LAW "      - [1, 0.5, 0, 0.5, 1e-6, 0]\n", "friction.yaml:16: a knot is"},
      {MATERIALS, LAW "      - [1, 0.5, 0, x, 1e-6, 0, 0, 1e-6, 0, 1e-6]\n", "friction.yaml:16"},
      {MATERIALS, LAW "      - [1, 0.5, 0.6, 0.5, 1e-6, 0, 0, 1e-6, 0, 1e-6]\n", "smallest eigenvalue"},
      {MATERIALS, "laws: 5\n", "a list was wanted"},
      {"materials:\n  - {name: Twill, kind: cloth, source: me, origin: measured}\n", LAW KNOT,
       "no body named 'Foam'"},
  };
  char folder[400], path[420], db[400];
  (void)cbt_path("bad", folder);
  (void)cbt_path("bad.db", db);
  assert_ok(cb_dir_make(folder, err));
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
    (void)snprintf(path, sizeof path, "%s/materials.yaml", folder);
    cbt_write(path, bad[i].materials);
    (void)snprintf(path, sizeof path, "%s/friction.yaml", folder);
    cbt_write(path, bad[i].laws);
    cb_err err = {""};
    assert_int_not_equal(lab_reference_build(folder, db, &err), CB_OK);
    if (!strstr(err.msg, bad[i].names)) fail_msg("'%s' lacks '%s'", err.msg, bad[i].names);
    assert_int_not_equal(access(db, F_OK), 0);
  }
  assert_fails(CB_E_IO, "materials.yaml", lab_reference_build(cbt_folder, db, err));
  cbt_write(db, "x");
  assert_fails(CB_E_IO, "exists already", lab_reference_build(folder, db, err));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(shipped_database_is_its_text, cbt_folder_set_up, cbt_folder_tear_down),
      cmocka_unit_test_setup_teardown(shipped_database_is_whole_and_read_only, cbt_folder_set_up,
                                      cbt_folder_tear_down),
      cmocka_unit_test_setup_teardown(text_survives_the_round_trip, cbt_folder_set_up, cbt_folder_tear_down),
      cmocka_unit_test_setup_teardown(refitting_the_tables_gives_the_text, cbt_folder_set_up,
                                      cbt_folder_tear_down),
      cmocka_unit_test_setup_teardown(bad_text_is_refused, cbt_folder_set_up, cbt_folder_tear_down),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
