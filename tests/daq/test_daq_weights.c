/* The weights file: forces against numbers worked out by hand, air against a published table, and one
 * sentence for every mistake. */
#include "cbtest.h"
#include "daq_weights_impl.h"

#define HEAD "certificate: K-1\ngravity_m_per_s2: 9.81\nu_gravity_m_per_s2: 0.001\n"
#define AIR "air: {density_kg_per_m3: 1.2}\n"
#define WEIGHTS                                                                                           \
  "weights:\n  - {name: A, nominal_g: 100, U_mg: 1}\n  - {name: B, nominal_g: 200, conventional_mass_g: " \
  "200.01, U_mg: 3, k: 3, "                                                                               \
  "density_kg_per_m3: 2700}\n"                                                                            \
  "  - {name: C, nominal_g: 500, U_mg: 2}\n"
#define LOADS "loads: [[A], [B], [A, B], [C], [A, B, C]]\n"

static void whole(void **state) {
  (void)state;
  daq_weights w;
  assert_ok(daq_weights_parse(HEAD AIR WEIGHTS LOADS, "w", &w, err));
  assert_string_equal(w.certificate, "K-1");
  assert_true(w.n_weights == 3 && w.n_loads == 5);
  /* At 1.2 kg/m3 a weight pulls as its conventional mass of steel does, whatever it is made of. */
  assert_near(w.load[0].force_N, 0.1 * 9.81 * (1 - 1.2 / 8000), 1e-12);
  assert_near(w.load[1].force_N, 0.20001 * 9.81 * (1 - 1.2 / 8000), 1e-12);
  assert_near(w.load[2].force_N, w.load[0].force_N + w.load[1].force_N, 1e-12);
  assert_near(w.load[2].u_force_N, (0.5e-6 + 1e-6) * 9.81 * (1 - 1.2 / 8000), 1e-12); /* all wrong together */
  assert_near(w.load[4].conventional_kg, 0.80001, 1e-12);
  assert_string_equal(w.load[4].names, "A B C");
  assert_near(w.density_kg_per_m3, 2700, 0);
  assert_near(w.k, 2, 0);
  assert_true(isnan(w.temperature_degC));
  daq_weights_clear(&w);
}

/* Elsewhere buoyancy tells brass from aluminium: m g (1 - rho_a / rho_w). */
static void thin_air(void **state) {
  (void)state;
  daq_weights w;
  assert_ok(daq_weights_parse(HEAD "air: {density_kg_per_m3: 0.9, u_density_kg_per_m3: 0.02}\n" WEIGHTS LOADS,
                              "w", &w, err));
  double mass = 0.20001 * (1 - 1.2 / 8000) / (1 - 1.2 / 2700);
  assert_near(w.load[1].force_N, mass * 9.81 * (1 - 0.9 / 2700), 1e-12);
  assert_near(w.u_air_density_kg_per_m3, 0.02, 0);
  daq_weights_clear(&w);
}

/* 20 degC, 1013.25 hPa, 50 %: p M / (Z R T) (1 - 0.378 x_v) with M = 28.96546 g/mol, Z = 0.99963, x_v =
 * 0.01159 (Picard et al. 2008) makes 1.1993 kg/m3; the standard atmosphere's dry air at 15 degC (ISO 2533)
 * has 1.225. The approximation is good for 2e-4. */
static void air(void **state) {
  (void)state;
  daq_weights w;
  assert_near(daq_air_density(20, 1013.25, 50), 1.1993, 3e-4);
  assert_near(daq_air_density(15, 1013.25, 0), 1.225, 6e-4);
  assert_ok(daq_weights_parse(
      HEAD "air: {temperature_degC: 20, pressure_hPa: 1013.25, humidity_percent: 50}\n" WEIGHTS LOADS, "w",
      &w, err));
  assert_near(w.air_density_kg_per_m3, daq_air_density(20, 1013.25, 50), 0);
  assert_near(w.u_air_density_kg_per_m3, 0.004 * w.air_density_kg_per_m3, 1e-12);
  assert_near(w.temperature_degC, 20, 0);
  daq_weights_clear(&w);
}

static void mistakes(void **state) {
  (void)state;
  static const struct {
    const char *text, *sentence;
  } wrong[] = {
      {"gravity_m_per_s2: 9.81\nu_gravity_m_per_s2: 0\n" AIR WEIGHTS LOADS,
       "w:1: the key 'certificate' is missing"},
      {"certificate: ''\ngravity_m_per_s2: 9.81\nu_gravity_m_per_s2: 0\n" AIR WEIGHTS LOADS,
       "without one the weights are not traceable"},
      {HEAD "air: {temperature_degC: 20}\n" WEIGHTS LOADS, "air: density_kg_per_m3, or all of"},
      {HEAD AIR WEIGHTS "loads: [[A], [B], [A, B], [C]]\n", "4 loads: at least 5 are needed"},
      {HEAD AIR WEIGHTS "loads: [[A], [B], [D], [C], [A, C]]\n", "'D' is none of the weights"},
      {HEAD AIR WEIGHTS "loads: [[A], [B], [A, A], [C], [A, C]]\n", "'A' cannot hang twice"},
      {HEAD AIR WEIGHTS "loads: [[A], [A, B], [B], [C], [A, C]]\n",
       "loads: 200 g follows 300 g: loads must ascend"},
      {HEAD AIR WEIGHTS "loads: [A, B, C]\n", "every load is a list of names"},
      {HEAD AIR "weights: [{name: A, nominal_g: -100, U_mg: 1}]\n" LOADS, "nominal_g = -100"},
      {HEAD AIR "weights: [{name: A, nominal_g: 100, conventional_mass_g: 110, U_mg: 1}]\n" LOADS,
       "more than 1 % away from nominal_g = 100"},
      {HEAD AIR "weights: [{name: A, nominal_g: 1, U_mg: 1}, {name: A, nominal_g: 2, U_mg: 1}]\n" LOADS,
       "'A': there are two of them"},
      {HEAD AIR "weights: A\n" LOADS, "weights: a list was wanted"},
  };
  for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
    daq_weights w;
    cb_err e = {""};
    cb_status st = daq_weights_parse(wrong[i].text, "w", &w, &e);
    daq_weights_clear(&w);
    if (st == CB_OK || !strstr(e.msg, wrong[i].sentence))
      fail_msg("%zu: '%s', without '%s'", i, e.msg, wrong[i].sentence);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(whole), cmocka_unit_test(thin_air),
                                     cmocka_unit_test(air), cmocka_unit_test(mistakes)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
