/* Steps of particles against closed forms, and what must be conserved. */
#include <omp.h>

#include "particletest.h"

static void test_free_fall(void **state) {
  (void)state;
  sim_mesh mesh;
  cm_sheet(0.3, 0.2, 5, 4, 0.2, &mesh);
  sim_conditions_setup s = cloth_of(&mesh);
  sim_conditions *p;
  assert_ok(sim_conditions_new(&s, &p, err));
  for (int k = 1; k <= 20; k++) {
    assert_ok(sim_conditions_step(p, 0.01, NULL, err));
    for (int i = 0; i < mesh.n_vertices; i++)
      assert_near(sim_conditions_velocity(p)[i][2], -0.01 * k * 9.80665, 1e-12);
  }
  assert_near(p->time_s, 0.2, 1e-14);
  sim_conditions_free(p);
  sim_mesh_clear(&mesh);
}

static void momentum_of(sim_conditions *p, int n, double out[3]) {
  for (int k = 0; k < 3; k++) {
    out[k] = 0;
    for (int i = 0; i < n; i++) out[k] += sim_conditions_mass(p)[i] * sim_conditions_velocity(p)[i][k];
  }
}

/* Crumpled, damped and thrown, without weight: momentum stays, energy does not grow, however long the
 * step. */
static void test_momentum(void **state) {
  (void)state;
  sim_mesh mesh;
  cm_sheet(0.3, 0.2, 8, 6, 0.2, &mesh);
  const int n = mesh.n_vertices;
  int clamped = 0;
  for (int k = 0; k < 3; k++) {
    sim_conditions_setup s = cloth_of(&mesh);
    s.gravity_m_per_s2[2] = 0;
    s.solve_tolerance = 1e-12;
    sim_conditions *p;
    sim_conditions_report r;
    double begin[3], end[3], before = INFINITY, size = 0;
    assert_ok(sim_conditions_new(&s, &p, err));
    crumple(&mesh, 1.1, 0.8, 0.01, 3, sim_conditions_position(p));
    vec3 *v = random_vectors(n, 4);
    memcpy(sim_conditions_velocity(p), v, (size_t)n * sizeof *v);
    momentum_of(p, n, begin);
    for (int i = 0; i < n; i++) size += sim_conditions_mass(p)[i];
    for (int step = 0; step < 50; step++) {
      assert_ok(sim_conditions_step(p, pow(10, -4 + k), &r, err));
      clamped += r.clamped;
      double energy = sim_conditions_elastic(p, NULL);
      for (int i = 0; i < n; i++)
        for (int a = 0; a < 3; a++)
          energy += sim_conditions_mass(p)[i] * pow(sim_conditions_velocity(p)[i][a], 2) / 2;
      assert_true(energy <= before * (1 + 1e-9));
      before = energy;
    }
    momentum_of(p, n, end);
    for (int a = 0; a < 3; a++) assert_near(end[a], begin[a], 1e-10 * size);
    free(v);
    sim_conditions_free(p);
  }
  assert_true(clamped > 0); /* both ways of a step were gone */
  sim_mesh_clear(&mesh);
}

/* Flat and at rest C = 0, so that the Hessian is k dC dC^T: damping must be -k_d/k of it, times the
 * velocities. */
static void test_damping(void **state) {
  (void)state;
  sim_mesh mesh;
  cm_sheet(0.3, 0.2, 5, 4, 0.2, &mesh);
  const int n = mesh.n_vertices;
  const double dt_s = 1e-8;
  for (int kind = 0; kind < SIM_CONDITIONS_KINDS; kind++) {
    sim_conditions_setup s = sim_conditions_setup_default(&mesh);
    sim_conditions *p, *linear;
    s.gravity_m_per_s2[2] = 0;
    s.solve_tolerance = 1e-13;
    s.law[kind].damping = kind == SIM_CONDITIONS_BEND ? 1e-4 : 0.3;
    assert_ok(sim_conditions_new(&s, &p, err));
    s.law[kind] = (sim_conditions_law){.k = s.law[kind].damping};
    assert_ok(sim_conditions_new(&s, &linear, err));
    vec3 *v = random_vectors(n, 4), *wanted = cm_vectors(n), *off = cm_vectors(n);
    hessian_product(linear, SIM_TANGENT_EXACT, (const vec3 *)v, wanted);
    memcpy(sim_conditions_velocity(p), v, (size_t)n * sizeof *v);
    assert_ok(sim_conditions_step(p, dt_s, NULL, err));
    for (int i = 0; i < n; i++)
      for (int a = 0; a < 3; a++)
        off[i][a] =
            sim_conditions_mass(p)[i] * (sim_conditions_velocity(p)[i][a] - v[i][a]) / dt_s + wanted[i][a];
    assert_near(sqrt(dot(n, off, off) / dot(n, wanted, wanted)), 0, 1e-4);
    free(v), free(wanted), free(off);
    sim_conditions_free(p);
    sim_conditions_free(linear);
  }
  sim_mesh_clear(&mesh);
}

