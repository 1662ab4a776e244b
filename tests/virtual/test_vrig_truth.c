/* Truths that the law's form does not hold, on the bench: against closed forms, and stick-slip against an
 * integration of its own. */
#include "cb_num.h"
#include "vrig_operator.h"
#include "vrig_play.h"
#include "vrigtest.h"

static const double V = 0.01, A = 0.5, REST_S = 1, SLACK = 0.002, K = 500;

/* more: keys of the truth. No noise, digit or zero; the link swings out soon. */
static void rig_with(const char *more, cb_rig *rig) {
  char with[400];
  (void)snprintf(with, sizeof with, "static_excess: 0.25, %s", more);
  const char *const change[][2] = {{"static_excess: 0.25", with}};
  char *text = cbt_replace(vrt_text, change, 1);
  assert_ok(cb_rig_parse(text, "test.yaml", rig, err));
  free(text);
  rig->virt.quantum = 1e-9;
  rig->virt.zero = 0;
  rig->virt.link_damping_Ns_per_m = 10;
}

static double way_m(double t_s) { return V * (t_s - REST_S - 0.5 * V / A); }
static double steady_s(void) { return REST_S + 2.4; }
static double normal_N(double mass_kg) { return mass_kg * CB_STANDARD_GRAVITY_M_PER_S2; }

static double form(double angle, double f00, double f01, double f11) {
  return f00 * cos(angle) * cos(angle) + 2 * f01 * sin(angle) * cos(angle) + f11 * sin(angle) * sin(angle);
}

static double power_form(double angle, double N) {
  return form(angle, 0.6 * pow(N, 0.9), 0.02 * pow(N, 0.9), 0.45 * pow(N, 0.93));
}

static double plateau_N(const cb_rig *rig, double angle, double added_kg, int direction) {
  cb_trace t;
  assert_ok(vrig_play_pull(rig, NULL, 3, angle, added_kg, direction, &t, err));
  double F = cb_series_at(&t.force_N, steady_s());
  cb_trace_clear(&t);
  return F;
}

static void four_fold_directions(void **state) {
  (void)state;
  cb_rig rig;
  rig_with("cos4: 0.08, sin4: -0.05", &rig);
  for (double deg = 0; deg < 180; deg += 25) {
    double a = deg * CB_DEG;
    assert_near(plateau_N(&rig, a, 0, 1),
                power_form(a, normal_N(0.1)) * (1 + 0.08 * cos(4 * a) - 0.05 * sin(4 * a)), 1e-8);
  }
  cb_rig_clear(&rig);
}

static void backward_differs(void **state) {
  (void)state;
  cb_rig rig;
  rig_with("backward_excess: 0.1", &rig);
  double F = power_form(0.4, normal_N(0.1));
  assert_near(plateau_N(&rig, 0.4, 0, 1), F, 1e-8);
  assert_near(plateau_N(&rig, 0.4, 0, -1), -1.1 * F, 1e-8);
  cb_rig_clear(&rig);
}

/* Under three loads, on both sides of the kink. */
static void other_load_laws(void **state) {
  (void)state;
  const double added_kg[] = {0, 0.1, 0.3}, a = 0.7;
  for (int i = 0; i < 3; i++) {
    double N = normal_N(0.1 + added_kg[i]), h = pow(N + 0.2, 2.0 / 3),
           kink = N > 1.5 ? pow(N / 1.5, -0.3) : 1;
    cb_rig rig;
    rig_with("load_law: langmuir, saturation_N: 4", &rig);
    assert_near(plateau_N(&rig, a, added_kg[i], 1), power_form(a, N) / (1 + N / 4), 1e-7);
    cb_rig_clear(&rig);
    rig_with("load_law: kink, kink_N: 1.5, kink_exponent_change: -0.3", &rig);
    assert_near(plateau_N(&rig, a, added_kg[i], 1), power_form(a, N) * kink, 1e-7);
    cb_rig_clear(&rig);
    char *text;
    const char *const change[][2] = {
        {"n00: 0.9, n01: 0.9, n11: 0.93", "load_law: hertz, adhesion_N: 0.2"},
        {"quantum: 0.0001, zero: 0.05", "quantum: 1e-9, link_damping_Ns_per_m: 10"}};
    text = cbt_replace(vrt_text, change, 2);
    assert_ok(cb_rig_parse(text, "test.yaml", &rig, err));
    free(text);
    assert_near(plateau_N(&rig, a, added_kg[i], 1), form(a, 0.6 * h, 0.02 * h, 0.45 * h), 1e-7);
    cb_rig_clear(&rig);
  }
}

