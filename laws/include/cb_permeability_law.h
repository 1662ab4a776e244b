/* Air through cloth: face velocity v [m/s] at a pressure difference p [Pa] across one layer.
 *
 *   Darcy        p = R v
 *   Forchheimer  p = R v + S v^2      viscous and inertial loss (Forchheimer 1901)
 *   power        v = c p^n
 *
 * All three are stored as a level v_ref, the velocity at a reference pressure p_ref, and a shape. The forms
 * are then, with q = p / p_ref and w = v / v_ref:
 *
 *   Darcy        w = q
 *   Forchheimer  q = (1 - shape) w + shape w^2, 0 < shape <= 1: the inertial share of the loss at p_ref
 *   power        w = q^shape
 *
 * The local exponent n = d ln v / d ln p is 1 where viscous loss dominates and 1/2 where inertial loss does.
 * A published permeability is v at a stated pressure.
 *
 * Uncertainty is that of ln v. Its parts are:
 * - level and shape, with their covariance;
 * - the choice of form: the difference to the second-best form, weighted by that form's Akaike weight;
 * - outside the measured pressures, the range of the local exponent.
 *
 * The last part in detail. In a Darcy-Forchheimer cloth n stays between 1/2 and 1. It changes by at most 0.1
 * per unit of ln p: 0.0962, the maximum of phi (1 - phi) / (1 + phi)^3. At a distance l in ln p from the
 * measured range, ln v is therefore off by at most min(0.05 l^2, 0.5 l). This is the half-width of a
 * rectangular distribution. One measured pressure says nothing of n. Darcy's n = 1 is then one end of the
 * range, 0.5 l the whole width, and its root mean square is again 0.5 l / sqrt 3. docs/method/permeability.md
 * is the page. */
#ifndef CB_PERMEABILITY_LAW_H
#define CB_PERMEABILITY_LAW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cb_err.h"
#include "cb_origin.h"

typedef enum cb_permeability_form {
  CB_PERMEABILITY_DARCY,
  CB_PERMEABILITY_FORCHHEIMER,
  CB_PERMEABILITY_POWER
} cb_permeability_form;
extern const char *const cb_permeability_form_names[]; /* "darcy", "forchheimer", "power", NULL */

typedef struct cb_permeability_curve {
  cb_permeability_form form;
  double velocity_m_per_s; /* at the reference pressure */
  double shape;            /* 0 for Darcy */
} cb_permeability_curve;

typedef struct cb_permeability_law {
  int64_t id; /* row in the store; 0 if not stored */
  char material[64];
  cb_origin origin;
  double reference_Pa;
  cb_permeability_curve curve;
  double u_ln_level, u_shape, cov_level_shape; /* of ln v_ref and shape */
  double dof_level, dof_shape;                 /* degrees of freedom; INFINITY: exactly known */
  cb_permeability_curve other;                 /* the second-best form; unused where other_weight is 0 */
  double other_weight;                         /* Akaike weight, 0 to 1/2 from a fit */
  double u_pressure_rel, u_velocity_rel;       /* relative, that all points share (calibration) */
  double specimen_sd;                          /* standard deviation of ln v between pieces of this cloth */
  double min_Pa, max_Pa;                       /* measured range, across one layer */
  bool one_pressure;                           /* one pressure was measured: Darcy was assumed, not found */
} cb_permeability_law;

typedef struct cb_permeability_value {
  double pressure_Pa, velocity_m_per_s; /* across all layers; through each layer */
  double exponent;                      /* local: d ln v / d ln p */
  double u_ln_velocity;       /* standard uncertainty at this pressure; u of ln p is 1/exponent times this */
  double u_ln_velocity_piece; /* the same for one piece of the cloth instead of the cloth's mean */
  double dof, dof_piece;      /* for the coverage factor cb_student_t(0.95, dof) */
  bool inside_measured_range; /* in every layer */
} cb_permeability_value;

/* Checks what the other functions assume: numbers finite, levels and pressures > 0, shapes in range.
 * Errors: CB_E_RANGE. */
CB_CHECKED cb_status cb_permeability_law_check(const cb_permeability_law *law, cb_err *err);

/* A number of identical layers. They share the error of their law. Different laws share calibration errors
 * only. */
typedef struct cb_permeability_layer {
  const cb_permeability_law *law; /* borrowed */
  int layers;                     /* >= 1 */
} cb_permeability_layer;

/* Evaluates n >= 1 layers in series at a total pressure > 0 [Pa], or at a velocity > 0 [m/s]. At equal
 * velocity the pressures add; air between the layers has no resistance. */
void cb_permeability_at_pressure(const cb_permeability_layer *stack, size_t n, double pressure_Pa,
                                 cb_permeability_value *out);
void cb_permeability_at_velocity(const cb_permeability_layer *stack, size_t n, double velocity_m_per_s,
                                 cb_permeability_value *out);

/* One curve of one layer: velocity [m/s] at a pressure > 0, and pressure [Pa] at a velocity > 0. */
double cb_permeability_curve_velocity(const cb_permeability_curve *c, double reference_Pa,
                                      double pressure_Pa);
double cb_permeability_curve_pressure(const cb_permeability_curve *c, double reference_Pa,
                                      double velocity_m_per_s);
/* Returns d ln v / d shape at constant pressure, where the velocity is velocity_m_per_s. */
double cb_permeability_curve_by_shape(const cb_permeability_curve *c, double velocity_m_per_s);

/* Returns Darcy's permeability k = viscosity v thickness / p [m2] of dry air at a temperature. The viscosity
 * is Sutherland's (1893), with the constants of the U.S. Standard Atmosphere 1976: 1.458e-6 kg/(s m K^0.5)
 * and 110.4 K. 1 darcy = 9.869233e-13 m2. */
double cb_permeability_darcy_m2(double velocity_m_per_s, double pressure_Pa, double thickness_m,
                                double temperature_degC);
#define CB_DARCY_M2 9.869233e-13

/* Returns the factor >= 1 by which a number may be off either way with 95 % confidence. u_ln is the standard
 * uncertainty of its logarithm. */
double cb_permeability_factor(double u_ln, double dof);

#endif
