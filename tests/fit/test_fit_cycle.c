/* Reciprocating motion: strokes, friction and zero against the truth that made the record. */
#include "cb_rng.h"
#include "cbtest.h"
#include "fit_cycle.h"

/* A block goes to and fro over 20 mm, rests at the ends, and the channel has a zero that nobody ever sees. */
typedef struct rubbing {
  int strokes;
  double stroke_s, rest_s, rate_Hz, travel_m, position_sd_m;
  double friction_N, wear_N_per_s, zero_N, drift_N_per_s, noise_sd_N;
  double stretch_m; /* the link gives way so far before the force has turned */
  bool sine;
} rubbing;

static rubbing plain(void) {
  return (rubbing){.strokes = 10,
                   .stroke_s = 2,
                   .rest_s = 0.3,
                   .rate_Hz = 200,
                   .travel_m = 0.02,
                   .friction_N = 1.5,
                   .zero_N = 0.4,
                   .stretch_m = 0.001};
}

static double way(const rubbing *q, double t, int *direction) {
  double period = q->stroke_s + q->rest_s;
  int k = (int)floor(t / period);
  if (k >= q->strokes) k = q->strokes - 1;
  *direction = k % 2 ? -1 : 1;
  double part = fmin(1, fmax(0, (t - k * period) / q->stroke_s));
  if (q->sine) part = 0.5 * (1 - cos(3.14159265358979 * part));
  return part * q->travel_m;
}

static cb_trace make(const rubbing *q, uint64_t seed) {
  cb_trace t = {0};
  cb_rng rng;
  cb_rng_init(&rng, seed, 1);
  double end = q->strokes * (q->stroke_s + q->rest_s);
  for (size_t i = 0; (double)i / q->rate_Hz < end; i++) {
    double time = (double)i / q->rate_Hz;
    int d;
    double x = way(q, time, &d), f = q->friction_N + q->wear_N_per_s * (time - end / 2);
    double turned = fmin(1, x / q->stretch_m),
           force = time < q->stroke_s && d > 0 ? f * turned : d * f * (2 * turned - 1);
    assert_ok(cb_series_push(
        &t.force_N, time,
        force + q->zero_N + q->drift_N_per_s * (time - end / 2) + q->noise_sd_N * cb_rng_normal(&rng), err));
  }
  for (size_t i = 0; (double)i / 53 < end; i++) {
    int d;
    double x = way(q, (double)i / 53, &d);
    assert_ok(cb_series_push(&t.position_m, (double)i / 53,
                             0.1 + (d > 0 ? x : q->travel_m - x) + q->position_sd_m * cb_rng_normal(&rng),
                             err));
  }
  return t;
}

static fit_cycle reduce(const rubbing *q, uint64_t seed) {
  fit_cycle c;
  fit_stroke *strokes;
  size_t n;
  fit_cycle_options opt = fit_cycle_options_default();
  cb_trace t = make(q, seed);
  assert_ok(fit_strokes_find(&t, &strokes, &n, err));
  assert_ok(fit_cycle_reduce(&t, strokes, n, &opt, &c, err));
  free(strokes);
  cb_trace_clear(&t);
  return c;
}

/* As many strokes as were made, each from 2 % of the way to 98 %, with rests, a sine and noise on the
 * position. */
static void strokes_are_found(void **state) {
  (void)state;
  for (int k = 0; k < 6; k++) {
    fit_stroke *list;
    size_t n;
    rubbing q = plain();
    q.sine = k % 2 == 1;
    q.position_sd_m = k >= 2 ? 5e-5 : 0;
    q.rest_s = k >= 4 ? 0 : 0.3;
    cb_trace t = make(&q, 1);
    assert_ok(fit_strokes_find(&t, &list, &n, err));
    assert_int_equal(n, 10);
    for (size_t i = 0; i < n; i++) {
      double begin = (double)i * (q.stroke_s + q.rest_s),
             part = q.sine ? acos(1 - 2 * 0.02) / 3.14159265358979 : 0.02;
      assert_int_equal(list[i].direction, i % 2 ? -1 : 1);
      /* One position every 19 ms; noise may add as much on the slow ends of a sine. */
      double slack = 1.0 / 53 + 0.006 + (q.position_sd_m > 0 ? 0.06 : 0);
      assert_near(t.force_N.t_s[list[i].first], begin + part * q.stroke_s, slack);
      assert_near(t.force_N.t_s[list[i].first + list[i].n - 1], begin + (1 - part) * q.stroke_s, slack);
    }
    free(list);
    cb_trace_clear(&t);
  }
}

