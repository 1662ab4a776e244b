/* Curves for the finite elements of Volino, Magnenat-Thalmann, Faure (ACM TOG 28(4):105, 2009): warp, weft and shear each a function of its
 * own component of the Green-Lagrange strain, E = (F^T F - 1)/2, giving that component of the second Piola-Kirchhoff stress per width
 * [N/m].
 *
 * Warp and weft, from a curve P(e): E = e + e^2/2, S = P/(1 + e).
 * Shear, from a strip at 45 degrees whose edges are free: S_xx = P/(1 + e) is the only stress, so that S_uu = S_vv = S_uv = S_xx/2, and
 * E_xx = (E_uu + E_vv)/2 + E_uv, hence E_uv = E_xx - (E_uu(S_xx/2) + E_vv(S_xx/2))/2. The shear angle is about 2 E_uv. */
#ifndef CB_STRETCH_GREEN_H
#define CB_STRETCH_GREEN_H

#include "cb_stretch_law.h"

typedef enum cb_stretch_axis { CB_STRETCH_WARP, CB_STRETCH_WEFT, CB_STRETCH_SHEAR } cb_stretch_axis;
extern const char *const cb_stretch_axis_names[]; /* "warp", "weft", "shear", NULL */

typedef struct cb_stretch_green {
  size_t n; /* 0: not to be had, else >= 2; the first is (0, 0), both ascend */
  double strain[CB_STRETCH_MAX_KNOTS], stress_N_per_m[CB_STRETCH_MAX_KNOTS], u_N_per_m[CB_STRETCH_MAX_KNOTS];
} cb_stretch_green;

/* n = 0 where warp, weft or, for shear, 45 degrees was not tested, or where the cloth is no softer on the bias than along its yarns. */
void cb_stretch_green_curve(const cb_stretch_law *law, cb_stretch_axis axis, cb_stretch_green *out);
/* The same of a table of Wang, each component alone: 8 points up to its last stretch, two beyond. Its uncertainty is not known: NAN. What
 * couples the components is left out: warp and weft by k12, all of them by the direction of the larger stretch. */
void cb_stretch_green_table(const cb_stretch_wang *w, cb_stretch_axis axis, cb_stretch_green *out);
#endif
