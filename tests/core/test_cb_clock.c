/* The clock of a stream from its arrival stamps: bursts, stalls, lost and doubled samples, against the clock
 * that was played. */
#include <math.h>

#include "cb_clock.h"
#include "cb_rng.h"
#include "cbtest.h"

static void even_clocks_are_recovered(void **state) {
  (void)state;
  enum { n = 1000 };
  double t[n], sent[n];
  cb_rng rng;
  cb_rng_init(&rng, 3, 0);
  /* 200.4 S/s sent; delivered in bursts every 16 ms, like a USB adapter. */
  for (int i = 0; i < n; i++) {
    sent[i] = 2 + i / 200.4;
    t[i] = ceil(sent[i] / 0.016) * 0.016 + 1e-4 * cb_rng_uniform(&rng);
  }
  cb_clock c;
  assert_true(cb_clock_even(t, n, 200, &c));
  assert_near(c.period_s * 200.4, 1, 1e-4);
  for (int i = 0; i < n; i++) assert_near(t[i], sent[i], 1.5e-3);
  /* The computer stalls for 1.5 s: 300 stamps come late, all at once. */
  for (int i = 0; i < n; i++)
    t[i] = sent[i] > 4 && sent[i] < 5.5 ? 5.5 : sent[i] + 2e-3 * cb_rng_uniform(&rng);
  assert_true(cb_clock_even(t, n, 200, &c));
  assert_near(c.period_s * 200.4, 1, 2e-4);
  for (int i = 0; i < n; i++) assert_near(t[i], sent[i], 1.5e-3);
  double lost[16];
  for (int i = 0; i < 16; i++) lost[i] = i * 0.01; /* half of the samples are missing */
  assert_true(!cb_clock_even(lost, 16, 200, &c) && lost[3] == 0.03 && c.period_s == 0);
}

/* ---- streams that lose samples ---- */

enum { N_MAX = 40000 };

typedef struct played {
  double rate_Hz;  /* of the device, by its own clock */
  double burst_s;  /* arrivals come at multiples of it; 0: each by itself */
  double jitter_s; /* and so much later, uniformly */
  double stall_at_s, stall_s;
  size_t n_sent;
  size_t lost_at[8], lost[8]; /* samples lost from a place on; a count of 0 ends the list */
} played;

/* Returns how many arrived; taken[i] is when sample i was really taken. */
static size_t play(const played *p, uint64_t seed, double *arrival_s, double *taken_s) {
  cb_rng rng;
  size_t n = 0, g = 0;
  double last = 0;
  cb_rng_init(&rng, seed, 0);
  for (size_t i = 0; i < p->n_sent; i++) {
    while (g < 8 && p->lost[g] > 0 && i >= p->lost_at[g] + p->lost[g]) g++;
    if (g < 8 && p->lost[g] > 0 && i >= p->lost_at[g]) continue;
    double sent = 5 + (double)i / p->rate_Hz, t = sent;
    if (p->burst_s > 0) t = ceil(t / p->burst_s) * p->burst_s;
    t += p->jitter_s * cb_rng_uniform(&rng);
    if (sent > p->stall_at_s && t < p->stall_at_s + p->stall_s) t = p->stall_at_s + p->stall_s;
    last = fmax(last, t);
    arrival_s[n] = last;
    taken_s[n++] = sent;
  }
  return n;
}

static void expect_clock(const played *p, double nominal_Hz, double tolerance_s) {
  static double arrival[N_MAX], taken[N_MAX];
  for (uint64_t seed = 1; seed <= 20; seed++) {
    size_t n = play(p, seed, arrival, taken), wanted = 0, width = (size_t)fmax(16, 0.1 * p->rate_Hz),
           lost = 0;
    cb_clock c;
    assert_true(cb_clock_fit(arrival, n, nominal_Hz, &c));
    while (wanted < 8 && p->lost[wanted] > 0) wanted++;
    if (c.n_gaps != wanted)
      fail_msg("seed %d: %zu gaps were found, %zu there are", (int)seed, c.n_gaps, wanted);
    for (size_t g = 0; g < wanted; g++) {
      assert_int_equal(c.gap[g].missing, p->lost[g]);
      assert_true(fabs((double)c.gap[g].after - (double)(p->lost_at[g] - lost)) <= (double)(2 * width));
      lost += p->lost[g];
    }
    /* The shortest delay cannot be known; here it is within one jitter of 0. */
    cb_clock_apply(&c, arrival, n);
    size_t off = 0;
    for (size_t i = 0; i < n; i++) off += fabs(arrival[i] - taken[i]) > tolerance_s;
    /* Next to a gap a sample may be counted to its wrong side. */
    if (off > wanted * 2 * width)
      fail_msg("seed %d: %zu of %zu stamps are off by more than %g s", (int)seed, off, n, tolerance_s);
  }
}

