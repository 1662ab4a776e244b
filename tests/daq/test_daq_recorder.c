/* What is pushed arrives in the store, whole and in order, soon, and never at the price of waiting. */
#include "daqtest.h"

#include "cb_time.h"
#include "daq_recorder.h"

typedef struct fixture {
  char path[400];
  cb_store *store;
  int64_t campaign_id, run_id;
} fixture;

static int64_t put_run(fixture *f) {
  cb_campaign c = {.name = "t",
                   .kind = CB_CAMPAIGN_FRICTION,
                   .plan_text = (char[]){"text"},
                   .temperature_degC = NAN,
                   .humidity_percent = NAN,
                   .origin = CB_VIRTUAL};
  int64_t cloth, body;
  assert_ok(cb_store_material_ensure(f->store, CB_CLOTH, "c", CB_VIRTUAL, &cloth, err));
  assert_ok(cb_store_material_ensure(f->store, CB_BODY, "b", CB_VIRTUAL, &body, err));
  c.cloth_id = cloth;
  c.body_id = body;
  assert_ok(cb_store_campaign_put(f->store, &c, err));
  f->campaign_id = c.id;
  cb_run run = {.campaign_id = c.id,
                .cloth_id = cloth,
                .body_id = body,
                .contact_area_m2 = 1,
                .direction = 1,
                .repeat = 1,
                .origin = CB_VIRTUAL,
                .status = CB_RUN_RUNNING};
  assert_ok(cb_store_run_put(f->store, &run, err));
  return run.id;
}

static int set_up(void **state) {
  fixture *f = calloc(1, sizeof *f);
  assert_non_null(f);
  cbt_folder_set_up(state);
  (void)cbt_path("t.db", f->path);
  assert_ok(cb_store_open(f->path, CB_STORE_WRITE, &f->store, err));
  f->run_id = put_run(f);
  *state = f;
  return 0;
}

static int tear_down(void **state) {
  fixture *f = *state;
  assert_ok(cb_store_close(f->store, err));
  cbt_folder_tear_down(state);
  free(f);
  return 0;
}

static void all_in_order(void **state) {
  fixture *f = *state;
  daq_recorder *r;
  cb_series force, position;
  cb_event *events;
  size_t n_events;
  cb_store_tally tally;
  assert_ok(daq_recorder_start(f->store, f->campaign_id, f->run_id, 0, &r, err));
  for (int i = 0; i < 3000; i++) {
    assert_ok(daq_recorder_push(r, CB_CHANNEL_FORCE, 0.01 * i, sqrt(i), err));
    if (i % 10 == 0) assert_ok(daq_recorder_push(r, CB_CHANNEL_POSITION, 0.01 * i, -i, err));
    if (i == 1500) assert_ok(daq_recorder_event(r, 15, "pull", "from 1 to 2", err));
    if (i % 500 == 0) cb_sleep_s(0.12); /* several transactions */
  }
  assert_ok(daq_recorder_stop(r, err));
  assert_ok(cb_store_samples(f->store, f->run_id, CB_CHANNEL_FORCE, &force, err));
  assert_ok(cb_store_samples(f->store, f->run_id, CB_CHANNEL_POSITION, &position, err));
  assert_int_equal(force.n, 3000);
  assert_int_equal(position.n, 300);
  /* Raw: the same bits; stamps to the microsecond. */
  for (int i = 0; i < 3000; i++)
    assert_true(force.t_s[i] == (double)(10000 * i) / 1e6 && force.v[i] == sqrt(i));
  for (int i = 0; i < 300; i++) assert_true(position.v[i] == -10 * i);
  assert_ok(cb_store_events(f->store, f->campaign_id, &events, &n_events, err));
  assert_int_equal(n_events, 1);
  assert_string_equal(events[0].text, "from 1 to 2");
  assert_int_equal(events[0].run_id, f->run_id);
  assert_true(events[0].t_s == 15);
  assert_ok(cb_store_check(f->store, &tally, err));
  assert_true(tally.n_tails >= 4 && tally.n_chunks == 0 && tally.n_samples == 3300 && tally.n_channels == 2);
  /* The end of the run packs them. */
  assert_ok(cb_store_run_finish(f->store, f->run_id, CB_RUN_DONE, "", err));
  assert_ok(cb_store_check(f->store, &tally, err));
  assert_true(tally.n_tails == 0 && tally.n_chunks == 2 && tally.n_samples == 3300);
  free(events);
  cb_series_clear(&force);
  cb_series_clear(&position);
}

