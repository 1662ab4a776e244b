/* Contact springs between a cloth and a body: pairs of masses on springs, in closed form. */
#include <math.h>
#include <stdlib.h>

#include "cbtest.h"
#include "sim_blocks.h"
#include "sim_spring.h"
#include "sim_cloth.h"
#include "sim_mesh.h"

#define H 1e-3

typedef struct pairs {
  sim_mesh mesh;
  sim_material material;
  sim_blocks matrix;
  sim_springs springs, *list[1];
  sim_cloth_setup setup;
  sim_cloth *cloth;
  double (*b)[3], (*v)[3], *mass;
  bool *held;
} pairs;

/* Cloth next to no stiffness, each of its vertices over one of the body's: free masses. */
static void pairs_make(pairs *p, double stiffness) {
  *p = (pairs){.material = sim_material_isotropic(0.2, 1e-6, 1e-15)};
  assert_ok(sim_mesh_rectangle(
      &(sim_rectangle){.length_m = 0.1, .width_m = 0.08, .pattern = SIM_PATTERN_IRREGULAR, .edge_m = 0.008},
      &p->mesh, err));
  int n = p->mesh.n_vertices;
  int *alone = calloc((size_t)n, sizeof *alone);
  for (int i = 0; i < n; i++) alone[i] = i;
  assert_ok(sim_blocks_init(n, alone, n, 1, &p->matrix, err));
  free(alone);
  assert_ok(sim_springs_init(0, n, n, &p->springs, err));
  p->b = calloc((size_t)n, sizeof *p->b);
  p->v = calloc((size_t)n, sizeof *p->v);
  p->mass = calloc((size_t)n, sizeof *p->mass);
  p->held = calloc((size_t)n, sizeof *p->held);
  p->list[0] = &p->springs;
  p->setup = sim_cloth_setup_default(&p->mesh, &p->material);
  p->setup.springs = p->list;
  p->setup.n_springs = 1;
  p->setup.solve_tolerance = 1e-7;
  for (int k = 0; k < 3; k++) p->setup.gravity_m_per_s2[k] = 0;
  assert_ok(sim_cloth_new(&p->setup, &p->cloth, err));
  for (int i = 0; i < n; i++) {
    p->mass[i] = (0.3 + i % 7) * sim_cloth_mass(p->cloth)[i];
    p->springs.spring[i] =
        (sim_spring){.corner = {i, i, i}, .weight = {1, 0, 0}, .out = {0, 0, 1}, .air_N_per_m = stiffness};
    sim_cloth_velocity(p->cloth)[i][2] = -1;
    sim_cloth_velocity(p->cloth)[i][0] = 0.5;
    p->v[i][2] = 0.25;
    for (int a = 0; a < 3; a++) {
      p->matrix.block[p->matrix.start[i]][4 * a] = p->mass[i];
      p->b[i][a] = p->mass[i] * p->v[i][a];
    }
  }
  p->springs.any = true;
  p->springs.body = (sim_spring_body){&p->matrix, p->held, (const sim_vec3 *)p->b, p->v, H};
}

static void pairs_clear(pairs *p) {
  sim_cloth_free(p->cloth);
  sim_springs_clear(&p->springs);
  sim_blocks_clear(&p->matrix);
  sim_mesh_clear(&p->mesh);
  free(p->b);
  free(p->v);
  free(p->mass);
  free(p->held);
}

static int step(pairs *p) {
  sim_step_report r;
  sim_springs_begin(&p->springs);
  assert_ok(sim_cloth_step(p->cloth, H, &r, err));
  return r.solver_iterations;
}

/* u' = u / (1 + h^2 k (1/m + 1/M)), and their momentum stays: from springs that are nothing to springs that
 * are a weld. Iterations stay few, however stiff they are. The cloth's matrix is in single precision: that f
 * stands beside 1 in it is what momentum may be off by. */
