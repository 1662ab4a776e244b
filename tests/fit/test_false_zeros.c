/* 200 pulls with a read-out that freezes, a zero that walks and a zero that jumps: the guard stops, or the
 * run is flagged, or its numbers hold. The engine's own parts judge them: guard, zeros, reduction. */
#include <stdio.h>

#include "cb_still.h"
#include "cb_stats.h"
#include "daq_guard.h"
#include "daq_zero.h"
#include "falsepulls.h"
#include "fit_pull.h"

#define PULLS 200
#define WRONG 4 /* standard uncertainties */
#define AFTER_S 1.5

typedef enum fault { NONE, FREEZES, WALKS, JUMPS, N_FAULTS } fault;

/* The zero of the read-out, and whether it still speaks the truth. */
typedef struct cell {
  fault kind;
  double at_s;       /* when it freezes or jumps */
  double N, N_per_s; /* by how much; how fast it walks */
  double last;
} cell;

static double say(cell *c, double t_s, double v) {
  if (c->kind == FREEZES && t_s >= c->at_s) return isnan(c->last) ? v : c->last;
  if (c->kind == WALKS) v += c->N_per_s * t_s;
  if (c->kind == JUMPS && t_s >= c->at_s) v += c->N;
  c->last = v;
  return v;
}

typedef struct result {
  bool stopped, flagged, wrong;
} result;

/* A stop, or false. */
static bool guard_stops(daq_guard *g, const cb_series *f, size_t from, size_t to) {
  for (size_t i = from; i < to; i++)
    if (daq_guard_force(g, f->v[i], false, f->t_s[i], NULL) != CB_OK) return true;
  return false;
}

/* What the cell says of a pull and of the rest after it. */
static void speak(cell *c, cb_trace *t, const rigged *p, cb_rng *rng, cb_series *after) {
  for (size_t i = 0; i < t->force_N.n; i++) {
    const double v = say(c, t->force_N.t_s[i], t->force_N.v[i]);
    t->force_N.v[i] = p->digit_N > 0 ? p->digit_N * round(v / p->digit_N) : v;
  }
  const double end_s = t->force_N.t_s[t->force_N.n - 1];
  for (size_t i = 1; (double)i < AFTER_S * p->rate_Hz; i++) {
    const double t_s = end_s + (double)i / p->rate_Hz,
                 v = say(c, t_s, p->zero_N + p->noise_N * cb_rng_normal(rng));
    assert_ok(cb_series_push(after, t_s, p->digit_N > 0 ? p->digit_N * round(v / p->digit_N) : v, err));
  }
}

static daq_zero zero_of(const cb_series *s, size_t n, double digit) {
  daq_zero z;
  assert_ok(daq_zero_of(&(cb_series){.n = n, .t_s = s->t_s, .v = s->v}, digit, &z, err));
  return z;
}

static bool is_wrong(const cb_trace *t, const rigged *p, double drift_N) {
  fit_pull r;
  fit_pull_options opt = fit_pull_options_default();
  assert_ok(fit_pull_reduce(t, 1, p->travel_m, &opt, &r, err));
  if (r.outcome != FIT_PULL_OK) return false;
  fit_pull_zero_drift(&r, 1, drift_N);
  return fabs(r.kinetic_N - p->kinetic_N) > WRONG * r.u_kinetic_N ||
         (isfinite(r.static_N) && fabs(r.static_N - p->static_N) > WRONG * r.u_static_N);
}

static result judge(const cb_trace *t, const rigged *p, const cb_series *after) {
  const cb_series *f = &t->force_N;
  cb_rig rig = {.force = {.rate_Hz = p->rate_Hz, .overload_N = 8 * p->kinetic_N, .silence_timeout_s = 10},
                .calibration = {.slope_N_per_unit = 1}};
  daq_guard g;
  size_t first, longest;
  double chance;
  daq_guard_init(&g, &rig, 0);
  result r = {.stopped = guard_stops(&g, f, 0, t->n_rest)};
  daq_zero before = zero_of(f, t->n_rest, p->digit_N), later = zero_of(after, after->n, p->digit_N);
  daq_guard_set_zero(&g, before.mean);
  daq_guard_set_still_limit(&g, before.still_limit);
  r.stopped = r.stopped || guard_stops(&g, f, t->n_rest, f->n) || guard_stops(&g, after, 0, after->n);
  r.flagged =
      daq_zero_drifted(&before, &later, &chance) || cb_still_find(f->v, f->n, t->n_rest, &first, &longest);
  r.wrong = is_wrong(t, p, later.mean - before.mean);
  return r;
}

/* The same pull with the same noise for every fault. */
static result play(int i, fault kind) {
  cb_rng rng;
  cb_series after = {0};
  size_t n_false;
  cb_rng_init(&rng, (uint64_t)i, 5);
  rigged p = rigged_any(&rng);
  p.counted = true;
  cb_trace t = rigged_pull(&p, &rng, SPIKE_UP, 0, 1, &n_false);
  const double end_s = t.force_N.t_s[t.force_N.n - 1];
  cell c = {.kind = kind,
            .at_s = between(&rng, 0, end_s),
            .N = p.kinetic_N * exp(between(&rng, log(0.003), log(3))),
            .N_per_s = p.kinetic_N * exp(between(&rng, log(0.001), log(1))),
            .last = NAN};
  speak(&c, &t, &p, &rng, &after);
  result r = judge(&t, &p, &after);
  cb_series_clear(&after);
  cb_trace_clear(&t);
  return r;
}

static void three_faults(void **state) {
  (void)state;
  static const char *const names[] = {"sound", "freezes", "walks", "jumps"};
  size_t stopped[N_FAULTS] = {0}, flagged[N_FAULTS] = {0}, wrong[N_FAULTS] = {0}, quiet[N_FAULTS] = {0};
  for (int i = 0; i < PULLS; i++) {
    const result sound = play(i, NONE);
    for (int k = 0; k < N_FAULTS; k++) {
      const result r = k == NONE ? sound : play(i, (fault)k);
      stopped[k] += r.stopped;
      flagged[k] += r.flagged;
      wrong[k] += r.wrong && !sound.wrong;
      quiet[k] += r.wrong && !sound.wrong && !r.stopped && !r.flagged;
    }
  }
  for (int k = 0; k < N_FAULTS; k++)
    printf(
        "  %-8s stopped %zu, flagged %zu, wrong by %d u for the fault %zu, of these neither stopped nor "
        "flagged %zu\n",
        names[k], stopped[k], flagged[k], WRONG, wrong[k], quiet[k]);
  for (int k = 1; k < N_FAULTS; k++) assert_int_equal(quiet[k], 0);
  assert_int_equal(stopped[NONE], 0);
  assert_true(flagged[NONE] <= 2);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(three_faults)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
