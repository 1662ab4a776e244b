/* Answers in any unit are kept as the key has them; what is no answer is refused in one sentence; a list of
 * answers goes into a file and comes back. */
#include "cbtest.h"

#include "daq_questions_parts.h"

static const char *const sides[] = {"face", "back", NULL};
static const daq_ask table[] = {
    {{"name", CB_Y_STR, .size = 8, .required = true}, "Name", "What it is called", NULL, "Ada"},
    {{"mass_g", CB_Y_NUM, .min = 0, .max = 5e4}, "Mass", "What the balance shows", "g", "50"},
    {{"masses_g", CB_Y_NUMLIST, .min = 0, .max = 5e4}, "Masses", "All of them", "g", "50, 100"},
    {{"repeats", CB_Y_INT, .min = 1, .max = 1000}, "Repeats", "How often", NULL, "3"},
    {{"side", CB_Y_ENUM, .choices = sides}, "Side", "Which side", NULL, "face"},
};
#define N (sizeof table / sizeof table[0])

static void answers_become_keys(void **state) {
  (void)state;
  static const struct {
    size_t i;
    const char *typed, *kept;
  } cases[] = {{0, "Mia \"M\"", "Mia \"M\""},
               {1, "50", "50"},
               {1, "0.05 kg", "50"},
               {1, "5e3 mg", "5"},
               {1, "0.1kg", "100"},
               {1, "1,5", "1.5"},
               {1, "0,125", "0.125"},
               {1, "0,05 kg", "50"},
               {2, "0, 0.1, 0.2 kg", "0, 100, 200"},
               {2, "50 g, 0.1 kg", "50, 100"},
               {2, "[50; 100]", "50, 100"},
               {2, " 50 100  200 ", "50, 100, 200"},
               {2, "50 g", "50"},
               {3, "12", "12"},
               {4, "back", "back"},
               {4, "fa", "face"}};
  for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
    char out[DAQ_ANSWER];
    assert_ok(daq_ask_read(&table[cases[k].i], cases[k].typed, out, err));
    assert_string_equal(out, cases[k].kept);
  }
}

static void what_is_no_answer(void **state) {
  (void)state;
  static const struct {
    size_t i;
    const char *typed;
    cb_status st;
    const char *sentence;
  } cases[] = {
      {0, "", CB_E_PARSE, "name: an answer was wanted, such as Ada"},
      {0, "12345678", CB_E_RANGE, "must be shorter than 8 bytes"},
      {0, "a\x1b", CB_E_RANGE, "control character"},
      {1, "50 mm", CB_E_PARSE, "mass_g = '50 mm': a number in g was wanted, or in one of kg, g, mg, lb"},
      {1, "1,250", CB_E_PARSE, "mass_g = '1,250': the comma may mean thousands"},
      {1, "1,250.5", CB_E_PARSE, "mass_g = '1,250.5'"},
      {1, "1.250,5", CB_E_PARSE, "mass_g = '1.250,5'"},
      {1, "1,2,3", CB_E_PARSE, "mass_g = '1,2,3'"},
      {2, "0,5; 1,5", CB_E_PARSE, "masses_g = '0,5; 1,5': a blank behind a comma was wanted, or a point"},
      {1, "100 kg", CB_E_RANGE, "mass_g = 100000: must be between 0 and 50000"},
      {1, "nan", CB_E_PARSE, "mass_g = 'nan'"},
      {2, "50, x", CB_E_PARSE, "masses_g = "},
      {2, "50, -1", CB_E_RANGE, "masses_g = -1:"},
      {2, ",", CB_E_PARSE, "numbers were wanted, such as 50, 100"},
      {3, "2.5", CB_E_PARSE, "repeats = '2.5': must be a whole number"},
      {3, "0", CB_E_RANGE, "repeats = 0"},
      {4, "Back", CB_E_PARSE, "side = 'Back': must be one of (face | back)"}};
  for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
    daq_questions q = {.table = table, .n = N};
    assert_fails(cases[k].st, cases[k].sentence, daq_questions_answer(&q, cases[k].i, cases[k].typed, err));
    assert_false(q.given[cases[k].i]);
  }
}

static void keys(void **state) {
  (void)state;
  const daq_questions q = {.table = table, .n = N};
  assert_int_equal(daq_questions_key(&q, 0, "b"), 'b');
  assert_int_equal(daq_questions_key(&q, 0, "back"), 'b');
  assert_int_equal(daq_questions_key(&q, 4, "back"), 0); /* a side of the cloth */
  assert_int_equal(daq_questions_key(&q, 4, "<"), 'b');
  assert_int_equal(daq_questions_key(&q, 0, "?"), '?');
  assert_int_equal(daq_questions_key(&q, 0, "q"), 'q');
  assert_int_equal(daq_questions_key(&q, 0, "quit"), 0);
}

static cb_status refuse_two(void *context, size_t i, cb_err *err) {
  const daq_questions *q = context;
  return i == 3 && strcmp(q->answer[3], "2") == 0 ? cb_fail(err, CB_E_RANGE, "not two") : CB_OK;
}

/* What was kept comes back; an answer that somebody spoiled is asked again. */
static void taken_up(void **state) {
  (void)state;
  char path[400];
  static daq_questions q = {.table = table, .n = N, .check = refuse_two}, back = {.table = table, .n = N};
  q.context = &q;
  assert_ok(daq_questions_answer(&q, 0, "a\"\\b", err));
  assert_ok(daq_questions_answer(&q, 1, "", err));
  assert_ok(daq_questions_answer(&q, 2, "1 kg", err));
  assert_ok(daq_questions_answer(&q, 3, "3", err));
  assert_fails(CB_E_RANGE, "not two", daq_questions_answer(&q, 3, "2", err));
  assert_string_equal(q.answer[3], "3");
  assert_ok(daq_questions_save(&q, cbt_path("draft", path), err));
  assert_ok(daq_questions_load(&back, path, err));
  for (size_t i = 0; i < N; i++) {
    assert_int_equal(back.given[i], q.given[i]);
    assert_string_equal(back.answer[i], q.answer[i]);
  }
  assert_true(back.given[1] && !back.given[4]);
  cbt_write(path, "name: x\nmass_g: 1e9\nrepeats: 4\n");
  back = (daq_questions){.table = table, .n = N};
  assert_ok(daq_questions_load(&back, path, err));
  assert_true(back.given[0] && !back.given[1] && back.given[3]);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(answers_become_keys), cmocka_unit_test(what_is_no_answer), cmocka_unit_test(keys),
      cmocka_unit_test_setup_teardown(taken_up, cbt_folder_set_up, cbt_folder_tear_down)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
