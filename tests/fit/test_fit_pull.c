/* Reduction of a pull, on synthetic traces whose answer is known in closed form. */
#include "cb_rng.h"
#include "cb_stats.h"
#include "cbtest.h"
#include "fit_pull.h"

/* A rig in a few numbers: the stage rests, then moves at constant speed; the link is slack, stretches, breaks
 * away to the static peak and falls to the kinetic force. */
typedef struct pull {
  double rate_Hz, rest_s, speed_m_per_s, travel_m;
  double slack_m, stretch_m; /* displacement where the link is taut, and what it stretches to the peak */
  double static_N, kinetic_N, zero_N, drift_N_per_s;
  double noise_sd_N, ar; /* AR(1) coefficient of the noise */
  double slip_N, slip_m; /* sawtooth of stick-slip around the kinetic force */
  int direction;
} pull;

static pull plain(void) {
  return (pull){.rate_Hz = 200,
                .rest_s = 1,
                .speed_m_per_s = 0.01,
                .travel_m = 0.06,
                .slack_m = 0.001,
                .stretch_m = 0.002,
                .static_N = 0.7,
                .kinetic_N = 0.5,
                .zero_N = 0.1,
                .direction = 1};
}

static double force_at(const pull *p, double x) {
  if (x <= p->slack_m) return 0;
  if (x <= p->slack_m + p->stretch_m) return p->static_N * (x - p->slack_m) / p->stretch_m;
  double saw = p->slip_m > 0 ? fmod(x, p->slip_m) / p->slip_m - 0.5 : 0;
  return p->kinetic_N + p->slip_N * saw;
}

static cb_trace make(const pull *p, uint64_t seed) {
  cb_trace t = {0};
  cb_rng rng;
  cb_rng_init(&rng, seed, 1);
  double end_s = p->rest_s + p->travel_m / p->speed_m_per_s + 0.5,
         noise = p->noise_sd_N * cb_rng_normal(&rng);
  for (size_t i = 0; (double)i / p->rate_Hz < end_s; i++) {
    double time = (double)i / p->rate_Hz, x = fmin(fmax(0, time - p->rest_s) * p->speed_m_per_s, p->travel_m);
    assert_ok(cb_series_push(
        &t.force_N, time, p->zero_N + p->drift_N_per_s * time + p->direction * force_at(p, x) + noise, err));
    noise = p->ar * noise + p->noise_sd_N * sqrt(1 - p->ar * p->ar) * cb_rng_normal(&rng);
  }
  /* The stage reports at its own pace: another clock, another rate. */
  for (size_t i = 0; (double)i / 37 < end_s + 0.1; i++) {
    double time = (double)i / 37, x = fmin(fmax(0, time - p->rest_s) * p->speed_m_per_s, p->travel_m);
    assert_ok(cb_series_push(&t.position_m, time, 0.02 + p->direction * x, err));
  }
  return t;
}

static fit_pull reduce(const pull *p, uint64_t seed) {
  fit_pull r;
  fit_pull_options opt = fit_pull_options_default();
  cb_trace t = make(p, seed);
  assert_ok(fit_pull_reduce(&t, p->direction, p->travel_m, &opt, &r, err));
  cb_trace_clear(&t);
  return r;
}

static void noise_free(void **state) {
  (void)state;
  pull p = plain();
  fit_pull r = reduce(&p, 1);
  assert_int_equal(r.outcome, FIT_PULL_OK);
  assert_near(r.zero_N, 0.1, 1e-12);
  assert_near(r.kinetic_N, 0.5, 1e-12);
  assert_near(r.u_kinetic_N, 0, 1e-12);
  /* One sample is 0.05 mm, i.e. r = 0.0175 N on the rise; the fall takes f = 0.1 N a sample. Here breakaway
   * comes a whole sample after the highest reading, so that r - h / 2 stays missing, with h = r f / (r +
   * f). */
  double h = 0.0175 * 0.09 / (0.0175 + 0.09);
  assert_near(r.static_N, 0.7, 0.0175 - 0.5 * h);
  assert_near(r.x_static_m, 0.003, 5.1e-5);
  assert_true(r.u_static_N >= h / sqrt(12));
  /* Window: from 30 % of what is left behind the peak (3 mm), to 95 %. */
  assert_near(r.window_from_m, 0.003 + 0.3 * (0.06 - 0.003), 1e-4);
  assert_near(r.window_to_m, 0.95 * 0.06, 1e-4);
  assert_near(r.plateau.slope_N_per_m, 0, 1e-9);
  /* The stage was last seen at rest at most one of its samples before it moved. */
  assert_near(r.t_start_s, 1, 1.0 / 37);
}

