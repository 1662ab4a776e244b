/* Stretch curves for finite elements (Volino, Magnenat-Thalmann, Faure, ACM TOG 28(4):105, 2009). Warp, weft
 * and shear are each a function of their own component of the Green-Lagrange strain E = (F^T F - 1)/2. The
 * function's value is that component of the second Piola-Kirchhoff stress per width [N/m].
 *
 * Warp and weft, from a strip's curve P(e): E = e + e^2/2, S = P/(1 + e).
 *
 * Shear, from a strip at 45 degrees with free edges: S_xx = P/(1 + e) is the only stress, so that S_uu = S_vv
 * = S_uv = S_xx/2. With E_xx = (E_uu + E_vv)/2 + E_uv follows E_uv = E_xx - (E_uu(S_xx/2) + E_vv(S_xx/2))/2.
 * The shear angle is about 2 E_uv. */
#ifndef CB_STRETCH_GREEN_H
#define CB_STRETCH_GREEN_H

#include "cb_stretch_law.h"

typedef enum cb_stretch_axis { CB_STRETCH_WARP, CB_STRETCH_WEFT, CB_STRETCH_SHEAR } cb_stretch_axis;
extern const char *const cb_stretch_axis_names[]; /* "warp", "weft", "shear", NULL */

/* n points, strain and stress ascending from (0, 0). n is 0 (no curve) or at least 2. */
typedef struct cb_stretch_green {
  size_t n;
  double strain[CB_STRETCH_MAX_KNOTS], stress_N_per_m[CB_STRETCH_MAX_KNOTS], u_N_per_m[CB_STRETCH_MAX_KNOTS];
} cb_stretch_green;

/* Makes the curve of an axis from the law's tested directions. out->n = 0 where warp or weft, or for shear
 * also 45 degrees, was not tested. out->n = 0 also where the cloth is no softer on the bias than along its
 * yarns. */
void cb_stretch_green_curve(const cb_stretch_law *law, cb_stretch_axis axis, cb_stretch_green *out);
/* Makes the curve from a table of Wang, each component alone: 8 points up to the table's last stretch, two
 * beyond. u_N_per_m is NAN, as the uncertainty is not known. The coupling is lost: of warp and weft by k12,
 * and of all components by the direction of the larger stretch. */
void cb_stretch_green_table(const cb_stretch_wang *w, cb_stretch_axis axis, cb_stretch_green *out);
#endif
