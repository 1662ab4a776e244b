/* Strict numbers and units: the only way in which text becomes a number in clothbench.
 *
 * A number is a whole token: decimal and finite, such as "1.5" or "-2e-3". Refused are "", " 1", "1,5",
 * "0x10", "nan", "inf" and "1.5abc". */
#ifndef CB_NUM_H
#define CB_NUM_H

#include <stdbool.h>
#include <stddef.h>

#include "cb_err.h"

/* Reads a whole token as a number. `what` names the quantity in the error sentence: `what = 'text': ...`.
 * Errors: CB_E_PARSE if the token is not a decimal number, or has 64 characters or more (cb_parse_double).
 * CB_E_RANGE if the number is too large for the type, or too small and not zero (1e-400). *out is unchanged
 * on failure. */
CB_CHECKED cb_status cb_parse_double(const char *text, const char *what, double *out, cb_err *err);
CB_CHECKED cb_status cb_parse_int(const char *text, const char *what, long long *out, cb_err *err);

/* Checks min <= value <= max. An infinite bound means no bound on that side; the sentence then leaves it out.
 * `unit` appears in the sentence only and may be "".
 * Errors: CB_E_NUM if value is outside and not finite, CB_E_RANGE if it is outside and finite. */
CB_CHECKED cb_status cb_check_range(double value, double min, double max, const char *what, const char *unit,
                                    cb_err *err);

/* The dimension of a quantity. A unit belongs to exactly one dimension. */
typedef enum cb_dim {
  CB_DIM_NONE,
  CB_DIM_LENGTH,
  CB_DIM_AREA,
  CB_DIM_TIME,
  CB_DIM_MASS,
  CB_DIM_FORCE, /* also moment per width */
  CB_DIM_ANGLE,
  CB_DIM_SPEED, /* also flow per area */
  CB_DIM_ACCELERATION,
  CB_DIM_FREQUENCY,
  CB_DIM_PRESSURE,
  CB_DIM_STIFFNESS, /* also work per area */
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

/* Returns the unit of that name, or NULL. The unit is static. The SI units are m, m2, s, kg, N, rad, m/s,
 * m/s2, Hz, Pa, N/m, kg/m2, 1, K, m3/s, Pa s/m, 1/m and N m. A bridge signal stays in mV/V. Angles are typed
 * as "deg" or "rad", temperatures as "degC" or "K". */
const cb_unit *cb_unit_find(const char *name);

/* Writes the names of a dimension's units to out: "m, mm, cm ...". Only as many as fit into size bytes are
 * listed. */
void cb_unit_list(cb_dim dim, char *out, size_t size);

/* Standard gravity [m/s2] (3rd CGPM, 1901). The rig file has the local value. */
#define CB_STANDARD_GRAVITY_M_PER_S2 9.80665
#define CB_PI 3.14159265358979323846
#define CB_DEG (CB_PI / 180.0)
/* Returns a direction [deg] as an angle in -pi/2 to pi/2; a direction has no sign, and huge angles stay
 * exact. */
double cb_direction_rad(double angle_deg);

/* Writes the shortest decimal text of 15 to 17 digits that reads back as the same double. value is finite.
 * Returns out. */
const char *cb_shortest(double value, char out[32]);

/* Rounds as printf("%.*f") does: the exact binary value, ties to even. cb_round_decimals(0.56133, 3) = 0.561.
 * Returns value unchanged if its text has 64 characters or more. */
double cb_round_decimals(double value, int decimals);

#endif
