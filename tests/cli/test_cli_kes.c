/* clothbench import kes, a sheet as a laboratory has it: KES units, decimal commas, a hole. */
#include <math.h>
#include <sqlite3.h>

#include "cb_store_figure.h"
#include "clitest.h"
#include "jsonpage.h"
#include "storetest.h"

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

/* The drape that came with the sheet is older than the seal; a number that is typed is compared. */
static void a_sealed_drape(void) {
  cbt_result *r = malloc(sizeof *r);
  clit_expect("predict drape --cloth Serge --vertices 400 --seeds 2 --seal p.json --db lab.db", 0,
              "drape coefficient", "sealed in p.json, ");
  clit_expect("validate drape --sealed p.json --db lab.db", 0, "verdict: none",
              "1 drape of 'Serge' was stored before the prediction was sealed");
  cbt_run(r, cbt_folder, "validate drape --sealed p.json --measured 0.999 --db lab.db --json");
  json_t *doc = jp_document(r->out);
  jp_expect("validate drape", doc);
  assert_near(clit_number(json_object_get(doc, "measured"), "mean"), 0.999, 1e-12);
  json_decref(doc);
  clit_expect("validate drape --sealed p.json --cloth Serge", 2, "", "--cloth is not taken with it");
  clit_expect("predict drape --cloth Serge --seeds 1 --seal q.json --db lab.db", 2, "", "wants 2 or more");
  clit_expect("predict drape --cloth Serge --scores 1,2,3,4,5,6,7 --seal q.json --db lab.db", 2, "",
              "--scores: ");
  clit_expect("validate drape --cloth Serge --scores 1,2,3,4,5,6,7 --db lab.db", 2, "",
              "compared with nothing");
  free(r);
}

/* A verdict stores the shape of its drape; a prediction does so where it is told to. The page says whose laws
 * they were, and when there are newer ones. */
static void a_shape_on_the_page(void) {
  char path[400], *page;
  size_t n;
  assert_int_equal(
      count_rows("SELECT count(*) FROM drape_shape WHERE stretch_law_id > 0 AND bending_law_id > "
                 "0 AND seeds = 2 AND seed IN (1, 2) AND n_vertices > 300"),
      1);
  clit_expect("predict drape --cloth Serge --vertices 400 --seeds 1 --db lab.db", 0, "drape coefficient", "");
  assert_int_equal(count_rows("SELECT count(*) FROM drape_shape"), 1);
  clit_expect("predict drape --cloth Serge --vertices 400 --seeds 1 --shear-N-m 30 --store --db lab.db", 0,
              "stored as draped shape 2\n", "");
  clit_expect("predict drape --cloth Serge --scores 1,2,3,4,5,6,7 --store --db lab.db", 2, "", "--store: ");
  clit_expect("predict drape --cloth Serge --seeds 1 --store --db " CB_SOURCE_DIR "/materials.db", 1, "",
              "reference");
  clit_run("report --cloth Serge --db lab.db --out pages", 0);
  assert_ok(cb_file_read(cbt_path("pages/cloth-1-serge.html", path), 1 << 24, &page, &n, err));
  assert_non_null(strstr(page, "laws: stretch S1, bending B2; clothbench "));
  assert_null(strstr(page, "older than its laws"));
  assert_non_null(strstr(page, "src=\"data:image/png;base64,iVBOR"));
  assert_non_null(
      strstr(page, "srcdoc=\"&lt;!DOCTYPE html&gt;\n&lt;html lang=&quot;en&quot; data-embedded&gt;"));
  free(page);
  clit_put("again.csv", HEADER "Serge;18,5;0,62;3,9;6,1;0,63;0,71;0,65;0,11;0,08;0,04;0,03;41,2\n");
  clit_run("import kes --mapping map.yaml again.csv --db lab.db", 0);
  clit_run("report --cloth Serge --db lab.db --out pages", 0);
  assert_ok(cb_file_read(path, 1 << 24, &page, &n, err));
  assert_non_null(strstr(page, "laws: stretch S1, bending B2; clothbench "));
  assert_non_null(strstr(page, "<b class=\"bad\">It is older than its laws.</b>"));
  free(page);
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
  a_sealed_drape();
  a_shape_on_the_page();
  clit_run("db check --db lab.db", 0);
}