static void backward(void **state) {
  (void)state;
  pull p = plain();
  p.direction = -1;
  fit_pull r = reduce(&p, 1);
  assert_int_equal(r.outcome, FIT_PULL_OK);
  assert_near(r.zero_N, 0.1, 1e-12);
  assert_near(r.kinetic_N, 0.5, 1e-12);
  assert_true(r.static_N > 0.68);
  assert_near(r.x_static_m, 0.003, 5.1e-5);
}

/* The stated uncertainty of a plateau in AR(1) noise against theory, var(mean) = sigma^2 tau / n with tau =
 * (1+a)/(1-a), and against how the results really scatter. */
static void correlated_noise(void **state) {
  (void)state;
  enum { N = 300 };
  pull p = plain();
  p.noise_sd_N = 0.01;
  p.ar = 0.8;
  p.rest_s = 3;
  p.travel_m = 0.12;
  double kinetic[N], u2 = 0, n_eff = 0;
  for (int i = 0; i < N; i++) {
    fit_pull r = reduce(&p, (uint64_t)i + 10);
    kinetic[i] = r.kinetic_N;
    u2 += r.u_kinetic_N * r.u_kinetic_N / N;
    n_eff += r.n_eff / N;
  }
  double taut = 0.001 + 0.002 * 0.25 / 0.7, window_s = (0.95 * 0.12 - taut - 0.3 * (0.12 - taut)) / 0.01,
         tau = 1.8 / 0.2;
  double theory = sqrt(1e-4 * tau / (200 * window_s) + 1e-4 * tau / (200 * 3));
  /* The initial positive sequence estimates tau within about 5 % here and leans low by a few percent for
   * short windows. */
  assert_near(sqrt(u2), theory, 0.1 * theory);
  assert_near(n_eff, 200 * window_s / tau, 0.12 * 200 * window_s / tau);
  /* 300 results: their standard deviation is known to 1/sqrt(600) = 4 %; three of those and the bias
   * above. */
  assert_near(cb_sd(kinetic, N), theory, 0.15 * theory);
  assert_near(cb_mean(kinetic, N), 0.5, 3.5 * theory / sqrt(N));
}

static void stick_slip(void **state) {
  (void)state;
  pull p = plain();
  p.slip_N = 0.12;
  p.slip_m = 0.0009;
  fit_pull r = reduce(&p, 1);
  assert_int_equal(r.outcome, FIT_PULL_OK);
  /* 18 samples a period see a sawtooth up to slip / 36 low; the window holds some 43 periods, and what a cut
   * period can add is at most slip / (8 * 43). The sawtooth's sd is slip / sqrt 12. */
  assert_near(r.kinetic_N, 0.5, 0.12 / 36 + 0.12 / (8 * 43));
  assert_near(r.kinetic_sd_N, 0.12 / sqrt(12), 0.001);
  assert_int_equal(r.plateau.stick_slip.outcome, FIT_STICK_SLIP_REGULAR);
  assert_near(r.plateau.stick_slip.frequency_Hz, 0.01 / 0.0009, 0.1);
  assert_near(r.plateau.stick_slip.amplitude_N, 0.12, 0.004);
  assert_true(r.static_N > 0.68);
}

static void no_peak(void **state) {
  (void)state;
  pull p = plain();
  p.static_N = 0.5;
  p.noise_sd_N = 0.004;
  for (uint64_t seed = 1; seed <= 20; seed++) {
    fit_pull r = reduce(&p, seed);
    assert_int_equal(r.outcome, FIT_PULL_OK);
    assert_true(isnan(r.static_N) && isnan(r.u_static_N));
    assert_near(r.kinetic_N, 0.5, 5 * r.u_kinetic_N);
  }
}

static void noisy_peak(void **state) {
  (void)state;
  pull p = plain();
  p.noise_sd_N = 0.004;
  p.rate_Hz = 500;
  double worst = 0, mean = 0, u = 0;
  for (uint64_t seed = 1; seed <= 40; seed++) {
    /* Breakaway anywhere between two samples, which are 0.02 mm apart. */
    p.stretch_m = 0.002 + 2e-5 * (double)seed / 40;
    fit_pull r = reduce(&p, seed);
    worst = fmax(worst, fabs(r.static_N - 0.7) / r.u_static_N);
    mean += (r.static_N - 0.7) / 40;
    u += r.u_static_N / 40;
    assert_near(r.x_static_m, 0.001 + p.stretch_m, 1e-4);
  }
  /* The largest of 40 normal deviates is below 3.3 at 97 %. */
  assert_true(worst < 3.3);
  /* The highest of a few noisy readings leans up a little; not by more than one stated uncertainty. */
  assert_true(fabs(mean) < u);
}

