/* Picture frame: a square of cloth between four rigid sides along warp and weft, hinged at the corners, is
 * drawn out along a diagonal.
 *
 * Reference: every side keeps its length, so the cloth shears by gamma everywhere and stretches nowhere,
 * E_uv = sin(gamma)/2. The work of the two corners is that of the shear stress: F dd = A S_uv cos(gamma)
 * dgamma with the diagonal d = 2 a cos(pi/4 - gamma/2). The mesh is irregular, which makes this a patch
 * test. */
#ifndef VAL_FRAME_H
#define VAL_FRAME_H

#include <stdbool.h>

#include "cb_err.h"
#include "sim_material.h"
#include "sim_mesh.h"

#define VAL_FRAME_POINTS 16

typedef struct val_frame {
  sim_curve shear;
  double angle_max_rad; /* gamma: 0 < gamma < pi/2 */
  int n;                /* points, at equal steps up to angle_max_rad */
  int vertices;         /* approximate number */
  uint64_t seed;
} val_frame;

typedef struct val_frame_result {
  int vertices;
  /* force: along the diagonal, at each corner */
  double angle_rad[VAL_FRAME_POINTS], force_N[VAL_FRAME_POINTS], reference_N[VAL_FRAME_POINTS];
  double error;         /* greatest relative error of the force */
  double uneven_m;      /* greatest distance of a vertex from its place in uniform shear, by co-ordinate */
  bool settled, agrees; /* agrees: settled, and error <= VAL_FRAME_TOLERANCE */
  double seconds;
} val_frame_result;

#define VAL_FRAME_TOLERANCE 0.005 /* relative error of the force */

/* Returns a square of 0.2 m with S_uv = 40 E + 400 E^3 N/m, sheared up to 40 degrees. */
val_frame val_frame_default(void);
/* Errors: a number out of range, memory; not to agree is none. */
CB_CHECKED cb_status val_frame_run(const val_frame *e, val_frame_result *out, cb_err *err);

#endif
