/* Forces and Hessian of particles against differences; what is clamped of the Hessian. */
#include "particletest.h"

/* Central differences of sixth order. */
static const double weight6[3] = {45 / 60.0, -9 / 60.0, 1 / 60.0};

typedef struct derivatives {
  double force, hessian; /* largest relative errors */
} derivatives;

static derivatives check_derivatives(const sim_conditions_setup *setup, double warp, double weft, double size,
                                     uint64_t seed) {
  sim_conditions *p;
  assert_ok(sim_conditions_new(setup, &p, err));
  const int n = setup->mesh->n_vertices;
  const double h = 2e-6;
  vec3 *x = sim_conditions_position(p), *at = cm_vectors(n), *d = random_vectors(n, seed + 100),
       *force = cm_vectors(n), *moved = cm_vectors(n), *by = cm_vectors(n), *product = cm_vectors(n);
  crumple(setup->mesh, warp, weft, size, seed, at);
  shift(n, at, 0, d, x);
  (void)sim_conditions_elastic(p, force);
  hessian_product(p, SIM_TANGENT_EXACT, (const vec3 *)d, product);
  double energy = 0;
  for (int k = 0; k < 3; k++)
    for (int sign = -1; sign <= 1; sign += 2) {
      shift(n, at, sign * (k + 1) * h, d, x);
      energy += sign * weight6[k] / h * sim_conditions_elastic(p, moved);
      shift(n, by, -sign * weight6[k] / h, moved, by);
    }
  derivatives out = {fabs(energy / -dot(n, force, d) - 1), 0};
  shift(n, by, -1, product, by);
  out.hessian = sqrt(dot(n, by, by) / dot(n, product, product));
  sim_conditions_free(p);
  free(at), free(d), free(force), free(moved), free(by), free(product);
  return out;
}

/* Every condition by itself and all of them, linear, cubic and both; |C| is some 0.1 a or rad, so that lambda
 * counts as much as k. */
static void test_derivatives(void **state) {
  (void)state;
  sim_mesh mesh;
  cm_sheet(0.3, 0.2, 5, 4, 0.2, &mesh);
  derivatives worst = {0, 0};
  for (int kind = 0; kind <= SIM_CONDITIONS_KINDS; kind++)
    for (int part = 1; part <= 3; part++)
      for (uint64_t seed = 0; seed < 4; seed++) {
        sim_conditions_setup s = sim_conditions_setup_default(&mesh);
        for (int k = 0; k < SIM_CONDITIONS_KINDS; k++) {
          if (kind < SIM_CONDITIONS_KINDS && k != kind) continue;
          const double size = k == SIM_CONDITIONS_BEND ? 1e-3 : 50,
                       cubic = k == SIM_CONDITIONS_BEND ? 1e-3 : 2e6;
          s.law[k] = (sim_conditions_law){.k = part & 1 ? size : 0, .lambda = part & 2 ? cubic : 0};
        }
        const derivatives d = check_derivatives(&s, seed % 2 ? 1.2 : 0.9, seed / 2 ? 1.1 : 0.8, 0.01, seed);
        if (!(d.force <= 1e-6 && d.hessian <= 1e-6))
          fail_msg("kind %d, part %d, seed %d: force %g, Hessian %g", kind, part, (int)seed, d.force,
                   d.hessian);
        worst = (derivatives){fmax(worst.force, d.force), fmax(worst.hessian, d.hessian)};
      }
  print_message("relative errors at most: forces %.1e, Hessian %.1e\n", worst.force, worst.hessian);
  sim_mesh_clear(&mesh);
}

/* What steps use has no negative eigenvalue where the Hessian has; where everything is drawn it is the
 * Hessian. */
static void test_clamped(void **state) {
  (void)state;
  sim_mesh mesh;
  cm_sheet(0.3, 0.2, 5, 4, 0.2, &mesh);
  const int n = mesh.n_vertices;
  sim_conditions_setup s = cloth_of(&mesh);
  sim_conditions *p;
  assert_ok(sim_conditions_new(&s, &p, err));
  vec3 *exact = cm_vectors(n), *clamped = cm_vectors(n);
  double least = 0;
  for (uint64_t seed = 0; seed < 200; seed++) {
    vec3 *d = random_vectors(n, seed + 1000);
    crumple(&mesh, 0.7, 0.8, 0.01, seed, sim_conditions_position(p));
    hessian_product(p, SIM_TANGENT_EXACT, (const vec3 *)d, exact);
    hessian_product(p, SIM_TANGENT_CLAMPED, (const vec3 *)d, clamped);
    const double has = dot(n, d, exact), keeps = dot(n, d, clamped);
    assert_true(keeps >= 0 && keeps > has - 1e-12 * fabs(keeps));
    least = fmin(least, has);
    free(d);
  }
  s.law[SIM_CONDITIONS_BEND] = (sim_conditions_law){0};
  s.law[SIM_CONDITIONS_SHEAR] = (sim_conditions_law){0};
  sim_conditions_free(p);
  assert_ok(sim_conditions_new(&s, &p, err));
  vec3 *d = random_vectors(n, 7), *x = sim_conditions_position(p);
  double pressed = 0;
  for (int drawn = 0; drawn < 2; drawn++) {
    for (int i = 0; i < n; i++)
      x[i][0] = (drawn ? 1.2 : 0.8) * mesh.position_m[i][0],
      x[i][1] = (drawn ? 1.1 : 0.9) * mesh.position_m[i][1];
    hessian_product(p, SIM_TANGENT_EXACT, (const vec3 *)d, exact);
    hessian_product(p, SIM_TANGENT_CLAMPED, (const vec3 *)d, clamped);
    shift(n, clamped, -1, exact, clamped);
    const double off = sqrt(dot(n, clamped, clamped) / dot(n, exact, exact));
    if (drawn)
      assert_near(off, 0, 1e-14);
    else
      pressed = off;
  }
  assert_true(pressed > 1e-3); /* else there was nothing to keep out */
  free(d), free(exact), free(clamped);
  sim_conditions_free(p);
  sim_mesh_clear(&mesh);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_derivatives), cmocka_unit_test(test_clamped)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
