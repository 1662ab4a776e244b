/* A cloth that falls onto a sphere: whole steps, as many threads as there may be, the same bits. */
#include <omp.h>

#include "cbtest.h"
#include "sim_cloth.h"
#include "sim_contacts.h"
#include "sim_mesh.h"

#define STEPS 20
#define STEP_S 0.005

typedef struct scene {
  sim_mesh mesh;
  sim_material material;
  sim_body ball;
  sim_cloth_setup setup;
} scene;

static void scene_init(scene *s) {
  const sim_rectangle square = {
      .length_m = 1, .width_m = 1, .pattern = SIM_PATTERN_ALTERNATING, .about_vertices = 2000};
  assert_ok(sim_mesh_rectangle(&square, &s->mesh, err));
  s->material = sim_material_isotropic(0.15, 1000, 1e-5);
  s->material.thickness_m = 5e-4;
  s->ball = (sim_body){.shape = SIM_SPHERE,
                       .origin_m = {0.5, 0.5, -0.25425},
                       .axis = {0, 0, 1},
                       .radius_m = 0.25,
                       .friction = {.mu_kinetic = 0.3, .mu_static = 0.3}};
  s->setup = sim_cloth_setup_default(&s->mesh, &s->material);
  s->setup.bodies = &s->ball;
  s->setup.n_bodies = 1;
}

/* Caller frees with sim_cloth_free. */
static sim_cloth *run(const scene *s, int steps) {
  sim_cloth *c = NULL;
  assert_ok(sim_cloth_new(&s->setup, &c, err));
  for (int k = 0; k < steps; k++) assert_ok(sim_cloth_step(c, STEP_S, NULL, err));
  return c;
}

/* Caller frees with sim_cloth_free. */
static sim_cloth *run_by_threads(const scene *s) {
  const size_t bytes = (size_t)s->mesh.n_vertices * sizeof(double[3]);
  sim_cloth *first = NULL;
  for (int threads = 1; threads <= 3; threads++) {
    omp_set_num_threads(threads);
    sim_cloth *c = run(s, STEPS);
    if (first) {
      assert_memory_equal(sim_cloth_position(first), sim_cloth_position(c), bytes);
      assert_memory_equal(sim_cloth_velocity(first), sim_cloth_velocity(c), bytes);
      sim_cloth_free(c);
    } else {
      first = c;
    }
  }
  return first;
}

static void test_threads_leave_the_bits(void **state) {
  (void)state;
  scene s;
  scene_init(&s);
  sim_cloth_free(run_by_threads(&s));
  sim_mesh_clear(&s.mesh);
}

/* On a floor the cloth slides up to a wall: more contacts than one thread does alone, and vertices with two
 * of them. */
static void test_threads_leave_the_bits_of_contacts(void **state) {
  (void)state;
  scene s;
  scene_init(&s);
  const sim_friction smooth = {.mu_kinetic = 0.1, .mu_static = 0.1};
  sim_body body[] = {{.shape = SIM_PLANE, .origin_m = {0, 0, -3e-4}, .axis = {0, 0, 1}, .friction = smooth},
                     {.shape = SIM_PLANE, .origin_m = {1.002, 0, 0}, .axis = {-1, 0, 0}, .friction = smooth}};
  s.setup.bodies = body;
  s.setup.n_bodies = 2;
  s.setup.gravity_m_per_s2[0] = 2;
  sim_cloth *c = run_by_threads(&s);
  sim_step_report r;
  assert_ok(sim_cloth_step(c, STEP_S, &r, err));
  assert_true(r.contacts > SIM_FEW_CONTACTS && r.contacts > s.mesh.n_vertices);
  assert_true(sim_cloth_position(c)[0][0] - s.mesh.position_m[0][0] > 1e-3); /* it slid */
  sim_cloth_free(c);
  sim_mesh_clear(&s.mesh);
}

/* 4 mm take more than four steps: until then backward Euler falls g h^2 n (n + 1) / 2, flat. Solved to the
 * end, single precision is left.
 */
static void test_falls_before_it_lands(void **state) {
  (void)state;
  scene s;
  scene_init(&s);
  s.setup.solve_tolerance = 1e-8;
  sim_cloth *c = run(&s, 4);
  const double fall = 9.80665 * STEP_S * STEP_S * 4 * 5 / 2;
  for (int i = 0; i < s.mesh.n_vertices; i++) {
    assert_near(sim_cloth_position(c)[i][0], s.mesh.position_m[i][0], 1e-6 * fall);
    assert_near(sim_cloth_position(c)[i][2], -fall, 1e-6 * fall);
  }
  sim_cloth_free(c);
  sim_mesh_clear(&s.mesh);
}

/* Contact keeps half of the thickness between cloth and body; what slides within a step leaves the surface
 * along its tangent. */
static void test_stays_outside(void **state) {
  (void)state;
  scene s;
  scene_init(&s);
  s.setup.contact_iterations = 20;
  sim_cloth *c = run(&s, STEPS);
  for (int i = 0; i < s.mesh.n_vertices; i++) {
    const double *x = sim_cloth_position(c)[i], d[3] = {x[0] - 0.5, x[1] - 0.5, x[2] + 0.25425};
    assert_true(sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]) > 0.25 + s.material.thickness_m / 4);
  }
  sim_cloth_free(c);
  sim_mesh_clear(&s.mesh);
}

static void test_phases_add_up(void **state) {
  (void)state;
  scene s;
  scene_init(&s);
  sim_cloth *c = run(&s, 8);
  sim_step_report r;
  assert_ok(sim_cloth_step(c, STEP_S, &r, err));
  assert_true(r.contacts > 0);
  for (int p = 0; p < SIM_CLOTH_PHASES; p++)
    assert_true(p == SIM_CLOTH_PHASE_SELF_COLLISION ? r.phase_s[p] >= 0 : r.phase_s[p] > 0);
  assert_null(sim_cloth_phase_names[SIM_CLOTH_PHASES]);
  sim_cloth_free(c);
  sim_mesh_clear(&s.mesh);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_threads_leave_the_bits),
      cmocka_unit_test(test_threads_leave_the_bits_of_contacts),
      cmocka_unit_test(test_falls_before_it_lands),
      cmocka_unit_test(test_stays_outside),
      cmocka_unit_test(test_phases_add_up),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
