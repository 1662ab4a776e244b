/* The points of a cloth's tests, in the quantities of its law: what a figure shows beside the law. Nothing
 * here prints. */
#ifndef LAB_TEST_POINTS_H
#define LAB_TEST_POINTS_H

#include "cb_store.h"
#include "cb_store_material_test.h"

/* A measured point. x and y are, by the kind of the test:
 *
 *     permeability    pressure across one layer [Pa], face velocity [m/s]
 *     stretch         strain, force per width of one layer [N/m]; the loading branch that the fit used; x <
 * 0: what it cut, before strain 0
 *     compression     pressure [Pa], thickness of one layer [m]
 *     cantilever      overhang [m], angle of the chord below the horizontal [rad]
 *     bending-moment  curvature [1/m], moment per width [N] */
typedef struct lab_test_point {
  double x, y;
  double u_x;           /* standard uncertainty that all x of the test share: of the place of strain 0 */
  double u_y;           /* standard uncertainty of y: last digit and calibration; 0: not known */
  double direction_deg; /* 0 to 90 from the warp; NAN: not known */
  size_t test;          /* number of the test: 0, 1, 2 ... */
  cb_origin origin;
} lab_test_point;

/* Lists the points of all tests of the cloth of that kind, in the order of tests and of measurement. No test
 * is no error. A stretch test counts if the newest law used it: without it, slack and branches are not known.
 * The caller frees *list. Error: CB_E_NOTFOUND without such a cloth. */
CB_CHECKED cb_status lab_test_points(cb_store *s, const char *cloth, cb_test_kind kind, lab_test_point **list,
                                     size_t *n, cb_err *err);

#endif
