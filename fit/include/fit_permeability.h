/* Flow-against-pressure tests of one cloth -> its permeability law. docs/method/permeability.md explains the
 * method. */
#ifndef FIT_PERMEABILITY_H
#define FIT_PERMEABILITY_H

#include "cb_permeability_law.h"

typedef struct fit_permeability_point {
  size_t test;                         /* number of its specimen: 0, 1, 2 ..., ascending along the list */
  double pressure_Pa;                  /* across one layer, > 0 */
  double velocity_m_per_s;             /* >= 0; 0: below the instrument's resolution, left out */
  double u_ln_pressure, u_ln_velocity; /* of this reading alone (its last digit) */
} fit_permeability_point;

typedef enum fit_permeability_outcome {
  FIT_PERMEABILITY_OK,
  FIT_PERMEABILITY_NO_POINTS,
  FIT_PERMEABILITY_NO_FLOW, /* every velocity is 0 */
  FIT_PERMEABILITY_FALLING  /* the velocity does not rise with the pressure */
} fit_permeability_outcome;
extern const char *const fit_permeability_outcome_text[]; /* by fit_permeability_outcome */

typedef struct fit_permeability_form {
  bool fitted; /* false: no curve of this form with physical parameters fits */
  double aicc; /* NAN: too few points to compare */
  double shape, u_shape;
  double rms; /* of the residuals within specimens, in ln v */
} fit_permeability_form;

typedef struct fit_permeability_specimen {
  double ln_velocity, u; /* at the law's reference pressure, shifted along the law's curve */
  double pressure_Pa;    /* geometric mean of its points */
  size_t points;
} fit_permeability_specimen;

typedef struct fit_permeability_result {
  fit_permeability_outcome outcome;
  cb_permeability_law law;        /* the caller sets material, origin and id */
  fit_permeability_form forms[3]; /* by cb_permeability_form */
  double darcy_p;                 /* p value of n = 1, from the power law; NAN: one pressure only */
  double scatter_sd;              /* of one reading about its specimen's curve, in ln v, beyond its digits */
  bool scatter_assumed, specimen_sd_assumed; /* too few data: a typical value (docs/method/permeability.md) */
  double misfit_ln;                     /* u of ln v by what the form cannot say (docs/method/misfit.md) */
  size_t n_points, n_zero;              /* points used; points left out */
  fit_permeability_specimen *specimens; /* owned */
  size_t n_specimens;
} fit_permeability_result;

/* Fits the law of n points. u_pressure_rel and u_velocity_rel are the calibration's relative standard
 * uncertainties, shared by all points. A test whose pressures, or velocities, agree within 2 % is no curve:
 * each of its points counts as a specimen. The caller frees *out with fit_permeability_clear, also after a
 * failure.
 * CB_E_NUM: a number is not finite, a pressure not > 0, or a velocity or uncertainty < 0. CB_E_NOMEM. */
CB_CHECKED cb_status fit_permeability(const fit_permeability_point *points, size_t n, double u_pressure_rel,
                                      double u_velocity_rel, fit_permeability_result *out, cb_err *err);
/* Returns the law of specimen i alone: its own level, no scatter between pieces. */
cb_permeability_law fit_permeability_specimen_law(const fit_permeability_result *r, size_t i);
/* Frees the specimens. */
void fit_permeability_clear(fit_permeability_result *r);

#endif
