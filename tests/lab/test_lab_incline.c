/* The verdict on an incline: angles of release against closed forms, slides against s = g (sin a - mu cos a)
 * t^2/2, the uncertainties by hand, the codec there and back. */
#include <math.h>

#include "cb_num.h"
#include "fit_incline.h"
#include "lab_en.h"
#include "lab_incline_impl.h"
#include "lablaw.h"

#define G CB_STANDARD_GRAVITY_M_PER_S2

/* F = c N^n on 50 cm2; a relative standard uncertainty of u_rel. */
static cb_friction_law power_law(cb_friction_kind kind, double c, double n, double u_rel) {
  cb_friction_law law = {.id = 7,
                         .kind = kind,
                         .form = CB_FORM_ISOTROPIC,
                         .cloth = "Twill",
                         .body = "Foam",
                         .origin = CB_MEASURED,
                         .contact_area_m2 = 0.005,
                         .n_knots = 1,
                         .model = CB_MODEL_POWER,
                         .exponent = n,
                         .u_rel_common = u_rel,
                         .dof = 1e9,
                         .speed_m_per_s = NAN};
  law.knots[0] = (cb_friction_knot){.normal_force_N = 1, .f_N = {c, 0, c}};
  return law;
}

static void coulombs_angle(void **state) {
  (void)state;
  for (double mu = 0.1; mu < 3; mu *= 2) {
    const cb_friction_law law = power_law(CB_FRICTION_STATIC, mu, 1, 0);
    assert_near(lab_incline_release_rad(&law, 0.3, 0.1, 1), atan(mu), 1e-12);
    assert_near(lab_incline_release_rad(&law, 0.3, 10, 1.1), atan(1.1 * mu), 1e-12);
  }
}

/* tan a = c N^(n - 1) with N = m g cos a; a lighter sled holds on a steeper slope if n < 1. */
static void the_angle_of_a_power_law(void **state) {
  (void)state;
  double last = 0;
  const cb_friction_law law = power_law(CB_FRICTION_STATIC, 0.4, 0.8, 0);
  for (double kg = 1; kg > 0.001; kg *= 0.5) {
    const double a = lab_incline_release_rad(&law, 0, kg, 1);
    assert_near(tan(a), 0.4 * pow(kg * G * cos(a), -0.2), 1e-10);
    assert_true(a > last);
    last = a;
  }
}

static void adhesion_holds_a_light_sled(void **state) {
  (void)state;
  cb_friction_law law = power_law(CB_FRICTION_STATIC, 0.4, 1, 0);
  law.model = CB_MODEL_OFFSET, law.offset_N = 1;
  /* F = 0.2 (N + 1): m g sin a = 0.2 (m g cos a + 1) */
  const double a = lab_incline_release_rad(&law, 0, 1 / G, 1);
  assert_near(sin(a), 0.2 * (cos(a) + 1), 1e-10);
  assert_true(isnan(lab_incline_release_rad(&law, 0, 0.19 / G, 1)));
}

/* ---- verdicts ---- */

static lab_incline_case a_release(double mu, double of_law) {
  const double slope = atan(mu), kg = 0.1, N = kg * G * cos(slope);
  return (lab_incline_case){.run = {.id = 3,
                                    .kind = CB_RUN_SLIDE,
                                    .added_mass_kg = kg,
                                    .normal_force_N = N,
                                    .contact_area_m2 = 0.005,
                                    .incline_deg = slope / CB_DEG,
                                    .origin = CB_IMPORTED,
                                    .status = CB_RUN_DONE},
                            .point = {.static_N = mu * N, .u_static_N = 0.01 * N, .kinetic_N = NAN},
                            .law = power_law(CB_FRICTION_STATIC, of_law, 1, 0.02),
                            .scatter = {.repeat_rel = 0.03, .dof = 1e9}};
}

