/* The experiments on strips from the command line: verdicts, documents, figures, what is refused. */
#include "cbtest.h"
#include "jsonpage.h"

static json_t *document(const char *command, const char *section, int code) {
  cbt_result r;
  cbt_run(&r, cbt_folder, command);
  if (r.code != code) fail_msg("%s: code %d: %s", command, r.code, r.err);
  json_t *doc = jp_document(r.out);
  jp_expect(section, doc);
  return doc;
}

static void cantilever(void **state) {
  (void)state;
  json_t *doc =
      document("validate cantilever --gamma 8.0042 --mesh irregular --json", "validate cantilever", 0);
  /* The chord at 41.5 degrees: Peirce's flexometer, ASTM D1388. */
  assert_near(jp_number(doc, "reference"), tan(41.5 * 3.14159265358979 / 180), 1e-4);
  assert_near(jp_number(doc, "h_over_w"), jp_number(doc, "reference"), 0.01 * jp_number(doc, "reference"));
  json_decref(doc);
  /* Six cells do not do for such a load; that is a verdict, not an error. */
  doc = document("validate cantilever --gamma 500 --cells 6 --json", "validate cantilever", 3);
  assert_string_equal(json_string_value(json_object_get(doc, "verdict")), "fail");
  json_decref(doc);
}

static void others(void **state) {
  (void)state;
  json_decref(
      document("validate strip-tension --angle-deg 45 --figure f.svg --json", "validate strip-tension", 0));
  char path[400];
  free(cbt_read(cbt_path("f.svg", path)));
  json_t *doc = document("validate all picture-frame --json", "validate all", 0);
  assert_string_equal(json_string_value(json_object_get(doc, "experiment")), "picture-frame");
  assert_near(jp_number(doc, "experiments"), 1, 0);
  json_decref(doc);
}

static void refused(void **state) {
  (void)state;
  static const char *const commands[] = {"validate cantilever --mesh square", "validate cantilever --gamma 0",
                                         "validate strip-tension --angle-deg 30", "validate nothing",
                                         "validate all baloon"};
  static const int codes[] = {2, 2, 1, 2, 2};
  for (size_t k = 0; k < sizeof commands / sizeof commands[0]; k++) {
    cbt_result r;
    cbt_run(&r, cbt_folder, commands[k]);
    assert_int_equal(r.code, codes[k]);
    assert_string_equal(r.out, "");
    assert_true(strlen(r.err) > 0);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(cantilever), cmocka_unit_test(others),
                                     cmocka_unit_test(refused)};
  return cmocka_run_group_tests(tests, cbt_folder_set_up, cbt_folder_tear_down);
}
