/* Inside the fit of bending: tests -> what each says (fit_bending_reduce.c, fit_bending_buckled.c) ->
 * directions and law (fit_bending_law.c), forms over the direction (fit_bending_form.c), tests of assumptions
 * (fit_bending_tests.c). */
#ifndef FIT_BENDING_IMPL_H
#define FIT_BENDING_IMPL_H

#include "fit_bending.h"
#include "fit_elastica.h"

/* Assumed where the data are silent; docs/method/bending.md says where each comes from. */
#define FIT_BENDING_TYPICAL_SCATTER 0.10
#define FIT_BENDING_TYPICAL_SCATTER_DOF 2
#define FIT_BENDING_TYPICAL_LN_RATIO 0.39 /* rms of ln sqrt(B1 / B2) */
#define FIT_BENDING_U_BETWEEN 0.106       /* of B 22.5 degrees from its neighbours: the walk of stretch */
#define FIT_BENDING_U_EXPONENT 0.45
#define FIT_BENDING_U_REL_GRAVITY 0.0015 /* 9.780 to 9.832 m/s2 over the Earth, rectangular */

/* Result of one side (0: face, curvature above 0; 1: back) of one test. */
typedef struct fit_bending_side {
  size_t n; /* points of cantilevers, loading branches; 0: not tested */
  double B_Nm, peirce_Nm;
  double u_rel;              /* of B, of this test alone: digits, scatter about the line */
  double width_N, u_width_N; /* 2HB; NAN: not measured */
} fit_bending_side;

/* B at one curvature. */
typedef struct fit_bending_sample {
  size_t test;
  int side;
  double curvature_per_m, B_Nm;
  double lever; /* overhang [m] or curvature [1/m], as set by the operator */
} fit_bending_sample;

typedef struct fit_bending_reading {
  fit_bending_defect defect;
  fit_bending_side side[2];
  double density_kg_per_m2;
  double angle_slope_per_rad; /* d ln B / d chord angle, mean over the points; 0: no cantilever */
  double u_angle_rad;         /* that all tests share */
} fit_bending_reading;

typedef struct fit_bending_samples {
  fit_bending_sample *list; /* owned */
  size_t n, cap;
} fit_bending_samples;

/* Appends one sample. */
CB_CHECKED cb_status fit_bending_push(fit_bending_samples *s, fit_bending_sample sample, cb_err *err);

/* As fit_bending_read, of a buckled strip whose points are finite. */
CB_CHECKED cb_status fit_bending_read_buckled(const fit_bending_input *in, size_t number,
                                              const fit_bending_options *opt, fit_bending_reading *out,
                                              fit_bending_samples *samples, cb_err *err);

/* Appends the test's samples under its number. */
CB_CHECKED cb_status fit_bending_read(const fit_bending_input *in, size_t number,
                                      const fit_bending_options *opt, fit_bending_reading *out,
                                      fit_bending_samples *samples, cb_err *err);

/* The tests of one specimen in one direction. */
typedef struct fit_bending_specimen {
  double B_Nm, peirce_Nm, length_m; /* means over its sides */
  double width_N, u_width_N;        /* u of its tests alone */
  double side_Nm[2];                /* NAN: not tested */
  double var_rel;                   /* of B, of its tests alone */
  size_t direction;
} fit_bending_specimen;

typedef struct fit_bending_job {
  const fit_bending_input *in;
  size_t n;
  fit_bending_reading *readings;   /* owned */
  size_t *owner;                   /* owned; specimen of a test; SIZE_MAX: unused */
  fit_bending_specimen *specimens; /* owned */
  size_t n_specimens;
  fit_bending_samples samples; /* owned */
} fit_bending_job;

/* The scatter of repeats includes that of their digits, which are added to an assumed scatter only. Equal
 * specimens keep the uncertainty of a single test. */
double fit_bending_mean_var_rel(const fit_bending_job *j, const fit_bending_result *r, size_t direction);
/* fit_bending_tests.c: isotropy, sides, constancy and the law's exponent; the directions are filled, the
 * scatter is pooled. */
CB_CHECKED cb_status fit_bending_test(const fit_bending_job *j, fit_bending_result *r, cb_err *err);

/* Fills all of the result but its outcome; the directions' angles are set before. */
CB_CHECKED cb_status fit_bending_law_make(const fit_bending_job *j, const fit_bending_options *opt,
                                          fit_bending_result *r, cb_err *err);

/* Mean B in one direction, and its relative variance. */
typedef struct fit_bending_mean {
  double angle_rad, B_Nm, var_rel;
} fit_bending_mean;

typedef struct fit_bending_form {
  double B_Nm[3], cov_N2m2[3][3];
  double square;       /* weighted sum of squared departures of ln B */
  int constants, held; /* held: of these, by what published cloths show */
} fit_bending_form;

/* Weighted least squares of ln B. Constants that the directions do not determine are held at the values of
 * published cloths. */
void fit_bending_form_make(cb_bending_form form, const fit_bending_mean *m, size_t n, fit_bending_form *out);

/* 0 < chord_rad <= FIT_ELASTICA_MAX_CHORD_RAD; relative error below 1e-11. */
fit_elastica fit_elastica_of_chord(double chord_rad);

/* What Peirce's formula takes for the load at this angle: 8 tan(chord) / cos(chord / 2) (J. Text. Inst. 21,
 * T377, 1930). */
double fit_elastica_peirce_load(double chord_rad);

#endif
