/* The law of air permeability: closed forms of one curve and of layers in series, uncertainties by hand,
 * published values of units. */
#include "cbtest.h"

#include "cb_num.h"
#include "cb_permeability_law.h"
#include "cb_stats.h"

/* p = R v, p = R v + S v^2, v = c p^n, exactly known, measured from 20 to 500 Pa. */
static cb_permeability_law known(void) {
  return (cb_permeability_law){.material = "M",
                               .reference_Pa = 100,
                               .dof_level = INFINITY,
                               .dof_shape = INFINITY,
                               .min_Pa = 20,
                               .max_Pa = 500};
}

static cb_permeability_law darcy(double R) {
  cb_permeability_law l = known();
  l.curve = (cb_permeability_curve){CB_PERMEABILITY_DARCY, 100 / R, 0};
  return l;
}

static cb_permeability_law forchheimer(double R, double S) {
  cb_permeability_law l = known();
  double v = (-R + sqrt(R * R + 400 * S)) / (2 * S);
  l.curve = (cb_permeability_curve){CB_PERMEABILITY_FORCHHEIMER, v, S * v * v / 100};
  return l;
}

static cb_permeability_law power(double c, double n) {
  cb_permeability_law l = known();
  l.curve = (cb_permeability_curve){CB_PERMEABILITY_POWER, c * pow(100, n), n};
  return l;
}

static cb_permeability_value at_pressure(const cb_permeability_law *l, int layers, double p) {
  cb_permeability_layer one = {l, layers};
  cb_permeability_value v;
  cb_permeability_at_pressure(&one, 1, p, &v);
  return v;
}

static void curves(void **state) {
  (void)state;
  cb_permeability_law d = darcy(1000), f = forchheimer(400, 300), p = power(0.004, 0.7);
  const cb_permeability_law *laws[] = {&d, &f, &p};
  for (double pa = 5; pa < 3000; pa *= 1.7) {
    double v_d = at_pressure(&d, 1, pa).velocity_m_per_s, v_f = at_pressure(&f, 1, pa).velocity_m_per_s;
    assert_near(1000 * v_d, pa, 1e-9 * pa);
    assert_near(400 * v_f + 300 * v_f * v_f, pa, 1e-9 * pa);
    assert_near(at_pressure(&p, 1, pa).velocity_m_per_s, 0.004 * pow(pa, 0.7), 1e-12);
    assert_near(at_pressure(&f, 1, pa).exponent,
                (400 * v_f + 300 * v_f * v_f) / (400 * v_f + 600 * v_f * v_f), 1e-12);
    for (int i = 0; i < 3; i++) { /* derivative by the shape against differences; and back from the
                                     velocity */
      cb_permeability_curve c = laws[i]->curve, more = c, less = c;
      double v = cb_permeability_curve_velocity(&c, 100, pa);
      assert_near(cb_permeability_curve_pressure(&c, 100, v), pa, 1e-9 * pa);
      if (i == 0) continue;
      more.shape += 1e-5, less.shape -= 1e-5;
      double slope = log(cb_permeability_curve_velocity(&more, 100, pa) /
                         cb_permeability_curve_velocity(&less, 100, pa)) /
                     2e-5;
      assert_near(cb_permeability_curve_by_shape(&c, v), slope, 1e-8 * (1 + fabs(slope)));
    }
  }
}

/* The header's bound: n of a Darcy-Forchheimer cloth changes by less than 0.1 per unit of ln p. */
static void curvature(void **state) {
  (void)state;
  cb_permeability_law f = forchheimer(100, 100);
  double most = 0;
  for (double pa = 1e-3; pa < 1e7; pa *= 1.01)
    most = fmax(most, (at_pressure(&f, 1, pa).exponent - at_pressure(&f, 1, pa * 1.01).exponent) / log(1.01));
  assert_near(most, 0.0962, 2e-4);
}

/* Resistances in series add, viscous and inertial apart. */
static void series(void **state) {
  (void)state;
  cb_permeability_law a = forchheimer(400, 300), b = forchheimer(100, 700), d = darcy(500),
                      whole = forchheimer(2 * 400 + 100 + 3 * 500, 2 * 300 + 700);
  cb_permeability_layer stack[] = {{&a, 2}, {&b, 1}, {&d, 3}};
  for (double pa = 10; pa < 1000; pa *= 3) {
    cb_permeability_value v, back;
    cb_permeability_at_pressure(stack, 3, pa, &v);
    cb_permeability_value w = at_pressure(&whole, 1, pa);
    assert_near(v.velocity_m_per_s / w.velocity_m_per_s, 1, 1e-9);
    assert_near(v.exponent, w.exponent, 1e-9);
    cb_permeability_at_velocity(stack, 3, v.velocity_m_per_s, &back);
    assert_near(back.pressure_Pa, pa, 1e-9 * pa);
  }
  assert_near(at_pressure(&d, 5, 100).velocity_m_per_s, 100. / 2500, 1e-12);
  /* 100 Pa over ten layers are 10 Pa each: nobody measured there. */
  assert_false(at_pressure(&d, 10, 100).inside_measured_range);
  assert_true(at_pressure(&d, 10, 200).inside_measured_range);
}