/* Hung by its upper edge: between two rows it bears what is below, k1 e + k3 e^3 = weight below per width;
 * rows share the cells' mass. */
static void test_hanging(void **state) {
  (void)state;
  const double k1 = 20, k3 = 400, weight = 0.15 * 9.80665;
  const int rows = 16;
  sim_mesh mesh;
  cm_sheet(0.1, 0.8, 3, rows, 0, &mesh);
  bool *held = calloc((size_t)mesh.n_vertices, sizeof *held);
  assert_non_null(held);
  for (int i = 0; i < mesh.n_vertices; i++) held[i] = mesh.position_m[i][1] == 0;
  sim_conditions_setup s = sim_conditions_setup_default(&mesh);
  s.held = held;
  s.gravity_m_per_s2[1] = 9.80665, s.gravity_m_per_s2[2] = 0;
  s.solve_tolerance = 1e-12;
  s.law[SIM_CONDITIONS_WEFT] = (sim_conditions_law){k1, k3 / mesh.area_m2[0], 0};
  s.law[SIM_CONDITIONS_WARP] = s.law[SIM_CONDITIONS_SHEAR] = (sim_conditions_law){10, 0, 0};
  sim_conditions *p;
  assert_ok(sim_conditions_new(&s, &p, err));
  settle(p, mesh.n_vertices);
  double length = 0, cell = 0.8 / rows;
  for (int row = 0; row < rows; row++) {
    const double below = weight * (0.8 - cell * (row + 0.5));
    double e = 0;
    for (int k = 0; k < 50; k++) e -= (k1 * e + k3 * e * e * e - below) / (k1 + 3 * k3 * e * e);
    length += cell * (1 + e);
  }
  double worst = 0, longest = 0;
  for (int i = 0; i < mesh.n_vertices; i++)
    if (mesh.position_m[i][1] > 0.8 * (1 - 1e-12)) {
      worst = fmax(worst, fabs(sim_conditions_position(p)[i][1] - length));
      longest = fmax(longest, length);
    }
  print_message("hung: %.6f m, closed form off by %.1e m\n", longest, worst);
  assert_true(longest > 0.82);
  assert_near(worst, 0, 3e-5 * length); /* a row bears what is below as a whole, its vertices not quite
                                           evenly */
  free(held);
  sim_conditions_free(p);
  sim_mesh_clear(&mesh);
}

static void test_threads(void **state) {
  (void)state;
  sim_mesh mesh;
  cm_sheet(0.3, 0.2, 12, 10, 0.2, &mesh);
  sim_conditions_setup s = cloth_of(&mesh);
  s.wind_m_per_s[0] = 3;
  s.wind_Ns_per_m3 = 0.5;
  vec3 *one = cm_vectors(mesh.n_vertices);
  for (int threads = 1; threads <= 2; threads++) {
    omp_set_num_threads(threads);
    sim_conditions *p;
    assert_ok(sim_conditions_new(&s, &p, err));
    crumple(&mesh, 1, 0.9, 0.01, 3, sim_conditions_position(p));
    for (int k = 0; k < 10; k++) assert_ok(sim_conditions_step(p, 0.005, NULL, err));
    if (threads == 1) memcpy(one, sim_conditions_position(p), (size_t)mesh.n_vertices * sizeof *one);
    assert_memory_equal(one, sim_conditions_position(p), (size_t)mesh.n_vertices * sizeof *one);
    sim_conditions_free(p);
  }
  omp_set_num_threads(1);
  free(one);
  sim_mesh_clear(&mesh);
}

static void test_refused(void **state) {
  (void)state;
  sim_mesh mesh;
  cm_sheet(0.3, 0.2, 3, 2, 0, &mesh);
  sim_conditions *p;
  sim_conditions_setup s = cloth_of(&mesh);
  s.law[SIM_CONDITIONS_SHEAR].lambda = -1;
  assert_fails(CB_E_RANGE, "lambda of shear", sim_conditions_new(&s, &p, err));
  s = cloth_of(&mesh);
  s.rest[1] = 0;
  assert_fails(CB_E_RANGE, "length at rest", sim_conditions_new(&s, &p, err));
  s = cloth_of(&mesh);
  assert_ok(sim_conditions_new(&s, &p, err));
  assert_fails(CB_E_RANGE, "step", sim_conditions_step(p, 0, NULL, err));
  sim_conditions_position(p)[5][1] = NAN;
  assert_fails(CB_E_NUM, "vertex 5 is nowhere", sim_conditions_step(p, 0.01, NULL, err));
  sim_conditions_free(p);
  sim_mesh_clear(&mesh);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_free_fall), cmocka_unit_test(test_momentum), cmocka_unit_test(test_damping),
      cmocka_unit_test(test_hanging),   cmocka_unit_test(test_threads),  cmocka_unit_test(test_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
