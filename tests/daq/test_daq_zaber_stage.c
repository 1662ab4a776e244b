/* The stage driver against a scripted instrument: these bytes, in this order, nothing left over. */
#include "daqtest.h"

#include "stagetest.h"

/* 0.1984375 um: maxspeed 50 mm/s = 412825, accel 500 mm/s2 = 413, 100 mm = 503937.0 microsteps, 10 mm/s =
 * 82565, 25 mm = 125984. */
static cb_rig_stage rig = {.baud = 115200,
                           .device_address = 1,
                           .microstep_m = 0.1984375e-6,
                           .limit_min_m = 0,
                           .limit_max_m = 0.1,
                           .max_speed_m_per_s = 0.05,
                           .acceleration_m_per_s2 = 0.5,
                           .start_m = 0.02,
                           .reply_timeout_s = 0.6};

#define OK(id, data) "@01 0 " id " OK IDLE WR " data "\r\n"
#define OPENING                                                                                       \
  {"/01 0 01 stop", OK("01", "0")}, {"/01 0 02 get device.id", OK("02", "30341")},                    \
      {"/01 0 03 get version", "@01 0 03 RJ IDLE WR BADCOMMAND\r\n"},                                 \
      {"/01 0 04 get system.serial", OK("04", "815")}, {"/01 0 05 set comm.alert 1", OK("05", "0")},  \
      {"/01 0 06 set maxspeed 412825", OK("06", "0")}, {"/01 0 07 get maxspeed", OK("07", "412825")}, \
      {"/01 0 08 set accel 413", OK("08", "0")}, {"/01 0 09 get accel", OK("09", "413")},             \
      {"/01 0 10 set limit.min 0", OK("10", "0")}, {"/01 0 11 get limit.min", OK("11", "0")},         \
      {"/01 0 12 set limit.max 503937", OK("12", "0")}, {                                             \
    "/01 0 13 get limit.max", OK("13", "503937")                                                      \
  }
static const daq_stage_driver *const zaber = &daq_zaber_driver;

/* The script answers when the machine lets it. */
static int be_patient(void **state) {
  (void)state;
  rig.reply_timeout_s *= cbt_patience();
  return 0;
}

/* Waits for the answer to an open question. */
static cb_status take(daq_stage *s, daq_stage_state *state, cb_err *err) {
  bool fresh = false;
  while (!fresh) {
    CB_TRY(zaber->take(s, state, &fresh, err));
    cb_sleep_s(0.001);
  }
  return CB_OK;
}

static void start(dt_script *script, daq_stage *s, const dt_step *steps, size_t n) {
  dt_script_start(script, steps, n);
  assert_ok(zaber->open(s, &rig, script->pty.name, err));
}

static void opens_and_reads_back(void **state) {
  (void)state;
  const dt_step steps[] = {OPENING};
  dt_script script;
  daq_stage s;
  start(&script, &s, steps, COUNT(steps));
  assert_string_equal(s.identity, "Zaber device 30341, firmware ?, serial number 815");
  st_end(&script, &s);
}

static void homes_moves_stops(void **state) {
  (void)state;
  const dt_step steps[] = {
      OPENING,
      {"/01 0 14 home", "@01 0 14 OK BUSY WR 0\r\n"},
      {"/01 0 15 get pos", "@01 0 15 OK BUSY WR 1200\r\n"},
      {"/01 0 16 get pos", "#01 0 a remark\r\n!01 1 IDLE --\r\n@01 0 16 OK IDLE -- 0\r\n"},
      {"/01 0 17 set maxspeed 82565", "@01 0 17 OK IDLE -- 0\r\n"},
      {"/01 0 18 get maxspeed", "@01 0 18 OK IDLE -- 82565\r\n"},
      {"/01 0 19 move abs 125984", "@01 0 19 OK BUSY -- 0\r\n"},
      {"/01 0 20 get pos", "@01 0 20 OK BUSY -- 50394\r\n"},
      {"/01 0 21 stop", "@01 0 21 OK BUSY -- 0\r\n"},
      {"/01 0 22 get pos", "@01 0 22 OK IDLE NI 60000\r\n"},
      {"/01 0 23 move abs 0", "@01 0 23 OK BUSY -- 0\r\n"},
  };
  dt_script script;
  daq_stage s;
  daq_stage_state at;
  start(&script, &s, steps, COUNT(steps));
  assert_ok(zaber->home(&s, err));
  assert_ok(zaber->ask(&s, err));
  assert_ok(zaber->ask(&s, err)); /* one question at a time */
  assert_ok(take(&s, &at, err));
  assert_true(at.busy);
  assert_ok(zaber->ask(&s, err));
  assert_ok(take(&s, &at, err));
  assert_false(at.busy);
  assert_ok(zaber->move_abs(&s, 0.025, 0.01, err));
  assert_ok(zaber->ask(&s, err));
  assert_ok(take(&s, &at, err));
  assert_near(at.position_m, 0.01, 1e-7);
  assert_ok(zaber->stop(&s, err));
  assert_ok(zaber->ask(&s, err));
  assert_ok(take(&s, &at, err)); /* NI after our own stop is what was to be expected */
  assert_false(at.busy);
  assert_ok(zaber->move_abs(&s, 0, 0.01, err)); /* the speed is set already */
  st_end(&script, &s);
}

