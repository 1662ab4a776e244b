/* How many repeats a band takes: against the closed form, by hand. */
#include "cbtest.h"

#include <math.h>

#include "fit_repeats.h"

/* Nothing is known: a scatter of 2 %, 1.95996 standard uncertainties. 1.95996 x 2 % / sqrt 15 = 1.0121 %. */
static void typical(void **state) {
  (void)state;
  fit_repeats r;
  fit_repeats_for(NULL, 0, 1, 0.0102, &r);
  assert_int_equal(r.n, 15);
  assert_int_equal(r.basis, FIT_ASSUMED);
  assert_near(r.band_rel, 0.0101212, 1e-6);
  assert_near(r.floor_rel, 0, 0);
  fit_repeats_for(NULL, 0, 2, 0.0102, &r); /* both ways: 16 pulls */
  assert_int_equal(r.n, 8);
  /* 1.95996 x 0.3 % = 0.588 % stays; 1.1 times that is reached where the scatter is 0.458 of it: 212 pulls.
   */
  fit_repeats_for(NULL, 0.003, 1, 0.001, &r);
  assert_near(r.floor_rel, 0.00587989, 1e-8);
  assert_int_equal(r.n, 212);
  assert_true(r.band_rel > 0.001 && r.band_rel <= 1.1 * r.floor_rel);
}

/* A pair that was measured has its own scatter, by so many degrees of freedom: t(0.95, 4) = 2.776445. */
static void measured(void **state) {
  (void)state;
  fit_friction_law known = {
      .outcome = FIT_FRICTION_OK, .scatter_basis = FIT_FROM_REPEATS, .scatter_rel = 0.01, .scatter_dof = 4};
  fit_repeats r;
  fit_repeats_for(&known, 0, 1, 0.01, &r);
  assert_int_equal(r.n, 8);
  assert_near(r.band_rel, 2.776445 * 0.01 / sqrt(8), 1e-8);
  assert_int_equal(r.basis, FIT_FROM_REPEATS);
  known.placement_rel = 0.02; /* one mounting: repeats do not make it less */
  fit_repeats_for(&known, 0, 1, 0.01, &r);
  assert_near(r.floor_rel, 0.0391993, 1e-7);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(typical), cmocka_unit_test(measured)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
