/* A Comedi board as a read-out, against a board that plays a script (tests/fake). The same driver meets the
 * kernel's comedi_test in tests/qemu. */
#include "cbtest.h"

#include <errno.h>
#include <poll.h>

#include "cb_time.h"
#include "daq_force.h"
#include "fake/fake_comedi.h"

static cb_rig rig;
static daq_force force;

static const cb_comedi_channel two_channels[] = {{CB_COMEDI_FORCE, 3, 0, CB_AREF_DIFF, 2, 0.5},
                                                 {CB_COMEDI_TEMPERATURE, 5, 1, CB_AREF_GROUND, 100, 0}};

static int set_up(void **state) {
  (void)state;
  fake_reset();
  rig = (cb_rig){.path = "r.yaml", .force = {.driver = CB_FORCE_COMEDI, .unit = "N", .rate_Hz = 1000}};
  rig.comedi = (cb_rig_comedi){.present = true, .subdevice = -1, .buffer_s = 1, .n = 2};
  memcpy(rig.comedi.channel, two_channels, sizeof two_channels);
  return 0;
}

static int tear_down(void **state) {
  (void)state;
  daq_force_close(&force);
  return 0;
}

static cb_status open_board(cb_err *err) {
  return daq_force_open(&force, &rig, "/dev/comedi0", NULL, NULL, err);
}

static void play(const fake_step *steps, size_t n) {
  fake.steps = steps;
  fake.n_steps = n;
}

/* ---- opening ---- */

static void opens(void **state) {
  (void)state;
  cb_run_channel c[CB_N_CHANNELS];
  assert_ok(open_board(err));
  assert_string_equal(force.identity, "fake-6036 (driver fake_driver, comedi 0.7.76)");
  assert_int_equal(fake.n_locks, 1);
  assert_int_equal(fake.n_commands, 1);
  assert_int_equal(fake.command.scan_begin_src, TRIG_TIMER);
  assert_int_equal(fake.command.scan_begin_arg, 1000000);
  assert_int_equal(fake.command.convert_arg, 400000);
  assert_int_equal(fake.command.stop_src, TRIG_NONE);
  assert_int_equal(fake.command.scan_end_arg, 2);
  assert_true(fake.command.flags & CMDF_WAKE_EOS);
  assert_int_equal(fake.list[0], CR_PACK(3, 0, AREF_DIFF));
  assert_int_equal(fake.list[1], CR_PACK(5, 1, AREF_GROUND));
  assert_int_equal(fake.buffer, 65536); /* 4000 bytes were wanted */
  assert_int_equal(force.driver->channels(&force, c), 2);
  assert_int_equal(c[0].channel, CB_CHANNEL_FORCE);
  assert_int_equal(c[1].channel, CB_CHANNEL_TEMPERATURE);
  assert_string_equal(c[0].conversion, "hard calibration");
  assert_string_equal(c[1].device, "fake-6036 (/dev/comedi0) subdevice 0 channel 5 range 1");
  assert_true(c[0].granted_rate_Hz == 1000 && c[0].skew_s == 0 && c[0].raw_max == 65535);
  assert_near(c[1].skew_s, 400e-6, 1e-12);
  assert_near(cb_run_channel_value(&c[0], 65535), 2 * 10 + 0.5, 1e-9);
  daq_force_close(&force);
  assert_int_equal(fake.n_cancels, 1);
  assert_int_equal(fake.n_closes, 1);
}

/* No scan timer: the converter's alone paces, and its steps of 1 us do not divide every scan. */
static void follows(void **state) {
  (void)state;
  cb_run_channel c[CB_N_CHANNELS];
  fake.scan_begin_src = TRIG_FOLLOW;
  assert_ok(open_board(err));
  assert_int_equal(fake.command.convert_arg, 500000);
  daq_force_close(&force);
  rig.force.rate_Hz = 100200; /* 4.99 us per conversion become 5 */
  rig.comedi.buffer_s = 0.1;
  assert_ok(open_board(err));
  assert_int_equal(force.driver->channels(&force, c), 2);
  assert_near(c[0].granted_rate_Hz, 100000, 1e-6);
  assert_near(c[1].skew_s, 5e-6, 1e-12);
  assert_int_equal(fake.command.flags & CMDF_WAKE_EOS, 0);
  daq_force_close(&force);
  rig.force.rate_Hz = 120000; /* 4.17 us become 5: 100 kHz */
  assert_fails(CB_E_RANGE,
               "force.rate_Hz = 120000 with 2 channels: the board grants 100000; put that into the rig file",
               open_board(err));
  assert_int_equal(fake.n_commands, 2);
}

