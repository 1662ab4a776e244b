/* What is found in the stream of a run that is over: events and flags, from streams with known gaps, rates,
 * delays and spikes. */
#include "daq_stream_check.h"

#include <math.h>

#include "bench_fixture.h"
#include "cb_rng.h"

#define RATE_HZ 200.0
#define N 2000

typedef struct stream {
  size_t n;
  double t_s[N + 64], v[N + 64];
} stream;

/* One for all tests; each makes its stream anew. */
typedef struct fixture {
  bench b;
  stream s;
  const double *position_t, *position_m; /* what the stage answered in the next run; n_positions 0: nothing */
  size_t n_positions;
  bool asked; /* the readings were asked for */
  /* What was found in the last one. */
  bool sound;
  cb_event first; /* of the kind that was asked for */
  size_t all;     /* of any kind */
  char flags[128];
} fixture;

static int set_up(void **state) {
  static fixture f;
  char path[400];
  cbt_folder_set_up(state);
  bench_open(&f.b, cbt_path("t.db", path), "C", "B", 3);
  bench_campaign(&f.b, CB_CAMPAIGN_FRICTION, "stream");
  *state = &f;
  return 0;
}

static int tear_down(void **state) {
  fixture *f = *state;
  bench_close(&f->b);
  return cbt_folder_tear_down(state);
}

/* An even stream with up to 2 ms of delay and noise of 1 mN. */
static void even(stream *s, double rate_Hz) {
  cb_rng rng;
  cb_rng_init(&rng, 5, 1);
  s->n = N;
  for (size_t i = 0; i < N; i++) {
    s->t_s[i] = 0.1 + (double)i / rate_Hz + 0.002 * cb_rng_uniform(&rng);
    s->v[i] = 0.5 + 0.001 * cb_rng_normal(&rng);
  }
}

static void drop(stream *s, size_t at, size_t n) {
  memmove(s->t_s + at, s->t_s + at + n, (s->n - at - n) * sizeof s->t_s[0]);
  memmove(s->v + at, s->v + at + n, (s->n - at - n) * sizeof s->v[0]);
  s->n -= n;
}

/* Stores the stream as a run, checks it, and returns how many events of kind there are. */
static size_t found(fixture *f, double time_scale, const char *kind) {
  cb_store *store = f->b.store;
  cb_run run = f->b.like;
  cb_event *events;
  size_t n, of_kind = 0;
  run.repeat = 1;
  run.direction = 1;
  run.normal_force_N = 1;
  run.rate_Hz = f->asked ? 0 : RATE_HZ;
  assert_ok(cb_store_run_put(store, &run, err));
  assert_ok(cb_store_chunk_put(store, run.id, CB_CHANNEL_FORCE, 0, f->s.n, f->s.t_s, f->s.v, err));
  if (f->n_positions > 0)
    assert_ok(cb_store_chunk_put(store, run.id, CB_CHANNEL_POSITION, 0, f->n_positions, f->position_t,
                                 f->position_m, err));
  assert_ok(daq_stream_check(store, &run, time_scale, &f->sound, err));
  assert_ok(cb_store_run_get(store, run.id, &run, err));
  (void)snprintf(f->flags, sizeof f->flags, "%s", run.flags);
  assert_ok(cb_store_events(store, run.campaign_id, &events, &n, err));
  f->all = 0;
  for (size_t i = 0; i < n; i++) {
    if (events[i].run_id != run.id) continue;
    f->all++;
    if (strcmp(events[i].kind, kind) == 0 && of_kind++ == 0) f->first = events[i];
  }
  free(events);
  return of_kind;
}

static void nothing_to_tell(void **state) {
  fixture *f = *state;
  even(&f->s, RATE_HZ);
  assert_int_equal(found(f, 1, "gap"), 0);
  assert_int_equal(f->all, 0);
  assert_string_equal(f->flags, "");
}

static void gaps(void **state) {
  fixture *f = *state;
  even(&f->s, RATE_HZ);
  drop(&f->s, 800, 5);
  assert_int_equal(found(f, 1, "gap"), 1);
  assert_int_equal(f->all, 1);
  assert_int_equal(strtol(f->first.text, NULL, 10), 5);
  assert_non_null(strstr(f->first.text, "readings are missing after "));
  assert_near(f->first.t_s, f->s.t_s[799], 0.11); /* to within a tenth of a second (cb_clock.h) */
  assert_string_equal(f->flags, "gaps");
}

static void another_rate(void **state) {
  fixture *f = *state;
  even(&f->s, 1.05 * RATE_HZ);
  assert_int_equal(found(f, 1, "rate"), 1);
  assert_int_equal(f->all, 1);
  assert_string_equal(f->first.text, "the read-out sent 210 readings per second, the rig file says 200");
}

/* Twenty readings that wait for an adapter: late, but all there. */
static void late(void **state) {
  fixture *f = *state;
  even(&f->s, RATE_HZ);
  for (size_t i = 1000; i < 1020; i++) f->s.t_s[i] = f->s.t_s[1020];
  assert_int_equal(found(f, 1, "latency"), 1);
  assert_int_equal(f->all, 1);
  /* 100 ms .. 15 ms late */
  assert_true(strtol(f->first.text, NULL, 10) >= 16 && strtol(f->first.text, NULL, 10) <= 18);
  assert_string_equal(f->flags, "");
  /* The same in a virtual rig at ten times the pace is a tenth of that for the wall clock. */
  assert_int_equal(found(f, 10, "latency"), 0);
}

