/* Loops of stretch against areas by hand and against laws that the prediction holds exactly. */
#include "cbtest.h"
#include "fit_loop.h"

/* A triangle of 2 mm by 3 N; the way back below the way up is a loss. */
static void area_of_a_triangle(void **state) {
  (void)state;
  const cb_test_point p[] = {{0, 0}, {1e-3, 3}, {2e-3, 3}, {1e-3, 0}};
  assert_near(fit_loop_area(p, 4), 3e-3, 1e-15);
  assert_near(fit_loop_area(p, 1), 0, 0);
}

static fit_loop loop_at(double amplitude, double bend) {
  const double x = log(amplitude);
  return (fit_loop){amplitude, 0.01 * exp(2 * x + bend * x * x)};
}

/* A power law is a straight line of the logarithms, on which parabola and line agree; a parabola is its own.
 */
static void laws_come_back(void **state) {
  (void)state;
  double u;
  for (double bend = 0; bend < 0.5; bend += 0.2) {
    const fit_loop known[3] = {loop_at(0.6, bend), loop_at(0.1, bend), loop_at(0.25, bend)},
                   wanted = loop_at(0.4, bend);
    assert_near(fit_loop_predict(known, 0.4, &u) / wanted.area_J, 1, 1e-12);
    if (bend == 0) assert_near(u / wanted.area_J, 0, 1e-12);
    if (bend > 0) assert_true(u > 0.01 * wanted.area_J);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(area_of_a_triangle), cmocka_unit_test(laws_come_back)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
