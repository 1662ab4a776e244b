/* What the files of sim_solid.h share. */
#ifndef SIM_SOLID_TREE_H
#define SIM_SOLID_TREE_H

#include "sim_solid.h"

/* Leaves hold `count` triangles of `order` from `first` on; other nodes have count 0, one child right behind
 * and one at `first`. */
typedef struct sim_solid_box {
  double low[3], high[3];
  int first, count;
} sim_solid_box;

struct sim_solid {
  int n_vertices, n_triangles, n_boxes;
  double (*x)[3];
  int (*triangle)[3];
  double (*normal)[7][3]; /* of triangles: of the face, of the edges opposite to corners 0 to 2, of the
                             corners; unit */
  int *order;             /* of triangles, as the leaves have them */
  sim_solid_box *box;
  double volume_m3;
  double grid_low[3], cell_m;
  int cells[3];
  sim_core core;
  float *distance_m; /* at the nodes of the grid, cells + 1 in each direction, x fastest */
};

/* sim_solid_read, of the text of its file. */
CB_CHECKED cb_status sim_solid_parse(const char *text, size_t n, const char *name, double m_per_unit,
                                     sim_solid **out, cb_err *err);

double sim_solid_volume_m3(const sim_solid *solid);

/* The tree over the triangles: order, box, n_boxes. */
CB_CHECKED cb_status sim_solid_plant(sim_solid *s, cb_err *err);

/* Wants vertices, triangles and the tree; sim_core_clear. */
CB_CHECKED cb_status sim_solid_find_core(const sim_solid *s, sim_core *out, cb_err *err);

/* The nearest triangle within this distance, the point on it, and the part of it that has the point: 0 the
 * face, 1 to 3 the edge opposite to that corner, 4 to 6 the corner. Returns -1: there is none. */
int sim_solid_nearest(const sim_solid *s, const double x[3], double within_m, double point[3], int *part);

#endif
