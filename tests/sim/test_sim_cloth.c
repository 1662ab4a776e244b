/* The implicit step against what must be true of any cloth: free fall, momentum, energy, held contact, same
 * bits. */
#include <math.h>
#include <omp.h>
#include <string.h>

#include "cbtest.h"
#include "sim_cloth.h"
#include "sim_mesh.h"
#include "sim_self.h"

typedef struct lab {
  sim_mesh mesh;
  sim_material material;
  sim_cloth *cloth;
  bool gripped[4000];
} lab;

static void make(lab *l, double length_m, double width_m, int about) {
  sim_rectangle r = {.length_m = length_m,
                     .width_m = width_m,
                     .pattern = SIM_PATTERN_IRREGULAR,
                     .about_vertices = about,
                     .seed = 7};
  *l = (lab){0};
  assert_ok(sim_mesh_rectangle(&r, &l->mesh, err));
  l->material = sim_material_isotropic(0.15, 500, 1e-5);
}

static void clear(lab *l) {
  sim_cloth_free(l->cloth);
  sim_mesh_clear(&l->mesh);
}

static void run(lab *l, double dt_s, int steps) {
  for (int k = 0; k < steps; k++) assert_ok(sim_cloth_step(l->cloth, dt_s, NULL, err));
}

/* z_n = -g h^2 n (n + 1) / 2, whatever the cloth is made of. */
static void free_fall(void **state) {
  (void)state;
  static lab l;
  make(&l, 0.3, 0.2, 500);
  sim_cloth_setup s = sim_cloth_setup_default(&l.mesh, &l.material);
  s.solve_tolerance = 1e-7;
  assert_ok(sim_cloth_new(&s, &l.cloth, err));
  run(&l, 0.005, 40);
  double(*x)[3] = sim_cloth_position(l.cloth), wanted = 9.80665 * 0.005 * 0.005 * 40 * 41 / 2;
  for (int i = 0; i < l.mesh.n_vertices; i++) {
    assert_near(x[i][2], -wanted, 1e-6 * wanted);
    for (int k = 0; k < 2; k++) assert_near(x[i][k], l.mesh.position_m[i][k], 1e-9);
  }
  clear(&l);
}

/* Without weight a cloth that was thrown about keeps its momentum, up to what the solver leaves. */
static void momentum_stays(void **state) {
  (void)state;
  static lab l;
  make(&l, 0.2, 0.2, 400);
  sim_cloth_setup s = sim_cloth_setup_default(&l.mesh, &l.material);
  s.gravity_m_per_s2[2] = 0;
  s.solve_tolerance = 1e-7;
  assert_ok(sim_cloth_new(&s, &l.cloth, err));
  double(*v)[3] = sim_cloth_velocity(l.cloth), sum[2][3] = {{0}}, parts = 0;
  const double *mass = sim_cloth_mass(l.cloth);
  for (int i = 0; i < l.mesh.n_vertices; i++) {
    v[i][0] = 0.3 + sin(40 * l.mesh.position_m[i][1]);
    v[i][2] = cos(30 * l.mesh.position_m[i][0]);
  }
  for (int when = 0; when < 2; when++) {
    for (int i = 0; i < l.mesh.n_vertices; i++)
      for (int k = 0; k < 3; k++)
        sum[when][k] += mass[i] * v[i][k], parts += when ? 0 : fabs(mass[i] * v[i][k]);
    if (when == 0) run(&l, 0.002, 50);
  }
  for (int k = 0; k < 3; k++) assert_near(sum[1][k], sum[0][k], 1e-5 * parts);
  clear(&l);
}

/* A flag that swings: what gravity gives is what the cloth holds, up to what the scheme takes; that goes away
 * with the step. */
static double lost(double dt_s) {
  static lab l;
  make(&l, 0.2, 0.1, 200);
  for (int i = 0; i < l.mesh.n_vertices; i++) l.gripped[i] = l.mesh.position_m[i][0] < 1e-9;
  sim_cloth_setup s = sim_cloth_setup_default(&l.mesh, &l.material);
  s.gripped = l.gripped;
  s.scheme = SIM_BDF2;
  s.iterations = 8;
  s.settle_m_per_s = 1e-7;
  s.solve_tolerance = 1e-5;
  assert_ok(sim_cloth_new(&s, &l.cloth, err));
  sim_cloth_energies before, after;
  sim_cloth_energy(l.cloth, &before);
  run(&l, dt_s, (int)lround(0.1 / dt_s));
  sim_cloth_energy(l.cloth, &after);
  double given = before.gravity - after.gravity;
  assert_true(given > 0 && after.kinetic > 0.5 * given);
  double held = after.kinetic + after.stretch + after.bending - before.stretch - before.bending;
  clear(&l);
  return (given - held + after.supports) / given;
}

static void energy_closes(void **state) {
  (void)state;
  double coarse = lost(0.001), fine = lost(0.0005);
  print_message("BDF2 lost %.4f %% and %.4f %% of the work of gravity\n", 100 * coarse, 100 * fine);
  assert_true(fabs(fine) < 1e-3);
  assert_true(fabs(fine) < 0.5 * fabs(coarse));
}

