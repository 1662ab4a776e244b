/* OBJ, plain or gzip: triangles whose every corner is there, or one sentence. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "cb_gzip.h"
#include "cb_obj.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void parse(const char *text, size_t n) {
  cb_obj o;
  cb_err err = {""};
  if (cb_obj_parse(text, n, "fuzz", &o, &err) != CB_OK) {
    if (!err.msg[0]) __builtin_trap();
  } else {
    for (size_t i = 0; i < o.n_triangles; i++)
      for (int k = 0; k < 3; k++) {
        int v = o.triangle[i][k], t = o.triangle_texcoord[i][k];
        if (v < 0 || (size_t)v >= o.n_vertices || t < -1 || t >= (int)o.n_texcoords) __builtin_trap();
        if (!isfinite(o.vertex[v][k])) __builtin_trap();
      }
  }
  cb_obj_clear(&o);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (!cb_gzip_is(data, size)) {
    parse((const char *)data, size);
    return 0;
  }
  char *text;
  size_t n;
  cb_err err = {""};
  if (cb_gzip_unpack(data, size, "fuzz", 1 << 20, &text, &n, &err) == CB_OK)
    parse(text, n);
  else if (!err.msg[0] || text)
    __builtin_trap();
  free(text);
  return 0;
}
