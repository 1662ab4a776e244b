/* The physics of the virtual bench against closed forms. */
#include "cb_num.h"
#include "cb_stats.h"
#include "vrig_bench.h"
#include "vrigtest.h"

static const double V = 0.01;

typedef struct fixture {
  cb_rig rig;
  vrig_bench b;
} fixture;

static void begin(fixture *f) { assert_ok(vrig_bench_init(&f->b, &f->rig, err)); }

static void run_for(vrig_bench *b, double seconds) {
  for (uint64_t end = b->step + (uint64_t)llround(seconds / b->step_s); b->step < end;) vrig_bench_step(b);
}

static void run_to(vrig_bench *b, double target_m, double speed) {
  vrig_stage_move(&b->stage, vrig_bench_time_s(b), target_m, speed, 0.5);
  while (vrig_stage_moving(&b->stage, vrig_bench_time_s(b))) vrig_bench_step(b);
}

static double stage_m(const vrig_bench *b) {
  double x, v;
  vrig_stage_at(&b->stage, vrig_bench_time_s(b), &x, &v);
  return x;
}

/* In the slack nothing; then F = k (d - slack), slope k v; the cart stays where it is, to the bit. */
static void spring_ramp(void **state) {
  (void)state;
  fixture f;
  vrt_rig(&f.rig);
  begin(&f);
  vrig_bench *b = &f.b;
  vrig_stage_move(&b->stage, 0, 0.09, V, 0.5);
  run_for(b, 0.2);
  assert_true(vrig_bench_force_N(b) == 0);
  run_for(b, 0.1); /* the stage is V^2/2a behind V t: 0.2 mm */
  double F0 = vrig_bench_force_N(b);
  assert_near(F0, 500 * (V * 0.3 - V * V / 1.0 - 0.002), 1e-12);
  run_for(b, 0.02);
  assert_near((vrig_bench_force_N(b) - F0) / 0.02, 500 * V, 1e-9);
  assert_true(b->cart_m == 0.02 && b->cart_m_per_s == 0);
  cb_rig_clear(&f.rig);
}

/* It breaks away within the step in which k (d - slack) passes F_s. */
static void breakaway(void **state) {
  (void)state;
  for (int backward = 0; backward < 2; backward++) {
    fixture f;
    vrt_rig(&f.rig);
    begin(&f);
    vrig_bench *b = &f.b;
    double Fs = vrig_bench_true_static_N(b, 1), before = 0, after = 0;
    assert_near(Fs, 1.25 * 0.6 * pow(0.1 * CB_STANDARD_GRAVITY_M_PER_S2, 0.9), 1e-15);
    vrig_stage_move(&b->stage, 0, backward ? 0.001 : 0.09, V, 0.5);
    while (b->slip == 0) {
      before = fabs(stage_m(b) - 0.02);
      vrig_bench_step(b);
      after = fabs(stage_m(b) - 0.02);
    }
    double d = 0.002 + Fs / 500;
    assert_true(before <= d && d <= after);
    assert_int_equal(b->slip, backward ? -1 : 1);
    cb_rig_clear(&f.rig);
  }
}

/* Steady sliding behind a damped link: F = F_k(v), exactly, in every direction, at every load and speed. */
static void plateau_is_the_truth(void **state) {
  (void)state;
  const double angles_deg[] = {0, 30, 45, 90, 135}, added_kg[] = {0, 0.2}, speeds[] = {0.01, 0.02};
  fixture f;
  vrt_rig(&f.rig);
  f.rig.virt.link_damping_Ns_per_m = 10;
  f.rig.virt.truth.log_velocity = 0.05;
  for (int a = 0; a < 5; a++)
    for (int m = 0; m < 2; m++)
      for (int s = 0; s < 2; s++) {
        begin(&f);
        assert_ok(vrig_bench_turn_sample(&f.b, angles_deg[a] * CB_DEG, err));
        assert_ok(vrig_bench_load_cart(&f.b, added_kg[m], err));
        vrig_stage_move(&f.b.stage, 0, 0.09, speeds[s], 0.5);
        run_for(&f.b, 0.05 / speeds[s]);
        double N = (0.1 + added_kg[m]) * CB_STANDARD_GRAVITY_M_PER_S2;
        double truth = cb_rig_truth_kinetic(&f.rig.virt.truth, angles_deg[a] * CB_DEG, N, speeds[s]);
        assert_near(vrig_bench_force_N(&f.b), truth, 1e-9);
        assert_near(f.b.cart_m_per_s, speeds[s], 1e-9);
      }
  cb_rig_clear(&f.rig);
}

/* A line that rises takes from the load what it pulls upwards, and pulls by a cosine less; backward it
 * presses the cart down. Coulomb: T = mu N / (cos x + mu sin x) forward, mu N / (cos x - mu sin x) backward;
 * to the side 1 / cos y more. */
