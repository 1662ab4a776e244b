/* Dense symmetric systems of a few unknowns, private to validate/. Matrices are stored by rows, `stride`
 * doubles apart. */
#ifndef VAL_SMALL_H
#define VAL_SMALL_H

#include <stdbool.h>

/* Factorises a = L L' in place, L in its lower half. Returns false if a is not positive definite. */
bool val_cholesky(double *a, int n, int stride);
/* Solves L x = b in place. */
void val_forward(const double *l, int n, int stride, double *x);
/* Solves L' x = b in place. */
void val_backward(const double *l, int n, int stride, double *x);
/* Finds the eigenvalues of a symmetric matrix, ascending, and the eigenvectors as columns, by Jacobi
 * rotations. n <= 4. a is overwritten. */
void val_eigen(double a[4][4], int n, double value[4], double vector[4][4]);

#endif
