/* The steps of fit_stretch, each in a file of its own. */
#ifndef FIT_STRETCH_IMPL_H
#define FIT_STRETCH_IMPL_H

#include "fit_first.h"
#include "fit_stretch.h"

/* A point of a branch. */
typedef struct fit_stretch_point {
  double x, y;  /* displacement [m], force [N]; once reduced: strain, force per width [N/m] */
  size_t index; /* in the input */
} fit_stretch_point;

typedef struct fit_stretch_branches {
  fit_stretch_point *loading, *unloading; /* owned, one block: loading */
  size_t n_loading, n_unloading;
  size_t cycles;
} fit_stretch_branches;

/* fit_stretch_branch.c: the first way up, and the way down behind it. */
cb_status fit_stretch_split(const fit_stretch_input *in, fit_stretch_branches *out, cb_err *err);
void fit_stretch_branches_clear(fit_stretch_branches *b);

/* fit_stretch_toe.c: where the strain is 0; p sorted. scatter: of a reading at the start. u_m: standard
 * uncertainty of a toe's root; 0 for a pre-tension. */
typedef struct fit_stretch_origin {
  double place_m, u_m;
  double unseen_m; /* part of u_m that repeats share: no reading stands where the slack ends */
} fit_stretch_origin;
fit_stretch_origin fit_stretch_find_origin(const fit_stretch_point *p, size_t n, double scatter_N,
                                           double pretension_N);

/* fit_stretch_outliers.c: times[n]: the residual over the local scatter where that is too much, else 0. */
typedef struct fit_stretch_scatter {
  double all, start; /* robust standard deviation of a point about its neighbours; of the first ones */
} fit_stretch_scatter;
/* digit: of the force as written. */
cb_status fit_stretch_find_outliers(const fit_stretch_point *p, size_t n, double digit, double *times,
                                    double *residual, fit_stretch_scatter *scatter, cb_err *err);

/* fit_stretch_curve.c: values at strains[0..k-1] (ascending, the first 0) of a curve through sorted points:
 * local straight lines, then monotone. u: standard uncertainty that the points' scatter leaves. */
void fit_stretch_smooth(const fit_stretch_point *p, size_t n, const double *strains, size_t k, double scatter,
                        double *force, double *u);

/* A test, reduced. */
typedef struct fit_stretch_curve {
  double angle_deg;
  fit_stretch_point *loading, *unloading; /* owned by branches; strain, force per width; sorted, without
                                             outliers */
  size_t n_loading, n_unloading;
  double strain_max, peak_N_per_m, scatter_N_per_m;
  double u_origin; /* standard uncertainty of the place of strain 0, as a strain */
  double u_unseen; /* part of it that repeats share */
  fit_stretch_branches branches;
} fit_stretch_curve;

/* fit_stretch_mean.c: the curves of one direction -> its knots, k1, k3. */
cb_status fit_stretch_mean(const fit_stretch_curve *const *curves, size_t n, cb_stretch_direction *d,
                           cb_err *err);
/* Force per width = k1 e + k3 e^3, both >= 0, by least squares. */
void fit_stretch_cubic(const double *strain, const double *force, size_t n, double *k1, double *k3);

/* fit_stretch_first.c: fit_stretch_result.first. values: room for n. */
fit_test fit_stretch_first(const fit_stretch_input *in, const fit_stretch_curve *c,
                           const fit_stretch_part *part, size_t n, fit_first_value *values);
/* Half of the difference joins the uncertainty of every curve. */
void fit_stretch_widen(cb_stretch_law *law, double half);

/* fit_stretch_shear.c: a strip at 45 degrees out of warp, weft and G. */
#define FIT_STRETCH_DIAGONAL_KNOTS 17
typedef struct fit_stretch_told {
  double value, u_rel; /* force per width at a strain, or G [N/m]; relative standard uncertainty */
} fit_stretch_told;
cb_stretch_knot fit_stretch_diagonal_knot(double strain, fit_stretch_told warp, fit_stretch_told weft,
                                          fit_stretch_told shear);
/* k1, k3, their misfit, and their uncertainty as that of the last knot. */
void fit_stretch_cubic_of(cb_stretch_direction *d);
/* False: G is not known, warp or weft were not tested, or a strip near 45 degrees was. */
bool fit_stretch_diagonal(const cb_stretch_law *law, const fit_stretch_options *opt, cb_stretch_direction *d);

/* fit_stretch_kes.c */
void fit_stretch_kes(const fit_stretch_curve *const *curves, size_t n, double load_N_per_m,
                     cb_stretch_kes *kes);

#endif
