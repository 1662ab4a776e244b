/* Allocation failure (alloctest.h) where instruments are opened and samples recorded: every driver, the whole
 * bench, the recorder. */
#include "forcetest.h"

#include "alloctest.h"
#include "daq_bench.h"
#include "daq_emulator.h"
#include "daq_messages.h"
#include "fake/fake_comedi.h"
#include "storelab.h"
#include "vrig_play.h"

/* ---- read-outs on a scripted terminal ---- */

typedef struct exchange {
  const cb_rig *rig;
  const dt_step *steps;
  size_t n;
  const char *chatter;
  double value; /* of the first reading */
} exchange;

/* The script must be played to its end only where the read-out was opened. */
static void end_instrument(ft_instrument *i, bool whole) {
  atomic_store(&i->over, true);
  pthread_join(i->thread, NULL);
  dt_pty_close(&i->pty);
  if (i->complaint[0]) fail_msg("%s", i->complaint);
  assert_int_equal(i->n_played, whole ? i->n : 0);
}

static cb_status open_readout(void *context, cb_err *err) {
  const exchange *x = context;
  ft_instrument i;
  daq_force f;
  daq_reading r;
  ft_start(&i, x->steps, x->n, x->chatter);
  cb_status st = daq_force_open(&f, x->rig, i.pty.name, NULL, NULL, err);
  if (st == CB_OK) {
    assert_int_equal(ft_collect(&f, &r, 1), 1);
    assert_true(r.value == x->value);
  }
  daq_force_close(&f);
  end_instrument(&i, st == CB_OK);
  return st;
}

static void line(void **state) {
  (void)state;
  const cb_rig rig = {
      .force = {
          .driver = CB_FORCE_LINE, .baud = 115200, .silence_timeout_s = 10, .separator = ",", .scale = 1}};
  /* driver, port, its name */
  assert_int_equal(at_sweep(open_readout, &(exchange){&rig, NULL, 0, "0.5\r\n", 0.5}), 3);
}

static void gauge(void **state) {
  (void)state;
  static const dt_step steps[] = {{"AOUT0", NULL}, {"LIST", "M5-010;V2.01;N;CUR;FULL\r\n"}, {"FULL", NULL},
                                  {"CUR", NULL},   {"AOUT125", "4.28 N\r\n4.28 N\r\n"},     {"AOUT0", NULL}};
  const cb_rig rig = {.path = "r.yaml",
                      .force = {.driver = CB_FORCE_MARK10_GCL,
                                .baud = 115200,
                                .unit = "N",
                                .rate_Hz = 100,
                                .silence_timeout_s = 10}};
  assert_int_equal(at_sweep(open_readout, &(exchange){&rig, steps, COUNT(steps), NULL, 4.28}), 3);
}

static void balance(void **state) {
  (void)state;
  static const dt_step steps[] = {
      {"@", "I4 A \"B-42\"\r\n"}, {"SIR", "S S     100.00 g\r\nS S     100.00 g\r\n"}, {"SI", NULL}};
  const cb_rig rig = {
      .force = {
          .driver = CB_FORCE_MT_SICS, .baud = 9600, .unit = "g", .rate_Hz = 10, .silence_timeout_s = 10}};
  assert_int_equal(at_sweep(open_readout, &(exchange){&rig, steps, COUNT(steps), NULL, 100}), 3);
}

/* A program, and a device of messages: not ours to count is what they do themselves. */
static cb_status open_program(void *context, cb_err *err) {
  daq_force f;
  daq_reading r;
  cb_status st = daq_force_open(&f, context, "exec yes 0.25", NULL, NULL, err);
  if (st == CB_OK) assert_int_equal(ft_collect(&f, &r, 1), 1);
  daq_force_close(&f);
  return st;
}

static void program(void **state) {
  (void)state;
  cb_rig rig = {.force = {.driver = CB_FORCE_PROCESS, .silence_timeout_s = 10}};
  assert_int_equal(at_sweep(open_program, &rig), 4); /* driver, process, port, its name */
}

static int closed;
static void count_close(void *device) { (void)device, closed++; }

