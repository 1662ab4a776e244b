/* A calibration of the force channel, and the readings it was made from. SI; what depends on the read-out is in its own unit. */
#ifndef CB_CALIBRATION_H
#define CB_CALIBRATION_H

#include <stddef.h>
#include <stdint.h>

#include "cb_origin.h"
#include "cb_trace.h"

typedef enum cb_calibration_kind {
  CB_CALIBRATION_DECLARED, /* the rig file says so */
  CB_CALIBRATION_MEASURED, /* made by `calibrate`, with its points */
  CB_CALIBRATION_IMPORTED  /* of published tables */
} cb_calibration_kind;
extern const char *const cb_calibration_kind_names[]; /* "declared", "measured", "imported", NULL */

/* Where a member is not known: "" or 0, and NAN below `sensitivity`. */
typedef struct cb_calibration {
  int64_t id;
  int64_t rig_id;
  cb_calibration_kind kind;
  cb_origin origin;
  char cell[64];           /* serial number of the load cell */
  char unit[16];           /* of the reading */
  double slope_N_per_unit; /* F = (reading - zero) * slope */
  double u_rel;            /* relative standard uncertainty of every force: slope, weights, gravity ... */
  double u_floor_N;        /* standard uncertainty that does not shrink with the force: nonlinearity, hysteresis, digit ... */
  double dof;              /* effective degrees of freedom of both together, at full scale; 0: infinite */
  double resolution_N;     /* digit of the reading, as force */
  char certificate[128];   /* its own, or of the weights */
  char valid_from[32], valid_until[32];
  char operator_name[64];
  double gravity_m_per_s2, air_density_kg_per_m3, full_scale_N;
  /* The line reading = intercept + sensitivity * force, through the points of all cycles; measured ones only. */
  double sensitivity, u_sensitivity, intercept, u_intercept, cov_intercept_sensitivity, residual_sd; /* in unit, unit / N */
  double nonlinearity_N, hysteresis_N, repeatability_N, zero_return_N, creep_N;
  double temperature_degC;
  char rig_name[64], created_at[32]; /* from get and lists */
} cb_calibration;
/* Standard uncertainty that the calibration gives a force. */
double cb_calibration_u_N(const cb_calibration *c, double force_N);

/* One reading of a calibration: what hung on the cell, and what the read-out said. */
typedef enum cb_calibration_direction { CB_CAL_PRELOAD, CB_CAL_ZERO, CB_CAL_UP, CB_CAL_DOWN, CB_CAL_CREEP } cb_calibration_direction;
extern const char *const cb_calibration_direction_names[]; /* "preload", "zero", "up", "down", "creep", NULL */
typedef struct cb_calibration_point {
  int step;  /* from 1, in order of time */
  int cycle; /* from 1; 0: preload; one more than the last: creep */
  cb_calibration_direction direction;
  double mass_kg, force_N, u_force_N;
  double reading, sd; /* mean and standard deviation of n readings */
  size_t n;
  double t_s;    /* of the middle, since the calibration began */
  cb_series raw; /* the n readings; owned; empty from lists */
} cb_calibration_point;

#endif