static void a_line_that_is_not_level(void **state) {
  (void)state;
  const double x = 3 * CB_DEG, y = 5 * CB_DEG, mu = 0.5;
  for (int dir = -1; dir <= 1; dir += 2)
    for (int side = 0; side < 2; side++) {
      fixture f;
      vrt_rig(&f.rig);
      cb_rig_truth *t = &f.rig.virt.truth;
      t->c00 = t->c11 = mu, t->c01 = 0, t->n00 = t->n01 = t->n11 = 1;
      f.rig.virt.link_damping_Ns_per_m = 10;
      f.rig.virt.line_pitch_deg = 3;
      f.rig.virt.line_yaw_deg = side ? 5 : 0;
      f.rig.stage.start_m = 0.05;
      begin(&f);
      /* mu N / (cos x + mu sin x) with cos x cos y for cos x: the guide takes what pulls to the side. */
      double N = 0.1 * CB_STANDARD_GRAVITY_M_PER_S2, level = cos(x) * (side ? cos(y) : 1),
             wanted = mu * N / (level + dir * mu * sin(x));
      double still = 1.25 * mu * N / (level + dir * 1.25 * mu * sin(x)), peak = 0;
      vrig_stage_move(&f.b.stage, 0, dir > 0 ? 0.09 : 0.01, V, 0.5);
      while (f.b.slip == 0) peak = fabs(vrig_bench_force_N(&f.b)), vrig_bench_step(&f.b);
      assert_true(peak <= still && still <= peak + 500 * V * f.b.step_s + 1e-9);
      run_for(&f.b, 3);
      assert_near(vrig_bench_force_N(&f.b), dir * wanted, 1e-9);
      assert_near(vrig_bench_true_kinetic_N(&f.b, 1, V), mu * N, 1e-12);
      cb_rig_clear(&f.rig);
    }
}

/* Undamped: from F_s the cart swings about F_k with the amplitude sqrt((F_s - F_k)^2 + (k v / w)^2), w =
 * sqrt(k/m), and sticks again at F_s - 2 (F_s - F_k). With y0 = (F_s - F_k) / k a cycle is 2 y0 / v of
 * sticking and 2 (pi - atan(w y0 / v)) / w of sliding. */
static void stick_slip(void **state) {
  (void)state;
  fixture f;
  vrt_rig(&f.rig);
  begin(&f);
  vrig_bench *b = &f.b;
  const double h = 1e-4, k = 500, w = sqrt(k / 0.1);
  double Fs = vrig_bench_true_static_N(b, 1), Fk = vrig_bench_true_kinetic_N(b, 1, V), y0 = (Fs - Fk) / k,
         swing = hypot(Fs - Fk, k * V / w);
  double period = 2 * y0 / V + 2 * (CB_PI - atan(w * y0 / V)) / w, first = 0, last = 0, lowest = INFINITY,
         highest = 0;
  int breaks = 0;
  vrig_stage_move(&b->stage, 0, 0.09, V, 0.5);
  for (int was = 0; vrig_bench_time_s(b) < 6; was = b->slip) {
    vrig_bench_step(b);
    double F = vrig_bench_force_N(b);
    /* Since it stuck, up to one step ago, F has grown by k v h at most. */
    if (was != 0 && b->slip == 0) assert_near(F, 2 * Fk - Fs + 0.5 * k * V * h, 0.5 * k * V * h + 1e-5);
    if (was == 0 && b->slip != 0) {
      last = vrig_bench_time_s(b);
      if (breaks++ == 0) first = last;
    }
    if (breaks == 0) continue;
    lowest = fmin(lowest, F);
    highest = fmax(highest, F);
  }
  assert_true(breaks > 40);
  /* Both ends are known to a step; the trapezoidal rule stretches the swing by (w h)^2 / 12 = 4e-6. */
  assert_near((last - first) / (breaks - 1), period, h / (breaks - 1) + 1e-5 * period);
  /* Turning points are seen half a step off at most: swing (w h / 2)^2 / 2 = 1e-6 N. */
  assert_near(highest, Fk + swing, 1e-5);
  assert_near(lowest, Fk - swing, 1e-5);
  cb_rig_clear(&f.rig);
}

