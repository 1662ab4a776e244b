/* db ls: how much there is, what is due and the first of each kind; or a kind, every entry once. */
#include "cb_store.h"
#include "clitest.h"

#define MAPPING                                                                                              \
  "kind: friction\nsource: us\ncolumns:\n  cloth: {column: c}\n  body: {column: b}\n"                        \
  "  direction: {column: deg, unit: deg}\n  normal_force: {column: N, unit: N}\n  force: {column: F, unit: " \
  "N}\n"

enum { CLOTHS = 60 };

/* A pull of each of sixty cloths, and a law of one. */
static void fill(void) {
  static char rows[4000];
  size_t n = (size_t)snprintf(rows, sizeof rows, "c,b,deg,N,F\n");
  for (int i = 0; i < CLOTHS; i++)
    n +=
        (size_t)snprintf(rows + n, sizeof rows - n, "Cloth %c%c,Steel,0,1,0.2\n", 'A' + i / 10, 'a' + i % 10);
  n += (size_t)snprintf(rows + n, sizeof rows - n,
                        "Cloth Aa,Steel,0,2,0.39\nCloth Aa,Steel,90,1,0.21\nCloth Aa,Steel,90,2,0.42\n");
  clit_put("map.yaml", MAPPING);
  clit_put("rows.csv", rows);
  clit_run("import friction --mapping map.yaml rows.csv --new --db a.db", 0);
  clit_run("fit friction --cloth \"Cloth Aa\" --body Steel --db a.db", 0);
  clit_run("db void 3 slipped --operator Mia --db a.db", 0);
}

static int count(const char *text, const char *words) {
  int n = 0;
  for (const char *at = text; (at = strstr(at, words)); at++) n++;
  return n;
}

static void first_the_sum_then_some_of_each_kind(void **state) {
  (void)state;
  fill();
  clit_expect(
      "db ls --db a.db", 0,
      "in all    cloths 60, bodies 1, specimens 0, campaigns 1, runs 63\nruns      done 62, voided 1\n"
      "laws      friction 1\ncloth     Cloth Aa ",
      "");
  assert_int_equal(count(clit_last.out, "\ncloth "), 8);
  clit_says("ls", "stdout", clit_last.out, "and 52 more cloths: 'db ls cloths'\nbody      Steel");
  assert_int_equal(count(clit_last.out, "\nlaw       F1    friction      Cloth Aa on Steel, kinetic, "), 1);
  clit_run("db ls --all --db a.db", 0);
  assert_int_equal(count(clit_last.out, "\ncloth "), CLOTHS);
  assert_null(strstr(clit_last.out, "more"));
}

/* One more run of the pair, a calibration that ended, a campaign that was left. */
static void what_is_due_is_told(void **state) {
  (void)state;
  char path[400];
  cb_store *s;
  cb_campaign left = {.kind = CB_CAMPAIGN_FRICTION, .origin = CB_MEASURED, .name = "left", .plan_text = ""};
  cb_calibration old = {.origin = CB_MEASURED,
                        .cell = "K7",
                        .unit = "N",
                        .slope_N_per_unit = 1,
                        .valid_from = "2000-01-01",
                        .valid_until = "2001-01-01"};
  fill();
  clit_put("more.csv", "c,b,deg,N,F\nCloth Aa,Steel,0,4,0.8\n");
  clit_run("import friction --mapping map.yaml more.csv --new --db a.db", 0);
  assert_ok(cb_store_open(cbt_path("a.db", path), CB_STORE_WRITE, &s, err));
  assert_ok(cb_store_rig_ensure(s, "rig", "name: rig\n", &old.rig_id, err));
  assert_ok(cb_store_calibration_ensure(s, &old, err));
  assert_ok(cb_store_campaign_put(s, &left, err));
  assert_ok(cb_store_close(s, err));
  clit_expect("db ls --db a.db", 0,
              "\ndue       laws, each older than so many of its runs: F1 1\n"
              "due       calibrations that end: 2 of cell K7 on 2001-01-01\n"
              "due       campaigns that are unfinished: 3 left\n",
              "");
  old.id = 0;
  (void)snprintf(old.valid_until, sizeof old.valid_until, "9999-01-01");
  assert_ok(cb_store_open(path, CB_STORE_WRITE, &s, err));
  assert_ok(cb_store_calibration_ensure(s, &old, err));
  assert_ok(cb_store_campaign_finish(s, left.id, err));
  assert_ok(cb_store_close(s, err));
  clit_run("fit friction --cloth \"Cloth Aa\" --body Steel --db a.db", 0);
  clit_run("db ls --db a.db", 0);
  assert_null(strstr(clit_last.out, "\ndue "));
}

