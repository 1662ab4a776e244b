/* Private to validate/: a sheet on the contact offset of a block, as val_sheet and val_pull have it. */
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

/* The sheet at the block's one end, its first corner at the origin; room_m of the block lie before it along
 * x. It points into itself and into *e: both must stay where they are. Caller: val_sheet_scene_clear, even
 * after a failure. */
CB_CHECKED cb_status val_sheet_scene_make(const val_sheet *e, val_sheet_scene *s, cb_err *err);
void val_sheet_scene_clear(val_sheet_scene *s);

#endif
