/* A sheet on the contact offset of a block, for val_sheet and val_pull; private to validate/. */
#ifndef VAL_SHEET_SCENE_H
#define VAL_SHEET_SCENE_H

#include "sim_layered.h"
#include "val_sheet.h"

typedef struct val_sheet_scene {
  sim_mesh mesh;
  sim_tets tets;
  sim_material material;
  bool *held;
  double *load_kg;
  sim_layered_body body;
  sim_layered_setup setup;
  sim_layered *layered;
} val_sheet_scene;

/* Makes the sheet at one end of the block, its first corner at the origin. room_m of the block lie ahead of
 * it along x. *s points into itself and into *e; neither may move. The caller calls val_sheet_scene_clear,
 * even after an error. */
CB_CHECKED cb_status val_sheet_scene_make(const val_sheet *e, val_sheet_scene *s, cb_err *err);
void val_sheet_scene_clear(val_sheet_scene *s);

#endif