/* Another program sees the samples while the run goes on. */
static void soon_on_disk(void **state) {
  fixture *f = *state;
  daq_recorder *r;
  cb_store *reader;
  cb_series s = {0};
  assert_ok(cb_store_open(f->path, CB_STORE_READ, &reader, err));
  assert_ok(daq_recorder_start(f->store, f->campaign_id, f->run_id, 0, &r, err));
  assert_ok(daq_recorder_push(r, CB_CHANNEL_FORCE, 0, 1, err));
  double began = cb_now_monotonic_s();
  while (s.n == 0 && cb_now_monotonic_s() - began < CBT_HANG_S) {
    cb_series_clear(&s);
    assert_ok(cb_store_samples(reader, f->run_id, CB_CHANNEL_FORCE, &s, err));
    cb_sleep_s(0.005);
  }
  assert_int_equal(s.n, 1);
  print_message("on disk after %.0f ms\n", 1e3 * (cb_now_monotonic_s() - began));
  cb_series_clear(&s);
  assert_ok(daq_recorder_stop(r, err));
  assert_ok(cb_store_close(reader, err));
}

/* The disk stands still (another program holds the database): pushing goes on without waiting until the queue
 * is full, and then says so; what was taken is written once the disk moves again. */
static void never_waits(void **state) {
  fixture *f = *state;
  daq_recorder *r;
  cb_store *other;
  cb_series s;
  cb_err e = {""};
  cb_status st = CB_OK;
  size_t n = 0;
  assert_ok(cb_store_open(f->path, CB_STORE_WRITE, &other, err));
  assert_ok(daq_recorder_start(f->store, f->campaign_id, f->run_id, 0, &r, err));
  assert_ok(cb_store_begin(other, err));
  assert_ok(daq_recorder_push(r, CB_CHANNEL_FORCE, 0, 0, err));
  cb_sleep_s(0.2); /* the writer waits for the database now */
  double longest = 0;
  for (n = 1; st == CB_OK; n++) {
    double began = cb_now_monotonic_s();
    st = daq_recorder_push(r, CB_CHANNEL_FORCE, (double)n, (double)n, &e);
    longest = fmax(longest, cb_now_monotonic_s() - began);
  }
  assert_int_equal(st, CB_E_IO);
  assert_non_null(strstr(e.msg, "the disk does not keep up"));
  assert_non_null(strstr(e.msg, f->path));
  /* What the writer is about to write waits as well: 65536 in all, the first one among them. */
  assert_int_equal(n - 1, DAQ_RECORDER_SAMPLES);
  assert_true(longest < 0.5 * cbt_patience()); /* the database is held all the while */
  cb_store_rollback(other);
  assert_ok(cb_store_close(other, err));
  cb_sleep_s(0.3);
  /* There is room again, but a sample is missing: nothing may follow it. */
  assert_fails(CB_E_IO, "the disk does not keep up", daq_recorder_push(r, CB_CHANNEL_FORCE, 1e6, 0, err));
  assert_ok(daq_recorder_stop(r, err));
  assert_ok(cb_store_samples(f->store, f->run_id, CB_CHANNEL_FORCE, &s, err));
  assert_int_equal(s.n, DAQ_RECORDER_SAMPLES);
  for (size_t i = 0; i < s.n; i++) assert_true(s.v[i] == (double)i);
  cb_series_clear(&s);
}

static void events_are_bounded(void **state) {
  fixture *f = *state;
  daq_recorder *r;
  cb_store *other;
  assert_ok(cb_store_open(f->path, CB_STORE_WRITE, &other, err));
  assert_ok(daq_recorder_start(f->store, f->campaign_id, f->run_id, 0, &r, err));
  assert_ok(cb_store_begin(other, err));
  assert_ok(daq_recorder_event(r, 0, "k", "t", err));
  cb_sleep_s(0.2);
  for (int i = 1; i < DAQ_RECORDER_EVENTS; i++) assert_ok(daq_recorder_event(r, 0, "k", "t", err));
  assert_fails(CB_E_IO, "events are waiting", daq_recorder_event(r, 0, "k", "t", err));
  cb_store_rollback(other);
  assert_ok(cb_store_close(other, err));
  assert_ok(daq_recorder_stop(r, err));
}

