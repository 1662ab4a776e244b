/* TetGen's pair of files in one: .node up to the first form feed, .ele after it. Tetrahedra that are
 * right-handed and not flat, with a closed surface's faces in range, or one sentence. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "sim_shape.h"
#include "sim_tets_impl.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(const sim_tets *t) {
  for (int i = 0; i < t->n_vertices; i++)
    for (int k = 0; k < 3; k++)
      if (!isfinite(t->position_m[i][k])) __builtin_trap();
  for (int i = 0; i < t->n_tets; i++)
    for (int k = 0; k < 4; k++)
      if (t->tet[i][k] < 0 || t->tet[i][k] >= t->n_vertices) __builtin_trap();
  for (int i = 0; i < t->n_surface; i++)
    for (int k = 0; k < 3; k++)
      if (t->surface[i][k] < 0 || t->surface[i][k] >= t->n_vertices) __builtin_trap();
  if (t->n_surface < 4 || !(sim_tets_volume_m3(t) > 0)) __builtin_trap();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  char *node = malloc(size + 1);
  if (!node) return 0;
  if (size > 0) memcpy(node, data, size);
  node[size] = '\0';
  char *cut = strchr(node, '\f');
  if (cut) *cut = '\0';
  sim_tets t;
  cb_err err = {""};
  if (sim_tets_parse(node, cut ? cut + 1 : "", "fuzz", 1e-3, &t, &err) == CB_OK)
    check(&t);
  else if (!err.msg[0] || t.position_m || t.tet || t.surface)
    __builtin_trap();
  sim_tets_clear(&t);
  free(node);
  return 0;
}
