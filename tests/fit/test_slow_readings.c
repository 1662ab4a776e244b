/* Pulls at 5 to 200 readings a second, at even and uneven times, without and with false readings of five
 * kinds: no wrong number goes out without a mark, and true peaks are not taken for false readings. */
#include <stdio.h>
#include <stdlib.h>

#include "cb_stats.h"
#include "fit_pull.h"
#include "slowpulls.h"

#define PULLS 200
#define WRONG 4          /* standard uncertainties */
#define FIRST_SEED 17000 /* the rule was found with others */

typedef struct tally {
  size_t n, kinetic_inside, stat, static_inside, spikes, wrong_unmarked, wrong_marked;
} tally;

/* What the import flags as `gaps`. */
static bool has_gap(const cb_series *f) {
  double *work = malloc(2 * f->n * sizeof *work), longest = 0;
  assert_non_null(work);
  for (size_t i = 1; i < f->n; i++) longest = fmax(longest, work[i - 1] = f->t_s[i] - f->t_s[i - 1]);
  const bool gap = longest > 5 * cb_median(work, f->n - 1, work + f->n);
  free(work);
  return gap;
}

static void count(tally *t, const slow_pull *p, const cb_trace *trace, const fit_pull *r) {
  double low_N, high_N;
  slow_static(p, &low_N, &high_N);
  const double half = cb_student_t(0.95, fmax(1, r->n_eff - 1)),
               kinetic = fabs(r->kinetic_N - p->kinetic_N) / r->u_kinetic_N,
               stat = isfinite(r->static_N)
                          ? fmax(0, fmax(low_N - r->static_N, r->static_N - high_N)) / r->u_static_N
                          : 0;
  /* Few readings know their own scatter badly. */
  const bool wrong = kinetic > fmax(WRONG, 2 * half) || stat > WRONG,
             marked = r->n_stray > 0 || has_gap(&trace->force_N);
  t->n++;
  t->kinetic_inside += kinetic <= half;
  t->stat += isfinite(r->static_N);
  t->static_inside += isfinite(r->static_N) && stat <= 2;
  t->spikes += r->n_stray > 0;
  t->wrong_unmarked += wrong && !marked;
  t->wrong_marked += wrong && marked;
}

static void play(int i, double rate_Hz, slow_times times, double share, tally *t) {
  cb_rng any, rng;
  cb_rng_init(&any, FIRST_SEED + (uint64_t)i, 1);
  cb_rng_init(&rng, FIRST_SEED + (uint64_t)i, 2);
  size_t n_false;
  const slow_pull p = slow_any(&any, rate_Hz, times);
  cb_trace trace = slow_trace(&p, &rng, (slow_mishap)(i % N_SLOW_MISHAPS), share, &n_false);
  fit_pull r;
  const fit_pull_options opt = fit_pull_options_default();
  assert_ok(fit_pull_reduce(&trace, 1, p.travel_m, &opt, &r, err));
  if (r.outcome == FIT_PULL_OK) count(t, &p, &trace, &r);
  cb_trace_clear(&trace);
}

static void print(double rate_Hz, slow_times times, const char *what, const tally *t) {
  printf(
      "  %3g Hz %-13s %-7s: %3zu pulls; kinetic inside %.1f %%, static inside 2 u %.1f %% of %zu; spikes "
      "%zu; wrong unmarked %zu, marked %zu\n",
      rate_Hz, slow_times_text[times], what, t->n, 100 * (double)t->kinetic_inside / (double)t->n,
      100 * (double)t->static_inside / (double)t->stat, t->stat, t->spikes, t->wrong_unmarked,
      t->wrong_marked);
}

static void check_pulls(double rate_Hz, slow_times times) {
  tally clean = {0}, mixed = {0};
  for (int i = 0; i < PULLS; i++) {
    play(i, rate_Hz, times, 0, &clean);
    play(i, rate_Hz, times, i % 2 ? 0.005 : 0.02, &mixed);
  }
  print(rate_Hz, times, "clean", &clean);
  print(rate_Hz, times, "false", &mixed);
  assert_int_equal(clean.wrong_unmarked, 0);
  assert_int_equal(mixed.wrong_unmarked, 0);
  if (rate_Hz >= 50 && times == SLOW_EVEN) assert_true((double)clean.spikes < 0.02 * (double)clean.n);
  /* Bursts of readings show teeth in part; a rate that changes makes fine teeth coarse. */
  assert_true((double)clean.spikes <= (times == SLOW_BURSTS ? 0.04 : 0.025) * (double)clean.n);
  if (times == SLOW_POLLED || times == SLOW_JITTER)
    assert_true((double)clean.spikes < 0.01 * (double)clean.n);
  /* Of 200 fair intervals of 95 %, at least 91 % hold the truth (3 standard deviations). */
  assert_true((double)mixed.kinetic_inside >= 0.91 * (double)mixed.n);
  if (times == SLOW_EVEN) assert_true((double)mixed.static_inside >= 0.91 * (double)mixed.stat);
}

static void check_rate(double rate_Hz, int n_times) {
  for (int times = 0; times < n_times; times++) check_pulls(rate_Hz, (slow_times)times);
}

static void at_5_Hz(void **state) {
  (void)state;
  check_rate(5, N_SLOW_TIMES);
}

static void at_10_Hz(void **state) {
  (void)state;
  check_rate(10, N_SLOW_TIMES);
}

static void at_20_Hz(void **state) {
  (void)state;
  check_rate(20, N_SLOW_TIMES);
}

static void at_50_Hz(void **state) {
  (void)state;
  check_rate(50, N_SLOW_TIMES);
}

/* Even times only: such pulls take long to reduce. */
static void at_200_Hz(void **state) {
  (void)state;
  check_rate(200, 1);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(at_5_Hz), cmocka_unit_test(at_10_Hz),
                                     cmocka_unit_test(at_20_Hz), cmocka_unit_test(at_50_Hz),
                                     cmocka_unit_test(at_200_Hz)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