static void spikes(void **state) {
  fixture *f = *state;
  even(&f->s, RATE_HZ);
  for (size_t i = 1000; i < N; i++) f->s.v[i] += 0.3; /* a step is none */
  f->s.v[500] = 4.5;
  f->s.v[1500] = -0.8;
  assert_int_equal(found(f, 1, "spike"), 1);
  assert_int_equal(f->all, 1);
  assert_int_equal(strncmp(f->first.text, "2 readings stand alone, the first 4.5 at ", 41), 0);
}

/* The travel of a run is 30 mm at 10 mm/s (bench_fixture.h): its windows want times to a twentieth of 3 s. */
static void a_doubtful_clock(void **state) {
  fixture *f = *state;
  even(&f->s, RATE_HZ);
  for (size_t i = 100; i < 550; i++)
    f->s.t_s[i] = f->s.t_s[550]; /* 2.25 s of 10 s at once: a quarter is left with few early ones */
  assert_int_equal(found(f, 1, "clock"), 0);
  even(&f->s, RATE_HZ);
  drop(&f->s, 800, 40);
  assert_int_equal(found(f, 1, "clock"), 1);
  double doubt_s = 0;
  assert_int_equal(sscanf(f->first.text, "the times of the readings may be wrong by %lf s", &doubt_s), 1);
  assert_near(doubt_s, 0.2, 0.02); /* one gap in so short a stream is counted to within one or two */
  if (!strstr(f->flags, "clock") || !strstr(f->flags, "gaps")) fail_msg("%s", f->flags);
  assert_false(f->sound);
}

static void positions_far_apart(void **state) {
  fixture *f = *state;
  static const double even_t[] = {0, 1, 1.5, 2, 2.5, 3, 4}, blind_t[] = {0, 1, 1.5, 2, 2.9, 3.4, 4};
  static const double x[] = {0, 0, 0.005, 0.01, 0.015, 0.02, 0.02};
  even(&f->s, RATE_HZ);
  f->position_t = even_t, f->position_m = x, f->n_positions = 7;
  assert_int_equal(found(f, 1, "positions"), 0);
  assert_true(f->sound);
  f->position_t = blind_t; /* 0.9 s for what takes 0.5 s: 0.4 of 3 s may have been spent anywhere between */
  f->n_positions = 7;
  assert_int_equal(found(f, 1, "positions"), 0);
  static const double far_t[] = {0, 1, 1.5, 2, 3.2, 3.7, 4};
  f->position_t = far_t;
  assert_int_equal(found(f, 1, "positions"), 1);
  assert_non_null(strstr(f->first.text, "for 0.7 s"));
  assert_string_equal(f->flags, "positions");
  assert_false(f->sound);
  f->n_positions = 0;
}

static void too_short(void **state) {
  fixture *f = *state;
  even(&f->s, RATE_HZ);
  f->s.n = 5;
  assert_int_equal(found(f, 1, "clock"), 1);
  assert_string_equal(f->flags, "clock");
  assert_false(f->sound);
}

/* No clock but ours: late ones and a slow pace are as they should be; only where nothing was asked something
 * is missing. */
static void asked_one_by_one(void **state) {
  fixture *f = *state;
  f->asked = true;
  even(&f->s, 0.8 * RATE_HZ);
  for (size_t i = 500; i < N; i++) f->s.t_s[i] += 0.015;
  assert_int_equal(found(f, 1, "clock"), 0);
  assert_true(f->all == 0 && f->sound);
  assert_string_equal(f->flags, "");
  double pull_s = f->b.like.travel_m / f->b.like.speed_m_per_s;
  for (size_t i = 1500; i < N; i++) f->s.t_s[i] += 0.3 * pull_s;
  assert_int_equal(found(f, 1, "clock"), 1);
  assert_non_null(strstr(f->first.text, "s no reading was asked for"));
  assert_false(f->sound);
  assert_string_equal(f->flags, "clock");
  /* Positions came all the while: nobody was busy, and the read-out was silent. */
  static double t_s[4096], x_m[4096];
  f->position_t = t_s, f->position_m = x_m;
  for (f->n_positions = 0; f->n_positions < 4096; f->n_positions++) {
    t_s[f->n_positions] = f->s.t_s[0] + 0.01 * (double)f->n_positions;
    x_m[f->n_positions] = fmin(f->b.like.travel_m, 0.01 * (double)f->n_positions * f->b.like.speed_m_per_s);
  }
  assert_int_equal(found(f, 1, "clock"), 1);
  assert_non_null(strstr(f->first.text, "s the read-out answered no question"));
  /* The stage was not asked in the hole either. */
  size_t kept = 0;
  for (size_t i = 0; i < f->n_positions; i++)
    if (t_s[i] <= f->s.t_s[1499] || t_s[i] >= f->s.t_s[1500]) t_s[kept] = t_s[i], x_m[kept++] = x_m[i];
  f->n_positions = kept;
  assert_int_equal(found(f, 1, "clock"), 1);
  assert_non_null(strstr(f->first.text, "the computer was busy"));
  f->asked = false;
  f->n_positions = 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(nothing_to_tell),  cmocka_unit_test(gaps),
      cmocka_unit_test(another_rate),     cmocka_unit_test(late),
      cmocka_unit_test(spikes),           cmocka_unit_test(too_short),
      cmocka_unit_test(a_doubtful_clock), cmocka_unit_test(positions_far_apart),
      cmocka_unit_test(asked_one_by_one)};
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