static void converts_at_once(void **state) {
  (void)state;
  cb_run_channel c[CB_N_CHANNELS];
  fake.convert_src = TRIG_NOW | TRIG_TIMER;
  assert_ok(open_board(err));
  assert_int_equal(fake.command.convert_src, TRIG_NOW);
  (void)force.driver->channels(&force, c);
  assert_true(c[1].skew_s == 0);
}

static void asks_until_accepted(void **state) {
  (void)state;
  static const int answers[] = {1, 3, 4, 4};
  memcpy(fake.answers, answers, sizeof answers);
  assert_ok(open_board(err));
  assert_int_equal(fake.n_tests, 5);
}

static void refused_commands(void **state) {
  (void)state;
  static const struct {
    int answer;
    const char *sentence;
  } all[] = {{1, "lacks a trigger source"},     {2, "do not go together"},         {3, "out of its range"},
             {4, "goes on rounding"},           {5, "cannot scan these channels"}, {7, "unknown reason"},
             {-1, "does not test its commands"}};
  for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
    for (int k = 0; k < FAKE_TESTS_MAX; k++) fake.answers[k] = all[i].answer;
    fake.n_tests = 0;
    assert_fails(CB_E_DEVICE, all[i].sentence, open_board(err));
    assert_true(fake.n_tests <= 6);
    daq_force_close(&force);
  }
  fake_reset();
  fake.stop_src = TRIG_COUNT;
  assert_fails(CB_E_DEVICE, "without an end", open_board(err));
  assert_int_equal(fake.n_commands, 0);
}

static void in_use(void **state) {
  (void)state;
  fake.lock_error = EBUSY;
  assert_fails(CB_E_DEVICE, "board /dev/comedi0: the board is in use by another program", open_board(err));
  daq_force_close(&force);
  fake.lock_error = 0;
  fake.command_error = EBUSY;
  assert_fails(CB_E_DEVICE, "board /dev/comedi0: the board is in use by another program", open_board(err));
  daq_force_close(&force);
  assert_int_equal(fake.n_closes, 2);
  assert_int_equal(fake.n_cancels, 0); /* nothing ran */
}

static void not_there(void **state) {
  (void)state;
  static const struct {
    int code;
    const char *sentence;
  } all[] = {{ENOENT, "there is no such Comedi board"},
             {EACCES, "no permission"},
             {ENOTTY, "is not a Comedi board: Inappropriate"}};
  for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
    fake.open_error = all[i].code;
    assert_fails(CB_E_DEVICE, all[i].sentence, open_board(err));
    daq_force_close(&force);
  }
}

#define REFUSED(setting, sentence)                       \
  do {                                                   \
    set_up(state);                                       \
    setting;                                             \
    assert_fails(CB_E_RANGE, sentence, open_board(err)); \
    daq_force_close(&force);                             \
    assert_int_equal(fake.n_commands, 0);                \
  } while (0)

static void rig_and_board_disagree(void **state) {
  REFUSED(rig.comedi.subdevice = 1, "comedi.subdevice = 1: is not an analog input");
  REFUSED(rig.comedi.subdevice = 7, "comedi.subdevice = 7: is not an analog input");
  REFUSED(rig.comedi.channel[1].channel = 8, "comedi channel 8: the subdevice has channels 0 to 7");
  REFUSED(rig.comedi.channel[1].range = 2, "range 2 of channel 5: it has ranges 0 to 1");
  REFUSED(rig.comedi.channel[0].aref = CB_AREF_COMMON,
          "aref of channel 3: the subdevice has only ground diff");
  REFUSED(fake.range.unit = UNIT_mA, "range 0 of channel 3 is not in volts");
  REFUSED(rig.comedi.buffer_s = 300, "comedi.buffer_s = 300 takes 1200128 bytes, the board allows 1048576");
  set_up(state);
  fake.type = COMEDI_SUBD_AO;
  assert_fails(CB_E_DEVICE, "it has no analog input", open_board(err));
  daq_force_close(&force);
  set_up(state);
  (void)strcpy(rig.force.serial, "A1");
  assert_fails(CB_E_DEVICE, "tells no serial number, the rig file wants A1", open_board(err));
  daq_force_close(&force);
}

static void buffer_grows(void **state) {
  (void)state;
  rig.comedi.buffer_s = 100;
  assert_ok(open_board(err));
  assert_int_equal(fake.buffer, 98 * 4096); /* 400000 bytes, in pages */
}

/* ---- calibration ---- */

