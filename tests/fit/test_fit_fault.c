/* Pulls that went wrong are known by what went wrong; sound ones are not. */
#include <stdio.h>
#include <string.h>

#include "fit_pull.h"
#include "truths.h"

#define SEEDS 20
#define SOUND_PULLS (getenv("CB_SLOW") ? 100 : 3)

static fit_pull reduce(const slider *s, const cb_trace *t) {
  fit_pull p;
  fit_pull_options opt = fit_pull_options_default();
  assert_ok(fit_pull_reduce(t, 1, s->travel_m, &opt, &p, err));
  return p;
}

static fit_pull play(slip kind, int seed, slider *s) {
  cb_rng r;
  cb_rng_init(&r, (uint64_t)seed, (uint64_t)kind);
  *s = slider_any(&r);
  slider_spoil(s, kind, &r);
  cb_trace t = slider_pull(s, &r);
  fit_pull p = reduce(s, &t);
  cb_trace_clear(&t);
  return p;
}

static void print_faults(const fit_pull *p) {
  for (size_t i = 0; i < p->faults.n; i++)
    printf(" %s (%s)", fit_fault_kinds[p->faults.list[i].kind].code, p->faults.list[i].what);
  printf("\n");
}

/* Pulls of a truth. Where the sled came to stand again, a verdict of that is no false one. */
typedef struct tally {
  size_t n, named, stood, stood_named, beyond_2, beyond_3;
  double sum_rel, sum_u2;
} tally;

static void play_truth(size_t k, int seed, tally *t) {
  cb_rng r;
  bool stood;
  cb_rng_init(&r, (uint64_t)seed, 1000 + k);
  const slider s = truth_bench(&truths[k], &r);
  cb_trace trace = truth_pull(&truths[k], &s, &r, &stood);
  const fit_pull p = reduce(&s, &trace);
  cb_trace_clear(&trace);
  assert_int_equal(p.outcome, FIT_PULL_OK);
  const double off_N = p.kinetic_N - s.kinetic_N, off_rel = off_N / s.kinetic_N,
               u_rel = p.u_kinetic_N / s.kinetic_N;
  t->n += !stood, t->stood += stood;
  *(stood ? &t->stood_named : &t->named) += p.faults.n > 0;
  t->beyond_2 += fabs(off_rel) > 2 * u_rel, t->beyond_3 += fabs(off_rel) > 3 * u_rel;
  t->sum_rel += off_rel, t->sum_u2 += u_rel * u_rel;
  if (p.faults.n > 0)
    printf("  %s %d%s:", truths[k].name, seed, stood ? " (it stood)" : ""), print_faults(&p);
}

static void sound_pulls(void **state) {
  (void)state;
  size_t named = 0, n = 0, beyond_2 = 0;
  for (size_t k = 0; k < N_TRUTHS; k++) {
    tally t = {0};
    for (int i = 0; i < SOUND_PULLS; i++) play_truth(k, i, &t);
    printf(
        "  %-34s %3zu sound, named %zu; %2zu stood, named %zu; beyond 2 u %2zu, 3 u %zu; mean off %+.2f %%, "
        "u %.2f %%\n",
        truths[k].name, t.n, t.named, t.stood, t.stood_named, t.beyond_2, t.beyond_3,
        100 * t.sum_rel / SOUND_PULLS, 100 * sqrt(t.sum_u2 / SOUND_PULLS));
    named += t.named, n += t.n, beyond_2 += t.beyond_2;
  }
  printf("  of %zu sound pulls %zu are named\n", n, named);
  assert_true((double)named <= (getenv("CB_SLOW") ? 0.01 * (double)n : 2));
  assert_true((double)beyond_2 <= 0.06 * (double)(N_TRUTHS * SOUND_PULLS));
}

static void mishaps(void **state) {
  (void)state;
  size_t named_of_all = 0;
  for (int kind = 1; kind < N_SLIPS; kind++) {
    size_t named = 0, off = 0, missed = 0;
    for (int i = 0; i < SEEDS; i++) {
      slider s;
      const fit_pull p = play((slip)kind, i, &s);
      const bool told = p.outcome != FIT_PULL_OK || p.faults.n > 0,
                 wrong = p.outcome == FIT_PULL_OK && fabs(p.kinetic_N - s.kinetic_N) > 2 * p.u_kinetic_N;
      named += told, off += wrong, missed += wrong && !told;
    }
    printf("  %-14s named %zu of %d; beyond 2 u %zu, of these unnamed %zu\n", slip_names[kind], named, SEEDS,
           off, missed);
    assert_int_equal(missed, 0);
    named_of_all += named;
  }
  assert_true(named_of_all >= 0.95 * SEEDS * (N_SLIPS - 1));
}

/* ---- few sticks ---- */

#define FEW_PULLS 200
#define SWINGS_REL 0.03 /* standard deviation of a sled that surely sticks, over the mean */

/* Sticks and slips on a soft link, one and a half to nine of them in the plateau, damped little or much. */
static slider few_sticks(cb_rng *r, bool oddly) {
  slider s = slider_any(r);
  slider_spoil(&s, oddly ? STICKS_ODDLY : STICKS, r);
  s.static_N = s.kinetic_N * slider_between(r, 1.15, 2);
  const double swings = slider_between(r, 1.5, 9), damping = exp(slider_between(r, log(0.03), log(0.9))),
               back = exp(-M_PI * damping / sqrt(1 - damping * damping));
  s.link_N_per_m = (s.static_N - s.kinetic_N) * (1 + back) / (0.6 * s.travel_m / swings);
  s.damping_Ns_per_m = damping * 2 * sqrt(s.link_N_per_m * s.mass_kg);
  return s;
}

/* A sled that sticks and slips less than eight times is named, and the band holds the kinetic force. */
static void sticks_that_are_few(void **state) {
  (void)state;
  size_t n = 0, named = 0, off = 0;
  for (int i = 0; i < FEW_PULLS; i++) {
    cb_rng r;
    cb_rng_init(&r, (uint64_t)i, 78);
    const slider s = few_sticks(&r, i % 3 == 2);
    cb_trace t = slider_pull(&s, &r);
    const fit_pull p = reduce(&s, &t);
    cb_trace_clear(&t);
    const size_t peaks = p.plateau.stick_slip.n_peaks;
    if (p.outcome != FIT_PULL_OK || peaks < 2 || peaks > 7) continue;
    if (p.plateau.sd_N < SWINGS_REL * p.plateau.mean_N) continue;
    n++, off += fabs(p.kinetic_N - s.kinetic_N) > 2 * p.u_kinetic_N;
    for (size_t k = 0; k < p.faults.n; k++) named += p.faults.list[k].kind == FIT_FAULT_STICK_SLIP;
  }
  printf("  of %zu pulls with 2 to 7 swings, stick-slip %zu; beyond 2 u %zu\n", n, named, off);
  assert_true(n >= FEW_PULLS / 2);
  assert_true((double)named >= 0.95 * (double)n);
  assert_true((double)off <= 0.05 * (double)n);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(sound_pulls), cmocka_unit_test(mishaps),
                                     cmocka_unit_test(sticks_that_are_few)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
