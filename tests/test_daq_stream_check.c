/* What is found in the stream of a run that is over: events and flags, from streams with known gaps, rates, delays and spikes. */
#include "daq_stream_check.h"

#include <math.h>

#include "bench_fixture.h"
#include "cb_rng.h"

#define RATE_HZ 200.0
#define N 2000

static char folder[256], path[300];
static bench b;
static const double *position_t, *position_m; /* what the stage answered in the next runs; n_positions 0: nothing */
static size_t n_positions;
static bool sound; /* the last verdict */

static int set_up(void **state) {
  (void)state;
  cbt_scratch(folder);
  (void)snprintf(path, sizeof path, "%s/t.db", folder);
  bench_open(&b, path, "C", "B", 3);
  bench_campaign(&b, CB_CAMPAIGN_FRICTION, "stream");
  return 0;
}

static int tear_down(void **state) {
  (void)state;
  bench_close(&b);
  cbt_remove(folder);
  return 0;
}

typedef struct stream {
  size_t n;
  double t_s[N + 64], v[N + 64];
} stream;

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

/* Stores it as a run, checks it, and returns the events of kind; all: of any. */
static size_t found(const stream *s, double time_scale, const char *kind, cb_event *first, size_t *all, char flags[128]) {
  cb_run run = b.like;
  cb_event *events;
  size_t n, of_kind = 0;
  run.repeat = 1;
  run.direction = 1;
  run.normal_force_N = 1;
  run.rate_Hz = RATE_HZ;
  assert_ok(cb_store_run_put(b.store, &run, err));
  assert_ok(cb_store_chunk_put(b.store, run.id, CB_CHANNEL_FORCE, 0, s->n, s->t_s, s->v, err));
  if (n_positions > 0) assert_ok(cb_store_chunk_put(b.store, run.id, CB_CHANNEL_POSITION, 0, n_positions, position_t, position_m, err));
  assert_ok(daq_stream_check(b.store, &run, time_scale, &sound, err));
  assert_ok(cb_store_run_get(b.store, run.id, &run, err));
  (void)snprintf(flags, 128, "%s", run.flags);
  assert_ok(cb_store_events(b.store, run.campaign_id, &events, &n, err));
  *all = 0;
  for (size_t i = 0; i < n; i++) {
    if (events[i].run_id != run.id) continue;
    (*all)++;
    if (strcmp(events[i].kind, kind) == 0 && of_kind++ == 0) *first = events[i];
  }
  free(events);
  return of_kind;
}

static void nothing_to_tell(void **state) {
  (void)state;
  static stream s;
  cb_event e;
  size_t all;
  char flags[128];
  even(&s, RATE_HZ);
  assert_int_equal(found(&s, 1, "gap", &e, &all, flags), 0);
  assert_int_equal(all, 0);
  assert_string_equal(flags, "");
}

static void gaps(void **state) {
  (void)state;
  static stream s;
  cb_event e;
  size_t all;
  char flags[128];
  even(&s, RATE_HZ);
  drop(&s, 800, 5);
  assert_int_equal(found(&s, 1, "gap", &e, &all, flags), 1);
  assert_int_equal(all, 1);
  assert_int_equal(strtol(e.text, NULL, 10), 5);
  assert_non_null(strstr(e.text, "readings are missing after "));
  assert_near(e.t_s, s.t_s[799], 0.11); /* to within a tenth of a second (cb_clock.h) */
  assert_string_equal(flags, "gaps");
}

static void another_rate(void **state) {
  (void)state;
  static stream s;
  cb_event e;
  size_t all;
  char flags[128];
  even(&s, 1.05 * RATE_HZ);
  assert_int_equal(found(&s, 1, "rate", &e, &all, flags), 1);
  assert_int_equal(all, 1);
  assert_string_equal(e.text, "the read-out sent 210 readings per second, the rig file says 200");
}

