/* Balloon: sealed air between a ball that swells and the case around it. The compression is isothermal, so P
 * V is constant.
 *
 * V is measured on the meshes: the volume of the case less that of the ball, by the divergence theorem. The
 * air sums up its vertices' shares of it (sim/cloth/air/sim_air_volume.h). The error for gap x area, the
 * volume of a flat layer, is given beside it. */
#ifndef VAL_BALLOON_H
#define VAL_BALLOON_H

#include <stdbool.h>

#include "cb_err.h"

typedef struct val_balloon {
  bool rigid;               /* the case is rigid; else it is cloth of 10 kN/m, 0.2 kg/m2 */
  double case_m, ball_m[2]; /* radii; of the ball: at the start, at the end */
  int cells, ball_cells;
  double flow_m_per_s;
  double dt_s, duration_s;
} val_balloon;

typedef struct val_balloon_result {
  int vertices;
  double pressure_Pa[2], volume_m3[2]; /* at the start, at the end */
  double pv_error;                     /* greatest over the steps, over P V at the start */
  double flat_error;                   /* the same with V = sum of gap x area */
  double unevenness;                   /* greatest relative spread of the pressure over the layer */
  double lost;                         /* greatest relative change of the amount of air */
  double least_J;                      /* least amount of air at a vertex, over all steps */
  double seconds;
  bool agrees; /* pv_error <= VAL_BALLOON_TOLERANCE, lost <= VAL_BALLOON_LOST, amounts > 0 */
} val_balloon_result;

#define VAL_BALLOON_TOLERANCE 1e-3
#define VAL_BALLOON_LOST 1e-12

/* Returns a ball that swells from 60 to 100 mm in a rigid case of 130 mm within half a second, in steps of 5
 * ms. */
val_balloon val_balloon_default(void);
CB_CHECKED cb_status val_balloon_run(const val_balloon *e, val_balloon_result *out, cb_err *err);

#endif
