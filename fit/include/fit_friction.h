/* Friction points of one pair -> friction law with covariance, and verdicts.
 *
 * The law is at every load the matrix [f00 f01; f01 f11] of Chen, Feng, Wang (SIGGRAPH 2013), eq. 2, by
 * weighted least squares over the directions. The verdicts are the authors' rules (anisotropy, nonlinearity)
 * and statistical tests. docs/method/friction-fit.md derives every formula and names the source of every
 * constant. SI units; angles of observations are in degrees. */
#ifndef FIT_FRICTION_H
#define FIT_FRICTION_H

#include <stdbool.h>
#include <stddef.h>

#include "cb_err.h"
#include "cb_friction_law.h"
#include "cb_friction_obs.h"
#include "fit_fault.h"
#include "fit_hypothesis.h"

#define FIT_MAX_ANGLES 64

/* The authors call a pair isotropic up to this anisotropy [%]. */
#define FIT_ISOTROPIC_PERCENT 5.0
/* The authors' limit for "linear" is not published. In their tables the largest figure of a pair labelled
 * linear is 11.8 %, the smallest labelled nonlinear 14.4 %. Any limit between the two reproduces every
 * label. */
#define FIT_LINEAR_PERCENT 12.5

typedef enum fit_friction_outcome {
  FIT_FRICTION_OK,
  FIT_FRICTION_NO_DATA,   /* no usable force */
  FIT_FRICTION_NO_FORCE,  /* at some load the mean force is not positive */
  FIT_FRICTION_NO_TENSOR, /* the law is wrong by more than a factor of 2 somewhere; `misfit` says where */
  FIT_FRICTION_TOO_MANY_LOADS, /* more than CB_LAW_MAX_KNOTS distinct loads */
  FIT_FRICTION_TOO_MANY_ANGLES /* more than FIT_MAX_ANGLES distinct angles */
} fit_friction_outcome;
extern const char *const fit_friction_outcome_text[]; /* by fit_friction_outcome */

typedef struct fit_angle {
  double angle_deg;
  size_t n;                    /* runs in the fixed-load test; 0: none */
  double mean_mu, sd_mu;       /* of these runs; sd with n-1, NAN for n < 2 */
  int64_t campaign_id;         /* of these runs; 0: several campaigns */
  size_t n_elsewhere;          /* runs of other campaigns at this angle and load, not counted in n */
  size_t n_loads;              /* loads in this direction's sweep */
  int64_t sweep_campaign_id;   /* of the sweep's runs; 0: several campaigns */
  size_t n_sweep;              /* runs of the sweep */
  size_t n_sweep_elsewhere;    /* runs of other campaigns at this angle, not in the sweep */
  double nonlinearity_percent; /* 100 (max mu / min mu - 1); NAN for fewer than 3 loads */
  /* F = power_N N^exponent through the sweep by ordinary least squares, as such fits are usually reported;
   * NAN as above. */
  double power_N, exponent, r2;
} fit_angle;

/* What the runs tell of a question. "No" needs a test that would have found what matters. */
typedef enum fit_said { FIT_NOT_KNOWN, FIT_ALIKE, FIT_DIFFERENT } fit_said;
extern const char *const fit_said_of_direction[]; /* "not known", "isotropic", "anisotropic", NULL */
extern const char *const fit_said_of_load[];      /* "not known", "linear", "nonlinear", NULL */
/* The level of the tests behind it, and the power of what they "would have found". */
#define FIT_SAID_P 0.05
#define FIT_SAID_POWER 0.95

/* Below it, the first pull of a cell is said to differ: one sound pair of 200 is. */
#define FIT_FIRST_P 0.005
/* Below it, wear is said, and widens the band. A false alarm costs much: cells are measured one after
 * another. */
#define FIT_WEAR_P 0.01
/* The force changes from run to run: wear, damp, a surface that settles. */
typedef struct fit_wear {
  fit_test test;        /* t: in the order of the runs, within cells; effect: over all runs [%] */
  double found_percent; /* the least change over all runs that it would have found; NAN: not tested */
  double cells_rel;     /* what that does to the cells, as a relative standard deviation */
} fit_wear;

