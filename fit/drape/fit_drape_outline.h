/* Private to fit/fit_drape*.c: the outline of one shape in an image of covers (0 to 1 per pixel). */
#ifndef FIT_DRAPE_OUTLINE_H
#define FIT_DRAPE_OUTLINE_H

#include "fit_drape.h"

typedef struct fit_outline {
  double area_px2, x_px, y_px;        /* centroid; pixel (i, j) covers [i, i + 1] x [j, j + 1], y downwards */
  double radius_px[FIT_DRAPE_ANGLES]; /* where a ray from the centroid leaves the shape for good; angles as in
                                         fit_drape */
} fit_outline;

/* CB_E_RANGE: there is no shape, or its centroid is outside of it. */
CB_CHECKED cb_status fit_outline_of(const float *cover, size_t width, size_t height, const char *name,
                                    fit_outline *o, cb_err *err);

#endif
