/* The plan of a sweep: which cases it has, what their commands are, and what is refused. */
#include "swp_plan.h"

#include "cbtest.h"
#include "swp_home_impl.h"
#include "swp_plan_impl.h"
#include "swp_run_impl.h"

#define COMMAND "command: validate cantilever --gamma {gamma} --seed {seed} --cells {cells}\n"
#define KEEP "keep:\n  - {name: tip, path: h_over_w}\n"
#define GAMMA "  - {name: gamma, from: 1, to: 100, scale: log}\n"
#define CELLS "  - {name: cells, from: 4, to: 7, whole: true}\n"

static void load(const char *text, swp_plan *out) {
  char path[400];
  cbt_write(cbt_path("plan.yaml", path), text);
  assert_ok(swp_plan_load(path, out, err));
}

static double number(const swp_plan *p, int index, int variable) {
  char value[SWP_VARIABLES_MAX][SWP_VALUE_BYTES];
  swp_case_values(p, index, value);
  return strtod(value[variable], NULL);
}

/* Every hundredth of a range has one case, and the range is covered to its ends. */
static void a_latin_hypercube_fills_each_part_once(void **state) {
  (void)state;
  swp_plan p;
  load("name: a\n" COMMAND "design: lhs\ncases: 100\nvary:\n" GAMMA CELLS KEEP, &p);
  int count[100] = {0}, of_cells[8] = {0};
  for (int i = 0; i < 100; i++) {
    const int part = (int)(100 * log(number(&p, i, 0)) / log(100.0));
    assert_true(part >= 0 && part < 100);
    count[part]++;
    of_cells[(int)number(&p, i, 1)]++;
  }
  for (int i = 0; i < 100; i++) assert_int_equal(count[i], 1);
  for (int i = 4; i < 8; i++) assert_int_equal(of_cells[i], 25);
  swp_plan_clear(&p);
}

/* A case does not depend on how many there are. */
static void more_cases_of_a_sequence_only_add(void **state) {
  (void)state;
  swp_plan few, many;
  char path[400];
  load("name: a\n" COMMAND "design: sobol\ncases: 8\nvary:\n" GAMMA CELLS KEEP, &few);
  cbt_write(cbt_path("many.yaml", path),
            "name: a\n" COMMAND "design: sobol\ncases: 800\nvary:\n" GAMMA CELLS KEEP);
  assert_ok(swp_plan_load(path, &many, err));
  for (int i = 0; i < 8; i++)
    for (int k = 0; k < 2; k++) assert_true(number(&few, i, k) == number(&many, i, k));
  for (int i = 0; i < 8; i++) assert_int_equal(swp_case_seed(&few, i), swp_case_seed(&many, i));
  swp_plan_clear(&few);
  swp_plan_clear(&many);
}

static void a_grid_has_every_combination(void **state) {
  (void)state;
  swp_plan p;
  char value[SWP_VARIABLES_MAX][SWP_VALUE_BYTES];
  load(
      "name: a\ncommand: validate cantilever --gamma {gamma} --mesh {mesh}\ndesign: grid\nvary:\n"
      "  - {name: mesh, values: [regular, right, \"equilateral\"]}\n  - {name: gamma, values: [1, "
      "2.5]}\n" KEEP,
      &p);
  const char *const wanted[6][2] = {{"regular", "1"}, {"regular", "2.5"},   {"right", "1"},
                                    {"right", "2.5"}, {"equilateral", "1"}, {"equilateral", "2.5"}};
  assert_int_equal(p.n_cases, 6);
  for (int i = 0; i < 6; i++) {
    swp_case_values(&p, i, value);
    for (int k = 0; k < 2; k++) assert_string_equal(value[k], wanted[i][k]);
  }
  swp_plan_clear(&p);
}

static void a_list_has_its_rows(void **state) {
  (void)state;
  swp_plan p;
  char path[400];
  swp_command c;
  cbt_write(cbt_path("cloths.csv", path), "cloth,gamma\nblack denim,3\n\"a, b\",4\n");
  load(
      "name: a\ncommand: predict bending --cloth \"{cloth}\" --curvature {gamma}\ndesign: list\nlist: "
      "cloths.csv\n" KEEP,
      &p);
  assert_int_equal(p.n_cases, 2);
  assert_ok(swp_command_make(&p, 1, "F", &c, err));
  assert_string_equal(c.argv[3], "a, b");
  assert_string_equal(c.argv[5], "4");
  assert_string_equal(c.argv[6], "--json");
  assert_null(c.argv[7]);
  swp_command_clear(&c);
  swp_plan_clear(&p);
}

