/* The bytes of a draped shape: two counts, then its columns. Whatever comes in, unpacking answers with a mesh
 * whose corners are vertices, or with one sentence. */
#include <math.h>
#include <stdint.h>

#include "cb_store_rows_impl.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  cb_err err = {""};
  if (size < 4) return 0;
  cb_drape_shape p = {
      .n_vertices = data[0] | data[1] << 8, .n_triangles = data[2] | data[3] << 8, .quantum_m = 1e-5};
  if (cbs_shape_unpack(data + 4, size - 4, &p, &err) != CB_OK) {
    if (!err.msg[0] || p.position_m || p.triangle) __builtin_trap();
    return 0;
  }
  for (int v = 0; v < p.n_vertices; v++)
    for (int c = 0; c < 3; c++)
      if (!(fabs(p.position_m[v][c]) < 0.33)) __builtin_trap();
  for (int i = 0; i < 3 * p.n_triangles; i++)
    if (p.triangle[i / 3][i % 3] < 0 || p.triangle[i / 3][i % 3] >= p.n_vertices) __builtin_trap();
  cb_drape_shape_clear(&p);
  return 0;
}
