/* The player: what a file says comes through, what it says wrongly is refused, bodies move as told, probes
 * follow what they look at, every model writes every format. */
#include "playtest.h"

#include "sim_liquid_skin.h"
#include "sim_play_parts.h"

static const char whole[] =
    PLAY_HUNG(300, 400, 200, 4)
    "conditions: {stretch_damping_Ns_per_m: 0.02, bend_damping_uN_m_s: 1}\n"
    "time: {duration_s: 0.1, step_ms: 10}\n"
    "output: {every_ms: 50, picture: {width_px: 64, height_px: 48}}\n";

#define HUNG PLAY_HUNG(600, 800, 400, 20)

static void test_other_files(void **state) {
  (void)state;
  refused("name: a\ncloth: {}\n", "time");
  refused(HUNG "conditions: {}\n", "time");
  refused("name: a b\nsheet: {shape: rectangle}\nconditions: {}\ntime: {duration_s: 1}\n", "letters");
  refused(HUNG "conditions: {wide: 3}\ntime: {duration_s: 1}\n", "wide");
  refused(HUNG "conditions: {}\ncloth: {}\ntime: {duration_s: 1}\n", "cloth");
  refused(HUNG "conditions: {}\ntime: {duration_s: 0.001, step_ms: 5}\n", "longer than the duration");
  refused(HUNG "conditions: {}\ntime: {duration_s: 1, scheme: bdf2}\n", "scheme");
  refused(HUNG "conditions: {}\ntime: {duration_s: 1}\nbodies: [{shape: plane}]\n", "no bodies");
}

/* One step of free fall of all that is not held, before anything is stretched. */
static void test_play(void **state) {
  (void)state;
  sim_play *s;
  assert_ok(parse_play(whole, &s, err));
  assert_string_equal(sim_play_scene(s)->name, "a");
  assert_int_equal(sim_play_steps(s), 10);
  assert_int_equal(sim_play_columns(s), 7);
  assert_near(sim_play_value(s, "lowest_m"), -0.4, 1e-12);
  play_steps(s, 10);
  assert_int_equal(sim_play_done(s), 10);
  assert_true(sim_play_value(s, "kinetic_J") > 0 && sim_play_value(s, "elastic_J") > 0);
  assert_true(sim_play_value(s, "lowest_m") < -0.401 && sim_play_value(s, "largest_strain") > 0);
  free_play(s);
}

static void test_seen(void **state) {
  (void)state;
  sim_play *s;
  char path[400];
  sim_drawn d[SIM_PLAY_SURFACES];
  assert_ok(parse_play(whole, &s, err));
  assert_int_equal(sim_play_surfaces(s, d), 1);
  assert_int_equal(d[0].n_triangles > 0 ? d[0].n_vertices : 0, 20); /* 3 x 4 cells: as wide as they are
                                                                       high */
  assert_ok(sim_play_picture(s, cbt_path("seen.png", path), err));
  char *png = cbt_read(path);
  assert_memory_equal(png, "\x89PNG\r\n", 6);
  free(png);
  assert_ok(sim_play_write(s, 0, SIM_PLAY_VTP, cbt_path("seen.vtp", path), err));
  char *vtp = cbt_read(path);
  assert_non_null(strstr(vtp, "NumberOfPoints=\"20\""));
  assert_non_null(strstr(vtp, "NumberOfPolys=\"24\""));
  free(vtp);
  free_play(s);
}

/* A ball that comes at a curtain with 1 m/s touches it after 0.3 s, not before. */
static void test_bodies_move(void **state) {
  (void)state;
  sim_play *s;
  assert_ok(parse_play(
      PLAY_CURTAIN(1500, 1000) "curtain: {}\n"
                               "bodies: [{shape: sphere, radius_mm: 100, at_mm: [500, -400, -700],\n"
                               "  motion: [{until_s: 1, velocity_mm_per_s: [0, 1000, 0]}]}]\n"
                               "gravity_m_per_s2: [0, 0, -9.8]\ntime: {duration_s: 0.4, step_ms: 10}\n",
      &s, err));
  while (sim_play_done(s) < sim_play_steps(s)) {
    assert_ok(sim_play_step(s, NULL, err));
    if (sim_play_done(s) <= 29) assert_near(sim_play_value(s, "touching"), 0, 0);
  }
  assert_true(sim_play_value(s, "touching") > 0);
  free_play(s);
}

