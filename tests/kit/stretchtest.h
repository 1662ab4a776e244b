/* What the tests of stretch share: tests made of a known force law, and those of measured tables. */
#ifndef STRETCHTEST_H
#define STRETCHTEST_H

#include "cb_num.h"
#include "cb_rng.h"
#include "cbtest.h"
#include "fit_stretch.h"

#define ST_MAX_TESTS 40
#define ST_MAX_POINTS 1200

typedef struct st_lab {
  size_t n;
  cb_material_test tests[ST_MAX_TESTS];
  cb_test_point points[ST_MAX_TESTS][ST_MAX_POINTS];
  fit_stretch_input inputs[ST_MAX_TESTS];
} st_lab;

/* A test without points: 100 mm long, 50 mm wide. */
static inline fit_stretch_input *st_add(st_lab *lab, double direction_deg) {
  assert_true(lab->n < ST_MAX_TESTS);
  size_t i = lab->n++;
  lab->tests[i] = (cb_material_test){.kind = CB_TEST_STRETCH,
                                     .specimen = "s",
                                     .direction_deg = direction_deg,
                                     .repeat = 1,
                                     .layers = 1,
                                     .length_m = 0.1,
                                     .width_m = 0.05,
                                     .temperature_degC = NAN,
                                     .origin = CB_VIRTUAL};
  lab->inputs[i] = (fit_stretch_input){&lab->tests[i], lab->points[i], 0};
  return &lab->inputs[i];
}

static inline void st_point(st_lab *lab, double displacement_m, double force_N) {
  fit_stretch_input *in = &lab->inputs[lab->n - 1];
  assert_true(in->n < ST_MAX_POINTS);
  lab->points[lab->n - 1][in->n++] = (cb_test_point){displacement_m, force_N};
}

/* force per width [N/m] at a strain */
typedef double st_law(double strain, const double *p);

/* A test of n even steps up to a strain. */
static inline void st_strip(st_lab *lab, double direction_deg, st_law *f, const double *p, double strain_max,
                            int n) {
  st_add(lab, direction_deg);
  for (int i = 0; i <= n; i++) {
    double e = strain_max * i / n;
    st_point(lab, 0.1 * e, 0.05 * f(e, p));
  }
}

static inline double st_cubic(double e, const double *p) { return p[0] * e + p[1] * e * e * e; }

static inline void st_fit(const st_lab *lab, fit_stretch_result *r) {
  fit_stretch_options opt = fit_stretch_options_default();
  assert_ok(fit_stretch(lab->inputs, lab->n, &opt, r, err));
  if (r->outcome == FIT_STRETCH_OK) assert_ok(cb_stretch_law_check(&r->law, err));
}

#endif
