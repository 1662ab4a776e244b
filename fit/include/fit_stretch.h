/* Load-extension tests of one cloth -> its stretch law. docs/method/stretch.md explains each step:
 *
 *   cycle -> loading and unloading branch -> slack and pre-tension off -> strain, force per width -> outliers
 *   out -> knots -> mean over the specimens, with their scatter -> figures of KES-FB1, k1 e + k3 e^3, the
 * form over the directions
 *
 * The same tests in the same order give the same bits. */
#ifndef FIT_STRETCH_H
#define FIT_STRETCH_H

#include "cb_material_test.h"
#include "cb_stretch_form.h"
#include "fit_hypothesis.h"

typedef struct fit_stretch_input {
  const cb_material_test *test; /* kind CB_TEST_STRETCH */
  const cb_test_point *points;  /* displacement [m], force [N], in order of time */
  size_t n;
} fit_stretch_input;

typedef struct fit_stretch_options {
  /* Strain counts from where this force per width is reached; 0: from zero force (docs/method/stretch.md). */
  double pretension_N_per_m;
  bool raw_origin; /* strain counts from the first reading: nothing is cut */
  /* Load at which KES's figures are read; 0: the tests' own peak, at most 490 N/m (500 gf/cm). */
  double load_N_per_m;
  /* Strain at which moduli are computed and the form is chosen; 0: 0.02, or where the first curve ends. */
  double moduli_strain;
  /* G of shear tests, per radian; 0: not known. It makes the curve at 45 degrees where warp and weft were
   * tested and no strip within 15 degrees of 45 was. u: of all parts; dof: of u, 0: without limit. */
  double shear_N_per_m, u_shear_N_per_m, shear_dof;
  size_t shear_tests; /* behind G */
} fit_stretch_options;
/* Returns all 0. */
fit_stretch_options fit_stretch_options_default(void);

/* Whether a test was used, and else why not. */
typedef enum fit_stretch_part_outcome {
  FIT_STRETCH_PART_OK,
  FIT_STRETCH_NO_DIRECTION,
  FIT_STRETCH_NO_SIZE,
  FIT_STRETCH_FEW_POINTS,
  FIT_STRETCH_NO_FORCE,
  FIT_STRETCH_NO_EXTENSION,
  FIT_STRETCH_NO_RISE
} fit_stretch_part_outcome;
extern const char *const fit_stretch_part_outcome_text[]; /* by fit_stretch_part_outcome */

typedef struct fit_stretch_part {
  fit_stretch_part_outcome outcome;
  size_t n_loading, n_unloading, n_outliers;
  size_t cycles;    /* upward branches; the first one is used */
  double slack_m;   /* displacement at strain 0; < 0: the specimen was tight before the first point */
  double u_slack_m; /* its standard uncertainty: of the toe */
  double cut_m;     /* from the first reading to strain 0; < 0: strain 0 is before it */
  double length_m;  /* gauge length at strain 0 */
  double strain_max, force_max_N_per_m;
  double scatter_N_per_m; /* robust standard deviation of a point about its neighbours */
} fit_stretch_part;

typedef struct fit_stretch_outlier {
  size_t test, point; /* indices of the input */
  double displacement_m, force_N;
  double residual_N; /* distance from its neighbours */
  double times;      /* that distance over the scatter around the point */
} fit_stretch_outlier;

typedef enum fit_stretch_outcome {
  FIT_STRETCH_OK,
  FIT_STRETCH_NO_CURVE,
  FIT_STRETCH_MANY_DIRECTIONS
} fit_stretch_outcome;
extern const char *const fit_stretch_outcome_text[]; /* by fit_stretch_outcome */

typedef struct fit_stretch_result {
  fit_stretch_outcome outcome;
  cb_stretch_law law;              /* the caller sets cloth and id */
  cb_stretch_moduli tensor, strip; /* both forms at moduli_strain */
  fit_stretch_part *parts;         /* one per input; owned */
  fit_stretch_outlier *outliers;   /* n_outliers; owned */
  size_t n_outliers;
  /* t: the first test of a specimen and direction differs from its repeats in the work up to the strain that
   * all reach; effect: 100 (first - rest) / mean. */
  fit_test first;
  bool shear_used; /* the curve at 45 degrees is made of warp, weft and G */
} fit_stretch_result;

/* Fits the law of n tests. The caller frees *out with fit_stretch_clear; on failure it is cleared. An
 * unusable test is an outcome of its part.
 * CB_E_NUM: a point is not finite. CB_E_RANGE: real (measured, imported) mixed with virtual or simulated
 * tests. CB_E_NOMEM. */
CB_CHECKED cb_status fit_stretch(const fit_stretch_input *inputs, size_t n, const fit_stretch_options *opt,
                                 fit_stretch_result *out, cb_err *err);
/* Frees the arrays and empties the result. */
void fit_stretch_clear(fit_stretch_result *r);

#endif
