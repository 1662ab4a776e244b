/* Thinning keeps every peak and stays small; origins never get more real. */
#include "cbtest.h"

#include "report_plot_impl.h"

#define N 100000

static void test_thinning(void **state) {
  (void)state;
  double *x = malloc(2 * N * sizeof *x), *y = x + N;
  assert_non_null(x);
  for (int i = 0; i < N; i++) {
    x[i] = i;
    y[i] = sin(1e-3 * i);
  }
  y[77777] = 50; /* one sample wide */
  y[12345] = -40;
  report_plot p = {0};
  report_series *s = report_plot_add(&p, REPORT_LINE, 0, "trace");
  report_plot_push_curve(&p, s, x, y, N, 2000);
  assert_false(p.failed);
  assert_in_range(s->n, 2000, 4000);
  double top = 0, low = 0;
  for (size_t i = 0; i < s->n; i++) {
    top = fmax(top, s->a[i]);
    low = fmin(low, s->a[i]);
    if (i > 0) assert_true(s->x[i] > s->x[i - 1]);
  }
  assert_true(top == 50 && low == -40);
  report_plot_clear(&p);
  /* Short curves stay as they are. */
  s = report_plot_add(&p, REPORT_LINE, 0, "");
  report_plot_push_curve(&p, s, x, y, 300, 2000);
  assert_int_equal(s->n, 300);
  assert_memory_equal(s->a, y, 300 * sizeof *y);
  report_plot_clear(&p);
  free(x);
}

static void test_origin(void **state) {
  (void)state;
  report_plot p = {0};
  report_plot_add_origin(&p, CB_IMPORTED);
  assert_true(cb_origin_is_real(p.origin));
  report_plot_add_origin(&p, CB_VIRTUAL);
  report_plot_add_origin(&p, CB_MEASURED);
  assert_int_equal(p.origin, CB_VIRTUAL);
}

static void test_too_many(void **state) {
  (void)state;
  report_plot p = {0};
  for (int i = 0; i < REPORT_MAX_SERIES; i++)
    report_plot_push(&p, report_plot_add(&p, REPORT_LINE, i, ""), 1, 1, 0);
  assert_false(p.failed);
  report_plot_push(&p, report_plot_add(&p, REPORT_LINE, 0, ""), 1, 1, 0);
  assert_true(p.failed);
  report_plot_clear(&p);
}

static void test_holes(void **state) {
  (void)state;
  report_plot p = {0};
  report_series *s = report_plot_add(&p, REPORT_POINTS, 0, "points");
  assert_true(report_plot_is_empty(&p));
  report_plot_push(&p, s, 1, NAN, 0);
  report_plot_push(&p, s, INFINITY, 1, 0);
  assert_true(report_plot_is_empty(&p));
  report_plot_push(&p, s, 1, 2, NAN);
  assert_int_equal(s->n, 1);
  assert_true(s->b[0] == 0);
  report_plot_clear(&p);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_thinning), cmocka_unit_test(test_origin),
                                     cmocka_unit_test(test_too_many), cmocka_unit_test(test_holes)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
