#include "sim_traverse_grid.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define CELLS_PER_TRIANGLE 4 /* at most: a surface fills few of its box's cells */

void sim_traverse_grid_clear(sim_traverse_grid *g) {
  free(g->start);
  free(g->item);
  *g = (sim_traverse_grid){0};
}

static void box_of(const double (*x)[3], const int v[3], double reach, double low[3], double high[3]) {
  for (int k = 0; k < 3; k++) {
    low[k] = fmin(x[v[0]][k], fmin(x[v[1]][k], x[v[2]][k])) - reach;
    high[k] = fmax(x[v[0]][k], fmax(x[v[1]][k], x[v[2]][k])) + reach;
  }
}

/* Cells as wide as a widened triangle's box is on average, wider where there would be too many. */
static cb_status span(sim_traverse_grid *g, const double (*x)[3], const int (*triangle)[3], int n, double reach, cb_err *err) {
  double low[3], high[3], size = 0, all_low[3] = {INFINITY, INFINITY, INFINITY}, all_high[3] = {-INFINITY, -INFINITY, -INFINITY};
  bool finite = true;
  for (int t = 0; t < n; t++) {
    box_of(x, triangle[t], reach, low, high);
    for (int k = 0; k < 3; k++) {
      all_low[k] = fmin(all_low[k], low[k]);
      all_high[k] = fmax(all_high[k], high[k]);
      size += high[k] - low[k];
      for (int c = 0; c < 3; c++) finite = finite && isfinite(x[triangle[t][c]][k]);
    }
  }
  if (!finite) return cb_fail(err, CB_E_NUM, "surface: a position is not finite");
  double cell = size / (3.0 * n), volume = 1;
  for (int k = 0; k < 3; k++) volume *= all_high[k] - all_low[k] + cell;
  cell = fmax(cell, cbrt(volume / ((double)CELLS_PER_TRIANGLE * n)));
  g->per_m = 1 / cell;
  for (int k = 0; k < 3; k++) {
    g->low[k] = all_low[k];
    g->cells[k] = (int)((all_high[k] - all_low[k]) * g->per_m) + 1;
  }
  return CB_OK;
}

static cb_status grow(int **p, int *capacity, int n, cb_err *err) {
  if (n <= *capacity) return CB_OK;
  int more = n + n / 4, *q = realloc(*p, (size_t)more * sizeof *q);
  if (!q) return cb_fail(err, CB_E_NOMEM, "surface: out of memory for a grid of %d entries", more);
  *p = q;
  *capacity = more;
  return CB_OK;
}

/* The cells from `from` to `to`, both included, that the widened triangle meets. */
static void cells_of(const sim_traverse_grid *g, const double (*x)[3], const int v[3], double reach, int from[3], int to[3]) {
  double low[3], high[3];
  box_of(x, v, reach, low, high);
  for (int k = 0; k < 3; k++) {
    from[k] = (int)((low[k] - g->low[k]) * g->per_m);
    to[k] = (int)((high[k] - g->low[k]) * g->per_m);
    if (to[k] >= g->cells[k]) to[k] = g->cells[k] - 1;
  }
}

cb_status sim_traverse_grid_fill(sim_traverse_grid *g, const double (*x)[3], const int (*triangle)[3], int n, double reach, cb_err *err) {
  CB_TRY(span(g, x, triangle, n, reach, err));
  int n_cells = g->cells[0] * g->cells[1] * g->cells[2], from[3], to[3];
  CB_TRY(grow(&g->start, &g->start_capacity, n_cells + 2, err));
  /* Counts two places on, so that they become the starts as the runs are filled. */
  memset(g->start, 0, ((size_t)n_cells + 2) * sizeof *g->start);
  for (int t = 0; t < n; t++) {
    cells_of(g, x, triangle[t], reach, from, to);
    for (int c = from[2]; c <= to[2]; c++)
      for (int b = from[1]; b <= to[1]; b++)
        for (int a = from[0]; a <= to[0]; a++) g->start[(c * g->cells[1] + b) * g->cells[0] + a + 2]++;
  }
  for (int i = 2; i <= n_cells + 1; i++) g->start[i] += g->start[i - 1];
  CB_TRY(grow(&g->item, &g->item_capacity, g->start[n_cells + 1], err));
  for (int t = 0; t < n; t++) {
    cells_of(g, x, triangle[t], reach, from, to);
    for (int c = from[2]; c <= to[2]; c++)
      for (int b = from[1]; b <= to[1]; b++)
        for (int a = from[0]; a <= to[0]; a++) g->item[g->start[(c * g->cells[1] + b) * g->cells[0] + a + 1]++] = t;
  }
  return CB_OK;
}
