/* The grid of a sheet: derivatives by warp and weft at nodes and in cells. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "vlab_shell_impl.h"

/* ---- derivatives ---- */

/* Weights of three nodes in a row for the value, first and second derivative at their node number `at`. */
static void weigh_line(int at, double out[3][3]) {
  const double t = at - 1;
  const double by[3][3] = {{0}, {t - 0.5, -2 * t, t + 0.5}, {1, -2, 1}};
  memcpy(out, by, sizeof by);
  out[0][at] = 1;
}

/* Derivatives by row and column of what nine nodes hold: i, j, ii, ij, jj. */
static void weigh_square(int at_row, int at_column, double out[5][9]) {
  static const int order[5][2] = {{1, 0}, {0, 1}, {2, 0}, {1, 1}, {0, 2}};
  double row[3][3], column[3][3];
  weigh_line(at_row, row), weigh_line(at_column, column);
  for (int d = 0; d < 5; d++)
    for (int k = 0; k < 9; k++) out[d][k] = row[order[d][0]][k / 3] * column[order[d][1]][k % 3];
}

static void apply(const double weight[9], const vlab_stencil *s, const double (*flat)[2], double out[2]) {
  out[0] = out[1] = 0;
  for (int k = 0; k < 9; k++)
    for (int c = 0; c < 2; c++) out[c] += weight[k] * flat[s->node[k]][c];
}

/* Gauss and Jordan with pivots; m becomes the unit matrix. Not by GSL: its BLAS is not safe in two threads
 * (Debian's OpenBLAS). False: singular. */
static bool invert(double m[5][5], double inverse[5][5]) {
  for (int i = 0; i < 25; i++) inverse[i / 5][i % 5] = i / 5 == i % 5;
  for (int k = 0; k < 5; k++) {
    int best = k;
    for (int i = k + 1; i < 5; i++)
      if (fabs(m[i][k]) > fabs(m[best][k])) best = i;
    const double pivot = m[best][k];
    if (!(fabs(pivot) > 0)) return false;
    for (int j = 0; j < 5; j++) {
      const double a = m[best][j], b = inverse[best][j];
      m[best][j] = m[k][j], inverse[best][j] = inverse[k][j];
      m[k][j] = a / pivot, inverse[k][j] = b / pivot;
    }
    for (int i = 0; i < 5; i++) {
      const double times = i == k ? 0 : m[i][k];
      for (int j = 0; j < 5; j++) m[i][j] -= times * m[k][j], inverse[i][j] -= times * inverse[k][j];
    }
  }
  return true;
}

/* The chain rule: each derivative by row and column is a sum of those by warp and weft. Its inverse turns
 * weights. */
static bool turn_weights(const double by[5][9], const double (*flat)[2], vlab_stencil *s) {
  double g[5][2], m[5][5], inverse[5][5];
  for (int d = 0; d < 5; d++) apply(by[d], s, flat, g[d]);
  const double *a[3] = {g[0], g[0], g[1]}, *b[3] = {g[0], g[1], g[1]};
  for (int d = 0; d < 5; d++) {
    const int k = d - 2;
    m[d][UU] = k < 0 ? 0 : a[k][0] * b[k][0];
    m[d][VV] = k < 0 ? 0 : a[k][1] * b[k][1];
    m[d][UV] = k < 0 ? 0 : a[k][0] * b[k][1] + a[k][1] * b[k][0];
    m[d][U] = g[d][0], m[d][V] = g[d][1];
  }
  if (!invert(m, inverse)) return false;
  for (int d = 0; d < 5; d++)
    for (int k = 0; k < 9; k++) {
      s->weight[d][k] = 0;
      for (int e = 0; e < 5; e++) s->weight[d][k] += inverse[d][e] * by[e][k];
    }
  return true;
}

/* Middle of the three nodes in a row whose values give the derivatives at node k. */
static int middle_of(int k, int n, bool ring) {
  if (ring) return k;
  return k < 1 ? 1 : k > n - 2 ? n - 2 : k;
}