/* Only the zero before the pull is known: a drift goes into the result in full, and the slope of the plateau
 * shows it. */
static void drift(void **state) {
  (void)state;
  pull p = plain();
  p.drift_N_per_s = 0.002;
  fit_pull r = reduce(&p, 1);
  double middle_s = p.rest_s + 0.5 * (r.window_from_m + r.window_to_m) / p.speed_m_per_s;
  assert_near(r.kinetic_N - 0.5, 0.002 * (middle_s - 0.5), 0.002 * 0.05);
  assert_near(r.plateau.slope_N_per_m, 0.002 / 0.01, 1e-3);
  assert_near(r.plateau.slope_rel, 0.2 * (r.window_to_m - r.window_from_m) / r.kinetic_N, 1e-4);
  assert_int_equal(r.plateau.verdict, FIT_PLATEAU_FLAT); /* 1.5 % over the window */
}

/* The link is taut and the drive pulls for 0.1 s before the stage is seen to move: that is not of the
 * zero. */
static void force_before_motion(void **state) {
  (void)state;
  fit_pull_options opt = fit_pull_options_default();
  fit_pull r;
  pull p = plain();
  p.noise_sd_N = 0.002;
  cb_trace t = make(&p, 1);
  for (size_t i = 180; i < 200; i++) t.force_N.v[i] += 0.6 * (double)(i - 180) / 20;
  assert_ok(fit_pull_reduce(&t, 1, p.travel_m, &opt, &r, err));
  assert_near(r.zero_N, 0.1, 4 * 0.002 / sqrt(175));
  assert_near(r.zero_sd_N, 0.002, 0.0004);
  cb_trace_clear(&t);
}

/* A log that was tared and begins in motion: the zero is given, and there is no reading at rest. */
static void given_zero(void **state) {
  (void)state;
  fit_pull_options opt = fit_pull_options_default();
  fit_pull r;
  pull p = plain();
  p.rest_s = 0.01;
  p.direction = -1;
  cb_trace t = make(&p, 1);
  t.zero_given = true;
  t.zero_N = 0.1;
  t.u_zero_N = 0.002;
  assert_ok(fit_pull_reduce(&t, -1, p.travel_m, &opt, &r, err));
  assert_int_equal(r.outcome, FIT_PULL_OK);
  assert_near(r.zero_N, 0.1, 0);
  assert_near(r.kinetic_N, 0.5, 1e-12);
  assert_near(r.u_kinetic_N, 0.002, 1e-12);
  assert_int_equal(r.plateau.verdict, FIT_PLATEAU_FLAT);
  cb_trace_clear(&t);
}

/* A busy host stamps one position of the resting stage half a second late: the link is taut by then, and the
 * rise must not get into the zero. */
static void late_stamps(void **state) {
  (void)state;
  fit_pull_options opt = fit_pull_options_default();
  fit_pull r;
  pull p = plain();
  cb_trace t = make(&p, 1);
  for (size_t i = 30; i < 56; i++)
    t.position_m.t_s[i] = 1.5 + 1e-4 * (double)i; /* asked from 0.81 s on, all answered at once */
  assert_ok(fit_pull_reduce(&t, 1, p.travel_m, &opt, &r, err));
  assert_near(r.zero_N, 0.1, 1e-12);
  assert_near(r.zero_sd_N, 0, 1e-12);
  assert_near(r.kinetic_N, 0.5, 1e-12);
  assert_near(r.t_start_s, 1, 1e-3);
  cb_trace_clear(&t);
}

/* ---- what a busy computer leaves open ---- */

/* The engine says how many readings it took at rest; then no position has a say in the zero. */
static void counted_zero(void **state) {
  (void)state;
  fit_pull_options opt = fit_pull_options_default();
  fit_pull r;
  pull p = plain();
  cb_trace t = make(&p, 1);
  t.n_rest = 100;
  for (size_t i = 1; i < 100; i += 2) t.force_N.v[i] += 0.004;
  for (size_t i = 100; i < 200; i++) t.force_N.v[i] += 0.3; /* somebody leans on the bench before the pull */
  assert_ok(fit_pull_reduce(&t, 1, p.travel_m, &opt, &r, err));
  assert_near(r.zero_N, 0.102, 1e-12);
  assert_near(r.kinetic_N, 0.498, 1e-12);
  cb_trace_clear(&t);
}

