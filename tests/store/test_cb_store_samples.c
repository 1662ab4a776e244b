/* The store: samples in chunks and tails, what the check sees of them, and how they become newtons over
 * time. */
#include "storetest.h"

static void samples_come_back_bit_exact(void **state) {
  store_fixture *f = *state;
  cb_run run = store_make_run(f->s, CB_MEASURED);
  double t[300], v[300];
  for (int i = 0; i < 300; i++) t[i] = i * 0.1 + 1e-9 * i * i, v[i] = sin(i) * 1e-3;
  v[7] = -0.0;
  assert_ok(cb_store_chunk_put(f->s, run.id, CB_CHANNEL_FORCE, 0, 100, t, v, err));
  assert_ok(cb_store_chunk_put(f->s, run.id, CB_CHANNEL_FORCE, 100, 200, t + 100, v + 100, err));
  cb_series s;
  assert_ok(cb_store_samples(f->s, run.id, CB_CHANNEL_FORCE, &s, err));
  assert_int_equal(s.n, 300);
  assert_memory_equal(s.t_s, t, sizeof t);
  assert_memory_equal(s.v, v, sizeof v);
  cb_series_clear(&s);
  cb_store_tally tally;
  assert_ok(cb_store_check(f->s, &tally, err));
  assert_true(tally.n_chunks == 2 && tally.n_tails == 0 && tally.n_samples == 300 && tally.n_runs == 1 &&
              tally.n_channels == 1);
  cb_trace trace;
  assert_ok(cb_store_trace(f->s, &run, &trace, err));
  assert_true(trace.force_N.v[5] == 2 * v[5] && trace.position_m.n == 0);
  cb_trace_clear(&trace);
}

static void gaps_and_damage_are_seen(void **state) {
  store_fixture *f = *state;
  cb_run run = store_make_run(f->s, CB_MEASURED);
  double t[10] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, v[10] = {0};
  cb_series s;
  assert_ok(cb_store_chunk_put(f->s, run.id, CB_CHANNEL_POSITION, 0, 10, t, v, err));
  assert_ok(cb_store_chunk_put(f->s, run.id, CB_CHANNEL_POSITION, 11, 10, t, v, err));
  assert_fails(CB_E_DB, "sample 11 follows 9: samples are missing",
               cb_store_samples(f->s, run.id, CB_CHANNEL_POSITION, &s, err));
  assert_fails(CB_E_DB, "samples are missing", cb_store_check(f->s, NULL, err));
  assert_ok(cb_store_chunk_put(f->s, run.id, CB_CHANNEL_FORCE, 0, 10, t, v, err));
  store_exec_without_triggers(f->db,
                              "UPDATE sample_chunk SET payload = zeroblob(160) WHERE channel = 'force'");
  assert_fails(CB_E_DB, "damaged (CRC)", cb_store_samples(f->s, run.id, CB_CHANNEL_FORCE, &s, err));
}

/* Small batches rest in the tail, a long tail becomes a chunk, a large batch takes the tail with it, the end
 * packs what is left; at every moment all samples can be read. */
static void a_tail_becomes_chunks(void **state) {
  store_fixture *f = *state;
  enum { N = 3 * CB_CHUNK_N, SMALL = 1000 };
  static double t[N], v[N];
  static const struct {
    size_t n, chunks, tails; /* appended so far; then there are */
  } wanted[] = {{SMALL, 0, 1},      {CB_CHUNK_N - 1, 0, 2},
                {CB_CHUNK_N, 1, 0}, {CB_CHUNK_N + SMALL, 1, 1},
                {N - 7, 2, 0},      {N, 2, 1}};
  cb_run run = store_make_run(f->s, CB_MEASURED);
  size_t done = 0;
  cb_series s;
  cb_store_tally tally;
  for (size_t i = 0; i < N; i++) t[i] = (double)(i * 1000) / 1e6, v[i] = (double)(i * 2654435761u % 65536);
  for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++) {
    size_t n = wanted[i].n - done;
    assert_ok(
        cb_store_samples_append(f->s, run.id, CB_CHANNEL_FORCE, (int64_t)done, n, t + done, v + done, err));
    done += n;
    assert_ok(cb_store_samples(f->s, run.id, CB_CHANNEL_FORCE, &s, err));
    assert_int_equal(s.n, done);
    assert_memory_equal(s.v, v, done * sizeof *v);
    assert_memory_equal(s.t_s, t, done * sizeof *t);
    cb_series_clear(&s);
    assert_ok(cb_store_check(f->s, &tally, err));
    if (tally.n_chunks != wanted[i].chunks || tally.n_tails != wanted[i].tails)
      fail_msg("step %zu: %zu chunks and %zu tail rows", i, tally.n_chunks, tally.n_tails);
  }
  store_exec(f->db, "UPDATE sample_tail SET n = 2", "append-only");
  store_exec(f->db, "DELETE FROM sample_tail", "these samples are not in a chunk yet");
  size_t n;
  assert_ok(cb_store_runs_interrupt(f->s, run.campaign_id, &n, err));
  assert_ok(cb_store_check(f->s, &tally, err));
  assert_true(n == 1 && tally.n_chunks == 3 && tally.n_tails == 0 && tally.n_samples == N);
}

