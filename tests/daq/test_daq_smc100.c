/* Newport SMC100: its templates (rigs/stages/smc100.yaml), and the driver against a scripted controller, line
 * for line. */
#include "daqtest.h"

#include "daq_lines.h"
#include "stagetest.h"

/* ---- templates ---- */

static void smc100_rig(cb_rig *rig) {
  static const char text[] =
      "name: bench\n"
      "stage: {driver: smc100, port: /dev/ttyS8, baud: 57600, device_address: 2, serial: B07, microstep_um: "
      "0.1, "
      "limit_min_mm: 5, limit_max_mm: 25, max_speed_mm_per_s: 20, acceleration_mm_per_s2: 80, start_mm: 10, "
      "reply_timeout_s: 3}\n"
      "force: {driver: line, port: /dev/ttyS9, unit: N, rate_Hz: 200, overload_N: 8}\n"
      "bench: {cart_mass_g: 13, u_mass_g: 0.05, contact_area_cm2: 50, link_stiffness_N_per_m: 500, "
      "link_slack_mm: 2, u_angle_deg: 0.5}\n";
  assert_ok(cb_rig_parse(text, "rig.yaml", rig, err));
}

/* The first is the example of Newport's manual: homing time-out, RMS and peak current limit. */
static void states(void **state) {
  (void)state;
  static const struct {
    const char *code;
    int means;
    const char *text;
  } cases[] = {
      {"004C0A", CB_LINES_FAULT, "homing time-out"},
      {"000C33", CB_LINES_FAULT, "peak or RMS current limit"},
      {"00203D", CB_LINES_FAULT, "following error"},
      {"001033", CB_LINES_FAULT, "short circuit"},
      {"008033", CB_LINES_FAULT, "wrong ESP stage"},
      {"010033", CB_LINES_FAULT, "supply voltage too low or output power above 80 W"},
      {"800033", CB_LINES_FAULT, "an error bit that is not in the list of Newport"},
      {"00010A", CB_LINES_LIMIT, "end of run"},
      {"00021E", CB_LINES_BUSY, "homing"},
      {"000228", CB_LINES_LIMIT, "end of run"},
      {"000028", CB_LINES_BUSY, "moving"},
      {"000010", CB_LINES_UNHOMED, "not referenced"},
      {"00003C", CB_LINES_FAULT, "disabled: enable it at its keypad or with MM1"},
      {"000014", CB_LINES_FAULT, "in its configuration state: leave it with PW0"},
      {"000046", CB_LINES_FAULT, "it is moved by its keypad"},
  };
  cb_rig rig;
  smc100_rig(&rig);
  const cb_lines_question *q = &rig.stage.lines->state;
  for (size_t i = 0; i < COUNT(cases); i++) {
    const cb_lines_rule *r = daq_lines_rule_of(q, cases[i].code);
    if (!r || r->means != cases[i].means || strcmp(r->text, cases[i].text) != 0)
      fail_msg("%s", cases[i].code);
  }
  for (const char *c = "2345"; *c; c++) {
    const char code[] = {'0', '0', '0', '0', '3', *c, '\0'};
    assert_int_equal(daq_lines_rule_of(q, code)->means, CB_LINES_IDLE);
  }
  assert_null(daq_lines_rule_of(q, "000099"));
  assert_null(daq_lines_rule_of(q, "0033"));
  assert_string_equal(daq_lines_rule_of(&rig.stage.lines->accept, "G")->text, "displacement out of limits");
  cb_rig_clear(&rig);
}

/* ---- driver ---- */

static const daq_stage_driver *const driver = &daq_lines_driver;

#define WHO \
  { "2VE\r", "2VE SMC100CC V1.2\r\n" }
#define OPENING(state)                                                                   \
  {"2ST\r", NULL}, WHO, {"2TS\r", "2TS0000" state "\r\n"}, {"2TE\r", "2TED\r\n"}, WHO, { \
    "2ID?\r", "2IDTRA25CC_SN:B07\r\n"                                                    \
  }
#define TAKEN(command) \
  {command "\r", NULL}, { "2TE\r", "2TE@\r\n" }
#define SET(name, value) \
  TAKEN("2" name value), { "2" name "?\r", "2" name value "\r\n" }
#define LOOK(state, position) \
  {"2TS\r", "2TS" state "\r\n"}, { "2TP\r", "2TP" position "\r\n" }

static void start(dt_script *script, daq_stage *s, cb_rig *rig, const dt_step *steps, size_t n) {
  dt_script_start(script, steps, n);
  smc100_rig(rig);
  assert_ok(driver->open(s, &rig->stage, script->pty.name, err));
  s->ask_period_s = 0;
}

static void finish(dt_script *script, daq_stage *s, cb_rig *rig) {
  st_end(script, s);
  cb_rig_clear(rig);
}