static void a_release_by_hand(void **state) {
  (void)state;
  const lab_incline_case c = a_release(0.4, 0.42);
  lab_incline_verdict v;
  assert_ok(lab_incline_compare(&c, &v, err));
  const lab_slide_quantity *q = &v.q[LAB_INCLINE_RELEASE];
  /* d atan mu = d mu / (1 + mu^2); the draws are 200 */
  const double u_law = 0.02 * 0.42 / (1 + 0.42 * 0.42) / CB_DEG,
               u_seen = hypot(0.01, 0.03 * 0.4) / (1 + 0.16) / CB_DEG;
  assert_near(q->predicted, atan(0.42) / CB_DEG, 1e-9);
  assert_near(q->measured, atan(0.4) / CB_DEG, 1e-9);
  assert_near(q->u_predicted, u_law, 0.15 * u_law);
  assert_near(q->u_measured, u_seen, 1e-9);
  assert_near(q->U_measured, 1.96 * u_seen, 1e-3);
  assert_near(q->en, lab_en(q->predicted, q->U_predicted, q->measured, q->U_measured), 1e-12);
  assert_true(v.pass && v.law_id == 7 && !v.q[LAB_INCLINE_ACCELERATION].compared);
  const lab_incline_case other = a_release(0.4, 0.5);
  assert_ok(lab_incline_compare(&other, &v, err));
  assert_true(!v.pass && v.worst_en == v.q[LAB_INCLINE_RELEASE].en);
}

/* A record of a sled on 35 degrees, from a start speed. */
static lab_incline_case a_slide(double mu, double of_law, double speed) {
  const double slope = 35 * CB_DEG, kg = 0.1, N = kg * G * cos(slope), b = G * (sin(slope) - mu * cos(slope));
  lab_incline_case c = {.run = {.id = 3,
                                .kind = CB_RUN_SLIDE,
                                .angle_deg = 30,
                                .added_mass_kg = kg,
                                .normal_force_N = N,
                                .contact_area_m2 = 0.005,
                                .incline_deg = 35,
                                .origin = CB_IMPORTED,
                                .status = CB_RUN_DONE},
                        .point = {.static_N = NAN, .kinetic_N = mu * N, .u_kinetic_N = 0.01 * kg},
                        .law = power_law(CB_FRICTION_KINETIC, of_law, 1, 0.02)};
  for (int i = 0; i <= 50; i++) {
    const double t = 0.02 * i;
    assert_ok(cb_series_push(&c.distance_m, 3 + t, 0.1 + speed * t + 0.5 * b * t * t, err));
  }
  return c;
}

static void slides_in_closed_form(void **state) {
  (void)state;
  static const double speeds[] = {0, 0.2, 1};
  for (int i = 0; i < 3; i++) {
    lab_incline_case c = a_slide(0.3, 0.3, speeds[i]);
    lab_incline_verdict v;
    fit_incline_motion m;
    const double b = G * (sin(35 * CB_DEG) - 0.3 * cos(35 * CB_DEG));
    assert_ok(fit_incline_motion_of(&c.distance_m, 0, &m, err));
    assert_near(m.acceleration_m_per_s2, b, 1e-9);
    assert_near(m.speed_m_per_s, speeds[i], 1e-9);
    assert_near(m.distance_m, 0.1, 1e-9);
    assert_ok(lab_incline_compare(&c, &v, err));
    const lab_slide_quantity *a = &v.q[LAB_INCLINE_ACCELERATION], *d = &v.q[LAB_INCLINE_DISTANCE];
    assert_near(a->predicted, b, 1e-4);
    assert_near(a->measured, b, 1e-9);
    assert_near(a->u_measured, 0.01, 1e-12);
    /* the law's 2 % of mu g cos a */
    assert_near(a->u_predicted, 0.02 * 0.3 * G * cos(35 * CB_DEG), 0.01);
    assert_true(v.pass && d->compared && d->measured < 1e-5 && !v.q[LAB_INCLINE_RELEASE].compared);
    cb_series_clear(&c.distance_m);
  }
}

static void another_law_fails(void **state) {
  (void)state;
  lab_incline_case c = a_slide(0.3, 0.345, 0.2);
  lab_incline_verdict v;
  assert_ok(lab_incline_compare(&c, &v, err));
  const double off = 0.045 * G * cos(35 * CB_DEG);
  assert_near(v.q[LAB_INCLINE_ACCELERATION].measured - v.q[LAB_INCLINE_ACCELERATION].predicted, off, 1e-4);
  /* rms of off t^2/2 over a second */
  assert_near(v.q[LAB_INCLINE_DISTANCE].measured, off / 2 / sqrt(5), 0.03 * off);
  assert_true(!v.pass);
  cb_series_clear(&c.distance_m);
}

