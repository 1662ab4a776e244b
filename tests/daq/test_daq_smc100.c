/* Newport SMC100: the parser against answers and garbage, the driver against a scripted controller, line for
 * line. */
#include "daqtest.h"

#include "cb_rng_parts.h"
#include "daq_smc100.h"
#include "stagetest.h"

/* ---- parser ---- */

static daq_parse parse(const char *text, daq_smc100_message *m, size_t *used) {
  return daq_smc100_parse(text, strlen(text), m, used);
}

static void answers(void **state) {
  (void)state;
  daq_smc100_message m;
  size_t used;
  assert_int_equal(parse("1TP12.34500\r\n", &m, &used), DAQ_PARSE_VALID);
  assert_int_equal(m.address, 1);
  assert_string_equal(m.command, "TP");
  assert_string_equal(m.text, "12.34500");
  assert_int_equal(parse("\n31TE@\r\n", &m, &used), DAQ_PARSE_VALID);
  assert_int_equal(m.address, 31);
  assert_string_equal(m.text, "@");
  assert_int_equal(parse("1VE SMC100CC V1.2 \r\n", &m, &used), DAQ_PARSE_VALID);
  assert_string_equal(m.text, "SMC100CC V1.2");
  static const char *const bad[] = {"\x80\r\n", "TP1\r\n",    "1\r\n",       "1T\r\n",
                                    "1tp3\r\n", "123TP1\r\n", "1TP\x01\r\n", "ok\r\n"};
  for (size_t i = 0; i < COUNT(bad); i++) {
    if (parse(bad[i], &m, &used) != DAQ_PARSE_INVALID) fail_msg("'%s' was taken", bad[i]);
    assert_true(used > 0 && used <= strlen(bad[i]));
  }
  assert_int_equal(parse("1TP12.3", &m, &used), DAQ_PARSE_MORE);
  assert_int_equal(used, 0);
}

/* A cable that rustles: nothing but line ends must not fill the buffer for good. */
static void endless_line_ends(void **state) {
  (void)state;
  char text[1024];
  daq_smc100_message m;
  size_t used;
  for (size_t i = 0; i < sizeof text; i++) text[i] = i % 3 ? '\r' : '\n';
  assert_int_equal(daq_smc100_parse(text, 2, &m, &used), DAQ_PARSE_MORE);
  assert_int_equal(daq_smc100_parse(text, sizeof text, &m, &used), DAQ_PARSE_INVALID);
  assert_int_equal(used, sizeof text);
}

static void garbage(void **state) {
  (void)state;
  const char alphabet[] = "0123456789TSPE@.-?\r\n \x00\xff\x11";
  cb_rng rng;
  cb_rng_init(&rng, 13, 0);
  for (int round = 0; round < 2000; round++) {
    char text[512];
    size_t n = cb_rng_u64(&rng) % 300, at = 0, used;
    for (size_t i = 0; i < n; i++) text[i] = alphabet[cb_rng_u64(&rng) % (sizeof alphabet - 1)];
    memcpy(text + n, "\r\n7TP-4711.5\r\n", 14);
    n += 14;
    daq_smc100_message m;
    daq_parse p;
    bool found = false;
    while ((p = daq_smc100_parse(text + at, n - at, &m, &used)) != DAQ_PARSE_MORE) {
      assert_true(used > 0 && used <= n - at);
      at += used;
      found = found || (p == DAQ_PARSE_VALID && m.address == 7 && strcmp(m.text, "-4711.5") == 0);
    }
    assert_true(found);
  }
}

