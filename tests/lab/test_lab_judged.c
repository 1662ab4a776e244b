/* Verdicts by kind: counted, the worst kept, one in five may fail; what is carried on is a row of its own. */
#include "cbtest.h"
#include "lab_judged.h"

static const lab_judged *row(const lab_judged *list, const char *words) {
  for (int k = 0; k < LAB_JUDGED_KINDS; k++)
    if (strcmp(list[k].words, words) == 0) return &list[k];
  fail_msg("no row '%s'", words);
  return NULL;
}

static cb_validation verdict(const char *experiment, int64_t cloth, bool pass, double en) {
  cb_validation v = {.cloth_id = cloth, .pass = pass, .worst_en = en, .result_json = (char *)"{}"};
  (void)snprintf(v.experiment, sizeof v.experiment, "%s", experiment);
  return v;
}

static void kinds_are_rows(void **state) {
  (void)state;
  lab_judged got[LAB_JUDGED_KINDS];
  cb_validation list[8];
  for (int i = 0; i < 5; i++) list[i] = verdict("slide", 1, i > 0, i > 0 ? 0.5 : 1.5);
  list[5] = verdict("incline", 1, true, 0.2);
  list[6] = verdict("incline", 1, false, 1.2);
  list[6].result_json = (char *)"{\"inside_measured_range\": false}";
  list[7] = verdict("buckling", 2, true, 0.1);
  lab_judged_of(list, 8, 1, CB_VIRTUAL, got);
  const lab_judged *sled = row(got, "sled"), *free_cloth = row(got, "incline, free cloth");
  assert_int_equal(sled->n, 5);
  assert_int_equal(sled->passed, 4);
  assert_near(sled->worst_en, 1.5, 0);
  assert_true(sled->holds && !sled->told);
  assert_int_equal(row(got, "incline")->n, 1);
  assert_int_equal(free_cloth->n, 1);
  assert_true(!free_cloth->holds && free_cloth->told);
  assert_int_equal(row(got, "other")->n, 0);
  assert_string_equal(row(got, "drape")->note, LAB_JUDGED_APART);
  list[1].pass = false; /* two of five */
  lab_judged_of(list, 8, 0, CB_MEASURED, got);
  assert_false(sled->holds);
  assert_int_equal(row(got, "other")->n, 1);
  assert_string_equal(row(got, "drape")->note, "");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(kinds_are_rows)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
