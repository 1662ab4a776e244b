/* Mark-10 ESM stand and gauge: the parser against answers and garbage, the two drivers against a scripted
 * stand, byte for byte. */
#include "daqtest.h"

#include "cb_rng_parts.h"
#include "daq_esm.h"
#include "daq_force.h"
#include "stagetest.h"

/* ---- parser ---- */

static daq_parse parse(const char *text, daq_esm_message *m, size_t *used) {
  return daq_esm_parse(text, strlen(text), m, used);
}

static void numbers(void **state) {
  (void)state;
  static const struct {
    const char *text;
    daq_esm_kind kind;
    double value;
    const char *unit;
  } cases[] = {
      {"12.50 mm\r\n", DAQ_ESM_TRAVEL, 12.5e-3, "mm"},     {"-0.125 in\r\n", DAQ_ESM_TRAVEL, -3.175e-3, "in"},
      {"-1.234 N\r\n", DAQ_ESM_FORCE, -1.234, "N"},        {"2.5 lbF\r\n", DAQ_ESM_FORCE, 2.5, "lbF"},
      {" 2.5lbF \r\n", DAQ_ESM_FORCE, 2.5, "lbF"},         {"2.5\r\n", DAQ_ESM_FORCE, 2.5, ""},
      {"600.0 mm/min\r\n", DAQ_ESM_SPEED, 0.01, "mm/min"},
  };
  for (size_t i = 0; i < COUNT(cases); i++) {
    daq_esm_message m;
    size_t used;
    if (parse(cases[i].text, &m, &used) != DAQ_PARSE_VALID) fail_msg("'%s' was not taken", cases[i].text);
    assert_int_equal(m.kind, cases[i].kind);
    assert_near(m.value, cases[i].value, 1e-12);
    assert_string_equal(m.unit, cases[i].unit);
  }
}

/* U and L mean different things in different places. */
static void status(void **state) {
  (void)state;
  static const struct {
    const char *text;
    int moving;
    char mode;
    int at_end;
  } cases[] = {{"S\r\n", 0, 0, 0},    {"U\r\n", 1, 0, 0},      {"DL\r\n", -1, 'L', 0},
               {"UL\r\n", 1, 'L', 0}, {"SLUL\r\n", 0, 'L', 1}, {"S M DL\r\n", 0, 'M', -1},
               {"SUL\r\n", 0, 0, 1},  {"UC\r\n", 1, 'C', 0}};
  for (size_t i = 0; i < COUNT(cases); i++) {
    daq_esm_message m;
    size_t used;
    if (parse(cases[i].text, &m, &used) != DAQ_PARSE_VALID || m.kind != DAQ_ESM_STATUS)
      fail_msg("'%s' was not taken", cases[i].text);
    assert_int_equal(m.moving, cases[i].moving);
    assert_int_equal(m.mode, cases[i].mode);
    assert_int_equal(m.at_end, cases[i].at_end);
  }
}

static void refused(void **state) {
  (void)state;
  static const char *const bad[] = {"X\r\n",      "SQ\r\n",      "SLX\r\n",   "SLULUL\r\n",
                                    "mm\r\n",     "1.2.3 N\r\n", "--1 N\r\n", "1 Nnnnnnnnnnnnn\r\n",
                                    "\x80 N\r\n", "*10\r\n",     "1\tN\r\n",  "S\tL\r\n"};
  daq_esm_message m;
  size_t used;
  for (size_t i = 0; i < COUNT(bad); i++) {
    if (parse(bad[i], &m, &used) != DAQ_PARSE_INVALID) fail_msg("'%s' was taken", bad[i]);
    assert_true(used > 0 && used <= strlen(bad[i]));
  }
  assert_int_equal(parse("12.5 m", &m, &used), DAQ_PARSE_MORE);
  assert_int_equal(used, 0);
}

/* A cable that rustles: nothing but line ends must not fill the buffer for good. */
static void endless_line_ends(void **state) {
  (void)state;
  char text[1024];
  daq_esm_message m;
  size_t used;
  for (size_t i = 0; i < sizeof text; i++) text[i] = i % 3 ? '\r' : '\n';
  assert_int_equal(daq_esm_parse(text, 2, &m, &used), DAQ_PARSE_MORE);
  assert_int_equal(daq_esm_parse(text, sizeof text, &m, &used), DAQ_PARSE_INVALID);
  assert_int_equal(used, sizeof text);
}