static void states(void **state) {
  (void)state;
  daq_smc100_state s;
  assert_true(daq_smc100_state_of("000033", &s));
  assert_true(s.phase == DAQ_SMC100_READY && s.errors == 0);
  /* The example of Newport's manual: homing time-out, RMS and peak current limit. */
  assert_true(daq_smc100_state_of("004C0A", &s));
  assert_int_equal(s.errors, 0x4C);
  assert_int_equal(s.phase, DAQ_SMC100_UNREFERENCED);
  assert_string_equal(daq_smc100_error_text(0x4C), "homing time-out");
  assert_string_equal(daq_smc100_error_text(0x01), "negative end of run");
  assert_string_equal(daq_smc100_error_text(0x8000), "an error bit that is not in Newport's list");
  assert_string_equal(daq_smc100_error_text(0), "");
  assert_false(daq_smc100_state_of("000099", &s));
  assert_false(daq_smc100_state_of("0033", &s));
  assert_false(daq_smc100_state_of("00003G", &s));
  assert_string_equal(daq_smc100_letter_text('G'), "displacement out of limits");
  assert_string_equal(daq_smc100_letter_text('?'), "a letter that is not in Newport's list");
}

/* ---- driver ---- */

static const daq_stage_driver *const smc100 = &daq_smc100_driver;

static const cb_rig_stage rig = {.baud = 57600,
                                 .device_address = 2,
                                 .serial = "B07",
                                 .microstep_m = 0.1e-6,
                                 .limit_min_m = 5e-3,
                                 .limit_max_m = 0.025,
                                 .max_speed_m_per_s = 0.02,
                                 .acceleration_m_per_s2 = 0.08,
                                 .start_m = 0.01,
                                 .reply_timeout_s = 3};

#define OPENING(state)                                                       \
  {"2ST\r", NULL}, {"2TS\r", "2TS0000" state "\r\n"}, {"2TE\r", "2TE@\r\n"}, \
      {"2VE\r", "2VE SMC100CC V1.2\r\n"}, {                                  \
    "2ID?\r", "2IDTRA25CC_SN:B07\r\n"                                        \
  }
#define TAKEN(command) \
  {command "\r", NULL}, { "2TE\r", "2TE@\r\n" }
#define SET(name, value) \
  TAKEN("2" name value), { "2" name "?\r", "2" name value "\r\n" }
#define LOOK(state, position) \
  {"2TS\r", "2TS0000" state "\r\n"}, { "2TP\r", "2TP" position "\r\n" }

static void start(dt_script *script, daq_stage *s, const dt_step *steps, size_t n) {
  dt_script_start(script, steps, n);
  assert_ok(smc100->open(s, &rig, script->pty.name, err));
  s->ask_period_s = 0;
}

static void homes_moves_stops(void **state) {
  (void)state;
  const dt_step steps[] = {
      OPENING("0A"),
      LOOK("0A", "0.3"),          /* not referenced, at rest */
      {"2TS\r", "2TS00010A\r\n"}, /* at its lower end: where homing may begin */
      TAKEN("2OR"),
      LOOK("1E", "-1.5"),
      {"2TS\r", "3TS000033\r\n2TP99\r\n2TS000032\r\n"}, /* another device's, and a late one */
      {"2TP\r", "2TP0.00000\r\n"},
      SET("AC", "80.000000"),
      SET("SL", "0.000000"), /* home lies within the limits, always */
      SET("SR", "25.000000"),
      SET("VA", "10.000000"),
      TAKEN("2PA12.500000"),
      LOOK("28", "7.25"),
      {"2ST\r", NULL},
      {"2TS\r", "2TS000028\r\n"},
      {"2TS\r", "2TS000033\r\n"},
      {"2TE\r", "2TED\r\n"}, /* whatever it thinks of being stopped */
      LOOK("33", "7.5"),
      TAKEN("2PA5.000000"), /* limits and speed are in */
  };
  dt_script script;
  daq_stage s;
  daq_stage_state at;
  start(&script, &s, steps, COUNT(steps));
  assert_string_equal(s.identity, "Newport SMC100CC V1.2, stage TRA25CC_SN:B07");
  assert_string_equal(s.stop_text, "2ST\r\n");
  assert_ok(st_look(&s, &at, err));
  assert_false(at.busy);
  assert_ok(smc100->home(&s, err));
  assert_ok(st_look(&s, &at, err));
  assert_true(at.busy);
  assert_near(at.position_m, -1.5e-3, 1e-12);
  assert_ok(st_look(&s, &at, err));
  assert_false(at.busy);
  assert_ok(smc100->move_abs(&s, 0.0125, 0.01, err));
  assert_ok(st_look(&s, &at, err));
  assert_true(at.busy);
  assert_ok(smc100->stop(&s, err));
  assert_ok(st_look(&s, &at, err));
  assert_near(at.position_m, 7.5e-3, 1e-12);
  assert_ok(smc100->move_abs(&s, 5e-3, 0.01, err));
  st_end(&script, &s);
}

