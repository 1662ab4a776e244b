/* Thorlabs APT: messages as others print them, and the driver against a scripted controller, byte for byte.
 */
#include "daqtest.h"

#include "cb_rng_parts.h"
#include "daq_apt.h"
#include "stagetest.h"

/* ---- messages ---- */

static void assert_bytes(const char *bytes, size_t n, const char *hex) {
  char text[100] = "";
  for (size_t i = 0; i < n; i++)
    (void)snprintf(text + 3 * i - (i > 0), 5, i ? " %02X" : "%02X", (unsigned char)bytes[i]);
  assert_string_equal(text, hex);
}

/* The two examples of the README of yaq-project/thorlabs-apt-protocol; the stop and the enabling as in
 * Thorlabs' examples. */
static void what_is_sent(void **state) {
  (void)state;
  char out[DAQ_APT_MESSAGE_MAX];
  const int32_t target = 2048, back = -1;
  assert_bytes(out, daq_apt_put(DAQ_APT_HOME, 1, 0, out), "43 04 01 00 50 01");
  assert_bytes(out, daq_apt_put_numbers(DAQ_APT_MOVE, &target, 1, out),
               "53 04 06 00 D0 01 01 00 00 08 00 00");
  assert_bytes(out, daq_apt_put_numbers(DAQ_APT_MOVE, &back, 1, out), "53 04 06 00 D0 01 01 00 FF FF FF FF");
  assert_bytes(out, daq_apt_put(DAQ_APT_STOP, 1, 2, out), "65 04 01 02 50 01");
  assert_bytes(out, daq_apt_put(DAQ_APT_ENABLE, 1, 1, out), "10 02 01 01 50 01");
}

static daq_parse parse(const char *hex, daq_apt_message *m, size_t *used) {
  char bytes[200];
  return daq_apt_parse(bytes, dt_from_hex(hex, bytes), m, used);
}

#define STATE(position, bits) "91 04 0E 00 81 50 01 00 " position " 00 00 00 00 " bits

static void what_is_answered(void **state) {
  (void)state;
  daq_apt_message m;
  size_t used;
  assert_int_equal(parse(STATE("3C F6 FF FF", "20 03 00 80"), &m, &used), DAQ_PARSE_VALID);
  assert_int_equal(used, 20);
  assert_int_equal(m.id, DAQ_APT_DC_STATUS);
  assert_int_equal(daq_apt_number(&m, 0), -2500);
  assert_int_equal((uint32_t)daq_apt_number(&m, 2), 0x80000320);
  assert_int_equal(parse("44 04 01 00 01 50 FF", &m, &used), DAQ_PARSE_VALID);
  assert_int_equal(used, 6);
  assert_int_equal(parse("", &m, &used), DAQ_PARSE_MORE);
  assert_int_equal(parse("91 04 0E 00 81 50 01", &m, &used), DAQ_PARSE_MORE);
  assert_int_equal(used, 0);
  static const char *const bad[] = {
      "FF",                /* nothing begins so */
      "91 04 0F",          /* another length */
      "91 04 0E 00 01",    /* it has a packet */
      "91 04 0E 00 81 21", /* from a bay of a rack */
      "44 04 01 00 81",    /* it has none */
      "53 04 06 00 D0 01"  /* the host's own, as from an echo */
  };
  for (size_t i = 0; i < COUNT(bad); i++) {
    if (parse(bad[i], &m, &used) != DAQ_PARSE_INVALID) fail_msg("'%s' was taken", bad[i]);
    assert_int_equal(used, 1);
  }
}

