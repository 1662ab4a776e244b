#include "sim_traverse_grid.h"

#include <math.h>
#include <omp.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "cb_threads.h"

#define CELL 1.2              /* side of a cell, in mean sides of a triangle's widened box */
#define CELLS_PER_TRIANGLE 16 /* upper bound: a surface fills few cells of its box */
#define PARTS_MOST 8          /* each part has a number per cell */

void sim_traverse_grid_clear(sim_traverse_grid *g) {
  free(g->start);
  free(g->item);
  free(g->range);
  free(g->count);
  *g = (sim_traverse_grid){0};
}

static cb_status grow_list(int **p, size_t *capacity, size_t n, cb_err *err) {
  if (n <= *capacity) return CB_OK;
  size_t more = n + n / 4;
  int *q = realloc(*p, more * sizeof *q);
  if (!q) return cb_no_memory(err, "surface, a grid of %zu entries", more);
  *p = q;
  *capacity = more;
  return CB_OK;
}

/* ---- boxes ---- */

typedef struct box {
  double low[3], high[3], size; /* size: sum of the sides of all triangles' boxes */
  bool finite;
} box;

/* Plain comparisons, since fmin and fmax are calls. */
static void enclose_triangle(const double (*x)[3], const int v[3], double reach, double low[3],
                             double high[3]) {
  for (int k = 0; k < 3; k++) {
    double a = x[v[0]][k], b = x[v[1]][k], c = x[v[2]][k], l = a < b ? a : b, h = a < b ? b : a;
    low[k] = (l < c ? l : c) - reach;
    high[k] = (h > c ? h : c) + reach;
  }
}

static box box_of(const double (*x)[3], const int (*triangle)[3], int from, int to, double reach) {
  box all = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}, 0, true};
  double low[3], high[3];
  for (int t = from; t < to; t++) {
    enclose_triangle(x, triangle[t], reach, low, high);
    double sum = 0;
    for (int k = 0; k < 3; k++) {
      if (low[k] < all.low[k]) all.low[k] = low[k];
      if (high[k] > all.high[k]) all.high[k] = high[k];
      all.size += high[k] - low[k];
      for (int c = 0; c < 3; c++) sum += x[triangle[t][c]][k];
    }
    all.finite = all.finite && isfinite(sum);
  }
  return all;
}

static box join_boxes(const box *chunk, int n) {
  box all = chunk[0];
  for (int c = 1; c < n; c++) {
    for (int k = 0; k < 3; k++) {
      if (chunk[c].low[k] < all.low[k]) all.low[k] = chunk[c].low[k];
      if (chunk[c].high[k] > all.high[k]) all.high[k] = chunk[c].high[k];
    }
    all.size += chunk[c].size;
    all.finite = all.finite && chunk[c].finite;
  }
  return all;
}

/* Box of the whole surface, in chunks that are joined in order. */
static cb_status surround(const double (*x)[3], const int (*triangle)[3], int n, double reach, box *all,
                          cb_err *err) {
  enum { CHUNKS = 64 };
  box chunk[CHUNKS];
#pragma omp parallel for schedule(static)
  for (int c = 0; c < CHUNKS; c++)
    chunk[c] =
        box_of(x, triangle, (int)((int64_t)n * c / CHUNKS), (int)((int64_t)n * (c + 1) / CHUNKS), reach);
  *all = join_boxes(chunk, CHUNKS);
  return all->finite ? CB_OK : cb_fail(err, CB_E_NUM, "surface: a position is not finite");
}

/* Chooses the cells: as wide as CELL says, wider if there would be too many. */
static void divide(sim_traverse_grid *g, const box *all, int n) {
  double cell = CELL * all->size / (3.0 * n), volume = 1;
  for (int k = 0; k < 3; k++) volume *= all->high[k] - all->low[k] + cell;
  double least = cbrt(volume / ((double)CELLS_PER_TRIANGLE * n));
  if (cell < least) cell = least;
  g->per_m = 1 / cell;
  for (int k = 0; k < 3; k++) {
    g->low[k] = all->low[k];
    g->cells[k] = (int)((all->high[k] - all->low[k]) * g->per_m) + 1;
  }
}