/* Homing once is for the life of the controller: after that it goes to where home is. */
static void homes_a_referenced_stage(void **state) {
  (void)state;
  const dt_step steps[] = {
      OPENING("33"),          {"2TS\r", "2TS000033\r\n"}, SET("AC", "80.000000"), SET("SL", "0.000000"),
      SET("SR", "25.000000"), SET("VA", "20.000000"),     TAKEN("2PA0.000000"),   LOOK("28", "3")};
  dt_script script;
  daq_stage s;
  daq_stage_state at;
  start(&script, &s, steps, COUNT(steps));
  assert_ok(smc100->home(&s, err));
  assert_ok(st_look(&s, &at, err));
  assert_true(at.busy);
  st_end(&script, &s);
}

static void trouble(const char *ts, const char *sentence) {
  const dt_step steps[] = {
      OPENING("0A"), {"2TS\r", "2TS00000A\r\n"}, TAKEN("2OR"), LOOK("32", "0"), {"2TS\r", ts}};
  dt_script script;
  daq_stage s;
  daq_stage_state at;
  start(&script, &s, steps, COUNT(steps));
  assert_ok(smc100->home(&s, err));
  assert_ok(st_look(&s, &at, err));
  assert_fails(CB_E_DEVICE, sentence, st_look(&s, &at, err));
  st_end(&script, &s);
}

static void troubles(void **state) {
  (void)state;
  trouble("2TS00203D\r\n", "reports the error following error (0020)");
  trouble("2TS00020F\r\n", "reports the error positive end of run (0002)");
  trouble("2TS00000F\r\n", "is 'not referenced, from moving': it lost its reference");
  trouble("2TS00003C\r\n", "is 'disabled, from ready'; enable it");
  trouble("2TS000014\r\n", "is in its configuration state");
  trouble("2TS000046\r\n", "is moved by its keypad");
  trouble("2TS0000\r\n", "answers '0000' to 'TS', which is not in Newport's list");
}

static void refusals_and_silence(void **state) {
  (void)state;
  const dt_step steps[] = {
      OPENING("33"),
      TAKEN("2AC80.000000"),
      {"2AC?\r", "2AC40\r\n"}, /* not what was set */
      {"2AC80.000000\r", NULL},
      {"2TE\r", "2TEC\r\n"},
      {"2AC80.000000\r", NULL}, /* once: nothing is sent again */
      {"2TE\r", NULL},
      {"2ST\r", NULL},
      {"2TS\r", NULL},
      {"2ST\r", NULL},
      {"2TS\r", NULL},
      {"2ST\r", NULL},
      {"2TS\r", NULL},
  };
  dt_script script;
  daq_stage s;
  start(&script, &s, steps, COUNT(steps));
  assert_fails(CB_E_DEVICE, "AC was set to 80, but it says '40' now", smc100->move_abs(&s, 0.01, 0.01, err));
  assert_fails(CB_E_DEVICE, "refuses 'AC80.000000': C (parameter missing or out of range)",
               smc100->move_abs(&s, 0.01, 0.01, err));
  st_impatient(&s);
  assert_fails(CB_E_TIMEOUT, "no answer to 'TE' within 0.5 s", smc100->move_abs(&s, 0.01, 0.01, err));
  assert_fails(CB_E_TIMEOUT, "no answer to 'TS' within 0.5 s", smc100->stop(&s, err));
  st_end(&script, &s);
}

/* State and position are asked for three times in all. An answer of another name, or of another address, is
 * none. */