static void a_normal_variable_has_its_moments(void **state) {
  (void)state;
  swp_plan p;
  double mean = 0, square = 0;
  load(
      "name: a\ncommand: validate cantilever --gamma {gamma}\ndesign: sobol\ncases: 4096\nvary:\n"
      "  - {name: gamma, mean: 5, sd: 0.5}\n" KEEP,
      &p);
  for (int i = 0; i < 4096; i++) {
    const double z = (number(&p, i, 0) - 5) / 0.5;
    mean += z / 4096, square += z * z / 4096;
  }
  assert_near(mean, 0, 2e-3);
  assert_near(square, 1, 1e-2);
  swp_plan_clear(&p);
}

/* The function of Ishigami and Homma (1990), a = 7, b = 0.1, whose indices are known in closed form. */
static void indices_of_a_known_function(void **state) {
  (void)state;
  static const double first[3] = {0.3139, 0.4424, 0}, total[3] = {0.5576, 0.4424, 0.2437};
  swp_plan p;
  swp_sensitivity s;
  const swp_index *index = s.index;
  load(
      "name: a\ncommand: validate cantilever --gamma {x} --cells {y} --seed {z}\ndesign: indices\ncases: "
      "4096\n"
      "vary:\n  - {name: x, from: -3.141592653589793, to: 3.141592653589793}\n"
      "  - {name: y, from: -3.141592653589793, to: 3.141592653589793}\n"
      "  - {name: z, from: -3.141592653589793, to: 3.141592653589793}\n" KEEP,
      &p);
  assert_int_equal(p.n_cases, 5 * 4096);
  double *f = malloc((size_t)p.n_cases * sizeof *f);
  assert_non_null(f);
  for (int i = 0; i < p.n_cases; i++) {
    const double x = number(&p, i, 0), y = number(&p, i, 1), z = number(&p, i, 2);
    f[i] = sin(x) + 7 * sin(y) * sin(y) + 0.1 * z * z * z * z * sin(x);
  }
  f[7] = NAN; /* its row is left out */
  assert_ok(swp_indices(&p, f, &s, err));
  assert_int_equal(s.n_rows, 4095);
  assert_near(s.mean, 3.5, 0.02); /* a / 2 */
  assert_near(s.sd * s.sd, 13.8446, 0.1);
  for (int i = 0; i < 3; i++) {
    print_message("first %.4f (%.4f to %.4f) of %.4f, total %.4f (%.4f to %.4f) of %.4f\n", index[i].first,
                  index[i].first_low, index[i].first_high, first[i], index[i].total, index[i].total_low,
                  index[i].total_high, total[i]);
    assert_near(index[i].first, first[i], 0.01);
    assert_near(index[i].total, total[i], 0.01);
    assert_true(index[i].first_low < first[i] && first[i] < index[i].first_high);
    assert_true(index[i].total_low < total[i] && total[i] < index[i].total_high);
  }
  free(f);
  swp_plan_clear(&p);
}

/* ---- refusals ---- */

static void refused(const char *text, const char *sentence) {
  char path[400];
  swp_plan p;
  cbt_write(cbt_path("plan.yaml", path), text);
  assert_true(sentence[0] != '\0');
  cb_err why = {""};
  if (swp_plan_load(path, &p, &why) == CB_OK) fail_msg("taken: %s", text);
  if (!strstr(why.msg, sentence)) fail_msg("'%s' has no '%s'", why.msg, sentence);
  swp_plan_clear(&p);
}

