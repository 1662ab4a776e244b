/* Private to fit/permeability/: the points of one cloth as specimens, and their common curve. */
#ifndef FIT_PERMEABILITY_AIR_H
#define FIT_PERMEABILITY_AIR_H

#include "fit_permeability.h"

typedef struct fit_air_point {
  double q, y;   /* p / reference, ln v */
  double digits; /* variance of y from the digits of both axes */
  double w;      /* see fit_air_weigh */
} fit_air_point;

typedef struct fit_specimen {
  size_t first, n; /* its points */
  bool curve;      /* several pressures and several velocities */
} fit_specimen;

typedef struct fit_air {
  fit_air_point *points; /* owned, as all four */
  fit_specimen *specimens;
  double *y, *w; /* of the points of curves: ln v less its specimen's mean, weight */
  size_t n, n_specimens;
  size_t n_curve, n_curves; /* points of curves, and curves */
  double reference_Pa, min_Pa, max_Pa;
} fit_air;

/* Where there are fewer than three degrees of freedom, these join them with some of their own. Pieces: the
 * root mean square over 37 cloths of Rogak et al., Aerosol Sci. Technol. 55(4), 2021, that were measured more
 * than once; the degrees of freedom with which it foretells their pieces (docs/method/permeability.md).
 * Readings of one piece: a guess, generous for an instrument in order. */
#define FIT_AIR_SPECIMEN_SD 0.19
#define FIT_AIR_SCATTER_SD 0.02
#define FIT_AIR_SPECIMEN_DOF 4
#define FIT_AIR_ASSUMED_DOF 2

/* Clear: also after a failure. */
CB_CHECKED cb_status fit_air_gather(fit_air *a, const fit_permeability_point *p, size_t n, cb_err *err);
void fit_air_clear(fit_air *a);
/* Sets every weight to 1 / (scatter_var + digits), and a->y, a->w. A pressure's digit counts as if n = 1, the
 * most that it can do. */
void fit_air_weigh(fit_air *a, double scatter_var);

/* ln(v / v_ref) at q = p / p_ref, and its derivative by the shape. */
double fit_air_curve(cb_permeability_form form, double shape, double q, double *by_shape);
/* Weighted means over one specimen: of ln v, of the curve, of its derivative. */
void fit_air_means(const fit_air *a, const fit_specimen *one, cb_permeability_form form, double shape,
                   double *y, double *h, double *by_shape);

/* The variance s2 for which sum e_i^2 / (s2 + v_i) is the degrees of freedom (Mandel & Paule, Anal. Chem. 42,
 * 1970, 1194-1197); 0 where the v_i alone explain it. */
double fit_air_excess(const double *e, const double *v, size_t n, double dof);
/* Joins a variance of few degrees of freedom with the assumed one; *dof grows. */
double fit_air_joined(double found, double assumed_sd, double assumed_dof, double *dof, bool *assumed);

/* Variance of ln v by what the form of the curves cannot say. */
double fit_air_misfit_var(const fit_air *a, cb_permeability_form form, double shape);

/* Fills forms, scatter and Darcy's p of out. *best and *second are not set if the power law could not be
 * fitted. */
CB_CHECKED cb_status fit_air_form(fit_air *a, fit_permeability_result *out, cb_permeability_form *best,
                                  cb_permeability_form *second, double *dof, cb_err *err);

#endif
