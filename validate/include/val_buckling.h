/* A strip on edge, clamped at one end, that buckles sideways under its own weight: from which gamma = w g L^3
 * / B on?
 *
 * Reference: the narrow strip (Prandtl, Michell 1899; Timoshenko & Gere, Theory of Elastic Stability, 6.3):
 * weight x length^2 = 12.8538 sqrt(EI GJ) = 6 j sqrt(EI GJ) with j the first zero of the Bessel function
 * J_{-1/6}; for a strip of an isotropic sheet GJ / EI = 2 / (1 + nu), hence gamma_c = 12.8538 sqrt(2 / (1 +
 * nu)), B the rigidity of a narrow strip. Protocol: Romero et al. 2021. */
#ifndef VAL_BUCKLING_H
#define VAL_BUCKLING_H

#include <stdbool.h>

#include "cb_err.h"
#include "sim_mesh.h"

typedef struct val_buckling {
  double poisson; /* nu: 0 <= nu < 1 */
  sim_pattern pattern;
  int cells;      /* across the strip */
  double slender; /* length over width of the wider of two strips; the other is half as wide */
  uint64_t seed;
} val_buckling;

typedef struct val_buckling_result {
  int vertices; /* of the narrower strip */
  int equilibria;
  double gamma_wide, gamma_narrow;
  double gamma;            /* of no width: the threshold falls in proportion to the width */
  double reference, error; /* error: relative */
  bool settled, agrees;    /* every equilibrium was found; within VAL_BUCKLING_TOLERANCE */
  double seconds;
} val_buckling_result;

#define VAL_BUCKLING_TOLERANCE 0.03 /* relative error of the critical gamma */

val_buckling val_buckling_default(void);
/* Bisection: the plane equilibrium is stable below gamma, and the exact tangent no more positive definite
 * above. */
CB_CHECKED cb_status val_buckling_run(const val_buckling *e, val_buckling_result *out, cb_err *err);

#endif
