/* The law of bending of one cloth: flexural rigidity B = bending moment per width / curvature [N m], by the direction in which a strip is
 * cut and bends (0 = warp, 90 = weft).
 *
 *   orthotropic  B = B1 c^4 + 2 H s^2 c^2 + B2 s^4          thin orthotropic plate; with Cooper (J. Text. Inst. 51, T317, 1960) 2 H is
 *                                                           the twisting stiffness of the yarns
 *   peirce       1 / sqrt B = c^2 / sqrt B1 + s^2 / sqrt B2 Peirce (J. Text. Inst. 21, T377, 1930): no third constant
 *   table        as ARCSim reads the table of Wang et al. 2011 (below)
 *
 * B may also depend on the curvature: B ~ |K|^exponent within the curvatures that were measured, as at their ends beyond. Half the
 * hysteresis width is the moment that friction holds against a change of curvature. docs/bending.md is the page. */
#ifndef CB_BENDING_LAW_H
#define CB_BENDING_LAW_H

#include <stdbool.h>

#include "cb_err.h"

typedef enum cb_bending_form { CB_BENDING_ISOTROPIC, CB_BENDING_PEIRCE, CB_BENDING_ORTHOTROPIC, CB_BENDING_TABLE } cb_bending_form;
extern const char *const cb_bending_form_names[]; /* "isotropic", "peirce", "orthotropic", "table", NULL */

/* "bending" in ARCSim's material files (Wang, O'Brien, Ramamoorthi, ACM TOG 30(4):71, 2011): stiffness of edges along the cloth's u axis,
 * at 45 degrees, along v - each resists curvature across itself - at five curvatures. B = entry / 4: see cb_bending_edge below. */
#define CB_BENDING_WANG_ROWS 3
#define CB_BENDING_WANG_SAMPLES 5
#define CB_BENDING_WANG_STEP_PER_M 10.0 /* curvature from sample to sample; the first is at 0 */
#define CB_BENDING_WANG_FACTOR 4.0
typedef struct cb_bending_wang {
  double ke_Nm[CB_BENDING_WANG_ROWS][CB_BENDING_WANG_SAMPLES];
} cb_bending_wang;

typedef struct cb_bending_law {
  cb_bending_form form;
  double B_Nm[3];                                  /* B1, H, B2; all equal where isotropic; H does not count in peirce */
  double cov_N2m2[3][3];                           /* of these, without what all directions share */
  double u_rel_common;                             /* relative standard uncertainty that all directions share: calibrations, weight */
  double dof;                                      /* effective degrees of freedom behind both; may be INFINITY */
  double curvature_per_m;                          /* at which B1, H, B2 hold ... */
  double curvature_min_per_m, curvature_max_per_m; /* ... of those that were measured */
  double exponent, u_exponent;                     /* of B over curvature; 0: not told from a constant */
  double width_N[2], u_width_N[2];                 /* 2HB, the width of the moment's hysteresis, along warp and weft; NAN: not measured */
  cb_bending_wang wang;                            /* form table; all else is then unknown */
} cb_bending_law;

typedef struct cb_bending_value {
  double B_Nm, u_B_Nm; /* standard uncertainty; NAN: not known */
  double dof;
  double width_N, u_width_N;  /* 2HB; NAN: not known */
  bool inside_measured_range; /* of curvature */
} cb_bending_value;

/* Checks what the others assume: everything finite, B > 0 in every direction. */
CB_CHECKED cb_status cb_bending_law_check(const cb_bending_law *law, cb_err *err);

/* curvature_per_m NAN: where B1, H, B2 hold. */
void cb_bending_eval(const cb_bending_law *law, double angle_rad, double curvature_per_m, cb_bending_value *out);

/* B of the form and its derivatives after B1, H, B2; not for tables. gradient may be NULL. */
double cb_bending_form_B(cb_bending_form form, const double B_Nm[3], double angle_rad, double gradient[3]);

/* ---- where the hysteresis was not measured ---- */

/* 2HB over B [1/m], a fabric's, as published tables have it: geometric mean, and the standard uncertainty of its logarithm for one further
 * fabric, scatter and mean together. docs/bending.md names the tables. */
typedef struct cb_bending_hysteresis {
  double width_over_B_per_m, u_ln, dof;
} cb_bending_hysteresis;
cb_bending_hysteresis cb_bending_hysteresis_relation(void);

/* ---- for simulators ---- */

/* Moment per width (M11, M22, M12) = D (K11, K22, 2 K12). Strips only show B1, B2 and H = D12 + 2 D33: D12 and D33 trade off against each
 * other through the Gaussian curvature, which cloth that does not stretch keeps at zero. Chosen positive definite: D12 = 0 where H >=
 * sqrt(B1 B2), else (H - sqrt(B1 B2)) / 2. */
void cb_bending_shell(const cb_bending_law *law, double D_Nm[3][3]);

/* The law as that table. */
void cb_bending_wang_of(const cb_bending_law *law, cb_bending_wang *out);

#endif
