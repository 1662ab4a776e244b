/* Private to fit/: the steps of a friction fit, in the order in which fit_friction.c takes them. */
#ifndef FIT_FRICTION_IMPL_H
#define FIT_FRICTION_IMPL_H

#include "fit_friction_data.h"
#include "fit_friction_quadratic.h"

/* ---- typical values where the data are silent. All from the published tables of Chen, Feng, Wang 2013 (30
 * pairs, 441 runs); docs/method/friction-fit.md says how each was taken. ---- */
/* Run to run. With so few degrees of freedom the band of one run is 4.3 %, which holds 97 % of the runs of a
 * bench that scatters twice as much. */
#define FIT_TYPICAL_SCATTER 0.01
#define FIT_TYPICAL_SCATTER_DOF 2.0
#define FIT_PLACEMENT_P 0.05
#define FIT_PLACEMENT_MIN_DOF 4.0 /* fewer cannot separate mounting from chance */
#define FIT_TYPICAL_COS2 0.033    /* rms amplitude of cos 2 theta in mu over direction: warp against weft */
#define FIT_TYPICAL_SIN2 0.012    /* the same of sin 2 theta: the diagonal */
#define FIT_TYPICAL_ISOTROPIC \
  0.009 /* rms of both amplitudes in the 25 pairs labelled isotropic, repeatability removed */
#define FIT_TYPICAL_DRIFT 0.05           /* change of ln(f00/f11) per unit of ln N */
#define FIT_TYPICAL_EXPONENT_SPREAD 0.14 /* rms of exponent - 1 */
#define FIT_TYPICAL_WALK 0.0018          /* variance of the change of d ln F / d ln N per unit of ln N */
#define FIT_TYPICAL_CURVATURE 0.1        /* rms second derivative of ln F over ln N */

/* Share of the parabola's slope in the curve between the loads: half, because single runs make the parabola
 * noisy. */
#define FIT_BEND 0.5
/* Most shared parts of the law for the uncertainty of a borrowed shape; the others are kept for later
 * steps. */
#define FIT_SHAPE_PARTS 6

typedef struct fit_scatter {
  double rel; /* relative standard deviation from run to run, without the points' own uncertainty */
  double dof;
  double pooled_var;         /* relative variance of one run, pooled, with the points' share; dof is its */
  double place_rel;          /* relative standard deviation from mounting to mounting */
  double place_dof;          /* of the cells' means; 0: not significant, place_rel = 0 */
  bool place_tested;         /* the cells' means could show it, or other pairs did */
  fit_placement place_found; /* by the cells' means, significant or not */
  fit_basis basis;
  bool weighed; /* runs know themselves unequally well: only rel is estimated, and has dof */
} fit_scatter;

fit_scatter fit_scatter_of(const fit_data *d);
/* Takes the mounting's scatter from other pairs, if repeats share a mounting and the cells' means cannot show
 * it. */
void fit_scatter_assume_placement(fit_scatter *s, const fit_placement *others);

/* Returns the cell of a direction at a level; NULL if it was not measured, or its mean is not positive. */
const fit_cell *fit_cell_at(const fit_data *d, size_t level, size_t angle);

/* Scatter of the cells' means about their common model, as relative mean squares. */
typedef struct fit_grid {
  double dof;               /* 0: they cannot say */
  double square, explained; /* found; expected from repeats and from the points' own uncertainty */
} fit_grid;
/* Cells of several directions under the same three loads or more. */
fit_grid fit_grid_of(const fit_data *d, double repeat_rel);

/* Variance of a cell's mean [N2]. */
double fit_cell_var(const fit_cell *c, const fit_scatter *s);

/* Direction dependence over all loads: ln F = level + a cos 2 theta + b sin 2 theta. */
typedef struct fit_directions {
  fit_test test;
  double found_percent; /* what the test would have found: fit_verdict; NAN: not tested */
  double a, b;          /* 0 where the angles cannot tell */
  double var_a, var_b;  /* mean square of the misfit of a law that ignores directions */
  fit_basis basis;      /* FIT_ASSUMED: one direction only */
} fit_directions;