static void late_reply_is_not_the_present_one(void **state) {
  (void)state;
  const dt_step steps[] = {
      OPENING,
      {"/01 0 14 get pos", NULL},
      /* The answer to 14 comes after all, with another device's, a torn one, and at last the one to 15. */
      {"/01 0 15 move abs 0",
       "@01 0 14 OK IDLE -- 111\r\n@02 0 15 RJ IDLE -- 0\r\n%&@01 0 1\r\n@01 0 15 OK BUSY -- 0\r\n"},
      {"/01 0 16 get pos", "@01 0 14 OK IDLE -- 333\r\n@01 0 16 OK BUSY -- 50394\r\n"},
  };
  dt_script script;
  daq_stage s;
  daq_stage_state at;
  start(&script, &s, steps, COUNT(steps));
  assert_ok(zaber->ask(&s, err));
  assert_ok(zaber->move_abs(&s, 0, 0.05, err)); /* withdraws the question */
  assert_ok(zaber->ask(&s, err));
  assert_ok(take(&s, &at, err));
  assert_near(at.position_m, 0.01, 1e-7);
  assert_true(at.busy);
  st_end(&script, &s);
}

/* Replies to other commands of ours and of others, where ours were wanted: what is harmless is asked again at
 * once, and nothing waits for a time-out. What moves is said once; the stage tells whether it was heard. */
static void aliens(void **state) {
  (void)state;
  const dt_step steps[] = {
      OPENING,
      {"/01 0 14 get pos", "@01 0 13 OK IDLE WR 503937\r\n"},
      {"/01 0 15 get pos", "@02 0 15 OK IDLE -- 7\r\n@01 0 14 OK IDLE WR 111\r\n"},
      {"/01 0 16 get pos", "@01 0 16 OK IDLE WR 50394\r\n"},
      {"/01 0 17 set maxspeed 82565", "@01 0 16 OK IDLE WR 50394\r\n"},
      {"/01 0 18 set maxspeed 82565", "@01 0 18 OK IDLE WR 0\r\n"},
      {"/01 0 19 get maxspeed", "@01 0 18 OK IDLE WR 0\r\n"},
      {"/01 0 20 get maxspeed", "@01 0 20 OK IDLE WR 82565\r\n"},
      /* Heard: the stage moves. */
      {"/01 0 21 move abs 125984", "@01 0 20 OK IDLE WR 82565\r\n"},
      {"/01 0 22 get pos", "@01 0 22 OK BUSY WR 60000\r\n"},
      /* Not heard: it stands, and elsewhere. */
      {"/01 0 23 move abs 0", "@01 0 22 OK BUSY WR 60000\r\n"},
      {"/01 0 24 get pos", "@01 0 24 OK IDLE WR 125984\r\n"},
  };
  dt_script script;
  daq_stage s;
  daq_stage_state at;
  start(&script, &s, steps, COUNT(steps));
  assert_ok(zaber->ask(&s, err));
  double began_s = cb_now_monotonic_s();
  assert_ok(take(&s, &at, err));
  assert_true(cb_now_monotonic_s() - began_s < 2 * 0.2); /* two time-outs of a try */
  assert_near(at.position_m, 0.01, 1e-7);
  assert_ok(zaber->move_abs(&s, 0.025, 0.01, err));
  assert_fails(CB_E_TIMEOUT, "no answer to 'move abs 0', but replies to other commands (1 of them)",
               zaber->move_abs(&s, 0, 0.01, err));
  st_end(&script, &s);
}