static void no_strokes(void **state) {
  (void)state;
  fit_stroke *list;
  size_t n;
  rubbing q = plain();
  cb_trace t = make(&q, 1);
  t.doubt_s = 5; /* nobody knows which reading belongs where */
  assert_ok(fit_strokes_find(&t, &list, &n, err));
  assert_true(n == 0 && !list);
  t.doubt_s = 0;
  t.position_m.v[7] = NAN;
  assert_fails(CB_E_NUM, "position: sample 7", fit_strokes_find(&t, &list, &n, err));
  for (size_t i = 0; i < t.position_m.n; i++) t.position_m.v[i] = 1;
  assert_ok(fit_strokes_find(&t, &list, &n, err));
  assert_true(n == 0 && !list);
  t.position_m.n = 1;
  assert_fails(CB_E_RANGE, "at least 2", fit_strokes_find(&t, &list, &n, err));
  cb_trace_clear(&t);
}

static void zero_cancels(void **state) {
  (void)state;
  rubbing q = plain();
  fit_cycle c = reduce(&q, 1);
  assert_int_equal(c.outcome, FIT_CYCLE_OK);
  assert_true(c.n_strokes == 10 && c.n_used[0] == 5 && c.n_used[1] == 5);
  assert_near(c.friction_N, 1.5, 1e-12);
  assert_near(c.zero_N, 0.4, 1e-12);
  assert_near(c.friction_drift_N, 0, 1e-9);
  assert_int_equal(c.strokes[3].plateau.verdict, FIT_PLATEAU_FLAT);
  assert_near(c.strokes[3].plateau.mean_N, 1.5, 1e-12);
  fit_cycle_clear(&c);
}

/* A zero that drifts and friction that wears, both linear, are told apart and stay out of the result. */
static void drift_and_wear(void **state) {
  (void)state;
  rubbing q = plain();
  q.drift_N_per_s = 0.01;
  q.wear_N_per_s = -0.02;
  fit_cycle c = reduce(&q, 1);
  double span = 10 * 2.3 - 0.005;
  /* The middle of the strokes' windows is not quite the middle of the record. */
  assert_near(c.friction_N, 1.5, 0.02 * 0.4);
  assert_near(c.zero_N, 0.4, 0.01 * 0.4);
  assert_near(c.zero_drift_N, 0.01 * span, 1e-9);
  assert_near(c.friction_drift_N, -0.02 * span, 1e-9);
  fit_cycle_clear(&c);
}

/* 95 % intervals hold the truth in 92 to 98 % of 400 records (normal k; the scatter comes from 10 strokes or
 * from the readings). */
static void coverage(void **state) {
  (void)state;
  int friction = 0, zero = 0, drift = 0;
  for (uint64_t seed = 1; seed <= 400; seed++) {
    rubbing q = plain();
    q.noise_sd_N = 0.05;
    q.drift_N_per_s = 0.01;
    fit_cycle c = reduce(&q, seed);
    friction += fabs(c.friction_N - 1.5) < 1.96 * c.u_friction_N;
    zero += fabs(c.zero_N - 0.4 - 0.01 * 0.12) < 1.96 * c.u_zero_N + 0.01 * 0.1;
    drift += fabs(c.zero_drift_N - 0.01 * (23 - 0.005)) < 1.96 * c.u_zero_drift_N;
    fit_cycle_clear(&c);
  }
  assert_in_range(friction, 368, 398);
  assert_in_range(zero, 368, 400);
  assert_in_range(drift, 368, 398);
}

