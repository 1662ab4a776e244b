/* materials.db against its reviewable text, against a new fit of its own points, and against the figures that
 * its sources printed. */
#include <jansson.h>
#include <math.h>
#include <sqlite3.h>
#include <sys/stat.h>

#include "cb_store_material_test.h"
#include "cbtest.h"
#include "csvtest.h"
#include "lab_reference.h"

#define TEXT CB_SOURCE_DIR "/materials"
#define SHIPPED CB_SOURCE_DIR "/materials.db"
#define TABLES CBT_DATA "/chen2013_friction"

/* ---- row by row ---- */

static int count_rows(sqlite3 *db, const char *sql) {
  sqlite3_stmt *q;
  if (sqlite3_prepare_v2(db, sql, -1, &q, NULL) != SQLITE_OK) fail_msg("%s: %s", sql, sqlite3_errmsg(db));
  assert_int_equal(sqlite3_step(q), SQLITE_ROW);
  int n = sqlite3_column_int(q, 0);
  sqlite3_finalize(q);
  return n;
}

static void assert_same_rows(sqlite3 *db, const char *table) {
  char sql[1024];
  for (int turn = 0; turn < 2; turn++) {
    (void)snprintf(sql, sizeof sql, "SELECT count(*) FROM (SELECT * FROM %s.%s EXCEPT SELECT * FROM %s.%s)",
                   turn ? "main" : "other", table, turn ? "other" : "main", table);
    if (count_rows(db, sql) != 0)
      fail_msg("%d rows of %s are only in %s", count_rows(db, sql), table,
               turn ? "the text" : "materials.db");
  }
}

static void assert_same_tables(sqlite3 *db) {
  sqlite3_stmt *q;
  int n = 0;
  assert_int_equal(
      sqlite3_prepare_v2(db, "SELECT name FROM main.sqlite_schema WHERE type = 'table'", -1, &q, NULL),
      SQLITE_OK);
  for (; sqlite3_step(q) == SQLITE_ROW; n++) assert_same_rows(db, (const char *)sqlite3_column_text(q, 0));
  sqlite3_finalize(q);
  assert_true(n > 30);
}

static void assert_same_bytes(const char *path_a, const char *path_b) {
  char *a, *b;
  size_t n_a, n_b;
  assert_ok(cb_file_read(path_a, 1 << 24, &a, &n_a, err));
  assert_ok(cb_file_read(path_b, 1 << 24, &b, &n_b, err));
  assert_int_equal(n_a, n_b);
  assert_memory_equal(a, b, n_a);
  free(a);
  free(b);
}

static void shipped_database_is_its_text(void **state) {
  (void)state;
  char built[400], again[400], sql[600];
  sqlite3 *db;
  assert_ok(lab_reference_build(TEXT, cbt_path("built.db", built), err));
  assert_ok(lab_reference_build(TEXT, cbt_path("again.db", again), err));
  assert_same_bytes(built, again);
  assert_int_equal(sqlite3_open_v2(built, &db, SQLITE_OPEN_READONLY, NULL), SQLITE_OK);
  (void)snprintf(sql, sizeof sql, "ATTACH '%s' AS other", SHIPPED);
  assert_int_equal(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
  assert_same_tables(db); /* another SQLite may lay the same rows out in other bytes */
  sqlite3_close(db);
}

static void shipped_database_has_what_was_published(void **state) {
  (void)state;
  static const struct {
    const char *sql;
    int n;
  } counts[] = {
      {"SELECT count(*) FROM run r JOIN material c ON c.id = r.cloth_id WHERE c.areal_density_kg_per_m2 > 0",
       917},
      {"SELECT count(*) FROM friction_point", 917},
      {"SELECT count(*) FROM event WHERE kind = 'hole'", 11},
      {"SELECT count(*) FROM friction_law", 50},
      {"SELECT count(*) FROM (SELECT DISTINCT cloth_id, body_id FROM friction_law)", 50},
      {"SELECT count(*) FROM permeability_point", 162},
      {"SELECT count(*) FROM material_law WHERE kind = 'permeability'", 84},
      {"SELECT count(*) FROM material_law WHERE kind = 'stretch'", 9},
      {"SELECT count(*) FROM material_law WHERE kind = 'elasticity' AND source <> ''", 2},
      {"SELECT count(*) FROM material_law l WHERE l.method NOT LIKE 'kes/%' AND kind <> 'elasticity' AND NOT "
       "EXISTS "
       "(SELECT 1 FROM material_law_input i WHERE i.law_id = l.id)",
       0},
      {"SELECT count(*) FROM friction_law l WHERE NOT EXISTS "
       "(SELECT 1 FROM friction_law_input i WHERE i.law_id = l.id)",
       0},
      {"SELECT count(*) FROM material WHERE kind = 'cloth' AND source = ''", 0},
      {"SELECT count(*) FROM run WHERE source = ''", 0},
      {"SELECT count(*) FROM material_test WHERE source = ''", 0},
      {"SELECT count(*) FROM meta WHERE key = 'role' AND value = 'reference'", 1},
  };
  sqlite3 *db;
  struct stat info;
  assert_int_equal(sqlite3_open_v2(SHIPPED, &db, SQLITE_OPEN_READONLY, NULL), SQLITE_OK);
  for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++)
    if (count_rows(db, counts[i].sql) != counts[i].n)
      fail_msg("%s: %d, %d were wanted", counts[i].sql, count_rows(db, counts[i].sql), counts[i].n);
  sqlite3_close(db);
  assert_int_equal(stat(SHIPPED, &info), 0);
  assert_true(info.st_size < 5000000);
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
  static const char *const files[] = {"friction.yaml", "laws.yaml"};
  char folder[400], was[600], now[600];
  cb_store *s;
  (void)cbt_path("text", folder);
  assert_ok(cb_store_open(SHIPPED, CB_STORE_READ, &s, err));
  assert_ok(lab_reference_write(s, folder, err));
  assert_ok(cb_store_close(s, err));
  for (size_t i = 0; i < 2; i++) {
    (void)snprintf(was, sizeof was, TEXT "/%s", files[i]);
    (void)snprintf(now, sizeof now, "%s/%s", folder, files[i]);
    assert_same_bytes(was, now);
  }
}

