/* The shadow of a simulated drape under a lamp above it. */
#ifndef VAL_DRAPE_SHADOW_H
#define VAL_DRAPE_SHADOW_H

#include "fit_drape.h"
#include "sim_mesh.h"

/* Makes the shadow of a mesh at x_m. The mesh is the middle surface of the cloth; light is stopped by its
 * two sides, half the thickness out along the normals. Call fit_shadow_clear in any case. Error: memory. */
CB_CHECKED cb_status val_drape_shadow(const sim_mesh *mesh, const double (*x_m)[3], double thickness_m,
                                      fit_shadow *out, cb_err *err);

#endif