static void wrong_plans_are_refused(void **state) {
  (void)state;
  refused("name: a\n" COMMAND "design: sobol\nvary:\n" GAMMA CELLS KEEP, "missing key 'cases'");
  refused("name: a\n" COMMAND "design: grid\nvary:\n" GAMMA CELLS KEEP, "a grid takes values");
  refused("name: a b\n" COMMAND "design: lhs\ncases: 3\nvary:\n" GAMMA CELLS KEEP, "letters, digits and _");
  refused("name: a\n" COMMAND "design: lhs\ncases: 3\nvary:\n" GAMMA KEEP, "command: {cells}");
  refused("name: a\n" COMMAND "design: lhs\ncases: 3\nvary:\n" GAMMA CELLS
          "  - {name: d, from: 1, to: 2}\n" KEEP,
          "neither the command nor the scene has {d}");
  refused("name: a\n" COMMAND "design: lhs\ncases: 3\nvary:\n" GAMMA GAMMA KEEP, "twice");
  refused("name: a\n" COMMAND "design: lhs\ncases: 3\nvary:\n  - {name: gamma, from: 2, to: 1}\n" CELLS KEEP,
          "from < to");
  refused("name: a\n" COMMAND
          "design: lhs\ncases: 3\nvary:\n  - {name: gamma, from: -1, to: 1, scale: log}\n" CELLS KEEP,
          "from > 0");
  refused("name: a\n" COMMAND
          "design: lhs\ncases: 3\nvary:\n  - {name: gamma, from: 1, to: 2, mean: 3, sd: 1}\n" CELLS KEEP,
          "one of these was wanted");
  refused("name: a\n" COMMAND "design: lhs\ncases: 3\nvary:\n" GAMMA CELLS "keep: []\n", "1 to 64 figures");
  refused("name: a\ncommand: sim x.yaml --out {gamma}\ndesign: lhs\ncases: 3\nvary:\n" GAMMA KEEP,
          "--out {folder} was wanted");
  refused(
      "name: a\ncommand: predict drape --thickness-mm {t_m}\ndesign: lhs\ncases: 3\nvary:\n"
      "  - {name: t_m, from: 1, to: 2}\n" KEEP,
      "the variable is in m, mm was wanted");
  refused(
      "name: a\ncommand: predict drape --areal-mass-g-m2 {w_kg_per_m2}\ndesign: lhs\ncases: 3\nvary:\n"
      "  - {name: w_kg_per_m2, from: 1, to: 2}\n" KEEP,
      "the variable is in kg/m2, g/m2 was wanted");
  refused(
      "name: a\ncommand: sim {scene} --out {folder}\nscene: ../other.yaml\ndesign: lhs\ncases: "
      "3\nvary:\n" GAMMA KEEP,
      "beside the plan was wanted");
}

static void units_that_agree_are_taken(void **state) {
  (void)state;
  swp_plan p;
  load(
      "name: a\ncommand: predict drape --areal-mass-g-m2 {w_g_per_m2} --thickness-mm {t_mm} --bend-warp-N-m "
      "{B_N_m}\n"
      "design: lhs\ncases: 3\nvary:\n  - {name: w_g_per_m2, from: 1, to: 2}\n  - {name: t_mm, from: 1, to: "
      "2}\n"
      "  - {name: B_N_m, from: 1, to: 2}\n" KEEP,
      &p);
  swp_plan_clear(&p);
}

/* ---- what a case printed ---- */

static void an_outcome_is_read(void **state) {
  (void)state;
  swp_plan p;
  swp_outcome o = {.index = 0};
  load("name: a\ncommand: validate cantilever --gamma {gamma}\ndesign: lhs\ncases: 3\nvary:\n" GAMMA
       "keep:\n  - {name: a, path: x.1.y}\n  - {name: b, path: z}\n",
       &p);
  swp_outcome_read(&p, 3 << 8, "{\"x\": [0, {\"y\": 2.5}], \"z\": null}", "", &o);
  assert_false(o.failed);
  assert_int_equal(o.exit_code, 3);
  assert_true(o.figure[0] == 2.5 && isnan(o.figure[1]));
  swp_outcome_read(&p, 0, "{\"x\": [0], \"z\": 1}", "", &o);
  assert_string_equal(o.sentence, "keep: no number 'x.1.y' in the result, which has: x, z");
  swp_outcome_read(&p, 0, "{\"x\": [0, {\"y\": \"2\"}], \"z\": 1}", "", &o);
  assert_true(o.failed);
  swp_outcome_read(&p, 0, "not one", "", &o);
  assert_string_equal(o.sentence, "its result is no JSON document");
  swp_outcome_read(&p, 2 << 8, "",
                   "clothbench validate: a note\nclothbench validate: --gamma = 0: must be > 0 "
                   "('clothbench validate --help' tells more)\n",
                   &o);
  assert_string_equal(o.sentence, "--gamma = 0: must be > 0");
  swp_outcome_read(&p, 9, "", "", &o);
  assert_string_equal(o.sentence, "its process was ended by signal 9 (Killed)");
  swp_plan_clear(&p);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_latin_hypercube_fills_each_part_once),
      cmocka_unit_test(more_cases_of_a_sequence_only_add),
      cmocka_unit_test(a_grid_has_every_combination),
      cmocka_unit_test(a_list_has_its_rows),
      cmocka_unit_test(a_normal_variable_has_its_moments),
      cmocka_unit_test(indices_of_a_known_function),
      cmocka_unit_test(wrong_plans_are_refused),
      cmocka_unit_test(units_that_agree_are_taken),
      cmocka_unit_test(an_outcome_is_read),
  };
  return cmocka_run_group_tests(tests, cbt_folder_set_up, cbt_folder_tear_down);
}
