/* What the mapping of a table of tests may give, per kind of test, and how a row becomes a point. docs/import.md lists it all. */
#ifndef CLI_IMPORT_FIELDS_H
#define CLI_IMPORT_FIELDS_H

#include "cb_store_test.h"
#include "fit_table.h"

/* The first fields of every kind. */
enum {
  CLI_TEST_MATERIAL,
  CLI_TEST_SPECIMEN,
  CLI_TEST_DIRECTION,
  CLI_TEST_REPEAT,
  CLI_TEST_LAYERS,
  CLI_TEST_AREAL_DENSITY,
  CLI_TEST_TEMPERATURE,
  CLI_TEST_N_COMMON
};

typedef struct cli_test_axes {
  size_t x, y;     /* fields */
  size_t needs[2]; /* without these a row says nothing, like one without x or y; CLI_TEST_MATERIAL, a text: none */
} cli_test_axes;

typedef struct cli_test_reader {
  const fit_table_field *fields;
  size_t n_fields;
  cb_status (*axes)(const fit_table *t, cli_test_axes *a, cb_err *err);
  void (*facts)(const fit_table *t, const cli_test_axes *a, cb_material_test *test, size_t row); /* of the test's first row */
  cb_test_point (*point)(const fit_table *t, const cli_test_axes *a, const cb_material_test *test, size_t row);
} cli_test_reader;
extern const cli_test_reader cli_test_readers[]; /* by cb_test_kind */

#endif
