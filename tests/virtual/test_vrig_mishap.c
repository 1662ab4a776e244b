/* What goes wrong in a pull, against closed forms: the pulls are played in memory. */
#include "cb_num.h"
#include "vrig_play.h"
#include "vrigtest.h"

static const double V = 0.01, A = 0.5, REST_S = 1, TRAVEL = 0.025, SLACK = 0.002, K = 500, C = 10;

/* Readings without noise, digit or zero; the link swings out soon. */
static void exact_rig(cb_rig *rig) {
  vrt_rig(rig);
  rig->virt.quantum = 1e-9;
  rig->virt.zero = 0;
  rig->virt.link_damping_Ns_per_m = C;
  rig->force.overload_N = 100;
}

/* The stage's trapezoid, speed up to its braking. */
static double way_m(double t_s) {
  double since = fmax(t_s - REST_S, 0), begin = V / A;
  return since < begin ? 0.5 * A * since * since : V * (since - 0.5 * begin);
}

static double brakes_s(void) { return REST_S + TRAVEL / V; }
/* The link has swung out, and the stage does not brake yet. */
static double steady_s(void) { return REST_S + 2.4; }

static void play(const cb_rig *rig, const vrig_mishap *m, int direction, cb_trace *t) {
  assert_ok(vrig_play_pull(rig, m, 7, 0, 0, direction, t, err));
}

static vrig_mishap sized(vrig_mishap_kind kind, double size, double way) {
  return (vrig_mishap){(int)kind, size, way};
}

static double warp_N(double normal_N) { return 0.6 * pow(normal_N, 0.9); }
static double cart_N(void) { return 0.1 * CB_STANDARD_GRAVITY_M_PER_S2; }

/* A plateau that a mishap leaves even: its height. */
static void holds(const cb_rig *rig, vrig_mishap m, int direction, double wanted_N) {
  cb_trace t;
  play(rig, &m, direction, &t);
  assert_near(cb_series_at(&t.force_N, steady_s()), direction * wanted_N, 1e-8);
  cb_trace_clear(&t);
}

static void a_sound_pull(void **state) {
  (void)state;
  cb_rig rig;
  cb_trace t;
  exact_rig(&rig);
  for (int dir = -1; dir <= 1; dir += 2) {
    play(&rig, NULL, dir, &t);
    double from = dir > 0 ? 0.02 : 0.045;
    assert_near(cb_series_at(&t.force_N, steady_s()), dir * warp_N(cart_N()), 1e-8);
    assert_true(t.n_rest == 200 && t.force_N.n == 200 + 544 && t.speed_m_per_s == V && t.doubt_s == 0);
    assert_near(t.digit_N, 1e-4, 1e-15);
    for (size_t i = 0; i < t.n_rest; i++) assert_true(t.force_N.v[i] == 0);
    for (double s = 0; s < brakes_s(); s += 0.1)
      assert_near(cb_series_at(&t.position_m, s), from + dir * way_m(s), 5e-6);
    assert_near(t.position_m.v[t.position_m.n - 1], from + dir * TRAVEL, 2e-7);
    cb_trace_clear(&t);
  }
  cb_rig_clear(&rig);
}

static void same_seed_same_bits(void **state) {
  (void)state;
  cb_rig rig;
  cb_trace t[3];
  vrt_rig(&rig);
  rig.virt.noise_sd = 0.002;
  rig.virt.truth.repeat_sd_rel = 0.01;
  for (int i = 0; i < 3; i++) assert_ok(vrig_play_pull(&rig, NULL, i == 2 ? 8 : 7, 0.3, 0.1, 1, &t[i], err));
  size_t bytes = t[0].force_N.n * sizeof(double);
  assert_true(t[0].force_N.n == t[1].force_N.n && t[0].force_N.n == t[2].force_N.n);
  assert_memory_equal(t[0].force_N.v, t[1].force_N.v, bytes);
  assert_int_not_equal(memcmp(t[0].force_N.v, t[2].force_N.v, bytes), 0);
  for (int i = 0; i < 3; i++) cb_trace_clear(&t[i]);
  cb_rig_clear(&rig);
}

