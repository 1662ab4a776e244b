/* Limits of strain on a hung sheet: the experiment, its command, and scenes of the model that plays it. */
#include "jsonpage.h"
#include "playtest.h"
#include "val_limit.h"

/* Without limits so soft a sheet stretches by far more than any of them allows; with them the ratios are
 * theirs. */
static void test_limits(void **state) {
  (void)state;
  val_limit e = val_limit_default();
  val_limit_result none, limited;
  e.cells = 6;
  e.duration_s = 0.5;
  e.kind = SIM_LIMIT_KINDS;
  assert_ok(val_limit_run(&e, NULL, &none, err));
  assert_true(none.any[1] > 1.1);
  e.kind = SIM_LIMIT_WARP_WEFT;
  assert_ok(val_limit_run(&e, NULL, &limited, err));
  assert_true(limited.excess_worst <= 1e-3);
  assert_true(limited.warp[1] <= 1.051 && limited.weft[1] <= 1.011 && limited.warp[0] >= 0.949 &&
              limited.weft[0] >= 0.989);
  assert_true(limited.sag_m < none.sag_m && limited.lowest_m > none.lowest_m);
  assert_true(val_limit_apart(&limited, &limited) == 0 && val_limit_apart(&none, &limited) > 0.02);
  val_limit_clear(&none);
  val_limit_clear(&limited);
  e.cells = 1;
  assert_fails(CB_E_RANGE, "limit-swap: cells", val_limit_run(&e, NULL, &none, err));
  val_limit_clear(&none);
}

static void test_command(void **state) {
  (void)state;
  cbt_result r;
  cbt_run(&r, cbt_folder, "validate all limit-swap --json");
  assert_int_equal(r.code, 0);
  json_t *doc = jp_document(r.out);
  jp_expect("validate all", doc);
  assert_int_equal(json_array_size(json_object_get(doc, "rows")), 6);
  json_decref(doc);
}

/* ---- scenes ---- */

#define HEAD PLAY_HUNG(1000, 1000, 500, 20) "time: {duration_s: 0.1, step_ms: 5}\n"

static void test_bad_scenes(void **state) {
  (void)state;
  sim_play *s;
  static const char *const bad[][2] = {
      {HEAD "limited: {method: none, warp_ratio: [0.9]}\n", "warp_ratio has 1 number:"},
      {HEAD "limited: {method: mapped, weft_ratio: [1.1, 1.2]}\n", "lower ratio of weft"},
      {HEAD "limited: {method: mapped, tolerance: 1}\n", "tolerance"},
      {"name: a\ntime: {duration_s: 0.1}\nsheet: {shape: shirt, vertices: 1200}\nmaterial: "
       "{areal_density_g_per_m2: 150, stretch_N_per_m: 30, bend_uN_m: 10}\nlimited: {method: "
       "mapped}\nbodies: [{shape: sphere, radius_mm: 10}]\n",
       "brings its mannequin"},
      {"name: a\ntime: {duration_s: 0.1}\nsheet: {shape: shirt, vertices: 300}\nmaterial: "
       "{areal_density_g_per_m2: 150, stretch_N_per_m: 30, bend_uN_m: 10}\nlimited: {method: mapped}\n",
       "needs vertices, 400 or more"},
  };
  for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
    assert_fails(CB_E_RANGE, bad[k][1], parse_play(bad[k][0], &s, err));
    assert_null(s);
  }
  assert_fails(CB_E_PARSE, "method = 'sideways'", parse_play(HEAD "limited: {method: sideways}\n", &s, err));
  assert_fails(CB_E_PARSE, "'method' is missing", parse_play(HEAD "limited: {tolerance: 0.001}\n", &s, err));
}

/* Upright, free, without weight. */
#define FREE(side, middle, cells)                                                                          \
  "name: a\ngravity_m_per_s2: [0, 0, 0]\nsheet: {shape: rectangle, length_mm: " #side ", width_mm: " #side \
  ", cells: " #cells ", turned_deg: [90, 0, 0], at_mm: [0, 0, " #middle                                    \
  "]}\n"                                                                                                   \
  "material: {areal_density_g_per_m2: 150, thickness_mm: 0, stretch_N_per_m: 20, bend_uN_m: 100, "         \
  "drag_per_s: 5}\n"

/* A sheet that is let go, without weight: nothing happens. */
static void test_free_sheet(void **state) {
  (void)state;
  sim_play *s;
  assert_ok(parse_play(FREE(1000, -500, 4) "time: {duration_s: 0.1, step_ms: 5}\nlimited: {method: mapped}\n",
                       &s, err));
  play_to_end(s);
  assert_near(sim_play_value(s, "lowest_m"), -1, 1e-4);
  assert_near(sim_play_value(s, "excess"), 0, 0);
  assert_true(sim_play_value(s, "rounds") == 0);
  free_play(s);
}

/* A ball goes up through where a sheet lies free: it takes the sheet along, and stays under it. */
static void test_ball(void **state) {
  (void)state;
  sim_play *s;
  sim_drawn drawn[SIM_PLAY_SURFACES];
  assert_ok(parse_play(
      FREE(200, -100,
           8) "time: {duration_s: 0.2, step_ms: 5}\nlimited: {method: mapped}\n"
              "bodies: [{shape: sphere, radius_mm: 60, at_mm: [0, -65, -100], motion: [{until_s: 1, "
              "velocity_mm_per_s: [0, 300, 0]}]}]\n",
      &s, err));
  play_to_end(s);
  (void)sim_play_surfaces(s, drawn);
  double most = 0, nearest = INFINITY;
  for (int i = 0; i < drawn[0].n_vertices; i++) {
    const double *x = drawn[0].position_m[i], y = x[1] - (-0.065 + 0.3 * 0.2);
    most = fmax(most, x[1]);
    nearest = fmin(nearest, sqrt(x[0] * x[0] + y * y + (x[2] + 0.1) * (x[2] + 0.1)));
  }
  assert_true(most > 0.05 && most < 0.07); /* the ball's foremost point is at 55 mm */
  assert_true(nearest > 0.0595);
  free_play(s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_limits), cmocka_unit_test(test_bad_scenes), cmocka_unit_test(test_free_sheet),
      cmocka_unit_test(test_ball),
      cmocka_unit_test_setup_teardown(test_command, cbt_folder_set_up, cbt_folder_tear_down)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
