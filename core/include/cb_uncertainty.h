/* Rules for uncertainties, the same for all laws: fitted, imported, merged or read from a file. */
#ifndef CB_UNCERTAINTY_H
#define CB_UNCERTAINTY_H

#include <stddef.h>

#include "cb_err.h"

/* Effective degrees of freedom (GUM, G.4) are never fewer than the fewest of a part, and no part has fewer
 * than one. */
#define CB_DOF_MIN 1.0

/* In all sentences `what` names the quantity. */

/* Checks a standard uncertainty or standard deviation: finite and >= 0.
 * Errors: CB_E_RANGE. */
CB_CHECKED cb_status cb_check_u(double u, const char *what, cb_err *err);
/* Checks dof >= CB_DOF_MIN; INFINITY is allowed.
 * Errors: CB_E_RANGE. */
CB_CHECKED cb_status cb_check_dof(double dof, const char *what, cb_err *err);
/* Checks an n x n covariance, row by row: finite, symmetric and positive semidefinite. The tolerance is 1e-9
 * of the product of two standard uncertainties, the rounding of a matrix that was written with 17 digits.
 * Directions without variance are allowed.
 * Errors: CB_E_NUM if a number is not finite, CB_E_RANGE for the others, CB_E_ARG unless 1 <= n <= 8. */
CB_CHECKED cb_status cb_check_covariance(const double *cov, size_t n, const char *what, cb_err *err);

#endif
