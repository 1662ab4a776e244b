/* The inside of a solid: its tree of boxes, normals and grid of distances. */
#ifndef SIM_SOLID_TREE_H
#define SIM_SOLID_TREE_H

#include "sim_solid.h"

/* A node of the tree. A leaf holds `count` triangles: order[first] and following. Other nodes have count 0;
 * one child is the next node, the other one is node `first`. */
typedef struct sim_solid_box {
  double low[3], high[3];
  int first, count;
} sim_solid_box;

struct sim_solid {
  int n_vertices, n_triangles, n_boxes;
  double (*x)[3];
  int (*triangle)[3];
  /* Unit normals of triangles: 0 of the face, 1 to 3 of the edges opposite to corners 0 to 2, 4 to 6 of the
   * corners. */
  double (*normal)[7][3];
  int *order; /* triangles in the order of the leaves */
  sim_solid_box *box;
  double volume_m3;
  double grid_low[3], cell_m;
  int cells[3];
  sim_core core;
  float *distance_m; /* at the nodes of the grid, cells + 1 along each axis, x fastest */
};

/* sim_solid_read, from n bytes of text; `name` stands for the file in errors. */
CB_CHECKED cb_status sim_solid_parse(const char *text, size_t n, const char *name, double m_per_unit,
                                     sim_solid **out, cb_err *err);

double sim_solid_volume_m3(const sim_solid *solid);

/* Builds the tree over the triangles: order, box, n_boxes. Needs vertices and triangles. The caller frees
 * order and box, also after an error. Errors: CB_E_NOMEM. */
CB_CHECKED cb_status sim_solid_plant(sim_solid *s, cb_err *err);

/* Finds the core (sim_core_of_surface). Needs vertices, triangles and the tree. Caller: sim_core_clear. */
CB_CHECKED cb_status sim_solid_find_core(const sim_solid *s, sim_core *out, cb_err *err);

/* Finds the nearest triangle within a distance. Returns its number, or -1 if there is none. point: the
 * nearest point on it; part: where that is: 0 the face, 1 to 3 the edge opposite to corner 0 to 2, 4 to 6
 * corner 0 to 2. */
int sim_solid_nearest(const sim_solid *s, const double x[3], double within_m, double point[3], int *part);

#endif
