/* Two clocks: the offset that the records were made with must come out, within what is stated. */
#include "cb_rng.h"
#include "cbtest.h"
#include "fit_clocks.h"

#define PI 3.14159265358979323846

/* Rests, goes 50 mm within 2 s, rests. */
static double position(double t) {
  double part = fmin(1, fmax(0, (t - 1) / 2));
  return 0.05 * (part - sin(2 * PI * part) / (2 * PI));
}

/* An even clock of that rate; noise of sd. */
static cb_series record(double (*f)(double), double rate_Hz, double from_s, double to_s, double ahead_s,
                        double scale, double sd, uint64_t seed) {
  cb_series s = {0};
  cb_rng rng;
  cb_rng_init(&rng, seed, 1);
  for (size_t i = 0; from_s + (double)i / rate_Hz < to_s; i++) {
    double t = from_s + (double)i / rate_Hz;
    assert_ok(cb_series_push(&s, t + ahead_s, 3 + scale * f(t) + sd * cb_rng_normal(&rng), err));
  }
  return s;
}

/* The stamps of b are ahead by 0.137 s, so -0.137 s is to be added. A voltage stands for the position on a's
 * side. */
static void a_marker(void **state) {
  (void)state;
  cb_series a = record(position, 2000, 0, 4, 0, 55, 0, 1),
            b = record(position, 150, 0.2, 3.8, 0.137, 1, 0, 1);
  fit_clocks c;
  assert_ok(fit_clocks_align(&a, &b, 1.5, false, &c, err));
  assert_int_equal(c.outcome, FIT_CLOCKS_OK);
  assert_near(c.offset_s, -0.137, 1e-4); /* b is straight between readings 7 ms apart */
  assert_true(c.u_offset_s > 1e-3 && c.u_offset_s < 4e-3);
  assert_near(c.scale, 55, 0.01);
  assert_near(c.correlation, 1, 1e-5);
  cb_series_clear(&a), cb_series_clear(&b);
}

/* With noise: the offset scatters as stated. The rectangular part belongs to the stamps, which are exact
 * here: it is taken off. */
static void stated_uncertainty(void **state) {
  (void)state;
  double z2 = 0;
  int inside = 0;
  for (uint64_t seed = 1; seed <= 60; seed++) {
    cb_series a = record(position, 200, 0, 4, 0, 1, 0.002, seed),
              b = record(position, 75, 0, 4, -0.3, 1, 0, seed);
    fit_clocks c;
    assert_ok(fit_clocks_align(&a, &b, 1.5, false, &c, err));
    assert_int_equal(c.outcome, FIT_CLOCKS_OK);
    double fitted2 = c.u_offset_s * c.u_offset_s - 1.0 / (75.0 * 75 * 12);
    z2 += (c.offset_s - 0.3) * (c.offset_s - 0.3) / fitted2 / 60;
    inside += fabs(c.offset_s - 0.3) < 1.96 * c.u_offset_s;
    cb_series_clear(&a), cb_series_clear(&b);
  }
  assert_near(sqrt(z2), 1, 0.25); /* 60 results: 9 % */
  assert_in_range(inside, 55, 60);
}

/* Friction follows the direction of the motion, here to and fro and away: dry friction 2 N, noise, a zero. */
static double to_and_fro(double t) {
  return t < 1 || t > 8 ? 0 : 0.01 * (1 - cos(2 * PI * (t - 1) / (t < 4.5 ? 1.75 : 0.875)));
}
static double friction(double t) {
  double v = to_and_fro(t + 1e-4) - to_and_fro(t - 1e-4);
  return v > 1e-7 ? 2 : v < -1e-7 ? -2 : 0;
}

static void the_force_itself(void **state) {
  (void)state;
  cb_series f = record(friction, 500, 0, 9, 0, 1, 0.1, 3), x = record(to_and_fro, 200, 0, 9, 0.42, 1, 0, 3),
            d;
  fit_clocks c;
  assert_ok(fit_clocks_direction(&x, &d, err));
  assert_ok(fit_clocks_align(&f, &d, 3, true, &c, err));
  assert_int_equal(c.outcome, FIT_CLOCKS_OK);
  assert_near(c.offset_s, -0.42, 2 * c.u_offset_s + 0.002);
  assert_true(c.u_offset_s < 0.004);
  assert_near(c.scale, 2, 0.1);
  fit_clocks_check_onset(&f, &x, &c);
  assert_int_equal(c.outcome, FIT_CLOCKS_OK);
  c.offset_s += 3; /* of the 7 s in motion */
  fit_clocks_check_onset(&f, &x, &c);
  assert_int_equal(c.outcome, FIT_CLOCKS_CONTRADICTED);
  cb_series_clear(&f), cb_series_clear(&x), cb_series_clear(&d);
}

static double sine(double t) { return sin(2 * PI * t); }
static double other(double t) { return sin(17 * t) + cos(3.1 * t * t); }
static double still(double t) { return 0 * t; }

static void no_offset(void **state) {
  (void)state;
  fit_clocks c;
  cb_series a = record(sine, 100, 0, 20, 0, 1, 0.05, 1), b = record(sine, 100, 0, 20, 0.1, 1, 0.05, 2),
            e = record(other, 100, 0, 20, 0, 1, 0, 1), r = record(still, 100, 0, 20, 0, 1, 0, 1);
  assert_ok(fit_clocks_align(&a, &b, 5, false, &c, err));
  assert_int_equal(c.outcome, FIT_CLOCKS_AMBIGUOUS);
  assert_true(isnan(c.offset_s));
  assert_ok(fit_clocks_align(&a, &e, 5, false, &c, err));
  assert_int_equal(c.outcome, FIT_CLOCKS_STRANGERS);
  assert_ok(fit_clocks_align(&a, &r, 5, false, &c, err));
  assert_int_equal(c.outcome, FIT_CLOCKS_STRANGERS);
  assert_ok(fit_clocks_align(&r, &a, 5, false, &c, err));
  assert_int_equal(c.outcome, FIT_CLOCKS_STRANGERS);
  a.v[3] = NAN;
  assert_fails(CB_E_NUM, "a: reading 3", fit_clocks_align(&a, &b, 5, false, &c, err));
  b.n = 7;
  a.v[3] = 0;
  assert_fails(CB_E_RANGE, "b: 7 readings", fit_clocks_align(&a, &b, 5, false, &c, err));
  cb_series_clear(&a), cb_series_clear(&b), cb_series_clear(&e), cb_series_clear(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_marker), cmocka_unit_test(stated_uncertainty),
                                     cmocka_unit_test(the_force_itself), cmocka_unit_test(no_offset)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
