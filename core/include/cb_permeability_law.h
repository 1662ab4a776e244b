/* Air through cloth: face velocity v [m/s] at a pressure difference p [Pa] across one layer.
 *
 *   Darcy        p = R v
 *   Forchheimer  p = R v + S v^2      viscous and inertial loss (Forchheimer 1901)
 *   power        v = c p^n
 *
 * All three are kept as a level, v at a reference pressure, and a shape: q = p / p_ref, w = v / v_ref,
 *   Darcy        w = q
 *   Forchheimer  q = (1 - shape) w + shape w^2, 0 < shape <= 1: the inertial share of the loss at p_ref
 *   power        w = q^shape
 * The local exponent n = d ln v / d ln p is 1 where friction on the fibres rules and 1/2 where inertia does. What is published as
 * permeability kappa is v at a stated pressure; a simulator that wants kappa at 200 Pa (the air of layers: docs/three-layers.md) takes v
 * there.
 *
 * Uncertainty is kept in ln v: level and shape with their covariance; between the two best forms, weighted by Akaike's weight of the
 * other; outside the measured pressures, what the local exponent may do there. In a Darcy-Forchheimer cloth n changes by no more than
 * 0.1 per unit of ln p (greatest value of phi (1 - phi) / (1 + phi)^3, 0.0962), and n stays between 1/2 and 1: at a distance l in ln p
 * from the measured range, ln v is off by at most min(0.05 l^2, 0.5 l), taken as the half-width of a rectangle. One pressure alone says
 * nothing of n: Darcy's n = 1 is then an end of the range, and 0.5 l the whole of it, whose root mean square is the same 0.5 l / sqrt 3. */
#ifndef CB_PERMEABILITY_LAW_H
#define CB_PERMEABILITY_LAW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cb_err.h"
#include "cb_origin.h"

typedef enum cb_permeability_form { CB_PERMEABILITY_DARCY, CB_PERMEABILITY_FORCHHEIMER, CB_PERMEABILITY_POWER } cb_permeability_form;
extern const char *const cb_permeability_form_names[]; /* "darcy", "forchheimer", "power", NULL */

typedef struct cb_permeability_curve {
  cb_permeability_form form;
  double velocity_m_per_s; /* at the reference pressure */
  double shape;            /* Darcy: 0 */
} cb_permeability_curve;

typedef struct cb_permeability_law {
  int64_t id; /* row in the store; 0 if not stored */
  char material[64];
  cb_origin origin;
  double reference_Pa;
  cb_permeability_curve curve;
  double u_ln_level, u_shape, cov_level_shape;
  double dof_level, dof_shape;           /* INFINITY where known */
  cb_permeability_curve other;           /* the runner-up; its weight 0: there is none */
  double other_weight;                   /* Akaike's: 0 to 1/2 */
  double u_pressure_rel, u_velocity_rel; /* calibration: shared by all points */
  double specimen_sd;                    /* of ln v between pieces of this cloth */
  double min_Pa, max_Pa;                 /* measured, across one layer */
  bool one_pressure;                     /* Darcy was assumed, not found */
} cb_permeability_law;

typedef struct cb_permeability_value {
  double pressure_Pa, velocity_m_per_s; /* across all layers, through each of them */
  double exponent;                      /* d ln v / d ln p here */
  double u_ln_velocity;                 /* standard uncertainty, at this pressure; that of ln p at this velocity is 1/exponent of it */
  double u_ln_velocity_piece;           /* the same for pieces as they come off the roll, not for the cloth's mean */
  double dof, dof_piece;                /* coverage factors: cb_student_t(0.95, dof) */
  bool inside_measured_range;
} cb_permeability_value;

/* Checks what the others assume: numbers finite, levels and pressures > 0, shapes in range. */
CB_CHECKED cb_status cb_permeability_law_check(const cb_permeability_law *law, cb_err *err);

/* One law through so many layers; identical layers share the error of their law, laws are independent but for calibration. */
typedef struct cb_permeability_layer {
  const cb_permeability_law *law;
  int layers; /* >= 1 */
} cb_permeability_layer;

/* Layers in series: the pressures add at equal velocity, air between them finds no resistance. n >= 1. Velocity at a total pressure > 0,
 * and pressure at a velocity > 0. */
void cb_permeability_at_pressure(const cb_permeability_layer *stack, size_t n, double pressure_Pa, cb_permeability_value *out);
void cb_permeability_at_velocity(const cb_permeability_layer *stack, size_t n, double velocity_m_per_s, cb_permeability_value *out);

/* One curve: velocity at a pressure, pressure at a velocity. All > 0. */
double cb_permeability_curve_velocity(const cb_permeability_curve *c, double reference_Pa, double pressure_Pa);
double cb_permeability_curve_pressure(const cb_permeability_curve *c, double reference_Pa, double velocity_m_per_s);
/* d ln v / d shape at constant pressure. */
double cb_permeability_curve_by_shape(const cb_permeability_curve *c, double velocity_m_per_s);

/* Darcy's permeability k = viscosity v thickness / p [m2] of dry air at a temperature (Sutherland 1893, with the constants of the
 * U.S. Standard Atmosphere 1976: 1.458e-6 kg/(s m K^0.5) and 110.4 K). 1 darcy = 9.869233e-13 m2. */
double cb_permeability_darcy_m2(double velocity_m_per_s, double pressure_Pa, double thickness_m, double temperature_degC);
#define CB_DARCY_M2 9.869233e-13

/* 95 %: the factor by which a number with this standard uncertainty of its logarithm may be off either way. */
double cb_permeability_factor(double u_ln, double dof);

#endif
