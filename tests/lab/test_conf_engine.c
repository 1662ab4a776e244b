/* Programs that play experiments: this one, against closed forms; a command, which is a script of the shell
 * here; and commands that fail in every way. */
#include "conftest.h"

#include "cb_time.h"
#include "conf_engine_impl.h"

static conf_finding play_cloth(const char *engine, const exch_cloth s, conf_kind kind, double level,
                               double edge_m) {
  conf_engine e;
  conf_case c;
  assert_ok(conf_engine_init(engine, &e, err));
  assert_ok(conf_case_init(kind, level, edge_m, &s, &c, err));
  double(*x)[3] = calloc((size_t)(CONF_TIMES * c.n_vertices), sizeof *x);
  assert_non_null(x);
  assert_ok(conf_engine_play(&e, &c, NULL, NULL, x, NULL, err));
  const conf_finding f = conf_case_judge(&c, &s, e.has_hinges, (const double(*)[3])x);
  free(x);
  conf_case_clear(&c);
  return f;
}

static conf_finding play(const char *engine, conf_kind kind, double level, double edge_m) {
  return play_cloth(engine, poplin(), kind, level, edge_m);
}

/* ---- this program ---- */

static void bending_converges_by_the_square_of_the_edge(void **state) {
  (void)state;
  double before = 0;
  for (double edge = 0.006; edge > 0.001; edge /= 2) {
    const conf_finding f = play("clothbench", CONF_CANTILEVER, 10, edge);
    const double off = f.found / f.wanted - 1;
    if (before != 0) assert_true(before / off > 3);
    before = off;
  }
  assert_near(before, 0, 0.02);
}

/* The stress is linear in Green's strain e + e^2 / 2, and its pull grows with the stretch 1 + e: the secant
 * to small e is larger by 3 e / 2. Over a strip whose pull falls from u to 0, u in units of the stiffness,
 * the mean strain is u / 2 - u^2 / 2 + u^3, to the third order. */
static void a_strip_has_the_stiffness_of_its_law(void **state) {
  (void)state;
  const double e = conf_levels[CONF_STRIP][1];
  const conf_finding f = play("clothbench", CONF_STRIP, e, 0.01);
  assert_near(f.found / f.wanted, 1 / (1 - 2 * e + 8 * e * e), 2e-4);
}

static void shear_is_that_of_the_law(void **state) {
  (void)state;
  const conf_finding f = play("clothbench", CONF_SHEAR, 0.005, 0.005);
  assert_near(f.found / f.wanted, 1, 0.01);
}

static void motion_is_that_of_a_body(void **state) {
  (void)state;
  conf_finding f = play("clothbench", CONF_FALL, 1, 0.025);
  assert_near(f.found / f.wanted, 1, 1e-3);
  f = play("clothbench", CONF_SLOPE, 1.2, 0.025);
  assert_near(f.found / f.wanted, 1, 1e-3);
  f = play("clothbench", CONF_SLOPE, 0.95, 0.025);
  assert_near(f.found, 0, 1e-9);
}

/* Neither moves aside nor turns, but for the step's first order: 10 mrad/s at 1 rad. */
static void a_fall_keeps_its_momenta(void **state) {
  (void)state;
  const conf_finding f = play("clothbench", CONF_DRIFT, 1, 0.02);
  assert_near(f.found / f.wanted, 1, 1e-3);
  assert_near(f.sideways_m_per_s, 0, 1e-5);
  assert_near(f.turn_rad_per_s, 0, 0.03);
}

static void a_layer_slides_by_its_friction(void **state) {
  (void)state;
  assert_near(play("clothbench", CONF_LAYERS, 1.2, 0.02).found, 0.4, 4e-4);
  assert_near(play("clothbench", CONF_LAYERS, 0.95, 0.02).found, 0, 1e-9);
}

/* The steps of 2 ms add (1 + mu^2) v dt / (mu R) to the friction on a drum, as in `validate capstan`: 2.4 %
 * at the mean speed, 0.209 m/s. */
static void a_strip_slides_over_a_drum(void **state) {
  (void)state;
  const conf_finding f = play("clothbench", CONF_CAPSTAN, 1.2, 0.01);
  assert_near(f.found / f.wanted, 1.024, 0.005);
}

/* Contacts at their limit stop, and are not sent back: 1.9 mm/s before. What is left is the strip's settling.
 */
static void a_strip_holds_on_a_drum(void **state) {
  (void)state;
  assert_near(play("clothbench", CONF_CAPSTAN, 0.8, 0.01).found, 0, 5e-5);
}

static void a_pinched_cloth_holds_and_slides(void **state) {
  (void)state;
  assert_near(play("clothbench", CONF_PINCH, 0.95, 0.01).found, 0, 1e-9);
  assert_near(play("clothbench", CONF_PINCH, 1.2, 0.01).found, 0.4, 4e-4);
}

/* The cloth's end lies in the middle of the cells that cross it: finer ones come nearer. */
static void a_napkin_is_carried(void **state) {
  (void)state;
  const conf_finding coarse = play("clothbench", CONF_TABLECLOTH, 6, 0.02),
                     fine = play("clothbench", CONF_TABLECLOTH, 6, 0.01);
  assert_near(fine.found / fine.wanted, 1, 0.06);
  assert_true(coarse.found / coarse.wanted > fine.found / fine.wanted);
}

