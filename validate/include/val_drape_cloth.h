/* A cloth as a drape sees it, and a drape as far as numbers describe it.
 *
 * At rest, only ratios of forces count: bending, shear and weight per area w = areal mass x gravity. With
 * discs whose sizes are given, a woven that hardly stretches is three numbers. Which of warp and weft is the
 * stiffer one does not show in a shadow whose threads' direction is not known: ratio and 1 / ratio are the
 * same drape. */
#ifndef VAL_DRAPE_CLOTH_H
#define VAL_DRAPE_CLOTH_H

#include "val_drape.h"

typedef struct val_drape_cloth {
  double bending_m; /* bending length (B / w)^(1/3), B = sqrt(B_warp B_weft) */
  double ratio;     /* B_warp / B_weft */
  double shear_m;   /* G / w, G the shear force per width over the shear angle */
} val_drape_cloth;

typedef enum val_drape_sign {
  VAL_DRAPE_COEFFICIENT,
  VAL_DRAPE_NODES,
  VAL_DRAPE_AMPLITUDE,  /* [m], as in fit_drape */
  VAL_DRAPE_ELONGATION, /* of the outline r(phi): its second harmonic over its mean */
  VAL_DRAPE_SIGNS
} val_drape_sign;
extern const char *const val_drape_sign_names[]; /* "drape_coefficient", "nodes", "amplitude_m", "elongation",
                                                    NULL */

void val_drape_signs(const fit_drape *d, double sign[VAL_DRAPE_SIGNS]);
/* The share of waves k times around in an outline at n equidistant angles: amplitude over mean. */
double val_drape_harmonic(const double *radius_m, int n, int k);

#endif
