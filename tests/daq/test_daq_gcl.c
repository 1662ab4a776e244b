/* Mark-10 gauges: messages as in the manuals (Series 5 p. 18-20, M4-012 p. 16), and the exchange that starts
 * the stream. */
#include "forcetest.h"

#include "daq_gcl.h"

static daq_gcl_message parse(const char *text) {
  daq_gcl_message m;
  size_t used;
  assert_int_equal(daq_gcl_parse(text, strlen(text), &m, &used), DAQ_PARSE_VALID);
  assert_true(used == strlen(text) || used + 1 == strlen(text)); /* the line feed may stay */
  return m;
}

static void messages(void **state) {
  (void)state;
  daq_gcl_message m = parse("-18.78 lbF\r\n");
  assert_true(m.kind == DAQ_GCL_READING && m.number == -18.78);
  assert_string_equal(m.unit, "lbF");
  m = parse("\r\n4.285 N\r\n");
  assert_true(m.kind == DAQ_GCL_READING && m.number == 4.285);
  m = parse("12.5\r"); /* NUM mode */
  assert_true(m.kind == DAQ_GCL_READING && m.number == 12.5 && m.unit[0] == '\0');
  m = parse("*22\r\n");
  assert_true(m.kind == DAQ_GCL_ERROR && m.code == 22);
  static const char *const others[] = {"4.285  N\r\n", "4.285 N N\r\n",    "4,285 N\r\n", "4.285N\r\n",
                                       "4.285 \r\n",   "nan N\r\n",        "1e3 N\r\n",   "*1\r\n",
                                       "*1x\r\n",      "V1.03;LBF;CUR\r\n"};
  for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
    if (parse(others[i]).kind != DAQ_GCL_TEXT) fail_msg("'%s' was taken for a message", others[i]);
  size_t used;
  assert_int_equal(daq_gcl_parse("-18.78 lbF", 10, &m, &used), DAQ_PARSE_MORE);
  assert_int_equal(daq_gcl_parse("-18.7\x01 lbF\r", 11, &m, &used), DAQ_PARSE_INVALID);
}

static void tables(void **state) {
  (void)state;
  assert_string_equal(daq_gcl_unit("ozF"), "ozf");
  assert_string_equal(daq_gcl_unit("mN"), "mN");
  assert_null(daq_gcl_unit("Nm"));
  assert_string_equal(daq_gcl_error(12), "invalid specifier");
  assert_string_equal(daq_gcl_error(99), "unknown error");
  assert_int_equal(daq_gcl_rate(0.1), 2); /* never AOUT1, which means 50 */
  assert_int_equal(daq_gcl_rate(50), 50);
  assert_int_equal(daq_gcl_rate(51), 125);
  assert_int_equal(daq_gcl_rate(250), 250);
  assert_int_equal(daq_gcl_rate(251), 0);
}

static cb_rig gauge(const char *unit, double rate_Hz) {
  cb_rig rig = {
      .path = "r.yaml",
      .force = {.driver = CB_FORCE_MARK10_GCL, .baud = 115200, .rate_Hz = rate_Hz, .silence_timeout_s = 10}};
  (void)strcpy(rig.force.unit, unit);
  return rig;
}

/* It was streaming when we came: those lines are not the answer to LIST. */
static void exchange(void **state) {
  (void)state;
  static const dt_step steps[] = {{"AOUT0", "8.1 N\r\n-0.01 N\r\n"},
                                  {"LIST", "M5-010;V2.01;N;CUR;FULL\r\n"},
                                  {"FULL", NULL},
                                  {"CUR", NULL},
                                  {"AOUT125", "-18.78 N\r\n??\r\n4.28 N\r\n"},
                                  {"AOUT0", NULL}};
  const cb_rig rig = gauge("N", 100);
  ft_instrument i;
  daq_force f;
  daq_reading r[2];
  ft_start(&i, steps, 6, NULL);
  assert_ok(daq_force_open(&f, &rig, i.pty.name, NULL, NULL, err));
  assert_string_equal(f.identity, "M5-010;V2.01;N;CUR;FULL");
  assert_int_equal(ft_collect(&f, r, 2), 2);
  assert_true(r[0].value == -18.78 && r[0].raw == -18.78 && !r[0].overload);
  assert_true(r[1].value == 4.28);
  assert_int_equal(f.n_unreadable, 1);
  daq_force_close(&f);
  ft_end(&i);
}

static void open_fails(const char *unit, const char *list, const char *stream, const char *sentence) {
  const dt_step steps[] = {{"AOUT0", NULL}, {"LIST", list},     {"FULL", NULL},
                           {"CUR", NULL},   {"AOUT10", stream}, {"AOUT0", NULL}};
  cb_rig rig = gauge(unit, 10);
  rig.force.silence_timeout_s = 0.2;
  ft_instrument i;
  daq_force f;
  ft_start(&i, steps, 6, NULL);
  assert_fails(CB_E_DEVICE, sentence, daq_force_open(&f, &rig, i.pty.name, NULL, NULL, err));
  daq_force_close(&f);
  ft_end(&i);
}

static void refused(void **state) {
  (void)state;
  open_fails("N", "ok\r\n", "1.25 lbF\r\n",
             "it sends 'lbF', force.unit is 'N': switch the device, or change the rig file");
  open_fails("N", "ok\r\n", "1.25\r\n", "its readings come without a unit: another device is on the port");
  open_fails("N", "ok\r\n", "1.25 Nm\r\n", "it sends 'Nm', force.unit is 'N'");
  open_fails("lbf", "*10\r\n", "*10\r\n",
             "the gauge refuses a command with *10 (illegal command): does it speak GCL2?");
  open_fails("lbf", NULL, "*22\r\n", "*22 (value too large)");
  open_fails("N", "ok\r\n", NULL, "none of them a reading of 'mark10-gcl'");
}

static void too_fast(void **state) {
  (void)state;
  const cb_rig rig = gauge("N", 500);
  ft_instrument i;
  daq_force f;
  static const dt_step farewell[] = {{"AOUT0", NULL}};
  ft_start(&i, farewell, 1, NULL);
  assert_fails(CB_E_RANGE,
               "r.yaml: force.rate_Hz = 500: a Mark-10 gauge sends at most 250 readings per second",
               daq_force_open(&f, &rig, i.pty.name, NULL, NULL, err));
  daq_force_close(&f);
  ft_end(&i);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(messages), cmocka_unit_test(tables),
                                     cmocka_unit_test(exchange), cmocka_unit_test(refused),
                                     cmocka_unit_test(too_fast)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
