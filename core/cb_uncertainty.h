/* What an uncertainty may be, for all laws: those that are fitted, imported, merged and read from a file. */
#ifndef CB_UNCERTAINTY_H
#define CB_UNCERTAINTY_H

#include <stddef.h>

#include "cb_err.h"

/* Effective degrees of freedom (GUM, G.4) are never fewer than the fewest of a part, and no part has fewer than one. */
#define CB_DOF_MIN 1.0

/* A standard uncertainty, or a standard deviation: finite, >= 0. CB_E_RANGE names what. */
CB_CHECKED cb_status cb_check_u(double u, const char *what, cb_err *err);
/* CB_DOF_MIN or more; INFINITY is allowed. */
CB_CHECKED cb_status cb_check_dof(double dof, const char *what, cb_err *err);
/* n x n, row by row, n <= 8: finite, symmetric and positive semidefinite, within 1e-9 of the product of the two standard uncertainties: the
 * rounding of a matrix that was written with 17 digits. Directions of no variance are allowed. CB_E_RANGE names what. */
CB_CHECKED cb_status cb_check_covariance(const double *cov, size_t n, const char *what, cb_err *err);

#endif
