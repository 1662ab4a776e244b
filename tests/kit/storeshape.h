/* For tests: a bowl as a draped shape, of n x n vertices. */
#ifndef STORESHAPE_H
#define STORESHAPE_H

#include "cb_store_shape.h"
#include "cbtest.h"

/* The caller clears it. */
static inline cb_drape_shape store_shape_bowl(int64_t material_id, int n) {
  const int cells = (n - 1) * (n - 1);
  cb_drape_shape p = {.material_id = material_id,
                      .support_m = 0.18,
                      .specimen_m = 0.3,
                      .drape_coefficient = 0.45,
                      .seed = 3,
                      .seeds = 10,
                      .n_vertices = n * n,
                      .n_triangles = 2 * cells,
                      .position_m = malloc((size_t)(n * n) * sizeof *p.position_m),
                      .triangle = malloc((size_t)(2 * cells) * sizeof *p.triangle)};
  assert_true(p.position_m && p.triangle);
  for (int v = 0; v < n * n; v++) {
    const double x = 0.3 * (v % n) / (n - 1) - 0.15, y = 0.3 * (v / n) / (n - 1) - 0.15; /* NOLINT: a row */
    const double at[3] = {x, y, -2 * (x * x + y * y)};
    memcpy(p.position_m[v], at, sizeof at);
  }
  for (int k = 0; k < cells; k++) {
    const int v = k / (n - 1) * n + k % (n - 1);
    const int two[2][3] = {{v, v + 1, v + n}, {v + 1, v + n + 1, v + n}};
    memcpy(p.triangle[2 * k], two, sizeof two);
  }
  return p;
}

#endif
