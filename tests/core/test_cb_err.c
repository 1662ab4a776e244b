#include "cbtest.h"

static const struct {
  cb_status st;
  int number;
  const char *name;
} list[] = {
#define X(name, number, text) {name, number, #name},
    CB_STATUS_LIST(X)
#undef X
};
#define N (sizeof list / sizeof list[0])

static void every_status_has_its_own_number_and_text(void **state) {
  (void)state;
  for (size_t i = 0; i < N; i++) {
    assert_string_not_equal(cb_status_text(list[i].st), "unknown status");
    for (size_t j = 0; j < i; j++) {
      assert_int_not_equal(list[i].number, list[j].number);
      assert_string_not_equal(cb_status_text(list[i].st), cb_status_text(list[j].st));
    }
  }
  assert_string_equal(cb_status_text((cb_status)4711), "unknown status");
}

static void sentences_are_built_and_cut(void **state) {
  (void)state;
  cb_err err;
  assert_int_equal(cb_fail(&err, CB_E_RANGE, "dt_s = %g: must be > 0", -1.0), CB_E_RANGE);
  assert_string_equal(err.msg, "dt_s = -1: must be > 0");
  assert_int_equal(cb_fail_in(&err, CB_E_RANGE, "%s:%d", "a.yaml", 7), CB_E_RANGE);
  assert_string_equal(err.msg, "a.yaml:7: dt_s = -1: must be > 0");
  char longer[2000];
  memset(longer, 'x', sizeof longer - 1);
  longer[sizeof longer - 1] = '\0';
  (void)cb_fail(&err, CB_E_IO, "%s", longer);
  assert_int_equal(strlen(err.msg), sizeof err.msg - 1);
  (void)cb_fail_in(&err, CB_E_IO, "%s", longer);
  assert_int_equal(strlen(err.msg), sizeof err.msg - 1);
  assert_int_equal(cb_fail(NULL, CB_E_IO, "nobody listens"), CB_E_IO);
  assert_int_equal(cb_fail_in(NULL, CB_E_IO, "nobody listens"), CB_E_IO);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_status_has_its_own_number_and_text),
                                     cmocka_unit_test(sentences_are_built_and_cut)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