static bool make_stencil(const vlab_grid *g, int row, int column, vlab_stencil *s) {
  const int i = middle_of(row, g->rows, false), j = middle_of(column, g->columns, g->ring);
  double by[5][9];
  for (int k = 0; k < 9; k++)
    s->node[k] = (i + k / 3 - 1) * g->columns + (j + k % 3 - 1 + g->columns) % g->columns;
  weigh_square(row - i + 1, column - j + 1, by);
  return turn_weights((const double(*)[9])by, (const double(*)[2])g->flat_m, s);
}

static bool make_cell(const vlab_grid *g, int row, int column, vlab_cell *c) {
  static const double along[2][4] = {{-0.5, -0.5, 0.5, 0.5}, {-0.5, 0.5, -0.5, 0.5}};
  double d[2][2] = {{0}};
  for (int k = 0; k < 4; k++) {
    c->corner[k] = (row + k / 2) * g->columns + (column + k % 2) % g->columns;
    for (int a = 0; a < 2; a++)
      for (int b = 0; b < 2; b++) d[a][b] += along[a][k] * g->flat_m[c->corner[k]][b];
  }
  const double det = d[0][0] * d[1][1] - d[0][1] * d[1][0];
  c->area_m2 = fabs(det);
  for (int k = 0; k < 4; k++) {
    c->weight[0][k] = (d[1][1] * along[0][k] - d[0][1] * along[1][k]) / det;
    c->weight[1][k] = (d[0][0] * along[1][k] - d[1][0] * along[0][k]) / det;
  }
  return c->area_m2 > 0;
}

static bool lay_grid(vlab_shell *s, const vlab_grid *g) {
  bool smooth = true;
  const int cells = g->ring ? g->columns : g->columns - 1;
  for (int i = 0; i + 1 < g->rows; i++)
    for (int j = 0; j < cells; j++) smooth &= make_cell(g, i, j, &s->cell[s->n_cells++]);
  for (int i = 1; i < g->rows; i++)
    for (int j = 0; j < g->columns; j++) smooth &= make_stencil(g, i, j, &s->stencil[i * g->columns + j]);
  for (int c = 0; c < s->n_cells; c++)
    for (int k = 0; k < 4; k++) s->stencil[s->cell[c].corner[k]].area_m2 += s->cell[c].area_m2 / 4;
  for (int i = 0; i < s->n; i++) {
    s->mass_kg[i] = s->cloth.areal_density_kg_per_m2 * s->stencil[i].area_m2;
    for (int k = 0; k < 2; k++) s->x[i][k] = g->flat_m[i][k];
  }
  return smooth;
}

cb_status vlab_shell_new(const vlab_grid *grid, const vlab_shell_cloth *cloth, vlab_shell **out,
                         cb_err *err) {
  const size_t n = (size_t)grid->rows * (size_t)grid->columns;
  vlab_shell *s = *out = calloc(1, sizeof *s);
  if (!s) return cb_no_memory(err, "a sheet of %zu nodes", n);
  *s = (vlab_shell){.n = (int)n,
                    .columns = grid->columns,
                    .n_held = 2 * grid->columns,
                    .ring = grid->ring,
                    .cloth = *cloth};
  s->stencil = calloc(n, sizeof *s->stencil), s->cell = calloc(n, sizeof *s->cell);
  s->mass_kg = calloc(n, sizeof *s->mass_kg);
  s->x = calloc(n, sizeof *s->x), s->v = calloc(n, sizeof *s->v), s->normal = calloc(n, sizeof *s->normal);
  s->bent = calloc(n, sizeof *s->bent), s->held_N = calloc(n, sizeof *s->held_N);
  if (!s->stencil || !s->cell || !s->mass_kg || !s->x || !s->v || !s->normal || !s->bent || !s->held_N)
    return cb_no_memory(err, "a sheet of %zu nodes", n);
  return lay_grid(s, grid) ? CB_OK : cb_fail(err, CB_E_NUM, "a sheet's grid has a fold");
}

void vlab_shell_free(vlab_shell *s) {
  if (!s) return;
  vlab_newton_free(s->newton);
  free(s->stencil), free(s->cell), free(s->mass_kg), free(s->x), free(s->v);
  free(s->normal), free(s->bent), free(s->held_N), free(s);
}

double (*vlab_shell_position(vlab_shell *s))[3] { return s->x; }
