/* PNG by libpng's simplified interface, which catches its own errors and keeps their text. */
#include <png.h>

#include "fit_picture.h"

static cb_status say(const png_image *image, const char *name, cb_err *err) {
  return cb_fail(err, CB_E_PARSE, "%s: damaged PNG: %s", name, image->message);
}

cb_status fit_picture_png(const void *bytes, size_t n, const char *name, fit_picture *out, cb_err *err) {
  png_image image = {.version = PNG_IMAGE_VERSION};
  if (!png_image_begin_read_from_memory(&image, bytes, n)) return say(&image, name, err);
  cb_status st = fit_picture_room(out, image.width, image.height, name, err);
  if (st == CB_OK) {
    static const png_color white = {255, 255, 255};
    image.format = PNG_FORMAT_GRAY;
    /* A warning here is a chunk or a row that was lost. */
    if (!png_image_finish_read(&image, &white, out->grey, 0, NULL) || PNG_IMAGE_FAILED(image))
      st = say(&image, name, err);
  }
  png_image_free(&image);
  return st;
}
