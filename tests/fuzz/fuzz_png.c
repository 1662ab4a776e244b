/* PNG (tests/fuzz/fuzz_jpeg.c: JPEG), and what is made of its pixels: a drape or one sentence. */
#include <math.h>
#include <stdint.h>

#include "fit_drape.h"
#include "fit_drape_impl.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The picture as a drape: finite numbers, or a sentence. */
static void reduce(const fit_picture *p) {
  fit_drape_setup q = fit_drape_setup_default();
  fit_shadow s;
  fit_drape d;
  cb_err err = {""};
  cb_status st = fit_drape_silhouette(p, "fuzz", &q, &s, &err);
  if (st == CB_OK) st = fit_drape_reduce(&s, "fuzz", &q, &d, &err);
  if (st != CB_OK ? !err.msg[0] : !isfinite(d.drape_coefficient) || !isfinite(d.u) || d.nodes < 0)
    __builtin_trap();
  fit_shadow_clear(&s);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  fit_picture p;
  cb_err err = {""};
  if (fit_picture_parse(data, size, "fuzz", &p, &err) != CB_OK) {
    if (!err.msg[0]) __builtin_trap();
  } else {
    if (p.width * p.height <= 100000) reduce(&p);
  }
  fit_picture_clear(&p);
  return 0;
}