/* Cloths that crept in steps of second order, by 140 and 900 um/s. */
static void cloth_rests_below_its_friction(void **state) {
  (void)state;
  exch_cloth limp = poplin();
  limp.areal_density_kg_per_m2.value = 0.3, limp.friction.value = 0.8;
  limp.stretch_warp_N_per_m.value = limp.stretch_weft_N_per_m.value = 150, limp.shear_N_per_m.value = 50;
  limp.bending_warp_N_m.value = limp.bending_weft_N_m.value = 7e-6;
  assert_near(play_cloth("clothbench", limp, CONF_SLOPE, 0.8, 0.01).found, 0, 1e-9);
  exch_cloth light = poplin();
  light.areal_density_kg_per_m2.value = 0.187, light.friction.value = 0.3;
  light.stretch_weft_N_per_m.value = 1000;
  light.bending_warp_N_m.value = light.bending_weft_N_m.value = 5e-6;
  assert_near(play_cloth("clothbench", light, CONF_SLOPE, 0.95, 0.01).found, 0, 1e-9);
}

/* ---- a command ---- */

/* A program that knows free fall alone: it reads the files of the experiment, and writes its own. */
static const char falls[] =
    "cd \"$1\" || exit 1\n"
    "times=$(tr -d ' \\n' <case.json | sed 's/.*\"times_s\":\\[\\([^]]*\\).*/\\1/; s/,/ /g')\n"
    "k=0\n"
    "for t in $times; do\n"
    "  awk -v t=\"$t\" '$1 == \"v\" {printf \"v %.12g %.12g %.12g\\n\", $2, $3, $4 - 9.80665 * t * t / 2}' "
    "cloth.obj >out_$k.obj\n"
    "  k=$((k + 1))\n"
    "done\n"
    "echo 'Stone 1.0' >engine.txt\n";

static void a_command_plays_an_experiment(void **state) {
  (void)state;
  char script[400], word[500], keep[500], version[80] = "";
  const exch_cloth s = poplin();
  conf_engine e;
  conf_case c;
  cbt_write(cbt_path("falls", script), falls);
  (void)snprintf(word, sizeof word, "sh %s {folder}", script);
  (void)snprintf(keep, sizeof keep, "%s/it's a 'case'", cbt_folder);
  assert_ok(conf_engine_init(word, &e, err));
  assert_ok(conf_case_init(CONF_FALL, 1, 0.02, &s, &c, err));
  double(*x)[3] = calloc((size_t)(CONF_TIMES * c.n_vertices), sizeof *x);
  assert_non_null(x);
  assert_ok(conf_engine_play(&e, &c, keep, NULL, x, version, err));
  assert_near(conf_case_judge(&c, &s, false, (const double(*)[3])x).found, 9.80665, 1e-6);
  assert_string_equal(version, "Stone 1.0");
  assert_int_equal(access(keep, F_OK), 0);
  free(x);
  conf_case_clear(&c);
}

static void refuses(const char *command, double limit_s, cb_status status, const char *sentence) {
  const exch_cloth s = poplin();
  conf_engine e;
  conf_case c;
  assert_ok(conf_engine_init(command, &e, err));
  e.limit_s = limit_s;
  assert_ok(conf_case_init(CONF_FALL, 1, 0.025, &s, &c, err));
  double(*x)[3] = calloc((size_t)(CONF_TIMES * c.n_vertices), sizeof *x);
  assert_non_null(x);
  assert_fails(status, sentence, conf_engine_play(&e, &c, NULL, NULL, x, NULL, err));
  free(x);
  conf_case_clear(&c);
}

static void what_a_command_does_wrong_is_told(void **state) {
  (void)state;
  conf_engine e;
  assert_fails(CB_E_ARG, "'maya': clothbench, blender, mujoco, newton, pybullet, or a command with {folder}",
               conf_engine_init("maya", &e, err));
  refuses("no-such-program-here {folder}", 10, CB_E_NOTFOUND, "not installed");
  refuses("echo first {folder}; echo no licence >&2; exit 4", 10, CB_E_IO, "failed: no licence");
  refuses("true {folder}", 10, CB_E_IO, "out_0.obj");
  refuses("for k in 0 1 2; do head -n 4 {folder}/cloth.obj >{folder}/out_$k.obj; done", 10, CB_E_PARSE,
          "3 vertices: 25 were wanted");
  refuses("for k in 0 1 2; do printf 'v 0 0\\n1 2 3\\n' >{folder}/out_$k.obj; done", 10, CB_E_PARSE,
          "vertex 1: three finite numbers");
  refuses("for k in 0 1 2; do sed s/0.1/nan/ {folder}/cloth.obj >{folder}/out_$k.obj; done", 10, CB_E_PARSE,
          "three finite numbers");
  const double start = cb_now_monotonic_s();
  refuses("sleep 30 {folder} || sleep 30", 0.3, CB_E_TIMEOUT, "no result after 0.3 s");
  assert_true(cb_now_monotonic_s() - start < 5 * cbt_patience());
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(bending_converges_by_the_square_of_the_edge),
      cmocka_unit_test(a_strip_has_the_stiffness_of_its_law),
      cmocka_unit_test(shear_is_that_of_the_law),
      cmocka_unit_test(motion_is_that_of_a_body),
      cmocka_unit_test(a_fall_keeps_its_momenta),
      cmocka_unit_test(a_layer_slides_by_its_friction),
      cmocka_unit_test(a_strip_slides_over_a_drum),
      cmocka_unit_test(a_strip_holds_on_a_drum),
      cmocka_unit_test(a_pinched_cloth_holds_and_slides),
      cmocka_unit_test(a_napkin_is_carried),
      cmocka_unit_test(cloth_rests_below_its_friction),
      cmocka_unit_test(a_command_plays_an_experiment),
      cmocka_unit_test(what_a_command_does_wrong_is_told),
  };
  return cmocka_run_group_tests(tests, cbt_folder_set_up, cbt_folder_tear_down);
}
