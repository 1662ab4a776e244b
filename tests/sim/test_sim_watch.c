/* What goes wrong ends by a sentence: bodies that are fast, a cloth that starts in a body or in itself,
 * energy from nowhere. */
#include <math.h>

#include "cb_num.h"
#include "cb_rng.h"
#include "cbtest.h"
#include "sim_cloth.h"
#include "sim_pace.h"
#include "sim_through.h"
#include "sim_play.h"
#include "sim_solid.h"

#define MATERIAL                                                                                     \
  "material: {areal_density_g_per_m2: 150, stretch_warp_N_per_m: 2000, stretch_weft_N_per_m: 2000, " \
  "shear_N_per_m: 800, bend_warp_uN_m: 5, bend_weft_uN_m: 5, damping_ms: 1}\n"
#define SQUARE \
  "name: w\n"  \
  "sheet: {shape: rectangle, length_mm: 300, width_mm: 300, vertices: 900}\n" MATERIAL
#define SOFT                                                                                       \
  "name: w\n"                                                                                      \
  "sheet: {shape: rectangle, length_mm: 300, width_mm: 300, vertices: 900}\n"                      \
  "material: {areal_density_g_per_m2: 150, stretch_warp_N_per_m: 500, stretch_weft_N_per_m: 500, " \
  "shear_N_per_m: 200, bend_warp_uN_m: 5, bend_weft_uN_m: 5}\n"
#define FRAME                                      \
  "held:\n"                                        \
  "  - {box_mm: [-151, -151, -1, -149, 151, 1]}\n" \
  "  - {box_mm: [149, -151, -1, 151, 151, 1]}\n"   \
  "  - {box_mm: [-151, -151, -1, 151, -149, 1]}\n" \
  "  - {box_mm: [-151, 149, -1, 151, 151, 1]}\n"

/* The scene stays until the next one, as the play needs it. */
static cb_status play(const char *text, sim_play **p, int *parts, cb_err *err) {
  static sim_scene scene;
  sim_scene_clear(&scene);
  *p = NULL;
  *parts = 0;
  CB_TRY(sim_scene_parse(text, strlen(text), "w.yaml", &scene, err));
  CB_TRY(sim_play_new(&scene, p, err));
  for (int k = 0; k < sim_play_steps(*p); k++) {
    sim_step_report r;
    CB_TRY(sim_play_step(*p, &r, err));
    *parts += r.steps;
  }
  return CB_OK;
}

/* Signed crossings of the sheet by the ray from a point up: 0 where the sheet that was below the point at the
 * start still is. */
static int above(sim_play *p, const double at[3]) {
  const sim_mesh *m = sim_play_mesh(p);
  const double(*x)[3] = (const double(*)[3])sim_cloth_position(sim_play_cloth(p));
  int n = 0;
  for (int t = 0; t < m->n_triangles; t++) {
    double d[3][2], z[3], s[3];
    for (int k = 0; k < 3; k++) {
      const double *y = x[m->triangle[t][k]];
      d[k][0] = y[0] - at[0] - 1.2345e-7;
      d[k][1] = y[1] - at[1] - 2.3456e-7;
      z[k] = y[2] - at[2];
    }
    for (int k = 0; k < 3; k++)
      s[k] = d[(k + 1) % 3][0] * d[(k + 2) % 3][1] - d[(k + 1) % 3][1] * d[(k + 2) % 3][0];
    const bool in = (s[0] > 0 && s[1] > 0 && s[2] > 0) || (s[0] < 0 && s[1] < 0 && s[2] < 0);
    if (in && (s[0] * z[0] + s[1] * z[1] + s[2] * z[2]) / (s[0] + s[1] + s[2]) > 0) n += s[0] > 0 ? 1 : -1;
  }
  return n;
}