static void soft_calibration(void **state) {
  (void)state;
  cb_run_channel c[CB_N_CHANNELS];
  rig.comedi.n = 1;
  fake.flags |= SDF_SOFT_CALIBRATED;
  fake.soft_calibration = true;
  fake.calibration_path = CB_SOURCE_DIR "/LICENSE"; /* a file that is there */
  assert_ok(open_board(err));
  (void)force.driver->channels(&force, c);
  assert_string_equal(c[0].conversion, "soft calibration " CB_SOURCE_DIR "/LICENSE");
  assert_true(c[0].origin == 100 && c[0].c[0] == 1 && c[0].c[1] == 2 && c[0].c[2] == 3 && c[0].c[3] == 0);
  assert_near(cb_run_channel_value(&c[0], 110), (1 + 2 * 10 + 3 * 100) * 2 + 0.5, 1e-9);
  daq_force_close(&force);
  fake.calibration_path = "/nowhere/calibration"; /* said, not hidden */
  assert_ok(open_board(err));
  (void)force.driver->channels(&force, c);
  assert_string_equal(c[0].conversion, "nominal range: the board has no soft calibration file");
  daq_force_close(&force);
  (void)strcpy(rig.comedi.calibration, "/nowhere/mine"); /* asked for by name: not optional */
  assert_fails(CB_E_DEVICE, "comedi.calibration = '/nowhere/mine': is no soft calibration that can be read",
               open_board(err));
  daq_force_close(&force);
  (void)strcpy(rig.comedi.calibration, CB_SOURCE_DIR "/LICENSE");
  rig.comedi.n = 2; /* the second channel's range is not in the file */
  assert_fails(CB_E_DEVICE, "holds no calibration for range 1 of channel 5", open_board(err));
}

/* ---- samples ---- */

static const sampl_t scans[] = {100, 32768, 0, 1, 65535, 65535, 32767, 0, 7};

/* Two channels; reads end in the middle of a scan, and one in the middle of a sample. */
static void partial_scans(void **state) {
  (void)state;
  const unsigned char *b = (const unsigned char *)scans;
  const fake_step steps[] = {{0, b, 2},     {0, b + 2, 4},    {EAGAIN, NULL, 0}, {0, b + 6, 1},
                             {0, b + 7, 9}, {EINTR, NULL, 0}, {0, b + 16, 2}};
  daq_reading r[16];
  size_t n, total = 0;
  assert_ok(open_board(err));
  play(steps, 7);
  for (int i = 0; i < 9; i++) {
    assert_ok(daq_force_read_many(&force, r + total, 16 - total, &n, err));
    total += n;
  }
  assert_int_equal(total, 9);
  for (size_t i = 0; i < 9; i++) {
    assert_int_equal(r[i].channel, i % 2 == 0 ? CB_CHANNEL_FORCE : CB_CHANNEL_TEMPERATURE);
    assert_true(r[i].raw == scans[i]);
    double volts = -10 + 20.0 * scans[i] / 65535;
    assert_near(r[i].value, i % 2 == 0 ? 2 * volts + 0.5 : 100 * volts, 1e-9);
  }
  /* Clipped force raises the alarm; a clipped thermometer only counts. */
  for (size_t i = 0; i < 9; i++) assert_int_equal(r[i].overload, i == 2 || i == 4);
  assert_int_equal(force.n_clipped, 4);
}

static void one_by_one(void **state) {
  (void)state;
  const fake_step steps[] = {{0, scans, 6}};
  daq_reading r;
  bool found;
  assert_ok(open_board(err));
  play(steps, 1);
  for (size_t i = 0; i < 3; i++) {
    assert_ok(force.driver->read(&force, &r, &found, err));
    assert_true(found && r.raw == scans[i]);
  }
  assert_ok(force.driver->read(&force, &r, &found, err));
  assert_false(found);
}

static void wide_samples(void **state) {
  (void)state;
  static const lsampl_t wide[] = {1, 16777215, 8388608};
  const fake_step steps[] = {{0, wide, 11}, {0, (const char *)wide + 11, 1}};
  daq_reading r[4];
  size_t n, m;
  fake.flags |= SDF_LSAMPL;
  fake.maxdata = 16777215;
  assert_ok(open_board(err));
  play(steps, 2);
  assert_ok(daq_force_read_many(&force, r, 4, &n, err));
  assert_int_equal(n, 2);
  assert_ok(daq_force_read_many(&force, r + 2, 2, &m, err));
  assert_int_equal(m, 1);
  for (size_t i = 0; i < 3; i++) assert_true(r[i].raw == wide[i]);
  assert_int_equal(force.n_clipped, 1);
}

/* What is old goes, the place in the scan stays. */
static void discard(void **state) {
  (void)state;
  const fake_step steps[] = {{0, scans, 4}, {0, scans, 6}, {EAGAIN, NULL, 0}, {0, scans, 2}};
  daq_reading r[4];
  size_t n;
  assert_ok(open_board(err));
  play(steps, 4);
  assert_ok(daq_force_read_many(&force, r, 1, &n, err));
  assert_ok(force.driver->discard(&force, err));
  assert_ok(daq_force_read_many(&force, r, 4, &n, err));
  assert_int_equal(n, 1);
  assert_int_equal(r[0].channel, CB_CHANNEL_TEMPERATURE);
}