/* A spring with one end held: F = k (way - slack). */
static void it_does_not_let_go(void **state) {
  (void)state;
  cb_rig rig;
  cb_trace t;
  exact_rig(&rig);
  rig.virt.link_damping_Ns_per_m = 0;
  vrig_mishap glued = vrig_mishap_default(VRIG_MISHAP_GLUED), late = sized(VRIG_MISHAP_LATE, 0, 0.006);
  for (int is_late = 0; is_late < 2; is_late++) {
    play(&rig, is_late ? &late : &glued, 1, &t);
    for (size_t i = 0; i < t.force_N.n; i++) {
      double s = t.force_N.t_s[i], way = way_m(s);
      if (s > brakes_s() || (is_late && way > 0.006)) break;
      assert_near(t.force_N.v[i], K * fmax(way - SLACK, 0), 1e-8);
    }
    cb_trace_clear(&t);
  }
  rig.virt.link_damping_Ns_per_m = C;
  holds(&rig, late, 1, warp_N(cart_N()));
  cb_rig_clear(&rig);
}

/* Without a mishap: a link so soft that the travel ends before F_s. The cart has not moved by a bit. */
static void too_soft_to_slide(void **state) {
  (void)state;
  cb_rig rig;
  vrig_play *p;
  cb_trace t;
  exact_rig(&rig);
  rig.bench.link_stiffness_N_per_m = 20;
  rig.virt.link_damping_Ns_per_m = 0;
  vrig_pull pull = vrig_pull_default(0, 0, 1);
  assert_ok(vrig_play_open(&rig, 1, &p, err));
  assert_ok(vrig_play_next(p, &pull, NULL, &t, err));
  assert_near(t.force_N.v[t.force_N.n - 1], 20 * (TRAVEL - SLACK), 1e-8);
  assert_true(vrig_play_bench(p)->cart_m == 0.02);
  vrig_play_close(p);
  cb_trace_clear(&t);
  cb_rig_clear(&rig);
}

/* It slides at F_k, is caught at 10 mm, and the link draws on: F_k + k (way - 10 mm) + c v up to the second
 * breakaway at 1.5 F_s. */
static void caught_on_the_way(void **state) {
  (void)state;
  cb_rig rig;
  cb_trace t;
  exact_rig(&rig);
  double Fk = warp_N(cart_N()), Fs = 1.25 * Fk, second = 1.5 * Fs, peak = 0;
  vrig_mishap m = sized(VRIG_MISHAP_CAUGHT, 0.5, 0.01);
  play(&rig, &m, 1, &t);
  for (size_t i = 0; i < t.force_N.n; i++) {
    double way = way_m(t.force_N.t_s[i]), drawn = Fk + K * (way - 0.01) + C * V, F = t.force_N.v[i];
    if (way < 0.0099) assert_true(F <= Fs + 1e-9);
    if (way > 0.0101 && drawn < second) assert_near(F, drawn, 2e-3);
    peak = fmax(peak, F);
  }
  assert_true(peak <= second + 1e-9 && peak >= second - K * V / 200);
  assert_near(cb_series_at(&t.force_N, steady_s()), Fk, 1e-8);
  cb_trace_clear(&t);
  cb_rig_clear(&rig);
}

/* m g on a bed that rises by x: F_k of N = m g cos x, and m g sin x to be lifted forward, to help back. */
static void other_forces_on_the_cart(void **state) {
  (void)state;
  cb_rig rig;
  exact_rig(&rig);
  double N = cart_N(), x = 2 * CB_DEG;
  for (int dir = -1; dir <= 1; dir += 2) {
    holds(&rig, sized(VRIG_MISHAP_TILT, x, 0), dir, warp_N(N * cos(x)) + dir * N * sin(x));
    holds(&rig, vrig_mishap_default(VRIG_MISHAP_OTHER_SIDE), dir, 1.2 * warp_N(N));
    double c = cos(5 * CB_DEG), s = sin(5 * CB_DEG);
    holds(&rig, vrig_mishap_default(VRIG_MISHAP_TURNED), dir,
          0.6 * pow(N, 0.9) * c * c + 2 * 0.02 * pow(N, 0.9) * s * c + 0.45 * pow(N, 0.93) * s * s);
    double seen = 1 + 10 * way_m(steady_s()); /* the way is that of the last step, 1 um ago */
    cb_trace t;
    vrig_mishap m = vrig_mishap_default(VRIG_MISHAP_TIPS);
    play(&rig, &m, dir, &t);
    assert_near(cb_series_at(&t.force_N, steady_s()), dir * seen * warp_N(N), 2e-5);
    cb_trace_clear(&t);
  }
  cb_rig_clear(&rig);
}

