/* The law of stretch of one cloth: what force per width a strip of it takes at what strain, in which direction.
 *
 * A direction that was tested is a curve: knots of strain (extension over the slack-free gauge length) and nominal force per width, from
 * (0, 0) on, never falling, with the shape-preserving cubic between them (Fritsch & Butland, SIAM J. Sci. Stat. Comput. 5, 1984) and a
 * straight line beyond the last. A direction between those that were tested follows from their secant compliances S = strain / force per
 * width at that strain (cb_stretch_form.h). Warp and weft are taken to be axes of symmetry: angles fold into 0 to 90 degrees.
 *
 * Curves for finite elements: cb_stretch_green.h. The table of Wang et al. 2011: cb_stretch_wang.h. docs/stretch.md is the page. */
#ifndef CB_STRETCH_LAW_H
#define CB_STRETCH_LAW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cb_err.h"
#include "cb_origin.h"
#include "cb_stretch_wang.h"

#define CB_STRETCH_MAX_KNOTS 33
#define CB_STRETCH_MAX_DIRECTIONS 12
#define CB_STRETCH_SAME_DEG 0.5 /* directions nearer than this are one */

typedef struct cb_stretch_knot {
  double strain, force_N_per_m;
  double u_N_per_m;  /* standard uncertainty of the mean curve, without what all curves share */
  double sd_N_per_m; /* of one specimen from another; NAN: only one was tested */
} cb_stretch_knot;

/* The figures of a KES-FB1 tensile test (Kawabata), means over the specimens; NAN: not known. */
typedef struct cb_stretch_kes {
  double load_N_per_m;               /* at which they are read */
  double emt, u_emt;                 /* strain there */
  double wt_J_per_m2, u_wt_J_per_m2; /* area under the loading curve: N m/m2 */
  double lt, u_lt;                   /* WT over the area of the triangle */
  double rt, u_rt;                   /* area under the unloading curve over WT, of the whole cycle */
  double rt_load_N_per_m;            /* peak of that cycle */
} cb_stretch_kes;

typedef struct cb_stretch_direction {
  double angle_deg; /* 0 = warp, 90 = weft */
  size_t n_tests;
  double dof; /* of u and sd */
  size_t n_knots;
  cb_stretch_knot knots[CB_STRETCH_MAX_KNOTS]; /* the first is at (0, 0) */
  /* force per width = k1 e + k3 e^3, e = strain; both >= 0: docs/stretch.md, "k and lambda" */
  double k1_N_per_m, u_k1_N_per_m, k3_N_per_m, u_k3_N_per_m;
  double cubic_misfit_rel; /* rms over the knots, of the largest force */
  cb_stretch_kes kes;
} cb_stretch_direction;

/* How the compliance depends on the direction. */
typedef enum cb_stretch_form {
  CB_STRETCH_TENSOR, /* S = S1 c^4 + B s^2 c^2 + S2 s^4: the orthotropic sheet */
  CB_STRETCH_STRIP   /* sqrt S = sqrt(S1) c^2 + b |s c| + sqrt(S2) s^2: a strip whose yarns end at its cut edges */
} cb_stretch_form;
extern const char *const cb_stretch_form_names[]; /* "tensor", "strip", NULL */

struct cb_stretch_law {
  int64_t id; /* row in the store; 0 if not stored */
  char cloth[64];
  cb_origin origin;
  size_t n;                                                   /* directions */
  cb_stretch_direction directions[CB_STRETCH_MAX_DIRECTIONS]; /* ascending */
  cb_stretch_form form;
  bool form_tested;                 /* four directions or more decided; else the strips' shape did */
  double u_force_rel, u_strain_rel; /* relative standard uncertainty that all curves share: calibrations */
  bool has_wang;                    /* imported as that table; n may be 0 */
  cb_stretch_wang wang;
};

/* Checks what the others assume. */
CB_CHECKED cb_status cb_stretch_law_check(const cb_stretch_law *law, cb_err *err);

/* 0 to 90. */
double cb_stretch_fold_deg(double angle_deg);
/* The curve of the direction, if it was tested; else NULL. */
const cb_stretch_direction *cb_stretch_find(const cb_stretch_law *law, double angle_deg);

/* Force per width of one direction at strain >= 0; *slope may be NULL. */
double cb_stretch_curve(const cb_stretch_direction *d, double strain, double *slope_N_per_m);
double cb_stretch_strain_max(const cb_stretch_direction *d);

typedef enum cb_stretch_basis {
  CB_STRETCH_BY_CURVE, /* the direction was tested */
  CB_STRETCH_BY_FORM,  /* from the others */
  CB_STRETCH_BY_TABLE, /* of Wang: no uncertainty is known, and what was measured neither */
  CB_STRETCH_BY_NOTHING
} cb_stretch_basis;
extern const char *const cb_stretch_basis_names[]; /* "curve", "form", "table", "nothing", NULL */

typedef struct cb_stretch_value {
  cb_stretch_basis basis;
  double force_N_per_m;
  double u_N_per_m;      /* standard uncertainty of the cloth's mean, everything in it */
  double u_form_N_per_m; /* of which: what the form does not know about the direction */
  double sd_N_per_m;     /* of one specimen from another; NAN: not known */
  double slope_N_per_m;
  double dof;                 /* of u; at most INFINITY */
  bool inside_measured_range; /* of strain, in every direction that went in */
} cb_stretch_value;

/* At strain >= 0. BY_NOTHING, and all numbers NAN, where that direction was not tested and no three directions can tell. */
void cb_stretch_eval(const cb_stretch_law *law, double angle_deg, double strain, cb_stretch_value *out);

/* The (k, lambda) of a particle cloth whose triangles store the energy k C^2/2 + lambda C^4/4 with C = a e: a triangle of area A holds
 * A (k1 e^2/2 + k3 e^4/4), so that k = k1 A/a^2 and lambda = k3 A/a^4. Where a is the triangle's area (Baraff & Witkin 1998): k [N/m3],
 * lambda [N/m7]; where it is its root: k [N/m], lambda [N/m3]. */
void cb_stretch_k_lambda(const cb_stretch_direction *d, double area_m2, double a, double *k, double *lambda);

/* The strain at a force per width >= 0 in [0, 10]; NAN where the force is not reached. */
double cb_stretch_strain(const cb_stretch_law *law, double angle_deg, double force_N_per_m);

#endif