fit_directions fit_directions_of(const fit_data *d, const fit_scatter *s);
fit_test fit_symmetry_of(const fit_data *d);
void fit_harmonics_of(const fit_data *d, const fit_scatter *s, fit_test *diagonal, fit_test *fourth);
fit_test fit_drift_of(const fit_data *d);

/* Lists the extreme runs: those that others of their cell contradict as f's outliers, which are also marked
 * in out (by the observation's index), all others as doubtful. Each gets its fault. d must hold data of obs.
 * trusted: those that are never listed; NULL: none. */
void fit_outliers_of(const fit_data *d, const cb_friction_obs *obs, const bool *trusted, bool *out,
                     fit_friction_law *f);

/* Finds the speeds and the law's one; checks whether a run was made at it; tests the dependence. */
CB_CHECKED cb_status fit_speed_of(const cb_friction_obs *obs, size_t n, fit_speed *out, cb_err *err);
bool fit_speed_is_law(const fit_speed *s, const cb_run *run);
void fit_speed_test(const cb_friction_obs *obs, size_t n, const cb_friction_law *law, fit_speed *s);

/* The authors' rules; fills angles, fixed load, anisotropy, nonlinearity and both labels. */
CB_CHECKED cb_status fit_rules_apply(const fit_data *d, fit_verdict *v, cb_err *err);

/* The most general form that the data determine, and whether they determine a given form. */
cb_friction_form fit_form_of(const fit_data *d, const fit_verdict *v, const fit_directions *dir);
bool fit_form_allowed(const fit_data *d, cb_friction_form form);

/* Do the runs of each cell know themselves alike? If not: the scatter beyond what each knows. dof: of the
 * repeats; most: their sum of squares, relative. */
bool fit_runs_are_alike(const fit_data *d);
void fit_scatter_weigh(const fit_data *d, double dof, double most, fit_scatter *s);
/* Weighs the runs of such cells: sets their mean_N and u_point_N. */
void fit_cells_weigh(fit_data *d, const fit_scatter *s);

/* Gives every cell its var_N2 and weight. */
void fit_data_weigh(fit_data *d, const fit_scatter *s);

/* Degrees of freedom of the scatter of the cells' means. */
double fit_scatter_dof(const fit_scatter *s);

void fit_normal_add_prior(fit_normal *n, cb_friction_form form, double mean_N);

/* Quality of a curve: misfit of the cells in units of the scatter, and number of parameters. */
typedef struct fit_fitness {
  bool possible; /* a law whose force is positive in every direction */
  double chi2;
  size_t n_parameters;
} fit_fitness;

/* Returns the only load at which directions were compared, or the loads' geometric mean if there is none. At
 * other loads the shape is assumed, and may have drifted. NAN: several loads have directions. */
double fit_shape_is_taken_from(const fit_data *d);

/* The curve through the loads: one knot per level, of law->form, with its shared parts; all else of law is
 * left as it is. *quadratic: F test of the quadratic form. */
CB_CHECKED cb_status fit_curve(const fit_data *d, const fit_scatter *s, const fit_directions *dir,
                               double u_angle_rad, cb_friction_law *law, fit_fitness *fitness,
                               fit_test *quadratic, fit_test *falling, cb_err *err);

/* coulomb, power or offset of one form, fitted to all cells at once. */
typedef struct fit_formula {
  bool possible; /* a law whose force is positive in every direction */
  cb_friction_model model;
  cb_friction_form form;
  double f[3], shape; /* M at the loads' geometric mean; exponent, N0 [N], or unused */
  double chi2;
  size_t n_parameters;
  double turned[3], turned_shape; /* the law whose slope over the angle weighed the cells; 0 without
                                     u_angle_rad */
} fit_formula;
fit_formula fit_formula_of(const fit_data *d, cb_friction_model model, cb_friction_form form,
                           double u_angle_rad);
/* Its values at the levels, and how it goes on outside ... */
void fit_formula_knots(const fit_data *d, const fit_formula *x, cb_friction_law *law);
/* ... with all that the parameters do not know, which the knots share. */
void fit_formula_law(const fit_data *d, const fit_formula *x, const fit_directions *dir, double u_angle_rad,
                     cb_friction_law *law);