/* ---- its points give its laws ---- */

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

static void load_laws(const char *path, cb_friction_law **list, size_t *n) {
  cb_store *s;
  assert_ok(cb_store_open(path, CB_STORE_READ, &s, err));
  assert_ok(cb_store_laws(s, list, n, err));
  assert_ok(cb_store_close(s, err));
}

static void assert_same_friction(const char *db) {
  cb_friction_law *shipped, *fitted;
  size_t n_shipped, n_fitted;
  load_laws(SHIPPED, &shipped, &n_shipped);
  load_laws(db, &fitted, &n_fitted);
  assert_int_equal(n_fitted, n_shipped);
  for (size_t i = 0; i < n_fitted; i++) assert_same_law(&fitted[i], &shipped[i]);
  free(shipped);
  free(fitted);
}

/* Numbers to 1e-9, all else exactly. where: for the sentence. */
static void assert_same_json(const json_t *a, const json_t *b, const char *where) {
  const char *key;
  json_t *value;
  if (json_is_number(a) && json_is_number(b)) {
    const double x = json_number_value(a), y = json_number_value(b);
    if (!(fabs(x - y) <= 1e-9 * fmax(fabs(x), fabs(y)) + 1e-12)) fail_msg("%s: %.17g and %.17g", where, x, y);
  } else if (json_is_object(a) && json_is_object(b)) {
    assert_int_equal(json_object_size(a), json_object_size(b));
    json_object_foreach((json_t *)(uintptr_t)a, key, value)
        assert_same_json(value, json_object_get(b, key), key);
  } else if (json_is_array(a) && json_is_array(b)) {
    assert_int_equal(json_array_size(a), json_array_size(b));
    for (size_t i = 0; i < json_array_size(a); i++)
      assert_same_json(json_array_get(a, i), json_array_get(b, i), where);
  } else if (!json_equal(a, b)) {
    fail_msg("%s differs", where);
  }
}

/* Returns whether the shipped database has such a law of the material. */
static bool assert_same_material_law(cb_store *shipped, cb_store *fitted, const char *cloth,
                                     cb_material_law_kind kind) {
  cb_material a, b;
  cb_material_law was, now;
  assert_ok(cb_store_material_find(shipped, CB_CLOTH, cloth, &a, err));
  assert_ok(cb_store_material_find(fitted, CB_CLOTH, cloth, &b, err));
  if (cb_store_material_law_find(shipped, &a, kind, &was, NULL) != CB_OK) return false;
  assert_ok(cb_store_material_law_find(fitted, &b, kind, &now, err));
  json_t *x = json_loads(was.result_json, 0, NULL), *y = json_loads(now.result_json, 0, NULL);
  assert_non_null(x);
  assert_non_null(y);
  assert_same_json(x, y, cloth);
  json_decref(x);
  json_decref(y);
  free(was.result_json);
  free(now.result_json);
  return true;
}

