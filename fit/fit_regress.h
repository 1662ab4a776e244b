/* Private to fit/: weighted linear regression on a few columns of order 1, column after column, so that each
 * can be tested against those before it. */
#ifndef FIT_REGRESS_H
#define FIT_REGRESS_H

#include <stdbool.h>
#include <stddef.h>

#define FIT_COLUMNS 6

typedef struct fit_regress {
  size_t n_columns;
  double weight;                              /* sum of the rows' weights */
  double m[FIT_COLUMNS + 1][FIT_COLUMNS + 1]; /* sums of w x_i x_j, j <= i; the last used row belongs to y */
} fit_regress;

typedef struct fit_regression {
  size_t rank;
  bool used[FIT_COLUMNS];     /* false: nearly a combination of those before; left out, rest 0 */
  double square[FIT_COLUMNS]; /* weighted sum of squares that the column explains beyond those before it */
  double rest;                /* weighted sum of squares that no column explains */
  double beta[FIT_COLUMNS];
  double inverse[FIT_COLUMNS][FIT_COLUMNS]; /* covariance of beta where a weight of 1 means a variance of 1 */
} fit_regression;

/* n_columns must be set, all else 0, before the first row. */
void fit_regress_add(fit_regress *r, const double *x, double y, double weight);
/* Takes a row out again. */
void fit_regress_remove(fit_regress *r, const double *x, double y, double weight);
void fit_regress_solve(const fit_regress *r, fit_regression *out);

#endif