/* A stage that puts off a command did not do it: it is sent again, whatever it is. */
static void put_off(void **state) {
  (void)state;
  const dt_step steps[] = {
      OPENING,
      {"/01 0 14 home", "@01 0 14 RJ IDLE WR AGAIN\r\n"},
      {"/01 0 15 home", "@01 0 15 RJ IDLE WR AGAIN\r\n"},
      {"/01 0 16 home", "@01 0 16 OK BUSY WR 0\r\n"},
      {"/01 0 17 home", "@01 0 17 RJ IDLE WR AGAIN\r\n"},
      {"/01 0 18 home", "@01 0 18 RJ IDLE WR AGAIN\r\n"},
      {"/01 0 19 home", "@01 0 19 RJ IDLE WR AGAIN\r\n"},
      {"/01 0 20 home", "@01 0 20 RJ IDLE WR AGAIN\r\n"},
      {"/01 0 21 home", "@01 0 21 RJ IDLE WR AGAIN\r\n"},
  };
  dt_script script;
  daq_stage s;
  start(&script, &s, steps, COUNT(steps));
  assert_ok(zaber->home(&s, err));
  assert_fails(CB_E_DEVICE, "refuses 'home': AGAIN", zaber->home(&s, err));
  st_end(&script, &s);
}

/* Another program that talks on the line all the time is named, and does not hold the run up for ever. */
static void alien_storm(void **state) {
  (void)state;
  static char storm[4000];
  for (size_t i = 0, n = 0; i < 40; i++)
    n += (size_t)snprintf(storm + n, sizeof storm - n, "@01 0 77 OK IDLE WR 5\r\n");
  const dt_step steps[] = {OPENING, {"/01 0 14 get pos", storm}};
  dt_script script;
  daq_stage s;
  daq_stage_state at;
  start(&script, &s, steps, COUNT(steps));
  assert_ok(zaber->ask(&s, err));
  cb_sleep_s(0.2);
  assert_fails(CB_E_TIMEOUT, "but replies to other commands (40 of them): does another program use this line",
               take(&s, &at, err));
  st_end(&script, &s);
}

static void silence(void **state) {
  (void)state;
  const dt_step steps[] = {
      OPENING,
      /* A question is asked again, what moves is not. */
      {"/01 0 14 get pos", NULL},
      {"/01 0 15 get pos", NULL},
      {"/01 0 16 get pos", NULL},
      {"/01 0 17 home", NULL},
      /* A stop is repeated. */
      {"/01 0 18 stop", NULL},
      {"/01 0 19 stop", "@01 0 19 OK IDLE FS 0\r\n"},
      {"/01 0 20 stop", NULL},
      {"/01 0 21 stop", NULL},
      {"/01 0 22 stop", NULL},
  };
  dt_script script;
  daq_stage s;
  daq_stage_state at;
  start(&script, &s, steps, COUNT(steps));
  assert_ok(zaber->ask(&s, err));
  double began = cb_now_monotonic_s();
  assert_fails(CB_E_TIMEOUT, "no answer to 'get pos' within ", take(&s, &at, err));
  assert_true(cb_now_monotonic_s() - began >= 0.98 * rig.reply_timeout_s);
  assert_int_equal(s.n_retried, 2);
  assert_fails(CB_E_TIMEOUT, "no answer to 'home' within ", zaber->home(&s, err));
  assert_ok(zaber->stop(&s, err)); /* a fault does not matter any more */
  assert_fails(CB_E_TIMEOUT, "no answer to 'stop'", zaber->stop(&s, err));
  st_end(&script, &s);
}

