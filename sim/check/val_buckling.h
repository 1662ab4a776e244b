/* Lateral buckling: a strip on edge, clamped at one end, buckles sideways under its own weight at a critical
 * gamma = w g L^3 / B.
 *
 * Reference: the narrow strip (Prandtl, Michell 1899; Timoshenko & Gere, Theory of Elastic Stability, 6.3).
 * There weight x length^2 = 12.8538 sqrt(EI GJ) = 6 j sqrt(EI GJ), where j is the first zero of the Bessel
 * function J_{-1/6}. A strip of an isotropic sheet has GJ / EI = 2 / (1 + nu), so gamma_c = 12.8538 sqrt(2 /
 * (1 + nu)). B is the rigidity of a narrow strip. Protocol: Romero et al. 2021. docs/method/validation.md has
 * the results. */
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
  bool upright; /* the strip stands on its clamp, and buckles at 7.837347 (Greenhill 1881) */
} val_buckling;

typedef struct val_buckling_result {
  int vertices; /* of the narrower strip */
  double gamma_wide, gamma_narrow;
  double gamma;            /* extrapolated to width 0, linearly in the width */
  double reference, error; /* error: relative, of gamma */
  bool settled, agrees;    /* all equilibria were found; and |error| <= VAL_BUCKLING_TOLERANCE */
  double seconds;
} val_buckling_result;

#define VAL_BUCKLING_TOLERANCE 0.03 /* relative error of the critical gamma */

/* Returns an equilateral mesh of 4 cells across, length over width 30, nu = 0. */
val_buckling val_buckling_default(void);
/* Finds the thresholds by bisection: below gamma the plane equilibrium is stable, above it the exact tangent
 * is not positive definite. Errors: a number out of range, memory; not to agree is none. */
CB_CHECKED cb_status val_buckling_run(const val_buckling *e, val_buckling_result *out, cb_err *err);

#endif
