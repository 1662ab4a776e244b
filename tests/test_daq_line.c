/* The line parser and the read-out behind it: fields, separators, garbage, and the torn first line. */
#include "daqtest.h"

#include "cb_time.h"
#include "daq_force.h"
#include "daq_line.h"

static daq_parse parse(const char *text, int field, const char *separator, double *v, size_t *used) {
  return daq_line_parse(text, strlen(text), "", field, separator, v, used);
}

static void fields(void **state) {
  (void)state;
  double v;
  size_t used;
  assert_int_equal(parse("0.4312\r\n", 0, ",", &v, &used), DAQ_PARSE_VALID);
  assert_true(v == 0.4312);
  assert_int_equal(used, 7); /* the line feed goes with the next line */
  assert_int_equal(parse("\n-1e-3\n", 0, ",", &v, &used), DAQ_PARSE_VALID);
  assert_true(v == -1e-3);
  assert_int_equal(parse("17, 0.25 ,ok\n", 1, ",", &v, &used), DAQ_PARSE_VALID);
  assert_true(v == 0.25);
  assert_int_equal(parse("17;;-3.5\n", 2, ";", &v, &used), DAQ_PARSE_VALID);
  assert_true(v == -3.5);
  assert_int_equal(parse("-0.00190 N-m\r\n", 0, "", &v, &used), DAQ_PARSE_VALID); /* FUTEK USB520 as a virtual COM port */
  assert_true(v == -0.0019);
  assert_int_equal(parse("  12\t +7.5  N\r", 1, "", &v, &used), DAQ_PARSE_VALID);
  assert_true(v == 7.5);
}

static void refused(void **state) {
  (void)state;
  static const char *const lines[] = {"nan\n",  "inf\n", "-\n",     "0x10\n", "1,2\n",   "1.2.3\n", "1 2 N\n",
                                      "0.4N\n", "abc\n", "1\x01\n", "\x80\n", "1e999\n", " \n"};
  for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
    double v;
    size_t used;
    if (parse(lines[i], 0, ";", &v, &used) != DAQ_PARSE_INVALID) fail_msg("'%s' was taken as %g", lines[i], v);
    assert_int_equal(used, strlen(lines[i]));
  }
  double v;
  size_t used;
  assert_int_equal(parse("1,2\n", 2, ",", &v, &used), DAQ_PARSE_INVALID);
  assert_int_equal(parse("1,,3\n", 1, ",", &v, &used), DAQ_PARSE_INVALID);
  assert_int_equal(daq_line_parse("1\0002\n", 4, "", 0, ",", &v, &used), DAQ_PARSE_INVALID);
}

static void needs_more(void **state) {
  (void)state;
  const char text[] = "\r\n-12.5\r\n";
  double v;
  size_t used;
  for (size_t n = 0; n < 7; n++) assert_int_equal(daq_line_parse(text, n, "", 0, ",", &v, &used), DAQ_PARSE_MORE);
  assert_int_equal(daq_line_parse(text, 8, "", 0, ",", &v, &used), DAQ_PARSE_VALID);
  char endless[600];
  memset(endless, '1', sizeof endless);
  assert_int_equal(daq_line_parse(endless, 255, "", 0, ",", &v, &used), DAQ_PARSE_MORE);
  assert_int_equal(used, 0);
  assert_int_equal(daq_line_parse(endless, sizeof endless, "", 0, ",", &v, &used), DAQ_PARSE_INVALID);
  assert_true(used > 0);
}

/* Collects what arrives within a moment. */
static size_t collect(daq_force *f, daq_reading *out, size_t cap) {
  size_t n = 0;
  double until = cb_now_monotonic_s() + 0.1;
  while (n < cap && cb_now_monotonic_s() < until) {
    bool found;
    assert_ok(f->driver->read(f, &out[n], &found, err));
    if (found)
      n++;
    else
      cb_sleep_s(0.002);
  }
  return n;
}

static void stream(void **state) {
  (void)state;
  const cb_rig rig = {.force = {.driver = CB_FORCE_LINE, .baud = 115200, .field = 1, .separator = ";", .scale = -2}};
  dt_pty pty;
  daq_force f;
  daq_reading r[16];
  bool found;
  dt_pty_open(&pty);
  assert_ok(daq_force_open(&f, &rig, pty.name, NULL, err));
  /* The first line may be the tail of one that began before we listened: a believable number, not to be believed. */
  dt_send(&pty, "9;31.5\r\n1;0.5\r\n2;x\r\n\r\n3;0.7");
  assert_int_equal(collect(&f, r, 16), 1);
  assert_true(r[0].value == -1 && !r[0].overload);
  dt_send(&pty, "5\n\xff\xfe;1\n4;1e308\n5;2\n");
  assert_int_equal(collect(&f, r, 16), 2);
  assert_true(r[0].value == -1.5);
  assert_true(r[1].value == -4);
  assert_int_equal(f.n_unreadable, 3); /* x, the control bytes, and -2e308 which is infinite */
  dt_pty_unplug(&pty);
  assert_fails(CB_E_DEVICE, "the device was disconnected", f.driver->read(&f, r, &found, err));
  daq_force_close(&f);
  dt_pty_close(&pty);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(fields), cmocka_unit_test(refused), cmocka_unit_test(needs_more),
                                     cmocka_unit_test(stream)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