/* It breaks away at F_s (1 + b ln(1 + t / 2 s)), t since the placing: between the last reading on the ramp k
 * (way - slack) and the next. */
static void static_force_grows_at_rest(void **state) {
  (void)state;
  const double rests_s[] = {0.5, 5, 50};
  cb_rig rig;
  rig_with("dwell_log: 0.05, dwell_reference_s: 2", &rig);
  rig.virt.link_damping_Ns_per_m = 0;
  rig.force.rate_Hz = 2000;
  for (int i = 0; i < 3; i++) {
    vrig_play *p;
    cb_trace t;
    vrig_pull pull = vrig_pull_default(0, 0, 1);
    pull.rest_s = rests_s[i];
    assert_ok(vrig_play_open(&rig, 1, &p, err));
    assert_ok(vrig_play_next(p, &pull, NULL, &t, err));
    size_t k = t.n_rest + 500; /* taut */
    double F = 0, ramp = 0, before = 0, at_s = 0;
    for (; fabs(F - ramp) < 1e-8; k++) {
      before = ramp;
      at_s = t.force_N.t_s[k];
      F = t.force_N.v[k];
      ramp = K * (way_m(at_s - rests_s[i] + REST_S) - SLACK);
    }
    double wanted = 1.25 * power_form(0, normal_N(0.1)) * (1 + 0.05 * log1p(at_s / 2));
    /* A slide is seen once it has taken 1e-8 N off: after 5 us, in which the ramp grows by 25 uN. */
    assert_true(before <= wanted + 3e-5 && wanted <= ramp);
    assert_true(ramp - before < 3e-3); /* k v / 2000 Hz: the times differ by far more */
    vrig_play_close(p);
    cb_trace_clear(&t);
  }
  cb_rig_clear(&rig);
}

static void surfaces_wear(void **state) {
  (void)state;
  cb_rig rig;
  vrig_play *p;
  rig_with("wear_per_run: -0.03", &rig);
  assert_ok(vrig_play_open(&rig, 1, &p, err));
  double F = power_form(0, normal_N(0.1));
  for (int i = 0; i < 5; i++) {
    cb_trace t;
    int dir = i % 2 ? -1 : 1;
    vrig_pull pull = vrig_pull_default(0, 0, dir);
    assert_near(vrig_bench_true_kinetic_N(vrig_play_bench(p), dir, V), F * pow(0.97, i), 1e-12);
    assert_ok(vrig_play_next(p, &pull, NULL, &t, err));
    assert_near(cb_series_at(&t.force_N, steady_s()), dir * F * pow(0.97, i), 1e-8);
    cb_trace_clear(&t);
  }
  vrig_play_close(p);
  cb_rig_clear(&rig);
}

/* 3.6 per hour: a thousandth per second. The record begins at the bench's time less its own length. */
static void humidity_drifts(void **state) {
  (void)state;
  cb_rig rig;
  vrig_play *p;
  rig_with("humidity_drift_per_h: 3.6", &rig);
  assert_ok(vrig_play_open(&rig, 1, &p, err));
  for (int i = 0; i < 3; i++) {
    cb_trace t;
    int dir = i % 2 ? -1 : 1;
    vrig_pull pull = vrig_pull_default(0, 0, dir);
    assert_ok(vrig_play_next(p, &pull, NULL, &t, err));
    double end_s = vrig_bench_time_s(vrig_play_bench(p)), began_s = end_s - t.force_N.t_s[t.force_N.n - 1];
    assert_near(cb_series_at(&t.force_N, steady_s()),
                dir * power_form(0, normal_N(0.1)) * (1 + 1e-3 * (began_s + steady_s())), 1e-6);
    cb_trace_clear(&t);
  }
  vrig_play_close(p);
  cb_rig_clear(&rig);
}

/* The first pull has none before it. One that turns back begins at 1 + memory and forgets over the way that
 * the cart has gone: that of the stage less slack and stretch of the link. */
