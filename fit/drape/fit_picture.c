#include "fit_picture.h"

#include <stdlib.h>
#include <string.h>

static bool begins(const void *bytes, size_t n, const char *magic, size_t n_magic) {
  return n >= n_magic && memcmp(bytes, magic, n_magic) == 0;
}

static bool is_png(const void *bytes, size_t n) { return begins(bytes, n, "\x89PNG\r\n\x1a\n", 8); }
static bool is_jpeg(const void *bytes, size_t n) { return begins(bytes, n, "\xff\xd8\xff", 3); }

bool fit_picture_is(const void *bytes, size_t n) { return is_png(bytes, n) || is_jpeg(bytes, n); }

cb_status fit_picture_room(fit_picture *p, size_t width, size_t height, const char *name, cb_err *err) {
  if (width == 0 || height == 0 || width > FIT_PICTURE_MAX_PIXELS / height)
    return cb_fail(err, CB_E_RANGE, "%s: %zu x %zu pixels: 1 to %zu were wanted", name, width, height,
                   FIT_PICTURE_MAX_PIXELS);
  p->width = width;
  p->height = height;
  p->grey = malloc(width * height);
  return p->grey ? CB_OK : cb_no_memory(err, "%s, %zu x %zu pixels", name, width, height);
}

cb_status fit_picture_parse(const void *bytes, size_t n, const char *name, fit_picture *out, cb_err *err) {
  *out = (fit_picture){0};
  if (is_png(bytes, n)) return fit_picture_png(bytes, n, name, out, err);
  if (is_jpeg(bytes, n)) return fit_picture_jpeg(bytes, n, name, out, err);
  return cb_fail(err, CB_E_PARSE, "%s: neither a PNG nor a JPEG picture", name);
}

void fit_picture_clear(fit_picture *p) {
  free(p->grey);
  *p = (fit_picture){0};
}