/* A ball goes 200 mm down in 2 steps: through the gripped sheet, if nobody looked between. */
static void test_fast_ball(void **state) {
  (void)state;
  static const char *const body[] = {
      "bodies: [{shape: sphere, radius_mm: 30, at_mm: [0, 0, 80], motion: [{until_s: 0.002, "
      "velocity_mm_per_s: [0, 0, -100000]}]}]\n",
      "layers: [{shape: ball, length_mm: 60, rigid: true, vertices: 500, meets: all, friction: 0, at_mm: [0, "
      "0, 80],\n"
      "  motion: [{until_s: 0.002, velocity_mm_per_s: [0, 0, -100000]}]}]\n",
      "bodies: [{shape: torus, radius_mm: 40, tube_mm: 20, at_mm: [0, 0, 80],\n"
      "  motion: [{until_s: 0.002, velocity_mm_per_s: [0, 0, -100000]}]}]\n"};
  const double ball[3] = {0, 0, 80e-3 - 0.2}, torus[3] = {0.04, 0, 80e-3 - 0.2};
  for (int k = 0; k < 3; k++) {
    char text[2000];
    sim_play *p;
    int parts;
    (void)snprintf(text, sizeof text, SOFT "%s" FRAME "time: {duration_s: 0.01, step_ms: 1}\n", body[k]);
    assert_ok(play(text, &p, &parts, err));
    assert_int_equal(above(p, k == 2 ? torus : ball), 0);
    assert_true(parts > 10); /* steps were divided */
    sim_play_free(p);
  }
}

/* As fast as the ball is thick and no faster: steps stay whole, and so their bits. */
static void test_slow_stays_whole(void **state) {
  (void)state;
  sim_play *p;
  int parts;
  assert_ok(play(SQUARE "bodies: [{shape: sphere, radius_mm: 30, at_mm: [0, 0, 35], motion: [{until_s: 0.02, "
                        "velocity_mm_per_s: [0, 0, "
                        "-1000]}]}]\n" FRAME "time: {duration_s: 0.04, step_ms: 1}\n",
                 &p, &parts, err));
  assert_int_equal(parts, 40);
  assert_true(sim_pace_parts(0.03, 0.03) == 1 && sim_pace_parts(0.031, 0.03) == 3 &&
              sim_pace_parts(1, INFINITY) == 1);
  sim_play_free(p);
}

static void refused(const char *text, const char *says) {
  sim_play *p;
  int parts;
  cb_err err = {""};
  const cb_status st = play(text, &p, &parts, &err);
  if (st == CB_OK) fail_msg("'%s' was taken", text);
  if (strstr(err.msg, says) == NULL) fail_msg("'%s' was wanted in '%s'", says, err.msg);
  sim_play_free(p);
}

static void test_start_in_a_body(void **state) {
  (void)state;
  refused(SQUARE
          "bodies: [{shape: plane, at_mm: [0, 0, -9]}, {shape: sphere, radius_mm: 60, at_mm: [0, 0, 20]}]\n"
          "time: {duration_s: 0.1}\n",
          "w: the cloth starts in body 2 (sphere)");
  refused(
      "name: w\n"
      "sheet: {shape: disc, radius_mm: 150, vertices: 900}\n" MATERIAL
      "bodies: [{shape: cylinder, radius_mm: 40}]\ntime: {duration_s: 0.1}\n",
      "the cloth starts in body 1 (cylinder)");
  refused(SQUARE "bodies: [{shape: torus, radius_mm: 60, tube_mm: 20}]\ntime: {duration_s: 0.1}\n",
          "starts in body 1 (triangles)");
  refused(SQUARE "bodies: [{shape: plane, at_mm: [0, 0, 0.26]}]\ntime: {duration_s: 0.1}\n",
          "by 0.26 mm; at most half of the thickness");
  /* No vertex is inside: cells of 40 mm over a ball of 6. */
  refused(
      "name: w\n"
      "sheet: {shape: rectangle, length_mm: 300, width_mm: 300, vertices: 60}\n" MATERIAL
      "bodies: [{shape: sphere, radius_mm: 6, at_mm: [9, 4, 0]}]\ntime: {duration_s: 0.1}\n",
      "whose corners are outside reach into it");
}

