/* k and lambda of particles out of the law of stretch, and back from a strip of them. */
#include "particletest.h"
#include "stretchtest.h"

/* What holds the far edge of a strip at an extension, per width. */
static double tip_force(const sim_conditions_law law[2], double strain) {
  sim_mesh mesh;
  cm_sheet(0.1, 0.02, 20, 4, 0, &mesh);
  const int n = mesh.n_vertices;
  bool *held = calloc((size_t)n, sizeof *held);
  assert_non_null(held);
  sim_conditions_setup s = sim_conditions_setup_default(&mesh);
  s.held = held;
  s.gravity_m_per_s2[2] = 0;
  s.solve_tolerance = 1e-12;
  s.law[SIM_CONDITIONS_WARP] = law[0];
  s.law[SIM_CONDITIONS_WEFT] = law[1];
  s.law[SIM_CONDITIONS_SHEAR] = (sim_conditions_law){20, 0, 0};
  s.law[SIM_CONDITIONS_BEND] = (sim_conditions_law){1e-6, 0, 0};
  sim_conditions *p;
  assert_ok(sim_conditions_new(&s, &p, err));
  for (int i = 0; i < n; i++) {
    const double *at = mesh.position_m[i];
    held[i] = at[0] == 0 || at[0] > 0.1 * (1 - 1e-12);
    if (held[i] && at[0] > 0.05) sim_conditions_position(p)[i][0] += 0.1 * strain;
  }
  settle(p, n);
  vec3 *force = cm_vectors(n);
  double sum = 0;
  (void)sim_conditions_elastic(p, force);
  for (int i = 0; i < n; i++)
    if (held[i] && mesh.position_m[i][0] > 0.05) sum -= force[i][0];
  free(held), free(force);
  sim_conditions_free(p);
  sim_mesh_clear(&mesh);
  return sum / 0.02;
}

static void test_fitted(void **state) {
  (void)state;
  static st_lab lab;
  static const double warp[2] = {900, 80000}, weft[2] = {400, 20000};
  static fit_stretch_result r;
  lab.n = 0;
  st_strip(&lab, 0, st_cubic, warp, 0.12, 300);
  st_strip(&lab, 90, st_cubic, weft, 0.12, 300);
  st_fit(&lab, &r);
  sim_mesh mesh;
  cm_sheet(0.1, 0.02, 20, 4, 0, &mesh);
  sim_conditions_law law[2];
  const cb_stretch_direction *d[2] = {cb_stretch_find(&r.law, 0), cb_stretch_find(&r.law, 90)};
  for (int k = 0; k < 2; k++) {
    assert_non_null(d[k]);
    assert_ok(sim_conditions_law_of(d[k], &mesh, &law[k], err));
    assert_near(law[k].k, d[k]->k1_N_per_m, 1e-12 * law[k].k);
    assert_near(law[k].lambda, d[k]->k3_N_per_m / 1.25e-5, 1e-9 * law[k].lambda); /* 5 mm x 5 mm, halved */
  }
  double worst = 0, from_curve = 0;
  for (int k = 0; k < 2; k++)
    for (int i = 1; i <= 6; i++) {
      const sim_conditions_law turned[2] = {law[k], law[1 - k]};
      const double e = 0.02 * i, force = tip_force(turned, e);
      worst = fmax(worst, fabs(force / (d[k]->k1_N_per_m * e + d[k]->k3_N_per_m * e * e * e) - 1));
      from_curve = fmax(from_curve, fabs(force / cb_stretch_curve(d[k], e, NULL) - 1));
    }
  print_message("strip: off by %.1e from k1 e + k3 e^3, by %.1e from the law's curve\n", worst, from_curve);
  assert_true(worst <= 0.005 && from_curve <= 0.005);
  sim_mesh_clear(&mesh);
  cm_sheet(0.1, 0.02, 20, 4, 0.1, &mesh);
  assert_fails(CB_E_RANGE, "one lambda is for triangles of one size",
               sim_conditions_law_of(d[0], &mesh, &law[0], err));
  sim_mesh_clear(&mesh);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_fitted)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
