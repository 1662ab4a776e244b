/* A uniform grid over the surface that finds the triangles within reach of a point. A triangle is listed in
 * every cell that its box, widened by some slack, touches. */
#ifndef SIM_TRAVERSE_GRID_H
#define SIM_TRAVERSE_GRID_H

#include <stdbool.h>
#include <stddef.h>

#include "cb_err.h"

typedef struct sim_traverse_grid {
  double low[3], per_m; /* cells per metre */
  int cells[3];
  int *start; /* begin of each cell's run in item, x fastest; one entry more than cells */
  int *item;  /* triangles, ascending in a cell */
  int *range; /* per triangle: first cells, then last cells, along the three axes */
  int *count; /* per part of the triangles (one thread each) and cell */
  size_t start_capacity, item_capacity, range_capacity, count_capacity;
} sim_traverse_grid;

/* Fills the grid for the surface at x_m. Its arrays grow as needed. The grid does not depend on the number
 * of threads. Caller: sim_traverse_grid_clear. Errors: CB_E_NUM for positions that are not finite,
 * CB_E_NOMEM. */
CB_CHECKED cb_status sim_traverse_grid_fill(sim_traverse_grid *g, const double (*x_m)[3],
                                            const int (*triangle)[3], int n_triangles, double slack_m,
                                            cb_err *err);
void sim_traverse_grid_clear(sim_traverse_grid *g);

#define SIM_TRAVERSE_SPARE 1e-6 /* cells; added to every reach against rounding */

/* Iterates over the cells within reach of a point, one row of cells along x at a time. A triangle may come
 * several times. */
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
    bool meets = high >= 0 && low <= last + 1; /* false if x is not a number */
    r.low[k] = !meets ? 1 : low > 0 ? low < last ? (int)low : last : 0;
    r.high[k] = !meets ? 0 : high < last ? (int)high : last;
  }
  r.y = r.low[1];
  r.z = r.low[0] > r.high[0] || r.low[1] > r.high[1] ? r.high[2] + 1 : r.low[2];
  return r;
}

/* Returns the number of triangles of the next row, and the first in *first. Below 0: there are no more
 * rows. */
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