/* A message after garbage that is none of its beginnings is found. */
static void garbage(void **state) {
  (void)state;
  cb_rng rng;
  cb_rng_init(&rng, 17, 0);
  for (int round = 0; round < 2000; round++) {
    char bytes[500];
    size_t n = cb_rng_u64(&rng) % 300, at = 0, used;
    for (size_t i = 0; i < n; i++) bytes[i] = (char)cb_rng_u64(&rng);
    memset(bytes + n, 0xFF, 90); /* longer than a packet that the garbage may have begun */
    n += 90 + dt_from_hex(STATE("00 08 00 00", "00 05 00 80"), bytes + n + 90);
    daq_apt_message m;
    bool found = false;
    daq_parse p;
    while ((p = daq_apt_parse(bytes + at, n - at, &m, &used)) != DAQ_PARSE_MORE) {
      assert_true(used > 0 && used <= n - at);
      at += used;
      found = found || (p == DAQ_PARSE_VALID && m.id == DAQ_APT_DC_STATUS && daq_apt_number(&m, 0) == 2048);
    }
    assert_true(found);
  }
}

/* ---- driver ---- */

static const daq_stage_driver *const driver = &daq_apt_driver;

/* An MTS50-Z8: 34304 counts per mm. */
static const cb_rig_stage rig = {.baud = 115200,
                                 .serial = "27000001",
                                 .microstep_m = 1e-3 / 34304,
                                 .limit_max_m = 0.05,
                                 .max_speed_m_per_s = 2e-3,
                                 .acceleration_m_per_s2 = 1e-3,
                                 .start_m = 0.005,
                                 .reply_timeout_s = 3};

#define ZEROS_60                                                                         \
  "00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 " \
  "00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 " \
  "00 00 00 00"
/* 27000001 is 019BFCC1. */
#define INFO                                                                          \
  "06 00 54 00 81 50 C1 FC 9B 01 4B 44 43 31 30 31 00 00 10 00 03 02 01 00 " ZEROS_60 \
  " 01 00 "                                                                           \
  "00 00 01 00"
#define ALIVE \
  { "92 04 00 00 50 01", NULL }
#define ASKS_STATE "90 04 01 00 50 01"
#define WHO \
  { "05 00 00 00 50 01", INFO }
#define LOOK(position, bits) \
  ALIVE, { ASKS_STATE, STATE(position, bits) }
#define OPENING                                                                                      \
  {"18 00 00 00 50 01", NULL}, {"12 00 00 00 50 01", NULL}, {"65 04 01 02 50 01", NULL}, ALIVE, WHO, \
      {ASKS_STATE, STATE("05 00 00 00", "00 01 00 00")}, WHO, {                                      \
    "10 02 01 01 50 01", NULL                                                                        \
  }
/* 262 and 767367: 261.93 per mm/s2 and 767367.49 per mm/s, as printed for such a stage. */
#define SPEED                                                                          \
  {"13 04 0E 00 D0 01 01 00 00 00 00 00 06 01 00 00 87 B5 0B 00", NULL}, {             \
    "14 04 01 00 50 01", "15 04 0E 00 81 50 01 00 00 00 00 00 06 01 00 00 87 B5 0B 00" \
  }
#define HOMED LOOK("00 00 00 00", "00 05 00 80")

static void start(dt_script *script, daq_stage *s, const dt_step *steps, size_t n) {
  dt_script_start_as(script, steps, n, 2);
  assert_ok(driver->open(s, &rig, script->pty.name, err));
  s->ask_period_s = 0;
}