static int assert_same_material_laws(const char *db) {
  cb_store *shipped, *fitted;
  cb_material *list;
  size_t n;
  int laws = 0;
  assert_ok(cb_store_open(SHIPPED, CB_STORE_READ, &shipped, err));
  assert_ok(cb_store_open(db, CB_STORE_READ, &fitted, err));
  assert_ok(cb_store_materials(shipped, &list, &n, err));
  for (size_t i = 0; i < n; i++)
    for (int kind = 0; list[i].kind == CB_CLOTH && cb_material_law_kind_names[kind]; kind++)
      laws += assert_same_material_law(shipped, fitted, list[i].name, (cb_material_law_kind)kind);
  free(list);
  assert_ok(cb_store_close(shipped, err));
  assert_ok(cb_store_close(fitted, err));
  return laws;
}

static void fit_every_stretch(cbt_result *r) {
  cb_store *s;
  cb_material *list;
  size_t n;
  char args[300];
  assert_ok(cb_store_open(SHIPPED, CB_STORE_READ, &s, err));
  assert_ok(cb_store_materials(s, &list, &n, err));
  for (size_t i = 0; i < n; i++) {
    cb_material_law law;
    if (cb_store_material_law_find(s, &list[i], CB_LAW_STRETCH, &law, NULL) != CB_OK) continue;
    const bool whole = strncmp(law.method, "kes/", 4) == 0; /* of summary figures */
    const char *pre_tension = strstr(law.method, "pre-tension ");
    free(law.result_json);
    if (whole) continue;
    assert_non_null(pre_tension);
    (void)snprintf(args, sizeof args, "fit stretch --db lab.db --cloth '%s' --pretension-N-per-m %g",
                   list[i].name, strtod(pre_tension + strlen("pre-tension "), NULL));
    run_ok(r, args);
  }
  free(list);
  assert_ok(cb_store_close(s, err));
}

/* Merged into a lab's file, where its own laws are not looked at. */
static void its_points_give_its_laws(void **state) {
  (void)state;
  cbt_result *r = malloc(sizeof *r);
  char db[400];
  run_ok(r, "db merge " SHIPPED " --db lab.db");
  run_ok(r, "fit friction --db lab.db");
  run_ok(r, "fit permeability --db lab.db");
  fit_every_stretch(r);
  run_ok(r, "fit bending --db lab.db --cloth 'Cotton knit (U3M example)'");
  free(r);
  (void)cbt_path("lab.db", db);
  assert_same_friction(db);
  assert_int_equal(assert_same_material_laws(db), 97);
}

/* ---- and what its source printed ---- */

/* With as many decimals as the table has. */
static void assert_printed(double value, const char *printed, const char *what) {
  const char *point = strchr(printed, '.');
  char text[64];
  (void)snprintf(text, sizeof text, "%.*f", point ? (int)strlen(point + 1) : 0, value);
  if (strcmp(text, printed) != 0)
    fail_msg("%s: %.17g prints as %s, the table has %s", what, value, text, printed);
}

/* Verdicts of the shipped law of the row's pair; caller: json_decref. */
static json_t *verdicts_of(cb_store *s, const cb_csv *csv, size_t row) {
  cb_friction_law law;
  char *method, *text, created[32];
  assert_ok(cb_store_law_find(s, csvt_text(csv, row, "cloth"), csvt_text(csv, row, "body"),
                              CB_FRICTION_KINETIC, &law, err));
  assert_ok(cb_store_law_info(s, law.id, &method, &text, created, err));
  json_t *doc = json_loads(text, 0, NULL);
  assert_non_null(doc);
  free(method);
  free(text);
  return doc;
}

static void check_means(const json_t *doc, const cb_csv *csv, size_t row) {
  const json_t *mu = json_object_get(json_object_get(doc, "mean_mu"), csvt_text(csv, row, "angle_deg"));
  assert_printed(json_number_value(json_object_get(mu, "mean")), csvt_text(csv, row, "mu_mean_reported"),
                 "mean");
  assert_printed(json_number_value(json_object_get(mu, "sd")), csvt_text(csv, row, "mu_sd_reported"), "sd");
  assert_int_equal(json_is_true(json_object_get(doc, "isotropic")),
                   strcmp(csvt_text(csv, row, "label"), "isotropic") == 0);
  if (csvt_text(csv, row, "anisotropy_pct_reported")[0])
    assert_printed(json_number_value(json_object_get(doc, "anisotropy_percent")),
                   csvt_text(csv, row, "anisotropy_pct_reported"), "anisotropy");
}

