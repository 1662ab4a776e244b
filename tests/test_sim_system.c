/* Scenes of the other models: what the file says comes through, what it says wrongly is refused, bodies move as told. */
#include "systemtest.h"

#include "sim_balls.h"

static const char whole[] =
    "name: hung\n"
    "particles: {width_mm: 300, height_mm: 400, cells: 4}\n"
    "time: {duration_s: 0.1, step_ms: 10}\n"
    "output: {every_ms: 50, picture: {width_px: 64, height_px: 48}}\n";

static void test_other_files(void **state) {
  (void)state;
  sim_system *s;
  assert_ok(parse_system("name: a\ncloth: {}\n", &s, err));
  assert_null(s); /* it is a scene of sim_scene.h */
  refused("name: a\nparticles: {}\n", "time");
  refused("name: a b\nparticles: {}\ntime: {duration_s: 1}\n", "letters");
  refused("name: a\nparticles: {wide: 3}\ntime: {duration_s: 1}\n", "wide");
  refused("name: a\nparticles: {cells: 0}\ntime: {duration_s: 1}\n", "cells");
  refused("name: a\nparticles: {}\ncloth: {}\ntime: {duration_s: 1}\n", "cloth");
  refused("name: a\nparticles: {}\ntime: {duration_s: 0.001, step_ms: 5}\n", "longer than the duration");
  refused("name: a\nparticles: {}\ntime: {duration_s: 1}\noutput: {obj: true}\n", "png and vtp");
  refused("name: a\nparticles: {}\ntime: {duration_s: 1}\nbodies: [{shape: plane}]\n", "no bodies");
}

/* One step of free fall of all that is not held, before anything is stretched. */
static void test_play(void **state) {
  (void)state;
  sim_system *s;
  double value[SIM_MODEL_COLUMNS];
  assert_ok(parse_system(whole, &s, err));
  assert_string_equal(sim_system_scene(s)->name, "hung");
  assert_int_equal(sim_system_steps(s), 10);
  assert_int_equal(sim_system_values(s, value), 6);
  assert_near(value[2], -0.4, 1e-12); /* lowest_m */
  for (int k = 0; k < 10; k++) assert_ok(sim_system_step(s, err));
  assert_int_equal(sim_system_done(s), 10);
  assert_int_equal(sim_system_values(s, value), 6);
  assert_true(value[0] > 0 && value[1] > 0 && value[2] < -0.401 && value[3] > 0);
  sim_system_free(s);
}

static void test_seen(void **state) {
  (void)state;
  sim_system *s;
  char path[400];
  sim_drawn d[SIM_MODEL_SURFACES];
  assert_ok(parse_system(whole, &s, err));
  assert_int_equal(sim_system_model(s)->draw(sim_system_state(s), d), 1);
  assert_int_equal(d[0].n_triangles > 0 ? d[0].n_vertices : 0, 20); /* 3 x 4 cells: as wide as they are high */
  assert_ok(sim_system_picture(s, cbt_path("seen.png", path), err));
  char *png = cbt_read(path);
  assert_memory_equal(png, "\x89PNG\r\n", 6);
  free(png);
  assert_ok(sim_system_write_vtp(s, cbt_path("seen.vtp", path), err));
  char *vtp = cbt_read(path);
  assert_non_null(strstr(vtp, "NumberOfPoints=\"20\""));
  assert_non_null(strstr(vtp, "NumberOfPolys=\"24\""));
  free(vtp);
  sim_system_free(s);
}

/* A ball that comes at a curtain with 1 m/s touches it after 0.3 s, not before. */
static void test_bodies_move(void **state) {
  (void)state;
  sim_system *s;
  double value[SIM_MODEL_COLUMNS];
  int touching = 0;
  assert_ok(
      parse_system("name: hit\ncurtain: {width_mm: 1000, height_mm: 1500}\n"
                   "bodies: [{shape: sphere, radius_mm: 100, at_mm: [500, -400, -700],\n"
                   "  motion: [{until_s: 1, velocity_mm_per_s: [0, 1000, 0]}]}]\n"
                   "gravity_m_per_s2: [0, 0, -9.8]\ntime: {duration_s: 0.4, step_ms: 10}\n",
                   &s, err));
  while (strcmp(sim_system_model(s)->column[touching], "touching") != 0) touching++;
  while (sim_system_done(s) < sim_system_steps(s)) {
    assert_ok(sim_system_step(s, err));
    (void)sim_system_values(s, value);
    if (sim_system_done(s) <= 29) assert_near(value[touching], 0, 0);
  }
  assert_true(value[touching] > 0);
  sim_system_free(s);
}

/* Every face of a ball looks outwards, at its radius over the root of three. */
static void test_balls(void **state) {
  (void)state;
  const double x[2][3] = {{1, 2, 3}, {-4, 0, 0.5}};
  sim_surface s;
  assert_ok(sim_balls_init(2, &s, err));
  sim_balls_place(&s, x, 0.5);
  for (int t = 0; t < s.n_triangles; t++) {
    double a[3], b[3], n[3], m[3];
    const double *c = x[t / 8];
    for (int k = 0; k < 3; k++) {
      const double *p = s.position_m[s.triangle[t][0]];
      a[k] = s.position_m[s.triangle[t][1]][k] - p[k];
      b[k] = s.position_m[s.triangle[t][2]][k] - p[k];
      m[k] = p[k] - c[k];
    }
    for (int k = 0; k < 3; k++) n[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
    const double length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]), away = (n[0] * m[0] + n[1] * m[1] + n[2] * m[2]) / length;
    assert_near(away, 0.5 / sqrt(3), 1e-12);
  }
  sim_surface_clear(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_other_files), cmocka_unit_test(test_play), cmocka_unit_test(test_seen),
                                     cmocka_unit_test(test_bodies_move), cmocka_unit_test(test_balls)};
  return cmocka_run_group_tests(tests, cbt_folder_set_up, cbt_folder_tear_down);
}
