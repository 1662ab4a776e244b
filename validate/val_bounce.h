/* A block falls on a pillow full of air: how high does it bounce, for cloths that let ever more air through?
 *
 * No closed form; but air that leaks while it is pressed gives less back: the height falls with the
 * permeability, and energy - of cloth and block, and what the air could still do, V (P ln(P/P_amb) - P +
 * P_amb) - never grows. The case lies on the ground, around a stiff plate: through 0.3 m/s and more the block
 * comes down to it, and bounces off that. */
#ifndef VAL_BOUNCE_H
#define VAL_BOUNCE_H

#include <stdbool.h>

#include "cb_err.h"

typedef struct val_bounce {
  double kappa_m_per_s; /* at 200 Pa */
  double speed_m_per_s; /* of the block, when it comes */
  double dt_s, duration_s;
} val_bounce;

typedef struct val_bounce_result {
  int vertices, tetrahedra;
  double height_m; /* v^2 / 2g, v the block's fastest upwards */
  double peak_Pa;  /* highest mean over-pressure */
  double leaked;   /* of the air, by the end */
  double growth;   /* the most that energy grew by in a step, over the block's when it came */
  double energy_J[2], seconds;
} val_bounce_result;

#define VAL_BOUNCE_GROWTH 1e-3

/* Sealed, 1 m/s, 0.5 ms, 0.15 s. */
val_bounce val_bounce_default(void);
CB_CHECKED cb_status val_bounce_run(const val_bounce *e, val_bounce_result *out, cb_err *err);

#endif
