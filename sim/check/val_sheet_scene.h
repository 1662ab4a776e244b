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

/* Runs one slide. Errors: a number out of range, those of sim_layered, memory. */
CB_CHECKED cb_status val_sheet_run(const val_sheet *e, val_sheet_result *out, cb_err *err);

/* Finds the angle of release by bisection, to a thirtieth of a degree; e's own angle is ignored. The sheet
 * holds if no vertex moves by more than VAL_SHEET_DRIFT_M in the second half of the time. (In the first half
 * the body gives way, and friction has its preslide.) */
CB_CHECKED cb_status val_sheet_release(const val_sheet *e, double *angle_rad, double *expected_rad,
                                       cb_err *err);

#endif
