/* The board of a virtual rig as a read-out: the driver of real boards, on a pseudo-terminal that plays the
 * board. */
#include "daqtest.h"

#include "cb_time.h"
#include "daq_force.h"

static cb_rig rig;
static daq_force force;
static dt_script script;

static int set_up(void **state) {
  (void)state;
  rig = (cb_rig){.path = "r.yaml", .force = {.driver = CB_FORCE_COMEDI, .unit = "N", .rate_Hz = 1000}};
  rig.force.baud = 115200;
  rig.comedi = (cb_rig_comedi){.present = true,
                               .subdevice = -1,
                               .buffer_s = 1,
                               .n = 2,
                               .channel = {{CB_COMEDI_FORCE, 3, 0, CB_AREF_DIFF, 2, 0.5},
                                           {CB_COMEDI_DISPLACEMENT, 5, 1, CB_AREF_DIFF, 0.01, 0}}};
  return 0;
}

static int tear_down(void **state) {
  (void)state;
  daq_force_close(&force);
  dt_script_end(&script);
  return 0;
}

static cb_status open_board(const char *answer, cb_err *err) {
  static dt_step step;
  step = (dt_step){"scan 1000000 3:0 5:1", answer};
  dt_script_start(&script, &step, 1);
  return daq_force_open(&force, &rig, script.pty.name, NULL, NULL, err);
}

static const char granted[] = "scans 1000000 65535 -10:10 -5:5\n";

static void send(const uint16_t *words, size_t n_bytes, size_t from) {
  assert_int_equal(write(script.pty.master, (const char *)words + from, n_bytes), n_bytes);
  cb_sleep_s(0.02); /* through the kernel's terminal */
}

static void opens(void **state) {
  (void)state;
  cb_run_channel c[CB_N_CHANNELS];
  assert_ok(open_board(granted, err));
  assert_string_equal(force.identity, "virtual Comedi board");
  assert_true(force.taken && !force.asked);
  assert_int_equal(force.driver->channels(&force, c), 2);
  assert_int_equal(c[0].channel, CB_CHANNEL_FORCE);
  assert_int_equal(c[1].channel, CB_CHANNEL_DISPLACEMENT);
  assert_true(c[0].granted_rate_Hz == 1000 && c[1].skew_s == 0 && c[1].raw_max == 65535);
  assert_near(cb_run_channel_value(&c[0], 65535), 2 * 10 + 0.5, 1e-9);
  assert_near(cb_run_channel_value(&c[1], 0), -0.05, 1e-12);
}

/* Reads end within a scan and within a sample; the force's converter at its end raises the alarm. */
static void scans(void **state) {
  (void)state;
  static const uint16_t words[] = {0, 100, 200, 1, 65535, 0, 2, 300, 400};
  daq_reading r[8];
  size_t n;
  assert_ok(open_board(granted, err));
  send(words, 9, 0);
  assert_ok(daq_force_read_many(&force, r, 8, &n, err));
  assert_int_equal(n, 2);
  assert_true(r[0].raw == 100 && r[1].raw == 200 && r[1].channel == CB_CHANNEL_DISPLACEMENT);
  assert_near(r[1].value, (-5 + 10.0 * 200 / 65535) * 0.01, 1e-12);
  assert_ok(daq_force_read_many(&force, r, 8, &n, err));
  assert_int_equal(n, 0);
  send(words, 9, 9);
  assert_ok(daq_force_read_many(&force, r, 1, &n, err));
  assert_true(n == 1 && r[0].raw == 65535 && r[0].overload);
  assert_ok(daq_force_read_many(&force, r, 8, &n, err));
  assert_int_equal(n, 3);
  assert_true(r[0].raw == 0 && !r[0].overload); /* a clipped displacement only counts */
  assert_true(r[1].raw == 300 && r[2].raw == 400);
  assert_int_equal(force.n_clipped, 2);
}

/* What is old goes, the place in the scan stays. */
static void discard(void **state) {
  (void)state;
  static const uint16_t words[] = {0, 1, 2, 1, 3, 4, 2, 5, 6, 3, 7, 8};
  daq_reading r[8];
  size_t n;
  assert_ok(open_board(granted, err));
  send(words, 15, 0);
  assert_ok(daq_force_read_many(&force, r, 1, &n, err));
  assert_ok(force.driver->discard(&force, err));
  send(words, 9, 15);
  assert_ok(daq_force_read_many(&force, r, 8, &n, err));
  assert_true(n == 4 && r[0].raw == 5 && r[0].channel == CB_CHANNEL_FORCE && r[3].raw == 8);
}

/* The readings before it come first; the failure comes again at every further call. */
static void a_lost_scan(void **state) {
  (void)state;
  static const uint16_t words[] = {0, 1, 2, 1, 3, 4, 3, 7, 8, 4, 9, 10};
  daq_reading r[8];
  size_t n;
  assert_ok(open_board(granted, err));
  send(words, sizeof words, 0);
  assert_ok(daq_force_read_many(&force, r, 8, &n, err));
  assert_true(n == 4 && r[3].raw == 4);
  for (int i = 0; i < 2; i++) {
    assert_fails(CB_E_DEVICE, "overrun: its buffer of 10.9 s was full, samples are lost from here on",
                 daq_force_read_many(&force, r, 8, &n, err));
    assert_int_equal(n, 0);
  }
}

static void unplugged(void **state) {
  (void)state;
  daq_reading r[8];
  size_t n;
  assert_ok(open_board(granted, err));
  atomic_store(&script.over, true);
  pthread_join(script.thread, NULL);
  dt_pty_unplug(&script.pty);
  assert_fails(CB_E_DEVICE, "disconnected", daq_force_read_many(&force, r, 8, &n, err));
  daq_force_close(&force);
  dt_pty_close(&script.pty);
  set_up(state);
  dt_script_start(&script, NULL, 0); /* for tear_down */
}

#define ANSWERS(status, answer, sentence)                    \
  do {                                                       \
    set_up(state);                                           \
    assert_fails(status, sentence, open_board(answer, err)); \
    daq_force_close(&force);                                 \
    dt_script_end(&script);                                  \
  } while (0)

static void wrong_answers(void **state) {
  ANSWERS(CB_E_RANGE, "refused it has channels 0 to 3\n",
          "the acquisition is refused: it has channels 0 to 3");
  ANSWERS(CB_E_RANGE, "scans 2000000 65535 -10:10 -5:5\n",
          "force.rate_Hz = 1000 with 2 channels: the board grants 500; put that into the rig file");
  ANSWERS(CB_E_RANGE, "scans 1000000 65535 -10:10\n", "refused: scans 1000000");
  ANSWERS(CB_E_RANGE, "scans 1000000 65535 -10:10 5:-5\n", "refused: scans 1000000");
  ANSWERS(CB_E_RANGE, "scans 1000000 70000 -10:10 -5:5\n", "refused: scans 1000000");
  ANSWERS(CB_E_RANGE, "scans 1000000 65535 -10:10 -5:5 1:2\n", "refused: scans 1000000");
  ANSWERS(CB_E_RANGE, "0.4312\r\n", "refused: ");
  ANSWERS(CB_E_DEVICE, NULL, "it does not answer");
  dt_script_start(&script, NULL, 0); /* for tear_down */
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

int main(void) {
  const struct CMUnitTest tests[] = {TEST(opens),       TEST(scans),     TEST(discard),
                                     TEST(a_lost_scan), TEST(unplugged), TEST(wrong_answers)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