static void garbage(void **state) {
  (void)state;
  const char alphabet[] = "0123456789.-+ NmUDSLMin\r\n\x00\xff";
  cb_rng rng;
  cb_rng_init(&rng, 14, 0);
  for (int round = 0; round < 2000; round++) {
    char text[512];
    size_t n = cb_rng_u64(&rng) % 300, at = 0, used;
    for (size_t i = 0; i < n; i++) text[i] = alphabet[cb_rng_u64(&rng) % (sizeof alphabet - 1)];
    memcpy(text + n, "\r\n-4711.5 N\r\n", 13);
    n += 13;
    daq_esm_message m;
    daq_parse p;
    bool found = false;
    while ((p = daq_esm_parse(text + at, n - at, &m, &used)) != DAQ_PARSE_MORE) {
      assert_true(used > 0 && used <= n - at);
      at += used;
      found = found || (p == DAQ_PARSE_VALID && m.kind == DAQ_ESM_FORCE && m.value == -4711.5);
    }
    assert_true(found);
  }
}

/* The examples of the user's guide, section 6.2. */
static void commands(void **state) {
  (void)state;
  char text[DAQ_ESM_COMMAND_MAX];
  daq_esm_format_limit(text, 'g', -7.52e-3);
  assert_string_equal(text, "g-007.52");
  daq_esm_format_limit(text, 'h', 10.7e-3);
  assert_string_equal(text, "h010.70");
  daq_esm_format_limit(text, 'h', -1e-9);
  assert_string_equal(text, "h000.00");
  daq_esm_format_speed(text, 200.3e-3 / 60);
  assert_string_equal(text, "e0200.3");
}

/* ---- drivers ---- */

static const daq_stage_driver *const esm = &daq_esm_driver;

static const cb_rig rig = {.stage = {.driver = CB_STAGE_MARK10_ESM,
                                     .baud = 115200,
                                     .microstep_m = 1e-5,
                                     .limit_min_m = 0,
                                     .limit_max_m = 0.1,
                                     .max_speed_m_per_s = 0.018,
                                     .acceleration_m_per_s2 = 0.1,
                                     .start_m = 0.02,
                                     .reply_timeout_s = 3},
                           .force = {.driver = CB_FORCE_MARK10_ESM, .unit = "lbf", .rate_Hz = 0.1}};

#define OPENING                                                                                    \
  {"s", NULL}, {"p", "SM\r\n"}, {"i", NULL}, {"l", NULL}, {"g000.00", NULL}, {"w", "0.00 mm\r\n"}, \
      {"h100.00", NULL}, {"v", "100.00 mm\r\n"}, {"e1080.0", NULL}, {"a", "1080.0 mm/min\r\n"}, {  \
    "n", "0.012 lbF\r\n20.00 mm\r\n"                                                               \
  }

static void start(dt_script *script, daq_stage *s, const dt_step *steps, size_t n) {
  dt_script_start_bytes(script, steps, n);
  assert_ok(esm->open(s, &rig.stage, script->pty.name, err));
  s->ask_period_s = 0;
}

static void moves_and_stops(void **state) {
  (void)state;
  const dt_step steps[] = {
      OPENING,
      {"p", "SL\r\n"},
      {"n", "0.012 lbF\r\n20.00 mm\r\n"},
      /* up to 35 mm at 10 mm/s: the upper limit is the target */
      {"x", "20.00 mm\r\n"},
      {"g000.00", NULL},
      {"w", "0.00 mm\r\n"},
      {"h035.00", NULL},
      {"v", "35.00 mm\r\n"},
      {"e0600.0", NULL},
      {"a", "600.0 mm/min\r\n"},
      {"o", NULL},
      {"l", NULL},
      {"u", NULL},
      {"p", "SL\r\n"}, /* not yet */
      {"x", "20.00 mm\r\n"},
      {"p", "UL\r\n"},
      {"p", "UL\r\n"},
      {"n", "-0.500 lbF\r\n25.25 mm\r\n"},
      {"s", NULL},
      {"p", "UL\r\n"}, /* it slows down */
      {"s", NULL},
      {"p", "SL\r\n"},
      /* home: down to 0 */
      {"x", "26.00 mm\r\n"},
      {"g000.00", NULL},
      {"w", "0.00 mm\r\n"},
      {"h100.00", NULL},
      {"v", "100.00 mm\r\n"},
      {"e1080.0", NULL},
      {"a", "1080.0 mm/min\r\n"},
      {"o", NULL},
      {"l", NULL},
      {"d", NULL},
      {"p", "DL\r\n"},
      {"p", "SLDL\r\n"},
      {"n", "0.012 lbF\r\n0.00 mm\r\n"},
      {"x", "0.00 mm\r\n"}, /* there already: nothing moves */
  };
  dt_script script;
  daq_stage s;
  daq_stage_state at;
  start(&script, &s, steps, COUNT(steps));
  assert_string_equal(s.stop_text, "s");
  assert_ok(st_look(&s, &at, err));
  assert_false(at.busy);
  assert_near(at.position_m, 0.02, 1e-12);
  assert_ok(esm->move_abs(&s, 0.035, 0.01, err));
  assert_ok(st_look(&s, &at, err));
  assert_true(at.busy);
  assert_near(at.position_m, 25.25e-3, 1e-12);
  assert_ok(esm->stop(&s, err));
  assert_ok(esm->home(&s, err));
  assert_ok(st_look(&s, &at, err));
  assert_false(at.busy);
  assert_near(at.position_m, 0, 1e-12);
  assert_ok(esm->move_abs(&s, 0, 0.01, err));
  st_end(&script, &s);
}

