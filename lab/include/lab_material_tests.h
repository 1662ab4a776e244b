/* A foreign table of tests of materials: permeability, stretch, cantilever, bending moment. Rows of one
 * material, specimen, direction, layers and repeat are one test. docs/import.md lists what a mapping may
 * give. */
#ifndef LAB_MATERIAL_TESTS_H
#define LAB_MATERIAL_TESTS_H

#include "cb_store_material_test.h"
#include "fit_table.h"

typedef struct lab_material_curve {
  cb_material_test test; /* SI; ids 0 until it is stored */
  char material[64];
  cb_test_point *points; /* owned; in the table's order */
  size_t n, cap;
} lab_material_curve;

typedef struct lab_material_tests {
  cb_test_kind kind;
  fit_table *table;           /* owned */
  lab_material_curve *curves; /* owned */
  size_t n, cap;
  size_t points; /* of all tests */
  size_t holes;  /* rows that lack a number, skipped */
} lab_material_tests;

/* mapping, file: paths. Errors say file:line, column, value, what was wanted; CB_E_RANGE also where every row
 * is a hole. Caller: lab_material_tests_clear, also after a failure. */
CB_CHECKED cb_status lab_material_tests_read(const char *mapping, const char *file, cb_test_kind kind,
                                             lab_material_tests *out, cb_err *err);
void lab_material_tests_clear(lab_material_tests *t);

/* All of them in one transaction, as cloths of their names; sets their ids. file: for messages. CB_E_RANGE:
 * this very table was imported already. */
CB_CHECKED cb_status lab_material_tests_store(cb_store *s, const char *file, lab_material_tests *t,
                                              cb_err *err);

#endif