static void the_wrong_load(void **state) {
  (void)state;
  const double times[] = {0, 2};
  cb_rig rig;
  exact_rig(&rig);
  for (int i = 0; i < 2; i++) {
    cb_trace t;
    vrig_mishap m = sized(VRIG_MISHAP_WEIGHTS, times[i], 0);
    assert_ok(vrig_play_pull(&rig, &m, 7, 0, 0.15, 1, &t, err));
    double N = (0.1 + times[i] * 0.15) * CB_STANDARD_GRAVITY_M_PER_S2;
    assert_near(cb_series_at(&t.force_N, steady_s()), warp_N(N), 1e-8);
    cb_trace_clear(&t);
  }
  cb_rig_clear(&rig);
}

/* The link loses k times the shift within a step. */
static void the_cloth_slips_on_the_bed(void **state) {
  (void)state;
  cb_rig rig;
  cb_trace t;
  exact_rig(&rig);
  rig.force.rate_Hz = 10000;
  vrig_mishap m = sized(VRIG_MISHAP_SHIFTS, 0.5e-3, 0.01);
  play(&rig, &m, 1, &t);
  double fall = 0, at_s = 0;
  for (size_t i = 1; i < t.force_N.n; i++)
    if (t.force_N.v[i] - t.force_N.v[i - 1] < fall)
      fall = t.force_N.v[i] - t.force_N.v[i - 1], at_s = t.force_N.t_s[i];
  assert_near(fall, -K * 0.5e-3, 1e-6);
  assert_near(way_m(at_s), 0.01, V * 1e-4 + 1e-9);
  assert_near(cb_series_at(&t.force_N, steady_s()), warp_N(cart_N()), 1e-8);
  cb_trace_clear(&t);
  cb_rig_clear(&rig);
}

static void the_stage_does_something_else(void **state) {
  (void)state;
  cb_rig rig;
  cb_trace t;
  exact_rig(&rig);
  double Fk = warp_N(cart_N());
  vrig_mishap slow = vrig_mishap_default(VRIG_MISHAP_SLOW), stands = vrig_mishap_default(VRIG_MISHAP_STANDS),
              reversed = vrig_mishap_default(VRIG_MISHAP_REVERSED);
  play(&rig, &slow, 1, &t);
  double x1 = cb_series_at(&t.position_m, 3), x2 = cb_series_at(&t.position_m, 5);
  assert_near((x2 - x1) / 2, 0.5 * V, 1e-6);
  assert_near(cb_series_at(&t.force_N, 5), Fk, 1e-8);
  assert_near(t.position_m.v[t.position_m.n - 1], 0.02 + TRAVEL, 2e-7);
  cb_trace_clear(&t);
  play(&rig, &stands, 1, &t);
  assert_near(t.position_m.v[t.position_m.n - 1], 0.02 + 0.012, V * 1e-4 + 2e-7);
  cb_trace_clear(&t);
  rig.stage.start_m = 0.05;
  play(&rig, &reversed, 1, &t);
  assert_near(t.position_m.v[t.position_m.n - 1], 0.05 - TRAVEL, 2e-7);
  assert_near(cb_series_at(&t.force_N, steady_s()), -Fk, 1e-8);
  cb_trace_clear(&t);
  cb_rig_clear(&rig);
}

/* x + r sin(2 pi x / w), 2 pi r / w = 0.3: five whole waves of 5 mm. */
static void an_uneven_speed(void **state) {
  (void)state;
  cb_rig rig;
  cb_trace t;
  exact_rig(&rig);
  vrig_mishap m = vrig_mishap_default(VRIG_MISHAP_UNEVEN);
  play(&rig, &m, 1, &t);
  double w = 0.005, r = 0.3 * w / (2 * CB_PI), low = INFINITY, high = 0;
  for (size_t i = 1; i < t.position_m.n; i++) {
    double s = t.position_m.t_s[i], x = way_m(s), v = (t.position_m.v[i] - t.position_m.v[i - 1]) / 0.01;
    if (s > brakes_s()) break;
    assert_near(t.position_m.v[i], 0.02 + x + r * sin(2 * CB_PI * x / w), 2e-7);
    if (s > REST_S + 0.1) low = fmin(low, v), high = fmax(high, v);
  }
  /* Differences of rounded positions: 0.2 um in 10 ms. */
  assert_near(low, 0.7 * V, 3e-5);
  assert_near(high, 1.3 * V, 3e-5);
  assert_near(t.position_m.v[t.position_m.n - 1], 0.02 + TRAVEL, 2e-7);
  cb_trace_clear(&t);
  cb_rig_clear(&rig);
}

