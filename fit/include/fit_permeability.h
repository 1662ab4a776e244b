/* Flow-against-pressure tests of one cloth -> its law of permeability. docs/permeability.md tells what is done and why. */
#ifndef FIT_PERMEABILITY_H
#define FIT_PERMEABILITY_H

#include "cb_permeability_law.h"

typedef struct fit_permeability_point {
  size_t test;                         /* points of one specimen share it: 0, 1, 2 ..., ascending along the list */
  double pressure_Pa;                  /* across one layer, > 0 */
  double velocity_m_per_s;             /* >= 0; 0: below what the instrument can tell, left out */
  double u_ln_pressure, u_ln_velocity; /* of this reading alone: its last digit */
} fit_permeability_point;

typedef enum fit_permeability_outcome {
  FIT_PERMEABILITY_OK,
  FIT_PERMEABILITY_NO_POINTS,
  FIT_PERMEABILITY_NO_FLOW, /* every velocity is 0 */
  FIT_PERMEABILITY_FALLING  /* the velocity does not rise with the pressure */
} fit_permeability_outcome;
extern const char *const fit_permeability_outcome_text[];

typedef struct fit_permeability_form {
  bool fitted; /* false: no such curve with physical parameters goes through these points */
  double aicc; /* NAN: too few points to compare */
  double shape, u_shape;
  double rms; /* of what points of one specimen depart from the curve, in ln v */
} fit_permeability_form;

typedef struct fit_permeability_specimen {
  double ln_velocity, u; /* at the law's reference pressure, along the law's curve */
  double pressure_Pa;    /* of its points, geometric mean */
  size_t points;
} fit_permeability_specimen;

typedef struct fit_permeability_result {
  fit_permeability_outcome outcome;
  cb_permeability_law law;        /* material, origin and id are the caller's */
  fit_permeability_form forms[3]; /* by cb_permeability_form */
  double darcy_p;                 /* of n = 1, from the power law; NAN: one pressure only */
  double scatter_sd;              /* of one reading about its specimen's curve, ln v; beyond its digits */
  bool scatter_assumed, specimen_sd_assumed;
  size_t n_points, n_zero; /* used; left out */
  fit_permeability_specimen *specimens;
  size_t n_specimens;
} fit_permeability_result;

/* A test whose pressures, or whose velocities, agree within 2 % is no curve but a list: each point is a specimen of its own. u_*_rel:
 * calibration, shared by all points. CB_E_NUM: a number that is not finite, or a pressure not above 0. Caller: fit_permeability_clear, also
 * after a failure. */
CB_CHECKED cb_status fit_permeability(const fit_permeability_point *points, size_t n, double u_pressure_rel, double u_velocity_rel,
                                      fit_permeability_result *out, cb_err *err);
/* The same law for specimen i alone: its own level, no scatter between pieces. */
cb_permeability_law fit_permeability_specimen_law(const fit_permeability_result *r, size_t i);
void fit_permeability_clear(fit_permeability_result *r);

#endif