/* Lies along x, from -50 to 50 mm; the sheet passes 1 mm too deep over it, or beside its end. */
static void test_start_at_a_cylinder(void **state) {
  (void)state;
  sim_play *p;
  int parts;
#define BESIDE(x)                                                                                     \
  "name: w\nsheet: {shape: rectangle, length_mm: 40, width_mm: 40, vertices: 400, at_mm: [" x         \
  ", 0, 0]}\n" MATERIAL                                                                               \
  "bodies: [{shape: cylinder, axis: [1, 0, 0], radius_mm: 20, length_mm: 100, at_mm: [0, 0, -19]}]\n" \
  "time: {duration_s: 0.01}\n"
  refused(BESIDE("0"), "starts in body 1 (triangles)");
  refused(BESIDE("-60"), "starts in body 1 (triangles)");
  assert_ok(play(BESIDE("71"), &p, &parts, err));
  sim_play_free(p);
  refused(SQUARE "bodies: [{shape: sphere, radius_mm: 5, length_mm: 5}]\ntime: {duration_s: 0.1}\n",
          "a sphere has no length");
}

/* A disc of 150 mm on a table of 90 mm: what lies on the table stays half of the thickness above it, the rest
 * hangs down beside it. */
static void test_rest_on_a_table(void **state) {
  (void)state;
  sim_play *p;
  int parts, on = 0, low = 0;
  assert_ok(
      play("name: w\nsheet: {shape: disc, radius_mm: 150, vertices: 1500, at_mm: [0, 0, 0.25]}\n" MATERIAL
           "bodies: [{shape: cylinder, radius_mm: 90, length_mm: 60, at_mm: [0, 0, -30], friction: 0.3}]\n"
           "time: {duration_s: 0.3, step_ms: 5}\n",
           &p, &parts, err));
  const double(*x)[3] = (const double(*)[3])sim_cloth_position(sim_play_cloth(p));
  for (int i = 0; i < sim_play_mesh(p)->n_vertices; i++) {
    const double r = hypot(x[i][0], x[i][1]);
    if (r < 45e-3 && ++on) assert_near(x[i][2], 0.25e-3, 0.1e-3);
    low += x[i][2] < -20e-3;
    if (x[i][2] < 0 && x[i][2] > -60e-3) assert_true(r > 90e-3 * cos(CB_PI / 256));
  }
  assert_true(on > 100 && low > 100);
  sim_play_free(p);
}

/* On a plane, a ball, or as deep as half of the thickness: that is contact. What is gripped may lie
 * anywhere. */
static void test_start_on_a_body(void **state) {
  (void)state;
  static const char *const body[] = {"bodies: [{shape: plane}]\n",
                                     "bodies: [{shape: plane, at_mm: [0, 0, 0.25]}]\n",
                                     "bodies: [{shape: sphere, radius_mm: 60, at_mm: [0, 0, -60]}]\n",
                                     "bodies: [{shape: plane, at_mm: [0, 0, 2]}]\n"
                                     "held: [{box_mm: [-200, -200, -1, 200, 200, 1]}]\n"};
  for (int k = 0; k < 4; k++) {
    char text[2000];
    sim_play *p;
    int parts;
    (void)snprintf(text, sizeof text, SQUARE "%stime: {duration_s: 0.02}\n", body[k]);
    assert_ok(play(text, &p, &parts, err));
    sim_play_free(p);
  }
}

#define TWO(first, second) \
  "name: w\n"              \
  "sheet:\n"               \
  "  - {" first "}\n  - {" second "}\n" MATERIAL "time: {duration_s: 0.02}\n"
#define PATCH "shape: rectangle, length_mm: 100, width_mm: 100, vertices: 100"