static void homes_moves_stops(void **state) {
  (void)state;
  const dt_step steps[] = {
      OPENING,
      {"43 04 01 00 50 01", NULL},
      LOOK("05 00 00 00", "00 05 00 80"), /* it has not begun yet, and was homed long ago */
      LOOK("01 00 00 00", "20 03 00 80"),
      LOOK("00 00 00 00", "00 05 00 80"),
      SPEED,
      {"53 04 06 00 D0 01 01 00 00 86 00 00", NULL}, /* 34304 */
      LOOK("00 00 00 00", "00 05 00 80"),            /* it has not begun yet */
      LOOK("00 10 00 00", "10 05 00 80"),
      LOOK("01 86 00 00", "00 25 00 80"),
      SPEED,
      {"53 04 06 00 D0 01 01 00 00 08 00 00", NULL},
      ALIVE,
      /* the end of the move before comes late; that of this one is told, though it stands 3 counts beside it
       */
      {ASKS_STATE,
       "64 04 0E 00 81 50 01 00 00 86 00 00 00 00 00 00 00 25 00 80 " STATE("00 80 00 00", "20 05 00 80")},
      ALIVE,
      {ASKS_STATE,
       "64 04 0E 00 81 50 01 00 01 08 00 00 00 00 00 00 00 25 00 80 " STATE("03 08 00 00", "00 25 00 80")},
      {"65 04 01 02 50 01", NULL},
      ALIVE,
      WHO,
      {ASKS_STATE, STATE("03 08 00 00", "10 05 00 80")},
      LOOK("09 08 00 00", "00 25 00 80"),
  };
  dt_script script;
  daq_stage s;
  daq_stage_state at;
  start(&script, &s, steps, COUNT(steps));
  assert_string_equal(s.identity, "Thorlabs KDC101, serial number 27000001, firmware 1.2.3");
  assert_string_equal(s.stop_text, "\x65\x04\x01\x02\x50\x01");
  assert_ok(driver->home(&s, err));
  for (int i = 0; i < 3; i++) {
    assert_ok(st_look(&s, &at, err));
    assert_int_equal(at.busy, i < 2);
  }
  assert_ok(driver->move_abs(&s, 1e-3, 1e-3, err));
  for (int i = 0; i < 3; i++) {
    assert_ok(st_look(&s, &at, err));
    assert_int_equal(at.busy, i < 2);
  }
  assert_near(at.position_m, 34305 / 34304e3, 1e-15);
  assert_ok(driver->move_abs(&s, 2048 / 34304e3, 1e-3, err));
  for (int i = 0; i < 2; i++) {
    assert_ok(st_look(&s, &at, err));
    assert_int_equal(at.busy, i < 1);
  }
  assert_ok(driver->stop(&s, err));
  assert_int_equal(s.n_stray + s.n_retried + s.n_unreadable, 0);
  st_end(&script, &s);
}

/* The answer to the first question comes late; it lies before the answer to the question for the name. */
static void late_and_lost_answers(void **state) {
  (void)state;
  const dt_step steps[] = {
      OPENING,
      ALIVE,
      {ASKS_STATE, NULL},
      {"05 00 00 00 50 01", STATE("05 00 00 00", "10 01 00 00") " " INFO},
      {ASKS_STATE, "FF 91 04 " STATE("00 08 00 00", "00 01 00 00")},
      ALIVE,
      {ASKS_STATE, NULL},
      {"05 00 00 00 50 01", NULL},
      {"05 00 00 00 50 01", NULL},
  };
  dt_script script;
  daq_stage s;
  daq_stage_state at;
  start(&script, &s, steps, COUNT(steps));
  st_impatient(&s);
  assert_ok(st_look(&s, &at, err));
  assert_false(at.busy);
  assert_near(at.position_m, 2048 / 34304e3, 1e-15);
  assert_int_equal(s.n_stray, 1);
  assert_int_equal(s.n_retried, 1);
  assert_fails(CB_E_TIMEOUT, "no answer to the question for its state within 0.5 s", st_look(&s, &at, err));
  st_end(&script, &s);
}

static void trouble(const char *says, const char *sentence) {
  const dt_step steps[] = {OPENING, {"43 04 01 00 50 01", NULL},
                           ALIVE,   {ASKS_STATE, "44 04 01 00 01 50 " STATE("00 00 00 00", "00 05 00 80")},
                           SPEED,   {"53 04 06 00 D0 01 01 00 00 86 00 00", NULL},
                           ALIVE,   {ASKS_STATE, says}};
  dt_script script;
  daq_stage s;
  daq_stage_state at;
  start(&script, &s, steps, COUNT(steps));
  assert_ok(driver->home(&s, err));
  assert_ok(st_look(&s, &at, err));
  assert_false(at.busy);
  assert_ok(driver->move_abs(&s, 1e-3, 1e-3, err));
  assert_fails(CB_E_DEVICE, sentence, st_look(&s, &at, err));
  st_end(&script, &s);
}

