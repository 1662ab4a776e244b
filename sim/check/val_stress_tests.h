/* Stress tests of the simulator. Cloth is crumpled and dropped, drawn through a ring, pinched between bodies
 * that leave less room than its thickness. Meshes are broken, materials differ by ten decades, scenes start
 * wrong or too fast. A test must end without penetration, NaN or hang; a broken mesh must be refused with
 * one sentence. */
#ifndef VAL_STRESS_TESTS_H
#define VAL_STRESS_TESTS_H

#include <stdbool.h>

#include "cb_err.h"

#define VAL_STRESS_TESTS_MAX 32

typedef struct val_stress_test {
  char name[40], outcome[420]; /* outcome: in words */
  int vertices, steps;         /* 0 steps: refused */
  double penetration_m;        /* greatest depth of the cloth's middle surface in a body, over all steps */
  double nearest; /* least distance of the cloth's middle surface from a body, in half thicknesses; 1 is
                     wanted */
  int crossings;  /* most pairs of triangles that cross; checked at every tenth step and the
                     last */
  int not_finite; /* numbers that are not finite, at the end */
  double seconds;
  bool pass;
} val_stress_test;

typedef struct val_stress_tests {
  int n;
  val_stress_test row[VAL_STRESS_TESTS_MAX];
  bool pass;
  double seconds;
} val_stress_tests;

/* Runs the tests on cloths of about `vertices` vertices, >= 50. only: the name of one case, or NULL for all
 * ("materials", "meshes" and "watched" are several). Errors: an unknown name; memory. */
CB_CHECKED cb_status val_stress_tests_run(int vertices, const char *only, val_stress_tests *out, cb_err *err);

#endif
