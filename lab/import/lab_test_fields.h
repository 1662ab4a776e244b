/* The fields that the mapping of a table of tests may give, per kind of test, and how a row becomes a point.
 * docs/guide/import.md lists them. Private to lab/. */
#ifndef LAB_TEST_FIELDS_H
#define LAB_TEST_FIELDS_H

#include "cb_num.h"
#include "cb_store_material_test.h"
#include "fit_table.h"

/* The standards' chord angle [rad], at which the bending length is half of the overhang
 * (docs/method/bending.md). */
#define LAB_TEST_STANDARD_ANGLE (41.5 * CB_DEG)
/* The overhang [m] at that angle of a strip with this flexural rigidity. */
double lab_test_standard_overhang(double B_Nm, double areal_density_kg_per_m2);

/* The first fields are the same for every kind. */
enum {
  LAB_TEST_MATERIAL,
  LAB_TEST_SPECIMEN,
  LAB_TEST_DIRECTION,
  LAB_TEST_REPEAT,
  LAB_TEST_LAYERS,
  LAB_TEST_AREAL_DENSITY,
  LAB_TEST_TEMPERATURE,
  LAB_TEST_ORIGIN, /* imported, virtual or simulated */
  LAB_TEST_N_COMMON
};

/* The fields that a point of a table consists of. */
typedef struct lab_test_axes {
  size_t x, y;     /* fields */
  size_t needs[2]; /* a row without these is skipped, as one without x or y; LAB_TEST_MATERIAL means no such
                      field */
} lab_test_axes;

/* The reader of one kind of test. */
typedef struct lab_test_reader {
  const fit_table_field *fields;
  size_t n_fields;
  cb_status (*axes)(const fit_table *t, lab_test_axes *a, cb_err *err);
  /* fills facts of the test from its first row */
  void (*facts)(const fit_table *t, const lab_test_axes *a, cb_material_test *test, size_t row);
  cb_test_point (*point)(const fit_table *t, const lab_test_axes *a, const cb_material_test *test,
                         size_t row);
} lab_test_reader;
extern const lab_test_reader lab_test_readers[]; /* by cb_test_kind */

#endif