static void check_loads(const json_t *doc, const cb_csv *csv, size_t row) {
  const json_t *x =
      json_object_get(json_object_get(doc, "nonlinearity_percent"), csvt_text(csv, row, "angle_deg"));
  assert_printed(json_number_value(x), csvt_text(csv, row, "nonlinearity_pct_reported"), "nonlinearity");
  assert_int_equal(json_is_true(json_object_get(doc, "linear")),
                   strcmp(csvt_text(csv, row, "label"), "linear") == 0);
}

static size_t check_summary(cb_store *s, const char *path,
                            void (*check)(const json_t *, const cb_csv *, size_t)) {
  cb_csv *csv = csvt_load(path);
  const size_t n = cb_csv_rows(csv);
  for (size_t row = 0; row < n; row++) {
    json_t *doc = verdicts_of(s, csv, row);
    check(doc, csv, row);
    json_decref(doc);
  }
  cb_csv_free(csv);
  return n;
}

static void figures_are_those_that_were_printed(void **state) {
  (void)state;
  if (cbt_absent(TABLES "/anisotropy_summary.csv") || cbt_absent(TABLES "_more/anisotropy_summary.csv"))
    skip();
  cb_store *s;
  assert_ok(cb_store_open(SHIPPED, CB_STORE_READ, &s, err));
  size_t rows = check_summary(s, TABLES "/anisotropy_summary.csv", check_means);
  rows += check_summary(s, TABLES "_more/anisotropy_summary.csv", check_means);
  assert_int_equal(rows, 150);
  rows = check_summary(s, TABLES "/nonlinearity_summary.csv", check_loads);
  rows += check_summary(s, TABLES "_more/nonlinearity_summary.csv", check_loads);
  assert_int_equal(rows, 70);
  assert_ok(cb_store_close(s, err));
}

/* ---- bad text ---- */

#define DATE "date: 2026-01-02\n"
#define MATERIALS                                                                                          \
  DATE "materials:\n  - {name: Twill, kind: cloth, source: me, origin: measured}\n  - {name: Foam, kind: " \
       "body, "                                                                                            \
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
      {DATE "materials:\n  - {name: Twill, kind: cloth, source: me, origin: measured, colour: red}\n",
       LAW KNOT, "materials.yaml:3: unknown key 'colour'"},
      {DATE "materials:\n  - {name: Twill, kind: cloth, source: me, origin: virtual}\n", LAW KNOT,
       "measured or imported"},
      {MATERIALS "  - {name: Foam, kind: body, source: me, origin: measured}\n", LAW KNOT,
       "materials.yaml:5: material 'Foam'"},
      {MATERIALS, LAW "      - [1, 0.5, 0, 0.5, 1e-6, 0]\n", "friction.yaml:16: a knot is"},
      {MATERIALS, LAW "      - [1, 0.5, 0, x, 1e-6, 0, 0, 1e-6, 0, 1e-6]\n", "friction.yaml:16"},
      {MATERIALS, LAW "      - [1, 0.5, 0.6, 0.5, 1e-6, 0, 0, 1e-6, 0, 1e-6]\n", "smallest eigenvalue"},
      {MATERIALS, "laws: 5\n", "a list was wanted"},
      {"date: 2026-13-02\nmaterials: []\n", LAW KNOT,
       "materials.yaml:1: date '2026-13-02': YYYY-MM-DD was wanted"},
      {"materials: []\n", LAW KNOT, "date"},
      {MATERIALS, LAW KNOT "    points: 3-1\n", "friction.yaml:17: '3-1': ascending ids"},
      {MATERIALS, LAW KNOT "    points: 1 x\n", "ascending ids"},
      {DATE "materials:\n  - {name: Twill, kind: cloth, source: me, origin: measured}\n", LAW KNOT,
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
      cmocka_unit_test(shipped_database_has_what_was_published),
      cmocka_unit_test(figures_are_those_that_were_printed),
      cmocka_unit_test_setup_teardown(shipped_database_is_whole_and_read_only, cbt_folder_set_up,
                                      cbt_folder_tear_down),
      cmocka_unit_test_setup_teardown(text_survives_the_round_trip, cbt_folder_set_up, cbt_folder_tear_down),
      cmocka_unit_test_setup_teardown(its_points_give_its_laws, cbt_folder_set_up, cbt_folder_tear_down),
      cmocka_unit_test_setup_teardown(bad_text_is_refused, cbt_folder_set_up, cbt_folder_tear_down),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
