/* Strict numbers and units: the only way text becomes a number in clothbench.
 *
 * A number is the whole token, decimal, finite: "1.5", "-2e-3". Refused: "", " 1", "1,5", "0x10", "nan", "inf", "1.5abc". */
#ifndef CB_NUM_H
#define CB_NUM_H

#include <stdbool.h>
#include <stddef.h>

#include "cb_err.h"

/* Parses a whole token. On failure: CB_E_PARSE and err says `what = 'text': ...`. */
CB_CHECKED cb_status cb_parse_double(const char *text, const char *what, double *out, cb_err *err);
CB_CHECKED cb_status cb_parse_int(const char *text, const char *what, long long *out, cb_err *err);

/* CB_OK if min <= value <= max, else CB_E_RANGE: `what = value unit: must be ...`.
 * An infinite bound means "no bound on this side" and is not mentioned. unit may be "". */
CB_CHECKED cb_status cb_check_range(double value, double min, double max, const char *what, const char *unit, cb_err *err);

/* What a quantity measures. A unit belongs to exactly one dimension. */
typedef enum cb_dim {
  CB_DIM_NONE,
  CB_DIM_LENGTH,
  CB_DIM_AREA,
  CB_DIM_TIME,
  CB_DIM_MASS,
  CB_DIM_FORCE,
  CB_DIM_ANGLE,
  CB_DIM_SPEED,
  CB_DIM_ACCELERATION,
  CB_DIM_FREQUENCY,
  CB_DIM_PRESSURE,
  CB_DIM_STIFFNESS,
  CB_DIM_AREAL_DENSITY,
  CB_DIM_RATIO,
  CB_DIM_TEMPERATURE,
  CB_DIM_SIGNAL, /* bridge output, mV/V */
  CB_DIM_FLOW,   /* volume flow */
  CB_DIM_AIR_RESISTANCE,
  CB_DIM_CURVATURE,
  CB_DIM_RIGIDITY, /* bending moment per width and curvature */
  CB_DIM_COUNT     /* a number without a unit */
} cb_dim;

typedef struct cb_unit {
  const char *name; /* as typed: "mm/s" */
  cb_dim dim;
  double to_si; /* si = value * to_si + offset */
  double offset;
} cb_unit;

/* NULL if unknown. SI: m, m2, s, kg, N, rad, m/s, m/s2, Hz, Pa, N/m, kg/m2, 1, K, m3/s, m/s, Pa s/m, 1/m, N m; signals stay in mV/V.
 * Angles: "deg", "rad". Temperature: "degC", "K". */
const cb_unit *cb_unit_find(const char *name);

/* "m, mm, cm ...": as many as fit. */
void cb_unit_list(cb_dim dim, char *out, size_t size);

/* Standard gravity [m/s2] (CGPM 1901); the local value belongs into the rig file. */
#define CB_STANDARD_GRAVITY_M_PER_S2 9.80665
#define CB_PI 3.14159265358979323846
#define CB_DEG (CB_PI / 180.0)

/* The shortest decimal text that reads back as the same finite double. Returns out. */
const char *cb_shortest(double value, char out[32]);

/* printf-like round half to even on the decimal text, as a table prints it: cb_round_decimals(0.56133, 3) = 0.561. */
double cb_round_decimals(double value, int decimals);

#endif