static void a_kind_is_told_whole(void **state) {
  (void)state;
  fill();
  clit_run("db ls cloths --db a.db", 0);
  assert_int_equal(count(clit_last.out, "cloth  "), CLOTHS);
  clit_expect("db ls bodies --db a.db", 0, "body      Steel", "");
  clit_expect("db ls laws --db a.db", 0, "law       F1    friction", "");
  clit_expect("db ls campaigns --db a.db", 0, "62 of 63 runs done", "");
  clit_expect("db ls specimens --db a.db", 0, "", "");
  clit_expect("db ls runs --db a.db", 0, "40 rows\n--all shows every run", "");
  clit_expect("db ls runs --all --db a.db", 0, "63 rows\n", "");
  clit_expect("db ls cars --db a.db", 2, "", "cloths, bodies, specimens, campaigns, laws or runs was wanted");
  clit_expect("db ls laws --json --db a.db", 2, "", "no word was wanted");
}

static void a_law_is_shown_by_its_number(void **state) {
  (void)state;
  fill();
  clit_expect("db show F1 --db a.db", 0, "ref         F1\nlaw         friction\nkind        kinetic\n", "");
  clit_expect("db show S1 --db a.db", 1, "", "no law S1: 'clothbench db ls laws' lists them");
  json_t *doc = clit_json("db show F1 --json --db a.db", 0, "db show LAW");
  assert_string_equal(json_string_value(json_object_get(doc, "law")), "friction");
  assert_int_equal(json_array_size(json_object_get(doc, "numbers")), 0);
  json_decref(doc);
  clit_expect("db show F77 --json --db a.db", 1, "", "no law F77");
  doc = clit_json("db show S7 --json --db " CB_SOURCE_DIR "/materials.db", 0, "db show LAW");
  const json_t *first = json_array_get(json_object_get(doc, "numbers"), 0);
  assert_string_equal(json_string_value(json_object_get(first, "name")), "stretch_warp_N_per_m");
  assert_near(json_number_value(json_object_get(first, "value")), 632.595, 1e-3);
  assert_true(json_is_null(json_object_get(doc, "body")));
  json_decref(doc);
  clit_expect("db show S7 --db " CB_SOURCE_DIR "/materials.db", 0,
              "number      stretch_warp_N_per_m = 632.595, u 71.4951\n", "");
  clit_run("db query \"SELECT count(*) - count(DISTINCT ref) AS twice FROM v_law\" --db " CB_SOURCE_DIR
           "/materials.db",
           0);
  clit_says("refs", "stdout", clit_last.out, "twice\n    0\n");
}

static void a_campaign_is_a_document(void **state) {
  (void)state;
  fill();
  clit_run("db amend 1 --set angle_deg=30 --reason sheet --db a.db", 0);
  clit_run("db void 2 --reason slipped --db a.db", 0);
  clit_run("db amend 3 --set verdict=doubtful --reason watched --db a.db", 0);
  json_t *doc = clit_json("db show 1 --json --db a.db", 0, "db show CAMPAIGN");
  const json_t *runs = json_object_get(doc, "runs"), *run = json_array_get(runs, 0);
  cb_store *s;
  cb_run stored;
  cb_friction_point point;
  char path[400];
  assert_int_equal(json_array_size(runs), 63);
  assert_near(json_number_value(json_object_get(run, "angle_deg")), 30, 0);
  assert_string_equal(json_string_value(json_object_get(json_array_get(runs, 1), "status")), "voided");
  assert_true(json_is_null(json_object_get(run, "validity"))); /* of a table: nobody judged it */
  assert_string_equal(json_string_value(json_object_get(json_array_get(runs, 2), "validity")), "doubtful");
  assert_string_equal(json_string_value(json_object_get(json_array_get(runs, 2), "faults")), "said");
  assert_ok(cb_store_open(cbt_path("a.db", path), CB_STORE_READ, &s, err));
  assert_ok(cb_store_run_get(s, 1, &stored, err));
  assert_ok(cb_store_point_of_run(s, 1, &point, err));
  assert_near(json_number_value(json_object_get(run, "mu")), point.kinetic_N / stored.normal_force_N, 1e-12);
  assert_ok(cb_store_close(s, err));
  json_decref(doc);
  clit_expect("db show 99 --json --db a.db", 1, "", "no campaign 99");
}

int main(void) {
#define T(f) cmocka_unit_test_setup_teardown(f, cbt_folder_set_up, cbt_folder_tear_down)
  const struct CMUnitTest tests[] = {T(first_the_sum_then_some_of_each_kind), T(what_is_due_is_told),
                                     T(a_kind_is_told_whole), T(a_law_is_shown_by_its_number),
                                     T(a_campaign_is_a_document)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