/* Each is what a sound pull reads, and a known force more. */
static void on_the_way_to_the_read_out(void **state) {
  (void)state;
  cb_rig rig;
  exact_rig(&rig);
  for (int dir = -1; dir <= 1; dir += 2)
    for (int kind = VRIG_MISHAP_CABLE; kind <= VRIG_MISHAP_ZERO_JUMP; kind++) {
      cb_trace sound, t;
      vrig_mishap m = vrig_mishap_default((vrig_mishap_kind)kind);
      play(&rig, NULL, dir, &sound);
      play(&rig, &m, dir, &t);
      for (size_t i = 0; i < t.force_N.n; i++) {
        double s = t.force_N.t_s[i], way = way_m(s), F = sound.force_N.v[i];
        if (s > brakes_s()) break;
        double wanted = kind == VRIG_MISHAP_CABLE        ? F + dir * m.size * way
                        : kind == VRIG_MISHAP_PULLEY     ? F + dir * m.size * fmod(way / m.way_m, 1)
                        : kind == VRIG_MISHAP_CLIPPED    ? fmin(fmax(F, -m.size), m.size)
                        : kind == VRIG_MISHAP_COARSE     ? nearbyint(F / m.size) * m.size
                        : kind == VRIG_MISHAP_ZERO_DRIFT ? F + m.size * fmax(s - REST_S, 0)
                                                         : F + (way >= m.way_m ? m.size : 0);
        /* At a tooth's end, and where the zero jumps, way is the next bit's. */
        double edges = m.way_m > 0 ? way / m.way_m : 0.5;
        if (fabs(edges - nearbyint(edges)) < 1e-9) continue;
        if (kind == VRIG_MISHAP_COARSE && fabs(fabs(F / m.size - floor(F / m.size)) - 0.5) < 1e-6) continue;
        assert_near(t.force_N.v[i], wanted, 2e-9);
      }
      cb_trace_clear(&sound);
      cb_trace_clear(&t);
    }
  cb_rig_clear(&rig);
}

/* Noise and all. */
static void readings_come_again(void **state) {
  (void)state;
  cb_rig rig;
  vrig_play *p;
  cb_trace t[2];
  vrt_rig(&rig);
  rig.virt.noise_sd = 0.002;
  vrig_mishap m = vrig_mishap_default(VRIG_MISHAP_REPEATED);
  vrig_pull forward = vrig_pull_default(0, 0, 1);
  assert_ok(vrig_play_open(&rig, 1, &p, err));
  assert_fails(CB_E_ARG, "cannot repeat", vrig_play_next(p, &forward, &m, &t[0], err));
  assert_ok(vrig_play_next(p, &forward, NULL, &t[0], err));
  assert_ok(vrig_play_next(p, &forward, &m, &t[1], err));
  assert_int_equal(t[0].force_N.n, t[1].force_N.n);
  assert_memory_equal(t[0].force_N.v, t[1].force_N.v, t[0].force_N.n * sizeof(double));
  for (int i = 0; i < 2; i++) cb_trace_clear(&t[i]);
  vrig_play_close(p);
  cb_rig_clear(&rig);
}

/* Forward, backward, forward, and once more forward as the cart lies: every zero is even, every plateau the
 * truth. After a mishap the next pull is sound, whichever way it goes; only a zero that went stays where it
 * is. */
static void one_pull_after_another(void **state) {
  (void)state;
  const int orders[][5] = {{1, -1, 1, 1, -1}, {1, 1, 1, -1, 1}};
  cb_rig rig;
  exact_rig(&rig);
  for (int k = 0; k < 2 * VRIG_N_MISHAPS; k++) {
    const int *direction = orders[k % 2];
    const vrig_mishap m = vrig_mishap_default((vrig_mishap_kind)(k / 2));
    vrig_play *p;
    assert_ok(vrig_play_open(&rig, 1, &p, err));
    for (int i = 0; i < 5; i++) {
      cb_trace t;
      vrig_pull pull = vrig_pull_default(0, 0, direction[i]);
      assert_ok(vrig_play_next(p, &pull, i == 2 ? &m : NULL, &t, err));
      double zero = t.force_N.v[0], level = cb_series_at(&t.force_N, steady_s());
      if (i != 2) assert_near(level - zero, direction[i] * warp_N(cart_N()), 1e-8);
      assert_true((fabs(zero) > 0.05) == (i > 2 && vrig_mishap_of_zero(&m)));
      for (size_t n = 0; n < t.n_rest; n++) assert_near(t.force_N.v[n], zero, 1e-9);
      cb_trace_clear(&t);
    }
    vrig_play_close(p);
  }
  cb_rig_clear(&rig);
}