/* Undamped: work of the stage = friction + spring + motion. */
static void energy_balance(void **state) {
  (void)state;
  fixture f;
  vrt_rig(&f.rig);
  begin(&f);
  vrig_bench *b = &f.b;
  double Fk = vrig_bench_true_kinetic_N(b, 1, V), work = 0;
  vrig_stage_move(&b->stage, 0, 0.09, V, 0.5);
  for (double x = stage_m(b), F = 0; vrig_bench_time_s(b) < 3;) {
    vrig_bench_step(b);
    double x1 = stage_m(b), F1 = vrig_bench_force_N(b);
    work += 0.5 * (F + F1) * (x1 - x);
    x = x1;
    F = F1;
  }
  double F = vrig_bench_force_N(b), spring = F * F / (2 * 500),
         motion = 0.5 * 0.1 * b->cart_m_per_s * b->cart_m_per_s;
  double friction = Fk * (b->cart_m - 0.02);
  assert_true(friction > 0.01);
  /* A cycle has two steps with a kink in F, each wrong by k (v h)^2 / 2 at most: 30 cycles * 2 * 2.5e-10
   * J. */
  assert_near(work, friction + spring + motion, 2e-8);
  cb_rig_clear(&f.rig);
}

/* Held at 0.9 F_s for 50 s: no creep, not by one bit. */
static void no_creep(void **state) {
  (void)state;
  fixture f;
  vrt_rig(&f.rig);
  begin(&f);
  double hold = 0.9 * vrig_bench_true_static_N(&f.b, 1);
  run_to(&f.b, 0.022 + hold / 500, V);
  double F = vrig_bench_force_N(&f.b);
  assert_near(F, hold, 1e-12);
  run_for(&f.b, 50);
  assert_true(f.b.cart_m == 0.02 && vrig_bench_force_N(&f.b) == F);
  cb_rig_clear(&f.rig);
}

/* Forward, back off by F/k + slack: the cell sees nothing at all; then the backward pull mirrors the forward
 * one. */
static void back_off_and_reverse(void **state) {
  (void)state;
  fixture f;
  vrt_rig(&f.rig);
  f.rig.virt.link_damping_Ns_per_m = 10;
  begin(&f);
  vrig_bench *b = &f.b;
  double Fk = vrig_bench_true_kinetic_N(b, 1, V);
  run_to(b, 0.06, V);
  run_for(b, 0.5);
  double F = vrig_bench_force_N(b), cart = b->cart_m;
  assert_true(F > 0 && b->slip == 0);
  run_to(b, 0.06 - F / 500 - 0.002, V);
  assert_true(vrig_bench_force_N(b) == 0 && b->cart_m == cart);
  assert_near(stage_m(b) - b->cart_m, 0, 1e-12);
  vrig_stage_move(&b->stage, vrig_bench_time_s(b), 0.02, V, 0.5);
  run_for(b, 3);
  assert_near(vrig_bench_force_N(b), -Fk, 1e-9);
  assert_near(b->cart_m_per_s, -V, 1e-9);
  cb_rig_clear(&f.rig);
}

/* One factor per pull for both forces; its spread is the rig file's. */
static void scatter(void **state) {
  (void)state;
  enum { PULLS = 200 };
  fixture f;
  double factor[PULLS];
  vrt_rig(&f.rig);
  f.rig.virt.link_damping_Ns_per_m = 10;
  f.rig.virt.truth.repeat_sd_rel = 0.05;
  f.rig.virt.truth.static_excess = 0.1;
  begin(&f);
  vrig_bench *b = &f.b;
  for (int i = 0; i < PULLS; i++) {
    assert_ok(vrig_bench_load_cart(b, 0, err));
    vrig_stage_move(&b->stage, vrig_bench_time_s(b), i % 2 ? 0.02 : 0.05, V, 0.5);
    double peak = 0;
    for (int k = 0; k < 20000; k++) {
      vrig_bench_step(b);
      peak = fmax(peak, fabs(vrig_bench_force_N(b)));
    }
    factor[i] = fabs(vrig_bench_force_N(b)) / vrig_bench_true_kinetic_N(b, 1, V);
    assert_near(peak / vrig_bench_true_static_N(b, 1), factor[i], 2e-3);
    while (vrig_stage_moving(&b->stage, vrig_bench_time_s(b))) vrig_bench_step(b);
  }
  /* Four standard errors: sd/sqrt(n) of the mean, sd/sqrt(2n) of the standard deviation. */
  assert_near(cb_mean(factor, PULLS), 1, 4 * 0.05 / sqrt(PULLS));
  assert_near(cb_sd(factor, PULLS), 0.05, 4 * 0.05 / sqrt(2.0 * PULLS));
  cb_rig_clear(&f.rig);
}

static void the_read_out(void **state) {
  (void)state;
  fixture f;
  bool saturated;
  vrt_rig(&f.rig);
  f.rig.virt.slope_N_per_unit = -0.5;
  f.rig.virt.drift_per_s = 0.01;
  f.rig.virt.quantum = 0.004;
  begin(&f);
  run_to(&f.b, 0.0225, V);
  run_for(&f.b, 10);
  double raw = 0.25 / -0.5 + 0.05 + 0.01 * vrig_bench_time_s(&f.b);
  assert_near(vrig_bench_reading(&f.b, &saturated), 0.004 * round(raw / 0.004), 1e-12);
  assert_false(saturated);
  f.rig.virt.zero = 1e3; /* beyond 2 * 8 N / 0.5 */
  assert_near(vrig_bench_reading(&f.b, &saturated), 32, 1e-12);
  assert_true(saturated);
  cb_rig_clear(&f.rig);
}