/* Every reading brings a force, whoever asked for it. */
static void force_comes_with_the_travel(void **state) {
  (void)state;
  const dt_step steps[] = {
      OPENING,
      {"n", "0.012 lbF\r\n20.00 mm\r\n"},       /* which unit? */
      {"n", "%&\r\n0.013 lbF\r\n20.00 mm\r\n"}, /* for the force; the next such is due in 10 s */
      {"p", "SL\r\n"},                          /* for the position */
      {"n", "0.014 lbF\r\n20.00 mm\r\n"},
      {"p", "SL\r\n"},
      {"n", "0.015 N\r\n20.00 mm\r\n"}, /* somebody pressed a key at the gauge */
  };
  dt_script script;
  daq_stage s;
  daq_force f = {.driver = &daq_esm_force_driver, .rig = &rig};
  daq_reading r;
  daq_stage_state at;
  bool found = false;
  start(&script, &s, steps, COUNT(steps));
  assert_ok(f.driver->open(&f, script.pty.name, &s, err));
  assert_int_equal(f.driver->fd(&f), daq_transport_fd(s.port));
  assert_ok(f.driver->discard(&f, err));
  for (; !found; cb_sleep_s(0.0005)) assert_ok(f.driver->read(&f, &r, &found, err));
  assert_near(r.value, 0.013, 1e-12);
  assert_near(r.raw, 0.013, 1e-12);
  assert_int_equal(r.channel, CB_CHANNEL_FORCE);
  assert_int_equal(f.n_unreadable, 1);
  assert_ok(st_look(&s, &at, err));
  assert_ok(f.driver->read(&f, &r, &found, err));
  assert_true(found);
  assert_near(r.value, 0.014, 1e-12);
  assert_ok(f.driver->read(&f, &r, &found, err));
  assert_false(found);
  assert_ok(st_look(&s, &at, err));
  assert_fails(CB_E_DEVICE, "sends N, the rig file's force.unit is lbf", f.driver->read(&f, &r, &found, err));
  f.driver->close(&f);
  st_end(&script, &s);
}

static void troubles(void **state) {
  (void)state;
  const dt_step deaf[] = {
      OPENING,           {"x", "20.00 mm\r\n"},  {"g000.00", NULL},      {"w", "0.00 mm\r\n"},
      {"h030.00", NULL}, {"v", "100.00 mm\r\n"}, {"v", "100.00 mm\r\n"}, {"v", "100.00 mm\r\n"}};
  dt_script script;
  daq_stage s;
  start(&script, &s, deaf, COUNT(deaf));
  assert_fails(CB_E_DEVICE, "its upper travel limit was set to 30.00 mm, but it says 100.00 mm now",
               esm->move_abs(&s, 0.03, 0.01, err));
  st_end(&script, &s);
  const dt_step slow[] = {OPENING,
                          {"x", "20.00 mm\r\n"},
                          {"g000.00", NULL},
                          {"w", "0.00 mm\r\n"},
                          {"h030.00", NULL},
                          {"v", "30.00 mm\r\n"},
                          {"e0600.0", NULL},
                          {"a", "500.0 mm/min\r\n"},
                          {"a", "500.0 mm/min\r\n"},
                          {"a", "500.0 mm/min\r\n"}};
  start(&script, &s, slow, COUNT(slow));
  assert_fails(CB_E_DEVICE, "its speed was set to 600.0 mm/min, but it says 500.0 mm/min now",
               esm->move_abs(&s, 0.03, 0.01, err));
  st_end(&script, &s);
  /* A question is put three times in its time, and a stop comes three times. */
  const dt_step silent[] = {OPENING,     {"xxx", NULL}, {"s", NULL}, {"ppp", NULL},
                            {"s", NULL}, {"ppp", NULL}, {"s", NULL}, {"ppp", NULL}};
  cb_rig_stage hasty = rig.stage;
  hasty.reply_timeout_s = 1;
  dt_script_start_bytes(&script, silent, COUNT(silent));
  assert_ok(esm->open(&s, &hasty, script.pty.name, err));
  assert_fails(CB_E_TIMEOUT, "no answer to 'x' within 1 s", esm->move_abs(&s, 0.03, 0.01, err));
  assert_fails(CB_E_TIMEOUT, "no answer to 'p' within 1 s", esm->stop(&s, err));
  st_end(&script, &s);
}

