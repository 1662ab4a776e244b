/* Which triangles are within reach of a place: a uniform grid over the surface, triangles in every cell that their box, widened by the
 * reach, meets. */
#ifndef SIM_TRAVERSE_GRID_H
#define SIM_TRAVERSE_GRID_H

#include <stddef.h>

#include "cb_err.h"

typedef struct sim_traverse_grid {
  double low[3], per_m; /* cells per metre */
  int cells[3];
  int *start; /* of each cell's run, x fastest; one more */
  int *item;  /* triangles, ascending in a cell */
  int *range; /* per triangle: first cells and last ones along the axes */
  int *count; /* per part of the triangles, each filled by one thread, and cell */
  size_t start_capacity, item_capacity, range_capacity, count_capacity;
} sim_traverse_grid;

/* Grows as it must. Not finite positions: CB_E_NUM. The same grid for any number of threads. */
CB_CHECKED cb_status sim_traverse_grid_fill(sim_traverse_grid *g, const double (*x_m)[3], const int (*triangle)[3], int n_triangles,
                                            double reach_m, cb_err *err);
void sim_traverse_grid_clear(sim_traverse_grid *g);

/* The run of triangles of the cell that holds x; 0 where there is none. */
static inline int sim_traverse_grid_at(const sim_traverse_grid *g, const double x_m[3], const int **first) {
  int at[3];
  for (int k = 0; k < 3; k++) {
    double cell = (x_m[k] - g->low[k]) * g->per_m;
    if (!(cell >= 0 && cell < g->cells[k])) return 0;
    at[k] = (int)cell;
  }
  int cell = (at[2] * g->cells[1] + at[1]) * g->cells[0] + at[0];
  *first = g->item + g->start[cell];
  return g->start[cell + 1] - g->start[cell];
}

#endif