static void test_two_masses(void **state) {
  (void)state;
  for (double stiffness = 1e-3; stiffness < 1e4; stiffness *= 100) {
    pairs p;
    pairs_make(&p, stiffness);
    int iterations = step(&p);
    for (int i = 0; i < p.mesh.n_vertices; i++) {
      double m = sim_cloth_mass(p.cloth)[i], *v = sim_cloth_velocity(p.cloth)[i],
             f = H * H * stiffness * (1 / m + 1 / p.mass[i]);
      assert_near(v[2] - p.v[i][2], -1.25 / (1 + f), 2e-5);
      assert_near(m * v[2] + p.mass[i] * p.v[i][2], -m + 0.25 * p.mass[i],
                  (1e-6 + 6e-8 * f) * (m + p.mass[i]));
      assert_near(v[0], 0.5, 1e-6);
      assert_near(p.v[i][0], 0, 1e-6);
    }
    if (iterations > 15) fail_msg("%g N/m: %d iterations", stiffness, iterations);
    pairs_clear(&p);
  }
}

/* One side held: the other stops alone. */
static void test_walls(void **state) {
  (void)state;
  pairs p;
  pairs_make(&p, 100);
  for (int i = 0; i < p.mesh.n_vertices; i++) p.held[i] = i % 2;
  (void)step(&p);
  for (int i = 1; i < p.mesh.n_vertices; i += 2) {
    double m = sim_cloth_mass(p.cloth)[i];
    assert_near(p.v[i][2], 0.25, 0);
    assert_near(sim_cloth_velocity(p.cloth)[i][2] - 0.25, -1.25 / (1 + H * H * 100 / m), 2e-5);
  }
  pairs_clear(&p);
}

/* A body of prescribed motion gives the same as one that is held. */
static void test_told(void **state) {
  (void)state;
  pairs p;
  pairs_make(&p, 100);
  p.springs.body.matrix = NULL;
  (void)step(&p);
  for (int i = 0; i < p.mesh.n_vertices; i++) {
    double m = sim_cloth_mass(p.cloth)[i];
    assert_near(p.v[i][2], 0.25, 0);
    assert_near(sim_cloth_velocity(p.cloth)[i][2] - 0.25, -1.25 / (1 + H * H * 100 / m), 2e-5);
  }
  pairs_clear(&p);
}

/* Air and what presses, at rest further apart: u' = (u + h k r w) / (1 + h^2 (k + k2) w), w = 1/m + 1/M. */
static void test_air_and_press(void **state) {
  (void)state;
  const double first = 20, second = 300, rest = 2e-4;
  pairs p;
  pairs_make(&p, first);
  for (int i = 0; i < p.mesh.n_vertices; i++) {
    p.springs.spring[i].normal[2] = 1;
    p.springs.spring[i].stiffness_N_per_m = second;
    p.springs.spring[i].rest_m = rest;
  }
  int iterations = step(&p);
  for (int i = 0; i < p.mesh.n_vertices; i++) {
    double m = sim_cloth_mass(p.cloth)[i], *v = sim_cloth_velocity(p.cloth)[i], w = 1 / m + 1 / p.mass[i];
    double u = (-1.25 + H * second * rest * w) / (1 + H * H * (first + second) * w);
    assert_near(v[2] - p.v[i][2], u, 2e-5);
    assert_near(p.springs.taken[i][2] / (second * (H * u - rest)), 1, 1e-2);
    assert_near((m * v[2] + p.mass[i] * p.v[i][2]) / (m + p.mass[i]),
                (-m + 0.25 * p.mass[i]) / (m + p.mass[i]), 2e-5);
  }
  if (iterations > 15) fail_msg("%d iterations", iterations);
  pairs_clear(&p);
}

#define MU 0.3