#define MORE                                                                                             \
  "kind: kes\nmethod: KES-F\nsource: us\ncolumns:\n  material: {column: fabric}\n"                       \
  "  em_warp: {column: EM1, unit: \"%\"}\n  lt_weft: {column: LT2, unit: \"1\"}\n"                       \
  "  wt_warp: {column: WT1, unit: gf cm/cm2}\n  wt_weft: {column: WT2, unit: gf cm/cm2}\n"               \
  "  shear_hysteresis: {column: 2HG, unit: gf/cm, u_rel: 0.05}\n"                                        \
  "  shear_hysteresis_5: {column: 2HG5, unit: gf/cm}\n  miu: {column: MIU, unit: \"1\", u_rel: 0.03}\n"  \
  "  mmd: {column: MMD, unit: \"1\"}\n  smd: {column: SMD, unit: um}\n  t0: {column: T0, unit: mm}\n"    \
  "  tm: {column: TM, unit: mm}\n  lc: {column: LC, unit: \"1\"}\n  wc: {column: WC, unit: gf cm/cm2}\n" \
  "  rc: {column: RC, unit: \"%\"}\n"
#define MORE_ROW                                                 \
  "fabric,EM1,LT2,WT1,WT2,2HG,2HG5,MIU,MMD,SMD,T0,TM,LC,WC,RC\n" \
  "Serge,4.0,0.7,6.5,12.0,1.20,2.50,0.180,0.0210,5.4,0.620,0.430,0.31,0.142,48\n"

static const json_t *property_of(const json_t *doc, const char *title, const char *name) {
  const json_t *section, *property;
  size_t i, k;
  json_array_foreach(json_object_get(doc, "laws"), i, section) {
    if (strcmp(json_string_value(json_object_get(section, "title")), title) != 0) continue;
    json_array_foreach(json_object_get(section, "properties"), k,
                       property) if (strcmp(json_string_value(json_object_get(property, "name")), name) ==
                                     0) return property;
  }
  fail_msg("no '%s' of '%s'", name, title);
  return NULL;
}

/* What no law is made of is kept, in SI; MIU makes a law of friction; T0 is the thickness. */
static void figures_are_kept(void **state) {
  (void)state;
  clit_put("map.yaml", MORE);
  clit_put("kes.csv", MORE_ROW);
  json_t *doc = clit_json("import kes --mapping map.yaml kes.csv --db lab.db --json", 0, NULL);
  jp_expect("import kes", doc);
  const json_t *serge = json_array_get(json_object_get(doc, "cloths"), 0);
  assert_near(clit_number(serge, "miu"), 0.18, 1e-15);
  assert_near(clit_number(serge, "figures"), 9, 0);
  assert_true(json_is_true(json_object_get(serge, "stretch")));
  json_decref(doc);
  clit_expect("import kes --mapping map.yaml kes.csv --db lab.db", 1, "", "would count twice");
  clit_run("fit friction --db lab.db", 0);
  doc = clit_json("db show Serge --db lab.db --json", 0, NULL);
  jp_expect("db show", doc);
  const json_t *hysteresis = property_of(doc, "stated figures", "2HG");
  assert_near(clit_number(hysteresis, "value"), 1.2 * 0.980665, 1e-12);
  assert_near(clit_number(hysteresis, "u"), hypot(0.05 * 1.2, 0.01 / sqrt(12)) * 0.980665, 1e-12);
  assert_true(json_is_null(json_object_get(property_of(doc, "stated figures", "MMD"), "u")));
  assert_near(clit_number(property_of(doc, "stated figures", "SMD"), "value"), 5.4e-6, 1e-18);
  assert_near(clit_number(property_of(doc, "stated figures", "WC"), "value"), 0.142 * 0.980665, 1e-12);
  assert_near(clit_number(property_of(doc, "stated figures", "RC"), "value"), 0.48, 1e-15);
  assert_near(clit_number(property_of(doc, "kinetic friction on KES surface probe", "coefficient"), "value"),
              0.18, 1e-9);
  const json_t *thickness = json_array_get(json_object_get(doc, "properties"), 0);
  assert_string_equal(json_string_value(json_object_get(thickness, "name")), "thickness");
  assert_near(clit_number(thickness, "value"), 6.2e-4, 1e-18);
  json_decref(doc);
  clit_run("report --cloth Serge --db lab.db --out report", 0);
  char *page = clit_get("report/cloth-1-serge.html");
  assert_non_null(strstr(page, "<h3>stated figures</h3>"));
  assert_non_null(strstr(page, "mean deviation of the height"));
  free(page);
  assert_int_equal(count_rows("SELECT count(*) FROM run WHERE abs(normal_force_N - 0.4903325) < 1e-12"), 1);
  assert_int_equal(count_rows("SELECT count(*) FROM material_figure WHERE u IS NULL"), 8);
  clit_run("db check --db lab.db", 0);
}