/* A force that grows by 0.2 % along the plateau is doubtful, unless the calibration leaves as much open. */
static void slope_below_the_scale(void **state) {
  (void)state;
  const fit_pull_options opt = fit_pull_options_default();
  pull p = plain();
  p.drift_N_per_s = 0.0003;
  p.noise_sd_N = 1e-4;
  cb_trace t = make(&p, 1);
  for (int known = 0; known < 2; known++) {
    fit_pull r;
    t.u_scale_rel = known ? 0.002 : 0;
    assert_ok(fit_pull_reduce(&t, 1, p.travel_m, &opt, &r, err));
    assert_int_equal(r.faults.n, known ? 0 : 1);
    if (!known) assert_int_equal(r.faults.list[0].kind, FIT_FAULT_GROWS);
  }
  cb_trace_clear(&t);
}

/* The force's stamps are off by d, and say so. Before the window (20.1 mm) and beyond 95 % the force is
 * another: nothing of it may get in. */
static void doubtful_clock(void **state) {
  (void)state;
  fit_pull_options opt = fit_pull_options_default();
  for (int sign = -1; sign <= 1; sign += 2) {
    fit_pull r;
    pull p = plain();
    cb_trace t = make(&p, 1);
    for (size_t i = 0; i < t.force_N.n; i++) {
      double x = (t.force_N.t_s[i] - p.rest_s) * p.speed_m_per_s;
      if (x < 0.02 && x > 0.01) t.force_N.v[i] += 0.2;
      if (x > 0.955 * p.travel_m) t.force_N.v[i] -= 0.2;
      t.force_N.t_s[i] += 0.5 * sign;
    }
    t.n_rest = 50;
    assert_ok(fit_pull_reduce(&t, 1, p.travel_m, &opt, &r, err));
    assert_true(fabs(r.kinetic_N - 0.5) > 1e-3 || r.kinetic_sd_N > 1e-3); /* believed, the stamps mislead */
    t.doubt_s = 0.5;
    assert_ok(fit_pull_reduce(&t, 1, p.travel_m, &opt, &r, err));
    assert_int_equal(r.outcome, FIT_PULL_OK);
    assert_near(r.kinetic_N, 0.5, 1e-12);
    t.doubt_s = 2.5; /* leaves less than half of the window */
    assert_ok(fit_pull_reduce(&t, 1, p.travel_m, &opt, &r, err));
    assert_int_equal(r.outcome, FIT_PULL_NO_PLATEAU);
    t.doubt_s = INFINITY;
    assert_ok(fit_pull_reduce(&t, 1, p.travel_m, &opt, &r, err));
    assert_int_equal(r.outcome, FIT_PULL_NO_CLOCK);
    assert_true(isnan(r.kinetic_N) && isnan(r.static_N));
    cb_trace_clear(&t);
  }
}

static void keep_positions(cb_trace *t, double blind_from_s, double blind_to_s) {
  cb_series *x = &t->position_m;
  size_t n = 0;
  for (size_t i = 0; i < x->n; i++) {
    if (x->t_s[i] > blind_from_s && x->t_s[i] < blind_to_s) continue;
    x->t_s[n] = x->t_s[i];
    x->v[n++] = x->v[i];
  }
  x->n = n;
}

/* No answer from the stage from the middle of the pull until 3 s after its end: on the straight line to the
 * end, the readings of the resting stage would count as plateau. */
static void blind_positions(void **state) {
  (void)state;
  fit_pull_options opt = fit_pull_options_default();
  fit_pull r;
  pull p = plain();
  cb_trace t = make(&p, 1);
  double last_s = t.position_m.t_s[t.position_m.n - 1];
  for (int k = 1; k <= 1000; k++) {
    /* the link relaxes */
    assert_ok(cb_series_push(&t.force_N, t.force_N.t_s[t.force_N.n - 1] + 0.005, p.zero_N + 0.4, err));
  }
  assert_ok(cb_series_push(&t.position_m, last_s + 3, t.position_m.v[t.position_m.n - 1], err));
  keep_positions(&t, 4.5, last_s + 2);
  assert_ok(fit_pull_reduce(&t, 1, p.travel_m, &opt, &r, err));
  assert_int_equal(r.outcome, FIT_PULL_NO_PLATEAU);
  t.speed_m_per_s = p.speed_m_per_s; /* then it cannot have been at the end before 7 s */
  assert_ok(fit_pull_reduce(&t, 1, p.travel_m, &opt, &r, err));
  assert_int_equal(r.outcome, FIT_PULL_OK);
  assert_near(r.kinetic_N, 0.5, 1e-12);
  cb_trace_clear(&t);
}