/* Until so many samples of every channel are on the disk: a transaction holds all channels. */
static void wait_for(const fixture *f, cb_store *reader, size_t n) {
  double until_s = cb_now_monotonic_s() + CBT_HANG_S;
  for (size_t there = 0; there < n;) {
    cb_series s;
    assert_ok(cb_store_samples(reader, f->run_id, CB_CHANNEL_TEMPERATURE, &s, err));
    there = s.n;
    cb_series_clear(&s);
    assert_true(cb_now_monotonic_s() < until_s);
    cb_sleep_s(0.01);
  }
}

/* Blocks of every size, over the ring's end many times; four channels at once; all of it comes back. */
static void blocks_arrive_whole(void **state) {
  fixture *f = *state;
  enum { N = 300000, LARGEST = 5000 };
  static double v[LARGEST];
  daq_recorder *r;
  cb_store *reader;
  size_t sent = 0, waited_at = 0;
  assert_ok(cb_store_open(f->path, CB_STORE_READ, &reader, err));
  assert_ok(daq_recorder_start(f->store, f->campaign_id, f->run_id, 1000, &r, err));
  for (size_t n = 1; sent < N; n = n * 7 % LARGEST + 1) {
    for (size_t i = 0; i < n; i++) v[i] = (double)((sent + i) * 40503 % 65536);
    for (int c = 0; c < 4; c++)
      assert_ok(daq_recorder_push_block(r, (cb_channel)c, 1e-6 * (double)sent, v, n, err));
    sent += n;
    if (sent - waited_at < 30000) continue;
    wait_for(f, reader, sent); /* the writer's turn, however slow the machine is */
    waited_at = sent;
  }
  assert_ok(daq_recorder_stop(r, err));
  assert_ok(cb_store_close(reader, err));
  for (int c = 0; c < 4; c++) {
    cb_series s;
    assert_ok(cb_store_samples(f->store, f->run_id, (cb_channel)c, &s, err));
    assert_int_equal(s.n, sent);
    for (size_t i = 0; i < s.n; i++) assert_true(s.v[i] == (double)(i * 40503 % 65536));
    cb_series_clear(&s);
  }
  assert_ok(cb_store_check(f->store, NULL, err));
}

/* 2 s of the rate that was asked for fit, and not one sample more than the ring. */
static void the_ring_follows_the_rate(void **state) {
  fixture *f = *state;
  static double v[131072];
  daq_recorder *r;
  cb_store *other;
  assert_ok(cb_store_open(f->path, CB_STORE_WRITE, &other, err));
  assert_ok(daq_recorder_start(f->store, f->campaign_id, f->run_id, 65536, &r, err));
  assert_ok(cb_store_begin(other, err));
  assert_ok(daq_recorder_push_block(r, CB_CHANNEL_FORCE, 0, v, 131072, err));
  assert_fails(CB_E_IO, "131072 samples of the force channel",
               daq_recorder_push_block(r, CB_CHANNEL_FORCE, 0, v, 1, err));
  cb_store_rollback(other);
  assert_ok(cb_store_close(other, err));
  assert_ok(daq_recorder_stop(r, err));
}

/* The store refuses (no such run): the next push says so, and so does the end. */
static void store_fails(void **state) {
  fixture *f = *state;
  daq_recorder *r;
  cb_err e = {""};
  cb_status st = CB_OK;
  assert_ok(daq_recorder_start(f->store, f->campaign_id, f->run_id + 77, 0, &r, err));
  for (int i = 0; i < 200 && st == CB_OK; i++) {
    st = daq_recorder_push(r, CB_CHANNEL_FORCE, i, i, &e);
    cb_sleep_s(0.01);
  }
  assert_int_equal(st, CB_E_DB);
  assert_non_null(strstr(e.msg, f->path));
  assert_fails(CB_E_DB, f->path, daq_recorder_event(r, 0, "k", "t", err));
  assert_fails(CB_E_DB, f->path, daq_recorder_stop(r, err));
  assert_ok(cb_store_check(f->store, NULL, err));
  assert_ok(daq_recorder_stop(NULL, err));
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

int main(void) {
  const struct CMUnitTest tests[] = {TEST(all_in_order),        TEST(soon_on_disk),
                                     TEST(never_waits),         TEST(events_are_bounded),
                                     TEST(blocks_arrive_whole), TEST(the_ring_follows_the_rate),
                                     TEST(store_fails)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
