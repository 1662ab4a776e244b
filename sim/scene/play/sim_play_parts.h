/* A play, for the files of scene/, and for tests that look at what no caller needs. */
#ifndef SIM_PLAY_PARTS_H
#define SIM_PLAY_PARTS_H

#include "sim_frame.h"
#include "sim_play.h"

const sim_scene *sim_play_scene(const sim_play *play);
const sim_body *sim_play_bodies(const sim_play *play); /* as they are now */

/* sim_play_load, of n bytes. */
CB_CHECKED cb_status sim_play_restore(sim_play *play, const unsigned char *data, size_t n, const char *name,
                                      cb_err *err);

/* ---- of the main cloth, with and without layers ---- */

/* NULL where the scene has no layers; of the last step, its parts summed up. */
sim_layered *sim_play_layered(const sim_play *play);
const sim_layered_report *sim_play_layered_report(const sim_play *play);

/* Sheets and cases in their order, as runs of the mesh; layer: whose case, -1: a sheet. */
typedef struct sim_play_part {
  int layer, first_vertex, n_vertices, first_triangle, n_triangles;
} sim_play_part;
int sim_play_parts(const sim_play *play);
sim_play_part sim_play_part_of(const sim_play *play, int part);

/* Of the air of a layer: all of it [J], and its mean pressure by area over the ambient; 0 without. */
typedef struct sim_play_air {
  double amount_J, over_Pa;
} sim_play_air;
sim_play_air sim_play_air_of(const sim_play *play, int layer);

/* Vertices that are inside of the layer's body now, looked for anew among all its triangles; *least_m: the
 * smallest distance. */
CB_CHECKED cb_status sim_play_inside(const sim_play *play, int layer, int *inside, double *least_m,
                                     cb_err *err);

/* Cloth and layers as they are now, into a frame of the play's mesh that sim_play_frame_init made. */
CB_CHECKED cb_status sim_play_frame_init(const sim_play *play, sim_frame *out, cb_err *err);
void sim_play_frame(const sim_play *play, sim_frame *frame);

#endif
