/* Imports: what a file becomes in the database, that the same file is known again, and that a file that fails
 * leaves nothing. */
#include "cb_store_material_test.h"
#include "cb_json.h"
#include "cb_law_json.h"
#include "cb_store_drape.h"
#include "lab_import_parts.h"
#include "storetest.h"

static void write_file(const char *name, const char *text, char path[400]) {
  cbt_write(cbt_path(name, path), text);
}

static int64_t count(const store_fixture *f, const char *table) {
  sqlite3 *h;
  sqlite3_stmt *q;
  char sql[100];
  (void)snprintf(sql, sizeof sql, "SELECT count(*) FROM %s", table);
  assert_int_equal(sqlite3_open(f->db, &h), SQLITE_OK);
  assert_int_equal(sqlite3_prepare_v2(h, sql, -1, &q, NULL), SQLITE_OK);
  assert_int_equal(sqlite3_step(q), SQLITE_ROW);
  int64_t n = sqlite3_column_int64(q, 0);
  sqlite3_finalize(q);
  sqlite3_close(h);
  return n;
}

/* ---- friction ---- */

static const char friction_map[] =
    "columns: {cloth: fabric, body: partner, angle_deg: deg, cart_mass_g: cart, added_mass_g: added, "
    "reading: mV, repeat: no,"
    " friction_coefficient: mu}\n"
    "calibration: {reading_unit: mV/V, reading: 2.5, mass_g: 200, u_rel: 0.002}\n"
    "gravity_m_per_s2: 9.81\ncontact_area_cm2: 50\nspeed_mm_per_s: 10\nfriction_coefficient_decimals: "
    "3\nkind: kinetic\nsource: 'us'\n";

static void read_friction(fit_import *im, const char *rows) {
  char map[400], csv[400], text[1000];
  (void)snprintf(text, sizeof text, "fabric,partner,deg,no,cart,added,mV,mu\n%s", rows);
  write_file("map.yaml", friction_map, map);
  write_file("table.csv", text, csv);
  assert_ok(fit_import_read(map, csv, im, err));
}

static void a_table_of_friction(void **state) {
  store_fixture *f = *state;
  fit_import im;
  lab_friction_import out;
  cb_campaign c;
  cb_friction_point p;
  read_friction(&im,
                "Twill,Foam,0,1,3.0,100,,0.5\nTwill,Foam,90,1,3.0,100,,0.4\nTwill,Sponge,0,1,3.0,100,,0."
                "6\nTwill,Sponge,0,2,3.0,100,,\n");
  assert_ok(lab_friction_store(f->s, "elsewhere/table.csv", &im, &out, err));
  assert_int_equal(out.pairs, 2);
  assert_int_equal(im.n_holes, 1);
  assert_ok(cb_store_campaign_get(f->s, out.campaign_id, &c, err));
  assert_true(c.kind == CB_CAMPAIGN_IMPORT && c.origin == CB_IMPORTED && c.cloth_id == 0 && c.finished_at[0]);
  assert_true(strncmp(c.name, "table.csv#", 10) == 0 && strcmp(c.name + 10, im.fingerprint) == 0);
  assert_ok(cb_store_point_of_run(f->s, im.rows[1].run.id, &p, err));
  assert_near(p.kinetic_N, 0.4 * 0.103 * 9.81, 1e-12);
  assert_int_equal(count(f, "run"), 3);
  assert_int_equal(count(f, "material"), 3);
  /* The same bytes by another name. */
  assert_fails(CB_E_RANGE, "other.csv: this very file was imported into",
               lab_friction_store(f->s, "other.csv", &im, &out, err));
  assert_int_equal(count(f, "run"), 3);
  assert_ok(cb_store_check(f->s, NULL, err));
  fit_import_clear(&im);
}

/* The third row cannot be stored: neither can the first two, nor their campaign and cloth. */
static void all_of_a_table_or_nothing(void **state) {
  store_fixture *f = *state;
  fit_import im;
  lab_friction_import out;
  read_friction(&im,
                "Twill,Foam,0,1,3.0,100,,0.5\nTwill,Foam,90,1,3.0,100,,0.4\nTwill,Foam,45,1,3.0,100,,0.6\n");
  im.rows[2].run.contact_area_m2 = -1;
  assert_fails(CB_E_DB, "contact_area_m2", lab_friction_store(f->s, "table.csv", &im, &out, err));
  assert_int_equal(count(f, "run") + count(f, "campaign") + count(f, "material") + count(f, "calibration"),
                   0);
  fit_import_clear(&im);
}

/* ---- a trace ---- */

#define TRACE_MAP                                                                                       \
  "kind: trace\nsource: us\ncolumns:\n  cloth: {value: Twill}\n  body: {value: Foam}\n"                 \
  "  time: {column: t, unit: ms}\n  force: {column: F, unit: N, u_rel: 0.01}\n  position: {column: x, " \
  "unit: mm}\n"                                                                                         \
  "  normal_force: {value: 11, unit: N}\n  zero: {value: 0.5, unit: N}\n"

