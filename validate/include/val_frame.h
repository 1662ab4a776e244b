/* A square of cloth in a picture frame: four rigid sides along warp and weft, hinged at the corners, drawn
 * out along a diagonal.
 *
 * Reference: every side keeps its length, so that the cloth shears by gamma everywhere and stretches nowhere:
 * E_uv = sin(gamma)/2, and the work of the two corners is that of the shear stress, F dd = A S_uv cos(gamma)
 * dgamma with the diagonal d = 2 a cos(pi/4 - gamma/2). The mesh is irregular: a patch test. */
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
  int n;
  int vertices; /* about */
  uint64_t seed;
} val_frame;

typedef struct val_frame_result {
  int vertices;
  /* along the diagonal, at each corner */
  double angle_rad[VAL_FRAME_POINTS], force_N[VAL_FRAME_POINTS], reference_N[VAL_FRAME_POINTS];
  double error;         /* relative, the largest */
  double uneven_m;      /* by how much a vertex lies elsewhere than uniform shear puts it, at most */
  bool settled, agrees; /* within VAL_FRAME_TOLERANCE */
  double seconds;
} val_frame_result;

#define VAL_FRAME_TOLERANCE 0.005 /* relative error of the force */

/* 0.2 m, S_uv = 40 E + 400 E^3 N/m, up to 40 degrees. */
val_frame val_frame_default(void);
CB_CHECKED cb_status val_frame_run(const val_frame *e, val_frame_result *out, cb_err *err);

#endif
