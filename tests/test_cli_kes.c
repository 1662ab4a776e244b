/* clothbench import kes, a sheet as a laboratory has it: KES units, decimal commas, a hole. */
#include <math.h>
#include <sqlite3.h>

#include "clitest.h"
#include "jsonpage.h"

#define MAPPING                                                                                              \
  "kind: kes\nmethod: KES-F\nsource: us\nseparator: \";\"\ndecimal_comma: true\ncolumns:\n"                  \
  "  material: {column: fabric}\n  areal_density: {column: W, unit: mg/cm2}\n"                               \
  "  thickness: {column: T0, unit: mm}\n  em_warp: {column: EM-1, unit: \"%\"}\n"                            \
  "  em_weft: {column: EM-2, unit: \"%\"}\n  lt_warp: {column: LT-1, unit: \"1\"}\n"                         \
  "  lt_weft: {column: LT-2, unit: \"1\"}\n  shear: {column: G, unit: gf/cm/deg}\n"                          \
  "  bending_warp: {column: B-1, unit: gf cm2/cm}\n  bending_weft: {column: B-2, unit: gf cm2/cm}\n"         \
  "  hysteresis_warp: {column: 2HB-1, unit: gf cm/cm}\n  hysteresis_weft: {column: 2HB-2, unit: gf cm/cm}\n" \
  "  drape_coefficient: {column: DC, unit: \"%\", u_rel: 0.03}\n  support: {value: 18, unit: cm}\n"          \
  "  specimen: {value: 30, unit: cm}\n"
#define HEADER "fabric;W;T0;EM-1;EM-2;LT-1;LT-2;G;B-1;B-2;2HB-1;2HB-2;DC\n"

static void sheets_become_laws(void **state) {
  (void)state;
  clit_put("map.yaml", MAPPING);
  clit_put("kes.csv", HEADER
           "Serge;18,5;0,62;3,9;6,1;0,62;0,71;0,65;0,11;0,07;0,04;0,03;41,2\n"
           "Voile;6,2;0,31;;;;;;;;;;\n");
  json_t *doc = clit_json("import kes --mapping map.yaml kes.csv --db lab.db --json", 0, NULL);
  jp_expect("import kes", doc);
  const json_t *serge = json_array_get(json_object_get(doc, "cloths"), 0),
               *voile = json_array_get(json_object_get(doc, "cloths"), 1);
  assert_true(json_is_true(json_object_get(serge, "stretch")) &&
              json_is_true(json_object_get(serge, "bending")));
  assert_near(clit_number(serge, "drape_coefficient"), 0.412, 1e-15);
  assert_true(json_is_false(json_object_get(voile, "stretch")));
  assert_true(json_is_null(json_object_get(voile, "drape_coefficient")));
  json_decref(doc);
  clit_run("import kes --mapping map.yaml kes.csv --db lab.db", 1);
  clit_run("db check --db lab.db", 0);
  doc = clit_json("db missing --db lab.db --json", 0, NULL);
  jp_expect("db missing", doc);
  serge = json_array_get(json_object_get(doc, "cloths"), 0);
  voile = json_array_get(json_object_get(doc, "cloths"), 1);
  assert_true(json_is_true(json_object_get(serge, "drapes")));
  assert_int_equal(json_array_size(json_object_get(serge, "missing")), 2); /* permeability, friction */
  assert_true(json_is_false(json_object_get(voile, "drapes")));
  assert_int_equal(json_array_size(json_object_get(voile, "missing")), 6);
  json_decref(doc);
}

static int count_rows(const char *sql) {
  char path[400];
  sqlite3 *db;
  sqlite3_stmt *q;
  assert_int_equal(sqlite3_open_v2(cbt_path("lab.db", path), &db, SQLITE_OPEN_READONLY, NULL), SQLITE_OK);
  assert_int_equal(sqlite3_prepare_v2(db, sql, -1, &q, NULL), SQLITE_OK);
  assert_int_equal(sqlite3_step(q), SQLITE_ROW);
  const int n = sqlite3_column_int(q, 0);
  sqlite3_finalize(q);
  sqlite3_close(db);
  return n;
}

/* From the sheet to a verdict: the drape of its laws against its coefficient. */
static void a_sheet_predicts_its_drape(void **state) {
  (void)state;
  clit_put("map.yaml", MAPPING);
  clit_put("kes.csv", HEADER "Serge;18,5;0,62;3,9;6,1;0,62;0,71;0,65;0,11;0,07;0,04;0,03;41,2\n");
  clit_run("import kes --mapping map.yaml kes.csv --db lab.db", 0);
  cbt_result *r = malloc(sizeof *r);
  cbt_run(r, cbt_folder, "validate drape --cloth Serge --vertices 400 --seeds 2 --db lab.db --json");
  assert_true(r->code == 0 || r->code == 3); /* a mesh as coarse as that need not be right */
  json_t *doc = jp_document(r->out);
  jp_expect("validate drape", doc);
  assert_near(clit_number(doc, "validation_id"), 1, 0);
  const json_t *measured = json_object_get(doc, "measured");
  assert_near(clit_number(measured, "mean"), 0.412, 1e-12);
  json_decref(doc);
  assert_int_equal(
      count_rows("SELECT count(*) FROM validation WHERE experiment = 'drape' AND run_id IS NULL"), 1);
  assert_int_equal(count_rows("SELECT count(*) FROM validation_law"), 2);
  assert_int_equal(count_rows("SELECT count(*) FROM validation_drape"), 1);
  cbt_run(r, cbt_folder, "db show Serge --db lab.db");
  assert_non_null(strstr(r->out, "verdict on a predicted drape"));
  assert_non_null(strstr(r->out, "\n\n  not measured: permeability, friction\n"));
  free(r);
  clit_run("db check --db lab.db", 0);
}

static void bad_sheets_are_refused(void **state) {
  (void)state;
  static const struct {
    const char *row, *says;
  } bad[] = {
      {"Serge;18,5;0,62;3,9;6,1;2,4;0,71;0,65;0,11;0,07;0,04;0,03;41,2\n", "kes.csv:2: lt_warp = 2.4"},
      {";18,5;0,62;3,9;6,1;0,6;0,71;0,65;0,11;0,07;0,04;0,03;41,2\n", "kes.csv:2: material ''"},
      {"Serge;18,5;0,62;3,9;6,1;0,6;0,71;0,65;0,11;-0,07;0,04;0,03;41,2\n", "kes.csv:2: bending_weft = -"},
      {"Serge;18,5;0,62;3,9;6,1;0,6;0,71;0,65;0,11;0,07;0,04;0,03;141\n",
       "kes.csv:2: drape_coefficient = 1.41"},
  };
  cbt_result *r = malloc(sizeof *r);
  clit_put("map.yaml", MAPPING);
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
    char text[400];
    (void)snprintf(text, sizeof text, HEADER "%s", bad[i].row);
    clit_put("kes.csv", text);
    cbt_run(r, cbt_folder, "import kes --mapping map.yaml kes.csv --db no.db");
    if (r->code != 1 || !strstr(r->err, bad[i].says)) fail_msg("'%s' lacks '%s'", r->err, bad[i].says);
  }
  free(r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(sheets_become_laws, cbt_folder_set_up, cbt_folder_tear_down),
      cmocka_unit_test_setup_teardown(a_sheet_predicts_its_drape, cbt_folder_set_up, cbt_folder_tear_down),
      cmocka_unit_test_setup_teardown(bad_sheets_are_refused, cbt_folder_set_up, cbt_folder_tear_down)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
