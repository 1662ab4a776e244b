/* Experiments on the three layers: what `validate` says of them, smaller; the volume of a layer; both solvers
 * of the air on one state. */
#include "cbtest.h"

#include "cb_num.h"
#include "cb_rng.h"
#include "sim_mesh.h"
#include "sim_layered.h"
#include "sim_vec.h"
#include "val_balloon.h"
#include "val_leak.h"
#include "val_sheet_scene.h"
#include "val_wind.h"

static void balloon(void **state) {
  (void)state;
  val_balloon e = val_balloon_default();
  val_balloon_result r;
  e.cells = 24;
  e.dt_s = 0.05;
  assert_ok(val_balloon_run(&e, &r, err));
  assert_true(r.pressure_Pa[1] > 1.5 * r.pressure_Pa[0]);
  assert_true(r.pv_error < 3e-3 && r.lost <= VAL_BALLOON_LOST && r.least_J > 0);
  assert_true(r.flat_error > 0.2); /* gap times area is not the volume */
  e.dt_s = -1;
  assert_fails(CB_E_RANGE, "balloon: step", val_balloon_run(&e, &r, err));
}

static void leak_and_wind(void **state) {
  (void)state;
  val_leak e = val_leak_default();
  val_leak_result r;
  e.steps = 100;
  assert_ok(val_leak_run(&e, &r, err));
  assert_near(r.over_Pa / 500, pow(1 + e.times / e.steps, -e.steps), 1e-3);
  val_chambers_result c;
  assert_ok(val_chambers_run(SIM_AIR_CG, &c, err));
  assert_true(c.agrees);
  val_wind w = val_wind_default();
  val_wind_result through;
  assert_ok(val_wind_run(&w, &through, err));
  assert_true(through.agrees && through.in_m3_per_s > 1e-6);
}

static void sheet(void **state) {
  (void)state;
  for (int body = VAL_SHEET_PRESCRIBED; body <= VAL_SHEET_FREE; body++) {
    val_sheet e = val_sheet_default();
    val_sheet_result r;
    e.body = (val_sheet_body)body;
    e.duration_s = 0.1;
    assert_ok(val_sheet_run(&e, &r, err));
    assert_near(r.acceleration_m_per_s2 / r.expected_m_per_s2, 1, VAL_SHEET_TOLERANCE);
    if (body == VAL_SHEET_FREE) assert_near(r.friction_Ns / r.expected_friction_Ns, 1, VAL_SHEET_TOLERANCE);
  }
}

/* On foam, at 98 % of the angle of friction: it comes to rest and stays, as all of its friction is where it
 * is pressed alike. */
static void sheet_rests(void **state) {
  (void)state;
  val_sheet e = val_sheet_default();
  val_sheet_result r;
  e.body = VAL_SHEET_ELASTIC;
  e.friction = (sim_friction){.mu_kinetic = 0.5845, .mu_static = 0.5845};
  e.angle_rad = 0.98 * atan(0.5845);
  e.duration_s = 0.2;
  assert_ok(val_sheet_run(&e, &r, err));
  assert_true(r.largest_m <= VAL_SHEET_DRIFT_M);
  assert_near(r.acceleration_m_per_s2 * e.duration_s, 0, 1e-9); /* its speed at the end, m/s */
}

/* Speed of the fastest vertex after `steps` of 5 ms. */
static double fastest_after(val_sheet_scene *s, int steps) {
  const double(*v)[3] = (const sim_vec3 *)sim_cloth_velocity(sim_layered_cloth(s->layered));
  double most = 0;
  for (int k = 0; k < steps; k++) assert_ok(sim_layered_step(s->layered, 0.005, NULL, err));
  for (int i = 0; i < s->mesh.n_vertices; i++) most = fmax(most, sim_norm(v[i]));
  return most;
}

/* Below the angle of friction a sheet that falls on a slope, and flies across it, slides, stops, and stays.
 * Friction that turned the slide round, instead of ending it, would keep it creeping by mu g h. */
static void sheet_comes_to_rest(void **state) {
  (void)state;
  static const double mu[] = {0.5, 0.9, 2};
  for (int k = 0; k < 3; k++) {
    val_sheet e = val_sheet_default();
    val_sheet_scene s;
    e.friction = (sim_friction){.mu_kinetic = mu[k], .mu_static = mu[k]};
    e.angle_rad = 0.65 * atan(mu[k]);
    assert_ok(val_sheet_scene_make(&e, &s, err));
    double(*v)[3] = sim_cloth_velocity(sim_layered_cloth(s.layered)),
    (*x)[3] = sim_cloth_position(sim_layered_cloth(s.layered));
    for (int i = 0; i < s.mesh.n_vertices; i++) x[i][2] += 0.005, v[i][0] = 0.05, v[i][1] = 0.02 * (k - 1);
    const double early = fastest_after(&s, 6), late = fastest_after(&s, 100);
    assert_true(early > 1e-3 && late < 1e-6);
    val_sheet_scene_clear(&s);
  }
}

/* 10^5 random states - gaps of seven decades, amounts of six, steps of four, borders open or closed - keep
 * every amount above 0 and the ledger to rounding. */
static void positive(void **state) {
  (void)state;
  const sim_rectangle rect = {
      .length_m = 0.1, .width_m = 0.1, .pattern = SIM_PATTERN_IRREGULAR, .cells_across = 3};
  sim_mesh m;
  assert_ok(sim_mesh_rectangle(&rect, &m, err));
  size_t n = (size_t)m.n_vertices;
  double *gap = malloc(n * sizeof *gap);
  const sim_air_place place = {(const sim_vec3 *)m.position_m, m.vertex_area_m2, gap, NULL};
  cb_rng rng;
  cb_rng_init(&rng, 3, 0);
  for (int round = 0; round < 100; round++) {
    sim_air_setup s = sim_air_setup_default(&m);
    s.kappa_m_per_s = round % 4 ? pow(10, -5 + 6 * cb_rng_uniform(&rng)) : 0;
    s.flow_m_per_s = pow(10, -2 + 5 * cb_rng_uniform(&rng));
    s.open_border = round % 3 == 0;
    sim_air *a;
    sim_air_report r;
    assert_ok(sim_air_new(&s, &a, err));
    for (int k = 0; k < 1000; k++) {
      double before = 0;
      for (size_t i = 0; i < n; i++) gap[i] = pow(10, -7 + 7 * cb_rng_uniform(&rng));
      sim_air_fill(a, &place, SIM_ATMOSPHERE_PA);
      for (size_t i = 0; i < n; i++)
        before += sim_air_amount_J(a)[i] *= pow(10, -3 + 6 * cb_rng_uniform(&rng));
      assert_ok(sim_air_step(a, &place, pow(10, -6 + 4 * cb_rng_uniform(&rng)), &r, err));
      for (size_t i = 0; i < n; i++) assert_true(sim_air_amount_J(a)[i] > 0);
      assert_near((r.total_J + r.leaked_J + r.vented_J) / before, 1,
                  1e-12 + 1e-15 * (fabs(r.leaked_J) + fabs(r.vented_J)) / before);
    }
    sim_air_free(a);
  }
  free(gap);
  sim_mesh_clear(&m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(balloon),     cmocka_unit_test(leak_and_wind),       cmocka_unit_test(sheet),
      cmocka_unit_test(sheet_rests), cmocka_unit_test(sheet_comes_to_rest), cmocka_unit_test(positive)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