static cb_status open_messages(void *context, cb_err *err) {
  daq_transport *t;
  closed = 0;
  cb_status st = daq_messages_start(&(daq_message_device){.close = count_close}, context, &t, err);
  if (st == CB_OK) daq_transport_close(t);
  assert_int_equal(closed, 1);
  return st;
}

static void messages(void **state) {
  (void)state;
  assert_int_equal(at_sweep(open_messages, "meter"), 3); /* thread's, port, its name */
}

/* ---- a board that is a script ---- */

static cb_status open_board(void *context, cb_err *err) {
  daq_force f;
  fake_reset();
  fake.soft_calibration = true;
  cb_status st = daq_force_open(&f, context, "/dev/comedi0", NULL, NULL, err);
  bool asked = fake.n_locks > 0;
  daq_force_close(&f);
  if (asked) assert_int_equal(fake.n_closes, 1);
  return st;
}

static void board(void **state) {
  (void)state;
  cb_rig rig = {.path = "r.yaml", .force = {.driver = CB_FORCE_COMEDI, .unit = "N", .rate_Hz = 1000}};
  rig.comedi = (cb_rig_comedi){.present = true, .subdevice = -1, .buffer_s = 1, .n = 1};
  rig.comedi.channel[0] = (cb_comedi_channel){CB_COMEDI_FORCE, 3, 0, CB_AREF_DIFF, 2, 0.5};
  (void)strcpy(rig.comedi.calibration, CB_SOURCE_DIR "/README.md"); /* the fake takes any file */
  assert_int_equal(at_sweep(open_board, &rig), 2);                  /* driver, path of its calibration */
}

/* ---- the virtual rigs: every stage, and what is read through it or beside it ---- */

typedef struct rig_on_ports {
  const cb_rig *rig;
  const char *stage, *force;
} rig_on_ports;

static cb_status open_bench(void *context, cb_err *err) {
  const rig_on_ports *p = context;
  static const cb_stop never;
  daq_bench b;
  double mean = NAN;
  cb_status st = daq_bench_open(&b, p->rig, p->stage, p->force, &never, err);
  if (st == CB_OK) st = daq_bench_rest(&b, 0.1, &mean, err);
  daq_bench_close(&b);
  if (st == CB_OK) assert_true(isfinite(mean));
  return st;
}

static void bench(const char *file) {
  char path[512];
  cb_rig rig;
  daq_emulator *e;
  (void)snprintf(path, sizeof path, CB_SOURCE_DIR "/rigs/%s", file);
  assert_ok(cb_rig_load(path, &rig, err));
  assert_ok(daq_emulator_start(CB_EXE, path, &e, err));
  rig_on_ports ports = {&rig, daq_emulator_stage_port(e), daq_emulator_force_port(e)};
  long n = at_sweep(open_bench, &ports);
  /* Stage and read-out take three each, one through the stage's port none; the watchdog is one more. */
  assert_int_equal(n, rig.force.driver == CB_FORCE_MARK10_ESM ? 4 : 7);
  daq_emulator_stop(e);
  cb_rig_clear(&rig);
}

static void zaber(void **state) { (void)state, bench("virtual.yaml"); }
static void zaber_and_d500(void **state) { (void)state, bench("virtual-d500.yaml"); }
static void grbl(void **state) { (void)state, bench("virtual-grbl.yaml"); }
static void smc100(void **state) { (void)state, bench("virtual-smc100.yaml"); }
static void gcs(void **state) { (void)state, bench("virtual-gcs.yaml"); }
static void apt(void **state) { (void)state, bench("virtual-apt.yaml"); }
static void esm(void **state) { (void)state, bench("virtual-esm.yaml"); }

static cb_status emulate(void *context, cb_err *err) {
  daq_emulator *e;
  (void)context;
  cb_status st = daq_emulator_start(CB_EXE, CB_SOURCE_DIR "/rigs/virtual.yaml", &e, err);
  assert_true((st == CB_OK) == (e != NULL));
  daq_emulator_stop(e);
  return st;
}

