/* fit_stretch with the k-th allocation failing, for k = 0, 1, 2 ...: every failure is CB_E_NOMEM with a sentence and leaves nothing behind.
 * malloc, calloc, realloc and free are wrapped by the linker (tests/CMakeLists.txt). */
#include "stretchtest.h"

static long countdown = -1; /* < 0: never fail */
static long live;

static int fails(void) { return countdown >= 0 && countdown-- == 0; }

void *__real_malloc(size_t n);
void *__real_calloc(size_t a, size_t b);
void *__real_realloc(void *p, size_t n);
void __real_free(void *p);
void *__wrap_malloc(size_t n);
void *__wrap_calloc(size_t a, size_t b);
void *__wrap_realloc(void *p, size_t n);
void __wrap_free(void *p);

static void *counted(void *p) {
  live += p != NULL;
  return p;
}

void *__wrap_malloc(size_t n) { return fails() ? NULL : counted(__real_malloc(n)); }
void *__wrap_calloc(size_t a, size_t b) { return fails() ? NULL : counted(__real_calloc(a, b)); }
void *__wrap_realloc(void *p, size_t n) {
  if (fails()) return NULL;
  void *q = __real_realloc(p, n);
  live += p == NULL && q != NULL;
  return q;
}
void __wrap_free(void *p) {
  live -= p != NULL;
  __real_free(p);
}

static void every_allocation_may_fail(void **state) {
  (void)state;
  static st_lab lab;
  const double p[] = {1000, 1e4};
  fit_stretch_options opt = fit_stretch_options_default();
  for (int i = 0; i < 4; i++) {
    st_strip(&lab, i < 2 ? 0 : 90, st_cubic, p, 0.2, 60);
    lab.points[i][30].y += 2; /* outliers want memory too */
  }
  for (long k = 0;; k++) {
    fit_stretch_result r;
    cb_err err = {""};
    long before = live;
    countdown = k;
    cb_status st = fit_stretch(lab.inputs, lab.n, &opt, &r, &err);
    bool reached = countdown < 0;
    countdown = -1;
    if (!reached) {
      assert_int_equal(st, CB_OK);
      assert_int_equal(r.n_outliers, 4);
      assert_true(k > 20);
      fit_stretch_clear(&r);
      assert_int_equal(live, before);
      return;
    }
    assert_int_equal(st, CB_E_NOMEM);
    assert_true(err.msg[0] != '\0');
    fit_stretch_clear(&r);
    assert_int_equal(live, before);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_allocation_may_fail)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