static void test_start_in_itself(void **state) {
  (void)state;
  sim_play *p;
  int parts;
  refused(TWO(PATCH, PATCH), "coincide at");
  refused(TWO(PATCH, PATCH ", at_mm: [95, 0, 0]"), "coincide at"); /* in part */
  refused(TWO(PATCH, PATCH ", turned_deg: [90, 0, 0]"), "cross at");
  refused(TWO(PATCH, PATCH ", at_mm: [0, 0, 0.02]"), "apart at"); /* a 25th of the thickness */
  assert_ok(play(TWO(PATCH, PATCH ", at_mm: [0, 0, 0.1]"), &p, &parts, err));
  sim_play_free(p);
#define WET(second)                                                                               \
  TWO("shape: rectangle, length_mm: 100, width_mm: 100, cells: 8, at_mm: [100, 100, 100]",        \
      "shape: rectangle, length_mm: 100, width_mm: 100, cells: 8, at_mm: [100, 100, 100]" second) \
  "splash: {spacing_mm: 9, viscosity_mm2_per_s: 300, box_to_mm: [200, 200, 300],\n"               \
  "  liquid: [{from_mm: [80, 80, 180], to_mm: [120, 120, 220]}]}\n"
  refused(WET(", turned_deg: [0, 20, 0]"), "w: the cloth starts in itself: triangles");
  refused(WET(""), "coincide at");
}

static void test_start_of_limited_cloth(void **state) {
  (void)state;
  refused(SQUARE
          "bodies: [{shape: sphere, radius_mm: 60, at_mm: [0, 0, 20]}]\nlimited: {method: mapped}\ntime: "
          "{duration_s: 0.1}\n",
          "w: the cloth starts in body 1 (sphere)");
}

static void test_came_through(void **state) {
  (void)state;
  refused(
      "name: w\n"
      "sheet: {shape: rectangle, length_mm: 300, width_mm: 300, vertices: 200}\n" MATERIAL
      "bodies: [{shape: sphere, radius_mm: 3, at_mm: [4, 7, 10], motion: [{until_s: 1, velocity_mm_per_s: "
      "[0, 0, -1000]}]}]\n" FRAME "time: {duration_s: 0.1, step_ms: 2}\n",
      "body 1 (sphere) came through the cloth");
  refused(SQUARE
          "bodies: [{shape: cylinder, axis: [1, 0, 0], radius_mm: 30, at_mm: [0, 0, 40],\n"
          "  motion: [{until_s: 1, velocity_mm_per_s: [0, 0, -1000]}]}]\n" FRAME
          "time: {duration_s: 0.1, step_ms: 2}\n",
          "a grip holds it there");
  refused(SQUARE
          "bodies: [{shape: sphere, radius_mm: 1, at_mm: [0, 0, 80], motion: [{until_s: 1, "
          "velocity_mm_per_s: [0, 0, -1e6]}]}]\n"
          "time: {duration_s: 0.1, step_ms: 5}\n",
          "a step of at most");
}

/* The first triangle that every point is tried against; -1: none. */
static int found_by_trying_all(const sim_mesh *m, const double (*x)[2][3], const double (*point)[2][3],
                               int points, double near_m) {
  for (int t = 0; t < m->n_triangles; t++)
    for (int p = 0; p < points; p++) {
      double way[2][4][3];
      for (int e = 0; e < 2; e++) {
        memcpy(way[e][0], point[p][e], sizeof way[e][0]);
        for (int i = 0; i < 3; i++) memcpy(way[e][i + 1], x[m->triangle[t][i]][e], sizeof way[e][0]);
      }
      if (sim_core_meets_triangle((const double(*)[3])way[0], (const double(*)[3])way[1], near_m)) return t;
    }
  return -1;
}

/* The search by boxes finds the triangle that all pairs tell: 300 random cloths of 128 triangles, 40 points.
 */
