/* The bending law of one cloth: flexural rigidity B = bending moment per width / curvature [N m], by
 * direction and curvature. The direction is that in which a strip is cut and bends (0 = warp, 90 = weft).
 *
 *   orthotropic  B = B1 c^4 + 2 H s^2 c^2 + B2 s^4          thin orthotropic plate
 *   peirce       1 / sqrt B = c^2 / sqrt B1 + s^2 / sqrt B2 Peirce (J. Text. Inst. 21, T377, 1930)
 *   isotropic    B1 = H = B2
 *   table        the table of Wang et al. 2011 as ARCSim reads it (below)
 *
 * with c, s the cosine and sine of the direction. In Cooper (J. Text. Inst. 51, T317, 1960) 2 H is the
 * twisting stiffness of the yarns. Peirce's form has no third constant.
 *
 * B depends on the curvature K as B ~ |K|^exponent within the measured curvatures, and is constant beyond
 * their ends. Half the hysteresis width is the moment per width by which friction resists a change of
 * curvature. docs/method/bending.md is the page. */
#ifndef CB_BENDING_LAW_H
#define CB_BENDING_LAW_H

#include <stdbool.h>

#include "cb_err.h"

typedef enum cb_bending_form {
  CB_BENDING_ISOTROPIC,
  CB_BENDING_PEIRCE,
  CB_BENDING_ORTHOTROPIC,
  CB_BENDING_TABLE
} cb_bending_form;
extern const char *const cb_bending_form_names[]; /* "isotropic", "peirce", "orthotropic", "table", NULL */

/* The table "bending" of ARCSim's material files (Wang, O'Brien, Ramamoorthi, ACM TOG 30(4):71, 2011). Row r
 * is the stiffness of edges at 45 r degrees to the cloth's u axis (warp); an edge resists curvature across
 * itself. Sample k holds at the curvature k times CB_BENDING_WANG_STEP_PER_M. B = entry / 4: see
 * cb_bending_bridson_Nm. */
#define CB_BENDING_WANG_ROWS 3
#define CB_BENDING_WANG_SAMPLES 5
#define CB_BENDING_WANG_STEP_PER_M 10.0
#define CB_BENDING_WANG_FACTOR 4.0
typedef struct cb_bending_wang {
  double ke_Nm[CB_BENDING_WANG_ROWS][CB_BENDING_WANG_SAMPLES];
} cb_bending_wang;

/* What B is at curvature_per_m: the moment over the curvature (cantilevers, drapes), or the slope of the
 * moment (KES-FB2). Friction in bending makes them differ (cb_bending_loading.h). */
typedef enum cb_bending_reading { CB_BENDING_SECANT, CB_BENDING_SLOPE } cb_bending_reading;
extern const char *const cb_bending_reading_names[]; /* "secant", "slope", NULL */

typedef struct cb_bending_law {
  cb_bending_form form;
  cb_bending_reading B_is;
  double B_Nm[3];         /* B1, H, B2; all equal where isotropic; peirce ignores H */
  double cov_N2m2[3][3];  /* covariance of B_Nm, without u_rel_common */
  double u_rel_common;    /* relative standard uncertainty that all directions share: calibrations, weight */
  double u_rel_between;   /* of B, of a walk half way between 0, 45 and 90 degrees where no form was tested */
  double dof;             /* effective degrees of freedom behind both; may be INFINITY */
  double curvature_per_m; /* at which B1, H, B2 hold */
  double curvature_min_per_m, curvature_max_per_m; /* ends of the measured curvatures */
  double exponent, u_exponent;                     /* d ln B / d ln K; 0: no dependence was found */
  /* 2HB, the width of the moment's hysteresis, along warp and weft; NAN: not measured */
  double width_N[2], u_width_N[2];
  cb_bending_wang wang; /* used by the form `table` only, which ignores all members above but `form` */
} cb_bending_law;

typedef struct cb_bending_value {
  double B_Nm, u_B_Nm; /* u: standard uncertainty; NAN: not known */
  double dof;
  double width_N, u_width_N;  /* 2HB; NAN: not known */
  bool inside_measured_range; /* of curvature */
} cb_bending_value;

/* Checks what the other functions assume: finite numbers, B > 0 in every direction, curvatures > 0 and
 * ascending.
 * Errors: CB_E_RANGE; CB_E_NUM where the covariance is not finite. */
CB_CHECKED cb_status cb_bending_law_check(const cb_bending_law *law, cb_err *err);

/* Evaluates B, its uncertainty and the hysteresis width in any direction at a curvature; its sign does not
 * count. curvature_per_m = NAN means the law's own curvature_per_m, for a table the middle of its
 * curvatures. */
void cb_bending_eval(const cb_bending_law *law, double angle_rad, double curvature_per_m,
                     cb_bending_value *out);

/* Returns B [N m] of a form in a direction, at the curvature where B_Nm holds. gradient receives the
 * derivatives by B1, H and B2 and may be NULL. form must not be CB_BENDING_TABLE. */
double cb_bending_form_B(cb_bending_form form, const double B_Nm[3], double angle_rad, double gradient[3]);

/* H / sqrt(B1 B2) where no bias was tested: of Peirce's B at 45 degrees, but > -1. Its u. */
double cb_bending_peirce_twist(double ln_root_ratio); /* ln sqrt(B1 / B2) */
#define CB_BENDING_U_TWIST 1.0

/* ---- for simulators ---- */

/* Plate stiffness D [N m]: moments per width (M11, M22, M12) = D (K11, K22, 2 K12); 1 = warp, 2 = weft.
 * Strips determine only B1, B2 and H = D12 + 2 D33. D12 and D33 trade off against each other through the
 * Gaussian curvature, which is zero in cloth that does not stretch. D12 is chosen so that D is positive
 * definite: 0 where H >= sqrt(B1 B2), else (H - sqrt(B1 B2)) / 2. The law is taken at its own
 * curvature_per_m. */
void cb_bending_shell(const cb_bending_law *law, double D_Nm[3][3]);

/* Evaluates the law at the directions and curvatures of ARCSim's table. */
void cb_bending_wang_of(const cb_bending_law *law, cb_bending_wang *out);

#endif
