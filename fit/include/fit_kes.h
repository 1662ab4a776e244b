/* Laws out of the summary figures of a KES-F sheet: for cloths of which nobody kept the curves.
 *
 * Tensile (KES-FB1): at the load Fm the strain is EM, the area under the loading curve is WT, and
 * LT = WT / (Fm EM / 2). A curve of this EM and LT is F = Fm (e / EM)^p with p = 2 / LT - 1. Shear: G per
 * radian. Bending (KES-FB2): B between 0.5 and 1.5 1/cm, 2HB the width of the hysteresis.
 * Kawabata, The Standardization and Analysis of Hand Evaluation, 2nd ed., Textile Machinery Society of Japan,
 * Osaka 1980. docs/guide/import.md, "KES sheets". */
#ifndef FIT_KES_H
#define FIT_KES_H

#include <stdbool.h>

#include "cb_bending_law.h"
#include "cb_err.h"
#include "cb_stretch_law.h"

#define FIT_KES_LOAD_N_PER_M 490.3325 /* 500 gf/cm, the load of KES-FB1 */
/* Where nobody states it. docs/method/drape-prediction.md takes the same of typed numbers. */
#define FIT_KES_U_REL 0.1
#define FIT_KES_STRAIN 0.05 /* as far as a stiffness alone is trusted, if nobody says */

/* A number and its relative standard uncertainty; value NAN: not known. */
typedef struct fit_kes_number {
  double value, u_rel;
} fit_kes_number;

typedef struct fit_kes_tensile {
  fit_kes_number em, lt, rt;
  fit_kes_number wt;                /* [J/m2] */
  fit_kes_number stiffness_N_per_m; /* instead of em: the curve is straight */
} fit_kes_tensile;

typedef struct fit_kes {
  char cloth[64];
  double load_N_per_m;        /* Fm */
  double strain_max;          /* of a curve that is a stiffness alone */
  fit_kes_tensile tensile[2]; /* warp, weft */
  fit_kes_number shear_N_per_m;
  fit_kes_number bending_Nm[2], hysteresis_N[2]; /* B, 2HB; warp, weft */
} fit_kes;

/* Nothing is known; load and strain are those above. */
fit_kes fit_kes_unknown(void);

/* Whether the sheet has what the law wants: EM, WT and LT, or a stiffness, of both directions; B
 * of both. */
bool fit_kes_has_stretch(const fit_kes *k);
bool fit_kes_has_bending(const fit_kes *k);

/* WT replaces EM or LT where one of them is missing.
 * The curves of warp and weft, and with G that of a strip at 45 degrees, which the orthotropic sheet has if
 * Poisson's ratio is 0: 1/E45 = (1/E0 + 1/E90 + 1/G) / 4. No scatter between specimens is known.
 * Errors: CB_E_RANGE where no curve has these figures (LT outside 0 to 2; WT, EM and LT apart by more than
 * twice their uncertainty), those of cb_stretch_law_check. */
CB_CHECKED cb_status fit_kes_stretch(const fit_kes *k, cb_stretch_law *out, cb_err *err);

/* Peirce's form, which needs no third direction. Errors: those of cb_bending_law_check. */
CB_CHECKED cb_status fit_kes_bending(const fit_kes *k, cb_bending_law *out, cb_err *err);

#endif
