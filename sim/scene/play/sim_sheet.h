/* Sheets of a scene as meshes, and their held vertices. */
#ifndef SIM_SHEET_H
#define SIM_SHEET_H

#include "sim_mesh.h"
#include "sim_scene.h"

/* Makes a sheet at its place at the start, without slack. ring_m > 0: a disc gets vertices and edges on a
 * circle of that radius. A shirt is refused; sim_limit.h makes it. The caller clears *out with
 * sim_mesh_clear. */
CB_CHECKED cb_status sim_sheet_make(const sim_scene_sheet *s, double ring_m, sim_mesh *out, cb_err *err);

/* Makes the same sheet as made: flat, or a ball around the origin. */
CB_CHECKED cb_status sim_sheet_make_flat(const sim_scene_sheet *s, sim_mesh *out, cb_err *err);
/* Moves a vertex of that mesh to its place at the start, with slack. */
void sim_sheet_place(const sim_scene_sheet *s, double x[3]);

/* Moves the n vertices that are not held out of the sheet's plane by up to 1 mm, at random by the sheet's
 * seed. A flat sheet that hangs would never find its folds. */
void sim_sheet_put_aside(const sim_scene_sheet *s, const bool *held, int n, double (*x)[3]);

/* Turns a position into the sheet's own frame: from its middle, x along the warp (if warp_rad is 0), y along
 * the weft. */
void sim_sheet_local(const sim_scene_sheet *s, const double x[3], double local[3]);

/* Finds the first item of scene->held that holds each of n vertices at x. sheet -1 means cloth that is no
 * sheet, which only boxes hold. Sets by[] where it is below 0. Adds to count[], per item, the number of its
 * vertices. */
void sim_sheet_hold(const sim_scene *s, int sheet, const double (*x)[3], int n, int *by, int *count);
/* Error: CB_E_RANGE if an item of scene->held holds no vertex, by count[]. */
CB_CHECKED cb_status sim_sheet_check_held(const sim_scene *s, const int *count, cb_err *err);

/* For a scene with one sheet: makes *out, per vertex whether it is held. The caller frees it. Errors: those
 * of sim_sheet_check_held; memory. */
CB_CHECKED cb_status sim_sheet_held(const sim_scene *s, const sim_mesh *mesh, bool **out, cb_err *err);

#endif