/* ---- probes ---- */

/* Two drops of one particle each: the lower one stands on the floor, the other falls past cell after cell, so
 * that they change places in the liquid's order. The probe stays with its drop: backward differences of a
 * free fall, z = z0 - g h^2 n (n + 1) / 2. */
static void test_probe_follows_its_drop(void **state) {
  (void)state;
  static const char text[] = PLAY_WET
      "sheet: {shape: rectangle, length_mm: 100, width_mm: 100, cells: 2, at_mm: [850, 850, 900]}\n"
      "held: upper-edge\nsplash:\n  spacing_mm: 20\n"
      "  liquid: [{from_mm: [300, 300, 400], to_mm: [320, 320, 420]}, {from_mm: [500, 500, 600], to_mm: "
      "[520, 520, 620]}]\n"
      "time: {duration_s: 0.2, step_ms: 4}\noutput: {probes: [{name: low, at_mm: [310, 310, 410]}, {name: "
      "high, at_mm: [510, 510, "
      "610]}]}\n";
  const double g = 9.80665, h = 0.004;
  sim_play *s;
  assert_ok(parse_play(text, &s, err));
  const double low = sim_play_value(s, "low_z_m"), high = sim_play_value(s, "high_z_m");
  assert_near(low, 0.41, 0.012); /* the ball that is seen of a particle has a radius of 11 mm */
  assert_near(high, 0.61, 0.012);
  for (int n = 1; n <= 50; n++) {
    assert_ok(sim_play_step(s, NULL, err));
    assert_near(sim_play_value(s, "low_z_m"), low - g * h * h * n * (n + 1) / 2, 1e-9);
    assert_near(sim_play_value(s, "high_z_m"), high - g * h * h * n * (n + 1) / 2, 1e-9);
    assert_near(sim_play_value(s, "high_vz_m_per_s"), -g * h * n, 1e-9);
  }
  free_play(s);
}

/* On cloth whose vertices come and go a probe stays at its place in the flat cloth: it never jumps. */
static void test_probe_on_remeshed_cloth(void **state) {
  (void)state;
  sim_play *s;
  assert_ok(
      parse_play(PLAY_REMESHED
                 "sheet: {shape: disc, radius_mm: 100, edge_mm: 25}\nheld: {part: middle, within_mm: 50}\n"
                 "remeshed: {waves: 5, wave_mm: 2, "
                 "every_steps: 5, edge_min_mm: 5,\n"
                 "  edge_max_mm: 30, change_m_per_s: 0}\ntime: {duration_s: 0.2, step_ms: 10}\n"
                 "output: {probes: [{name: rim, at_mm: [100, 0, 0]}]}\n",
                 &s, err));
  const char *const place[] = {"rim_x_m", "rim_y_m", "rim_z_m"}, *const speed[] = {"rim_vx_m_per_s",
                                                                                   "rim_vy_m_per_s",
                                                                                   "rim_vz_m_per_s"};
  double before[3];
  const double vertices = sim_play_value(s, "vertices");
  for (int k = 0; k < 3; k++) before[k] = sim_play_value(s, place[k]);
  assert_near(before[0], 0.1, 0.005);
  while (sim_play_done(s) < sim_play_steps(s)) {
    assert_ok(sim_play_step(s, NULL, err));
    /* Backward Euler: the way of a step is the velocity at its end; a remeshing before the step is linear on
     * old edges, but for what a collapse moves. */
    for (int k = 0; k < 3; k++) {
      const double now = sim_play_value(s, place[k]);
      assert_near(now - before[k], 0.01 * sim_play_value(s, speed[k]), 2e-3);
      before[k] = now;
    }
  }
  assert_true(sim_play_value(s, "vertices") > vertices && before[2] < -0.01);
  free_play(s);
}

