/* Pictures as grey levels: PNG (libpng) and JPEG (libjpeg-turbo). Colours are weighted as these libraries do, transparency lies on white.
 */
#ifndef FIT_PICTURE_H
#define FIT_PICTURE_H

#include <stdbool.h>
#include <stddef.h>

#include "cb_err.h"

typedef struct fit_picture {
  size_t width, height;
  unsigned char *grey; /* owned: rows from the top, 0 black to 255 white */
} fit_picture;

/* At most 64 million pixels: what claims to be larger is refused before memory is asked for. */
#define FIT_PICTURE_MAX_PIXELS ((size_t)64000000)

/* By the first bytes. */
bool fit_picture_is(const void *bytes, size_t n);
/* Damage, a file that ends too early and other formats: one sentence that begins with name. fit_picture_clear in any case. */
CB_CHECKED cb_status fit_picture_parse(const void *bytes, size_t n, const char *name, fit_picture *out, cb_err *err);
void fit_picture_clear(fit_picture *p);

#endif