static void troubles(void **state) {
  (void)state;
  trouble(STATE("00 10 00 00", "00 45 00 80"), "reports a motion error: it cannot follow");
  trouble(STATE("00 10 00 00", "10 01 00 80"), "lost its reference");
  trouble(STATE("00 10 00 00", "01 05 00 80"), "stands at its limit switch before it arrived");
  trouble("66 04 0E 00 81 50 01 00 00 10 00 00 00 00 00 00 00 05 00 80", "was stopped by somebody before");
  trouble("80 00 00 00 01 50", "reports an error without being asked");
}

/* Speed and acceleration of a stepper motor: an LTS300 of 409600 counts per mm has 21987328 and 4506. */
static void a_stepper(void **state) {
  (void)state;
  const dt_step steps[] = {
      {"18 00 00 00 50 01", NULL},
      {"12 00 00 00 50 01", NULL},
      {"65 04 01 02 50 01", NULL},
      WHO,
      {"80 04 01 00 50 01", "81 04 0E 00 81 50 01 00 05 00 00 00 00 00 00 00 00 05 00 00"},
      WHO,
      {"10 02 01 01 50 01", NULL},
      {"13 04 0E 00 D0 01 01 00 00 00 00 00 9A 11 00 00 00 80 4F 01", NULL},
      {"14 04 01 00 50 01", "15 04 0E 00 81 50 01 00 00 00 00 00 9A 11 00 00 00 00 00 01"},
  };
  cb_rig_stage lts = rig;
  dt_script script;
  daq_stage s;
  lts.motor = CB_MOTOR_STEPPER;
  lts.microstep_m = 1e-3 / 409600;
  dt_script_start_as(&script, steps, COUNT(steps), 2);
  assert_ok(driver->open(&s, &lts, script.pty.name, err));
  assert_fails(CB_E_DEVICE,
               "acceleration and speed were set to 4506 and 21987328, but it says 4506 and 16777216",
               driver->move_abs(&s, 1e-3, 1e-3, err));
  st_end(&script, &s);
}

static void silence_and_wrong_devices(void **state) {
  (void)state;
  const dt_step steps[] = {OPENING,
                           {"65 04 01 02 50 01", NULL},
                           ALIVE,
                           {"05 00 00 00 50 01", NULL},
                           {"65 04 01 02 50 01", NULL},
                           ALIVE,
                           {"05 00 00 00 50 01", NULL},
                           {"65 04 01 02 50 01", NULL},
                           ALIVE,
                           {"05 00 00 00 50 01", NULL}};
  dt_script script;
  daq_stage s;
  cb_rig_stage other = rig;
  start(&script, &s, steps, COUNT(steps));
  st_impatient(&s);
  assert_fails(CB_E_TIMEOUT, "no answer to the question for its name within 0.5 s", driver->stop(&s, err));
  st_end(&script, &s);
  strcpy(other.serial, "27000002");
  dt_script_start_as(&script, steps, 8, 2);
  assert_fails(CB_E_DEVICE, "serial number is 27000001, the rig file wants 27000002",
               driver->open(&s, &other, script.pty.name, err));
  daq_stage_close(&s);
  atomic_store(&script.over, true);
  pthread_join(script.thread, NULL);
  dt_pty_close(&script.pty);
  other.reply_timeout_s = 0.3;
  st_busy_port(driver, &other);
  st_stranger(driver, &other, NULL, CB_E_TIMEOUT, "nothing came: no power, the wrong cable or port");
  st_stranger(driver, &other, "@01 0 OK IDLE -- 0\r\n", CB_E_DEVICE,
              "a Thorlabs controller (APT) was wanted");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_is_sent),
      cmocka_unit_test(what_is_answered),
      cmocka_unit_test(garbage),
      cmocka_unit_test(homes_moves_stops),
      cmocka_unit_test(late_and_lost_answers),
      cmocka_unit_test(troubles),
      cmocka_unit_test(a_stepper),
      cmocka_unit_test(silence_and_wrong_devices),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
