/* Curves of thickness over pressure of one cloth -> its law of compression. Each test gives its thickness at
 * knots that all tests reach, by local straight lines of ln thickness over ln pressure; the law is the mean
 * over the pieces. docs/method/compression.md explains the method. */
#ifndef FIT_COMPRESSION_H
#define FIT_COMPRESSION_H

#include "cb_compression_law.h"
#include "cb_material_test.h"

/* One test of kind CB_TEST_COMPRESSION: pressure [Pa], thickness [m] of all its layers. */
typedef struct fit_compression_test {
  const cb_material_test *test;
  const cb_test_point *points; /* in the order of measurement */
  size_t n;
  size_t piece; /* number of its specimen: below the number of tests */
} fit_compression_test;

typedef enum fit_compression_outcome {
  FIT_COMPRESSION_OK,
  FIT_COMPRESSION_NO_CURVE,  /* no test shows the thickness while the pressure rises by a fifth and more */
  FIT_COMPRESSION_NO_COMMON, /* the tests share no such range of pressures */
  FIT_COMPRESSION_NOT_THINNER
} fit_compression_outcome;
extern const char *const fit_compression_outcome_text[]; /* by fit_compression_outcome */

typedef struct fit_compression_result {
  fit_compression_outcome outcome;
  cb_compression_law law; /* the caller sets material, origin and id */
  size_t n_tests, n_pieces, n_points;
  double misfit;   /* largest mean residual of the readings between two knots, of ln thickness */
  bool sd_assumed; /* fewer than four pieces: a typical scatter between pieces joins theirs */
} fit_compression_result;

/* Fits the law of n tests. Readings below a two-hundredth of the test's highest pressure, or below five of
 * its digits, are left out: there the zero of the pressure counts. CB_E_NUM: a point is not finite.
 * CB_E_NOMEM. */
CB_CHECKED cb_status fit_compression(const fit_compression_test *tests, size_t n, fit_compression_result *out,
                                     cb_err *err);

#endif