static void homes_moves_stops(void **state) {
  (void)state;
  const dt_step steps[] = {
      OPENING("0A"),
      LOOK("00000A", "0.3"),      /* not referenced, at rest */
      {"2TS\r", "2TS00010A\r\n"}, /* at its lower end: where homing may begin */
      TAKEN("2OR"),
      LOOK("00011E", "-1.5"),
      {"2TS\r", "3TS000033\r\n2TP99\r\n2TS000032\r\n"}, /* another device's, and a late one */
      {"2TP\r", "2TP0.00000\r\n"},
      SET("AC", "80.000000"),
      SET("SL", "0.000000"), /* home lies within the limits, always */
      SET("SR", "25.000000"),
      SET("VA", "10.000000"),
      TAKEN("2PA12.500000"),
      LOOK("000028", "7.25"),
      {"2ST\r", NULL},
      WHO,
      {"2TS\r", "2TS000028\r\n"},
      {"2TS\r", "2TS000033\r\n"},
      {"2TE\r", "2TED\r\n"}, /* whatever it thinks of being stopped */
      LOOK("000033", "7.5"),
      SET("VA", "10.000000"),
      TAKEN("2PA5.000000"), /* its limits are in */
  };
  dt_script script;
  daq_stage s;
  cb_rig rig;
  daq_stage_state at;
  start(&script, &s, &rig, steps, COUNT(steps));
  assert_string_equal(s.identity, "2VE SMC100CC V1.2, serial number B07");
  assert_string_equal(s.stop_text, "2ST\r\n");
  assert_ok(st_look(&s, &at, err));
  assert_false(at.busy);
  assert_ok(driver->home(&s, err));
  assert_ok(st_look(&s, &at, err));
  assert_true(at.busy);
  assert_near(at.position_m, -1.5e-3, 1e-12);
  assert_ok(st_look(&s, &at, err));
  assert_false(at.busy);
  assert_ok(driver->move_abs(&s, 0.0125, 0.01, err));
  assert_ok(st_look(&s, &at, err));
  assert_true(at.busy);
  assert_ok(driver->stop(&s, err));
  assert_ok(st_look(&s, &at, err));
  assert_near(at.position_m, 7.5e-3, 1e-12);
  assert_ok(driver->move_abs(&s, 5e-3, 0.01, err));
  assert_int_equal(s.n_stray, 2);
  assert_int_equal(s.n_retried + s.n_unreadable, 0);
  finish(&script, &s, &rig);
}

/* Homing once is for the life of the controller: after that it goes to where home is. */
static void homes_a_referenced_stage(void **state) {
  (void)state;
  const dt_step steps[] = {OPENING("33"),         {"2TS\r", "2TS000033\r\n"}, SET("AC", "80.000000"),
                           SET("SL", "0.000000"), SET("SR", "25.000000"),     SET("VA", "20.000000"),
                           TAKEN("2PA0.000000"),  LOOK("000028", "3"),        {"2TS\r", "2TS00000F\r\n"}};
  dt_script script;
  daq_stage s;
  cb_rig rig;
  daq_stage_state at;
  start(&script, &s, &rig, steps, COUNT(steps));
  assert_ok(driver->home(&s, err));
  assert_ok(st_look(&s, &at, err));
  assert_true(at.busy);
  assert_fails(CB_E_DEVICE, "lost its reference: '00000F' (not referenced)", st_look(&s, &at, err));
  finish(&script, &s, &rig);
}

static void homing_fails(void **state) {
  (void)state;
  const dt_step steps[] = {OPENING("0A"),
                           {"2TS\r", "2TS00000A\r\n"},
                           TAKEN("2OR"),
                           LOOK("00001E", "0"),
                           {"2TS\r", "2TS00000B\r\n"}};
  dt_script script;
  daq_stage s;
  cb_rig rig;
  daq_stage_state at;
  start(&script, &s, &rig, steps, COUNT(steps));
  assert_ok(driver->home(&s, err));
  assert_ok(st_look(&s, &at, err));
  assert_fails(CB_E_DEVICE, "homing ended with '00000B' (not referenced)", st_look(&s, &at, err));
  finish(&script, &s, &rig);
}

static void refusals(void **state) {
  (void)state;
  const dt_step steps[] = {
      OPENING("33"),
      TAKEN("2AC80.000000"),
      {"2AC?\r", "2AC40\r\n"}, /* not what was set */
      {"2AC80.000000\r", NULL},
      {"2TE\r", "2TEC\r\n"},
      {"2AC80.000000\r", NULL}, /* once: nothing is sent again */
      {"2TE\r", NULL},
  };
  dt_script script;
  daq_stage s;
  cb_rig rig;
  start(&script, &s, &rig, steps, COUNT(steps));
  assert_fails(CB_E_DEVICE, "with 80, but it says 40 now", driver->move_abs(&s, 0.01, 0.01, err));
  assert_fails(CB_E_DEVICE, "refuses '2AC80.000000': C (parameter missing or out of range)",
               driver->move_abs(&s, 0.01, 0.01, err));
  st_impatient(&s);
  assert_fails(CB_E_TIMEOUT, "no answer to '{address}TE' within 0.5 s",
               driver->move_abs(&s, 0.01, 0.01, err));
  finish(&script, &s, &rig);
}

static void wrong_devices(void **state) {
  (void)state;
  dt_step steps[] = {OPENING("0A")};
  dt_script script;
  daq_stage s;
  cb_rig rig;
  smc100_rig(&rig);
  steps[5].answer = "2IDTRA25CC_SN:B08\r\n";
  dt_script_start(&script, steps, COUNT(steps));
  assert_fails(CB_E_DEVICE, "serial number is B08, the rig file wants B07",
               driver->open(&s, &rig.stage, script.pty.name, err));
  st_end(&script, &s);
  rig.stage.serial[0] = '\0'; /* then it is not asked for, as a stage without ESP has none */
  dt_script_start(&script, steps, COUNT(steps) - 1);
  assert_ok(driver->open(&s, &rig.stage, script.pty.name, err));
  st_end(&script, &s);
  rig.stage.reply_timeout_s = 0.5;
  st_stranger(driver, &rig.stage, "@01 0 OK IDLE -- 0\r\n", CB_E_DEVICE, "a Newport SMC100 was wanted");
  cb_rig_clear(&rig);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(states),       cmocka_unit_test(homes_moves_stops),
      cmocka_unit_test(homing_fails), cmocka_unit_test(homes_a_referenced_stage),
      cmocka_unit_test(refusals),     cmocka_unit_test(wrong_devices),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
