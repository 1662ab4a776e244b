/* A closed case that keeps its shape, in a wind: air comes in where it blows against the cloth and leaves
 * behind.
 *
 * Outside the pressure is P_amb + rho u |u| / 2, u the wind along the cloth's inward normal. Once nothing
 * changes, every vertex passes on along the layer what comes in through it: a network of conductances, which
 * is solved densely here, and must give the same pressures and the same throughput. */
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
  double error;                                        /* of the throughput, relative */
  double pressure_error;                               /* largest, over what the pressures span */
  double balance; /* what comes in less what leaves, over the throughput */
  double seconds;
  bool agrees; /* within VAL_WIND_TOLERANCE, all three */
} val_wind_result;

#define VAL_WIND_TOLERANCE 1e-3

/* 10 m/s against cloth of 50 mm/s at 200 Pa; 100 steps of 10 ms. */
val_wind val_wind_default(void);
CB_CHECKED cb_status val_wind_run(const val_wind *e, val_wind_result *out, cb_err *err);

#endif
