/* The loop of a cycle of stretch: the work that a cycle loses, and that of another cycle which was not
 * fitted. The logarithm of the area is a parabola of the logarithm of the amplitude. docs/method/fab.md is
 * the page. SI units. */
#ifndef FIT_LOOP_H
#define FIT_LOOP_H

#include <stddef.h>

#include "cb_material_test.h"

typedef struct fit_loop {
  double amplitude; /* > 0; any measure of how far a cycle went, the same for all */
  double area_J;    /* work lost, > 0 */
} fit_loop;

/* Returns the area within a curve that goes there and back: force [N] over displacement [m], closed by a
 * straight line. */
double fit_loop_area(const cb_test_point *points, size_t n);

/* Predicts the area at an amplitude from three other cycles, whose amplitudes differ. Returns it; *u_J
 * receives its standard uncertainty: the parabola against the power law through the two nearest of the three,
 * rectangular. */
double fit_loop_predict(const fit_loop known[3], double amplitude, double *u_J);

#endif
