/* Any bytes as a checkpoint of a small cloth, their check sum put right: a state from which a step can be
 * taken or fails with a sentence, or one sentence and the cloth as it was. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "sim_cloth_room.h"
#include "sim_mesh.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void try_it(sim_cloth *cloth, int n, uint8_t *copy, size_t size) {
  double before[16][3];
  cb_err err = {""};
  memcpy(before, sim_cloth_position(cloth), (size_t)n * sizeof *before);
  if (size >= 4) {
    uint32_t sum = (uint32_t)crc32_z(0, copy, size - 4);
    for (int k = 0; k < 4; k++) copy[size - 4 + (size_t)k] = (uint8_t)(sum >> 8 * k);
  }
  if (sim_cloth_restore(cloth, copy, size, "fuzz", &err) == CB_OK) {
    if (sim_cloth_step(cloth, 0.001, NULL, &err) != CB_OK && !err.msg[0]) __builtin_trap();
  } else if (!err.msg[0] || memcmp(before, sim_cloth_position(cloth), (size_t)n * sizeof *before) != 0) {
    __builtin_trap();
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const sim_rectangle r = {.length_m = 0.2, .width_m = 0.1, .pattern = SIM_PATTERN_RIGHT, .cells_across = 1};
  const sim_material material = sim_material_isotropic(0.2, 200, 2e-5);
  const sim_body body = {.shape = SIM_PLANE, .axis = {0, 0, 1}};
  sim_mesh mesh;
  sim_cloth *cloth = NULL;
  uint8_t *copy = malloc(size + 1);
  if (!copy || sim_mesh_rectangle(&r, &mesh, NULL) != CB_OK) abort();
  sim_cloth_setup setup = sim_cloth_setup_default(&mesh, &material);
  setup.bodies = &body;
  setup.n_bodies = 1;
  if (mesh.n_vertices > 16 || sim_cloth_new(&setup, &cloth, NULL) != CB_OK) abort();
  memcpy(copy, data, size);
  try_it(cloth, mesh.n_vertices, copy, size);
  sim_cloth_free(cloth);
  sim_mesh_clear(&mesh);
  free(copy);
  return 0;
}
