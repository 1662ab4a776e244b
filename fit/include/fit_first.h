/* A piece that is tested again: does the first test of a piece and direction differ from its repeats?
 * docs/method/first-tests.md. */
#ifndef FIT_FIRST_H
#define FIT_FIRST_H

#include <stddef.h>

#include "cb_material_test.h"
#include "fit_hypothesis.h"

/* Below it, the first test is said to differ: one sound cloth of 100 is. */
#define FIT_FIRST_TEST_P 0.01

typedef struct fit_first_value {
  const cb_material_test *test; /* its piece and direction */
  int group;                    /* only tests of one group repeat each other */
  double value;                 /* > 0; else the test says nothing */
} fit_first_value;

/* Returns the t test over all pieces together; v in order of time. effect: 100 (first - rest) / mean. Tests
 * that do not name their piece are repeats of one. Without two degrees of freedom it is not done. */
fit_test fit_first(const fit_first_value *v, size_t n);
/* Half of the difference, relative: so far is the mean of both from either. 0: none is said. */
double fit_first_half(const fit_test *t);

#endif
