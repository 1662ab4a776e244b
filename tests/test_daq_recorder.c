/* What is pushed arrives in the store, whole and in order, soon, and never at the price of waiting. */
#include "daqtest.h"

#include "cb_time.h"
#include "daq_recorder.h"

typedef struct fixture {
  char folder[256], path[300];
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
  cbt_scratch(f->folder);
  (void)snprintf(f->path, sizeof f->path, "%s/t.db", f->folder);
  assert_ok(cb_store_open(f->path, CB_STORE_WRITE, &f->store, err));
  f->run_id = put_run(f);
  *state = f;
  return 0;
}

static int tear_down(void **state) {
  fixture *f = *state;
  assert_ok(cb_store_close(f->store, err));
  cbt_remove(f->folder);
  free(f);
  return 0;
}

static void all_in_order(void **state) {
  fixture *f = *state;
  daq_recorder *r;
  cb_series force, position;
  cb_event *events;
  size_t n_events, n_chunks;
  assert_ok(daq_recorder_start(f->store, f->campaign_id, f->run_id, &r, err));
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
  /* Raw: the same bits. */
  for (int i = 0; i < 3000; i++) assert_true(force.t_s[i] == 0.01 * i && force.v[i] == sqrt(i));
  for (int i = 0; i < 300; i++) assert_true(position.v[i] == -10 * i);
  assert_ok(cb_store_events(f->store, f->campaign_id, &events, &n_events, err));
  assert_int_equal(n_events, 1);
  assert_string_equal(events[0].text, "from 1 to 2");
  assert_int_equal(events[0].run_id, f->run_id);
  assert_true(events[0].t_s == 15);
  assert_ok(cb_store_check(f->store, &n_chunks, err));
  assert_true(n_chunks >= 4);
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
  assert_ok(daq_recorder_start(f->store, f->campaign_id, f->run_id, &r, err));
  assert_ok(daq_recorder_push(r, CB_CHANNEL_FORCE, 0, 1, err));
  double began = cb_now_monotonic_s();
  while (s.n == 0 && cb_now_monotonic_s() - began < 5) {
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

/* The disk stands still (another program holds the database): pushing goes on without waiting until the queue is full, and then
 * says so; what was taken is written once the disk moves again. */
static void never_waits(void **state) {
  fixture *f = *state;
  daq_recorder *r;
  cb_store *other;
  cb_series s;
  cb_err e = {""};
  cb_status st = CB_OK;
  size_t n = 0;
  assert_ok(cb_store_open(f->path, CB_STORE_WRITE, &other, err));
  assert_ok(daq_recorder_start(f->store, f->campaign_id, f->run_id, &r, err));
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
  assert_int_equal(n - 2, DAQ_RECORDER_SAMPLES);
  assert_true(longest < 0.5); /* the database is held all the while; a preempted push may take a moment */
  cb_store_rollback(other);
  assert_ok(cb_store_close(other, err));
  assert_ok(daq_recorder_stop(r, err));
  assert_ok(cb_store_samples(f->store, f->run_id, CB_CHANNEL_FORCE, &s, err));
  assert_int_equal(s.n, DAQ_RECORDER_SAMPLES + 1);
  for (size_t i = 0; i < s.n; i++) assert_true(s.v[i] == (double)i);
  cb_series_clear(&s);
}

static void events_are_bounded(void **state) {
  fixture *f = *state;
  daq_recorder *r;
  cb_store *other;
  assert_ok(cb_store_open(f->path, CB_STORE_WRITE, &other, err));
  assert_ok(daq_recorder_start(f->store, f->campaign_id, f->run_id, &r, err));
  assert_ok(cb_store_begin(other, err));
  assert_ok(daq_recorder_event(r, 0, "k", "t", err));
  cb_sleep_s(0.2);
  for (int i = 0; i < DAQ_RECORDER_EVENTS; i++) assert_ok(daq_recorder_event(r, 0, "k", "t", err));
  assert_fails(CB_E_IO, "events are waiting", daq_recorder_event(r, 0, "k", "t", err));
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
  assert_ok(daq_recorder_start(f->store, f->campaign_id, f->run_id + 77, &r, err));
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
  const struct CMUnitTest tests[] = {TEST(all_in_order), TEST(soon_on_disk), TEST(never_waits), TEST(events_are_bounded),
                                     TEST(store_fails)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
