/* The rig's pull by the three layers against the rigid sled: same laws, same link. */
#include "cbtest.h"

#include "cb_num.h"
#include "fit_pull.h"
#include "val_pull.h"

/* tau = c p^0.9 on 10 cm2, more along the warp. */
static cb_friction_law law(double factor) {
  return (cb_friction_law){
      .form = CB_FORM_GENERAL,
      .contact_area_m2 = 1e-3,
      .model = CB_MODEL_POWER,
      .exponent = 0.9,
      .dof = INFINITY,
      .n_knots = 1,
      .knots = {{.normal_force_N = 1, .f_N = {0.3 * factor, 0.02 * factor, 0.2 * factor}}}};
}

static sim_sled sled_of(const cb_friction_law *kinetic, const cb_friction_law *stat, double angle_deg,
                        double travel_m) {
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

/* The sled's own plateau; on the prescribed body its peak and place, to the first order in the step. */
static void compare(val_sheet_body body, double angle_deg, double travel_m) {
  cb_friction_law kinetic = law(1), stat = law(1.2);
  const bool told = body == VAL_SHEET_PRESCRIBED;
  sim_sled s = sled_of(&kinetic, told ? &stat : NULL, angle_deg, travel_m);
  sim_sled_result sled;
  val_pull e = val_pull_default();
  val_pull_result sheet;
  e.body = body;
  assert_ok(sim_sled_run(&s, &sled, err));
  assert_ok(val_pull_run(&e, &s, &sheet, err));
  assert_int_equal(sheet.trace.force_N.n, sled.trace.force_N.n);
  assert_int_equal(sheet.trace.position_m.n, sled.trace.position_m.n);
  fit_pull a = reduced(&sheet.trace, travel_m), b = reduced(&sled.trace, travel_m);
  assert_near(a.kinetic_N, b.kinetic_N, (told ? 1e-6 : 1e-3) * b.kinetic_N);
  assert_near(sheet.across_m, 0, told ? 6e-3 * 0x1p-24 : 1e-6); /* told: of the way, what single precision
                                                                   rounds */
  assert_int_equal(sheet.extrapolated, sheet.vertices);         /* the law has one knot */
  if (told) {
    assert_near(a.static_N, b.static_N, 0.01 * b.static_N);
    assert_near(a.x_static_m, b.x_static_m, 2.1e-5); /* two samples */
  }
  val_pull_clear(&sheet);
  sim_sled_result_clear(&sled);
}

static void told(void **state) {
  (void)state;
  compare(VAL_SHEET_PRESCRIBED, 0, 0.006);
  compare(VAL_SHEET_PRESCRIBED, 30, -0.006);
}

static void held(void **state) {
  (void)state;
  compare(VAL_SHEET_ELASTIC, 90, 0.006);
}

/* Without a static law: from rest to the plateau, above which inertia adds V sqrt(k m) at most
 * (docs/method/slide.md). */
static void holds_as_it_slides(void **state) {
  (void)state;
  cb_friction_law kinetic = law(1);
  sim_sled s = sled_of(&kinetic, NULL, 45, 0.004);
  val_pull e = val_pull_default();
  val_pull_result r;
  double top = 0, wanted;
  s.pull.profile.speed_m_per_s = 0.002;
  s.duration_s = 1;
  assert_ok(val_pull_run(&e, &s, &r, err));
  for (size_t i = 0; i < r.trace.force_N.n; i++) top = fmax(top, r.trace.force_N.v[i]);
  cb_friction_law own = cb_friction_law_on_area(&kinetic, s.contact_area_m2);
  cb_friction_value v;
  cb_friction_law_eval(&own, 45 * CB_DEG, s.mass_kg * s.gravity_m_per_s2, &v);
  wanted = v.force_N;
  assert_near(r.trace.force_N.v[r.trace.force_N.n - 1], wanted, 1e-5 * wanted);
  assert_true(top <= wanted + 0.002 * sqrt(2000 * s.mass_kg));
  val_pull_clear(&r);
}

/* Largest difference between stage displacements at equal force, over that of the whole edge's way, against
 * u = F^2 / (2 E tau w^2): from a tenth to nine tenths of the friction. */
static double edge_error(int vertices, double stretch_N_per_m) {
  cb_friction_law kinetic = law(1);
  sim_sled s = sled_of(&kinetic, NULL, 0, 0.004);
  val_pull e = val_pull_default();
  val_pull_result r;
  sim_material cloth = sim_material_isotropic(0.2, stretch_N_per_m, 1e-5);
  s.pull.profile.speed_m_per_s = 0.002;
  s.pull.damping_Ns_per_m *= 0.05; /* else its c V is a tenth of the friction */
  s.duration_s = 1.2;
  e.grip = VAL_PULL_EDGE;
  e.cloth = &cloth;
  e.vertices = vertices;
  assert_ok(val_pull_run(&e, &s, &r, err));
  cb_friction_law own = cb_friction_law_on_area(&kinetic, s.contact_area_m2);
  cb_friction_value v;
  cb_friction_law_eval(&own, 0, s.mass_kg * s.gravity_m_per_s2, &v);
  const double w = sqrt(s.contact_area_m2), tau = v.force_N / s.contact_area_m2,
               whole_m = v.force_N / w * w / (2 * stretch_N_per_m);
  double worst = 0;
  int seen = 0;
  for (size_t i = 0; i < r.trace.force_N.n; i++) {
    const double F = r.trace.force_N.v[i], moved_m = F * F / (2 * stretch_N_per_m * tau * w * w);
    if (F < 0.1 * v.force_N || F > 0.9 * v.force_N || r.trace.position_m.v[i] > 0.002) continue;
    double wanted_m = s.pull.slack_m + F / s.pull.stiffness_N_per_m + moved_m;
    worst = fmax(worst, fabs(r.trace.position_m.v[i] - wanted_m) / whole_m);
    seen++;
  }
  assert_true(seen > 50);
  assert_near(r.trace.force_N.v[r.trace.force_N.n - 1], v.force_N, 0.01 * v.force_N); /* it swings */
  val_pull_clear(&r);
  return worst;
}

/* Held at its edge, the cloth stretches by the closed form. Most of the difference is the material's: its
 * strain is Green-Lagrange's, 2 % at the edge, whose stress is 1.5 times that above the straight line. */
static void stretches_from_its_edge(void **state) {
  (void)state;
  assert_true(edge_error(60, 400) < 0.02);
  assert_true(edge_error(400, 400) < 0.02);
}

static void refused(void **state) {
  (void)state;
  cb_friction_law kinetic = law(1);
  const sim_sled good = sled_of(&kinetic, NULL, 0, 0.01);
  const val_pull fine = val_pull_default();
  val_pull e = fine;
  sim_sled s = good;
  val_pull_result r;
  e.body = VAL_SHEET_FREE;
  assert_fails(CB_E_RANGE, "pull: a level bed was wanted, and a body of prescribed motion or held",
               val_pull_run(&e, &s, &r, err));
  e = fine;
  s.incline_rad = 0.1;
  assert_fails(CB_E_RANGE, "pull: a level bed was wanted", val_pull_run(&e, &s, &r, err));
  s = good;
  const sim_material heavy = sim_material_isotropic(61, 1000, 1e-5);
  e.cloth = &heavy;
  assert_fails(CB_E_RANGE, "pull: the sheet has 152.5 g, the sled 150 g", val_pull_run(&e, &s, &r, err));
  e = fine;
  e.dt_s = 0;
  assert_fails(CB_E_RANGE, "pull: step", val_pull_run(&e, &s, &r, err));
  e = fine;
  e.vertices = 3;
  assert_fails(CB_E_RANGE, "pull: vertices", val_pull_run(&e, &s, &r, err));
  s.mass_kg = 0;
  assert_fails(CB_E_RANGE, "mass", val_pull_run(&fine, &s, &r, err));
  assert_null(r.trace.force_N.v);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(told), cmocka_unit_test(held),
                                     cmocka_unit_test(holds_as_it_slides),
                                     cmocka_unit_test(stretches_from_its_edge), cmocka_unit_test(refused)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