static void move(vrig_bench *b, double to_m, double speed, bool homes) {
  vrig_stage_move(&b->stage, vrig_bench_time_s(b), to_m, speed, A);
  b->stage.homes = homes;
  for (double end_s = b->stage.end_s + 0.3; vrig_bench_time_s(b) < end_s;) vrig_bench_step(b);
}

/* Pulls are told from homing, from going back, and from taking the cart along; the mishap lies in wait for
 * them. */
static void what_is_a_pull(void **state) {
  (void)state;
  cb_rig rig;
  vrig_bench b;
  exact_rig(&rig);
  assert_ok(vrig_bench_init(&b, &rig, err));
  b.next = vrig_mishap_default(VRIG_MISHAP_OTHER_SIDE);
  move(&b, 0, 0.01, true);
  assert_true(b.n_pulls == 0);
  move(&b, 0.02, 0.05, false);
  assert_ok(vrig_bench_load_cart(&b, 0.1, err));
  move(&b, 0.021, 0.01, false);
  move(&b, 0.02, 0.01, false);
  assert_true(b.n_pulls == 0 && b.course.mishap.kind == VRIG_MISHAP_NONE);
  vrig_stage_move(&b.stage, vrig_bench_time_s(&b), 0.045, V, A);
  while (vrig_bench_time_s(&b) < b.stage.end_s - 0.1) vrig_bench_step(&b);
  assert_true(b.n_pulls == 1 && b.next.kind == VRIG_MISHAP_NONE);
  assert_near(vrig_bench_force_N(&b), 1.2 * warp_N(2 * cart_N()), 1e-8);
  while (vrig_bench_time_s(&b) < b.stage.end_s + 0.3) vrig_bench_step(&b);
  move(&b, b.cart_m, 0.05, false); /* slackened */
  move(&b, 0.018, 0.05, false);    /* taken along */
  move(&b, b.cart_m, 0.05, false);
  assert_true(b.n_pulls == 1 && b.course.mishap.kind == VRIG_MISHAP_NONE);
  vrig_stage_move(&b.stage, vrig_bench_time_s(&b), b.cart_m + TRAVEL, V, A);
  while (vrig_bench_time_s(&b) < b.stage.end_s - 0.1) vrig_bench_step(&b);
  assert_true(b.n_pulls == 2);
  assert_near(vrig_bench_force_N(&b), warp_N(2 * cart_N()), 1e-8);
  cb_rig_clear(&rig);
}

static void what_is_refused(void **state) {
  (void)state;
  cb_rig rig;
  cb_trace t;
  exact_rig(&rig);
  rig.stage.limit_max_m = 0.04;
  assert_fails(CB_E_RANGE, "leaves the track", vrig_play_pull(&rig, NULL, 1, 0, 0, 1, &t, err));
  assert_int_equal(t.force_N.n, 0);
  rig.virt.present = false;
  assert_fails(CB_E_ARG, "no section 'virtual'", vrig_play_pull(&rig, NULL, 1, 0, 0, 1, &t, err));
  cb_rig_clear(&rig);
}

static void every_kind_has_a_name(void **state) {
  (void)state;
  for (int k = 0; k < VRIG_N_MISHAPS; k++) assert_true(vrig_mishap_names[k] && vrig_mishap_names[k][0]);
  assert_null(vrig_mishap_names[VRIG_N_MISHAPS]);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_sound_pull),
      cmocka_unit_test(same_seed_same_bits),
      cmocka_unit_test(it_does_not_let_go),
      cmocka_unit_test(too_soft_to_slide),
      cmocka_unit_test(caught_on_the_way),
      cmocka_unit_test(other_forces_on_the_cart),
      cmocka_unit_test(the_wrong_load),
      cmocka_unit_test(the_cloth_slips_on_the_bed),
      cmocka_unit_test(the_stage_does_something_else),
      cmocka_unit_test(an_uneven_speed),
      cmocka_unit_test(on_the_way_to_the_read_out),
      cmocka_unit_test(readings_come_again),
      cmocka_unit_test(one_pull_after_another),
      cmocka_unit_test(what_is_a_pull),
      cmocka_unit_test(what_is_refused),
      cmocka_unit_test(every_kind_has_a_name),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