typedef struct fit_verdict {
  size_t n_angles;
  fit_angle angles[FIT_MAX_ANGLES]; /* ascending */
  double fixed_load_N;       /* load at which the directions are compared; NAN: no load with two directions */
  double anisotropy_percent; /* 100 (max / min - 1) over the directions' means; NAN: one direction only */
  bool isotropic;            /* by the authors' rule; assumed where anisotropy_percent is NAN */
  double nonlinearity_percent; /* largest of all directions; NAN: no sweep */
  bool linear;                 /* meaningless where nonlinearity_percent is NAN */
  fit_test isotropy;           /* F: mu depends on direction; effect: fitted 100 (max / min - 1) */
  fit_test linearity;          /* t: the exponent of force over load differs from 1; effect: exponent */
  fit_test symmetry;           /* t: forward and backward differ; effect: 100 (forward - backward) / mean */
  fit_test diagonal;           /* F: f01 differs from 0; effect: 100 f01 / mean over directions */
  fit_test fourth; /* F: a fourth harmonic, absent from a quadratic form; effect: its amplitude [%] */
  fit_test drift;  /* t: force changes over the repeats of a cell; effect: percent per repeat */
  fit_test form;   /* F: departure from the quadratic form (> 3 directions); effect: ratio of variances */
  fit_test first;  /* t: the first pull of a cell differs from the rest; effect: 100 (first - rest) / mean */
  fit_wear wear;
  fit_said direction, load;
  /* The smallest anisotropy [%] and the smallest distance of the exponent from 1 that the tests would have
   * found; NAN: not tested. */
  double found_anisotropy_percent, found_exponent;
  double u95_exponent; /* of linearity.effect, 95 %; NAN: not tested */
} fit_verdict;

/* A law that was compared. */
typedef struct fit_candidate {
  cb_friction_model model;
  cb_friction_form form;
  size_t n_parameters;
  double chi2;        /* misfit of the cells in units of their scatter */
  double aicc, delta; /* Akaike's criterion (corrected), and its difference to the chosen law's */
  double weight;      /* Akaike weight; all sum to 1 */
} fit_candidate;
#define FIT_MAX_CANDIDATES 12

/* A run far from the smooth surface over load and direction that all other runs define. */
typedef struct fit_outlier {
  size_t index;             /* of the observation */
  double sigma;             /* distance from the surface in standard deviations of the others */
  double departure_percent; /* distance from the surface [%] */
  double p_value;           /* that the farthest of as many runs lies so far by chance */
  fit_fault fault;          /* FIT_FAULT_LOAD_OFF, _OFF_REPEATS, _OFF_NEIGHBOURS; FIT_N_FAULTS: not said */
  double mass_off_kg;       /* so much more (less) on the cart explains it; NAN: no weights of the pair do */
} fit_outlier;
#define FIT_MAX_OUTLIERS 8
#define FIT_MAX_DOUBTFUL 32
/* A run is far from the law beyond so many standard uncertainties of a single pull. */
#define FIT_FAR_SIGMA 4.0

/* Stribeck's curve relative to the law at its own speed, in the form of Armstrong-Helouvry et al. (Automatica
 * 30, 1994): F = F_law (coulomb + (breakaway - coulomb) exp(-(v / speed)^2) + viscous v). */
typedef struct fit_stribeck_curve {
  double coulomb, breakaway, viscous_s_per_m, speed_m_per_s;
  fit_test test; /* F: against a constant; not done for < 5 speeds or < 2 decades */
} fit_stribeck_curve;

/* Dependence on the speed. The law holds at the speed of most runs and is fitted to those alone. */
typedef struct fit_speed {
  size_t n_speeds; /* 0: not known */
  double law_m_per_s, slowest_m_per_s, fastest_m_per_s;
  double percent_per_decade, u_percent_per_decade; /* slope of ln F over lg v */
  fit_test test;                                   /* t: the force depends on the speed */
  fit_stribeck_curve stribeck;
} fit_speed;

/* Effect of mounting a sample anew. var_rel is the relative variance beyond that of repeats and points;
 * chance can make it negative. dof are its degrees of freedom; 0: the data cannot say. */
typedef struct fit_placement {
  double var_rel, dof;
} fit_placement;

/* Lots of the cloth in one fit. A lot is a random draw from all lots. Forces are first levelled by the lots'
 * effects, which sum to zero, so that the law is that of the mean lot. Its uncertainty holds for another lot:
 * the shared part "lots" is sd_rel (1 + 1 / n)^1/2. */
#define FIT_MAX_LOTS 24
#define FIT_LOTS_P 0.01           /* below it, lots are said to differ */
typedef unsigned char fit_lot_of; /* index of a run's lot */
typedef struct fit_lots {
  size_t n; /* lots; < 2: one, or not known */
  /* F: the lots differ; effect: the largest difference of two [%]. Not done: no cells in common, or nothing
   * to tell their scatter. */
  fit_test test;
  double sd_rel, dof; /* of the lots' means, relative standard deviation, chance included; 0: not known */
} fit_lots;

