/* Bounce: a block falls on a pillow of air and bounces, for cloths of growing permeability.
 *
 * There is no closed form. But air that leaks under pressure returns less energy: the height of the bounce
 * falls with the permeability. The energy of cloth, block and air, V (P ln(P/P_amb) - P + P_amb), never
 * grows. The case lies on the ground, around a stiff plate. From 0.3 m/s on, the block reaches the plate and
 * bounces off it. */
#ifndef VAL_BOUNCE_H
#define VAL_BOUNCE_H

#include <stdbool.h>

#include "cb_err.h"

typedef struct val_bounce {
  double kappa_m_per_s; /* permeability at 200 Pa; 0: sealed */
  double speed_m_per_s; /* of the block at the start */
  double dt_s, duration_s;
} val_bounce;

typedef struct val_bounce_result {
  int vertices;
  double height_m; /* v^2 / 2g, v the block's greatest upward speed */
  double peak_Pa;  /* highest mean over-pressure */
  double growth;   /* greatest growth of the energy in a step, over that of the block at the start */
  double energy_J[2], seconds;
} val_bounce_result;

#define VAL_BOUNCE_GROWTH 1e-3

/* Returns a sealed case, a block of 1 m/s, and 0.15 s in steps of 0.5 ms. */
val_bounce val_bounce_default(void);
CB_CHECKED cb_status val_bounce_run(const val_bounce *e, val_bounce_result *out, cb_err *err);

#endif
