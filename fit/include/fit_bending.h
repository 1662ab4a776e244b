/* Bending tests of one cloth -> its bending law with covariance, verdicts and an uncertainty budget.
 *
 * Cantilevers: every overhang with its chord angle gives B by the heavy elastica (fit_elastica.h). Moment
 * over curvature (KES-FB2): B is the slope of the loading branches over |K| = 0.5 to 1.5 1/cm. 2HB is the
 * distance of loading and unloading at |K| = 1 1/cm. Both signs of K count. Buckled strips give B and 2HB by
 * the heavy elastica with friction (fit_buckled.h).
 *
 * Specimens are averaged first. Their scatter is pooled over the directions. docs/method/bending.md derives
 * every formula and names the source of every constant. SI units. */
#ifndef FIT_BENDING_H
#define FIT_BENDING_H

#include <stdbool.h>
#include <stddef.h>

#include "cb_bending_law.h"
#include "cb_err.h"
#include "cb_material_test.h"
#include "fit_hypothesis.h"

#define FIT_BENDING_MAX_DIRECTIONS 16
#define FIT_BENDING_MAX_POINTS 1000 /* of one cantilever test; each needs a solution of the elastica */

/* The curvatures [1/m] between which KES-FB2 takes the slope, and at which it reads the hysteresis (Kawabata,
 * The Standardization and Analysis of Hand Evaluation, 1980). */
#define FIT_BENDING_KES_FROM_PER_M 50.0
#define FIT_BENDING_KES_TO_PER_M 150.0
#define FIT_BENDING_KES_WIDTH_PER_M 100.0

typedef enum fit_bending_outcome {
  FIT_BENDING_OK,
  FIT_BENDING_NO_DATA,            /* no usable test at all */
  FIT_BENDING_TOO_MANY_DIRECTIONS /* more than FIT_BENDING_MAX_DIRECTIONS */
} fit_bending_outcome;
extern const char *const fit_bending_outcome_text[]; /* by fit_bending_outcome */

/* Why a test is not used. */
typedef enum fit_bending_defect {
  FIT_BENDING_USED,
  FIT_BENDING_NO_DENSITY,      /* a cantilever without areal density: bending lengths only */
  FIT_BENDING_NO_WINDOW,       /* the curve does not cover the window of curvature on either side */
  FIT_BENDING_NO_ANGLE,        /* no usable angle: all are 0 or above 89.9 degrees */
  FIT_BENDING_NOT_POSITIVE,    /* the moment does not grow with the curvature */
  FIT_BENDING_NO_DIRECTION,    /* the test has no direction, while others have one */
  FIT_BENDING_TOO_MANY_POINTS, /* more than FIT_BENDING_MAX_POINTS */
  FIT_BENDING_NO_SIZE,         /* a buckled strip without length, width or areal density */
  FIT_BENDING_LONG,     /* a buckled strip more than twice as long as another: its weight makes the force */
  FIT_BENDING_NOT_TOLD, /* the force of a buckled strip does not tell B (fit_buckled.h) */
  FIT_BENDING_TWIN,     /* another test of its piece does not tell B */
  FIT_BENDING_DEFECTS
} fit_bending_defect;
extern const char *const fit_bending_defect_text[]; /* by fit_bending_defect */

typedef struct fit_bending_input {
  const cb_material_test *test; /* CB_TEST_CANTILEVER, CB_TEST_BENDING_MOMENT or CB_TEST_BUCKLING */
  const cb_test_point *points;  /* n of them; a chord angle below zero: the back of the cloth lay up */
  size_t n;
} fit_bending_input;

typedef struct fit_bending_options {
  double areal_density_kg_per_m2; /* of cantilevers without one of their own; 0: not known */
  double u_rel_areal_density;
  /* Of the chord angle, rectangular, if a test has neither digit nor calibration. */
  double angle_half_width_rad;
} fit_bending_options;
/* Returns: areal density not known, its uncertainty 1 %, angle half-width 0.5 degrees. */
fit_bending_options fit_bending_options_default(void);

typedef struct fit_bending_direction {
  double angle_deg;          /* 0 to 90: warp and weft are taken to be axes of symmetry; NAN: not known */
  size_t n;                  /* specimens */
  double B_Nm, u_B_Nm;       /* mean; u: without what all directions share */
  double sd_Nm;              /* between specimens; NAN: one specimen */
  double peirce_Nm;          /* by Peirce's formula instead of the elastica; NAN: no cantilevers */
  double length_m;           /* Peirce's bending length (B / (w g))^(1/3); NAN: no cantilevers */
  double face_Nm, back_Nm;   /* at curvatures above and below 0; NAN: not tested */
  double width_N, u_width_N; /* 2HB; NAN: not measured */
} fit_bending_direction;

/* One line of the uncertainty budget: relative standard uncertainty of B, mean over the directions. */
typedef struct fit_bending_entry {
  char name[16];
  char type[2]; /* GUM: "A" or "B" */
  double u_rel, dof;
  bool common; /* shared by all directions */
} fit_bending_entry;
#define FIT_BENDING_ENTRIES 6

typedef struct fit_bending_result {
  fit_bending_outcome outcome; /* all but the counts of tests and defects hold only with FIT_BENDING_OK */
  cb_origin origin;            /* the weakest of the tests */
  size_t n_tests, defects[FIT_BENDING_DEFECTS]; /* tests by fit_bending_defect */
  size_t n_specimens, n_directions;
  fit_bending_direction directions[FIT_BENDING_MAX_DIRECTIONS]; /* ascending */
  cb_bending_law law;
  double scatter_rel, scatter_dof; /* between specimens, relative standard deviation */
  fit_basis scatter_basis;         /* repeats or assumed */
  fit_basis direction_basis; /* residuals: more directions than constants; repeats: as many; assumed: fewer */
  double aicc[CB_BENDING_TABLE]; /* by form; NAN: not compared (three directions or fewer) */
  fit_test isotropy;             /* F; effect: 100 (max / min - 1) over the directions' means */
  fit_test first;     /* t: the first test of a named piece, its sides and direction differs from its repeats
                         (fit_first.h) */
  fit_test sides;     /* t over specimens; effect: 100 (face - back) / mean */
  fit_test constancy; /* t: B depends on the curvature; effect: exponent */
  fit_test shape;     /* F: departure from the form; effect: ratio of variances */
  size_t n_entries;
  fit_bending_entry entries[FIT_BENDING_ENTRIES];
} fit_bending_result;

/* Fits the law of n tests, all of one kind. why receives one reason per test and may be NULL. A test that is
 * not used is no error. The same input gives the same bits.
 * CB_E_RANGE: two kinds of tests, an overhang that is not > 0, a shortening that its strip cannot have, or
 * real (measured, imported) mixed with virtual or simulated tests. CB_E_NUM: a point is not finite. CB_E_ARG:
 * a test of another kind. CB_E_NOMEM. */
CB_CHECKED cb_status fit_bending(const fit_bending_input *in, size_t n, const fit_bending_options *opt,
                                 fit_bending_result *out, fit_bending_defect *why, cb_err *err);

/* Writes "bending/1 ...", the method text stored with a law. */
void fit_bending_method(cb_test_kind kind, const fit_bending_options *opt, char out[160]);

#endif
