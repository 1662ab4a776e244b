/* Cloth that is curved at rest, stepped through time: it curls up to the circle that it is told, and stays
 * where it was made. */
#include "cbtest.h"

#include "cb_num.h"
#include "sim_cloth.h"
#include "clothfile.h"
#include "sim_play.h"
#include "sim_probe.h"

/* No gravity, no bodies; drag brings it to rest. */
#define SCENE(mesh, rest)                                                                          \
  "name: rest\n"                                                                                   \
  "sheet: {" mesh                                                                                  \
  "}\n"                                                                                            \
  "cloth:\n  self_collision: false\n" rest                                                         \
  "material: {areal_density_g_per_m2: 150, stretch_warp_N_per_m: 1000,\n"                          \
  "    stretch_weft_N_per_m: 1000, shear_N_per_m: 300, bend_warp_uN_m: 200, bend_weft_uN_m: 200, " \
  "drag_per_s: 20}\n"                                                                              \
  "gravity_m_per_s2: [0, 0, 0]\n"                                                                  \
  "time: {duration_s: 2, step_ms: 5}\n"
#define STRIP "shape: rectangle, length_mm: 100, width_mm: 12, vertices: 150"

static sim_play *play_of(const char *text, sim_scene *s) {
  sim_play *p;
  assert_ok(sim_scene_parse(text, strlen(text), "s.yaml", s, err));
  assert_ok(sim_play_new(s, &p, err));
  return p;
}

static void run(sim_play *p, int steps) {
  for (int i = 0; i < steps; i++) assert_ok(sim_play_step(p, NULL, err));
}

static double span(const sim_play *p, int axis) {
  const double(*x)[3] = (const double(*)[3])sim_cloth_position(sim_play_cloth(p));
  double low = INFINITY, high = -INFINITY;
  for (int i = 0; i < sim_play_mesh(p)->n_vertices; i++)
    low = fmin(low, x[i][axis]), high = fmax(high, x[i][axis]);
  return high - low;
}

/* Between the vertices that were made at these places, now: free cloth may turn as a whole. */
static double apart(const sim_play *p, const double a[3], const double b[3]) {
  const double(*x)[3] = (const double(*)[3])sim_cloth_position(sim_play_cloth(p));
  const sim_mesh *m = sim_play_mesh(p);
  const double still[1][3] = {{0}};
  const sim_drawn made = {.n_vertices = m->n_vertices,
                          .position_m = (const double(*)[3])m->position_m,
                          .velocity_m_per_s = still};
  int i = sim_probe_nearest(&made, 1, a).vertex, j = sim_probe_nearest(&made, 1, b).vertex;
  return sqrt(pow(x[i][0] - x[j][0], 2) + pow(x[i][1] - x[j][1], 2) + pow(x[i][2] - x[j][2], 2));
}

/* An arc of length L and curvature K: chord 2/K sin(L K/2), height (1 - cos(L K/2))/K; it turns towards its
 * face. */
static void curls_to_its_circle(void **state) {
  (void)state;
  static sim_scene s;
  const double K = 15, half = 0.1 * K / 2;
  sim_play *p = play_of(SCENE(STRIP, "  rest_curvature_per_m: [15, 0, 0]\n"), &s);
  sim_cloth_energies e;
  sim_cloth_energy(sim_play_cloth(p), &e);
  const double whole = 0.5 * 2e-4 * K * K * 0.1 * 0.012; /* flat: but at the two ends, which nothing holds
                                                            straight, a cell of 30 each */
  assert_true(e.bending <= whole && e.bending > whole * (1 - 2.0 / 30));
  run(p, 400);
  assert_near(span(p, 0), 2 / K * sin(half), 2e-3 * span(p, 0)); /* 30 cells along: second order, 1e-3 */
  assert_near(span(p, 2), (1 - cos(half)) / K, 1e-2 * span(p, 2));
  const double corner[2][3] = {{0.05, -0.006, 0}, {0.05, 0.006, 0}};
  assert_near(apart(p, corner[0], corner[1]), 0.012, 1e-5); /* no curvature across */
  double low = 0;
  for (int i = 0; i < sim_play_mesh(p)->n_vertices; i++)
    if (fabs(sim_play_mesh(p)->position_m[i][0]) < 0.01)
      low = fmin(low, sim_cloth_position(sim_play_cloth(p))[i][2]);
  assert_true(low < 0); /* its face, +z, is inside */
  sim_cloth_energies end;
  sim_cloth_energy(sim_play_cloth(p), &end);
  assert_true(end.kinetic < 1e-6 * e.bending && end.bending < 1e-3 * e.bending);
  sim_play_free(p);
}