static void failures_after_the_last_sample(void **state) {
  (void)state;
  static const struct {
    fake_step step;
    const char *sentence;
  } all[] = {{{EPIPE, NULL, 0},
              "board /dev/comedi0: overrun: its buffer of 16.4 s was full, samples are lost from here on"},
             {{EINVAL, NULL, 0}, "the acquisition was cancelled"},
             {{ENODEV, NULL, 0}, "the acquisition failed: No such device"},
             {{0, NULL, 0}, "the board ended the acquisition by itself"}};
  for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
    const fake_step steps[] = {{0, scans, 6}, all[i].step};
    daq_reading r[8];
    size_t n;
    set_up(state);
    assert_ok(open_board(err));
    play(steps, 2);
    assert_ok(daq_force_read_many(&force, r, 8, &n, err));
    assert_int_equal(n, 3);
    assert_fails(CB_E_DEVICE, all[i].sentence, daq_force_read_many(&force, r, 8, &n, err));
    assert_int_equal(n, 0);
    daq_force_close(&force);
    assert_int_equal(fake.n_cancels, 1);
  }
}

/* ---- no command ---- */

static void single_reads(void **state) {
  (void)state;
  cb_run_channel c[CB_N_CHANNELS];
  daq_reading r[64];
  size_t total = 0, n;
  fake.flags &= ~SDF_CMD_READ;
  rig.force.rate_Hz = 200;
  assert_ok(open_board(err));
  assert_int_equal(fake.n_commands, 0);
  assert_int_equal(force.driver->channels(&force, c), 2);
  assert_true(c[0].granted_rate_Hz == 0 && force.asked);
  double began_s = cb_now_monotonic_s();
  while (total < 20) {
    struct pollfd p = {.fd = force.driver->fd(&force), .events = POLLIN};
    assert_int_equal(poll(&p, 1, 1000 * CBT_HANG_S), 1);
    assert_ok(daq_force_read_many(&force, r + total, 64 - total, &n, err));
    total += n;
  }
  /* Ten beats of 5 ms, the first one perhaps over already. */
  assert_true(cb_now_monotonic_s() - began_s > 0.044);
  for (size_t i = 0; i < total; i++) {
    assert_int_equal(r[i].channel, i % 2 == 0 ? CB_CHANNEL_FORCE : CB_CHANNEL_TEMPERATURE);
    assert_int_equal((int)r[i].raw % 10, i % 2 == 0 ? 3 : 5); /* the channel it was read from */
    assert_true(r[i].asked_s > began_s && r[i].answered_s >= r[i].asked_s &&
                r[i].answered_s <= cb_now_monotonic_s());
  }
  fake.data_error = EIO;
  cb_sleep_s(0.01);
  assert_fails(CB_E_DEVICE, "a single read failed: Input/output error",
               daq_force_read_many(&force, r, 64, &n, err));
}

/* A board that could stream, and is not to. */
static void polled(void **state) {
  (void)state;
  cb_run_channel c[CB_N_CHANNELS];
  rig.force.rate_Hz = 100;
  rig.comedi.polled = true;
  assert_ok(open_board(err));
  assert_int_equal(fake.n_commands, 0);
  assert_true(force.asked);
  assert_int_equal(force.driver->channels(&force, c), 2);
  assert_true(c[0].granted_rate_Hz == 0);
  daq_force_close(&force);
  assert_int_equal(fake.n_cancels, 0);
}

static void single_reads_too_fast(void **state) {
  (void)state;
  fake.flags &= ~SDF_CMD_READ;
  fake.data_s = 0.001;
  assert_fails(CB_E_RANGE, "it does not stream, and one scan takes", open_board(err));
  daq_force_close(&force);
  /* A command that only an outer clock can pace is none for us. */
  set_up(state);
  fake.convert_src = TRIG_EXT;
  assert_ok(open_board(err));
  assert_int_equal(fake.n_commands, 0);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

int main(void) {
  const struct CMUnitTest tests[] = {TEST(opens),
                                     TEST(follows),
                                     TEST(converts_at_once),
                                     TEST(asks_until_accepted),
                                     TEST(refused_commands),
                                     TEST(in_use),
                                     TEST(not_there),
                                     TEST(rig_and_board_disagree),
                                     TEST(buffer_grows),
                                     TEST(soft_calibration),
                                     TEST(partial_scans),
                                     TEST(one_by_one),
                                     TEST(wide_samples),
                                     TEST(discard),
                                     TEST(failures_after_the_last_sample),
                                     TEST(single_reads),
                                     TEST(polled),
                                     TEST(single_reads_too_fast)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
