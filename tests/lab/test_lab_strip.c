/* Verdicts on strips in a direction that the others predict: an orthotropic sheet in closed form. */
#include <math.h>

#include "cb_num.h"
#include "clitest.h"
#include "jsonpage.h"

/* Strips of a linear orthotropic sheet, E1 2000, E2 1000, 1/G12 - 2 nu/E1 = 1/300 N/m, nominal force per
 * width = e / S(angle); three specimens a percent apart. off: of the strips at 30 degrees. */
static void put_strips(double off) {
  static const double angles[] = {0, 30, 45, 60, 90};
  const size_t room = 200000;
  char *text = malloc(room);
  size_t used = (size_t)snprintf(text, room, "angle,piece,d_mm,F_N\n");
  for (size_t a = 0; a < sizeof angles / sizeof angles[0]; a++)
    for (int piece = 0; piece < 3; piece++)
      for (int k = 0; k <= 100; k++) {
        const double c = cos(angles[a] * CB_DEG), s = sin(angles[a] * CB_DEG), e = 0.1 * k / 100,
                     S = pow(c, 4) / 2000 + c * c * s * s / 300 + pow(s, 4) / 1000,
                     f = e / S * (1 + 0.01 * (piece - 1)) * (angles[a] == 30 ? 1 + off : 1);
        used += (size_t)snprintf(text + used, room - used, "%g,%d,%.6f,%.6f\n", angles[a], piece,
                                 1e3 * 0.2 * e, 0.05 * f);
      }
  clit_put("strips.csv", text);
  free(text);
  clit_put("strips.yaml",
           "kind: stretch\nmethod: strips\nsource: us\ncolumns:\n  material: {value: Sheet}\n"
           "  specimen: {column: piece}\n  direction: {column: angle, unit: deg}\n"
           "  displacement: {column: d_mm, unit: mm}\n  force: {column: F_N, unit: N}\n"
           "  length: {value: 200, unit: mm}\n  width: {value: 50, unit: mm}\n");
  clit_run("import stretch --mapping strips.yaml strips.csv --db lab.db", 0);
}

static void the_sheet_predicts_its_strips(void **state) {
  (void)state;
  put_strips(0);
  json_t *doc = clit_json("validate stretch --cloth Sheet --angle-deg 30 --db lab.db --json", 0, NULL);
  jp_expect("validate stretch", doc);
  const json_t *points = json_object_get(doc, "points");
  const double c2 = 0.75, s2 = 0.25, S = c2 * c2 / 2000 + c2 * s2 / 300 + s2 * s2 / 1000;
  assert_int_equal(json_array_size(points), 4);
  for (size_t k = 0; k < 4; k++) {
    const json_t *p = json_array_get(points, k);
    const double truth = clit_number(p, "strain") / S;
    assert_near(clit_number(p, "predicted_N_per_m") / truth, 1, 2e-3);
    assert_near(clit_number(p, "measured_N_per_m") / truth, 1, 2e-3);
  }
  assert_string_equal(json_string_value(json_object_get(doc, "verdict")), "pass");
  assert_string_equal(json_string_value(json_object_get(doc, "form")), "tensor");
  assert_near(clit_number(doc, "tests"), 3, 0);
  assert_near(clit_number(doc, "other_tests"), 12, 0);
  assert_near(clit_number(doc, "validation_id"), 1, 0);
  json_decref(doc);
  clit_run("db check --db lab.db", 0);
}

static void a_strip_of_another_cloth_fails(void **state) {
  (void)state;
  put_strips(0.3);
  json_t *doc = clit_json("validate stretch --cloth Sheet --angle-deg 30 --db lab.db --json", 3, NULL);
  assert_true(clit_number(doc, "worst_en") > 1);
  json_decref(doc);
}

static void bad_questions_are_refused(void **state) {
  (void)state;
  static const struct {
    const char *args, *says;
  } bad[] = {{"--cloth Sheet --angle-deg 20", "there is no stretch test at 20 degrees"},
             {"--cloth Rag --angle-deg 30", "no cloth named 'Rag'"},
             {"--cloth Sheet --angle-deg 30 --origin virtual", "virtual stretch tests"}};
  put_strips(0);
  cbt_result *r = malloc(sizeof *r);
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
    char args[300];
    (void)snprintf(args, sizeof args, "validate stretch %s --db lab.db", bad[i].args);
    cbt_run(r, cbt_folder, args);
    if (r->code != 1 || !strstr(r->err, bad[i].says))
      fail_msg("%s: '%s' lacks '%s'", args, r->err, bad[i].says);
  }
  free(r);
}

int main(void) {
#define T(f) cmocka_unit_test_setup_teardown(f, cbt_folder_set_up, cbt_folder_tear_down)
  const struct CMUnitTest tests[] = {T(the_sheet_predicts_its_strips), T(a_strip_of_another_cloth_fails),
                                     T(bad_questions_are_refused)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
