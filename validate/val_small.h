/* Private to validate/: dense symmetric systems of a few unknowns. Row by row, `stride` doubles from row to
 * row. */
#ifndef VAL_SMALL_H
#define VAL_SMALL_H

#include <stdbool.h>

/* a = L L', L in its lower half; false: a is not positive definite. */
bool val_cholesky(double *a, int n, int stride);
/* L x = b, in place. */
void val_forward(const double *l, int n, int stride, double *x);
/* L' x = b, in place. */
void val_backward(const double *l, int n, int stride, double *x);
/* Eigenvalues of a symmetric matrix, ascending, and its eigenvectors in columns; a is destroyed (Jacobi's
 * rotations). n <= 4. */
void val_eigen(double a[4][4], int n, double value[4], double vector[4][4]);

#endif