static void lost_samples_are_gaps(void **state) {
  (void)state;
  const played one = {.rate_Hz = 400.3, .jitter_s = 1e-3, .n_sent = 4000, .lost_at = {1500}, .lost = {1}};
  const played some = {
      .rate_Hz = 997, .jitter_s = 5e-4, .n_sent = 20000, .lost_at = {3000, 9000, 15000}, .lost = {1, 40, 3}};
  const played usb = {.rate_Hz = 1003,
                      .burst_s = 0.016,
                      .jitter_s = 2e-4,
                      .n_sent = 20000,
                      .lost_at = {4000, 11000},
                      .lost = {16, 4}}; /* bursts hide single samples */
  const played slow = {.rate_Hz = 79.6, .jitter_s = 2e-3, .n_sent = 2000, .lost_at = {700}, .lost = {1}};
  expect_clock(&one, 400, 2e-3);
  expect_clock(&some, 1000, 1.5e-3);
  expect_clock(&usb, 1000, 2e-3);
  expect_clock(&slow, 80, 5e-3);
}

static void a_stall_is_no_gap(void **state) {
  (void)state;
  const played stall = {.rate_Hz = 400.3, .jitter_s = 1e-3, .n_sent = 4000, .stall_at_s = 8, .stall_s = 0.7};
  const played longer = {
      .rate_Hz = 1000.5, .jitter_s = 1e-3, .n_sent = 10000, .stall_at_s = 9, .stall_s = 2.5};
  const played both = {.rate_Hz = 400.3,
                       .jitter_s = 1e-3,
                       .n_sent = 8000,
                       .stall_at_s = 8,
                       .stall_s = 0.7,
                       .lost_at = {4000},
                       .lost = {5}};
  const played at_once = {
      .rate_Hz = 400.3, .jitter_s = 1e-3, .n_sent = 4000, .stall_at_s = 5, .stall_s = 0.9};
  expect_clock(&stall, 400, 2e-3);
  expect_clock(&at_once, 400, 2e-3);
  expect_clock(&longer, 1000, 2e-3);
  expect_clock(&both, 400, 2e-3);
}

static void whole_streams_have_no_gaps(void **state) {
  (void)state;
  const played plain = {.rate_Hz = 393, .jitter_s = 3e-3, .n_sent = 4000};
  const played usb = {.rate_Hz = 2407, .burst_s = 0.016, .jitter_s = 3e-4, .n_sent = 20000};
  const played slow = {.rate_Hz = 10.02, .jitter_s = 5e-3, .n_sent = 300};
  const played short_one = {.rate_Hz = 80, .jitter_s = 1e-3, .n_sent = 40};
  expect_clock(&plain, 400, 4e-3);
  expect_clock(&usb, 2400, 2e-3);
  expect_clock(&slow, 10, 1e-2);
  expect_clock(&short_one, 80, 2e-3);
}

static void samples_that_came_twice_are_told(void **state) {
  (void)state;
  static double t[8000];
  size_t n = 0;
  for (int i = 0; i < 4000; i++) {
    t[n++] = i / 400.0;
    if (i == 2000) t[n++] = i / 400.0 + 1e-4;
  }
  cb_clock c;
  assert_true(cb_clock_fit(t, n, 400, &c));
  assert_int_equal(c.n_gaps, 1);
  assert_int_equal(c.gap[0].missing, -1);
  assert_true(c.gap[0].after >= 1960 && c.gap[0].after <= 2040);
  assert_near(c.period_s * 400, 1, 1e-6);
  cb_clock_apply(&c, t, n);
  for (size_t i = 1; i < n; i++) assert_true(t[i] >= t[i - 1]);
}

/* What the stream cannot exclude: a quarter in which everything came late, and where a gap lies. */
static void doubt_is_told(void **state) {
  (void)state;
  enum { n = 4000 };
  static double t[n];
  cb_clock c;
  for (int i = 0; i < n; i++) t[i] = i / 400.0;
  assert_true(cb_clock_fit(t, n, 400, &c));
  assert_near(c.doubt_s, 0, 1e-9);
  for (int i = 900; i < 2100; i++)
    t[i] = 2100 / 400.0 + 0.03; /* the computer stalls for three seconds: all of the second quarter */
  for (int i = 2100; i < n; i++) t[i] = fmax(t[i], t[2099]);
  assert_true(cb_clock_fit(t, n, 400, &c));
  assert_near(c.doubt_s, (2100 - 1999) / 400.0 + 0.03, 1e-3);
  assert_near(c.period_s * 400, 1, 1e-9);
  for (int i = 0; i < n; i++) t[i] = (i < 2000 ? i : i + 40) / 400.0;
  assert_true(cb_clock_fit(t, n, 400, &c));
  assert_int_equal(c.n_gaps, 1);
  assert_near(c.doubt_s, 0.1, 2e-3);
}

static void no_clock_is_said(void **state) {
  (void)state;
  double t[100];
  cb_clock c;
  for (int i = 0; i < 100; i++) t[i] = i * 0.01;
  assert_false(cb_clock_fit(t, 100, 200, &c));
  assert_false(cb_clock_fit(t, 7, 100, &c));
  assert_false(cb_clock_fit(t, 100, 0, &c));
  assert_true(c.period_s == 0 && c.n_gaps == 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(even_clocks_are_recovered),
                                     cmocka_unit_test(lost_samples_are_gaps),
                                     cmocka_unit_test(a_stall_is_no_gap),
                                     cmocka_unit_test(whole_streams_have_no_gaps),
                                     cmocka_unit_test(samples_that_came_twice_are_told),
                                     cmocka_unit_test(doubt_is_told),
                                     cmocka_unit_test(no_clock_is_said)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
