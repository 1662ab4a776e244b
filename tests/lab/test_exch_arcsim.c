/* ARCSim's material file: its public layout read and written bit for bit, and one sentence for everything
 * else. */
#include "cbtest.h"
#include "exch_arcsim.h"

/* Numbers of no cloth, so that a swapped place shows. */
static const char good[] =
    "{\"density\": 0.25,\n"
    " \"stretching\": [[1, 2, 3, 4], [5, 6, 7, 8], [9, -10, 11, 12], [13, 14, 15, 16], [17, 18, 19, 20], "
    "[21, 22, 23, 0.1]],\n"
    " \"bending\": [[24e-6, 25e-6, 26e-6, 27e-6, 28e-6], [29e-6, 30e-6, 31e-6, 32e-6, 33e-6], [34e-6, 35e-6, "
    "36e-6, 37e-6, 0]]}\n";

static void every_number_has_its_place(void **state) {
  (void)state;
  exch_arcsim m;
  assert_ok(exch_arcsim_read(good, strlen(good), "a.json", &m, err));
  assert_true(m.density_kg_per_m2 == 0.25);
  assert_true(m.stretching_N_per_m[0][3] == 4);
  assert_true(m.stretching_N_per_m[2][1] == -10);
  assert_true(m.stretching_N_per_m[5][3] == 0.1);
  assert_true(m.bending_N_m[0][1] == 25e-6);
  assert_true(m.bending_N_m[2][0] == 34e-6);
  assert_true(m.bending_N_m[2][4] == 0);
}

static void written_and_read_the_bits_are_the_same(void **state) {
  (void)state;
  exch_arcsim m, back;
  char *text, *again;
  assert_ok(exch_arcsim_read(good, strlen(good), "a.json", &m, err));
  for (int i = 0; i < 6; i++)
    for (int j = 0; j < 4; j++) m.stretching_N_per_m[i][j] /= 3;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 5; j++) m.bending_N_m[i][j] /= 7;
  assert_ok(exch_arcsim_write(&m, &text, err));
  assert_ok(exch_arcsim_read(text, strlen(text), "b.json", &back, err));
  assert_memory_equal(&m, &back, sizeof m);
  assert_ok(exch_arcsim_write(&back, &again, err));
  assert_string_equal(text, again);
  free(text);
  free(again);
}

/* Comments as jsoncpp takes them, and keys that other programs add. */
static void comments_and_other_keys_are_passed_over(void **state) {
  (void)state;
  static const char commented[] =
      "// \"density\": 1, a comment \"with quotes\r\n"
      "{\"density\": 0.25, // kg/m2\n"
      " \"damping\": 0.01, \"thickness\": 0.0004, \"yield_curv\": 200, \"weakening\": {\"a\": [1]},\n"
      " \"stretching\": [[1,2,3,4],[1,2,3,4],[1,2,3,4], /* [9,9,9,9], // \n */ [1,2,3,4],[1,2,3,4],\n"
      " [1,2,3,4/**/]],\n"
      " \"bending\": [[1,2,3,4,5],[1,2,3,4,5],[1,2,3,4,5]]}\n// end";
  exch_arcsim m;
  assert_ok(exch_arcsim_read(commented, strlen(commented), "a.json", &m, err));
  assert_true(m.density_kg_per_m2 == 0.25 && m.stretching_N_per_m[5][3] == 4 && m.bending_N_m[2][4] == 5);
  assert_true(m.thickness_m == 0.0004);
  assert_string_equal(m.unread, "damping, yield_curv, weakening");
  assert_ok(exch_arcsim_read(good, strlen(good), "a.json", &m, err));
  assert_true(m.thickness_m == 0 && !m.unread[0]);
}

static void refuse(const char *text, const char *sentence) {
  exch_arcsim m;
  assert_fails(CB_E_PARSE, sentence, exch_arcsim_read(text, strlen(text), "a.json", &m, err));
}

/* The good text with one piece replaced. */
static const char *with(const char *old, const char *new) {
  static char text[1000];
  const char *at = strstr(good, old);
  assert_non_null(at);
  (void)snprintf(text, sizeof text, "%.*s%s%s", (int)(at - good), good, new, at + strlen(old));
  return text;
}

static void errors_are_one_sentence_with_the_place(void **state) {
  (void)state;
  refuse("", "a.json:1: no JSON");
  refuse("{\"density\": 0.25", "a.json:1: no JSON");
  refuse("[1]", "a.json is a list: an object was wanted");
  refuse(with("\"density\"", "\"density_g_per_m2\""),
         "unknown key 'density_g_per_m2': the keys are density, stretching, bending, thickness");
  refuse(with("[5, 6", "/* never closed [5, 6"), "a.json:2: no JSON");
  refuse(with("\"density\"", "\"// density\""), "unknown key '// density'");
  refuse(with("\"density\": 0.25,", ""), "a.json: the key 'density' is missing");
  refuse(with("0.25,", "0.25, \"density\": 0.3,"), "duplicate");
  refuse(with("[5, 6, 7, 8]", "[5, 6, 7]"), "a.json: stretching[1] has 3 items: 4 were wanted");
  refuse(with("[5, 6, 7, 8], ", ""), "a.json: stretching has 5 items: 6 were wanted");
  refuse(with("26e-6", "\"26e-6\""), "a.json: bending[0][2] is a text: a number was wanted");
  refuse(with("26e-6", "null"), "bending[0][2] is null");
  refuse(with("26e-6", "1e999"), "no JSON");
}

static void numbers_that_cannot_be_are_out_of_range(void **state) {
  (void)state;
  exch_arcsim m;
  const char *heavy = with("0.25", "250"); /* g/m2 where kg/m2 was meant */
  assert_fails(CB_E_RANGE, "a.json: density = 250: must be between 0.001 and 10",
               exch_arcsim_read(heavy, strlen(heavy), "a.json", &m, err));
  const char *limp = with("26e-6", "-26e-6");
  assert_fails(CB_E_RANGE, "a.json: bending[0][2] = -2.6e-05: must be between 0 and 10",
               exch_arcsim_read(limp, strlen(limp), "a.json", &m, err));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_number_has_its_place),
      cmocka_unit_test(written_and_read_the_bits_are_the_same),
      cmocka_unit_test(comments_and_other_keys_are_passed_over),
      cmocka_unit_test(errors_are_one_sentence_with_the_place),
      cmocka_unit_test(numbers_that_cannot_be_are_out_of_range),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