/* Relative variance of the force at a knot in the direction of this row, without the calibration. */
double fit_direction_var(const cb_friction_law *law, size_t knot, const double row[3]);
/* Rows of 0, 45 and 90 degrees, which stand for all directions. */
extern const double fit_three_rows[3][3];
/* One more shared part, without effect yet. The caller knows that there is room (CB_LAW_MAX_SHARED). */
cb_friction_shared *fit_new_part(cb_friction_law *law, const char *source);

/* Makes a curve whose matrices are positive rise with the load in every direction: its knots move within
 * their uncertainty, and its bend is taken back where force would fall between them. F test of a fall,
 * effect: its size [%] in the direction where it is largest; where it is significant (1 %), the curve is left
 * as it was. dof: of the scatter. */
fit_test fit_curve_rise(cb_friction_law *curve, double dof);

/* Sets u_rel_model (misfit between the knots), exponent and u_exponent (outside). Returns the test of the
 * exponent against 1. */
fit_test fit_curve_outside(cb_friction_law *curve, const fit_scatter *s);

/* Uncertainty of an exponent outside the loads from how the curve's first and last interval depart from the
 * law that goes on there. */
double fit_end_spread(const cb_friction_law *curve, const cb_friction_law *law);

/* Adds the shared parts of a pull line whose pitch and yaw have these standard uncertainties. */
void fit_add_alignment(cb_friction_law *law, double u_pitch_rad, double u_yaw_rad);

/* The law with the doubtful runs and the one without them are candidates of the same weight. */
void fit_add_doubt(cb_friction_law *law, const cb_friction_law *without);

/* Tests the lots and finds their effects on ln F, which sum to 0; all 0 where the test was not done. n_lots
 * <= FIT_MAX_LOTS. */
void fit_lots_of(const fit_data *d, const fit_lot_of *lot, size_t n_lots, fit_lots *out,
                 double effect[FIT_MAX_LOTS]);
/* Takes the effects out of the forces. */
void fit_lots_level(cb_friction_obs *obs, size_t n, const fit_lot_of *lot, const double effect[FIT_MAX_LOTS]);
/* Widens the law to another lot: one more shared part, and its degrees of freedom. */
void fit_add_lots(cb_friction_law *law, const fit_lots *lots);

/* Tests f->law against the cells (f->lack), and widens it by what it leaves of them where that is more than
 * scatter (shared parts "misfit"). Returns false if it is wrong by more than a factor of 2 somewhere: see
 * f->misfit. */
bool fit_add_misfit(const fit_data *d, const fit_scatter *s, fit_friction_law *f);

/* The change of the force in the order of the runs. Where a test finds one, or pulls to and fro differ, half
 * of the difference, or what the cells miss of the middle of the campaign, joins the law's parts "misfit". */
fit_wear fit_wear_of(const fit_data *d);
void fit_add_wear(cb_friction_law *law, const fit_wear *w);
void fit_add_senses(cb_friction_law *law, const fit_test *symmetry);
/* The first run of a cell, in either sense, against the others: fit_verdict.first. */
fit_test fit_first_of(const fit_data *d);
void fit_add_first(cb_friction_law *law, const fit_test *first);

/* Lists the runs that lie far from f->law. */
void fit_far_of(const fit_data *d, const fit_scatter *s, fit_friction_law *f);

/* Says what the runs tell of direction and load, from v's tests and f's candidates. */
void fit_say(const fit_data *d, const fit_scatter *s, const fit_friction_law *f, fit_verdict *v);

/* The best candidate becomes f->law, with the spread between candidates among its shared parts. Outcome
 * NO_FORCE: none is possible. v->isotropic must be set; receives v->linearity and v->form. */
CB_CHECKED cb_status fit_choose(const fit_data *d, const fit_scatter *s, const fit_directions *dir,
                                double u_angle_rad, fit_friction_law *f, fit_verdict *v, cb_err *err);

#endif
