/* A strip pulled between two grips: does it give back the curve of stretch that its cloth was given, and in
 * other directions the one that follows from it?
 *
 * Reference: the law of stretch (cb_stretch_law.h). The force is what a grip holds, per width of the strip at
 * rest; the strain is that of its middle half, which at 45 degrees is not the grips'. */
#ifndef VAL_TENSION_H
#define VAL_TENSION_H

#include <stdbool.h>

#include "cb_stretch_law.h"
#include "sim_mesh.h"

#define VAL_TENSION_POINTS 16

typedef struct val_tension {
  const cb_stretch_law *law; /* warp, weft and 45 degrees */
  double angle_deg;          /* of the pull, from the warp: 0, 45 or 90 */
  double strain_max;         /* of the grips' distance; NAN: what the law was measured to */
  int n;                     /* points, up to VAL_TENSION_POINTS */
  int cells;                 /* along the strip; a multiple of 4 */
  double slender;            /* length over width */
} val_tension;

typedef struct val_tension_result {
  int vertices;
  double strain[VAL_TENSION_POINTS], force_N_per_m[VAL_TENSION_POINTS], reference_N_per_m[VAL_TENSION_POINTS];
  double error;         /* of the force, largest, of the largest force */
  bool settled, agrees; /* within VAL_TENSION_TOLERANCE */
  double seconds;
} val_tension_result;

#define VAL_TENSION_TOLERANCE 0.005 /* relative error of the force, of the largest */

/* Along the warp of a cloth whose law is k1 e + k3 e^3 in three directions; *law is filled with it. */
val_tension val_tension_default(cb_stretch_law *law);
/* CB_E_RANGE too where the law lacks one of the three directions. */
CB_CHECKED cb_status val_tension_run(const val_tension *e, val_tension_result *out, cb_err *err);

#endif
