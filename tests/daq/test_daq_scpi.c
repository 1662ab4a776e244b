/* Multimeters with SCPI: answers as SCPI-99 and the manual of the 34401A have them, the exchange that starts,
 * the emulator, and the thread between messages of USBTMC and a transport. */
#include "forcetest.h"

#include "daq_messages.h"
#include "daq_scpi.h"

static void readings(void **state) {
  (void)state;
  static const struct {
    const char *text;
    int field;
    double number;
    daq_parse p;
    bool overload;
  } cases[] = {{"-4.85194000E-04\r\n", 0, -4.85194e-4, DAQ_PARSE_VALID, false}, /* SD.DDDDDDDDESDD */
               {"+9.90000000E+37\n", 0, 9.9e37, DAQ_PARSE_VALID, true},
               {"-9.9E37\n", 0, -9.9e37, DAQ_PARSE_VALID, true},
               {"1.5,+2.5E+00\n", 1, 2.5, DAQ_PARSE_VALID, false},
               {"0.25\n", 0, 0.25, DAQ_PARSE_VALID, false},
               {"12\n", 0, 12, DAQ_PARSE_VALID, false},
               {"-4.85194000E-0\n", 0, 0, DAQ_PARSE_INVALID, false},
               {"-4.85194000E\n", 0, 0, DAQ_PARSE_INVALID, false},
               {"-4.85E4\n", 0, 0, DAQ_PARSE_INVALID, false},
               {"nan\n", 0, 0, DAQ_PARSE_INVALID, false},
               {"+1.23E-03VDC\n", 0, 0, DAQ_PARSE_INVALID, false},
               {"1.5\n", 1, 0, DAQ_PARSE_INVALID, false},
               {"+1.2", 0, 0, DAQ_PARSE_MORE, false}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    daq_scpi_reading r;
    size_t used;
    daq_parse p = daq_scpi_parse(cases[i].text, strlen(cases[i].text), cases[i].field, &r, &used);
    if (p != cases[i].p ||
        (p == DAQ_PARSE_VALID && (r.number != cases[i].number || r.overload != cases[i].overload)))
      fail_msg("%s: %d, %g, %d", cases[i].text, p, r.number, r.overload);
  }
}

static void other_answers(void **state) {
  (void)state;
  char serial[64];
  int code;
  daq_scpi_serial("HEWLETT-PACKARD,34401A,0,11-5-2", serial);
  assert_string_equal(serial, "");
  daq_scpi_serial("KEITHLEY INSTRUMENTS INC.,MODEL 2000, 0812345 ,A20", serial);
  assert_string_equal(serial, "0812345");
  daq_scpi_serial("anything", serial);
  assert_string_equal(serial, "");
  assert_true(daq_scpi_error("-113,\"Undefined header\"", &code) && code == -113);
  assert_true(daq_scpi_error("+0,\"No error\"", &code) && code == 0);
  assert_false(daq_scpi_error("No error", &code));
}

static void fails(const dt_step *steps, size_t n, const char *serial, const char *sentence) {
  cb_rig rig = {
      .path = "r.yaml",
      .force = {.driver = CB_FORCE_SCPI, .baud = 9600, .rate_Hz = 10, .silence_timeout_s = 1, .scale = 1}};
  dt_script s;
  daq_force f;
  (void)strcpy(rig.force.start, "CONF:VOLT:DX");
  (void)strcpy(rig.force.request, "READ?");
  (void)strcpy(rig.force.serial, serial);
  dt_script_start(&s, steps, n);
  assert_fails(CB_E_DEVICE, sentence, daq_force_open(&f, &rig, s.pty.name, NULL, NULL, err));
  daq_force_close(&f);
  dt_script_end(&s);
}

static void refused(void **state) {
  (void)state;
  static const dt_step bad[] = {{"*IDN?", "HEWLETT-PACKARD,34401A,0,11-5-2\r\n"},
                                {"*CLS", NULL},
                                {"CONF:VOLT:DX", NULL},
                                {"SYST:ERR?", "-113,\"Undefined header\"\r\n"},
                                {"SYST:ERR?", "+0,\"No error\"\r\n"}},
                       other[] = {{"*IDN?", "KEITHLEY INSTRUMENTS INC.,MODEL 2000,0812345,A20\n"}};
  fails(bad, 5, "", "'CONF:VOLT:DX' of force.start is refused with -113,\"Undefined header\"");
  fails(other, 1, "17", "serial number is 0812345, the rig file wants 17");
}

