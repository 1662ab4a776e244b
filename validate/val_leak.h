/* Over-pressure in a case that keeps its shape, around a ball, leaks away through the cloth.
 *
 * The case is one chamber of area A and volume V, both taken from the meshes: Darcy's law lets the
 * over-pressure fall as exp(-kappa P_amb A t / (V dP0)); under a curved law v(p) it obeys dp/dt = -P_amb A
 * v(p) / V, which is integrated here (Runge-Kutta). */
#ifndef VAL_LEAK_H
#define VAL_LEAK_H

#include <stdbool.h>

#include "cb_permeability_law.h"
#include "sim_layered.h"

typedef struct val_leak {
  double kappa_m_per_s, kappa_at_Pa;
  const cb_permeability_law *law; /* instead of kappa; NULL: none */
  double over_Pa;                 /* at the start */
  double times;                   /* of the time constant (of the start): how long */
  int steps;
  sim_air_solver solver;
} val_leak;

typedef struct val_leak_result {
  int vertices, iterations; /* of the linear solver, in all */
  double time_constant_s;
  double over_Pa, expected_Pa; /* at the end */
  double error;                /* relative */
  double lost;                 /* air at the start less what leaked less what is there, relative */
  double least_J, seconds;
  bool agrees; /* within VAL_LEAK_TOLERANCE */
} val_leak_result;

#define VAL_LEAK_TOLERANCE 0.01

/* 0.05 m/s at 200 Pa, 500 Pa over, two time constants in 400 steps. */
val_leak val_leak_default(void);
CB_CHECKED cb_status val_leak_run(const val_leak *e, val_leak_result *out, cb_err *err);

/* A case that is free to move, in steps of 5 ms, half a second: is everything in bounds? The greatest speed
 * of the last tenth of a second must be less than that of the first. */
typedef struct val_leak_free {
  double fastest_m_per_s[2]; /* in the first, in the last */
  double least_J, lost, seconds;
  bool stable;
} val_leak_free;
CB_CHECKED cb_status val_leak_run_free(double kappa_m_per_s, double dt_s, val_leak_free *out, cb_err *err);

/* Two chambers of a layer, joined by a passage: the difference of pressure falls as exp(-k G (1/V1 + 1/V2)
 * t), G what the passage lets through, by Kirchhoff's laws (solved densely). */
typedef struct val_chambers_result {
  int vertices;
  double time_constant_s, difference_Pa, expected_Pa, error, seconds; /* after two time constants */
  double mean_Pa, expected_mean_Pa;                                   /* what both come to */
  bool agrees;
} val_chambers_result;
CB_CHECKED cb_status val_chambers_run(sim_air_solver solver, val_chambers_result *out, cb_err *err);

#endif