static void emulator(void **state) {
  (void)state;
  assert_int_equal(at_sweep(emulate, NULL), 1);
}

/* ---- recording ---- */

#define N_PUSHED 20000 /* more than a chunk: the tail is packed as well */

static cb_status push_run(daq_recorder *r, cb_err *err) {
  double v[10];
  for (int i = 0; i < N_PUSHED; i += 10) {
    for (int k = 0; k < 10; k++) v[k] = i + k;
    CB_TRY(daq_recorder_push_block(r, CB_CHANNEL_FORCE, 1e-3 * i, v, 10, err));
    CB_TRY(daq_recorder_push(r, CB_CHANNEL_POSITION, 1e-3 * i, -i, err));
  }
  return daq_recorder_event(r, 1, "pull", "from 1 to 2", err);
}

/* A new run. What is there is a beginning of it, and all of it after a success. */
static cb_status record(void *context, cb_err *why) {
  const store_lab *l = context;
  cb_run run = l->like;
  daq_recorder *r;
  cb_series force;
  run.status = CB_RUN_RUNNING;
  assert_ok(cb_store_run_put(l->store, &run, err));
  cb_status st = daq_recorder_start(l->store, run.campaign_id, run.id, 0, &r, why);
  assert_true((st == CB_OK) == (r != NULL));
  if (st == CB_OK) st = push_run(r, why);
  cb_status stopped = daq_recorder_stop(r, st == CB_OK ? why : NULL);
  if (st == CB_OK) st = stopped;
  long held = at_hold();
  assert_ok(cb_store_samples(l->store, run.id, CB_CHANNEL_FORCE, &force, err));
  if (st == CB_OK) assert_int_equal(force.n, N_PUSHED);
  for (size_t i = 0; i < force.n; i++) assert_true(force.v[i] == (double)i);
  cb_series_clear(&force);
  at_release(held);
  return st;
}

static void recorder(void **state) {
  store_lab *l = *state;
  cb_store_tally tally;
  assert_true(at_sweep(record, l) > 1 + 2 * CB_N_CHANNELS);
  assert_ok(cb_store_check(l->store, &tally, err));
  assert_true(tally.n_samples >= N_PUSHED);
}

/* ---- pulls in memory ---- */

static cb_status play_pulls(void *context, cb_err *err) {
  const vrig_mishap again = vrig_mishap_default(VRIG_MISHAP_REPEATED);
  const vrig_pull pull = vrig_pull_default(0, 0, 1);
  vrig_play *p;
  cb_trace t[2] = {{.n_lost = 0}};
  cb_status st = vrig_play_open(context, 1, &p, err);
  if (st == CB_OK) st = vrig_play_next(p, &pull, NULL, &t[0], err);
  if (st == CB_OK) st = vrig_play_next(p, &pull, &again, &t[1], err);
  if (st == CB_OK) assert_memory_equal(t[0].force_N.v, t[1].force_N.v, t[0].force_N.n * sizeof(double));
  for (int i = 0; i < 2; i++) cb_trace_clear(&t[i]);
  vrig_play_close(p);
  return st;
}

static void pulls_in_memory(void **state) {
  (void)state;
  cb_rig rig;
  assert_ok(cb_rig_load(CB_SOURCE_DIR "/rigs/virtual.yaml", &rig, err));
  assert_true(at_sweep(play_pulls, &rig) > 6);
  cb_rig_clear(&rig);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(line),
      cmocka_unit_test(gauge),
      cmocka_unit_test(balance),
      cmocka_unit_test(program),
      cmocka_unit_test(messages),
      cmocka_unit_test(board),
      cmocka_unit_test(zaber),
      cmocka_unit_test(zaber_and_d500),
      cmocka_unit_test(grbl),
      cmocka_unit_test(smc100),
      cmocka_unit_test(gcs),
      cmocka_unit_test(apt),
      cmocka_unit_test(esm),
      cmocka_unit_test(emulator),
      cmocka_unit_test(pulls_in_memory),
      cmocka_unit_test_setup_teardown(recorder, store_lab_set_up, store_lab_tear_down)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