/* A damaged tail cannot be packed; the run can be ended nevertheless, and the check tells. */
static void a_damaged_tail_stays_where_it_is(void **state) {
  store_fixture *f = *state;
  cb_run run = store_make_run(f->s, CB_MEASURED);
  double t[3] = {0, 1, 2}, v[3] = {7, 8, 9};
  assert_ok(cb_store_samples_append(f->s, run.id, CB_CHANNEL_FORCE, 0, 3, t, v, err));
  store_exec(f->db, "DROP TRIGGER sample_tail_no_update; UPDATE sample_tail SET crc32 = crc32 + 1", NULL);
  assert_ok(cb_store_run_finish(f->s, run.id, CB_RUN_DONE, "", err));
  assert_fails(CB_E_DB, "damaged (CRC)", cb_store_check(f->s, NULL, err));
}

static void a_check_sees(store_fixture *f, const char *sql, const char *problem) {
  store_exec(f->db, sql, NULL);
  assert_fails(CB_E_DB, problem, cb_store_check(f->s, NULL, err));
}

static void the_check_looks_at_times(void **state) {
  store_fixture *f = *state;
  cb_run run = store_make_run(f->s, CB_MEASURED);
  double t[4] = {0, 2, 1, 3}, v[4] = {0};
  assert_ok(cb_store_chunk_put(f->s, run.id, CB_CHANNEL_FORCE, 0, 2, t, v, err));
  assert_ok(cb_store_check(f->s, NULL, err));
  assert_ok(cb_store_chunk_put(f->s, run.id, CB_CHANNEL_FORCE, 2, 2, t + 2, v, err));
  assert_fails(CB_E_DB, "sample 2 at 1 s follows one at 2 s: time goes back",
               cb_store_check(f->s, NULL, err));
}

static void the_check_looks_at_units_and_origins(void **state) {
  store_fixture *f = *state;
  cb_run run = store_make_run(f->s, CB_VIRTUAL);
  cb_run_channel c = {.run_id = run.id, .channel = CB_CHANNEL_FORCE, .c = {0, 1}, .scale = 1};
  assert_ok(cb_store_run_channel_put(f->s, &c, err));
  assert_ok(cb_store_check(f->s, NULL, err));
  a_check_sees(f, "DROP TRIGGER calibration_no_update; UPDATE calibration SET unit = 'furlong'",
               "calibration 1: 'furlong' is no unit");
  store_exec(f->db, "UPDATE calibration SET unit = 'N'", NULL);
  a_check_sees(f, "DROP TRIGGER run_channel_no_update; UPDATE run_channel SET scale = 0",
               "run 1, channel force");
  store_exec(f->db, "UPDATE run_channel SET scale = 1", NULL);
  a_check_sees(f, "DROP TRIGGER run_conditions_stay; UPDATE run SET origin = 'measured'",
               "belongs to a virtual campaign: run 1");
}

