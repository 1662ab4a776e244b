/* k and lambda of a particle cloth, from the measured curves of a cloth (docs/method/conditions.md). */
#ifndef LAB_PARTICLES_H
#define LAB_PARTICLES_H

#include <jansson.h>

#include "cb_store.h"

/* Of one direction. The condition is C = sqrt(A) e, A the area of a triangle, so that k is in N/m and lambda
 * in N/m3; u: standard uncertainties. */
typedef struct lab_stiffness {
  double angle_deg, k, u_k, lambda, u_lambda, misfit_rel;
} lab_stiffness;

typedef struct lab_particles {
  const char *cloth;
  double cell_m, area_m2; /* of a square cell, and of its two triangles each */
  size_t n;               /* warp and weft, as far as they have a curve k1 e + k3 e^3 */
  lab_stiffness of[2];
} lab_particles;

/* Sets *out for a mesh of square cells. Errors: CB_E_NOTFOUND without such a cloth or its law of stretch. */
CB_CHECKED cb_status lab_particles_of(cb_store *s, const char *cloth, double cell_m, lab_particles *out,
                                      cb_err *err);
/* Makes the document of docs/reference/json, "predict particles". Returns NULL without memory. */
json_t *lab_particles_json(const lab_particles *p);

#endif
