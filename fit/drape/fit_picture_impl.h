/* Private to fit/fit_picture*.c: one reader per format, for bytes that begin as theirs do. */
#ifndef FIT_PICTURE_IMPL_H
#define FIT_PICTURE_IMPL_H

#include "fit_picture.h"

CB_CHECKED cb_status fit_picture_png(const void *bytes, size_t n, const char *name, fit_picture *out,
                                     cb_err *err);
CB_CHECKED cb_status fit_picture_jpeg(const void *bytes, size_t n, const char *name, fit_picture *out,
                                      cb_err *err);

/* Sets the size and takes the memory. */
CB_CHECKED cb_status fit_picture_room(fit_picture *p, size_t width, size_t height, const char *name,
                                      cb_err *err);

#endif