/* A half pipe whose flat cloth is in the texture. */
static void write_pipe(int around, char path[400]) {
  static char text[40000];
  size_t n = 0;
  const double r = 0.03, step = CB_PI / around, chord = 2 * r * sin(step / 2);
  for (int i = 0; i <= around; i++)
    for (int j = 0; j <= 4; j++) {
      n += (size_t)snprintf(text + n, sizeof text - n, "v %.12f %.12f %.12f\n", -r * cos(step * i), 0.005 * j,
                            r * (1 - sin(step * i)));
      /* 100 mm per unit */
      n += (size_t)snprintf(text + n, sizeof text - n, "vt %.12f %.12f\n", 10 * chord * i, 0.05 * j);
    }
  for (int i = 0; i < around; i++)
    for (int j = 0; j < 4; j++) {
      int a = 5 * i + j + 1, b = a + 5;
      n += (size_t)snprintf(text + n, sizeof text - n, "f %d/%d %d/%d %d/%d\nf %d/%d %d/%d %d/%d\n", a, a, b,
                            b, b + 1, b + 1, a, a, b + 1, b + 1, a + 1, a + 1);
    }
  cbt_write(cbt_path("pipe.obj", path), text);
}

static sim_play *pipe_of(int around, const char *rest, sim_scene *s) {
  char path[400], text[1500];
  write_pipe(around, path);
  (void)snprintf(text, sizeof text,
                 SCENE("shape: file, file: '%s', mm_per_unit: 1000, texture_mm_per_unit: 100", "%s"), path,
                 rest);
  return play_of(text, s);
}

/* Its width at rest over what it was made with, less 1. */
static double widened(int around) {
  static sim_scene s;
  sim_play *p = pipe_of(around, "  rest_shape: as-made\n", &s);
  double wide = span(p, 0), high = span(p, 2);
  run(p, 200);
  double by = span(p, 0) / wide - 1;
  assert_near(span(p, 2), high, 2 * fabs(by) * high);
  sim_play_free(p);
  return by;
}

/* Second derivatives are not quite along the triangles' normals, but the closer the finer the mesh: 1.9 and
 * 0.6 % for 15 and 7.5 degrees from cell to cell. */
static void stays_as_it_was_made(void **state) {
  (void)state;
  double coarse = widened(12), fine = widened(24);
  assert_true(fabs(coarse) < 0.022 && fabs(fine) < 0.4 * fabs(coarse));
}

/* The same mesh, flat at rest, opens to the cloth that its texture is. */
static void opens_to_its_texture(void **state) {
  (void)state;
  static sim_scene s;
  const int around = 12;
  sim_play *p = pipe_of(around, "", &s);
  const double length = around * 2 * 0.03 * sin(CB_PI / around / 2);
  double area = 0;
  for (int t = 0; t < sim_play_mesh(p)->n_triangles; t++) area += sim_play_mesh(p)->area_m2[t];
  assert_near(area, 0.02 * length, 1e-9);
  run(p, 400);
  const double end[2][3] = {{-0.03, 0, 0.03}, {0.03, 0, 0.03}};
  assert_near(apart(p, end[0], end[1]), length, 1e-4 * length);
  assert_true(span(p, 2) < 1e-2 * length);
  sim_play_free(p);
}

/* A checkpoint belongs to its rest shape. */
static void another_rest_is_another_cloth(void **state) {
  (void)state;
  static sim_scene a, b;
  char path[400];
  sim_play *p = play_of(SCENE(STRIP, "  rest_curvature_per_m: [15, 0, 0]\n"), &a),
           *q = play_of(SCENE(STRIP, ""), &b);
  run(p, 2);
  assert_ok(cloth_save(sim_play_cloth(p), cbt_path("c.cloth", path), err));
  assert_fails(CB_E_RANGE, "belongs to another cloth", cloth_load(sim_play_cloth(q), path, err));
  sim_play_free(p);
  sim_play_free(q);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(curls_to_its_circle),
      cmocka_unit_test_setup_teardown(stays_as_it_was_made, cbt_folder_set_up, cbt_folder_tear_down),
      cmocka_unit_test_setup_teardown(opens_to_its_texture, cbt_folder_set_up, cbt_folder_tear_down),
      cmocka_unit_test_setup_teardown(another_rest_is_another_cloth, cbt_folder_set_up,
                                      cbt_folder_tear_down)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