static void a_log_of_a_rig(void **state) {
  store_fixture *f = *state;
  fit_trace t;
  cb_run run;
  cb_series force;
  cb_run_zero zero;
  char map[400], csv[400];
  write_file("map.yaml", TRACE_MAP, map);
  write_file("log.csv", "t,F,x\n0,0.5,5\n10,1.5,5\n20,,6\n30,2.5,7\n", csv);
  assert_ok(fit_trace_read(map, csv, NULL, NULL, &t, err));
  assert_ok(lab_trace_store(f->s, csv, &t, err));
  assert_ok(cb_store_run_get(f->s, t.run.id, &run, err));
  assert_true(run.status == CB_RUN_DONE && run.origin == CB_IMPORTED && run.normal_force_N == 11 &&
              run.campaign_id > 0);
  assert_string_equal(run.flags, "area-unknown");
  assert_ok(cb_store_samples(f->s, run.id, CB_CHANNEL_FORCE, &force, err));
  assert_true(force.n == 3 && force.v[2] == 2.5 && force.t_s[2] == 0.03);
  cb_series_clear(&force);
  assert_ok(cb_store_run_zero_get(f->s, run.id, CB_ZERO_BEFORE, &zero, err));
  assert_near(zero.mean, 0.5, 1e-15);
  assert_fails(CB_E_RANGE, "it would count twice", lab_trace_store(f->s, "again.csv", &t, err));
  assert_int_equal(count(f, "run"), 1);
  fit_trace_clear(&t);
}

/* ---- tests of a material ---- */

#define AIR_MAP                                                                                           \
  "kind: permeability\nmethod: ISO 9237\nsource: us\ncolumns:\n  material: {column: cloth}\n  specimen: " \
  "{column: piece}\n"                                                                                     \
  "  pressure: {column: p, unit: Pa, u_rel: 0.01}\n  velocity: {column: v, unit: mm/s}\n"

static void rows_of_one_test_stand_together(void **state) {
  store_fixture *f = *state;
  lab_material_tests t;
  cb_material_test *list;
  cb_test_point *points;
  size_t n;
  char map[400], csv[400];
  write_file("map.yaml", AIR_MAP, map);
  write_file(
      "air.csv",
      "cloth,piece,p,v\nTwill,a,100,10\nTwill,b,100,12\nTwill,a,200,21\nTwill,a,300,\nSatin,a,100,30\n", csv);
  assert_ok(lab_material_tests_read(map, csv, CB_TEST_PERMEABILITY, &t, err));
  assert_true(t.n == 3 && t.points == 4 && t.holes == 1);
  assert_true(t.curves[0].n == 2 && t.curves[0].points[1].x == 200);
  assert_near(t.curves[0].points[1].y, 0.021, 1e-15);
  assert_ok(lab_material_tests_store(f->s, csv, &t, err));
  assert_ok(cb_store_tests(f->s, t.curves[0].test.material_id, -1, &list, &n, err));
  assert_true(n == 2 && list[0].u_x_rel == 0.01 && list[0].origin == CB_IMPORTED);
  assert_string_equal(list[1].specimen, "b");
  assert_ok(cb_store_test_points(f->s, &list[0], &points, &n, err));
  assert_int_equal(n, 2);
  free(points);
  free(list);
  assert_fails(CB_E_RANGE, "its tests would count twice",
               lab_material_tests_store(f->s, "again.csv", &t, err));
  lab_material_tests_clear(&t);
}

static void tables_that_are_none(void **state) {
  (void)state;
  lab_material_tests t;
  char map[400], csv[400];
  write_file("map.yaml", AIR_MAP, map);
  write_file("air.csv", "cloth,piece,p,v\nTwill,a,,10\nTwill,a,200,\n", csv);
  assert_fails(CB_E_RANGE, "nothing but holes in 2 rows",
               lab_material_tests_read(map, csv, CB_TEST_PERMEABILITY, &t, err));
  lab_material_tests_clear(&t);
  write_file("air.csv", "cloth,piece,p,v\n,a,100,10\n", csv);
  assert_fails(CB_E_PARSE, "a name of 1 to 63 bytes was wanted",
               lab_material_tests_read(map, csv, CB_TEST_PERMEABILITY, &t, err));
  lab_material_tests_clear(&t);
  write_file("map.yaml",
             "kind: permeability\nmethod: m\nsource: us\ncolumns:\n  material: {column: cloth}\n  pressure: "
             "{column: p, unit: Pa}\n",
             map);
  write_file("air.csv", "cloth,p\nTwill,100\n", csv);
  assert_fails(CB_E_PARSE, "exactly one was wanted",
               lab_material_tests_read(map, csv, CB_TEST_PERMEABILITY, &t, err));
  lab_material_tests_clear(&t);
}