/* counts -> readings -> newtons: (x - 32768) * 2e-3. */
static void a_trace_goes_through_the_converter(void **state) {
  store_fixture *f = *state;
  cb_run run = store_make_run(f->s, CB_MEASURED);
  cb_run_channel c = {.run_id = run.id,
                      .channel = CB_CHANNEL_FORCE,
                      .origin = 32768,
                      .c = {0, 2e-3},
                      .scale = 1,
                      .granted_rate_Hz = 1000,
                      .skew_s = 1e-5};
  double t[20], v[20], x[2] = {0.25, 0.5}, tx[2] = {0, 1};
  cb_trace trace;
  for (int i = 0; i < 20; i++) t[i] = 0.001 * i, v[i] = 32768 + 100 * i;
  assert_ok(cb_store_run_channel_put(f->s, &c, err));
  assert_ok(cb_store_chunk_put(f->s, run.id, CB_CHANNEL_FORCE, 0, 20, t, v, err));
  assert_ok(cb_store_chunk_put(f->s, run.id, CB_CHANNEL_POSITION, 0, 2, tx, x, err));
  assert_ok(cb_store_trace(f->s, &run, &trace, err));
  for (int i = 0; i < 20; i++) {
    assert_near(trace.force_N.v[i], 0.2 * i * 2, 1e-12); /* the calibration of store_make_run: 2 N per unit */
    assert_near(trace.force_N.t_s[i], 0.001 * i + 1e-5, 1e-12);
  }
  assert_true(trace.position_m.n == 2 && trace.position_m.v[1] == 0.5);
  cb_trace_clear(&trace);
}

/* Readings that were asked for: the stamps are their times, however uneven. */
static void a_trace_without_a_clock(void **state) {
  store_fixture *f = *state;
  cb_run run = store_make_run(f->s, CB_MEASURED);
  double t[20], v[20];
  cb_trace trace;
  for (int i = 0; i < 20; i++) t[i] = 0.01 * i + (i > 7 ? 0.033 : 0), v[i] = i;
  assert_ok(cb_store_chunk_put(f->s, run.id, CB_CHANNEL_FORCE, 0, 20, t, v, err));
  run.rate_Hz = 0;
  assert_ok(cb_store_trace(f->s, &run, &trace, err));
  assert_true(trace.doubt_s == 0 && trace.n_lost == 0);
  assert_memory_equal(trace.force_N.t_s, t, sizeof t);
  cb_trace_clear(&trace);
}

/* What a board counted becomes a force by its converter first and the calibration (2 N per unit) then. */
static void counts_become_newtons(void **state) {
  store_fixture *f = *state;
  cb_run run = store_make_run(f->s, CB_MEASURED);
  const double t[] = {0, 0.001, 0.002}, counts[] = {32768, 32778, 0};
  const cb_run_channel c = {.run_id = run.id,
                            .channel = CB_CHANNEL_FORCE,
                            .origin = 32768,
                            .c = {0.5, 1e-3},
                            .scale = 10,
                            .offset = 0.25};
  cb_trace trace;
  assert_ok(cb_store_chunk_put(f->s, run.id, CB_CHANNEL_FORCE, 0, 3, t, counts, err));
  assert_ok(cb_store_run_channel_put(f->s, &c, err));
  assert_ok(cb_store_trace(f->s, &run, &trace, err));
  assert_near(trace.force_N.v[0], 2 * (10 * 0.5 + 0.25), 1e-12);
  assert_near(trace.force_N.v[1], 2 * (10 * 0.51 + 0.25), 1e-12);
  assert_near(trace.force_N.v[2], 2 * (10 * (0.5 - 32.768) + 0.25), 1e-9);
  cb_trace_clear(&trace);
}

int main(void) {
  const struct CMUnitTest tests[] = {STORE_TEST(samples_come_back_bit_exact),
                                     STORE_TEST(gaps_and_damage_are_seen),
                                     STORE_TEST(a_tail_becomes_chunks),
                                     STORE_TEST(a_damaged_tail_stays_where_it_is),
                                     STORE_TEST(the_check_looks_at_times),
                                     STORE_TEST(the_check_looks_at_units_and_origins),
                                     STORE_TEST(a_trace_goes_through_the_converter),
                                     STORE_TEST(a_trace_without_a_clock),
                                     STORE_TEST(counts_become_newtons)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