static void faults_and_refusals(void **state) {
  (void)state;
  const dt_step steps[] = {
      OPENING,
      {"/01 0 14 move abs 50394", "@01 0 14 RJ IDLE WR BADDATA\r\n"},
      {"/01 0 15 home", "@01 0 15 OK BUSY WR 0\r\n"},
      {"/01 0 16 get pos", "@01 0 16 OK IDLE -- 0\r\n"},
      {"/01 0 17 move abs 50394", "@01 0 17 OK BUSY -- 0\r\n"},
      {"/01 0 18 get pos", "@01 0 18 OK IDLE FS 300\r\n"},
      {"/01 0 19 get pos", "@01 0 19 OK IDLE WR 0\r\n"},
      {"/01 0 20 get pos", "@01 0 20 OK IDLE -- 1 2\r\n"},
      {"/01 0 21 home", "@01 0 21 OK BUSY -- 0\r\n"},
      {"/01 0 22 get pos", "@01 0 22 OK IDLE WH 0\r\n"},
  };
  dt_script script;
  daq_stage s;
  daq_stage_state at;
  start(&script, &s, steps, COUNT(steps));
  assert_fails(CB_E_DEVICE, "refuses 'move abs 50394': BADDATA", zaber->move_abs(&s, 0.01, 0.05, err));
  assert_ok(zaber->home(&s, err));
  assert_ok(zaber->ask(&s, err));
  assert_ok(take(&s, &at, err));
  assert_ok(zaber->move_abs(&s, 0.01, 0.05, err));
  assert_ok(zaber->ask(&s, err));
  assert_fails(CB_E_DEVICE, "the fault FS (stalled and stopped)", take(&s, &at, err));
  assert_ok(zaber->ask(&s, err));
  /* it was homed: power was lost */
  assert_fails(CB_E_DEVICE, "WR (no reference position)", take(&s, &at, err));
  assert_ok(zaber->ask(&s, err));
  assert_fails(CB_E_DEVICE, "answers '1 2'", take(&s, &at, err)); /* two axes */
  assert_ok(zaber->home(&s, err));
  assert_ok(zaber->ask(&s, err));
  assert_fails(CB_E_DEVICE, "homing ended with WH", take(&s, &at, err));
  st_end(&script, &s);
}

static void does_not_take_the_limit(void **state) {
  (void)state;
  dt_step steps[] = {OPENING};
  dt_script script;
  daq_stage s;
  steps[12].answer = OK("13", "999999");
  dt_script_start(&script, steps, COUNT(steps));
  assert_fails(CB_E_DEVICE, "'set limit.max 503937' was accepted, but it says 999999",
               zaber->open(&s, &rig, script.pty.name, err));
  st_end(&script, &s);
}

static void unplugged(void **state) {
  (void)state;
  const dt_step steps[] = {OPENING, {"/01 0 14 get pos", NULL}};
  dt_script script;
  daq_stage s;
  daq_stage_state at;
  start(&script, &s, steps, COUNT(steps));
  assert_ok(zaber->ask(&s, err));
  cb_sleep_s(0.05);
  dt_script_end(&script);
  assert_fails(CB_E_DEVICE, "the device was disconnected", take(&s, &at, err));
  double began = cb_now_monotonic_s();
  assert_fails(CB_E_DEVICE, "the device was disconnected", zaber->stop(&s, err));
  assert_true(cb_now_monotonic_s() - began < 0.2 * cbt_patience()); /* no waiting for a device that is gone */
  daq_stage_close(&s);
}

/* Checksums by hand: the sum of the bytes after the marker and the checksum is 0 modulo 256. */
static void with_checksums(void **state) {
  (void)state;
  const dt_step steps[] = {
      {"/01 0 01 set comm.checksum 1:C4", "@01 0 01 OK IDLE WR 0\r\n"},
      {"/01 0 02 stop:E7",
       "@01 0 02 OK IDLE WR 0\r\n@01 0 02 OK IDLE WR 0:00\r\n@01 0 02 OK IDLE WR 0:BC\r\n"},
      {"/01 0 03 get device.id:E1", NULL},
      {"/01 0 04 get device.id:E0", NULL},
      {"/01 0 05 get device.id:DF", NULL},
  };
  cb_rig_stage checked = rig;
  dt_script script;
  daq_stage s;
  checked.checksum = true;
  dt_script_start(&script, steps, COUNT(steps));
  assert_fails(CB_E_TIMEOUT, "no answer to 'get device.id'", zaber->open(&s, &checked, script.pty.name, err));
  st_end(&script, &s);
}