static void emulated(void **state) {
  (void)state;
  ft_emulated("driver: scpi\n  start: 'SYST:REM;:CONF:VOLT:DC:RAT'\n  stop: 'SYST:LOC'", "", 1e-9,
              "CLOTHBENCH,VIRTUAL,V-1,1.0");
  ft_emulated("driver: scpi\n  serial: V-1\n  request: 'MEAS:VOLT:DC:RAT?'", "", 1e-9,
              "CLOTHBENCH,VIRTUAL,V-1,1.0");
}

/* Without flipped bits: a line of text has no sum, and a digit that became another digit is a reading. */
static void faults(void **state) {
  (void)state;
  const char *driver = "driver: scpi\n  start: 'SYST:REM;:CONF:VOLT:DC:RAT'";
  assert_int_equal(ft_spoil(driver, "", FT_ANY_FAULT), 0);
}

/* ---- messages ---- */

typedef struct meter {
  char asked[64];
  atomic_int fails_with, n_clears, n_closes;
} meter;

static ssize_t meter_write(void *device, const void *bytes, size_t n) {
  meter *m = device;
  (void)snprintf(m->asked, sizeof m->asked, "%.*s", (int)n, (const char *)bytes);
  return (ssize_t)n;
}

/* Answers come without a line feed: the end of the message is the end. */
static ssize_t meter_read(void *device, void *bytes, size_t cap) {
  meter *m = device;
  errno = atomic_load(&m->fails_with);
  if (errno) return -1;
  return snprintf(bytes, cap, "<%.*s>", (int)strcspn(m->asked, "\n"), m->asked);
}

static int meter_clear(void *device) { return atomic_fetch_add(&((meter *)device)->n_clears, 1), 0; }
static void meter_close(void *device) { (void)atomic_fetch_add(&((meter *)device)->n_closes, 1); }

static void says(daq_transport *t, const char *text, const char *wanted) {
  char answer[64] = "";
  size_t n;
  assert_ok(daq_transport_write(t, text, strlen(text), 1, err));
  assert_ok(daq_transport_read(t, answer, sizeof answer - 1, wanted[0] ? CBT_HANG_S : 0.1, &n, err));
  assert_string_equal(answer, wanted);
}

static void messages(void **state) {
  (void)state;
  meter m = {.asked = ""};
  daq_transport *t;
  cb_err why = {""};
  char byte;
  size_t n;
  assert_ok(daq_messages_start(&(daq_message_device){meter_write, meter_read, meter_clear, meter_close, &m},
                               "meter", &t, err));
  says(t, "CONF:VOLT:DC\n", "");
  says(t, "READ?\n", "<READ?>\n");
  atomic_store(&m.fails_with, ETIMEDOUT);
  says(t, "FETC?\n", "");
  assert_int_equal(atomic_load(&m.n_clears), 1);
  atomic_store(&m.fails_with, 0);
  says(t, "FETC?\n", "<FETC?>\n");
  assert_false(daq_transport_hung_up(t));
  atomic_store(&m.fails_with, ENODEV); /* the cable is pulled */
  assert_ok(daq_transport_write(t, "READ?\n", 6, 1, err));
  assert_int_equal(daq_transport_read(t, &byte, 1, CBT_HANG_S, &n, &why), CB_E_DEVICE);
  assert_string_equal(why.msg, "port meter: the device was disconnected");
  assert_true(daq_transport_hung_up(t));
  assert_int_equal(daq_transport_write(t, "READ?\n", 6, 1, &why), CB_E_DEVICE);
  daq_transport_close(t);
  assert_int_equal(atomic_load(&m.n_closes), 1);
}

/* The kernel's driver needs a device; what is none is told. */
static void no_usbtmc(void **state) {
  (void)state;
  daq_transport *t;
  dt_pty p;
  dt_pty_open(&p);
  assert_false(daq_messages_is_usbtmc(p.name));
  dt_pty_close(&p);
  assert_true(daq_messages_is_usbtmc("/dev/usbtmc9"));
  assert_true(daq_messages_is_usbtmc("/dev/null"));
  assert_fails(CB_E_DEVICE, "port /dev/usbtmc9: cannot be opened",
               daq_messages_open_usbtmc("/dev/usbtmc9", 1, &t, err));
  assert_fails(CB_E_DEVICE, "port /dev/null: is no USBTMC device",
               daq_messages_open_usbtmc("/dev/null", 1, &t, err));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(readings), cmocka_unit_test(other_answers),
                                     cmocka_unit_test(refused),  cmocka_unit_test(emulated),
                                     cmocka_unit_test(faults),   cmocka_unit_test(messages),
                                     cmocka_unit_test(no_usbtmc)};
  return cmocka_run_group_tests(tests, cbt_folder_set_up, cbt_folder_tear_down);
}