/* ---- runs ---- */

static void find_range(const sim_traverse_grid *g, const double (*x)[3], const int v[3], double slack,
                       int range[6]) {
  double low[3], high[3];
  enclose_triangle(x, v, slack, low, high);
  for (int k = 0; k < 3; k++) {
    range[k] = (int)((low[k] - g->low[k]) * g->per_m);
    range[3 + k] = (int)((high[k] - g->low[k]) * g->per_m);
    if (range[3 + k] >= g->cells[k]) range[3 + k] = g->cells[k] - 1;
  }
}

static void count_cells(const sim_traverse_grid *g, const int r[6], int *in) {
  for (int c = r[2]; c <= r[5]; c++)
    for (int b = r[1]; b <= r[4]; b++)
      for (int a = r[0]; a <= r[3]; a++) in[(c * g->cells[1] + b) * g->cells[0] + a]++;
}

static void put_triangle(const sim_traverse_grid *g, const int r[6], int triangle, int *next) {
  for (int c = r[2]; c <= r[5]; c++)
    for (int b = r[1]; b <= r[4]; b++)
      for (int a = r[0]; a <= r[3]; a++) g->item[next[(c * g->cells[1] + b) * g->cells[0] + a]++] = triangle;
}

/* Turns the counts of parts and cells into begins of their entries. */
static void sum_up(const sim_traverse_grid *g, int n_cells, int parts) {
  int sum = 0;
  for (int i = 0; i < n_cells; i++) {
    g->start[i] = sum;
    for (int p = 0; p < parts; p++) {
      int *at = &g->count[(size_t)p * (size_t)n_cells + (size_t)i], n = *at;
      *at = sum;
      sum += n;
    }
  }
  g->start[n_cells] = sum;
}

cb_status sim_traverse_grid_fill(sim_traverse_grid *g, const double (*x)[3], const int (*triangle)[3], int n,
                                 double reach, cb_err *err) {
  box all;
  CB_TRY(surround(x, triangle, n, reach, &all, err));
  divide(g, &all, n);
  int n_cells = g->cells[0] * g->cells[1] * g->cells[2], parts = omp_get_max_threads();
  if (parts > PARTS_MOST) parts = PARTS_MOST;
  CB_TRY(grow_list(&g->start, &g->start_capacity, (size_t)n_cells + 1, err));
  CB_TRY(grow_list(&g->count, &g->count_capacity, (size_t)parts * (size_t)n_cells, err));
  CB_TRY(grow_list(&g->range, &g->range_capacity, 6 * (size_t)n, err));
#pragma omp parallel for schedule(static, 1)
  for (int p = 0; p < parts; p++) {
    int *in = g->count + (size_t)p * (size_t)n_cells;
    memset(in, 0, (size_t)n_cells * sizeof *in);
    for (int t = (int)((int64_t)n * p / parts); t < (int)((int64_t)n * (p + 1) / parts); t++) {
      int *range = g->range + 6 * (size_t)t;
      find_range(g, x, triangle[t], reach, range);
      count_cells(g, range, in);
    }
  }
  sum_up(g, n_cells, parts);
  CB_TRY(grow_list(&g->item, &g->item_capacity, (size_t)g->start[n_cells], err));
#pragma omp parallel for schedule(static, 1)
  for (int p = 0; p < parts; p++)
    for (int t = (int)((int64_t)n * p / parts); t < (int)((int64_t)n * (p + 1) / parts); t++)
      put_triangle(g, g->range + 6 * (size_t)t, t, g->count + (size_t)p * (size_t)n_cells);
  return CB_OK;
}
