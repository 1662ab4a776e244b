/* Strip tension: a strip pulled between two grips must return the stretch curve that its cloth was given. In
 * other directions it must return the curve that follows from the law.
 *
 * Reference: the law of stretch (cb_stretch_law.h). The force is that of a grip, per width of the strip at
 * rest. The strain is that of the middle half; at 45 degrees it differs from that of the grips. */
#ifndef VAL_TENSION_H
#define VAL_TENSION_H

#include <stdbool.h>

#include "cb_stretch_law.h"
#include "sim_mesh.h"

#define VAL_TENSION_POINTS 16

typedef struct val_tension {
  const cb_stretch_law *law; /* warp, weft and 45 degrees */
  double angle_deg;          /* of the pull, from the warp: 0, 45 or 90 */
  double strain_max;         /* of the distance of the grips; NAN: the end of the measured law */
  int n;                     /* points, up to VAL_TENSION_POINTS */
  int cells;                 /* along the strip; a multiple of 4 */
  double slender;            /* length over width */
} val_tension;

typedef struct val_tension_result {
  int vertices;
  double strain[VAL_TENSION_POINTS], force_N_per_m[VAL_TENSION_POINTS], reference_N_per_m[VAL_TENSION_POINTS];
  double error;         /* greatest error of the force, over the greatest force */
  bool settled, agrees; /* agrees: settled, and error <= VAL_TENSION_TOLERANCE */
  double seconds;
} val_tension_result;

#define VAL_TENSION_TOLERANCE 0.005 /* error of the force, over the greatest force */

/* Returns a pull along the warp of a cloth with a law k1 e + k3 e^3 in three directions. *law is filled with
 * that law and must outlive the result. */
val_tension val_tension_default(cb_stretch_law *law);
/* Errors: CB_E_RANGE for a number out of range, or a law without one of the three directions; memory. */
CB_CHECKED cb_status val_tension_run(const val_tension *e, val_tension_result *out, cb_err *err);

#endif
