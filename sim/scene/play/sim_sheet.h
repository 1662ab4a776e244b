/* A sheet of a scene as a mesh, and which of its vertices are held. */
#ifndef SIM_SHEET_H
#define SIM_SHEET_H

#include "sim_mesh.h"
#include "sim_scene.h"

/* Where it begins, without its slack. A file's mesh stays where it is, moved by at_m. ring_m > 0: of a disc,
 * vertices and edges lie on a circle of that radius, too. Caller: sim_mesh_clear. A shirt is made by
 * sim_limit.h. */
CB_CHECKED cb_status sim_sheet_make(const sim_scene_sheet *s, double ring_m, sim_mesh *out, cb_err *err);

/* The same as it was made, flat (a ball: around the origin); and a vertex of that, to where it begins, with
 * the sheet's slack. */
CB_CHECKED cb_status sim_sheet_make_flat(const sim_scene_sheet *s, sim_mesh *out, cb_err *err);
void sim_sheet_place(const sim_scene_sheet *s, double x[3]);

/* Seen from its middle, before it was turned: x along the warp of a sheet with warp_rad 0, y along the weft.
 */
void sim_sheet_local(const sim_scene_sheet *s, const double x[3], double local[3]);

/* The first of scene->held that holds each of n vertices at x of this sheet (-1: cloth that is no sheet,
 * which only boxes hold), where by[] is below 0 so far. count[]: per item of scene->held, adds how many. */
void sim_sheet_hold(const sim_scene *s, int sheet, const double (*x)[3], int n, int *by, int *count);
/* CB_E_RANGE: one of scene->held holds no vertex. */
CB_CHECKED cb_status sim_sheet_check_held(const sim_scene *s, const int *count, cb_err *err);

/* Of the scene's only sheet: per vertex whether it is held. Caller frees. */
CB_CHECKED cb_status sim_sheet_held(const sim_scene *s, const sim_mesh *mesh, bool **out, cb_err *err);

#endif
