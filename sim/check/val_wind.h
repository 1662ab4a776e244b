/* Wind: a rigid closed case in a wind. Air enters where the wind blows against the cloth, and leaves behind.
 *
 * The outside pressure is P_amb + rho u |u| / 2, u the wind along the inward normal of the cloth. In the
 * steady state every vertex passes on along the layer what enters through it: a network of conductances. It
 * is solved densely here, and must give the same pressures and throughput. */
#ifndef VAL_WIND_H
#define VAL_WIND_H

#include <stdbool.h>

#include "cb_err.h"

typedef struct val_wind {
  double wind_m_per_s, kappa_m_per_s, flow_m_per_s;
  double dt_s, duration_s;
} val_wind;

typedef struct val_wind_result {
  int vertices;
  double in_m3_per_s, out_m3_per_s, expected_m3_per_s; /* at ambient pressure */
  double error;                                        /* relative, of the throughput */
  double pressure_error;                               /* greatest, over the range of the pressures */
  double balance;                                      /* inflow less outflow, over the throughput */
  double seconds;
  bool agrees; /* all three errors are within VAL_WIND_TOLERANCE */
} val_wind_result;

#define VAL_WIND_TOLERANCE 1e-3

/* Returns a wind of 10 m/s, cloth of 50 mm/s at 200 Pa, and 100 steps of 10 ms. */
val_wind val_wind_default(void);
CB_CHECKED cb_status val_wind_run(const val_wind *e, val_wind_result *out, cb_err *err);

#endif
