/* A curve that goes there and back, as pieces between its turning points, and straight lines through a window
 * of one: curves of bending, shear and compression. */
#ifndef FIT_BRANCH_H
#define FIT_BRANCH_H

#include <stdbool.h>
#include <stddef.h>

#include "cb_material_test.h"

/* A piece of the curve from one turning point of x to the next; sign: +1 while x grows. */
typedef struct fit_branch {
  size_t from, to; /* to: one behind */
  int sign;
} fit_branch;

/* Returns how far x must go back to have turned: noise does not make branches. */
double fit_branch_turn(const cb_test_point *p, size_t n);
/* Returns the branch that begins at `from`, which is below n. */
fit_branch fit_branch_next(const cb_test_point *p, size_t n, size_t from, double turn);

/* A straight line through a part of a branch. */
typedef struct fit_branch_line {
  double *x, *y; /* scratch of the caller, as many as points */
  size_t n;      /* points in the window */
  double slope, u_slope;
  double at, u_at; /* y of the line where it was asked for */
} fit_branch_line;

/* Fits the line to the branch where sign * x is low to high; y counts in that sign. `where` is the x of `at`.
 * Returns false if there are fewer than 3 points, or they leave more than a fifth of the window out. */
bool fit_branch_fit(const cb_test_point *points, fit_branch b, int sign, double low, double high,
                    double where, fit_branch_line *line);

#endif
