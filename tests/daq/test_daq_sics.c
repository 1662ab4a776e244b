/* MT-SICS balances: answers as in the manuals (AL-IC p. 72, Ohaus 7000 p. 109), and the exchange that starts
 * the stream. */
#include "forcetest.h"

#include "daq_sics.h"

static daq_sics_message parse(const char *text) {
  daq_sics_message m;
  size_t used;
  assert_int_equal(daq_sics_parse(text, strlen(text), &m, &used), DAQ_PARSE_VALID);
  return m;
}

static void messages(void **state) {
  (void)state;
  daq_sics_message m = parse("S S     100.00 g\r\n");
  assert_true(m.kind == DAQ_SICS_READING && m.number == 100 && m.stable);
  assert_string_equal(m.unit, "g");
  m = parse("S D      -0.02 kg\r\n");
  assert_true(m.kind == DAQ_SICS_READING && m.number == -0.02 && !m.stable);
  assert_int_equal(parse("S I\r\n").kind, DAQ_SICS_BUSY);
  assert_int_equal(parse("S +\r\n").kind, DAQ_SICS_OVERLOAD);
  assert_int_equal(parse("S -\r\n").kind, DAQ_SICS_UNDERLOAD);
  m = parse("EL\r\n");
  assert_true(m.kind == DAQ_SICS_ERROR && m.error == 'L');
  m = parse("I4 A \"0123456789\"\r\n");
  assert_int_equal(m.kind, DAQ_SICS_SERIAL);
  assert_string_equal(m.text, "0123456789");
  static const char *const others[] = {"S S 100.00\r\n",   "S S 100.00 g x\r\n",
                                       "S X 100.00 g\r\n", "S S nan g\r\n",
                                       "SS 100.00 g\r\n",  "E\r\n",
                                       "EX\r\n",           "ESS\r\n",
                                       "I4 A \"12\r\n",    "I4 A 12\r\n",
                                       "I4 I\r\n",         "S\r\n"};
  for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
    if (parse(others[i]).kind != DAQ_SICS_TEXT) fail_msg("'%s' was taken for a message", others[i]);
  size_t used;
  assert_int_equal(daq_sics_parse("S S 100.00 g", 12, &m, &used), DAQ_PARSE_MORE);
}

static cb_rig balance(const char *serial) {
  cb_rig rig = {
      .force = {
          .driver = CB_FORCE_MT_SICS, .baud = 9600, .unit = "g", .rate_Hz = 10, .silence_timeout_s = 10}};
  (void)strcpy(rig.force.serial, serial);
  return rig;
}

static void exchange(void **state) {
  (void)state;
  static const dt_step steps[] = {{"@", "S D  7.00 g\r\nI4 A \"B-42\"\r\n"},
                                  {"SIR", "S I\r\nS S     100.00 g\r\nS D     -0.02 g\r\nS +\r\nS -\r\n"},
                                  {"SI", NULL}};
  const cb_rig rig = balance("B-42");
  ft_instrument i;
  daq_force f;
  daq_reading r[4];
  ft_start(&i, steps, 3, NULL);
  assert_ok(daq_force_open(&f, &rig, i.pty.name, NULL, NULL, err));
  assert_string_equal(f.identity, "MT-SICS balance, serial number B-42");
  assert_int_equal(ft_collect(&f, r, 4), 4);
  assert_true(r[0].value == 100 && !r[0].overload);
  assert_true(r[1].value == -0.02 && !r[1].overload);
  assert_true(r[2].overload && r[3].overload);
  assert_int_equal(f.n_unreadable, 0); /* busy is an answer */
  daq_force_close(&f);
  ft_end(&i);
}

static void open_fails(const char *serial, const char *reset, const char *stream, const char *sentence) {
  const dt_step steps[] = {{"@", reset}, {"SIR", stream}, {"SI", NULL}},
                early[] = {{"@", reset}, {"SI", NULL}};
  cb_rig rig = balance(serial);
  ft_instrument i;
  daq_force f;
  ft_start(&i, stream ? steps : early, stream ? 3 : 2, NULL);
  assert_fails(CB_E_DEVICE, sentence, daq_force_open(&f, &rig, i.pty.name, NULL, NULL, err));
  daq_force_close(&f);
  ft_end(&i);
}

static void refused(void **state) {
  (void)state;
  open_fails("B-42", "I4 A \"B-43\"\r\n", NULL,
             "force read-out (mt-sics): serial number is B-43, the rig file wants B-42");
  open_fails("B-42", NULL, NULL, "force read-out (mt-sics): tells no serial number, the rig file wants B-42");
  open_fails("", "I4 A \"B-43\"\r\n", "S S 1.5 kg\r\n", "it sends 'kg', force.unit is 'g'");
  open_fails("", "I4 A \"B-43\"\r\n", "ES\r\n", "the balance refuses a command (ES, syntax error)");
}

/* A relative that does not answer a reset is a balance all the same. */
static void silent_reset(void **state) {
  (void)state;
  static const dt_step steps[] = {{"@", NULL}, {"SIR", "S S 2.5 g\r\nS S 2.5 g\r\n"}, {"SI", NULL}};
  const cb_rig rig = balance("");
  ft_instrument i;
  daq_force f;
  daq_reading r;
  ft_start(&i, steps, 3, NULL);
  assert_ok(daq_force_open(&f, &rig, i.pty.name, NULL, NULL, err));
  assert_string_equal(f.identity, "");
  assert_int_equal(ft_collect(&f, &r, 1), 1);
  assert_true(r.value == 2.5);
  daq_force_close(&f);
  ft_end(&i);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(messages), cmocka_unit_test(exchange),
                                     cmocka_unit_test(refused), cmocka_unit_test(silent_reset)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
