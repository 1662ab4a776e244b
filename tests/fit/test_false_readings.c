/* 500 pulls of any bench, each with 0.1 to 5 % false readings of one of five kinds, alone or two in a row: no
 * wrong number goes out without a mark, and static and kinetic force are inside their bands as often as they
 * are without false readings. */
#include <stdio.h>

#include "cb_stats.h"
#include "falsepulls.h"
#include "fit_pull.h"

#define PULLS 500
#define WRONG 4 /* standard uncertainties */

typedef struct tally {
  size_t refused, kinetic, kinetic_inside, stat, static_inside, wrong, wrong_unmarked, marked;
} tally;

static fit_pull reduce(const cb_trace *t, const rigged *p) {
  fit_pull r;
  fit_pull_options opt = fit_pull_options_default();
  assert_ok(fit_pull_reduce(t, 1, p->travel_m, &opt, &r, err));
  assert_true(r.outcome == FIT_PULL_OK || r.outcome == FIT_PULL_INVALID);
  return r;
}

static void count(tally *t, const rigged *p, const fit_pull *r) {
  t->refused += r->outcome == FIT_PULL_INVALID;
  if (r->outcome == FIT_PULL_INVALID) return;
  const double kinetic = fabs(r->kinetic_N - p->kinetic_N) / r->u_kinetic_N,
               stat = isfinite(r->static_N) ? fabs(r->static_N - p->static_N) / r->u_static_N : 0;
  const bool wrong = kinetic > WRONG || stat > WRONG;
  t->kinetic++;
  t->kinetic_inside += kinetic <= cb_student_t(0.95, fmax(1, r->n_eff - 1));
  t->stat += isfinite(r->static_N);
  t->static_inside += isfinite(r->static_N) && stat <= 2;
  t->marked += r->n_stray > 0;
  t->wrong += wrong;
  t->wrong_unmarked += wrong && r->n_stray == 0;
}

static void print(const char *name, const tally *t) {
  printf(
      "  %-22s kinetic inside 95 %% bands %.1f %%, static inside 2 u %.1f %% of %zu (%zu pulls); wrong by %d "
      "u %zu, of "
      "these without a mark %zu; marked %zu\n",
      name, 100 * (double)t->kinetic_inside / (double)t->kinetic,
      100 * (double)t->static_inside / (double)t->stat, t->stat, t->kinetic, WRONG, t->wrong,
      t->wrong_unmarked, t->marked);
}

/* The same bench and the same noise, without (k = 0) and with false readings. */
static void play(int i, tally t[2], double *kinetic_ratio, double *static_ratio) {
  fit_pull r[2];
  cb_rng any;
  cb_rng_init(&any, (uint64_t)i, 1);
  const rigged p = rigged_any(&any);
  const double share = exp(between(&any, log(0.001), log(0.05)));
  for (int k = 0; k < 2; k++) {
    size_t n_false;
    cb_rng rng;
    cb_rng_init(&rng, (uint64_t)i, 2);
    cb_trace trace = rigged_pull(&p, &rng, (mishap)(i % N_MISHAPS), k ? share : 0, 1 + i / 5 % 2, &n_false);
    r[k] = reduce(&trace, &p);
    if (k == 0 || n_false > 0) count(&t[k], &p, &r[k]);
    cb_trace_clear(&trace);
  }
  *kinetic_ratio = r[1].u_kinetic_N / r[0].u_kinetic_N;
  *static_ratio = isfinite(r[0].static_N) && isfinite(r[1].static_N) ? r[1].u_static_N / r[0].u_static_N : 1;
}

static void five_kinds(void **state) {
  (void)state;
  static double kinetic[PULLS], stat[PULLS], work[PULLS];
  tally t[2] = {{0}, {0}};
  for (int i = 0; i < PULLS; i++) play(i, t, &kinetic[i], &stat[i]);
  print("without false readings", &t[0]);
  print("with false readings", &t[1]);
  printf("  bands, median of with / without: kinetic %.3f, static %.3f\n", cb_median(kinetic, PULLS, work),
         cb_median(stat, PULLS, work));
  assert_int_equal(t[1].wrong_unmarked, 0);
  /* Of 500 fair intervals of 95 %, at least 93 % hold the truth (2 standard deviations). */
  assert_true(t[1].kinetic_inside >= 0.93 * (double)t[1].kinetic);
  /* The peak's band is part rectangular; without false readings it holds the truth as often. */
  assert_true((double)t[1].static_inside / (double)t[1].stat >=
              (double)t[0].static_inside / (double)t[0].stat - 0.03);
  assert_true(t[1].stat >= 0.93 * (double)t[1].kinetic);
  assert_true(t[0].marked <= 5); /* of 500 without a false reading */
  assert_true(cb_median(kinetic, PULLS, work) < 1.05);
  assert_true(cb_median(stat, PULLS, work) < 1.05);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(five_kinds)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
