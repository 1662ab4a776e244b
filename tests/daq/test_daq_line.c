/* The line parser and the read-out behind it: fields, separators, garbage, and the torn first line. */
#include "forcetest.h"

#include <signal.h>
#include <sys/time.h>

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
  assert_int_equal(parse("\n-1e-03\n", 0, ",", &v, &used), DAQ_PARSE_VALID);
  assert_true(v == -1e-3);
  assert_int_equal(parse("17, 0.25 ,ok\n", 1, ",", &v, &used), DAQ_PARSE_VALID);
  assert_true(v == 0.25);
  assert_int_equal(parse("17;;-3.5\n", 2, ";", &v, &used), DAQ_PARSE_VALID);
  assert_true(v == -3.5);
  /* FUTEK USB520 as a virtual COM port */
  assert_int_equal(parse("-0.00190 N-m\r\n", 0, "", &v, &used), DAQ_PARSE_VALID);
  assert_true(v == -0.0019);
  assert_int_equal(parse("  12\t +7.5  N\r", 1, "", &v, &used), DAQ_PARSE_VALID);
  assert_true(v == 7.5);
}

static void refused(void **state) {
  (void)state;
  static const char *const lines[] = {"nan\n",   "inf\n",      "-\n",    "0x10\n",  "1,2\n",  "1.2.3\n",
                                      "1 2 N\n", "0.4N\n",     "abc\n",  "1\x01\n", "\x80\n", "1e999\n",
                                      " \n",     "+.25E-02\n", "1E02\n", "1E-0\n"};
  for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
    double v;
    size_t used;
    if (parse(lines[i], 0, ";", &v, &used) != DAQ_PARSE_INVALID)
      fail_msg("'%s' was taken as %g", lines[i], v);
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
  for (size_t n = 0; n < 7; n++)
    assert_int_equal(daq_line_parse(text, n, "", 0, ",", &v, &used), DAQ_PARSE_MORE);
  assert_int_equal(daq_line_parse(text, 8, "", 0, ",", &v, &used), DAQ_PARSE_VALID);
  char endless[600];
  memset(endless, '1', sizeof endless);
  assert_int_equal(daq_line_parse(endless, 255, "", 0, ",", &v, &used), DAQ_PARSE_MORE);
  assert_int_equal(used, 0);
  assert_int_equal(daq_line_parse(endless, sizeof endless, "", 0, ",", &v, &used), DAQ_PARSE_INVALID);
  assert_true(used > 0);
}

static void terminators(void **state) {
  (void)state;
  static const struct {
    const char *terminator, *text;
    daq_parse answer;
    size_t used;
  } all[] = {
      {"cr", "0.5\r\n", DAQ_PARSE_VALID, 4},
      {"cr", "0.5\n", DAQ_PARSE_MORE, 0},
      {"cr", "\n0.5\r", DAQ_PARSE_INVALID, 5}, /* CR LF lines, read as CR lines: a line feed is no part of a
                                                  reading */
      {"lf", "0.5\n", DAQ_PARSE_VALID, 4},
      {"lf", "0.5\r\n", DAQ_PARSE_INVALID, 5},
      {"crlf", "\r\n0.5\r\n", DAQ_PARSE_VALID, 7},
      {"crlf", "0.5\r", DAQ_PARSE_MORE, 0},
      {"crlf", "0.5\n0.6\r\n", DAQ_PARSE_INVALID, 9},
      {";", "0.5;0.6;", DAQ_PARSE_VALID, 4},
      {";", ";;\r\n0.5\r\n;", DAQ_PARSE_VALID, 10},
      {";", "0.5\r\n", DAQ_PARSE_MORE, 0},
  };
  for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
    double v = 0;
    size_t used;
    daq_parse p = daq_line_parse(all[i].text, strlen(all[i].text), all[i].terminator, 0, "", &v, &used);
    if (p != all[i].answer || used != all[i].used || (p == DAQ_PARSE_VALID && v != 0.5))
      fail_msg("case %zu: answer %d, %zu bytes, %g", i, (int)p, used, v);
  }
  char ends[300];
  size_t used;
  double v;
  memset(ends, '\r', sizeof ends);
  assert_int_equal(daq_line_parse(ends, sizeof ends, "", 0, "", &v, &used), DAQ_PARSE_INVALID);
  assert_int_equal(used, sizeof ends);
}

static const cb_rig plain = {.force = {.driver = CB_FORCE_LINE,
                                       .baud = 115200,
                                       .field = 1,
                                       .separator = ";",
                                       .scale = -2,
                                       .silence_timeout_s = 10}};

