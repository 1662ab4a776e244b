/* clothbench import fab: the published cotton knit, end to end. */
#include "clitest.h"
#include "jsonpage.h"

#define KNIT CBT_DATA "/u3m_fab/cotton_knit.json"
#define SMALL CB_SOURCE_DIR "/tests/fuzz/corpus/fab/good"

static json_t *import_json(const char *file, const char *db) {
  char words[900];
  (void)snprintf(words, sizeof words, "import fab %s --cloth Knit --json --db %s", file, db);
  return clit_json(words, 0, NULL);
}

/* The fit of the knit takes seconds: one import for all. */
static json_t *knit;

static int import_knit(void **state) {
  (void)cbt_folder_set_up(state);
  if (!cbt_absent(KNIT)) knit = import_json(KNIT, "lab.db");
  return 0;
}

static int drop_knit(void **state) {
  json_decref(knit);
  return cbt_folder_tear_down(state);
}

static const json_t *strip_of(const json_t *doc, size_t i) {
  return json_array_get(json_object_get(doc, "strips"), i);
}

static double at(const json_t *strip, const char *part, const char *key) {
  return clit_number(json_object_get(strip, part), key);
}

/* The document is the page's; strips up and down agree (E_n below 1); the loops of cycles that were left out
 * are predicted within 10 %; at 8 cm the weight rules, whose load is far above that of 2 cm. */
static void the_knit_agrees_with_itself(void **state) {
  (void)state;
  if (cbt_absent(KNIT)) skip();
  json_t *doc = knit, *loop;
  jp_expect("import fab", doc);
  assert_near(clit_number(doc, "tests"), 24, 0);
  for (size_t i = 0; i < 3; i++) {
    const json_t *s = strip_of(doc, i), *loops = json_object_get(s, "loops");
    size_t k;
    assert_true(clit_number(s, "en") < 1);
    assert_true(at(s, "mean", "B_Nm") > 2 * at(s, "mean", "u_B_Nm"));
    assert_true(clit_number(s, "load") > 100);
    assert_int_equal(json_array_size(loops), 4);
    json_array_foreach((json_t *)(uintptr_t)loops, k, loop) {
      const double measured = clit_number(loop, "measured_J");
      assert_near(clit_number(loop, "predicted_J"), measured, 0.1 * measured);
    }
  }
}

/* The store has laws that other commands read; a file counts once. */
static void the_knit_is_a_cloth(void **state) {
  (void)state;
  if (cbt_absent(KNIT)) skip();
  assert_near(clit_number(knit, "points"), 9265, 0);
  assert_near(clit_number(knit, "buckled"), 9, 0);
  clit_expect("import fab " KNIT " --cloth Knit --db lab.db", 1, "", "would count twice");
  clit_run("fit stretch --cloth Knit --pretension-N-per-m 1 --db lab.db", 0);
  assert_non_null(strstr(clit_last.out, "0 deg, 8 tests"));
  clit_run("fit bending --cloth Knit --db lab.db", 0);
  assert_non_null(strstr(clit_last.out, "left out, 3: a buckled strip more than twice as long as another"));
  clit_expect("predict bending --cloth Knit --angle-deg 45 --db lab.db", 0, "2HB", "");
  clit_expect("db show Knit --db lab.db", 0, "BendRigidityWarp     warning: low-force", "");
  clit_run("db check --db lab.db", 0);
}

/* Without the vendor's warning, the same readings are as the fit has them. */
static void a_warning_widens(void **state) {
  (void)state;
  if (cbt_absent(KNIT)) skip();
  char *text = cbt_read(KNIT);
  for (char *p; (p = strstr(text, "low-force"));) memcpy(p, "none-none", 9);
  clit_put("calm.json", text);
  free(text);
  json_t *warned = knit, *calm = import_json("calm.json", "b.db");
  for (size_t i = 0; i < 3; i++) {
    const json_t *a = strip_of(warned, i), *b = strip_of(calm, i);
    const double B = at(a, "mean", "B_Nm"), u = at(b, "mean", "u_B_Nm");
    assert_true(json_is_true(json_object_get(a, "low_force")) &&
                json_is_false(json_object_get(b, "low_force")));
    assert_near(at(b, "mean", "B_Nm"), B, 0);
    assert_near(at(a, "mean", "u_B_Nm"), hypot(u, 0.32 * B), 1e-12 * B);
  }
  /* One answer: the mean is the law's. */
  json_t *law = clit_json("fit bending --cloth Knit --json --db b.db", 0, NULL);
  const json_t *directions = json_object_get(law, "directions");
  for (size_t i = 0; i < 3; i++) {
    static const size_t of_strip[] = {0, 2, 1}; /* 0, 90, 45 deg */
    const json_t *d = json_array_get(directions, of_strip[i]);
    assert_near(clit_number(d, "B_Nm"), at(strip_of(calm, i), "mean", "B_Nm"), 1e-15);
    assert_near(clit_number(d, "u_B_Nm"), at(strip_of(calm, i), "mean", "u_B_Nm"), 1e-15);
  }
  json_decref(law);
  json_decref(calm);
}

/* A few readings make no law; what they are is stored. */
static void few_readings_make_no_law(void **state) {
  (void)state;
  clit_expect("import fab " SMALL " --cloth Few --db few.db", 0,
              "6 tests of stretch with 24 points, 9 of buckling", "");
  clit_expect("import fab " SMALL " --cloth Few --db few.db", 1, "", "would count twice");
  clit_expect("fit bending --cloth Few --db few.db", 3, "", "does not tell B");
}

/* Tables of another machine come by a mapping, as all tests do. */
static void a_table_of_buckling_comes_in(void **state) {
  (void)state;
  clit_put("map.yaml",
           "kind: buckling\nmethod: two clamps\nsource: here\ncolumns:\n  material: {value: Voile}\n"
           "  direction: {value: 0, unit: deg}\n  shortening: {column: d, unit: mm}\n  force: {column: F, "
           "unit: mN}\n"
           "  width: {value: 40, unit: mm}\n  length: {value: 21, unit: mm}\n");
  clit_put("strip.csv", "d,F\n1.5,-8\n2,-9\n3,-9.5\n2,-4\n");
  clit_expect("import buckling --mapping map.yaml strip.csv --db voile.db", 0,
              "1 buckling test with 4 points", "");
  clit_run("fit bending --cloth Voile --db voile.db", 3);
  assert_non_null(strstr(clit_last.err, "a buckled strip without length, width or areal density"));
}

static void refuses_what_is_no_file(void **state) {
  (void)state;
  clit_expect("import fab", 2, "", "an argument is missing");
  clit_expect("import fab " SMALL, 2, "", "--cloth");
  clit_expect("import fab nothing.json --cloth Few", 1, "", "nothing.json");
  clit_put("list.json", "[1]");
  clit_expect("import fab list.json --cloth Few", 1, "", "no raw_data");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_knit_agrees_with_itself),
      cmocka_unit_test(the_knit_is_a_cloth),
      cmocka_unit_test(a_warning_widens),
      cmocka_unit_test(few_readings_make_no_law),
      cmocka_unit_test(a_table_of_buckling_comes_in),
      cmocka_unit_test(refuses_what_is_no_file),
  };
  return cmocka_run_group_tests(tests, import_knit, drop_knit);
}