/* 50 readings a second while the link gains 0.1 N between two, and the fall is over before the next: wherever
 * the peak lies between two readings, the stated interval holds it. */
static void slow_readings(void **state) {
  (void)state;
  double worst = 0;
  for (int k = 0; k < 40; k++) {
    pull p = plain();
    p.rate_Hz = 50;
    p.static_N = 0.49;
    p.kinetic_N = 0.389;
    p.stretch_m = 0.00098; /* 500 N/m */
    p.slack_m = 0.002 + 2e-4 * k / 40;
    p.noise_sd_N = 0.002;
    fit_pull r = reduce(&p, (uint64_t)k + 1);
    assert_int_equal(r.outcome, FIT_PULL_OK);
    if (isnan(r.static_N)) continue;
    assert_true(r.u_static_N > 0.02);
    worst = fmax(worst, fabs(r.static_N - 0.49) / r.u_static_N);
  }
  assert_in_range(1e3 * worst, 100, 2000);
}

/* Readings that were lost may have been those at the peak. */
static void lost_at_the_peak(void **state) {
  (void)state;
  fit_pull_options opt = fit_pull_options_default();
  fit_pull whole, r;
  pull p = plain();
  cb_trace t = make(&p, 1);
  assert_ok(fit_pull_reduce(&t, 1, p.travel_m, &opt, &whole, err));
  t.n_lost = 3; /* 0.0175 N each */
  assert_ok(fit_pull_reduce(&t, 1, p.travel_m, &opt, &r, err));
  assert_near(r.static_N, whole.static_N, 1e-12);
  assert_near(r.u_static_N, hypot(whole.u_static_N, 3 * 0.0175 / sqrt(3)), 1e-3);
  t.n_lost = 100;
  assert_ok(fit_pull_reduce(&t, 1, p.travel_m, &opt, &r, err));
  assert_true(isnan(r.static_N) && r.kinetic_N == whole.kinetic_N);
  cb_trace_clear(&t);
}

static void outcomes(void **state) {
  (void)state;
  fit_pull_options opt = fit_pull_options_default();
  fit_pull r;
  pull p = plain();
  cb_trace t = make(&p, 1);
  assert_ok(fit_pull_reduce(&t, 1, 0.2, &opt, &r, err)); /* never gets near the end of a longer travel */
  assert_int_equal(r.outcome, FIT_PULL_NO_PLATEAU);
  assert_true(isnan(r.kinetic_N));
  for (size_t i = 0; i < t.position_m.n; i++) t.position_m.v[i] = 0.02;
  assert_ok(fit_pull_reduce(&t, 1, 0.06, &opt, &r, err));
  assert_int_equal(r.outcome, FIT_PULL_NO_MOTION);
  cb_trace_clear(&t);
  p.rest_s = 0.03;
  t = make(&p, 1);
  assert_ok(fit_pull_reduce(&t, 1, 0.06, &opt, &r, err));
  assert_int_equal(r.outcome, FIT_PULL_NO_ZERO);
  cb_trace_clear(&t);
}

/* A logger paused, or its clock jumped, in the middle of the pull: the beginning is where it was. */
static void paused(void **state) {
  (void)state;
  fit_pull_options opt = fit_pull_options_default();
  fit_pull r;
  pull p = plain();
  p.noise_sd_N = 0.002;
  cb_trace t = make(&p, 4);
  for (size_t i = 0; i < t.force_N.n; i++) t.force_N.t_s[i] += t.force_N.t_s[i] > 4 ? 3 : 0;
  for (size_t i = 0; i < t.position_m.n; i++) t.position_m.t_s[i] += t.position_m.t_s[i] > 4 ? 3 : 0;
  assert_ok(fit_pull_reduce(&t, 1, p.travel_m, &opt, &r, err));
  assert_int_equal(r.outcome, FIT_PULL_OK);
  assert_near(r.t_start_s, 1, 1.0 / 37);
  assert_near(r.kinetic_N, 0.5, 4 * r.u_kinetic_N);
  assert_near(r.static_N, 0.7, 4 * r.u_static_N);
  cb_trace_clear(&t);
}

