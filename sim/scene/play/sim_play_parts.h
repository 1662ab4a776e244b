/* Further access to a play, for the files of scene/ and for tests. */
#ifndef SIM_PLAY_PARTS_H
#define SIM_PLAY_PARTS_H

#include "sim_frame.h"
#include "sim_play.h"
#include "sim_tally.h"

const sim_scene *sim_play_scene(const sim_play *play);

/* As sim_play_load, but from n bytes in memory. name stands in error messages. */
CB_CHECKED cb_status sim_play_restore(sim_play *play, const unsigned char *data, size_t n, const char *name,
                                      cb_err *err);

/* ---- of the main cloth, with and without layers ---- */

/* The solver of the layers, and its report of the last step, summed over the parts of the step. The solver
 * is NULL without layers. */
sim_layered *sim_play_layered(const sim_play *play);
const sim_layered_report *sim_play_layered_report(const sim_play *play);

/* A sheet or case, as runs of the mesh. layer is that of the body in a case; -1: a sheet. */
typedef struct sim_play_part {
  int layer, first_vertex, n_vertices, first_triangle, n_triangles;
} sim_play_part;
int sim_play_parts(const sim_play *play);
sim_play_part sim_play_part_of(const sim_play *play, int part);

/* The air of a layer: its amount, p V [J], and its mean over-pressure by area [Pa]. Both are 0 without
 * air. */
typedef struct sim_play_air {
  double amount_J, over_Pa;
} sim_play_air;
sim_play_air sim_play_air_of(const sim_play *play, int layer);

/* Counts the vertices inside the layer's body now, by a new search among all its triangles. *least_m is the
 * least distance. Error: memory. */
CB_CHECKED cb_status sim_play_inside(const sim_play *play, int layer, int *inside, double *least_m,
                                     cb_err *err);

/* Returns how many tetrahedra of the layer's body are inside out now. */
int sim_play_inside_out(const sim_play *play, int layer);
/* Of any model: counts the vertices of cloth inside each of the scene's rigid bodies now. */
void sim_play_in_bodies(sim_play *play, sim_in_body *in_body);

#endif
