/* plan --cloth and --sweep: the sweep that tells which property makes a predicted drape uncertain, and what
 * it found, in `plan` and in the report. */
#include "clitest.h"
#include "lab_drape_plan.h"
#include "val_drape_impl.h"

#define CLOTH "'Petrak M1, polyester twill' --db '" CB_SOURCE_DIR "/materials.db'"
#define SCORES "--scores {bend_warp},{bend_weft},{hysteresis},{onset},{stretch},{shear},{mass}"

static double coefficient(const char *args) {
  json_t *doc = clit_json(args, 0, NULL);
  const double c = clit_number(json_object_get(doc, "drape_coefficient"), "mean");
  json_decref(doc);
  return c;
}

/* The words of the plan's command, with these scores. */
static void command_of(const char *plan, const char *scores, char *out, size_t size) {
  const char *from = strstr(plan, "command: validate"), *to = from ? strstr(from, SCORES) : NULL;
  if (!to) fail_msg("%s", plan);
  assert_true(snprintf(out, size, "predict%.*s--scores %s --json", (int)(to - from) - 17, from + 17, scores) <
              (int)size);
  for (char *s = out; *s; s++)
    if (*s == '\n') *s = ' ';
}

static void a_plan_has_the_cloth_in_numbers(void **state) {
  (void)state;
  static const char *const scores[] = {"0,0,0,0,0,0,0", "1,-1,0.5,-0.5,1,-2,3"};
  char args[2000];
  clit_expect("plan --cloth " CLOTH " --out m1.yaml", 0, "", "clothbench sweep m1.yaml --local");
  char *plan = clit_get("m1.yaml");
  for (size_t i = 0; i < sizeof scores / sizeof scores[0]; i++) {
    (void)snprintf(args, sizeof args,
                   "predict drape --cloth " CLOTH " --vertices 400 --seeds 1 --json --scores %s", scores[i]);
    const double by_laws = coefficient(args);
    command_of(plan, scores[i], args, sizeof args);
    const double by_numbers = coefficient(args);
    print_message("scores %s: %.6f by laws, %.6f by numbers\n", scores[i], by_laws, by_numbers);
    assert_near(by_numbers, by_laws, 0.003); /* whose stretch and shear are not straight */
  }
  free(plan);
}

/* Stiffer and lighter cloth drapes less. */
static void scores_are_standard_uncertainties(void **state) {
  (void)state;
#define NUMBERS                                                                                         \
  "predict drape --areal-mass-g-m2 %g --stretch-warp-N-m 100 --stretch-weft-N-m 100 "                   \
  "--shear-N-m 40 --bend-warp-N-m %.17g --bend-weft-N-m %.17g --bend-hysteresis-warp-N 0 "              \
  "--bend-hysteresis-weft-N 0 --u-mass-percent 10 --u-bend-percent 20 --vertices 400 --seeds 1 --json " \
  "--scores %s"
  char args[600];
  (void)snprintf(args, sizeof args, NUMBERS, 150 * exp(-0.2), 1e-5 * exp(0.2), 8e-6 * exp(0.2),
                 "0,0,0,0,0,0,0");
  const double wanted = coefficient(args);
  (void)snprintf(args, sizeof args, NUMBERS, 150.0, 1e-5, 8e-6, "1,1,0,0,0,0,-2");
  assert_near(coefficient(args), wanted, 1e-4); /* the residual of its equilibrium */
  (void)snprintf(args, sizeof args, NUMBERS, 150.0, 1e-5, 8e-6, "0,0,0,0,0,0,0");
  assert_true(coefficient(args) < wanted - 0.01);
  clit_expect("predict drape --cloth " CLOTH " --scores 1,2", 2, "",
              "--scores 1,2: 7 numbers from -10 to 10");
  clit_expect("predict drape --cloth " CLOTH " --scores 1,,2,3,4,5,6,7", 2, "", "7 numbers from -10 to 10");
  clit_expect("predict drape --cloth " CLOTH " --scores 1,2,3,4,5,6,11", 2, "", "7 numbers from -10 to 10");
  clit_expect("predict drape --cloth " CLOTH " --bend-known-at-per-m 50", 2, "",
              "belongs to --bend-warp-N-m");
}

/* Friction divides a moment that a cantilever measured: with it, B of the slope is another, the moment is
 * not. */
