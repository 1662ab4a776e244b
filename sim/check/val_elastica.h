/* The clamped-pinned elastica: a weightless inextensible rod of length 1 and rigidity 1. It is clamped along
 * x at the origin. Its other end is free to turn and held at (1 - shortening, 0). */
#ifndef VAL_ELASTICA_H
#define VAL_ELASTICA_H

#include "cb_err.h"

typedef struct val_elastica {
  double pressure;  /* P, pushes the end towards the clamp; 20.19 at first (Euler's column: tan k = k,
                       P = k^2) */
  double sideways;  /* Q, across; it has the sign of the curvature at the clamp */
  double curvature; /* at the clamp */
} val_elastica;

/* Solves for 0 < shortening <= 0.65, to a relative error of about 1e-8. Error: CB_E_NUM without
 * convergence. */
CB_CHECKED cb_status val_elastica_solve(double shortening, val_elastica *out, cb_err *err);

#endif
