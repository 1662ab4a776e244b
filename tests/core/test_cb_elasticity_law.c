/* The law of elasticity: what of it can be, and what cannot. */
#include "cbtest.h"

#include "cb_elasticity_law.h"

static cb_elasticity_law foam(void) {
  return (cb_elasticity_law){.value = {24, 6e4, 0.3}, .u = {0.5, 9e3, NAN}};
}

static void some_of_it_may_be_unknown(void **state) {
  (void)state;
  cb_elasticity_law l = foam();
  assert_ok(cb_elasticity_law_check(&l, err));
  l.value[CB_ELASTIC_POISSON] = -0.7; /* a re-entrant foam */
  assert_ok(cb_elasticity_law_check(&l, err));
  l = cb_elasticity_law_unknown();
  assert_fails(CB_E_RANGE, "density, Young's modulus or Poisson's ratio was wanted",
               cb_elasticity_law_check(&l, err));
  l.value[CB_ELASTIC_DENSITY] = 24;
  assert_ok(cb_elasticity_law_check(&l, err));
}

static void what_cannot_be_is_refused(void **state) {
  (void)state;
  static const struct {
    int k;
    double value, u;
    const char *says;
  } cases[] = {
      {CB_ELASTIC_DENSITY, 0, NAN, "density_kg_per_m3 = 0: must be > 0"},
      {CB_ELASTIC_YOUNG, -1, NAN, "young_Pa = -1: must be > 0"},
      {CB_ELASTIC_YOUNG, INFINITY, NAN, "young_Pa = inf: must be > 0"},
      {CB_ELASTIC_POISSON, 0.5, NAN, "poisson = 0.5: must be above -1 and below 0.5"},
      {CB_ELASTIC_POISSON, -1, NAN, "poisson = -1: must be above -1 and below 0.5"},
      {CB_ELASTIC_YOUNG, 1, -1, "young_Pa: its uncertainty -1: must be finite and >= 0"},
      {CB_ELASTIC_YOUNG, 1, INFINITY, "young_Pa: its uncertainty inf: must be finite and >= 0"},
      {CB_ELASTIC_POISSON, NAN, 0.1, "poisson: an uncertainty of 0.1, but no value"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    cb_elasticity_law l = foam();
    l.value[cases[i].k] = cases[i].value;
    l.u[cases[i].k] = cases[i].u;
    assert_fails(CB_E_RANGE, cases[i].says, cb_elasticity_law_check(&l, err));
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(some_of_it_may_be_unknown),
                                     cmocka_unit_test(what_cannot_be_is_refused)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
