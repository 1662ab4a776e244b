/* Which triangles are within reach of a place: a uniform grid over the surface, triangles in every cell that
 * their box, widened by some slack, meets. */
#ifndef SIM_TRAVERSE_GRID_H
#define SIM_TRAVERSE_GRID_H

#include <stdbool.h>
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
CB_CHECKED cb_status sim_traverse_grid_fill(sim_traverse_grid *g, const double (*x_m)[3],
                                            const int (*triangle)[3], int n_triangles, double slack_m,
                                            cb_err *err);
void sim_traverse_grid_clear(sim_traverse_grid *g);

#define SIM_TRAVERSE_SPARE 1e-6 /* cells: what is added to every reach, for roundings */

/* The runs of triangles of the cells within reach of a place, a row of cells along x at a time: triangles
 * come several times. */
typedef struct sim_traverse_rows {
  const sim_traverse_grid *grid;
  int low[3], high[3], y, z; /* y, z: of the next row */
} sim_traverse_rows;

static inline sim_traverse_rows sim_traverse_rows_at(const sim_traverse_grid *g, const double x_m[3],
                                                     double reach_m) {
  sim_traverse_rows r = {.grid = g};
  for (int k = 0; k < 3; k++) {
    double at = (x_m[k] - g->low[k]) * g->per_m, wide = reach_m * g->per_m + SIM_TRAVERSE_SPARE,
           low = at - wide, high = at + wide;
    int last = g->cells[k] - 1;
    bool meets = high >= 0 && low <= last + 1; /* false where x is no number */
    r.low[k] = !meets ? 1 : low > 0 ? low < last ? (int)low : last : 0;
    r.high[k] = !meets ? 0 : high < last ? (int)high : last;
  }
  r.y = r.low[1];
  r.z = r.low[0] > r.high[0] || r.low[1] > r.high[1] ? r.high[2] + 1 : r.low[2];
  return r;
}

/* How many, from *first; below 0: that was all. */
static inline int sim_traverse_rows_next(sim_traverse_rows *r, const int **first) {
  if (r->z > r->high[2]) return -1;
  const sim_traverse_grid *g = r->grid;
  const int *start = g->start + (size_t)(r->z * g->cells[1] + r->y) * (size_t)g->cells[0];
  if (r->y++ == r->high[1]) {
    r->y = r->low[1];
    r->z++;
  }
  *first = g->item + start[r->low[0]];
  return start[r->high[0] + 1] - start[r->low[0]];
}

#endif
