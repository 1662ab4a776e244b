/* Import of tables of material tests: permeability, stretch, cantilever, bending moment, shear,
 * compression. Rows with the same
 * material, specimen, direction, layers and repeat are one test. docs/guide/import.md lists the keys of a
 * mapping. */
#ifndef LAB_MATERIAL_TESTS_H
#define LAB_MATERIAL_TESTS_H

#include "cb_store_material_test.h"
#include "fit_table.h"
#include "lab_import.h"

/* One test. */
typedef struct lab_material_curve {
  cb_material_test test; /* in SI; its ids are 0 until stored */
  char material[64];
  cb_test_point *points; /* owned; in the order of the table */
  size_t n, cap;
} lab_material_curve;

typedef struct lab_material_tests {
  cb_test_kind kind;
  fit_table *table;           /* owned */
  lab_material_curve *curves; /* owned */
  size_t n, cap;
  size_t points; /* of all tests */
  size_t holes;  /* rows that lack a number; they are skipped */
} lab_material_tests;

/* Reads a table and stores its tests. Errors name file:line, column, value and what was wanted; CB_E_RANGE
 * also if all rows lack numbers. The caller calls lab_material_tests_clear, even after an error. */
CB_CHECKED cb_status lab_import_tests(const lab_import *q, cb_test_kind kind, lab_material_tests *out,
                                      cb_err *err);
void lab_material_tests_clear(lab_material_tests *t);
/* Of shear and compression: returns why a test has no figures, in err or elsewhere; NULL: it has, or its kind
 * has none. */
const char *lab_material_test_unused(const lab_material_tests *t, size_t i, cb_err *err);

#endif