/* ---- drapes ---- */

static fit_drape_file a_drape(double coefficient, const char *fingerprint) {
  fit_drape_file f = {.drape = {.drape_coefficient = coefficient,
                                .u = 0.01,
                                .area_m2 = 0.05,
                                .nodes = 6,
                                .node_height_m = 0.02,
                                .pixel_m = 1e-3,
                                .scale_from = FIT_SCALE_MESH}};
  for (int i = 0; i < FIT_DRAPE_ANGLES; i++) f.drape.radius_m[i] = 0.1 + 1e-3 * i / 7;
  (void)snprintf(f.fingerprint, sizeof f.fingerprint, "%s", fingerprint);
  return f;
}

static void drapes_with_their_outlines(void **state) {
  store_fixture *f = *state;
  const fit_drape_setup setup = fit_drape_setup_default();
  const fit_drape_file drapes[2] = {a_drape(0.4, "0000000000000001"), a_drape(0.5, "0000000000000002")};
  const char *const files[] = {"scans/one.obj.gz", "two.obj"};
  cb_drape_test *list;
  size_t n, i;
  char *text;
  assert_ok(
      lab_drapes_store(f->s, &(lab_drape_import){"Twill", NULL, CB_IMPORTED, setup, files, 2}, drapes, err));
  assert_ok(cb_store_drapes(f->s, 0, &list, &n, err));
  assert_true(n == 2 && list[0].drape_coefficient == 0.4 && list[1].nodes == 6 &&
              list[0].support_m == setup.support_m);
  assert_string_equal(list[0].capture, "one");
  assert_string_equal(list[0].source, "one.obj.gz");
  assert_string_equal(list[0].method, "mesh");
  assert_ok(cb_store_drape_profile(f->s, &list[1], &text, err));
  json_t *profile = cb_json_read(text), *radius;
  assert_int_equal(json_array_size(profile), FIT_DRAPE_ANGLES);
  json_array_foreach(profile, i, radius)
      assert_true(json_number_value(radius) == drapes[1].drape.radius_m[i]);
  json_decref(profile);
  free(text);
  free(list);
  /* One of the files is known: the other does not come in either. */
  const fit_drape_file again[2] = {a_drape(0.6, "0000000000000003"), drapes[0]};
  assert_fails(
      CB_E_RANGE, "two.obj: this very file was imported",
      lab_drapes_store(f->s, &(lab_drape_import){"Twill", "me", CB_IMPORTED, setup, files, 2}, again, err));
  assert_int_equal(count(f, "drape_measurement"), 2);
}

static void the_mean_of_drapes(void **state) {
  (void)state;
  const fit_drape_file drapes[2] = {a_drape(0.4, ""), a_drape(0.5, "")};
  lab_drape_mean m = lab_drape_mean_of(drapes, 2);
  assert_near(m.coefficient, 0.45, 1e-15);
  assert_near(m.sd, 0.1 / sqrt(2), 1e-15);
  assert_true(m.nodes == 6 && isnan(lab_drape_mean_of(drapes, 1).sd));
}

/* ---- elasticity ---- */

static void what_a_body_is_made_of(void **state) {
  store_fixture *f = *state;
  cb_elasticity_law law = cb_elasticity_law_unknown(), back;
  int64_t id;
  char long_text[1000];
  law.value[CB_ELASTIC_YOUNG] = 55e3 / 7;
  law.u[CB_ELASTIC_YOUNG] = 1e3;
  assert_ok(lab_elasticity_store(f->s, "Foam T30", &law, "maker", "compression", &id, err));
  assert_ok(cb_store_law_of(f->s, CB_LAW_ELASTICITY, "Foam T30", &back, NULL, err));
  assert_true(back.value[CB_ELASTIC_YOUNG] == law.value[CB_ELASTIC_YOUNG] &&
              isnan(back.value[CB_ELASTIC_POISSON]));
  assert_true(back.origin == CB_IMPORTED && back.id == id);
  memset(long_text, 'x', sizeof long_text - 1);
  long_text[sizeof long_text - 1] = '\0';
  assert_fails(CB_E_ARG, "source and method of a law: at most",
               lab_elasticity_store(f->s, "Foam", &law, long_text, "", &id, err));
  law.value[CB_ELASTIC_YOUNG] = -1;
  assert_fails(CB_E_RANGE, "", lab_elasticity_store(f->s, "Foam", &law, "maker", "", &id, err));
  assert_int_equal(count(f, "material"), 1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      STORE_TEST(a_table_of_friction),      STORE_TEST(all_of_a_table_or_nothing),
      STORE_TEST(a_log_of_a_rig),           STORE_TEST(rows_of_one_test_stand_together),
      STORE_TEST(tables_that_are_none),     STORE_TEST(drapes_with_their_outlines),
      cmocka_unit_test(the_mean_of_drapes), STORE_TEST(what_a_body_is_made_of)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
