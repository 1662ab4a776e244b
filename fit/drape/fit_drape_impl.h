/* From a picture to the outline of the shadow, private to fit/drape/. */
#ifndef FIT_DRAPE_IMPL_H
#define FIT_DRAPE_IMPL_H

#include <stddef.h>

#include "fit_drape.h"
#include "fit_picture.h"

/* A picture in which the shadow differs from its surroundings. CB_E_RANGE, in a sentence that begins with
 * name: no contrast, no shape, one that touches the border, several of them. fit_shadow_clear in any case. */
CB_CHECKED cb_status fit_drape_silhouette(const fit_picture *p, const char *name, const fit_drape_setup *q,
                                          fit_shadow *out, cb_err *err);

/* Private to fit/fit_drape*.c: the outline of one shape in an image of covers (0 to 1 per pixel). */

typedef struct fit_outline {
  double area_px2, x_px, y_px;        /* centroid; pixel (i, j) covers [i, i + 1] x [j, j + 1], y downwards */
  double radius_px[FIT_DRAPE_ANGLES]; /* where a ray from the centroid leaves the shape for good; angles as in
                                         fit_drape */
} fit_outline;

/* CB_E_RANGE: there is no shape, or its centroid is outside of it. */
CB_CHECKED cb_status fit_outline_of(const float *cover, size_t width, size_t height, const char *name,
                                    fit_outline *o, cb_err *err);

/* Private to fit/fit_drape*.c: grey levels in two classes, or in three where there clearly are three. */

typedef struct fit_levels {
  int n;            /* classes: 2 or 3 */
  int threshold[2]; /* first level of the second and of the third class */
} fit_levels;

/* Thresholds of least variance within the classes: N. Otsu, IEEE Trans. Syst. Man Cybern. 9(1):62, 1979.
 * Three, where that leaves less than a quarter of the variance that two leave, and each has 3 % of the
 * pixels. */
fit_levels fit_levels_of(const unsigned char *grey, size_t n);
int fit_level_class(const fit_levels *l, unsigned char grey);
/* The level below which half of a histogram lies; -1: it is empty. */
int fit_level_median(const size_t histogram[256]);

/* Nodes of an outline given at n equidistant angles, prominences [m] >= least. height_m: their mean height
 * over the valleys beside them. */
int fit_drape_nodes(const double *radius_m, size_t n, double least_m, double *height_m);

#endif
