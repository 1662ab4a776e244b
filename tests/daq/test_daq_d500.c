/* The FUTEK D500's continuous mode, form as in its manual: "+999.99<CR>[<LF>]", a letter A to H for
 * alarms. */
#include "forcetest.h"

#include "daq_d500.h"

static daq_parse parse(const char *text, double *v, char *letter, size_t *used) {
  return daq_d500_parse(text, strlen(text), v, letter, used);
}

static void readings(void **state) {
  (void)state;
  double v;
  char letter;
  size_t used;
  assert_int_equal(parse("+999.99\r", &v, &letter, &used), DAQ_PARSE_VALID);
  assert_true(v == 999.99 && letter == 0 && used == 8);
  assert_int_equal(parse("\n-0.0512\r\n", &v, &letter, &used), DAQ_PARSE_VALID);
  assert_true(v == -0.0512);
  assert_int_equal(parse("+100.\r", &v, &letter, &used), DAQ_PARSE_VALID);
  assert_true(v == 100);
  for (char c = 'A'; c <= 'H'; c++) {
    char text[16];
    (void)snprintf(text, sizeof text, "-12.50%c\r\n", c);
    assert_int_equal(parse(text, &v, &letter, &used), DAQ_PARSE_VALID);
    assert_true(v == -12.5 && letter == c);
  }
}

static void refused(void **state) {
  (void)state;
  static const char *const lines[] = {"12.5\r",  "+12\r",   "+.\r",     "+\r",      "+A\r",    "A\r",
                                      "+1.5I\r", "+1.5a\r", "+1.5AA\r", "+1.5e3\r", "+1,5\r",  "+ 1.5\r",
                                      "++1.5\r", "+1.5 \r", "+nan\r",   "+inf\r",   "+1.5.\r", "ERR\r"};
  for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
    double v;
    char letter;
    size_t used;
    if (parse(lines[i], &v, &letter, &used) != DAQ_PARSE_INVALID)
      fail_msg("'%s' was taken as %g", lines[i], v);
    assert_int_equal(used, strlen(lines[i]));
  }
  double v;
  char letter;
  size_t used;
  assert_int_equal(daq_d500_parse("+1.\0005\r", 6, &v, &letter, &used), DAQ_PARSE_INVALID);
}

static void needs_more(void **state) {
  (void)state;
  const char text[] = "-12.50B\r";
  double v;
  char letter;
  size_t used;
  for (size_t n = 0; n < 8; n++)
    assert_int_equal(daq_d500_parse(text, n, &v, &letter, &used), DAQ_PARSE_MORE);
  assert_int_equal(daq_d500_parse("0123456789012345678901234", 25, &v, &letter, &used), DAQ_PARSE_INVALID);
  assert_true(used > 0);
}

static void started_and_read(void **state) {
  (void)state;
  static const dt_step steps[] = {{"*1A0", ".25\r\n+000.50\r\n+004.25A\r\n"}};
  const cb_rig rig = {.force = {.driver = CB_FORCE_FUTEK_D500, .baud = 19200, .silence_timeout_s = 10}};
  ft_instrument i;
  daq_force f;
  daq_reading r[2];
  ft_start(&i, steps, 1, NULL);
  assert_ok(daq_force_open(&f, &rig, i.pty.name, NULL, NULL, err));
  assert_int_equal(ft_collect(&f, r, 2), 2);
  assert_true(r[0].value == 0.5 && !r[0].overload);
  assert_true(r[1].value == 4.25 && r[1].overload);
  daq_force_close(&f);
  ft_end(&i);
}

static void wrong_device(void **state) {
  (void)state;
  static const dt_step steps[] = {{"*1A0", "0.4312\r\n0.4313\r\n"}};
  const cb_rig rig = {.force = {.driver = CB_FORCE_FUTEK_D500, .baud = 19200, .silence_timeout_s = 0.1}};
  ft_instrument i;
  daq_force f;
  ft_start(&i, steps, 1, NULL);
  assert_fails(CB_E_DEVICE,
               "16 bytes came within 0.1 s, none of them a reading of 'futek-d500': wrong baud rate (19200) "
               "or another device",
               daq_force_open(&f, &rig, i.pty.name, NULL, NULL, err));
  daq_force_close(&f);
  ft_end(&i);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(readings), cmocka_unit_test(refused),
                                     cmocka_unit_test(needs_more), cmocka_unit_test(started_and_read),
                                     cmocka_unit_test(wrong_device)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
