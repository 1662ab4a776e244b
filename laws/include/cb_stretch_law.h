/* The stretch law of one cloth: force per width of a strip by strain and direction.
 *
 * A tested direction is a curve. Its knots are strain (extension over the slack-free gauge length) and
 * nominal force per width, from (0, 0) on, never falling. Between knots lies the shape-preserving cubic of
 * Fritsch & Butland (SIAM J. Sci. Stat. Comput. 5, 1984), beyond the last knot a straight line. Another
 * direction follows from the secant compliances S = strain / force per width of the tested ones at that
 * strain (cb_stretch_form.h). Warp and weft are taken as axes of symmetry: angles fold into 0 to 90 degrees.
 *
 * Curves for finite elements: cb_stretch_green.h. The table of Wang et al. 2011: cb_stretch_wang.h.
 * docs/method/stretch.md is the page. */
#ifndef CB_STRETCH_LAW_H
#define CB_STRETCH_LAW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cb_err.h"
#include "cb_origin.h"
#include "cb_stretch_wang.h"

/* Where one number stands for a curve, it is the secant stiffness at this strain. */
#define CB_STRETCH_SECANT_STRAIN 0.02
#define CB_STRETCH_MAX_KNOTS 33
#define CB_STRETCH_MAX_DIRECTIONS 12
#define CB_STRETCH_SAME_DEG 0.5 /* directions closer than this are the same */

typedef struct cb_stretch_knot {
  double strain, force_N_per_m;
  double u_N_per_m;  /* standard uncertainty of the mean curve, without u_force_rel, u_strain_rel */
  double sd_N_per_m; /* between specimens; NAN: only one was tested */
} cb_stretch_knot;

/* The figures of a KES-FB1 tensile test (Kawabata), means over the specimens; NAN: not known. */
typedef struct cb_stretch_kes {
  double load_N_per_m;               /* at which emt, wt and lt are read */
  double emt, u_emt;                 /* strain there */
  double wt_J_per_m2, u_wt_J_per_m2; /* area under the loading curve [N m/m2] */
  double lt, u_lt;                   /* wt over the area of the triangle */
  double rt, u_rt;        /* area under the unloading curve over that under the loading curve, whole cycle */
  double rt_load_N_per_m; /* peak of the cycle behind rt */
} cb_stretch_kes;

typedef struct cb_stretch_direction {
  double angle_deg; /* 0 = warp, 90 = weft */
  size_t n_tests;
  double dof; /* of u and sd */
  size_t n_knots;
  cb_stretch_knot knots[CB_STRETCH_MAX_KNOTS]; /* the first is at (0, 0) */
  /* Force per width = k1 e + k3 e^3, e = strain; both >= 0 (docs/method/stretch.md, "k and lambda"). */
  double k1_N_per_m, u_k1_N_per_m, k3_N_per_m, u_k3_N_per_m;
  double cubic_misfit_rel; /* rms over the knots, relative to the largest force */
  cb_stretch_kes kes;
} cb_stretch_direction;

/* How the compliance depends on the direction (cb_stretch_form.h). */
typedef enum cb_stretch_form {
  CB_STRETCH_TENSOR, /* S = S1 c^4 + B s^2 c^2 + S2 s^4: the orthotropic sheet */
  CB_STRETCH_STRIP   /* sqrt S = sqrt(S1) c^2 + b |s c| + sqrt(S2) s^2: a strip of cut yarns */
} cb_stretch_form;
extern const char *const cb_stretch_form_names[]; /* "tensor", "strip", NULL */

struct cb_stretch_law {
  int64_t id; /* row in the store; 0 if not stored */
  char cloth[64];
  cb_origin origin;
  size_t n;                                                   /* directions */
  cb_stretch_direction directions[CB_STRETCH_MAX_DIRECTIONS]; /* ascending */
  cb_stretch_form form;
  bool form_tested; /* true: four or more directions decided the form; false: the strips' shape did */
  double u_force_rel, u_strain_rel; /* relative, that all curves share: calibrations */
  bool has_wang;                    /* `wang` holds: the law was imported as a table; n may be 0 */
  cb_stretch_wang wang;
};

/* Checks what the other functions assume: a direction or a table, angles in 0 to 90 and ascending, knots
 * ascending, uncertainties >= 0.
 * Errors: CB_E_RANGE. */
CB_CHECKED cb_status cb_stretch_law_check(const cb_stretch_law *law, cb_err *err);

/* Folds any angle into 0 to 90 degrees. */
double cb_stretch_fold_deg(double angle_deg);
/* Returns the curve of a direction, or NULL if it was not tested. The curve belongs to the law. */
const cb_stretch_direction *cb_stretch_find(const cb_stretch_law *law, double angle_deg);

/* Returns the force per width [N/m] of one direction at a strain >= 0. slope_N_per_m receives its derivative
 * by the strain and may be NULL. */
double cb_stretch_curve(const cb_stretch_direction *d, double strain, double *slope_N_per_m);
/* Returns the strain of the last knot. */
double cb_stretch_strain_max(const cb_stretch_direction *d);

typedef enum cb_stretch_basis {
  CB_STRETCH_BY_CURVE, /* the direction was tested */
  CB_STRETCH_BY_FORM,  /* by the form, from the other directions */
  CB_STRETCH_BY_TABLE, /* by Wang's table; the uncertainty is not known */
  CB_STRETCH_BY_NOTHING
} cb_stretch_basis;
extern const char *const cb_stretch_basis_names[]; /* "curve", "form", "table", "nothing", NULL */

typedef struct cb_stretch_value {
  cb_stretch_basis basis;
  double force_N_per_m;
  double u_N_per_m;      /* standard uncertainty of the cloth's mean, all parts */
  double u_form_N_per_m; /* part of u_N_per_m: uncertainty of the form */
  double sd_N_per_m;     /* between specimens; NAN: not known */
  double slope_N_per_m;
  double dof;                 /* of u_N_per_m; may be INFINITY */
  bool inside_measured_range; /* of strain, in every direction used */
} cb_stretch_value;

/* Evaluates the law in any direction at a strain >= 0. out->basis is CB_STRETCH_BY_NOTHING, and all numbers
 * are NAN, for an untested direction without a form (three usable directions) or a table. */
void cb_stretch_eval(const cb_stretch_law *law, double angle_deg, double strain, cb_stretch_value *out);

/* Computes (k, lambda) of a particle cloth whose triangles store the energy k C^2/2 + lambda C^4/4, C = a e.
 * A triangle of area A stores A (k1 e^2/2 + k3 e^4/4), so that k = k1 A/a^2 and lambda = k3 A/a^4. With a = A
 * (Baraff & Witkin 1998) k is in N/m3 and lambda in N/m7. With a = sqrt(A) k is in N/m and lambda in N/m3. */
void cb_stretch_k_lambda(const cb_stretch_direction *d, double area_m2, double a, double *k, double *lambda);

/* Returns the strain, 0 to about 10, at a force per width >= 0 [N/m]; NAN if the force is not reached. */
double cb_stretch_strain(const cb_stretch_law *law, double angle_deg, double force_N_per_m);

#endif
