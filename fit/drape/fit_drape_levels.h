/* Private to fit/fit_drape*.c: grey levels in two classes, or in three where there clearly are three. */
#ifndef FIT_DRAPE_LEVELS_H
#define FIT_DRAPE_LEVELS_H

#include <stddef.h>

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

#endif
