/* The statement of convergence: against closed forms, against references, and where there is none. */
#include "playtest.h"

#include "cb_num.h"
#include "converge_scenes.h"
#include "sim_converge.h"
#include "sim_places.h"

#define MATERIAL                                                                                     \
  "material: {areal_density_g_per_m2: 150, thickness_mm: 0.5, stretch_N_per_m: 500, shear_N_per_m: " \
  "50, bend_uN_m: 10}\n"
#define SQUARE(mesh) "name: a\nsheet: {shape: rectangle, length_mm: 200, width_mm: 200, " mesh "}\n" MATERIAL

/* Plays the scene to its end with its statement. */
static void tell(const char *text, sim_convergence *out) {
  sim_play *p;
  sim_converge *c;
  assert_ok(parse_play(text, &p, err));
  assert_ok(sim_converge_new(sim_play_scene(p), p, &c, err));
  while (sim_play_done(p) < sim_play_steps(p)) {
    play_steps(p, 1);
    assert_ok(sim_converge_follow(c, err));
  }
  sim_converge_tell(c, out);
  sim_converge_free(c);
  free_play(p);
}

/* Backward Euler falls too far by g t h / 2 with steps h. The difference is the error, at any time. */
static void test_fall(void **state) {
  (void)state;
  static const char *const steps[] = {"0.25, step_ms: 5", "0.255, step_ms: 5"}; /* 50 steps, 51 */
  const double error_m = CB_STANDARD_GRAVITY_M_PER_S2 * 0.25 * 0.005 / 2;
  for (int k = 0; k < 2; k++) {
    char text[1000];
    sim_convergence c;
    (void)snprintf(text, sizeof text,
                   SQUARE("vertices: 200") "time: {duration_s: %s, solve_tolerance: 1e-8}\n"
                                           "output: {probes: [{name: p, at_mm: [30, 40, 0]}]}\n",
                   steps[k]);
    tell(text, &c);
    assert_string_equal(c.why, "");
    assert_int_equal(c.steps, k == 0 ? 25 : 26);
    assert_true(c.vertices > 40 && c.vertices < 60);
    assert_near(c.rms.end_m, error_m, k == 0 ? 1e-8 : 0.05 * error_m);
    assert_near(c.worst.end_m, c.rms.end_m, 1e-7);
    assert_near(c.probe[0].end_m, c.rms.end_m, 1e-7);
    assert_near(c.rms.bound_m, SIM_CONVERGE_FACTOR * c.rms.most_m, 1e-12);
    assert_near(c.rms.most_m, c.rms.end_m, 1e-7);
    assert_near(c.rms_most_s, k == 0 ? 0.25 : 0.255, 1e-9);
    assert_near(c.run_less_companion.stretch, 0, 1e-9);
  }
}

/* A linear map of the flat cloth is carried exactly, for each of two sheets, on the border and inside; a disc
 * lies outside of its coarser polygon. */
static void test_places(void **state) {
  (void)state;
  static const char text[] =
      "name: a\nsheet: [{shape: rectangle, length_mm: 200, width_mm: 100, vertices: %d, warp_deg: 30},\n"
      "  {shape: disc, radius_mm: 80, vertices: %d, at_mm: [0, 0, 50]}]\n" MATERIAL
      "time: {duration_s: 0.1}\n";
  sim_play *play[2];
  for (int k = 0; k < 2; k++) {
    char scene[sizeof text + 20];
    (void)snprintf(scene, sizeof scene, text, k == 0 ? 300 : 70, k == 0 ? 400 : 90);
    assert_ok(parse_play(scene, &play[k], err));
  }
  const sim_mesh *fine = sim_play_mesh(play[0]), *coarse = sim_play_mesh(play[1]);
  sim_place *place = malloc((size_t)fine->n_vertices * sizeof *place);
  assert_non_null(place);
  sim_places_of_play(play[0], play[1], place);
  for (int i = 0; i < fine->n_vertices; i++) {
    double at[3];
    sim_place_at(&place[i], (const sim_vec3 *)coarse->position_m, at);
    for (int k = 0; k < 3; k++) {
      assert_near(at[k], fine->position_m[i][k], 1e-12);
      assert_true(place[i].weight[k] > -0.1);
    }
  }
  free(place);
  free_play(play[0]);
  free_play(play[1]);
}

static void expect_none(const char *text, const char *why) {
  sim_convergence c;
  tell(text, &c);
  if (!strstr(c.why, why)) fail_msg("'%s' was wanted in '%s'", why, c.why);
}

static void test_none(void **state) {
  (void)state;
  expect_none(SQUARE("vertices: 100") "time: {duration_s: 0.04, step_ms: 10, adaptive: true}\n",
              "the steps are adaptive");
  expect_none(SQUARE("vertices: 100") "time: {duration_s: 0.03, step_ms: 10}\n", "fewer than four steps");
  expect_none(SQUARE("cells: 1") "time: {duration_s: 0.04, step_ms: 10}\n", "too few triangles");
  expect_none(SQUARE("vertices: 6") "time: {duration_s: 0.04, step_ms: 10}\n", "too few triangles");
  expect_none(PLAY_CURTAIN(200, 200) "curtain: {}\ntime: {duration_s: 0.04, step_ms: 10}\n",
              "only the main cloth");
  expect_none(SQUARE("cells: 20") "held: {box_mm: [-91, -91, -1, -89, -89, 1]}\n"
                                  "time: {duration_s: 0.04, step_ms: 10}\n",
              "twice as coarse it cannot be played: a: held 1");
}

static void test_not_ended(void **state) {
  (void)state;
  sim_play *p;
  sim_converge *c;
  sim_convergence told;
  assert_ok(parse_play(SQUARE("vertices: 100") "time: {duration_s: 0.1, step_ms: 10}\n", &p, err));
  assert_ok(sim_converge_new(sim_play_scene(p), p, &c, err));
  play_steps(p, 9);
  assert_ok(sim_converge_follow(c, err));
  sim_converge_tell(c, &told);
  assert_string_equal(told.why, "the run has not ended");
  sim_converge_free(c);
  assert_ok(sim_converge_new(sim_play_scene(p), p, &c, err));
  sim_converge_tell(c, &told);
  assert_string_equal(told.why, "the run was resumed");
  sim_converge_free(c);
  free_play(p);
}

/* A slice of ./run bench converge, with a seed of its own. */
static void test_holds(void **state) {
  (void)state;
  enum { SCENES = 8 };
  int rms = 0, probes = 0;
  for (int i = 0, number = 0; i < SCENES; number++) {
    converge_case c;
    converge_outcome o;
    converge_case_make(3, number, &c);
    if (c.kind == CONVERGE_SPHERE) continue; /* the slowest references */
    assert_ok(converge_case_play(&c, &o, err));
    assert_string_equal(o.told.why, "");
    print_message("%s: within %.3f mm; bound %.3f mm\n", converge_kind_names[c.kind], 1e3 * o.rms.end_m,
                  1e3 * o.told.rms.bound_m);
    rms += o.rms.end_m <= o.told.rms.bound_m;
    for (int k = 0; k < CONVERGE_PROBES; k++) probes += o.probe[k].end_m <= o.told.probe[k].bound_m;
    i++;
  }
  assert_true(rms >= SCENES - 1);
  assert_true(probes >= CONVERGE_PROBES * SCENES - 2);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_fall), cmocka_unit_test(test_places),
                                     cmocka_unit_test(test_none), cmocka_unit_test(test_not_ended),
                                     cmocka_unit_test(test_holds)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
