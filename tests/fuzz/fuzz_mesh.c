/* Any OBJ text as a cloth: a mesh that holds together, or one sentence. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "sim_mesh.h"
#include "sim_mesh_place.h"
#include "../kit/meshquality.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(const sim_mesh *m, const int *map) {
  if (!map || m->fan_start[m->n_vertices] != 3 * m->n_triangles) __builtin_trap();
  for (int t = 0; t < m->n_triangles; t++) {
    if (!(m->area_m2[t] > 0) || !isfinite(m->area_m2[t])) __builtin_trap();
    for (int k = 0; k < 3; k++) {
      int v = m->triangle[t][k], e = m->triangle_edge[t][k];
      if (v < 0 || v >= m->n_vertices || e < 0 || e >= m->n_edges) __builtin_trap();
      if (m->edge[e].triangle[0] != t && m->edge[e].triangle[1] != t) __builtin_trap();
    }
  }
  sim_mesh_quality q = sim_mesh_quality_of(m);
  if (2 * m->n_edges - q.n_border_edges != 3 * m->n_triangles) __builtin_trap();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  sim_obj_options opt = sim_obj_options_default();
  sim_mesh m;
  int *map;
  cb_err err = {""};
  if (sim_mesh_obj_parse((const char *)data, size, "fuzz", &opt, &m, &map, &err) == CB_OK) {
    check(&m, map);
  } else if (!err.msg[0] || m.triangle || map) {
    __builtin_trap();
  }
  sim_mesh_clear(&m);
  free(map);
  return 0;
}