/* Of a curtain's folds too the way of a step is the velocity that is told. */
static void test_probe_on_a_fold(void **state) {
  (void)state;
  sim_play *s;
  assert_ok(
      parse_play(PLAY_CURTAIN(300, 200) "curtain: {columns: 3, nodes: 6, segments: 6, hung_width_mm: 100,\n"
                                        "  wind: {speed_m_per_s: 5, centre_mm: [50, -300, -150]}}\ntime: "
                                        "{duration_s: 0.2, step_ms: 10}\n"
                                        "output: {probes: [{name: fold, at_mm: [25, 50, -250]}]}\n",
                 &s, err));
  double before = sim_play_value(s, "fold_y_m");
  for (int n = 0; n < 20; n++) {
    assert_ok(sim_play_step(s, NULL, err));
    const double now = sim_play_value(s, "fold_y_m");
    assert_near((now - before) / 0.01, sim_play_value(s, "fold_vy_m_per_s"), 1e-9);
    before = now;
  }
  assert_true(fabs(sim_play_value(s, "fold_vy_m_per_s")) > 1e-3);
  free_play(s);
}

/* ---- files ---- */

static int count_lines(const char *text, const char *begin) {
  int n = 0;
  for (const char *line = text; line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL)
    n += strncmp(line, begin, strlen(begin)) == 0;
  return n;
}

/* A cloth and 4 drops: all surfaces in one file, numbered through. */
static void test_formats(void **state) {
  (void)state;
  sim_play *s;
  char path[400], wanted[100];
  assert_ok(parse_play(
      PLAY_WET
      "sheet: {shape: rectangle, length_mm: 100, width_mm: 100, cells: 4, at_mm: [850, 850, 900]}\n"
      "splash:\n  spacing_mm: 20\n"
      "  liquid: [{from_mm: [300, 300, 400], to_mm: [340, 340, 420]}]\ntime: {duration_s: 0.2, step_ms: 4}\n",
      &s, err));
  const int vertices = 25 + 6 * 4, triangles = 32 + 8 * 4;
  assert_int_equal(sim_play_files(s), 1);
  assert_ok(sim_play_write(s, 0, SIM_PLAY_OBJ, cbt_path("a.obj", path), err));
  char *obj = cbt_read(path);
  assert_int_equal(count_lines(obj, "v "), vertices);
  assert_int_equal(count_lines(obj, "f "), triangles);
  assert_int_equal(count_lines(obj, "g surface"), 2);
  int most = 0, corner[3];
  for (const char *at = strstr(obj, "\nf "); at; at = strstr(at + 1, "\nf ")) {
    assert_int_equal(sscanf(at, "\nf %d %d %d", &corner[0], &corner[1], &corner[2]), 3);
    for (int k = 0; k < 3; k++) most = corner[k] > most ? corner[k] : most;
  }
  assert_int_equal(most, vertices);
  free(obj);
  char *ply;
  size_t n;
  assert_ok(sim_play_write(s, 0, SIM_PLAY_PLY, cbt_path("a.ply", path), err));
  assert_ok(cb_file_read(path, 1 << 20, &ply, &n, err));
  (void)snprintf(wanted, sizeof wanted, "\nelement vertex %d\n", vertices);
  assert_non_null(strstr(ply, wanted));
  assert_non_null(strstr(ply, "\nproperty int surface\nend_header\n"));
  const size_t head = (size_t)(strstr(ply, "end_header\n") - ply) + strlen("end_header\n");
  assert_int_equal(n - head, 24 * vertices + (1 + 12 + 4) * triangles);
  int surface;
  memcpy(&surface, ply + n - 4, sizeof surface);
  assert_int_equal(surface, 1);
  free(ply);
  free_play(s);
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
    const double length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]),
                 away = (n[0] * m[0] + n[1] * m[1] + n[2] * m[2]) / length;
    assert_near(away, 0.5 / sqrt(3), 1e-12);
  }
  sim_surface_clear(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_other_files),
                                     cmocka_unit_test(test_play),
                                     cmocka_unit_test(test_seen),
                                     cmocka_unit_test(test_bodies_move),
                                     cmocka_unit_test(test_probe_follows_its_drop),
                                     cmocka_unit_test(test_probe_on_remeshed_cloth),
                                     cmocka_unit_test(test_probe_on_a_fold),
                                     cmocka_unit_test(test_formats),
                                     cmocka_unit_test(test_balls)};
  return cmocka_run_group_tests(tests, cbt_folder_set_up, cbt_folder_tear_down);
}
