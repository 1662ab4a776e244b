/* Leak: over-pressure in a rigid case around a ball leaks away through the cloth.
 *
 * The case is one chamber of area A and volume V, both measured on the meshes. By Darcy's law the
 * over-pressure falls as exp(-kappa P_amb A t / (V dP0)). Under a curved law v(p) it follows dp/dt = -P_amb
 * A v(p) / V, which is integrated here (Runge-Kutta). */
#ifndef VAL_LEAK_H
#define VAL_LEAK_H

#include <stdbool.h>

#include "cb_permeability_law.h"
#include "sim_layered.h"

typedef struct val_leak {
  double kappa_m_per_s, kappa_at_Pa;
  const cb_permeability_law *law; /* replaces kappa; NULL: none */
  double over_Pa;                 /* at the start */
  double times;                   /* duration, in time constants (at the start) */
  int steps;
  sim_air_solver solver;
} val_leak;

typedef struct val_leak_result {
  int vertices, iterations; /* iterations: of the linear solver, in all */
  double time_constant_s;
  double over_Pa, expected_Pa; /* at the end */
  double error;                /* relative, of over_Pa */
  double lost;                 /* relative: air at the start less leaked air less remaining air */
  double least_J, seconds;
  bool agrees; /* |error| <= VAL_LEAK_TOLERANCE and least_J > 0 */
} val_leak_result;

#define VAL_LEAK_TOLERANCE 0.01

/* Returns 0.05 m/s at 200 Pa, 500 Pa over the ambient, and two time constants in 500 steps. */
val_leak val_leak_default(void);
CB_CHECKED cb_status val_leak_run(const val_leak *e, val_leak_result *out, cb_err *err);

/* Runs a case that is free to move for half a second, in steps of dt_s. stable: all stays in bounds, and the
 * greatest speed of the last tenth of a second is below that of the first. */
typedef struct val_leak_free {
  double fastest_m_per_s[2]; /* in the first, in the last */
  double least_J, lost, seconds;
  bool stable;
} val_leak_free;
CB_CHECKED cb_status val_leak_run_free(double kappa_m_per_s, double dt_s, val_leak_free *out, cb_err *err);

/* Two chambers of a layer, joined by a passage. The pressure difference falls as exp(-k G (1/V1 + 1/V2) t),
 * with the conductance G of the passage by Kirchhoff's laws (solved densely). */
typedef struct val_chambers_result {
  int vertices;
  double time_constant_s, difference_Pa, expected_Pa, error, seconds; /* after two time constants */
  double mean_Pa, expected_mean_Pa;                                   /* mean pressure of both */
  bool agrees;
} val_chambers_result;
CB_CHECKED cb_status val_chambers_run(sim_air_solver solver, val_chambers_result *out, cb_err *err);

#endif