/* One stroke each way, known by its label only: no positions, no times. */
static void labels_only(void **state) {
  (void)state;
  cb_trace t = {.doubt_s = INFINITY};
  fit_cycle c;
  fit_cycle_options opt = fit_cycle_options_default();
  cb_rng rng;
  cb_rng_init(&rng, 8, 8);
  for (int i = 0; i < 200; i++)
    assert_ok(cb_series_push(&t.force_N, 0,
                             (i < 100   ? 2.5
                              : i < 105 ? 2.5 - i % 5
                                        : -1.5) +
                                 0.01 * cb_rng_normal(&rng),
                             err));
  const fit_stroke strokes[] = {{1, 0, 100}, {-1, 100, 100}};
  assert_ok(fit_cycle_reduce(&t, strokes, 2, &opt, &c, err));
  assert_int_equal(c.outcome, FIT_CYCLE_OK);
  assert_near(c.friction_N, 2, 3 * c.u_friction_N);
  assert_near(c.zero_N, 0.5, 3 * c.u_zero_N);
  assert_in_range(1e6 * c.u_friction_N, 500, 1500); /* 0.01 / sqrt(65) / sqrt 2 = 0.00088 */
  assert_true(isnan(c.zero_drift_N) && isnan(c.strokes[0].plateau.slope_N_per_m));
  assert_in_range(c.strokes[1].window.first, 130, 140);
  fit_cycle_clear(&c);
  assert_ok(fit_cycle_reduce(&t, strokes, 1, &opt, &c, err));
  assert_int_equal(c.outcome, FIT_CYCLE_ONE_WAY);
  assert_true(isnan(c.friction_N));
  fit_cycle_clear(&c);
  const fit_stroke few[] = {{1, 0, 100}, {-1, 100, 9}}, beyond[] = {{1, 0, 100}, {-1, 100, 101}};
  assert_ok(fit_cycle_reduce(&t, few, 2, &opt, &c, err));
  assert_int_equal(c.outcome, FIT_CYCLE_SHORT);
  fit_cycle_clear(&c);
  assert_fails(CB_E_RANGE, "stroke 2: readings 100 to 201", fit_cycle_reduce(&t, beyond, 2, &opt, &c, err));
  t.force_N.v[5] = NAN;
  assert_fails(CB_E_NUM, "force: sample 5", fit_cycle_reduce(&t, strokes, 2, &opt, &c, err));
  fit_cycle_clear(&c);
  cb_trace_clear(&t);
}

/* There, back, there: what drifts stays out of the friction if the strokes take equal times. */
static void three_strokes(void **state) {
  (void)state;
  rubbing q = plain();
  q.strokes = 3;
  q.drift_N_per_s = 0.02;
  fit_cycle c = reduce(&q, 1);
  assert_near(c.friction_N, 1.5, 0.02 * 0.04);
  assert_near(c.zero_N, 0.4, 0.02 * 0.4);
  assert_true(isnan(c.zero_drift_N));
  fit_cycle_clear(&c);
}

/* Readings without positions: each stroke ends in a rest in which the force gives way, and part of it lies in
 * the window. That is the same in all strokes: many of them make the band no narrower than it. */
static void a_rest_at_the_end_does_not_average_out(void **state) {
  enum { STROKES = 40, EACH = 100 };
  (void)state;
  for (int kept = 84; kept <= 96; kept += 3) {
    cb_trace t = {.doubt_s = INFINITY};
    fit_stroke strokes[STROKES];
    fit_cycle c;
    fit_cycle_options opt = fit_cycle_options_default();
    cb_rng rng;
    cb_rng_init(&rng, (uint64_t)kept, 1);
    for (size_t i = 0; i < STROKES * EACH; i++) {
      const double way = i / EACH % 2 ? -1 : 1, force = i % EACH < (size_t)kept ? 1.5 : 1.2;
      assert_ok(cb_series_push(&t.force_N, (double)i, way * force + 0.4 + 0.01 * cb_rng_normal(&rng), err));
    }
    for (size_t k = 0; k < STROKES; k++)
      strokes[k] = (fit_stroke){.direction = k % 2 ? -1 : 1, .first = k * EACH, .n = EACH};
    assert_ok(fit_cycle_reduce(&t, strokes, STROKES, &opt, &c, err));
    assert_near(c.friction_N, 1.5, 2 * c.u_friction_N);
    assert_true(c.u_friction_N < 0.04);
    if (kept < 90) assert_true(c.friction_N < 1.5 - 0.01 && c.u_window_N > 0.5 * (1.5 - c.friction_N));
    if (kept > 95) assert_true(c.u_friction_N < 0.001);
    fit_cycle_clear(&c);
    cb_trace_clear(&t);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(strokes_are_found), cmocka_unit_test(no_strokes),
      cmocka_unit_test(zero_cancels),      cmocka_unit_test(drift_and_wear),
      cmocka_unit_test(coverage),          cmocka_unit_test(labels_only),
      cmocka_unit_test(three_strokes),     cmocka_unit_test(a_rest_at_the_end_does_not_average_out)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
