/* Lists that grow. */
#include <stdint.h>

#include "cb_array.h"
#include "cbtest.h"

static void items_stay_as_they_were(void **state) {
  (void)state;
  size_t capacity = 0;
  int *list = NULL;
  for (int n = 0; n < 1000; n++) {
    list = cb_array_grow(list, &capacity, (size_t)n + 1, sizeof *list);
    assert_non_null(list);
    list[n] = 3 * n;
  }
  for (int i = 0; i < 1000; i++) assert_int_equal(list[i], 3 * i);
  assert_int_equal(capacity, 1024);
  assert_ptr_equal(cb_array_grow(list, &capacity, 1024, sizeof *list), list);
  free(list);
}

static void a_leap_is_taken_at_once(void **state) {
  (void)state;
  size_t capacity = 0;
  double *list = cb_array_grow(NULL, &capacity, 777, sizeof *list);
  assert_non_null(list);
  assert_int_equal(capacity, 777);
  free(list);
}

static void more_than_memory_leaves_the_list(void **state) {
  (void)state;
  size_t capacity = 0;
  char(*list)[64] = cb_array_grow(NULL, &capacity, 4, sizeof *list);
  assert_non_null(list);
  size_t before = capacity;
  assert_null(cb_array_grow(list, &capacity, SIZE_MAX / 16, sizeof *list));
  assert_int_equal(capacity, before);
  free(list);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(items_stay_as_they_were),
                                     cmocka_unit_test(a_leap_is_taken_at_once),
                                     cmocka_unit_test(more_than_memory_leaves_the_list)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