/* Where the law departs most from what was measured, by its factor; all 0: nowhere beyond its uncertainty. */
typedef struct fit_misfit {
  double angle_deg, normal_force_N, measured_N, law_N;
} fit_misfit;

typedef struct fit_friction_law {
  fit_friction_outcome outcome; /* law, rmse and scatter hold only with FIT_FRICTION_OK */
  cb_friction_law law;
  size_t n_points;
  fit_misfit misfit;
  /* F: the cells depart from the law by more than they scatter; effect: how far, beyond their scatter [%].
   * Not done: as many parameters as cells. */
  fit_test lack;
  double rmse_N;      /* of the points about the law */
  double scatter_rel; /* run to run, relative standard deviation */
  double scatter_dof;
  double placement_rel; /* from mounting to mounting, relative standard deviation; 0: not significant */
  double placement_dof;
  fit_lots lots;
  bool placement_tested;         /* false: repeats shared their mounting, or that is not known */
  fit_placement placement_found; /* from these runs alone, significant or not */
  fit_basis scatter_basis, exponent_basis, direction_basis;
  size_t n_candidates;
  fit_candidate candidates[FIT_MAX_CANDIDATES]; /* best first: [0] became the law, [1] is the runner-up */
  /* F: the force falls somewhere with rising load; effect: the fall in percent of the mean, in the direction
   * of the largest fall. If not significant (1 %), the curve was made to rise within its uncertainty. */
  fit_test falling;
  size_t n_outliers, n_doubtful;
  /* Runs left out, the most extreme first: other runs at the same load and direction contradict them. */
  fit_outlier outliers[FIT_MAX_OUTLIERS];
  /* Runs kept, as no other run contradicts them. The uncertainty includes the difference to the law without
   * them. All runs of a direction and load, or of a load, are among them if another load of the campaign
   * explains their force. */
  fit_outlier doubtful[FIT_MAX_DOUBTFUL];
  /* Runs that count and lie far from the law, the farthest first; n_far can be more than are listed. sigma:
   * in standard uncertainties of a single pull, its own and the scatter. p_value: NAN. */
  size_t n_far;
  fit_outlier far[FIT_MAX_OUTLIERS];
} fit_friction_law;

typedef struct fit_friction_result {
  fit_friction_law kinetic;
  fit_friction_law stat; /* static; FIT_FRICTION_NO_DATA if fewer than half of the pulls showed a peak */
  fit_verdict verdict;   /* from the kinetic forces */
  fit_speed speed;       /* of the kinetic force */
} fit_friction_result;

typedef struct fit_friction_options {
  double u_angle_rad; /* standard uncertainty of the sample's orientation on the bed */
  /* Of the pull line's direction, up or down and to the side; 0: not assessed. */
  double u_pitch_rad, u_yaw_rad;
  fit_placement placement; /* from other pairs on the same rig; used where these runs cannot say */
  const fit_lot_of *lot;   /* of every observation, below n_lots <= FIT_MAX_LOTS; NULL: all of one lot */
  size_t n_lots;
  const bool *trusted; /* of every observation: a person said that it counts; NULL: none */
} fit_friction_options;

/* Fits the static and the kinetic law of n runs of one pair, in any order. cloth and body name the laws.
 * Observations whose force is NAN are left out. A pair without a law is an outcome. The same input gives the
 * same bits; the order of obs matters through rounding only.
 * CB_E_NUM: a force or angle is infinite, or a system is singular. CB_E_RANGE: a load is not > 0, there are
 * two contact areas, or real (measured, imported) and virtual or simulated runs are mixed. CB_E_NOMEM; those
 * of cb_friction_law_check. */
CB_CHECKED cb_status fit_friction(const cb_friction_obs *obs, size_t n, const char *cloth, const char *body,
                                  const fit_friction_options *opt, fit_friction_result *out, cb_err *err);

/* Sets direction, load and what the exponent's test would have found, from v's tests. load_ratio: largest
 * over least load. proportional: no test found that the forces are not proportional to the loads. */
void fit_verdict_say(fit_verdict *v, double load_ratio, bool proportional);

/* Writes "friction/2 ...", the method text stored with a law. */
#define FIT_METHOD 256
void fit_friction_method(const fit_friction_law *fit, const fit_friction_options *opt, char out[FIT_METHOD]);

/* Writes why there is no law: the outcome, and for FIT_FRICTION_NO_TENSOR where, what, measured and fitted.
 */
#define FIT_WHY 256
void fit_friction_why(const fit_friction_law *fit, char out[FIT_WHY]);

#endif