/* A cloth that slides down a slope: weight's work is kinetic energy and friction's heat. */
static void friction_is_in_the_ledger(void **state) {
  (void)state;
  static lab l;
  make(&l, 0.1, 0.1, 200);
  sim_body plane = {
      .shape = SIM_PLANE, .axis = {0, 0, 1}, .friction = {.mu_kinetic = 0.3, .mu_static = 0.35}};
  sim_cloth_setup s = sim_cloth_setup_default(&l.mesh, &l.material);
  s.bodies = &plane;
  s.n_bodies = 1;
  s.gravity_m_per_s2[0] = 9.80665 * sin(0.5);
  s.gravity_m_per_s2[2] = -9.80665 * cos(0.5);
  assert_ok(sim_cloth_new(&s, &l.cloth, err));
  sim_cloth_energies before, after;
  sim_cloth_energy(l.cloth, &before);
  run(&l, 0.001, 200);
  sim_cloth_energy(l.cloth, &after);
  double given = before.gravity - after.gravity, mass = 0.15 * 0.01,
         way = 0.5 * 9.80665 * (sin(0.5) - 0.3 * cos(0.5)) * 0.04;
  /* Backward Euler goes one part in n = 200 too far. */
  assert_near(after.friction, 0.3 * mass * 9.80665 * cos(0.5) * way, 6e-3 * after.friction);
  assert_near(after.kinetic + after.friction, given, 6e-3 * given);
  clear(&l);
}

static void drop(int threads, double x_m[4000][3], int *n) {
  static lab l;
  omp_set_num_threads(threads);
  make(&l, 0.4, 0.4, 900);
  sim_body ball = {.shape = SIM_SPHERE,
                   .origin_m = {0.2, 0.2, -0.11},
                   .axis = {0, 0, 1},
                   .radius_m = 0.1,
                   .friction = {0.3, 0.3}};
  l.material.thickness_m = 1e-3;
  sim_cloth_setup s = sim_cloth_setup_default(&l.mesh, &l.material);
  s.bodies = &ball;
  s.n_bodies = 1;
  assert_ok(sim_cloth_new(&s, &l.cloth, err));
  run(&l, 0.005, 40);
  *n = l.mesh.n_vertices;
  memcpy(x_m, sim_cloth_position(l.cloth), (size_t)*n * sizeof *x_m);
  clear(&l);
}

static void same_bits(void **state) {
  (void)state;
  static double x[2][4000][3];
  int n, threads = omp_get_max_threads();
  drop(1, x[0], &n);
  for (int i = 0; i < n; i++) {
    double dx = x[0][i][0] - 0.2, dy = x[0][i][1] - 0.2, dz = x[0][i][2] + 0.11;
    assert_true(sqrt(dx * dx + dy * dy + dz * dz) > 0.1); /* nobody is inside */
  }
  for (int k = 2; k <= 3; k++) {
    drop(k, x[1], &n);
    assert_memory_equal(x[0], x[1], (size_t)n * sizeof *x[0]);
  }
  omp_set_num_threads(threads);
}

/* A sheet that stands on its edge, is thrown down and folds up upon itself: nothing crosses, and nothing goes
 * through the floor. */
static void crumpled(void **state) {
  (void)state;
  static lab l;
  make(&l, 0.2, 0.2, 400);
  l.material.thickness_m = 2e-3;
  sim_body floor = {.shape = SIM_PLANE, .axis = {0, 0, 1}, .friction = {0.4, 0.4}};
  sim_cloth_setup s = sim_cloth_setup_default(&l.mesh, &l.material);
  s.bodies = &floor;
  s.n_bodies = 1;
  s.self_collision = true;
  s.self_friction = (sim_friction){.mu_kinetic = 0.3, .mu_static = 0.3};
  assert_ok(sim_cloth_new(&s, &l.cloth, err));
  double(*x)[3] = sim_cloth_position(l.cloth), (*v)[3] = sim_cloth_velocity(l.cloth);
  for (int i = 0; i < l.mesh.n_vertices; i++) {
    double u = x[i][0], w = x[i][1];
    x[i][1] = 0.004 * sin(60 * w) * cos(25 * u), x[i][2] = w + 0.002;
    v[i][2] = -2;
  }
  sim_step_report report;
  int met = 0;
  for (int k = 0; k < 100; k++) {
    assert_ok(sim_cloth_step(l.cloth, 0.004, &report, err));
    met += report.self_contacts;
  }
  double highest = 0, deepest = 0;
  for (int i = 0; i < l.mesh.n_vertices; i++)
    highest = fmax(highest, x[i][2]), deepest = fmin(deepest, x[i][2]);
  assert_true(met > 50);
  assert_true(highest < 0.15);
  assert_true(deepest > -1e-3);
  sim_self_options options = {.thickness_m = 1e-3};
  const sim_mesh *mesh = &l.mesh;
  sim_self *self;
  assert_ok(sim_self_new(&mesh, NULL, 1, &options, &self, err));
  assert_int_equal(sim_self_crossings(self, (const sim_vec3 *)x), 0);
  sim_self_free(self);
  clear(&l);
}

static void refused(void **state) {
  (void)state;
  static lab l;
  make(&l, 0.1, 0.1, 50);
  sim_cloth_setup s = sim_cloth_setup_default(&l.mesh, &l.material);
  s.iterations = 0;
  assert_fails(CB_E_RANGE, "cloth: iterations = 0: must be >= 1", sim_cloth_new(&s, &l.cloth, err));
  s.iterations = 1;
  assert_ok(sim_cloth_new(&s, &l.cloth, err));
  assert_fails(CB_E_RANGE, "step = 0 s", sim_cloth_step(l.cloth, 0, NULL, err));
  sim_cloth_position(l.cloth)[3][1] = NAN;
  assert_fails(CB_E_NUM, "is not finite", sim_cloth_step(l.cloth, 0.01, NULL, err));
  clear(&l);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(free_fall),     cmocka_unit_test(momentum_stays),
      cmocka_unit_test(energy_closes), cmocka_unit_test(friction_is_in_the_ledger),
      cmocka_unit_test(same_bits),     cmocka_unit_test(crumpled),
      cmocka_unit_test(refused)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