static void test_search_misses_nothing(void **state) {
  (void)state;
  enum { POINTS = 40, CLOTHS = 300, MOST = 100 };
  const sim_rectangle r = {.length_m = 0.2, .width_m = 0.2, .pattern = SIM_PATTERN_RIGHT, .cells_across = 8};
  sim_mesh m;
  cb_rng rng;
  int hits = 0;
  cb_rng_init(&rng, 9, 0);
  assert_ok(sim_mesh_rectangle(&r, &m, err));
  assert_true(m.n_vertices <= MOST);
  for (int k = 0; k < CLOTHS; k++) {
    double x[MOST][2][3], point[POINTS][2][3], x0[MOST][3], x1[MOST][3], start[POINTS][3], end[POINTS][3];
    const double step_m = k % 3 == 0 ? 0.05 : 0.004;
    for (int i = 0; i < m.n_vertices; i++)
      for (int c = 0; c < 3; c++) {
        x0[i][c] = x[i][0][c] = m.position_m[i][c] + 0.005 * (cb_rng_uniform(&rng) - 0.5);
        x1[i][c] = x[i][1][c] = x0[i][c] + step_m * (cb_rng_uniform(&rng) - 0.5);
      }
    for (int p = 0; p < POINTS; p++)
      for (int c = 0; c < 3; c++) {
        start[p][c] = point[p][0][c] = (c == k % 3 ? 0.4 : 0.15) * (cb_rng_uniform(&rng) - 0.5);
        end[p][c] = point[p][1][c] = start[p][c] + 0.002 * (cb_rng_uniform(&rng) - 0.5);
      }
    const int wanted =
        found_by_trying_all(&m, (const double(*)[2][3])x, (const double(*)[2][3])point, POINTS, 1e-4);
    assert_int_equal(
        sim_through_find(&m, NULL, 0, m.n_vertices, (const double(*)[3])x0, (const double(*)[3])x1,
                         (const double(*)[3])start, (const double(*)[3])end, POINTS, 1e-4, NULL),
        wanted);
    hits += wanted >= 0;
  }
  assert_true(hits > CLOTHS / 10 && hits < CLOTHS * 9 / 10);
  sim_mesh_clear(&m);
}

static void test_energy_from_nowhere(void **state) {
  (void)state;
  refused(
      "name: w\n"
      "sheet: {shape: rectangle, length_mm: 1, width_mm: 1, vertices: 900}\n"
      "material: {areal_density_g_per_m2: 150, thickness_mm: 0.001, stretch_warp_N_per_m: 500, "
      "stretch_weft_N_per_m: 500,\n"
      "    shear_N_per_m: 200, bend_warp_uN_m: 5, bend_weft_uN_m: 5, damping_ms: 1}\n"
      "bodies: [{shape: sphere, radius_mm: 0.3, at_mm: [0, 0, -0.4]}]\n"
      "time: {duration_s: 0.1}\n",
      "w: energy appeared from nowhere");
}

/* Of a torus of 96 x 96 quads: the circle in its tube. A ball of facets is as thick as its tube, to 2 %. */
static void test_core_of_a_torus(void **state) {
  (void)state;
  sim_solid *torus;
  assert_ok(sim_solid_torus(0.06, 0.02, 96, &torus, err));
  const sim_core *core = sim_solid_core(torus);
  assert_near(core->inner_m, 0.02, 0.02 * 0.025);
  assert_true(core->n > 20);
  for (int i = 0; i < core->n; i++) {
    const double *x = core->x_m[i];
    assert_near(hypot(hypot(x[0], x[1]) - 0.06, x[2]), 0, 0.02 * 0.05);
  }
  sim_solid_free(torus);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_fast_ball),
                                     cmocka_unit_test(test_slow_stays_whole),
                                     cmocka_unit_test(test_start_in_a_body),
                                     cmocka_unit_test(test_start_at_a_cylinder),
                                     cmocka_unit_test(test_rest_on_a_table),
                                     cmocka_unit_test(test_start_on_a_body),
                                     cmocka_unit_test(test_start_of_limited_cloth),
                                     cmocka_unit_test(test_start_in_itself),
                                     cmocka_unit_test(test_came_through),
                                     cmocka_unit_test(test_search_misses_nothing),
                                     cmocka_unit_test(test_energy_from_nowhere),
                                     cmocka_unit_test(test_core_of_a_torus)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