/* Coulomb's force at the slip at hand; what it would hold is held 100 m / h^2 stiff. */
static sim_spring_friction coulomb(const void *pairs_, int i, const sim_spring_friction *was,
                                   double pressed_N, const double slip_m[3]) {
  (void)was;
  const pairs *p = pairs_;
  const double slip = sqrt(slip_m[0] * slip_m[0] + slip_m[1] * slip_m[1] + slip_m[2] * slip_m[2]);
  return (sim_spring_friction){.across_N_per_m =
                                   fmin(MU * pressed_N / slip, p->springs.spring[i].stiffness_N_per_m)};
}

/* Pressed by what stops the approach, P = h k (h u - r) both ways, a slip of 0.5 m/s loses mu P w where that
 * is less: else it stops but for the hundredth that so stiff a spring leaves. The body gets what the cloth
 * loses. */
static void test_friction(void **state) {
  (void)state;
  for (int sticks = 0; sticks < 2; sticks++) {
    pairs p;
    pairs_make(&p, 0);
    p.springs.friction = coulomb;
    p.springs.surface = &p;
    p.setup.contact_iterations = 100;
    p.setup.contact_tolerance = 1e-4;
    sim_cloth_free(p.cloth);
    assert_ok(sim_cloth_new(&p.setup, &p.cloth, err));
    for (int i = 0; i < p.mesh.n_vertices; i++) {
      sim_spring *k = &p.springs.spring[i];
      k->air_N_per_m = 0;
      k->normal[2] = 1;
      k->stiffness_N_per_m = 100 * sim_cloth_mass(p.cloth)[i] / (H * H);
      sim_cloth_velocity(p.cloth)[i][2] = sticks ? -4 : -1;
      sim_cloth_velocity(p.cloth)[i][0] = 0.5;
    }
    (void)step(&p);
    for (int i = 0; i < p.mesh.n_vertices; i++) {
      double m = sim_cloth_mass(p.cloth)[i], *v = sim_cloth_velocity(p.cloth)[i], w = 1 / m + 1 / p.mass[i],
             f = 100 * m * w;
      double P = -(sticks ? -4.25 : -1.25) / w * f / (1 + f), slip = 0.5 - MU * P * w, stuck = 0.5 / (1 + f);
      assert_near(v[0] - p.v[i][0], fmax(slip, stuck), 2e-2 * 0.5);
      assert_near(m * v[0] + p.mass[i] * p.v[i][0], m * 0.5, 1e-5 * m);
    }
    pairs_clear(&p);
  }
}

/* For Newton's method: half of the way back, and all of it, of a body that the step has set in motion. */
static void test_return(void **state) {
  (void)state;
  pairs p;
  pairs_make(&p, 100);
  const int n = p.mesh.n_vertices;
  double *before = calloc((size_t)n, sizeof *before), *after = calloc((size_t)n, sizeof *after);
  const double(*x)[3] = (const sim_vec3 *)sim_cloth_position(p.cloth),
        (*v)[3] = (const sim_vec3 *)sim_cloth_velocity(p.cloth);
  assert_true(before && after);
  sim_springs_mark(&p.springs);
  for (int i = 0; i < n; i++) before[i] = p.v[i][2];
  (void)step(&p);
  for (int i = 0; i < n; i++) after[i] = p.v[i][2];
  sim_springs_return(&p.springs, 0.5);
  sim_springs_take(&p.springs, x, x, v);
  for (int i = 0; i < n; i++) {
    assert_true(fabs(after[i] - before[i]) > 1e-3);
    assert_near(p.v[i][2], (before[i] + after[i]) / 2, 1e-12);
  }
  sim_springs_return(&p.springs, 1);
  sim_springs_take(&p.springs, x, x, v);
  for (int i = 0; i < n; i++) assert_near(p.v[i][2], before[i], 1e-12);
  free(before);
  free(after);
  pairs_clear(&p);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_two_masses), cmocka_unit_test(test_walls),
                                     cmocka_unit_test(test_told),       cmocka_unit_test(test_air_and_press),
                                     cmocka_unit_test(test_friction),   cmocka_unit_test(test_return)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
