/* A cloth of two pieces that are not joined: the upper falls onto the lower, which is held, and stays on it,
 * however the pieces are numbered. A case of two sheets that are: it collapses on a sphere, with the same
 * bits for any number of threads. */
#include <omp.h>

#include "cbtest.h"
#include "sim_cloth.h"
#include "sim_mesh.h"

#define ABOVE_M 2e-3

/* Two squares as one mesh; woven: vertices and triangles of one and the other in turn. */
static void stack(bool woven, sim_mesh *out) {
  sim_mesh one;
  const sim_rectangle r = {
      .length_m = 0.1, .width_m = 0.1, .pattern = SIM_PATTERN_ALTERNATING, .about_vertices = 200};
  assert_ok(sim_mesh_rectangle(&r, &one, err));
  const int n = one.n_vertices, nt = one.n_triangles;
  double(*x)[3] = calloc(2 * (size_t)n, sizeof *x), (*corner)[3][2] = calloc(2 * (size_t)nt, sizeof *corner);
  int(*triangle)[3] = calloc(2 * (size_t)nt, sizeof *triangle);
  assert_true(x && corner && triangle);
  for (int piece = 0; piece < 2; piece++) {
    for (int i = 0; i < n; i++) {
      double *to = x[woven ? 2 * i + piece : piece * n + i];
      memcpy(to, one.position_m[i], sizeof *x);
      to[0] += 0.003 * piece;
      to[2] += ABOVE_M * piece;
    }
    for (int t = 0; t < nt; t++) {
      const int at = woven ? 2 * t + piece : piece * nt + t;
      for (int k = 0; k < 3; k++)
        triangle[at][k] = woven ? 2 * one.triangle[t][k] + piece : one.triangle[t][k] + piece * n;
      memcpy(corner[at], one.corner_m[t], sizeof *corner);
    }
  }
  assert_ok(sim_mesh_build((const sim_vec3 *)x, 2 * n, (const int(*)[3])triangle,
                           (const double(*)[3][2])corner, 2 * nt, out, err));
  free(x);
  free(corner);
  free(triangle);
  sim_mesh_clear(&one);
}

static int steps_until_rest(sim_cloth *c, int steps) {
  int layers = 0;
  for (int k = 0; k < steps; k++) {
    sim_step_report r;
    assert_ok(sim_cloth_step(c, 0.002, &r, err));
    layers = r.self_contacts;
  }
  return layers;
}

static void lands_on_the_other(void **state) {
  (void)state;
  for (int woven = 0; woven < 2; woven++) {
    sim_mesh mesh;
    stack(woven, &mesh);
    sim_material material = sim_material_isotropic(0.15, 500, 1e-6);
    material.thickness_m = 5e-4;
    bool *held = calloc((size_t)mesh.n_vertices, sizeof *held);
    assert_non_null(held);
    for (int i = 0; i < mesh.n_vertices; i++) held[i] = mesh.position_m[i][2] < ABOVE_M / 2;
    sim_cloth_setup s = sim_cloth_setup_default(&mesh, &material);
    s.gripped = held;
    s.self_collision = true;
    s.self_friction = (sim_friction){.mu_kinetic = 0.5, .mu_static = 0.5};
    sim_cloth *c;
    assert_ok(sim_cloth_new(&s, &c, err));
    assert_true(steps_until_rest(c, 100) > 100);
    double mean = 0;
    int lying = 0;
    for (int i = 0; i < mesh.n_vertices; i++) {
      const double z = sim_cloth_position(c)[i][2];
      if (held[i] || mesh.position_m[i][0] > 0.1) continue; /* what sticks out may hang */
      assert_true(z > 0 && z < 1.2 * material.thickness_m);
      mean += z;
      lying++;
    }
    assert_near(mean / lying, material.thickness_m, 0.1 * material.thickness_m);
    sim_cloth_free(c);
    sim_mesh_clear(&mesh);
    free(held);
  }
}

static void same_bits_of_a_case(void **state) {
  (void)state;
  sim_mesh mesh;
  const sim_case shape = {{0.1, 0.08, 0.03}, {2.5, 2}, {48, 40}};
  assert_ok(sim_mesh_case(&shape, &mesh, err));
  sim_material material = sim_material_isotropic(0.15, 500, 1e-6);
  material.thickness_m = 5e-4;
  const sim_body ball = {.shape = SIM_SPHERE,
                         .origin_m = {0.01, 0, -0.085},
                         .axis = {0, 0, 1},
                         .radius_m = 0.05,
                         .friction = {.mu_kinetic = 0.3, .mu_static = 0.3}};
  sim_cloth_setup s = sim_cloth_setup_default(&mesh, &material);
  s.bodies = &ball;
  s.n_bodies = 1;
  s.self_collision = true;
  s.contact_iterations = 2;
  s.solve_tolerance = 3e-2;
  const size_t bytes = (size_t)mesh.n_vertices * sizeof(double[3]);
  double(*first)[3] = malloc(bytes);
  assert_non_null(first);
  const int threads_before = omp_get_max_threads();
  for (int threads = 1; threads <= 3; threads++) {
    sim_cloth *c;
    omp_set_num_threads(threads);
    assert_ok(sim_cloth_new(&s, &c, err));
    assert_true(steps_until_rest(c, 80) > 50);
    if (threads == 1) memcpy(first, sim_cloth_position(c), bytes);
    assert_memory_equal(first, sim_cloth_position(c), bytes);
    sim_cloth_free(c);
  }
  omp_set_num_threads(threads_before);
  free(first);
  sim_mesh_clear(&mesh);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(lands_on_the_other),
                                     cmocka_unit_test(same_bits_of_a_case)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
