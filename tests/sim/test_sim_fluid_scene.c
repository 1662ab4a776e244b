/* The section `splash` of a scene. */
#include "playtest.h"

#define HEAD PLAY_WET CLOTH "splash:\n  spacing_mm: 20\n"
#define CLOTH                                                                                          \
  "sheet: {shape: rectangle, length_mm: 400, width_mm: 400, cells: 8, at_mm: [500, 500, 500], slack: " \
  "0.05}\n"                                                                                            \
  "held: corners\n"
#define LIQUID                                                                                              \
  "  liquid: [{from_mm: [420, 420, 520], to_mm: [580, 580, 600]}, {centre_mm: [500, 500, 700], radius_mm: " \
  "60}]\n"
#define TIME "time: {duration_s: 0.4, step_ms: 4}\n"

static void test_play(void **state) {
  (void)state;
  sim_play *s;
  sim_drawn drawn[SIM_PLAY_SURFACES];
  assert_ok(parse_play(HEAD LIQUID TIME, &s, err));
  assert_string_equal(sim_play_model(s), "splash");
  play_to_end(s);
  assert_int_equal(sim_play_columns(s), 13);
  assert_string_equal(sim_play_column(s, 1), "particles");
  /* 8 x 8 x 4 of the block; of the ball, radius 3 spacings, the places of the lattice within. */
  int ball = 0;
  for (int x = -3; x < 3; x++)
    for (int y = -3; y < 3; y++)
      for (int z = -3; z < 3; z++)
        ball += (2 * x + 1) * (2 * x + 1) + (2 * y + 1) * (2 * y + 1) + (2 * z + 1) * (2 * z + 1) <= 36;
  assert_true(sim_play_value(s, "particles") == 256 + ball);
  assert_true(sim_play_value(s, "touching") > 0); /* it has come down on the cloth */
  assert_true(sim_play_value(s, "stuck") == 0);
  assert_int_equal(sim_play_surfaces(s, drawn), 2);
  assert_int_equal(drawn[0].n_vertices, 81);
  assert_int_equal(drawn[1].n_triangles, 8 * (256 + ball));
  free_play(s);
}

/* ---- compression ---- */

/* The cubic spline with support 2 d, in three dimensions, times d^3: what a particle adds to rho/rho_0. */
static double density_of(double distance_m, double d_m) {
  const double q = distance_m / d_m;
  const double w = q < 1 ? 1 - 1.5 * q * q + 0.75 * q * q * q : q < 2 ? pow(2 - q, 3) / 4 : 0;
  return w / acos(-1);
}

/* Mean of max(0, rho/rho_0 - 1) by brute force, without walls. A particle is drawn as six points, the first
 * two of them beside the middle. */
static double mean_compression(sim_play *s, double d_m) {
  static double at[1000][3]; /* large */
  sim_drawn drawn[SIM_PLAY_SURFACES];
  (void)sim_play_surfaces(s, drawn);
  const int n = (int)sim_play_value(s, "particles");
  double sum = 0;
  assert_in_range(n, 1, 1000);
  for (int i = 0; i < n; i++)
    for (int k = 0; k < 3; k++)
      at[i][k] = (drawn[1].position_m[6 * i][k] + drawn[1].position_m[6 * i + 1][k]) / 2;
  for (int i = 0; i < n; i++) {
    double density = 0;
    for (int j = 0; j < n; j++)
      density += density_of(
          sqrt(pow(at[i][0] - at[j][0], 2) + pow(at[i][1] - at[j][1], 2) + pow(at[i][2] - at[j][2], 2)), d_m);
    sum += fmax(0, density - 1) / n;
  }
  return sum;
}

/* A step that is divided tells the compression of its worst part, and so no less than it began with. */
static void test_worst_part_is_told(void **state) {
  (void)state;
  sim_play *s;
  int divided = 0;
  double told = 0;
  assert_ok(parse_play(HEAD LIQUID TIME, &s, err));
  for (int k = 0; k < sim_play_steps(s); k++) {
    const double begin = mean_compression(s, 0.02);
    const bool whole = told <= 1e-3;
    divided += !whole;
    assert_ok(sim_play_step(s, NULL, err));
    told = sim_play_value(s, "compression");
    assert_true(told > begin - 1e-6); /* the liquid adds in single precision */
    if (whole) assert_near(told, begin, 1e-6);
  }
  assert_true(divided > 5);
  free_play(s);
}

static void test_refused(void **state) {
  (void)state;
  static const struct {
    const char *text, *why;
  } bad[] = {
      {PLAY_WET "splash: {}\n" TIME, "sheet: 0: a 'splash' scene takes 1 to 4"},
      {HEAD TIME, "liquid"},
      {PLAY_WET "sheet: {shape: disc, radius_mm: 50}\nsplash: {}\n" TIME, "shape = 'disc'"},
      {HEAD "  liquid: 3\n" TIME, "a list was wanted"},
      {HEAD "  liquid: []\n" TIME, "particles"},
      {HEAD "  liquid: [{from_mm: [0, 0, 900], to_mm: [100, 100, 1200]}]\n" TIME, "place of a new particle"},
      {HEAD LIQUID "  gap_mm: 500\n" TIME, "gap"},
      {"name: a\nmaterial: {areal_density_g_per_m2: 150, stretch_N_per_m: 1000, bend_uN_m: 10, "
       "permeability_mm_per_s: 100}\n" CLOTH "splash:\n  spacing_mm: 20\n" LIQUID
       "  viscosity_mm2_per_s: 0\n" TIME,
       "without viscosity"},
      {HEAD LIQUID "  box_to_mm: [1, 1, 1]\n" TIME, "side of the box"},
      {HEAD LIQUID "bodies: [{shape: plane}]\n" TIME, "bodies"},
  };
  for (size_t k = 0; k < sizeof bad / sizeof bad[0]; k++) refused(bad[k].text, bad[k].why);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_play), cmocka_unit_test(test_worst_part_is_told),
                                     cmocka_unit_test(test_refused)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