/* A homed stage on its way says this, without being asked or in its next answer. */
static void trouble(const char *unasked, const char *flag, const char *sentence) {
  char reply[64];
  (void)snprintf(reply, sizeof reply, "@01 0 16 OK IDLE %s 0\r\n", flag);
  const dt_step steps[] = {OPENING,
                           {"/01 0 14 home", "@01 0 14 OK BUSY WR 0\r\n"},
                           {"/01 0 15 get pos", "@01 0 15 OK IDLE -- 0\r\n"},
                           {"/01 0 16 get pos", unasked ? unasked : reply}};
  dt_script script;
  daq_stage s;
  daq_stage_state at;
  start(&script, &s, steps, COUNT(steps));
  assert_ok(zaber->home(&s, err));
  assert_ok(st_look(&s, &at, err));
  if (sentence)
    assert_fails(CB_E_DEVICE, sentence, st_look(&s, &at, err));
  else
    assert_ok(st_look(&s, &at, err));
  st_end(&script, &s);
}

static void alerts_and_warnings(void **state) {
  (void)state;
  trouble("!01 1 IDLE FS\r\n", "--", "alerts the fault FS (stalled and stopped)");
  trouble("!01 1 IDLE FX\r\n", "--", "alerts the fault FX (unknown flag)");
  trouble("!02 1 IDLE FS\r\n@01 0 16 OK IDLE -- 0\r\n", "--", NULL); /* another device's */
  trouble(NULL, "NI", "reports NI (movement interrupted), and this program did not do that");
  trouble(NULL, "NC", "reports NC (moved by hand at its knob), and this program did not do that");
  trouble(NULL, "WM",
          "warns WM (displaced while it stood still) in its answer to 'get pos': its position is in doubt");
  trouble(NULL, "WS", "its position is in doubt");
  trouble(NULL, "FH", "reports the fault FH (hardware emergency stop)");
  trouble(NULL, "WT", NULL);
  trouble(NULL, "NR", NULL);
}

/* An alert that motion has ended brings the question where forward. */
static void idle_alert(void **state) {
  (void)state;
  const dt_step steps[] = {OPENING, {"/01 0 14 get pos", "@01 0 14 OK IDLE WR 700\r\n"}};
  dt_script script;
  daq_stage s;
  daq_stage_state at;
  bool fresh = false;
  start(&script, &s, steps, COUNT(steps));
  dt_send(&script.pty, "!01 1 IDLE --\r\n");
  while (!fresh) assert_ok(zaber->take(&s, &at, &fresh, err));
  assert_near(at.position_m, 700 * 0.1984375e-6, 1e-12);
  st_end(&script, &s);
}

static void wrong_devices(void **state) {
  (void)state;
  const dt_step steps[] = {OPENING};
  const dt_step chain[] = {
      {"/01 0 01 stop", "@03 0 01 OK IDLE -- 0\r\n"}, {"/01 0 02 stop", NULL}, {"/01 0 03 stop", NULL}};
  cb_rig_stage named = rig;
  dt_script script;
  daq_stage s;
  (void)snprintf(named.serial, sizeof named.serial, "816");
  dt_script_start(&script, steps, 4);
  assert_fails(CB_E_DEVICE, "serial number is 815, the rig file wants 816",
               zaber->open(&s, &named, script.pty.name, err));
  st_end(&script, &s);
  dt_script_start(&script, chain, COUNT(chain));
  assert_fails(CB_E_DEVICE, "device 3 answers, but not device 1, which the rig file names",
               zaber->open(&s, &rig, script.pty.name, err));
  st_end(&script, &s);
  st_busy_port(zaber, &rig);
  st_stranger(zaber, &rig, NULL, CB_E_TIMEOUT,
              "nothing came: no power, the wrong cable or port, or a rate other than 115200 baud");
  st_stranger(zaber, &rig, "<Idle|MPos:0,0,0>\r\n", CB_E_DEVICE,
              "none made sense: another device, or a rate other than 115200 baud");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(opens_and_reads_back),
      cmocka_unit_test(homes_moves_stops),
      cmocka_unit_test(late_reply_is_not_the_present_one),
      cmocka_unit_test(silence),
      cmocka_unit_test(aliens),
      cmocka_unit_test(put_off),
      cmocka_unit_test(alien_storm),
      cmocka_unit_test(faults_and_refusals),
      cmocka_unit_test(does_not_take_the_limit),
      cmocka_unit_test(unplugged),
      cmocka_unit_test(with_checksums),
      cmocka_unit_test(alerts_and_warnings),
      cmocka_unit_test(idle_alert),
      cmocka_unit_test(wrong_devices),
  };
  return cmocka_run_group_tests(tests, be_patient, NULL);
}
