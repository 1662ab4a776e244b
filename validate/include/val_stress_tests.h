/* What a simulator of cloth may choke on: a cloth crumpled and dropped, drawn through a ring, pinched between
 * bodies that leave less room than it is thick, meshes that are none, materials ten decades apart, scenes
 * that start wrong or are too fast. Nothing may hang, become infinite or get through; a mesh that is none is
 * refused by one sentence. */
#ifndef VAL_STRESS_TESTS_H
#define VAL_STRESS_TESTS_H

#include <stdbool.h>

#include "cb_err.h"

#define VAL_STRESS_TESTS_MAX 32

typedef struct val_stress_test {
  char name[40], outcome[420]; /* in words */
  int vertices, steps;         /* 0 steps: refused */
  double penetration_m;        /* how far the cloth's middle got into a body, at most, in any step */
  double nearest; /* the least distance of the cloth's middle from a body, in half thicknesses; 1: as
                     wanted */
  int crossings;  /* pairs of the cloth's triangles that pass through each other, at most (every tenth step,
                     and the last) */
  int not_finite; /* numbers at the end */
  double seconds;
  bool pass;
} val_stress_test;

typedef struct val_stress_tests {
  int n;
  val_stress_test row[VAL_STRESS_TESTS_MAX];
  bool pass;
  double seconds;
} val_stress_tests;

/* vertices: of the cloths, about; >= 50. NULL or its name: one case alone ("materials", "meshes" and
 * "watched" are several). Errors: memory; a name that there is not. */
CB_CHECKED cb_status val_stress_tests_run(int vertices, const char *only, val_stress_tests *out, cb_err *err);

#endif