/* Twenty readings that wait for an adapter: late, but all there. */
static void late(void **state) {
  (void)state;
  static stream s;
  cb_event e;
  size_t all;
  char flags[128];
  even(&s, RATE_HZ);
  for (size_t i = 1000; i < 1020; i++) s.t_s[i] = s.t_s[1020];
  assert_int_equal(found(&s, 1, "latency", &e, &all, flags), 1);
  assert_int_equal(all, 1);
  assert_true(strtol(e.text, NULL, 10) >= 16 && strtol(e.text, NULL, 10) <= 18); /* 100 ms .. 15 ms late */
  assert_string_equal(flags, "");
  /* The same in a virtual rig at ten times the pace is a tenth of that for the wall clock. */
  assert_int_equal(found(&s, 10, "latency", &e, &all, flags), 0);
}

static void spikes(void **state) {
  (void)state;
  static stream s;
  cb_event e;
  size_t all;
  char flags[128];
  even(&s, RATE_HZ);
  for (size_t i = 1000; i < N; i++) s.v[i] += 0.3; /* a step is none */
  s.v[500] = 4.5;
  s.v[1500] = -0.8;
  assert_int_equal(found(&s, 1, "spike", &e, &all, flags), 1);
  assert_int_equal(all, 1);
  assert_int_equal(strncmp(e.text, "2 readings stand alone, the first 4.5 at ", 41), 0);
}

/* The travel of a run is 30 mm at 10 mm/s (bench_fixture.h): its windows want times to a twentieth of 3 s. */
static void a_doubtful_clock(void **state) {
  (void)state;
  static stream s;
  cb_event e;
  size_t all;
  char flags[128];
  even(&s, RATE_HZ);
  for (size_t i = 100; i < 550; i++) s.t_s[i] = s.t_s[550]; /* 2.25 s of 10 s at once: a quarter is left with few early ones */
  assert_int_equal(found(&s, 1, "clock", &e, &all, flags), 0);
  even(&s, RATE_HZ);
  drop(&s, 800, 40);
  assert_int_equal(found(&s, 1, "clock", &e, &all, flags), 1);
  double doubt_s = 0;
  assert_int_equal(sscanf(e.text, "the times of the readings may be wrong by %lf s", &doubt_s), 1);
  assert_near(doubt_s, 0.2, 0.02); /* one gap in so short a stream is counted to within one or two */
  if (!strstr(flags, "clock") || !strstr(flags, "gaps")) fail_msg("%s", flags);
  assert_false(sound);
}

static void positions_far_apart(void **state) {
  (void)state;
  static stream s;
  static const double even_t[] = {0, 1, 1.5, 2, 2.5, 3, 4}, blind_t[] = {0, 1, 1.5, 2, 2.9, 3.4, 4};
  static const double x[] = {0, 0, 0.005, 0.01, 0.015, 0.02, 0.02};
  cb_event e;
  size_t all;
  char flags[128];
  even(&s, RATE_HZ);
  position_t = even_t, position_m = x, n_positions = 7;
  assert_int_equal(found(&s, 1, "positions", &e, &all, flags), 0);
  assert_true(sound);
  position_t = blind_t; /* 0.9 s for what takes 0.5 s: 0.4 of 3 s may have been spent anywhere between */
  n_positions = 7;
  assert_int_equal(found(&s, 1, "positions", &e, &all, flags), 0);
  static const double far_t[] = {0, 1, 1.5, 2, 3.2, 3.7, 4};
  position_t = far_t;
  assert_int_equal(found(&s, 1, "positions", &e, &all, flags), 1);
  assert_non_null(strstr(e.text, "for 0.7 s"));
  assert_string_equal(flags, "positions");
  assert_false(sound);
  n_positions = 0;
}

static void too_short(void **state) {
  (void)state;
  static stream s;
  cb_event e;
  size_t all;
  char flags[128];
  even(&s, RATE_HZ);
  s.n = 5;
  assert_int_equal(found(&s, 1, "clock", &e, &all, flags), 1);
  assert_string_equal(flags, "clock");
  assert_false(sound);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(nothing_to_tell),  cmocka_unit_test(gaps),
                                     cmocka_unit_test(another_rate),     cmocka_unit_test(late),
                                     cmocka_unit_test(spikes),           cmocka_unit_test(too_short),
                                     cmocka_unit_test(a_doubtful_clock), cmocka_unit_test(positions_far_apart)};
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
