/* Strips against closed forms: a chain that hangs, a column that its own weight buckles, the first tone of a
 * cantilever, and the bending length that an operator reads.
 *
 * - Chain: a strip hinged at both ends, 0.7 L apart, so limp that it hangs as a catenary. Compared is the
 *   depth of its middle.
 * - Upright: a column clamped below buckles at w g L^3 / B = 7.83735 (Greenhill, Proc. Camb. Phil. Soc. 4,
 * 65, 1881): 9/4 j^2, j the first zero of the Bessel function J(-1/3). Found as in val_buckling.h.
 * - Tone: the period of a clamped strip without weight is 2 pi / 1.8751^2 sqrt(m L^4 / B).
 * - Bending length: the overhang L at which the chord hangs at 41.5 degrees. The operator reads L / 2 for
 *   c = (B / w g)^(1/3) (docs/method/bending.md). */
#ifndef VAL_STRIPS_H
#define VAL_STRIPS_H

#include <stdbool.h>

#include "cb_err.h"
#include "sim_mesh.h"

typedef struct val_strips_result {
  int vertices;
  double predicted, reference, error; /* error: relative */
  bool agrees;                        /* |error| <= VAL_STRIPS_TOLERANCE */
  double seconds;
} val_strips_result;

#define VAL_STRIPS_TOLERANCE 5e-3

/* cells: along the strip, which is ten times as long as wide. Errors: memory, those of sim_cloth. */
CB_CHECKED cb_status val_chain_run(sim_pattern pattern, int cells, val_strips_result *out, cb_err *err);
CB_CHECKED cb_status val_tone_run(sim_pattern pattern, int cells, val_strips_result *out, cb_err *err);
CB_CHECKED cb_status val_length_run(sim_pattern pattern, int cells, val_strips_result *out, cb_err *err);
/* cells: across a strip that is 30 times as long as wide. */
CB_CHECKED cb_status val_upright_run(sim_pattern pattern, int cells, val_strips_result *out, cb_err *err);

#endif