static void stream(void **state) {
  (void)state;
  ft_instrument i;
  daq_force f;
  daq_reading r[16];
  bool found;
  ft_start(&i, NULL, 0, "8;0.25\r\n");
  double began_s = cb_now_monotonic_s();
  assert_ok(daq_force_open(&f, &plain, i.pty.name, NULL, NULL, err));
  assert_true(cb_now_monotonic_s() - began_s < 5 * cbt_patience()); /* the first reading is enough */
  assert_int_equal(ft_collect(&f, r, 1), 1);
  assert_true(r[0].value == -0.5);
  ft_silence(&i);
  assert_ok(f.driver->discard(&f, err));
  f.n_unreadable = 0;
  /* The first line may be the tail of one that began before we listened: a believable number, not to be
   * believed. */
  dt_send(&i.pty, "9;31.5\r\n1;0.50\r\n2;x\r\n\r\n3;0.7");
  assert_int_equal(ft_collect(&f, r, 1), 1);
  assert_true(r[0].value == -1 && !r[0].overload);
  ft_expect_silence(&f);
  dt_send(&i.pty, "5\n\xff\xfe;1\n4;1e308\n6;0.7\n5;2.00\n");
  assert_int_equal(ft_collect(&f, r, 2), 2);
  assert_true(r[0].value == -1.5);
  assert_true(r[1].value == -4);
  assert_int_equal(f.n_unreadable, 4); /* x, the control bytes, -2e308 which is infinite, and 0.7 which has
                                          lost a digit */
  dt_pty_unplug(&i.pty);
  assert_fails(CB_E_DEVICE, "the device was disconnected", f.driver->read(&f, r, &found, err));
  daq_force_close(&f);
  dt_pty_close(&i.pty);
}

/* What follows a line that is too long is its rest, however much it looks like a line. */
static void rest_of_a_long_line(void **state) {
  (void)state;
  ft_instrument i;
  daq_force f;
  daq_reading r[2];
  char text[400];
  ft_start(&i, NULL, 0, "8;0.25\n");
  assert_ok(daq_force_open(&f, &plain, i.pty.name, NULL, NULL, err));
  ft_silence(&i);
  assert_ok(f.driver->discard(&f, err));
  memset(text, '7', sizeof text);
  text[0] = '\n';
  (void)strcpy(text + 257, "9;0.12\n1;0.50\n");
  dt_send(&i.pty, text);
  assert_int_equal(ft_collect(&f, r, 1), 1);
  assert_true(r[0].value == -1);
  daq_force_close(&f);
  dt_pty_close(&i.pty);
}

static void other_ends(void **state) {
  (void)state;
  static const char *const talk[][2] = {
      {"cr", "0;0.25\r"}, {"lf", "0;0.25\n"}, {"crlf", "0;0.25\r\n"}, {"!", "0;0.25!"}};
  for (size_t k = 0; k < 4; k++) {
    ft_instrument i;
    daq_force f;
    daq_reading r[3];
    cb_rig rig = plain;
    (void)strcpy(rig.force.terminator, talk[k][0]);
    ft_start(&i, NULL, 0, talk[k][1]);
    assert_ok(daq_force_open(&f, &rig, i.pty.name, NULL, NULL, err));
    assert_int_equal(ft_collect(&f, r, 3), 3);
    for (size_t m = 0; m < 3; m++) assert_true(r[m].value == -0.5);
    assert_int_equal(f.n_unreadable, 0);
    daq_force_close(&f);
    ft_end(&i);
  }
}

static cb_stop asked;

static void ask_to_stop(int number) {
  (void)number;
  asked = CB_STOP_OPERATOR;
}

/* Ctrl-C while nothing comes from a board that has 10 s to boot. */
static void stops_while_it_waits(void **state) {
  (void)state;
  const struct itimerval soon = {.it_value = {.tv_usec = 200000}};
  struct sigaction a = {.sa_handler = ask_to_stop}, before;
  daq_force f;
  dt_pty pty;
  cb_rig rig = plain;
  rig.force.start_timeout_s = 10;
  dt_pty_open(&pty);
  (void)sigaction(SIGALRM, &a, &before);
  (void)setitimer(ITIMER_REAL, &soon, NULL);
  assert_fails(CB_E_STOPPED, "stopped by the operator",
               daq_force_open(&f, &rig, pty.name, NULL, &asked, err));
  (void)sigaction(SIGALRM, &before, NULL);
  daq_force_close(&f);
  dt_pty_close(&pty);
}

/* A board that opening the port resets: silence for longer than a stream may be silent, then what the sketch
 * has to say, numbers among it, then readings. */
