/* A calibration of the force channel, and the readings behind it. SI units; readings are in the read-out's
 * own unit. docs/guide/calibration.md is the page. */
#ifndef CB_CALIBRATION_H
#define CB_CALIBRATION_H

#include <stddef.h>
#include <stdint.h>

#include "cb_origin.h"
#include "cb_trace.h"

typedef enum cb_calibration_kind {
  CB_CALIBRATION_DECLARED, /* declared by the rig file */
  CB_CALIBRATION_MEASURED, /* made by `calibrate`, with its points */
  CB_CALIBRATION_IMPORTED  /* of published tables */
} cb_calibration_kind;
extern const char *const cb_calibration_kind_names[]; /* "declared", "measured", "imported", NULL */

/* An unknown member is "" or 0; from `sensitivity` on it is NAN. */
typedef struct cb_calibration {
  int64_t id;
  int64_t rig_id;
  cb_calibration_kind kind;
  cb_origin origin;
  char cell[64];           /* serial number of the load cell */
  char unit[16];           /* of the reading */
  double slope_N_per_unit; /* F = (reading - zero) * slope */
  double u_rel;            /* relative standard uncertainty of every force: slope, weights, gravity ... */
  double u_floor_N; /* standard uncertainty independent of the force: nonlinearity, hysteresis, digit ... */
  double dof;       /* effective degrees of freedom of both together, at full scale; 0: infinite */
  double resolution_N;   /* digit of the reading, as force */
  char certificate[128]; /* of the calibration or of its weights */
  char valid_from[32], valid_until[32];
  char operator_name[64];
  double gravity_m_per_s2, air_density_kg_per_m3, full_scale_N;
  /* The line reading = intercept + sensitivity * force through the points of all cycles, in unit and unit /
   * N. Measured calibrations only. */
  double sensitivity, u_sensitivity, intercept, u_intercept, cov_intercept_sensitivity, residual_sd;
  double nonlinearity_N, hysteresis_N, repeatability_N, zero_return_N, creep_N;
  double temperature_degC;
  char rig_name[64], created_at[32]; /* filled by the store's getters and lists */
} cb_calibration;
/* Returns the standard uncertainty [N] that the calibration gives a force: the root of (u_rel F)^2 +
 * u_floor_N^2. */
double cb_calibration_u_N(const cb_calibration *c, double force_N);

typedef enum cb_calibration_direction {
  CB_CAL_PRELOAD,
  CB_CAL_ZERO,
  CB_CAL_UP,
  CB_CAL_DOWN,
  CB_CAL_CREEP
} cb_calibration_direction;
extern const char *const cb_calibration_direction_names[]; /* "preload", "zero", "up", "down", "creep",
                                                              NULL */
/* One step of a calibration: the weight on the cell, and the mean reading. */
typedef struct cb_calibration_point {
  int step;  /* from 1, in order of time */
  int cycle; /* from 1; 0: preload; last cycle + 1: creep */
  cb_calibration_direction direction;
  double mass_kg, force_N, u_force_N;
  double reading, sd; /* mean and standard deviation of n readings */
  size_t n;
  double t_s;    /* of the middle, since the calibration began */
  cb_series raw; /* the n readings; owned; empty in lists */
} cb_calibration_point;

#endif
