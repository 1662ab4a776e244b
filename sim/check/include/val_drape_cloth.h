/* The numbers of a cloth that decide its drape, and the numbers (signs) that describe a drape.
 *
 * At rest, only ratios of forces matter: bending and shear over the weight per area w = areal mass x
 * gravity. With the sizes of the discs given, a woven that hardly stretches has three numbers. A shadow does
 * not show which of warp and weft is the stiffer, unless the direction of the threads is known: ratio and 1
 * / ratio drape alike. */
#ifndef VAL_DRAPE_CLOTH_H
#define VAL_DRAPE_CLOTH_H

#include "val_drape.h"

/* B is the moment over the curvature at VAL_DRAPE_BEND / bending length. Friction within the cloth is a part
 * of that moment (cb_bending_loading.h). With this curvature, that of cloth at the edge of the support, the
 * drape hardly depends on how large that part is (docs/method/drape-inverse.md). */
#define VAL_DRAPE_BEND 2.0
#define VAL_DRAPE_BEND_LITTLE 0.5

typedef struct val_drape_cloth {
  double bending_m; /* bending length (B / w)^(1/3), B = sqrt(B_warp B_weft) */
  double ratio;     /* B_warp / B_weft */
  double shear_m;   /* G / w, G the shear force per width over the shear angle */
  /* Moment over curvature at VAL_DRAPE_BEND_LITTLE / c over that at VAL_DRAPE_BEND / c, by friction within
   * the cloth. */
  double softening;
  double stretch_m; /* stretch stiffness over w, of warp and of weft alike */
} val_drape_cloth;

/* The stretch of wovens at the loads of a drape (M1, M2, M4 of docs/method/drape-measured.md have 350, 510
 * and 144 m). */
#define VAL_DRAPE_STRETCH_M 300.0

typedef enum val_drape_sign {
  VAL_DRAPE_COEFFICIENT,
  VAL_DRAPE_NODES,
  VAL_DRAPE_AMPLITUDE,  /* [m], as in fit_drape */
  VAL_DRAPE_ELONGATION, /* of the outline r(phi): its second harmonic over its mean */
  VAL_DRAPE_SIGNS
} val_drape_sign;
extern const char *const val_drape_sign_names[]; /* "drape_coefficient", "nodes", "amplitude_m", "elongation",
                                                    NULL */

/* Fills the signs of a reduced drape. */
void val_drape_signs(const fit_drape *d, double sign[VAL_DRAPE_SIGNS]);
/* Returns the amplitude of the k-th harmonic of an outline at n equidistant angles, over its mean radius. */
double val_drape_harmonic(const double *radius_m, int n, int k);

#endif