static void lost_answers(void **state) {
  (void)state;
  const dt_step steps[] = {OPENING("33"),
                           {"2TS\r", NULL},
                           {"2TS\r", "2TP7.5\r\n3TS000028\r\n"},
                           {"2TS\r", "2TS000033\r\n"},
                           {"2TP\r", "2TS000028\r\n"},
                           {"2TP\r", "2TP12.5\r\n"},
                           {"2TS\r", NULL},
                           {"2TS\r", NULL},
                           {"2TS\r", NULL}};
  dt_script script;
  daq_stage s;
  daq_stage_state at;
  start(&script, &s, steps, COUNT(steps));
  st_impatient(&s);
  assert_ok(st_look(&s, &at, err));
  assert_false(at.busy);
  assert_near(at.position_m, 12.5e-3, 1e-12);
  assert_int_equal(s.n_retried, 3);
  assert_fails(CB_E_TIMEOUT, "no answer to 'TS' within 0.5 s", st_look(&s, &at, err));
  st_end(&script, &s);
}

/* A setting is read again where another answer came in its place; what became of a command is asked once. */
static void strays(void **state) {
  (void)state;
  const dt_step steps[] = {OPENING("33"),           TAKEN("2AC80.000000"),    {"2AC?\r", "2TS000033\r\n"},
                           {"2AC?\r", "2AC40\r\n"}, {"2AC80.000000\r", NULL}, {"2TE\r", "2TS000033\r\n"}};
  dt_script script;
  daq_stage s;
  start(&script, &s, steps, COUNT(steps));
  st_impatient(&s);
  assert_fails(CB_E_DEVICE, "AC was set to 80, but it says '40' now", smc100->move_abs(&s, 0.01, 0.01, err));
  assert_int_equal(s.n_retried, 1);
  assert_fails(CB_E_TIMEOUT, "no answer to 'TE' within 0.5 s", smc100->move_abs(&s, 0.01, 0.01, err));
  st_end(&script, &s);
}

static void homing_fails(void **state) {
  (void)state;
  const dt_step steps[] = {
      OPENING("0A"), {"2TS\r", "2TS00000A\r\n"}, TAKEN("2OR"), LOOK("1E", "0"), {"2TS\r", "2TS00000B\r\n"}};
  dt_script script;
  daq_stage s;
  daq_stage_state at;
  start(&script, &s, steps, COUNT(steps));
  assert_ok(smc100->home(&s, err));
  assert_ok(st_look(&s, &at, err));
  assert_fails(CB_E_DEVICE, "homing ended with 'not referenced, from homing'", st_look(&s, &at, err));
  st_end(&script, &s);
}

static void wrong_devices(void **state) {
  (void)state;
  dt_step steps[] = {OPENING("0A")};
  dt_script script;
  daq_stage s;
  cb_rig_stage hasty = rig;
  hasty.reply_timeout_s = 0.5;
  steps[4].answer = "2IDTRA25CC_SN:B08\r\n";
  dt_script_start(&script, steps, COUNT(steps));
  assert_fails(CB_E_DEVICE, "serial number is B08, the rig file wants B07",
               smc100->open(&s, &rig, script.pty.name, err));
  st_end(&script, &s);
  steps[4].answer = "2ID\r\n";
  dt_script_start(&script, steps, COUNT(steps));
  assert_fails(CB_E_DEVICE, "tells no serial number, the rig file wants B07",
               smc100->open(&s, &rig, script.pty.name, err));
  st_end(&script, &s);
  st_busy_port(smc100, &rig);
  st_stranger(smc100, &hasty, NULL, CB_E_TIMEOUT,
              "nothing came: no power, the wrong cable or port, or a rate other than 57600 baud");
  st_stranger(smc100, &hasty, "@01 0 OK IDLE -- 0\r\n", CB_E_DEVICE,
              "none made sense: another device, or a rate other than 57600 baud");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(answers),           cmocka_unit_test(endless_line_ends),
      cmocka_unit_test(garbage),           cmocka_unit_test(states),
      cmocka_unit_test(homes_moves_stops), cmocka_unit_test(homes_a_referenced_stage),
      cmocka_unit_test(troubles),          cmocka_unit_test(refusals_and_silence),
      cmocka_unit_test(lost_answers),      cmocka_unit_test(strays),
      cmocka_unit_test(homing_fails),      cmocka_unit_test(wrong_devices),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
