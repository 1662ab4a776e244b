/* Sealed air between a ball that swells and the case around it, compressed slowly enough to stay as warm as
 * it was: P V stays what it was.
 *
 * V is measured on the meshes, as the volume of the case less that of the ball (divergence theorem); the air
 * itself adds up its vertices' shares of it (sim/cloth/air/sim_air_volume.h). Gap times area, which a flat
 * layer would have, is given beside it. */
#ifndef VAL_BALLOON_H
#define VAL_BALLOON_H

#include <stdbool.h>

#include "cb_err.h"

typedef struct val_balloon {
  bool rigid;               /* the case keeps its shape; else it is cloth of 10 kN/m, 0.2 kg/m2 */
  double case_m, ball_m[2]; /* radii; of the ball from, to */
  int cells, ball_cells;
  double flow_m_per_s;
  double dt_s, duration_s;
} val_balloon;

typedef struct val_balloon_result {
  int vertices;
  double pressure_Pa[2], volume_m3[2]; /* at the start, at the end */
  double pv_error;                     /* the largest of all steps, relative to P V at the start */
  double flat_error;                   /* the same, had V been the sum of gap times area */
  double unevenness;                   /* spread of the pressure over the layer, relative; the largest */
  double lost;                         /* of the air, relative; the largest */
  double least_J;                      /* the least that any vertex ever had */
  double seconds;
  bool agrees; /* within VAL_BALLOON_TOLERANCE, nothing lost beyond VAL_BALLOON_LOST, amounts > 0 */
} val_balloon_result;

#define VAL_BALLOON_TOLERANCE 1e-3
#define VAL_BALLOON_LOST 1e-12

/* A ball that swells from 60 to 100 mm in a rigid case of 130 mm within half a second, in steps of 5 ms. */
val_balloon val_balloon_default(void);
CB_CHECKED cb_status val_balloon_run(const val_balloon *e, val_balloon_result *out, cb_err *err);

#endif