static void directions_are_remembered(void **state) {
  (void)state;
  cb_rig rig;
  vrig_play *p;
  cb_trace t;
  rig_with("memory: 0.2, memory_way_mm: 100", &rig);
  double F0 = power_form(0, normal_N(0.1));
  assert_ok(vrig_play_open(&rig, 1, &p, err));
  for (int i = 0; i < 3; i++) {
    int dir = i % 2 ? -1 : 1;
    vrig_pull pull = vrig_pull_default(0, 0, dir);
    assert_ok(vrig_play_next(p, &pull, NULL, &t, err));
    for (double s = REST_S + 1.5; s < REST_S + 2.4; s += 0.1) {
      double F = dir * cb_series_at(&t.force_N, s), slid = way_m(s) - SLACK - F / K;
      /* The dashpot holds 0.5 mN of it: 1 um of way, 1e-5 of the memory. */
      assert_near(F, F0 * (i == 0 ? 1 : 1 + 0.2 * exp(-slid / 0.1)), 3e-6);
    }
    cb_trace_clear(&t);
    assert_near(vrig_bench_true_kinetic_N(vrig_play_bench(p), -dir, V), 1.2 * F0, 1e-12);
  }
  vrig_play_close(p);
  cb_rig_clear(&rig);
}

/* The operator is told the truth of now, of either direction. */
static void the_truth_is_that_of_now(void **state) {
  (void)state;
  cb_rig rig;
  vrig_bench b;
  char answer[VRIG_OPERATOR_ANSWER_MAX];
  double kinetic, fixed;
  rig_with("backward_excess: 0.1, humidity_drift_per_h: 3.6, dwell_log: 0.05", &rig);
  assert_ok(vrig_bench_init(&b, &rig, err));
  while (vrig_bench_time_s(&b) < 20) vrig_bench_step(&b);
  vrig_mishap m = vrig_mishap_default(VRIG_MISHAP_OTHER_SIDE);
  vrig_bench_suffer(&b, &m);
  double F = power_form(0, normal_N(0.1)) * 1.02;
  vrig_operator_line(&b, "truth", answer);
  assert_int_equal(sscanf(answer, "truth kinetic_N=%lf static_N=%lf\nok\n", &kinetic, &fixed), 2);
  assert_near(kinetic, F, 1e-7);
  assert_near(fixed, 1.25 * F * (1 + 0.05 * log(21)), 1e-6);
  vrig_operator_line(&b, "truth direction=-1", answer);
  assert_int_equal(sscanf(answer, "truth kinetic_N=%lf static_N=%lf\nok\n", &kinetic, &fixed), 2);
  assert_near(kinetic, 1.1 * F, 1e-7);
  vrig_operator_line(&b, "truth direction=0", answer);
  assert_string_equal(answer, "error: direction = 0: must be 1 (forward) or -1 (backward)\n");
  cb_rig_clear(&rig);
}

/* ---- stick-slip of friction that falls with speed ---- */

/* A soft link and a force that falls by half within 5 mm/s. */
typedef struct slider {
  double m, k, Fs, F0, excess, vs;
  double x, v, t; /* of the cart; the stage is at V t */
  bool slides;
} slider;

static double friction_N(const slider *s, double v) {
  return s->F0 * (1 + s->excess * exp(-(v / s->vs) * (v / s->vs)));
}
static double pull_N(const slider *s, double t, double x) { return s->k * (V * t - x); }
static double rate(const slider *s, double t, double x, double v) {
  return (pull_N(s, t, x) - friction_N(s, v)) / s->m;
}

/* Runge and Kutta's fourth order; a step in which it would stop ends there by the secant. */
static void slide_on(slider *s, double h) {
  double x = s->x, v = s->v, t = s->t;
  double a1 = rate(s, t, x, v), v2 = v + 0.5 * h * a1, a2 = rate(s, t + 0.5 * h, x + 0.5 * h * v, v2),
         v3 = v + 0.5 * h * a2, a3 = rate(s, t + 0.5 * h, x + 0.5 * h * v2, v3), v4 = v + h * a3,
         a4 = rate(s, t + h, x + h * v3, v4), v1 = v + h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
  double part = v1 > 0 ? 1 : v / (v - v1);
  s->x += part * h / 6 * (v + 2 * v2 + 2 * v3 + v4);
  s->v = v1 > 0 ? v1 : 0;
  s->slides = v1 > 0;
  s->t += part * h;
}

typedef struct cycle {
  int breaks;
  double first_s, last_s, lowest_N, highest_N;
} cycle;

static void see(cycle *c, bool was, bool slides, double t_s, double F) {
  if (!was && slides) {
    if (c->breaks++ == 0) c->first_s = t_s;
    c->last_s = t_s;
  }
  /* The first cycle has another beginning. */
  if (c->breaks < 2) return;
  c->lowest_N = fmin(c->lowest_N, F);
  c->highest_N = fmax(c->highest_N, F);
}

