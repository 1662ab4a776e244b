/* Scenes of the other models: what the file says comes through, what it says wrongly is refused, bodies move as told. */
#include "cbtest.h"

#include "sim_balls.h"
#include "sim_system.h"

static const char whole[] =
    "name: hung\n"
    "particles: {width_mm: 300, height_mm: 400, cells: 4}\n"
    "time: {duration_s: 0.1, step_ms: 10}\n"
    "output: {every_ms: 50, picture: {width_px: 64, height_px: 48}}\n";

static cb_status parse(const char *text, sim_system **out, cb_err *err) { return sim_system_parse(text, strlen(text), "t.yaml", out, err); }

static void refused(const char *text, const char *wanted) {
  sim_system *s;
  cb_err err = {""};
  if (parse(text, &s, &err) == CB_OK) fail_msg("'%s' was taken", text);
  assert_null(s);
  if (!strstr(err.msg, wanted)) fail_msg("'%s' was wanted in '%s'", wanted, err.msg);
}

static void test_other_files(void **state) {
  (void)state;
  sim_system *s;
  assert_ok(parse("name: a\ncloth: {}\n", &s, err));
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
  assert_ok(parse(whole, &s, err));
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
  assert_ok(parse(whole, &s, err));
  assert_int_equal(sim_system_model(s)->draw(sim_system_state(s), d), 1);
  assert_int_equal(d[0].n_triangles > 0 ? d[0].n_vertices : 0, 20); /* 3 x 4 cells: as wide as they are high */
  assert_ok(sim_system_picture(s, cbt_path("seen.png", path), err));
  assert_ok(sim_system_write_vtp(s, cbt_path("seen.vtp", path), err));
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
                                     cmocka_unit_test(test_balls)};
  return cmocka_run_group_tests(tests, cbt_folder_set_up, cbt_folder_tear_down);
}
