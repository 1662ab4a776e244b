/* Questions about air and specimen, and how answers are judged. */
#include "cbtest.h"

#include "daq_conditions.h"

static size_t question(const char *key) {
  for (size_t i = 0; i < DAQ_N_CONDITIONS; i++)
    if (strcmp(daq_conditions_questions[i].field.key, key) == 0) return i;
  fail_msg("no question '%s'", key);
  return 0;
}

static void asked(void **state) {
  (void)state;
  char text[300];
  daq_ask_text(&daq_conditions_questions[question("temperature_degC")], text);
  assert_string_equal(text, "Temperature of the air at the bench [degC]");
  daq_ask_text(&daq_conditions_questions[question("cloth_side")], text);
  assert_string_equal(text, "Side of the cloth that is rubbed (face | back)");
}

static void good(void **state) {
  (void)state;
  cb_conditions c = cb_conditions_unknown();
  for (size_t i = 0; i < DAQ_N_CONDITIONS; i++) {
    assert_false(daq_conditions_known(&c, i));
    assert_ok(daq_conditions_answer(&c, i, "", err));
    assert_false(daq_conditions_known(&c, i));
  }
  static const char *const answers[DAQ_N_CONDITIONS] = {
      "296.65 K", "50", "iso139-alternative", "24", "roll 7", "face", "F2", "80", "never", "n"};
  for (size_t i = 0; i < DAQ_N_CONDITIONS; i++) {
    assert_ok(daq_conditions_answer(&c, i, answers[i], err));
    assert_true(daq_conditions_known(&c, i));
  }
  assert_int_equal(c.atmosphere, CB_ISO139_ALTERNATIVE);
  assert_near(c.temperature_degC, 23.5, 0);
  assert_near(c.humidity_percent, 50, 0);
  assert_near(c.conditioning_h, 24, 0);
  assert_string_equal(c.cloth_lot, "roll 7");
  assert_int_equal(c.cloth_side, CB_SIDE_FACE);
  assert_string_equal(c.body_specimen, "F2");
  assert_near(c.specimen_area_m2, 80e-4, 1e-15);
  assert_string_equal(c.wash_state, "never");
  assert_string_equal(c.note, "n");
}

static void wrong(void **state) {
  (void)state;
  char longer[600];
  memset(longer, 'x', sizeof longer - 1);
  longer[sizeof longer - 1] = '\0';
  const struct {
    const char *key, *answer;
    cb_status status;
    const char *sentence;
  } cases[] = {
      {"temperature_degC", "warm", CB_E_PARSE, "temperature_degC = 'warm'"},
      {"temperature_degC", "20 C", CB_E_PARSE, "temperature_degC = '20 C'"},
      {"temperature_degC", "nan", CB_E_PARSE, "temperature_degC = 'nan'"},
      {"humidity_percent", "101", CB_E_RANGE, "humidity_percent = 101: must be between 0 and 100"},
      {"conditioning_h", "-1", CB_E_RANGE, "conditioning_h = -1"},
      {"specimen_area_cm2", "0", CB_E_RANGE, "specimen_area_cm2 = 0"},
      {"cloth_side", "Face", CB_E_PARSE, "cloth_side = 'Face': must be one of (face | back)"},
      {"cloth_lot", longer, CB_E_RANGE, "must be shorter than 64 bytes"},
      {"note", longer, CB_E_RANGE, "must be shorter than 256 bytes"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    cb_conditions c = cb_conditions_unknown();
    size_t k = question(cases[i].key);
    assert_fails(cases[i].status, cases[i].sentence, daq_conditions_answer(&c, k, cases[i].answer, err));
    assert_false(daq_conditions_known(&c, k));
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(asked), cmocka_unit_test(good),
                                     cmocka_unit_test(wrong)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
