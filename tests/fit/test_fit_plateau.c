/* Plateaus, steps, slopes and stick-slip of known truth. */
#include "cb_rng.h"
#include "cbtest.h"
#include "fit_plateau.h"
#include "fit_plateau_describe.h"

enum { MOST = 4000 };

/* A stretch of n readings, every dx metres and every dt seconds. */
typedef struct stretch {
  size_t n;
  double t[MOST], x[MOST], f[MOST];
} stretch;

static stretch s;

static void begin(size_t n, double dt_s, double speed_m_per_s, double level_N) {
  s.n = n;
  for (size_t i = 0; i < n; i++) {
    s.t[i] = 3 + dt_s * (double)i;
    s.x[i] = 0.01 + speed_m_per_s * dt_s * (double)i;
    s.f[i] = level_N;
  }
}

static void add_noise(double sd, double ar, uint64_t seed) {
  cb_rng rng;
  cb_rng_init(&rng, seed, 5);
  double v = cb_rng_normal(&rng);
  for (size_t i = 0; i < s.n; i++, v = ar * v + sqrt(1 - ar * ar) * cb_rng_normal(&rng)) s.f[i] += sd * v;
}

static fit_plateau describe(double noise_sd_N) {
  fit_plateau p;
  const fit_plateau_record in = {.n = s.n, .t_s = s.t, .x_m = s.x, .force_N = s.f, .noise_sd_N = noise_sd_N};
  assert_ok(fit_plateau_describe(&in, &p, err));
  return p;
}

/* Rises to the peak over the whole period, falls within one reading. */
static void add_sawtooth(double height_N, double period_m, double phase) {
  for (size_t i = 0; i < s.n; i++) {
    double cycles = s.x[i] / period_m + phase;
    s.f[i] += height_N * (cycles - floor(cycles) - 0.5);
  }
}

static void flat_and_constant(void **state) {
  (void)state;
  begin(500, 0.005, 0.01, 0.5);
  fit_plateau p = describe(0);
  assert_int_equal(p.verdict, FIT_PLATEAU_FLAT);
  assert_near(p.mean_N, 0.5, 1e-15);
  assert_near(p.path_mean_N, 0.5, 1e-15);
  assert_true(p.u_mean_N == 0 && p.path_deviation_N < 1e-15 && p.step_N == 0 && p.step_p == 1);
  assert_int_equal(p.stick_slip.outcome, FIT_STICK_SLIP_NONE);
  add_noise(0.01, 0, 1);
  p = describe(0);
  assert_int_equal(p.verdict, FIT_PLATEAU_FLAT);
  assert_near(p.mean_N, 0.5, 4 * 0.01 / sqrt(500));
  assert_near(p.u_mean_N, 0.01 / sqrt(500), 0.2 * 0.01 / sqrt(500));
  /* Mean |x| of a normal is sqrt(2 / pi) sd at a reading; between two of them, on the straight line, it is
   * less. */
  assert_in_range(1e5 * p.path_deviation_N, 1e5 * 0.01 * 0.6, 1e5 * 0.01 * 0.8);
}

/* The slope's t and the step's p keep what they promise in correlated noise: 1 % of false alarms, at most
 * twice that, of 600. */
static void false_alarms(void **state) {
  (void)state;
  int slopes = 0, steps = 0, verdicts = 0;
  for (uint64_t seed = 1; seed <= 600; seed++) {
    begin(600, 0.005, 0.01, 0.5);
    add_noise(0.01, 0.7, seed);
    fit_plateau p = describe(0);
    slopes += p.slope_p < 0.01;
    steps += p.step_p < 0.01;
    verdicts += p.verdict != FIT_PLATEAU_FLAT;
  }
  assert_in_range(slopes, 0, 15);
  assert_in_range(steps, 0, 15);
  assert_int_equal(verdicts, 0); /* none of them is 5 % of the force */
}