static void boots(void **state) {
  (void)state;
  static const char *const banners[] = {"", "HX711 sketch\r\n8421\r\n3\r\ntare done\r\n",
                                        "factor;8421\r\n7;12\r\nready\r\n"};
  for (size_t k = 0; k < sizeof banners / sizeof banners[0]; k++) {
    daq_force f;
    daq_reading r[3];
    dt_pty pty;
    cb_rig rig = plain;
    rig.force.silence_timeout_s = 0.3;
    rig.force.start_timeout_s = 10;
    dt_pty_open(&pty);
    pid_t child = fork();
    if (child == 0) {
      cb_sleep_s(1.2);
      (void)!write(pty.master, banners[k], strlen(banners[k]));
      for (int i = 0; i < 400; i++) {
        (void)!write(pty.master, "1;0.50\r\n", 8);
        cb_sleep_s(0.005);
      }
      _exit(0);
    }
    assert_ok(daq_force_open(&f, &rig, pty.name, NULL, NULL, err));
    assert_int_equal(f.n_unreadable, 0);
    assert_int_equal(ft_collect(&f, r, 3), 3);
    for (int i = 0; i < 3; i++) assert_true(r[i].value == -1);
    assert_int_equal(f.n_unreadable, 0);
    assert_int_equal(f.n_reformatted, 0);
    daq_force_close(&f);
    (void)waitpid(child, NULL, 0);
    dt_pty_close(&pty);
  }
}

/* MicroPython's print(): every reading counts, and the read-out is known for what it does. */
static void leaves_out_zeros(void **state) {
  (void)state;
  static char talk[8000];
  ft_instrument i;
  daq_force f;
  daq_reading r[100];
  size_t n = 0;
  for (int k = 0; k < 200; k++) {
    char number[16];
    (void)snprintf(number, sizeof number, "%.4g", 0.25 + 0.0001 * (k * 37 % 200));
    n += (size_t)snprintf(talk + n, sizeof talk - n, "%d;%s\r\n", k % 10, number);
  }
  ft_start(&i, NULL, 0, talk);
  assert_ok(daq_force_open(&f, &plain, i.pty.name, NULL, NULL, err));
  assert_true(f.shortest);
  assert_int_equal(ft_collect(&f, r, 100), 100);
  assert_int_equal(f.n_unreadable, 0);
  daq_force_close(&f);
  ft_end(&i);
}

static void wrong_device(void **state) {
  (void)state;
  static const char *const talk[] = {"\xf8\x80\xff\x00\xe6", "hello\r\n", "0;0.25;", "\r\n"};
  ft_instrument i;
  daq_force f;
  cb_rig rig = plain;
  rig.force.silence_timeout_s = 0.1;
  for (size_t k = 0; k < 4; k++) {
    ft_start(&i, NULL, 0, talk[k]);
    assert_fails(CB_E_DEVICE, "none of them a reading of 'line': wrong baud rate (115200) or another device",
                 daq_force_open(&f, &rig, i.pty.name, NULL, NULL, err));
    daq_force_close(&f);
    ft_end(&i);
  }
  ft_start(&i, NULL, 0, NULL);
  assert_fails(CB_E_DEVICE, "nothing came from the force read-out (line) within 0.1 s",
               daq_force_open(&f, &rig, i.pty.name, NULL, NULL, err));
  daq_force_close(&f);
  (void)strcpy(rig.force.serial, "A1");
  assert_fails(CB_E_DEVICE, "force read-out (line): tells no serial number, the rig file wants A1",
               daq_force_open(&f, &rig, i.pty.name, NULL, NULL, err));
  daq_force_close(&f);
  ft_end(&i);
}

#define TEN "1.5\r\n1.5\r\n1.5\r\n1.5\r\n1.5\r\n1.5\r\n1.5\r\n1.5\r\n1.5\r\n1.5\r\n"

/* What the rig file has for the gauge's beginning and end. */
static void start_and_stop(void **state) {
  (void)state;
  static const dt_step steps[] = {{"GO", TEN TEN TEN TEN TEN}, {"HALT", NULL}};
  cb_rig rig = plain;
  ft_instrument i;
  daq_force f;
  daq_reading r;
  rig.force.field = 0;
  rig.force.scale = 1;
  (void)strcpy(rig.force.start, "GO");
  (void)strcpy(rig.force.stop, "HALT");
  ft_start(&i, steps, 2, NULL);
  assert_ok(daq_force_open(&f, &rig, i.pty.name, NULL, NULL, err));
  assert_int_equal(ft_collect(&f, &r, 1), 1);
  assert_true(r.value == 1.5 && r.asked_s == 0 && !f.asked);
  daq_force_close(&f);
  ft_end(&i);
}

/* A gauge that is asked, without flipped bits: they keep the form. */
static void spoilt(void **state) {
  (void)state;
  assert_int_equal(ft_spoil("driver: line\n  request: READ", "", FT_ANY_FAULT), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(fields),
                                     cmocka_unit_test(refused),
                                     cmocka_unit_test(needs_more),
                                     cmocka_unit_test(terminators),
                                     cmocka_unit_test(stream),
                                     cmocka_unit_test(rest_of_a_long_line),
                                     cmocka_unit_test(other_ends),
                                     cmocka_unit_test(wrong_device),
                                     cmocka_unit_test(boots),
                                     cmocka_unit_test(stops_while_it_waits),
                                     cmocka_unit_test(leaves_out_zeros),
                                     cmocka_unit_test(start_and_stop),
                                     cmocka_unit_test(spoilt)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