/* Answers do not say to what: a late travel is no limit, and a lost answer is asked for again. */
static void late_and_lost(void **state) {
  (void)state;
  const dt_step steps[] = {OPENING,
                           {"x", "20.00 mm\r\n"},
                           {"g000.00", NULL},
                           {"w", "20.00 mm\r\n"},
                           {"w", "0.00 mm\r\n"},
                           {"h030.00", NULL},
                           {"v", NULL},
                           {"v", "30.00 mm\r\n"},
                           {"e0600.0", NULL},
                           {"a", "600.0 mm/min\r\n"},
                           {"o", NULL},
                           {"l", NULL},
                           {"u", NULL},
                           {"p", "UL\r\n"}};
  dt_script script;
  daq_stage s;
  cb_rig_stage hasty = rig.stage;
  hasty.reply_timeout_s = 1.5;
  dt_script_start_bytes(&script, steps, COUNT(steps));
  assert_ok(esm->open(&s, &hasty, script.pty.name, err));
  assert_ok(esm->move_abs(&s, 0.03, 0.01, err));
  st_end(&script, &s);
}

static void wrong_devices(void **state) {
  (void)state;
  const dt_step steps[] = {OPENING, {"n", "0.012 N\r\n20.00 mm\r\n"}};
  const dt_step unitless[] = {OPENING, {"n", "0.012\r\n20.00 mm\r\n"}};
  const dt_step first[] = {{"s", NULL}, {"p", "SM\r\n"}};
  cb_rig_stage hasty = rig.stage, named = rig.stage;
  dt_script script;
  daq_stage s;
  daq_force f = {.driver = &daq_esm_force_driver, .rig = &rig};
  start(&script, &s, steps, COUNT(steps));
  assert_fails(CB_E_DEVICE, "sends N, the rig file's force.unit is lbf",
               f.driver->open(&f, script.pty.name, &s, err));
  st_end(&script, &s);
  start(&script, &s, unitless, COUNT(unitless));
  assert_fails(CB_E_DEVICE, "sends force without a unit", f.driver->open(&f, script.pty.name, &s, err));
  st_end(&script, &s);
  cb_rig gauge = rig;
  (void)snprintf(gauge.force.serial, sizeof gauge.force.serial, "34");
  f.rig = &gauge;
  start(&script, &s, steps, COUNT(steps) - 1);
  assert_fails(CB_E_DEVICE, "force read-out (mark10-esm): tells no serial number, the rig file wants 34",
               f.driver->open(&f, script.pty.name, &s, err));
  assert_true(f.wrong_serial);
  st_end(&script, &s);
  (void)snprintf(named.serial, sizeof named.serial, "12");
  dt_script_start_bytes(&script, first, COUNT(first));
  assert_fails(CB_E_DEVICE, "tells no serial number, the rig file wants 12",
               esm->open(&s, &named, script.pty.name, err));
  st_end(&script, &s);
  hasty.reply_timeout_s = 0.2;
  st_busy_port(esm, &rig.stage);
  st_stranger(esm, &hasty, NULL, CB_E_TIMEOUT,
              "nothing came: no power, the wrong cable or port, or a rate other than 115200 baud");
  st_stranger(esm, &hasty, "@01 0 OK IDLE -- 0\r\n", CB_E_DEVICE,
              "none made sense: another device, or a rate other than 115200 baud");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(numbers),         cmocka_unit_test(status),
      cmocka_unit_test(refused),         cmocka_unit_test(endless_line_ends),
      cmocka_unit_test(garbage),         cmocka_unit_test(commands),
      cmocka_unit_test(moves_and_stops), cmocka_unit_test(force_comes_with_the_travel),
      cmocka_unit_test(troubles),        cmocka_unit_test(late_and_lost),
      cmocka_unit_test(wrong_devices),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
