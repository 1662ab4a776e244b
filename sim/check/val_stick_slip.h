/* Stick-slip: a strip, clamped upright, whose tip is pushed onto a rough plane. The tip sticks while the
 * coefficient of friction is at least |Q / P|, the force along the plane over that across it. This threshold
 * rises as the tip is pushed further.
 *
 * Reference: the clamped-pinned elastica without weight (val_elastica.h). Protocol: Romero et al. 2021. */
#ifndef VAL_STICK_SLIP_H
#define VAL_STICK_SLIP_H

#include <stdbool.h>

#include "cb_err.h"
#include "sim_mesh.h"

#define VAL_STICK_SLIP_MAX 32

typedef struct val_stick_slip {
  int n;
  double shortening[VAL_STICK_SLIP_MAX]; /* ascending: share of its length by which the tip is pushed
                                            towards the clamp */
  sim_pattern pattern;
  int cells;      /* along the strip */
  double slender; /* length over width */
  uint64_t seed;
} val_stick_slip;

typedef struct val_stick_slip_result {
  int vertices, iterations;
  double mu[VAL_STICK_SLIP_MAX], reference[VAL_STICK_SLIP_MAX];
  double pressure[VAL_STICK_SLIP_MAX], reference_pressure[VAL_STICK_SLIP_MAX]; /* P L^2 / B per width */
  double error;         /* greatest relative error of mu */
  bool settled, agrees; /* agrees: settled, and error <= VAL_STICK_SLIP_TOLERANCE */
  double seconds;
} val_stick_slip_result;

#define VAL_STICK_SLIP_TOLERANCE 0.03 /* relative error of the coefficient needed to hold */

/* Returns 8 shortenings from 1 to 60 % on an equilateral mesh of 80 cells; the strip is 20 times as long as
 * wide. */
val_stick_slip val_stick_slip_default(void);
/* Errors: a number out of range, memory; not to agree is none. */
CB_CHECKED cb_status val_stick_slip_run(const val_stick_slip *e, val_stick_slip_result *out, cb_err *err);

#endif
