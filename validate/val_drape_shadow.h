/* What a lamp above a drape throws a shadow of. */
#ifndef VAL_DRAPE_SHADOW_H
#define VAL_DRAPE_SHADOW_H

#include "fit_drape.h"
#include "sim_mesh.h"

/* The simulated surface is the middle of the cloth; light is stopped by its two sides, half the thickness out
 * along the normals. fit_shadow_clear in any case. */
CB_CHECKED cb_status val_drape_shadow(const sim_mesh *mesh, const double (*x_m)[3], double thickness_m,
                                      fit_shadow *out, cb_err *err);

#endif
