/* JPEG (tests/fuzz/fuzz_png.c: PNG): a picture whose every pixel is there, or one sentence; never exit() as
 * libjpeg would. */
#include <stdint.h>

#include "fit_picture.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  fit_picture p;
  cb_err err = {""};
  if (fit_picture_parse(data, size, "fuzz", &p, &err) != CB_OK) {
    if (!err.msg[0]) __builtin_trap();
  } else {
    unsigned sum = 0;
    for (size_t i = 0; i < p.width * p.height; i++) sum += p.grey[i];
    if (sum > 255 * p.width * p.height) __builtin_trap();
  }
  fit_picture_clear(&p);
  return 0;
}