/* The slope lies within its own 95 %, in 93 to 97 % of 500 stretches of correlated noise. */
static void slope_coverage(void **state) {
  (void)state;
  int inside = 0;
  for (uint64_t seed = 1; seed <= 500; seed++) {
    begin(800, 0.005, 0.01, 0.5);
    for (size_t i = 0; i < s.n; i++) s.f[i] += 2 * (s.x[i] - s.x[0]);
    add_noise(0.01, 0.7, seed);
    fit_plateau p = describe(0);
    assert_int_equal(p.verdict, FIT_PLATEAU_SLOPING); /* 0.08 N of 0.54 N */
    inside += fabs(p.slope_N_per_m - 2) < 1.96 * p.u_slope_N_per_m;
  }
  assert_in_range(inside, 460, 490);
}

static void a_step(void **state) {
  (void)state;
  begin(1000, 0.005, 0.01, 0.5);
  for (size_t i = 400; i < s.n; i++) s.f[i] += 0.06;
  add_noise(0.01, 0.5, 2);
  fit_plateau p = describe(0);
  assert_int_equal(p.verdict, FIT_PLATEAU_STEPPING);
  assert_near(p.step_N, 0.06, 0.004);
  assert_in_range(p.step_at, 396, 404);
  assert_near(p.step_at_m, s.x[400], 4 * 5e-5);
  assert_true(p.step_p < 1e-10);
}

/* A sawtooth of height A: MMD N = A / 4, the mean distance from the middle; on the straight lines between 18
 * readings a period, of which one crosses the fall, A / 4 less an eighteenth. Its period, height and number
 * are told. */
static void sawtooth(void **state) {
  (void)state;
  for (int k = 0; k < 20; k++) {
    begin(2000, 0.005, 0.01, 0.5); /* 0.05 mm a reading */
    add_sawtooth(0.12, 0.0009, 0.05 * k);
    fit_plateau p = describe(0.001);
    assert_int_equal(p.verdict, FIT_PLATEAU_FLAT);
    const fit_stick_slip *q = &p.stick_slip;
    assert_int_equal(q->outcome, FIT_STICK_SLIP_REGULAR);
    assert_near(q->peaks_per_m, 1 / 0.0009, 3);
    assert_near(q->frequency_Hz, 0.01 / 0.0009, 0.03);
    assert_near(q->readings_per_peak, 18, 0.05);
    assert_near(q->amplitude_N, 0.12, 2 * q->u_amplitude_N);
    assert_true(q->u_amplitude_N < 0.003);
    assert_in_range(q->n_peaks, 109, 112);
    assert_near(p.path_deviation_N, 0.03 * 17 / 18, 0.0002);
    assert_near(p.path_mean_N, 0.5, 0.12 / 36 + 1e-4);
  }
}

/* A sine of amplitude a (height 2 a): MMD N = 2 a / pi. */
static void sine(void **state) {
  (void)state;
  begin(2000, 0.005, 0.01, 0.5);
  for (size_t i = 0; i < s.n; i++) s.f[i] += 0.05 * sin(2 * 3.14159265358979 * s.x[i] / 0.002);
  fit_plateau p = describe(0);
  assert_int_equal(p.stick_slip.outcome, FIT_STICK_SLIP_REGULAR);
  assert_near(p.stick_slip.peaks_per_m, 500, 1);
  assert_near(p.stick_slip.amplitude_N, 0.1, 2 * p.stick_slip.u_amplitude_N);
  assert_near(p.path_deviation_N, 2 * 0.05 / 3.14159265358979, 8e-5);
}

