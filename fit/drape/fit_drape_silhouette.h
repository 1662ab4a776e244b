/* The shadow in a picture. */
#ifndef FIT_DRAPE_SILHOUETTE_H
#define FIT_DRAPE_SILHOUETTE_H

#include "fit_drape.h"
#include "fit_picture.h"

/* A picture in which the shadow differs from its surroundings. CB_E_RANGE, in a sentence that begins with
 * name: no contrast, no shape, one that touches the border, several of them. fit_shadow_clear in any case. */
CB_CHECKED cb_status fit_drape_silhouette(const fit_picture *p, const char *name, const fit_drape_setup *q,
                                          fit_shadow *out, cb_err *err);

#endif
