/* Load-extension tests of one cloth -> the law of stretch. docs/stretch.md says what is done to a curve and why.
 *
 *   cycle -> loading and unloading branch -> slack and pre-tension off -> strain, force per width -> outliers out -> knots -> mean over
 *   the specimens, with their scatter -> figures of KES-FB1, k1 e + k3 e^3, the form over the directions
 *
 * Same tests in the same order: same bits. */
#ifndef FIT_STRETCH_H
#define FIT_STRETCH_H

#include "cb_material_test.h"
#include "cb_stretch_form.h"

typedef struct fit_stretch_input {
  const cb_material_test *test; /* kind CB_TEST_STRETCH */
  const cb_test_point *points;  /* displacement [m], force [N]; in the order in which they were taken */
  size_t n;
} fit_stretch_input;

typedef struct fit_stretch_options {
  double pretension_N_per_m; /* strain counts from where this force per width is reached; 0: from no force, see docs/stretch.md */
  double load_N_per_m;       /* at which KES's figures are read; 0: at the tests' own peak, at most 490 N/m (500 gf/cm) */
  double moduli_strain;      /* at which moduli are told and the form is chosen; 0: 0.02, less where the curves end before */
} fit_stretch_options;
fit_stretch_options fit_stretch_options_default(void);

/* What became of one test. */
typedef enum fit_stretch_part_outcome {
  FIT_STRETCH_PART_OK,
  FIT_STRETCH_NO_DIRECTION,
  FIT_STRETCH_NO_SIZE,
  FIT_STRETCH_FEW_POINTS,
  FIT_STRETCH_NO_FORCE,
  FIT_STRETCH_NO_EXTENSION,
  FIT_STRETCH_NO_RISE
} fit_stretch_part_outcome;
extern const char *const fit_stretch_part_outcome_text[];

typedef struct fit_stretch_part {
  fit_stretch_part_outcome outcome;
  size_t n_loading, n_unloading, n_outliers;
  size_t cycles;   /* upward branches; the first one counts */
  double slack_m;  /* displacement at which the strain is 0; < 0: of a specimen that was tight before the first point */
  double length_m; /* gauge length there */
  double strain_max, force_max_N_per_m;
  double scatter_N_per_m; /* robust standard deviation of a point about its neighbours */
} fit_stretch_part;

typedef struct fit_stretch_outlier {
  size_t test, point; /* indices of the input */
  double displacement_m, force_N;
  double residual_N; /* from its neighbours */
  double times;      /* the scatter around there */
} fit_stretch_outlier;

typedef enum fit_stretch_outcome { FIT_STRETCH_OK, FIT_STRETCH_NO_CURVE, FIT_STRETCH_MANY_DIRECTIONS } fit_stretch_outcome;
extern const char *const fit_stretch_outcome_text[];

typedef struct fit_stretch_result {
  fit_stretch_outcome outcome;
  cb_stretch_law law;              /* cloth "" and id 0: the caller's */
  cb_stretch_moduli tensor, strip; /* both forms at moduli_strain */
  fit_stretch_part *parts;         /* one per input; owned */
  fit_stretch_outlier *outliers;   /* owned */
  size_t n_outliers;
} fit_stretch_result;

/* A number that is not finite is an error (CB_E_NUM), a test that says nothing an outcome. */
CB_CHECKED cb_status fit_stretch(const fit_stretch_input *inputs, size_t n, const fit_stretch_options *opt, fit_stretch_result *out,
                                 cb_err *err);
void fit_stretch_clear(fit_stretch_result *r);

#endif