static void friction_divides_a_known_moment(void **state) {
  (void)state;
  const double B = 8e-6, h = 2e-4, K = 50;
  const lab_drape_numbers q = {.areal_density_kg_per_m2 = 0.15,
                               .thickness_m = NAN,
                               .stretch_N_per_m = {100, 100},
                               .shear_N_per_m = 40,
                               .bend_Nm = {B, B},
                               .hysteresis_N = {2 * h, 2 * h},
                               .bend_known_at_per_m = K,
                               .u_mass_rel = NAN,
                               .u_stretch_rel = NAN,
                               .u_shear_rel = NAN,
                               .u_bend_rel = NAN,
                               .u_hysteresis_rel = 0.5,
                               .u_onset_rel = NAN};
  const double score[VAL_DRAWN_AXES] = {[VAL_DRAWN_HYSTERESIS] = 1};
  lab_drape_cloth c;
  assert_ok(lab_drape_cloth_make(NULL, NULL, &q, &c, err));
  assert_near(c.material.bending_Nm[0][0], B, 1e-18);
  val_drape_many e = {.one = val_drape_default(), .doubt = c.doubt, .score = score, .seeds = 1};
  e.one.material = c.material;
  const sim_material m = val_drape_drawn(&e, 0).material;
  const double slope = m.bending_Nm[0][0], friction = m.bending_friction_N[0];
  assert_near(friction / slope, exp(0.5) * h / B, 1e-9 * h / B);
  assert_near(slope * K + friction, B * K + h, 1e-9 * B * K); /* the onset is at K */
}

/* ---- what a sweep found ---- */

static const char strips[] =
    "name: strips\ncommand: validate cantilever --gamma {gamma} --cells {cells}\ndesign: indices\ncases: 8\n"
    "vary:\n  - {name: cells, from: 8, to: 9, whole: true}\n  - {name: gamma, from: 5, to: 50, scale: log}\n"
    "keep:\n  - {name: tip, path: h_over_w}\n";

static void what_matters_most_comes_first(void **state) {
  (void)state;
  clit_put("strips.yaml", strips);
  clit_run("sweep strips.yaml --local --quiet", 0);
  clit_run("sweep gather strips", 0);
  json_t *doc = clit_json("plan --sweep strips --json", 0, "plan --sweep");
  const json_t *list = json_object_get(doc, "properties"), *first = json_array_get(list, 0);
  assert_int_equal(json_array_size(list), 2);
  assert_string_equal(json_string_value(json_object_get(first, "name")), "gamma");
  assert_true(clit_number(first, "total") > 0.9);
  assert_true(clit_number(first, "sd_if_known") < 0.5 * clit_number(doc, "sd"));
  assert_true(clit_number(doc, "rows") == 8);
  json_decref(doc);
  clit_expect("plan --sweep strips", 0, "  gamma ", "");
  clit_expect("plan --sweep nowhere", 1, "", "nowhere: is no folder of a sweep");
}

static void the_report_says_what_to_measure_next(void **state) {
  (void)state;
  clit_run("report --cloth " CLOTH " --sweep strips --out pages", 0);
  *strchr(clit_last.out, '\n') = '\0';
  char *page = clit_get(clit_last.out);
  assert_non_null(strstr(page, "What to measure next"));
  assert_non_null(strstr(page, "<td class=\"t\">gamma</td>"));
  free(page);
  clit_expect("report --sweep strips --out other", 2, "", "--sweep belongs to --cloth NAME");
}

static void one_of_three_is_wanted(void **state) {
  (void)state;
  static const char wanted[] = "one of these was wanted: FRAME.yaml --rig RIG.yaml; --cloth NAME";
  clit_expect("plan", 2, "", wanted);
  clit_expect("plan --cloth A --sweep b", 2, "", wanted);
  clit_expect("plan --sweep b --rig rig.yaml", 2, "", wanted);
  clit_expect("plan --cloth " CLOTH, 2, "", "--out FILE was wanted");
  clit_expect("plan --cloth Nothing --db '" CB_SOURCE_DIR "/materials.db' --out n.yaml", 1, "", "Nothing");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_plan_has_the_cloth_in_numbers),
                                     cmocka_unit_test(scores_are_standard_uncertainties),
                                     cmocka_unit_test(friction_divides_a_known_moment),
                                     cmocka_unit_test(what_matters_most_comes_first),
                                     cmocka_unit_test(the_report_says_what_to_measure_next),
                                     cmocka_unit_test(one_of_three_is_wanted)};
  return cmocka_run_group_tests(tests, cbt_folder_set_up, cbt_folder_tear_down);
}
