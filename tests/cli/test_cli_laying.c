/* `validate drape-laying`: a row of the table of simulated drapes, whose keys are the table's columns. */
#include "clitest.h"

#define LAYING "validate drape-laying --bending-length-mm 30 --vertices 500 --seed 3"

static void a_laying_is_a_row_of_the_table(void **state) {
  (void)state;
  json_t *doc = clit_json(LAYING " --json", 0, "validate drape-laying");
  char *table = cbt_read(CB_SOURCE_DIR "/materials/drape_table.csv"), *rest = NULL;
  char *names = strstr(table, "support_cm"); /* behind comments */
  assert_non_null(names);
  *strchr(names, '\n') = '\0';
  for (char *name = strtok_r(names, ",", &rest); name; name = strtok_r(NULL, ",", &rest))
    (void)clit_number(doc, name);
  assert_true(clit_number(doc, "drape_coefficient") > 0.8);
  assert_true(clit_number(doc, "softening") > 1);
  free(table);
  json_decref(doc);
}

static void it_is_told_in_words(void **state) {
  (void)state;
  clit_expect(LAYING, 0, "drape coefficient 0.", "");
  clit_expect("validate drape-laying --bending-ratio 0.5", 2, "", "must be between 1 and 1000");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_laying_is_a_row_of_the_table),
                                     cmocka_unit_test(it_is_told_in_words)};
  return cmocka_run_group_tests(tests, cbt_folder_set_up, cbt_folder_tear_down);
}