/* Noise of a tenth of the height on top, and lengths that scatter by 10 %. */
static void rough_sawtooth(void **state) {
  (void)state;
  cb_rng rng;
  cb_rng_init(&rng, 4, 4);
  begin(4000, 0.002, 0.01, 0.5);
  double from = s.x[0], length = 0.0012;
  size_t slips = 0;
  for (size_t i = 0; i < s.n; i++) {
    if (s.x[i] - from >= length) from += length, length = 0.0012 * (1 + 0.1 * cb_rng_normal(&rng)), slips++;
    s.f[i] += 0.1 * ((s.x[i] - from) / length - 0.5);
  }
  add_noise(0.01, 0, 9);
  fit_stick_slip q = describe(0.01).stick_slip;
  assert_int_equal(q.outcome, FIT_STICK_SLIP_REGULAR);
  assert_in_range(q.n_peaks, slips - 1, slips + 1);
  assert_near(q.peaks_per_m, 1 / 0.0012, 3 * q.u_peaks_per_m);
  assert_in_range(1e3 * q.irregularity, 80, 160); /* noise moves the corners */
  /* The highest of some noisy readings near a peak and the lowest near a valley: up to two standard
   * deviations each. */
  assert_in_range(1e3 * q.amplitude_N, 99, 140);
}

/* Noise, however correlated, never passes for regular stick-slip; at the level of the noise at rest it is
 * nothing at all. */
static void noise_is_no_stick_slip(void **state) {
  (void)state;
  const double ar[] = {0, 0.5, 0.9, 0.97};
  int regular = 0;
  for (int k = 0; k < 4; k++)
    for (uint64_t seed = 1; seed <= 100; seed++) {
      begin(2000, 0.005, 0.01, 0.5);
      add_noise(0.01, ar[k], 100 * (uint64_t)k + seed);
      regular += describe(0).stick_slip.outcome == FIT_STICK_SLIP_REGULAR;
      assert_int_equal(describe(0.01).stick_slip.outcome, FIT_STICK_SLIP_NONE);
    }
  assert_int_equal(regular, 0);
  begin(2000, 0.005, 0.01, 0.5);
  add_noise(0.01, 0, 1);
  assert_int_equal(describe(0).stick_slip.outcome, FIT_STICK_SLIP_UNRESOLVED);
}

/* Neither times nor places: what rests on them is not told, the rest is. */
static void without_places(void **state) {
  (void)state;
  fit_plateau p;
  begin(2000, 0.005, 0.01, 0.5);
  add_sawtooth(0.12, 0.0009, 0);
  const fit_plateau_record in = {.n = s.n, .force_N = s.f};
  assert_ok(fit_plateau_describe(&in, &p, err));
  assert_int_equal(p.stick_slip.outcome, FIT_STICK_SLIP_REGULAR);
  assert_true(isnan(p.stick_slip.frequency_Hz) && isnan(p.stick_slip.peaks_per_m) && isnan(p.slope_N_per_m) &&
              isnan(p.step_at_m));
  assert_near(p.stick_slip.readings_per_peak, 18, 0.05);
  assert_near(p.path_deviation_N, 0.03 * 17 / 18, 0.0002);
  assert_true(isfinite(p.slope_rel));
}

static void short_stretches(void **state) {
  (void)state;
  for (size_t n = 1; n < 20; n++) {
    begin(n, 0.005, 0.01, 0.5);
    add_noise(0.01, 0, n);
    fit_plateau p = describe(0);
    assert_true(isfinite(p.mean_N) && (n >= 16 || p.verdict == FIT_PLATEAU_UNTOLD));
    for (size_t i = 0; i < n; i++) s.x[i] = 0.01; /* it stood still */
    assert_true(isfinite(describe(0).path_mean_N));
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(flat_and_constant), cmocka_unit_test(false_alarms),
      cmocka_unit_test(slope_coverage),    cmocka_unit_test(a_step),
      cmocka_unit_test(sawtooth),          cmocka_unit_test(sine),
      cmocka_unit_test(rough_sawtooth),    cmocka_unit_test(noise_is_no_stick_slip),
      cmocka_unit_test(without_places),    cmocka_unit_test(short_stretches)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
