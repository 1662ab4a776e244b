/* The clamped-pinned elastica: a weightless inextensible rod of length 1 and rigidity 1, clamped along x at
 * the origin, whose other end, free to turn, is held at (1 - shortening, 0). */
#ifndef VAL_ELASTICA_H
#define VAL_ELASTICA_H

#include "cb_err.h"

typedef struct val_elastica {
  double pressure;  /* P, with which the end is pushed back towards the clamp; 20.19 at first (Euler's column,
                       tan k = k, P = k^2) */
  double sideways;  /* Q, across; its sign is that of the curvature at the clamp */
  double curvature; /* at the clamp */
} val_elastica;

/* 0 < shortening <= 0.65; relative error about 1e-8. CB_E_NUM where the iteration does not arrive. */
CB_CHECKED cb_status val_elastica_solve(double shortening, val_elastica *out, cb_err *err);

#endif
