/* The rig's pull by the three layers against the rigid sled: same laws, same link. */
#include "cbtest.h"

#include "cb_num.h"
#include "fit_pull.h"
#include "val_pull.h"

/* tau = c p^0.9 on 10 cm2, more along the warp. */
static cb_friction_law law(double factor) {
  return (cb_friction_law){.form = CB_FORM_GENERAL,
                           .contact_area_m2 = 1e-3,
                           .model = CB_MODEL_POWER,
                           .exponent = 0.9,
                           .dof = INFINITY,
                           .n_knots = 1,
                           .knots = {{.normal_force_N = 1, .f_N = {0.3 * factor, 0.02 * factor, 0.2 * factor}}}};
}

static sim_sled sled_of(const cb_friction_law *kinetic, const cb_friction_law *stat, double angle_deg, double travel_m) {
  sim_sled s = sim_sled_default();
  s.mass_kg = 0.15;
  s.contact_area_m2 = 25e-4;
  s.kinetic_law = kinetic;
  s.static_law = stat;
  s.pull = (sim_pull){.angle_rad = angle_deg * CB_DEG,
                      .stiffness_N_per_m = 2000,
                      .slack_m = 2e-4,
                      .damping_Ns_per_m = 1.2 * sqrt(2000 * 0.15),
                      .profile = {0.1, travel_m, 0.01, 0.5}};
  s.duration_s = 0.2 + fabs(travel_m) / 0.01;
  s.rate_Hz = 1000;
  s.step_s = 1e-4;
  return s;
}

static fit_pull reduced(const cb_trace *t, double travel_m) {
  fit_pull_options opt = fit_pull_options_default();
  fit_pull p;
  assert_ok(fit_pull_reduce(t, travel_m < 0 ? -1 : 1, fabs(travel_m), &opt, &p, err));
  assert_int_equal(p.outcome, FIT_PULL_OK);
  return p;
}

static void compare(val_sheet_body body, double angle_deg, double travel_m, double tolerance) {
  cb_friction_law kinetic = law(1), stat = law(1.2);
  sim_sled s = sled_of(&kinetic, &stat, angle_deg, travel_m);
  sim_sled_result sled;
  val_pull e = val_pull_default();
  val_pull_result sheet;
  e.body = body;
  assert_ok(sim_sled_run(&s, &sled, err));
  assert_ok(val_pull_run(&e, &s, &sheet, err));
  assert_int_equal(sheet.trace.force_N.n, sled.trace.force_N.n);
  fit_pull a = reduced(&sheet.trace, travel_m), b = reduced(&sled.trace, travel_m);
  printf("%s %g: kinetic %.6f %.6f (%+.4f %%) static %.6f %.6f (%+.4f %%) at %.6f %.6f mm, sd %.2g %.2g, across %.2g, %.1f s\n", val_sheet_body_names[body], angle_deg, a.kinetic_N,
         b.kinetic_N, 100 * (a.kinetic_N / b.kinetic_N - 1), a.static_N, b.static_N, 100 * (a.static_N / b.static_N - 1), 1e3 * a.x_static_m, 1e3 * b.x_static_m, a.kinetic_sd_N, b.kinetic_sd_N,
         sheet.across_m, sheet.seconds);
  assert_near(a.kinetic_N, b.kinetic_N, tolerance * b.kinetic_N);
  val_pull_clear(&sheet);
  sim_sled_result_clear(&sled);
}

static void told(void **state) {
  (void)state;
  compare(VAL_SHEET_TOLD, 0, 0.01, 1e-3);
  compare(VAL_SHEET_TOLD, 30, -0.01, 1e-3);
}

static void held(void **state) {
  (void)state;
  compare(VAL_SHEET_HELD, 90, 0.01, 1e-3);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(told), cmocka_unit_test(held)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