static cycle reference(slider s, double until_s, double h) {
  cycle c = {.lowest_N = INFINITY};
  while (s.t < until_s) {
    bool was = s.slides;
    if (s.slides) {
      slide_on(&s, h);
    } else {
      s.t = s.x / V + s.Fs / (s.k * V); /* sticks until the spring draws with F_s */
      s.slides = true;
      s.v = 0;
    }
    see(&c, was, s.slides, s.t, pull_N(&s, s.t, s.x));
  }
  return c;
}

static void stick_slip_cycles(void **state) {
  (void)state;
  const double masses_kg[] = {0.013, 0.1, 0.3}, stiff_N_per_m[] = {50, 200};
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 2; j++) {
      cb_rig rig;
      vrig_bench b;
      rig_with("stribeck_excess: 0.2, stribeck_speed_mm_per_s: 5", &rig);
      rig.virt.link_damping_Ns_per_m = 0;
      rig.bench.link_stiffness_N_per_m = stiff_N_per_m[j];
      rig.bench.cart_mass_kg = masses_kg[i];
      rig.stage.limit_max_m = 1;
      assert_ok(vrig_bench_init(&b, &rig, err));
      double F0 = power_form(0, normal_N(masses_kg[i])), work = 0, lost = 0;
      slider s = {
          .m = masses_kg[i], .k = stiff_N_per_m[j], .Fs = 1.25 * F0, .F0 = F0, .excess = 0.2, .vs = 5e-3};
      cycle c = {.lowest_N = INFINITY}, r = reference(s, 8, 2e-6);
      vrig_stage_move(&b.stage, 0, 0.5, V, A);
      for (double F = 0, x = 0.02, cart = 0.02, v = 0; vrig_bench_time_s(&b) < 8;) {
        bool was = b.slip != 0;
        vrig_bench_step(&b);
        double x1, u, F1 = vrig_bench_force_N(&b), v1 = b.cart_m_per_s;
        vrig_stage_at(&b.stage, vrig_bench_time_s(&b), &x1, &u);
        see(&c, was, b.slip != 0, vrig_bench_time_s(&b), F1);
        work += 0.5 * (F + F1) * (x1 - x);
        lost += 0.5 * (friction_N(&s, v) + friction_N(&s, v1)) * (b.cart_m - cart);
        F = F1, x = x1, cart = b.cart_m, v = v1;
      }
      double kept = 0.5 * pow(vrig_bench_force_N(&b), 2) / s.k + 0.5 * s.m * b.cart_m_per_s * b.cart_m_per_s;
      double period = (c.last_s - c.first_s) / (c.breaks - 1),
             wanted = (r.last_s - r.first_s) / (r.breaks - 1);
      /* Both ends are known to a step. A turning point is seen half a step off at most. */
      assert_true(c.breaks > 2 && abs(c.breaks - r.breaks) <= 3);
      assert_near(period, wanted, b.step_s / (c.breaks - 1) + 1e-5 * wanted);
      assert_near(c.lowest_N, r.lowest_N, 2e-6);
      assert_near(c.highest_N, r.highest_N, 2e-6);
      assert_near(work, lost + kept, 5e-6 * lost);
      cb_rig_clear(&rig);
    }
}

/* The pace of the clock is no part of the physics. */
static void the_same_at_any_pace(void **state) {
  (void)state;
  cb_trace t[2];
  for (int i = 0; i < 2; i++) {
    cb_rig rig;
    rig_with("stribeck_excess: 0.2, stribeck_speed_mm_per_s: 5", &rig);
    rig.virt.time_scale = i ? 40 : 1;
    rig.bench.link_stiffness_N_per_m = 100;
    rig.virt.link_damping_Ns_per_m = 0;
    assert_ok(vrig_play_pull(&rig, NULL, 1, 0, 0, 1, &t[i], err));
    cb_rig_clear(&rig);
  }
  assert_memory_equal(t[0].force_N.v, t[1].force_N.v, t[0].force_N.n * sizeof(double));
  for (int i = 0; i < 2; i++) cb_trace_clear(&t[i]);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(four_fold_directions),
                                     cmocka_unit_test(backward_differs),
                                     cmocka_unit_test(other_load_laws),
                                     cmocka_unit_test(static_force_grows_at_rest),
                                     cmocka_unit_test(surfaces_wear),
                                     cmocka_unit_test(humidity_drifts),
                                     cmocka_unit_test(directions_are_remembered),
                                     cmocka_unit_test(the_truth_is_that_of_now),
                                     cmocka_unit_test(stick_slip_cycles),
                                     cmocka_unit_test(the_same_at_any_pace)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