/* A law that would hold the sled decelerates it where it is known to slide. */
static void a_sled_that_slows_down(void **state) {
  (void)state;
  lab_incline_case c = a_slide(0.8, 0.8, 2);
  lab_incline_verdict v;
  cb_series_clear(&c.distance_m);
  assert_ok(lab_incline_compare(&c, &v, err));
  const double b = G * (sin(35 * CB_DEG) - 0.8 * cos(35 * CB_DEG));
  assert_true(b < 0 && v.pass);
  assert_near(v.q[LAB_INCLINE_ACCELERATION].predicted, b, 1e-6);
  assert_near(v.q[LAB_INCLINE_ACCELERATION].measured, b, 1e-9);
}

static void noise_of_a_record(void **state) {
  (void)state;
  cb_rng rng;
  double sum = 0, u = 0;
  const int n = 300;
  cb_rng_init(&rng, 5, 5);
  for (int k = 0; k < n; k++) {
    cb_series s = {0};
    fit_incline_motion m;
    for (int i = 0; i <= 20; i++) {
      const double t = 0.05 * i;
      assert_ok(cb_series_push(&s, t, 0.5 * 2 * t * t + 1e-3 * cb_rng_normal(&rng), err));
    }
    assert_ok(fit_incline_motion_of(&s, 1e-5, &m, err));
    sum += pow(m.acceleration_m_per_s2 - 2, 2) / n;
    u += m.u_acceleration_m_per_s2 / n;
    cb_series_clear(&s);
  }
  assert_near(u / sqrt(sum), 1, 0.1);
}

/* ---- the document ---- */

static void there_and_back(void **state) {
  (void)state;
  lab_incline_case c = a_slide(0.3, 0.345, 0.2);
  lab_incline_verdict v, back;
  assert_ok(lab_incline_compare(&c, &v, err));
  char *text = ll_text(lab_incline_json(&v));
  assert_ok(lab_incline_read(text, &back, err));
  ll_same(lab_incline_json(&v), lab_incline_json(&back));
  assert_true(!back.pass && back.run_id == 3 && back.law_kind == CB_FRICTION_KINETIC &&
              back.draws == v.draws);
  free(text);
  cb_series_clear(&c.distance_m);
}

static cb_status read_only(const char *text, cb_err *err) {
  lab_incline_verdict v;
  return lab_incline_read(text, &v, err);
}

static void malformed_documents_are_refused(void **state) {
  (void)state;
  const lab_incline_case c = a_release(0.4, 0.42);
  lab_incline_verdict v;
  assert_ok(lab_incline_compare(&c, &v, err));
  char *text = ll_text(lab_incline_json(&v));
  static const ll_damage list[] = {
      {"\"release_angle\"", "\"weight\"", "'weight' is none"},
      {"\"law_kind\":\"static\"", "\"law_kind\":\"other\"", "law_kind"},
      {"\"mass_g\":", "\"mass_g\":\"x\",\"q\":", "mass_g"},
      {"\"quantities\":", "\"quantities\":1,\"q\":", "quantities"},
      {"\"uncertainty\":", "\"uncertainty\":1,\"q\":", "uncertainty"},
      {"\"scatter\":", "\"scatter\":1,\"q\":", "scatter"},
  };
  ll_refused(text, list, sizeof list / sizeof list[0], read_only);
  free(text);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(coulombs_angle),
      cmocka_unit_test(the_angle_of_a_power_law),
      cmocka_unit_test(adhesion_holds_a_light_sled),
      cmocka_unit_test(a_release_by_hand),
      cmocka_unit_test(slides_in_closed_form),
      cmocka_unit_test(another_law_fails),
      cmocka_unit_test(a_sled_that_slows_down),
      cmocka_unit_test(noise_of_a_record),
      cmocka_unit_test(there_and_back),
      cmocka_unit_test(malformed_documents_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