/* Names and units of another program's figures are text, on a page, too. */
static void names_of_figures_are_text(void **state) {
  (void)state;
  char path[400];
  cb_store *s;
  cb_material_figure f = {.name = "<b>&", .value = 2, .u = NAN, .unit = "N/<i>", .origin = CB_IMPORTED};
  assert_ok(cb_store_open(cbt_path("lab.db", path), CB_STORE_WRITE, &s, err));
  assert_ok(cb_store_material_ensure(s, CB_CLOTH, "X", CB_IMPORTED, &f.material_id, err));
  assert_ok(cb_store_figure_put(s, &f, "", err));
  f.value = INFINITY;
  assert_fails(CB_E_NUM, "a finite number", cb_store_figure_put(s, &f, "", err));
  assert_ok(cb_store_close(s, err));
  clit_run("report --cloth X --db lab.db --out report", 0);
  char *page = clit_get("report/cloth-1-x.html");
  assert_non_null(strstr(page, "&lt;b&gt;&amp;"));
  assert_non_null(strstr(page, "N/&lt;i&gt;"));
  assert_null(strstr(page, "<i>"));
  free(page);
  store_exec(path, "DELETE FROM material_figure", "append-only");
  store_exec(path, "UPDATE material_figure SET value = 3", "append-only");
}

/* A thickness that is known goes before T0; WT that contradicts EM and LT is refused. */
static void t0_yields_and_work_must_agree(void **state) {
  (void)state;
  clit_put("map.yaml", MORE);
  clit_put("kes.csv", MORE_ROW);
  clit_run("material set Serge --thickness-mm 0.5 --source us --db lab.db", 0);
  clit_run("import kes --mapping map.yaml kes.csv --db lab.db", 0);
  assert_int_equal(count_rows("SELECT count(*) FROM material WHERE abs(thickness_m - 5e-4) < 1e-15"), 1);
  assert_int_equal(count_rows("SELECT count(*) FROM material_figure WHERE name = 'T0'"), 1);
  clit_put("map2.yaml",
           "kind: kes\nsource: us\ncolumns:\n  material: {column: m}\n  em_warp: {column: e, unit: \"%\"}\n"
           "  em_weft: {column: e, unit: \"%\"}\n  lt_warp: {column: l, unit: \"1\"}\n"
           "  wt_warp: {column: w, unit: gf cm/cm2, u_rel: 0.01}\n");
  clit_put("bad.csv", "m,e,l,w\nX,4.0,0.60,12.00\n");
  clit_expect("import kes --mapping map2.yaml bad.csv --db no.db", 1, "",
              "bad.csv:2: X: WT = 11.77 J/m2, u = 0.12, but LT Fm EM / 2 = 5.884 J/m2");
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
      cmocka_unit_test_setup_teardown(figures_are_kept, cbt_folder_set_up, cbt_folder_tear_down),
      cmocka_unit_test_setup_teardown(names_of_figures_are_text, cbt_folder_set_up, cbt_folder_tear_down),
      cmocka_unit_test_setup_teardown(t0_yields_and_work_must_agree, cbt_folder_set_up, cbt_folder_tear_down),
      cmocka_unit_test_setup_teardown(bad_sheets_are_refused, cbt_folder_set_up, cbt_folder_tear_down)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
