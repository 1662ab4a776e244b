/* Any text as a scene file: a scene whose numbers are finite, or one sentence. */
#include <math.h>
#include <stdint.h>

#include "sim_scene_impl.h"
#include "sim_picture_draw.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static sim_scene s;
  cb_err err = {""};
  if (sim_scene_parse((const char *)data, size, "fuzz", &s, &err) != CB_OK) {
    if (!err.msg[0]) __builtin_trap();
    return 0;
  }
  if (s.n_bodies > SIM_SCENE_BODIES || s.n_held > SIM_SCENE_HELD || s.n_probes > SIM_SCENE_PROBES)
    __builtin_trap();
  if (s.n_layers > SIM_SCENE_LAYERS || s.n_sheets > SIM_SCENE_SHEETS || s.n_sheets + s.n_layers == 0)
    __builtin_trap();
  if (!(s.dt_s > 0 && s.duration_s >= s.dt_s && isfinite(s.duration_s))) __builtin_trap();
  if ((!sim_scene_laws(&s) && sim_material_check(&s.material, NULL) != CB_OK) ||
      sim_view_check(&s.view, NULL) != CB_OK)
    __builtin_trap();
  for (int b = 0; b < s.n_bodies; b++)
    if (!isfinite(sim_motion_at(&s.body[b].motions, 0).velocity_m_per_s[2])) __builtin_trap();
  return 0;
}