/* Independent cloths: by the pressures they take; layers of one cloth share its error; calibration is one. */
static void uncertainty(void **state) {
  (void)state;
  cb_permeability_law a = darcy(300), b = darcy(100);
  a.u_ln_level = 0.04, b.u_ln_level = 0.08, a.dof_level = 5, b.dof_level = 3;
  a.specimen_sd = b.specimen_sd = 0.1;
  cb_permeability_layer stack[] = {{&a, 1}, {&b, 1}};
  cb_permeability_value v;
  cb_permeability_at_pressure(stack, 2, 200, &v);
  assert_near(v.u_ln_velocity, hypot(0.75 * 0.04, 0.25 * 0.08), 1e-12);
  assert_near(v.u_ln_velocity_piece, hypot(v.u_ln_velocity, hypot(0.75 * 0.1, 0.25 * 0.1)), 1e-12);
  assert_near(v.dof, pow(v.u_ln_velocity, 4) / (pow(0.03, 4) / 5 + pow(0.02, 4) / 3), 1e-9);
  assert_near(
      v.dof_piece,
      pow(v.u_ln_velocity_piece, 4) / (pow(9e-4 + 0.075 * 0.075, 2) / 5 + pow(4e-4 + 0.025 * 0.025, 2) / 3),
      1e-9);
  assert_near(at_pressure(&a, 4, 400).u_ln_velocity, 0.04, 1e-12);
  /* Four layers of one piece depart as it does. */
  assert_near(at_pressure(&a, 4, 400).u_ln_velocity_piece, hypot(0.04, 0.1), 1e-12);
  a.u_ln_level = b.u_ln_level = 0, a.u_velocity_rel = b.u_velocity_rel = 0.03,
  a.u_pressure_rel = b.u_pressure_rel = 0.04;
  cb_permeability_at_pressure(stack, 2, 200, &v);
  assert_near(v.u_ln_velocity, 0.05, 1e-12);
}

/* Shape and level correlate; the runner-up's distance counts by its weight; beyond the range what the
 * exponent may do. */
static void growth(void **state) {
  (void)state;
  cb_permeability_law l = power(0.004, 0.7);
  l.u_ln_level = 0.02, l.u_shape = 0.01, l.cov_level_shape = -0.5 * 0.02 * 0.01;
  double g = log(3);
  assert_near(at_pressure(&l, 1, 300).u_ln_velocity, sqrt(4e-4 + g * g * 1e-4 - 2 * g * 1e-4), 1e-12);
  l.u_ln_level = l.u_shape = l.cov_level_shape = 0;
  l.other = (cb_permeability_curve){CB_PERMEABILITY_DARCY, l.curve.velocity_m_per_s, 0};
  l.other_weight = 0.25;
  assert_near(at_pressure(&l, 1, 300).u_ln_velocity, 0.5 * 0.3 * g, 1e-12);
  l.other_weight = 0;
  assert_near(at_pressure(&l, 1, 300).u_ln_velocity, 0, 0);
  assert_near(at_pressure(&l, 1, 1000).u_ln_velocity, 0.05 * log(2) * log(2) / sqrt(3), 1e-12);
  assert_near(at_pressure(&l, 1, 10).u_ln_velocity, 0.05 * log(2) * log(2) / sqrt(3), 1e-12);
  assert_near(at_pressure(&l, 1, 500 * exp(20)).u_ln_velocity, 0.5 * 20 / sqrt(3), 1e-9);
}

static void refusals(void **state) {
  (void)state;
  cb_permeability_law l = darcy(100);
  assert_ok(cb_permeability_law_check(&l, err));
  l.curve.shape = 0.1;
  assert_fails(CB_E_RANGE, "darcy with shape 0.1", cb_permeability_law_check(&l, err));
  l = forchheimer(100, 10);
  l.curve.shape = 1.1;
  assert_fails(CB_E_RANGE, "forchheimer with shape 1.1", cb_permeability_law_check(&l, err));
  l = power(1, 0.5);
  l.min_Pa = 600;
  assert_fails(CB_E_RANGE, "100 Pa in 600 to 500 Pa", cb_permeability_law_check(&l, err));
  l = power(1, 0.5);
  l.u_shape = NAN;
  assert_fails(CB_E_RANGE, "uncertainty nan", cb_permeability_law_check(&l, err));
  l = power(1, 0.5);
  l.cov_level_shape = 1;
  assert_fails(CB_E_RANGE, "covariance 1 of level and shape", cb_permeability_law_check(&l, err));
  l = power(1, 0.5);
  l.dof_shape = 0;
  assert_fails(CB_E_RANGE, "degrees of freedom: at least 1", cb_permeability_law_check(&l, err));
  l = power(1, 0.5);
  l.other_weight = 1.5;
  assert_fails(CB_E_RANGE, "weight 1.5 of the runner-up", cb_permeability_law_check(&l, err));
  l.other_weight = 0.3;
  l.other = (cb_permeability_curve){CB_PERMEABILITY_FORCHHEIMER, 0.1, 2};
  assert_fails(CB_E_RANGE, "forchheimer with shape 2 and 0.1 m/s", cb_permeability_law_check(&l, err));
}

static double unit(const char *name) { return cb_unit_find(name)->to_si; }

/* 1 cfm/ft2 = 0.508 cm3/cm2/s = 5.08 L/m2/s (exact: a foot is 0.3048 m); viscosity of air at 20 degC 1.81e-5
 * Pa s (CRC Handbook). */
static void units(void **state) {
  (void)state;
  assert_near(unit("cfm/ft2"), 5.08e-3, 1e-15);
  assert_near(unit("cfm/ft2") / unit("cm3/cm2/s"), 0.508, 1e-12);
  assert_near(unit("L/m2/s") / unit("mm/s"), 1, 1e-12);
  assert_near(cb_permeability_darcy_m2(0.1, 100, 1e-3, 20), 1.81e-11, 0.01e-11);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(curves), cmocka_unit_test(curvature),
                                     cmocka_unit_test(series), cmocka_unit_test(uncertainty),
                                     cmocka_unit_test(growth), cmocka_unit_test(refusals),
                                     cmocka_unit_test(units)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