static void bad_data(void **state) {
  (void)state;
  fit_pull_options opt = fit_pull_options_default();
  fit_pull r;
  pull p = plain();
  cb_trace t = make(&p, 1);
  t.force_N.v[7] = NAN;
  assert_fails(CB_E_NUM, "force: sample 7", fit_pull_reduce(&t, 1, 0.06, &opt, &r, err));
  t.force_N.v[7] = 0;
  t.position_m.t_s[3] = 0;
  assert_fails(CB_E_RANGE, "position: sample 3", fit_pull_reduce(&t, 1, 0.06, &opt, &r, err));
  t.position_m.n = 1;
  assert_fails(CB_E_RANGE, "at least 2", fit_pull_reduce(&t, 1, 0.06, &opt, &r, err));
  t.position_m.n = 0;
  assert_fails(CB_E_RANGE, "at least 2", fit_pull_reduce(&t, 1, 0.06, &opt, &r, err));
  cb_trace_clear(&t);
}

/* A last position that is the first again: the cruise cannot be carried back, and nothing is divided by a way
 * of nothing. */
static void came_back(void **state) {
  (void)state;
  pull p = plain();
  fit_pull r;
  fit_pull_options opt = fit_pull_options_default();
  cb_trace t = make(&p, 1);
  assert_ok(cb_series_push(&t.position_m, t.position_m.t_s[t.position_m.n - 1] + 1, t.position_m.v[0], err));
  assert_ok(fit_pull_reduce(&t, p.direction, p.travel_m, &opt, &r, err));
  assert_int_equal(r.outcome, FIT_PULL_OK);
  assert_near(r.kinetic_N, 0.5, 1e-12);
  cb_trace_clear(&t);
}

/* No position, or a single one, in the middle half of the way: there is no cruise to carry back, and nothing
 * is divided by nothing. */
static void no_cruise(void **state) {
  (void)state;
  pull p = plain();
  for (int kept = 0; kept < 2; kept++) {
    fit_pull r;
    fit_pull_options opt = fit_pull_options_default();
    cb_trace t = make(&p, 1);
    keep_positions(&t, 2.4, kept ? 4 : 5.6);
    if (kept) keep_positions(&t, 4.02, 5.6);
    t.speed_m_per_s = p.speed_m_per_s;
    assert_ok(fit_pull_reduce(&t, p.direction, p.travel_m, &opt, &r, err));
    assert_int_equal(r.outcome, FIT_PULL_OK);
    assert_near(r.kinetic_N, 0.5, 1e-12);
    cb_trace_clear(&t);
  }
}

/* Half of what the zero went by is taken off, along the motion; half of it, rectangular, is added to what is
 * not known. */
static void zero_drift(void **state) {
  (void)state;
  for (int direction = -1; direction <= 1; direction += 2) {
    fit_pull p = {.zero_N = 0.05,
                  .u_zero_N = 3e-3,
                  .static_N = NAN,
                  .u_static_N = NAN,
                  .kinetic_N = 1,
                  .u_kinetic_N = 4e-3};
    fit_pull_zero_drift(&p, direction, 0.02);
    assert_near(p.zero_N, 0.06, 1e-15);
    assert_near(p.kinetic_N, 1 - direction * 0.01, 1e-15);
    assert_near(p.u_zero_N, sqrt(9e-6 + 1e-4 / 3), 1e-15);
    assert_near(p.u_kinetic_N, sqrt(16e-6 + 1e-4 / 3), 1e-15);
    assert_true(isnan(p.static_N) && isnan(p.u_static_N));
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(zero_drift),
      cmocka_unit_test(noise_free),
      cmocka_unit_test(backward),
      cmocka_unit_test(correlated_noise),
      cmocka_unit_test(stick_slip),
      cmocka_unit_test(no_peak),
      cmocka_unit_test(noisy_peak),
      cmocka_unit_test(drift),
      cmocka_unit_test(given_zero),
      cmocka_unit_test(force_before_motion),
      cmocka_unit_test(late_stamps),
      cmocka_unit_test(counted_zero),
      cmocka_unit_test(doubtful_clock),
      cmocka_unit_test(blind_positions),
      cmocka_unit_test(slope_below_the_scale),
      cmocka_unit_test(slow_readings),
      cmocka_unit_test(lost_at_the_peak),
      cmocka_unit_test(outcomes),
      cmocka_unit_test(paused),
      cmocka_unit_test(bad_data),
      cmocka_unit_test(came_back),
      cmocka_unit_test(no_cruise),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
