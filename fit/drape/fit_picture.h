/* Pictures as grey levels: PNG (libpng) and JPEG (libjpeg-turbo). Colours are weighted as these libraries do.
 * Transparent pixels are drawn on white. */
#ifndef FIT_PICTURE_H
#define FIT_PICTURE_H

#include <stdbool.h>
#include <stddef.h>

#include "cb_err.h"

typedef struct fit_picture {
  size_t width, height;
  unsigned char *grey; /* owned; rows from the top, 0 black to 255 white */
} fit_picture;

/* Larger pictures are refused before memory is allocated. */
#define FIT_PICTURE_MAX_PIXELS ((size_t)64000000)

/* Returns true if the first bytes are those of a PNG or JPEG. */
bool fit_picture_is(const void *bytes, size_t n);
/* Decodes n bytes. `name` stands for the file in errors. The caller frees *out with fit_picture_clear, also
 * after a failure.
 * CB_E_PARSE: another format, damage, or an early end. CB_E_RANGE: no pixels, or too many. CB_E_NOMEM. */
CB_CHECKED cb_status fit_picture_parse(const void *bytes, size_t n, const char *name, fit_picture *out,
                                       cb_err *err);
void fit_picture_clear(fit_picture *p);

/* One reader per format, for bytes that begin as theirs do. */

CB_CHECKED cb_status fit_picture_png(const void *bytes, size_t n, const char *name, fit_picture *out,
                                     cb_err *err);
CB_CHECKED cb_status fit_picture_jpeg(const void *bytes, size_t n, const char *name, fit_picture *out,
                                      cb_err *err);

/* Sets the size and takes the memory. */
CB_CHECKED cb_status fit_picture_room(fit_picture *p, size_t width, size_t height, const char *name,
                                      cb_err *err);

#endif