static void noise(void **state) {
  (void)state;
  enum { N = 10000 };
  static double x[N];
  fixture f;
  bool saturated;
  vrt_rig(&f.rig);
  f.rig.virt.noise_sd = 0.002;
  begin(&f);
  for (int i = 0; i < N; i++) x[i] = vrig_bench_reading(&f.b, &saturated);
  assert_near(cb_mean(x, N), 0.05, 4 * 0.002 / sqrt(N));
  assert_near(cb_sd(x, N), 0.002, 4 * 0.002 / sqrt(2.0 * N));
  cb_rig_clear(&f.rig);
}

/* One noisy pull; reads `per_sample` times per sample and keeps the first reading. */
static void record(long long seed, int per_sample, double *readings, size_t n, double *cart_m) {
  fixture f;
  bool saturated;
  vrt_rig(&f.rig);
  f.rig.virt.seed = seed;
  f.rig.virt.noise_sd = 0.002;
  f.rig.virt.truth.repeat_sd_rel = 0.01;
  begin(&f);
  vrig_stage_move(&f.b.stage, 0, 0.05, V, 0.5);
  for (size_t i = 0; i < n; i++) {
    for (uint64_t k = 0; k < f.b.steps_per_sample; k++) vrig_bench_step(&f.b);
    readings[i] = vrig_bench_reading(&f.b, &saturated);
    for (int k = 1; k < per_sample; k++) (void)vrig_bench_reading(&f.b, &saturated);
  }
  *cart_m = f.b.cart_m;
  cb_rig_clear(&f.rig);
}

static void the_seed_decides(void **state) {
  (void)state;
  enum { N = 400 };
  double a[N], b[N], c[N], d[N], cart[4];
  record(1, 1, a, N, &cart[0]);
  record(1, 1, b, N, &cart[1]);
  record(2, 1, c, N, &cart[2]);
  record(1, 2, d, N, &cart[3]);
  assert_memory_equal(a, b, sizeof a);
  assert_true(cart[0] == cart[1]);
  assert_int_not_equal(memcmp(a, c, sizeof a), 0);
  assert_true(cart[0] != cart[2]);
  /* Another course of the noise, the same course of the cart: two streams. */
  assert_int_not_equal(memcmp(a, d, sizeof a), 0);
  assert_true(cart[0] == cart[3]);
}

/* A whole number of steps per sample, none longer than 0.1 ms. */
static void steps_fit_samples(void **state) {
  (void)state;
  const double rates_Hz[] = {200, 300, 1000, 12345, 0.5};
  for (int i = 0; i < 5; i++) {
    fixture f;
    vrt_rig(&f.rig);
    f.rig.force.rate_Hz = rates_Hz[i];
    begin(&f);
    assert_near(f.b.step_s * (double)f.b.steps_per_sample * rates_Hz[i], 1, 1e-12);
    assert_true(f.b.step_s <= 1e-4 * (1 + 1e-8));
    cb_rig_clear(&f.rig);
  }
}

static void what_is_refused(void **state) {
  (void)state;
  fixture f;
  vrt_rig(&f.rig);
  begin(&f);
  vrig_stage_move(&f.b.stage, 0, 0.05, V, 0.5);
  assert_fails(CB_E_DEVICE, "the stage is moving", vrig_bench_load_cart(&f.b, 0.1, err));
  assert_fails(CB_E_DEVICE, "the stage is moving", vrig_bench_turn_sample(&f.b, 1, err));
  f.rig.virt.truth.stribeck_excess = 0.3;
  assert_fails(CB_E_RANGE, "static_excess must be larger", vrig_bench_init(&f.b, &f.rig, err));
  cb_rig_clear(&f.rig);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(spring_ramp),
                                     cmocka_unit_test(breakaway),
                                     cmocka_unit_test(plateau_is_the_truth),
                                     cmocka_unit_test(a_line_that_is_not_level),
                                     cmocka_unit_test(stick_slip),
                                     cmocka_unit_test(energy_balance),
                                     cmocka_unit_test(no_creep),
                                     cmocka_unit_test(back_off_and_reverse),
                                     cmocka_unit_test(scatter),
                                     cmocka_unit_test(the_read_out),
                                     cmocka_unit_test(noise),
                                     cmocka_unit_test(the_seed_decides),
                                     cmocka_unit_test(steps_fit_samples),
                                     cmocka_unit_test(what_is_refused)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
