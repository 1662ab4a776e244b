/* Verdicts on stacks of cloths: against the closed form of layers in series, kept as a row, merged. */
#include <math.h>

#include "cb_stats.h"
#include "clitest.h"
#include "jsonpage.h"
#include "lab_stack.h"

/* Three pieces each of two cloths that resist by 500 and 1500 Pa s/m, and a stack of both; `off` of the
 * stack. */
static void put_tables(double off) {
  static const double pressures[] = {50, 100, 200}, R[] = {500, 1500, 2000};
  static const char *const names[] = {"Gauze", "Linen", "Gauze and Linen"};
  char text[4000] = "cloth,piece,p_Pa,v_mm_s\n";
  for (int c = 0; c < 3; c++)
    for (int piece = 0; piece < 3; piece++)
      for (int k = 0; k < 3; k++)
        (void)snprintf(text + strlen(text), sizeof text - strlen(text), "%s,%d,%.6f,%.6f\n", names[c], piece,
                       pressures[k],
                       1e3 * pressures[k] / R[c] * (1 + 0.02 * (piece - 1)) * (c == 2 ? 1 + off : 1));
  clit_put("air.csv", text);
  clit_put("air.yaml",
           "kind: permeability\nmethod: ISO 9237\nsource: us\ncolumns:\n  material: {column: cloth}\n"
           "  specimen: {column: piece}\n  pressure: {column: p_Pa, unit: Pa}\n"
           "  velocity: {column: v_mm_s, unit: mm/s}\n");
  clit_run("import permeability --mapping air.yaml air.csv --db lab.db", 0);
  clit_run("fit permeability --cloth Gauze --db lab.db", 0);
  clit_run("fit permeability --cloth Linen --db lab.db", 0);
}

static cb_store *open_lab(cb_store_mode mode) {
  char path[400];
  cb_store *s;
  assert_ok(cb_store_open(cbt_path("lab.db", path), mode, &s, err));
  return s;
}

static lab_stack judged(cb_store *s) {
  static lab_layers layers;
  lab_stack k;
  layers.n = 0;
  assert_ok(lab_layers_add_word(s, "Gauze", &layers, err));
  assert_ok(lab_layers_add_word(s, "Linen*1", &layers, err));
  assert_ok(lab_stack_judge(s, &layers, "Gauze and Linen", &k, err));
  return k;
}

/* v = p / (R1 + R2), and 15 % of a layer more for the contact of two. */
static void layers_in_series(void **state) {
  (void)state;
  put_tables(0);
  cb_store *s = open_lab(CB_STORE_READ);
  lab_stack k = judged(s);
  assert_int_equal(k.n, 9);
  for (size_t i = 0; i < k.n; i++) {
    const lab_stack_point *p = &k.points[i];
    const double difference = log(p->predicted_m_per_s / p->measured_m_per_s);
    assert_near(p->predicted_m_per_s / (p->pressure_Pa / 2150), 1, 2e-4);
    assert_near(p->en, difference / hypot(p->U_predicted_ln, p->U_measured_ln), 1e-12);
    if (p->pressure_Pa < 150)
      assert_false(p->inside_measured_range); /* a quarter of it lies across the gauze */
  }
  assert_true(k.pass && k.worst_en < 1);
  lab_stack_clear(&k);
  assert_ok(cb_store_close(s, err));
}

/* The verdict is a row with laws and tests behind it, and another database takes all of it. */
static void a_verdict_is_kept_and_merged(void **state) {
  (void)state;
  put_tables(0);
  json_t *doc =
      clit_json("validate stack Gauze Linen --measured 'Gauze and Linen' --db lab.db --json", 0, NULL);
  jp_expect("validate stack", doc);
  assert_near(clit_number(doc, "validation_id"), 1, 0);
  json_decref(doc);
  clit_run("db merge lab.db --db other.db", 0);
  clit_run("db check --db other.db", 0);
  char path[400];
  cb_store *s;
  cb_validation *list;
  size_t n;
  assert_ok(cb_store_open(cbt_path("other.db", path), CB_STORE_READ, &s, err));
  assert_ok(cb_store_validations(s, 0, &list, &n, err));
  assert_int_equal(n, 1);
  assert_string_equal(list[0].experiment, "stack");
  assert_true(list[0].pass && list[0].run_id == 0 && list[0].cloth_id > 0);
  cb_validations_free(list, n);
  assert_ok(cb_store_close(s, err));
  cbt_result *r = malloc(sizeof *r);
  cbt_run(r, cbt_folder, "db show 'Gauze and Linen' --db other.db");
  assert_non_null(strstr(r->out, "verdict on a predicted stack"));
  free(r);
}

/* A stack that lets 60 % more through than its layers may is no stack of them: exit 3, and the row says so.
 */
static void a_wrong_stack_fails(void **state) {
  (void)state;
  put_tables(0.6);
  json_t *doc =
      clit_json("validate stack Gauze Linen --measured 'Gauze and Linen' --db lab.db --json", 3, NULL);
  assert_string_equal(json_string_value(json_object_get(doc, "verdict")), "fail");
  assert_true(clit_number(doc, "worst_en") > 1);
  json_decref(doc);
}

static void bad_questions_are_refused(void **state) {
  (void)state;
  put_tables(0);
  static const struct {
    const char *args, *says;
  } bad[] = {
      {"Gauze Linen --measured Linen", "'Linen' is a layer of the stack"},
      {"Gauze Linen --measured Silk", "no cloth named 'Silk'"},
      {"Gauze*0 --measured Linen", "NAME*LAYERS with 1 to 1000 layers"},
      {"'Gauze and Linen' --measured Linen", "'Gauze and Linen' has no law of permeability"},
  };
  cbt_result *r = malloc(sizeof *r);
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
    char args[300];
    (void)snprintf(args, sizeof args, "validate stack %s --db lab.db", bad[i].args);
    cbt_run(r, cbt_folder, args);
    if (r->code == 0 || !strstr(r->err, bad[i].says))
      fail_msg("%s: '%s' lacks '%s'", args, r->err, bad[i].says);
  }
  cbt_run(r, cbt_folder,
          "validate stack 'White Filti (nW11)' 'Flannel (W4)' --measured 'White Filti & Flannel (Combo D)' "
          "--db " CB_SOURCE_DIR "/materials.db");
  assert_int_equal(r->code, 0);
  assert_non_null(strstr(r->err, "is a reference database: the verdict is not kept"));
  assert_non_null(strstr(r->out, "verdict: pass"));
  free(r);
}

int main(void) {
#define T(f) cmocka_unit_test_setup_teardown(f, cbt_folder_set_up, cbt_folder_tear_down)
  const struct CMUnitTest tests[] = {T(layers_in_series), T(a_verdict_is_kept_and_merged),
                                     T(a_wrong_stack_fails), T(bad_questions_are_refused)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
