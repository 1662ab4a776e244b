/* Steps and rest of a sheet: Newton's method, the matrix factorised by CHOLMOD. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <suitesparse/cholmod.h>

#include "vlab_shell_impl.h"

#define NEAR 25 /* nodes at most two rows and two columns away */
#define NEWTON_MOST 5
#define STEP_TOLERANCE 5e-2 /* forces left over over weights */
#define REST_TOLERANCE 1e-5
#define REST_STEPS 150
#define REST_FIRST_S 0.01 /* steps grow until inertia hardly counts */
#define REST_GROWTH 1.2
#define REST_LAST_S 1.0

typedef struct vlab_newton {
  double (*block)[NEAR][9];                                        /* n: between a node and its neighbours */
  double (*gradient)[3], (*before)[3], (*towards)[3], (*start)[3]; /* n */
  cholmod_common common;
  cholmod_sparse *matrix;
  cholmod_factor *factor;
} vlab_newton;

void vlab_newton_free(vlab_newton *w) {
  if (!w) return;
  cholmod_free_factor(&w->factor, &w->common);
  cholmod_free_sparse(&w->matrix, &w->common);
  cholmod_finish(&w->common);
  free(w->block), free(w->gradient), free(w->before), free(w->towards), free(w->start), free(w);
}

/* ---- the matrix ---- */

/* Place of node k among those near node i. */
static int place_near(const vlab_shell *s, int i, int k) {
  int across = k % s->columns - i % s->columns;
  if (s->ring && across > 2) across -= s->columns;
  if (s->ring && across < -2) across += s->columns;
  return 5 * (k / s->columns - i / s->columns + 2) + across + 2;
}

/* Node at a place near node i; -1: none, or held. */
static int node_near(const vlab_shell *s, int i, int place) {
  int row = i / s->columns + place / 5 - 2, column = i % s->columns + place % 5 - 2;
  if (s->ring) column = (column + s->columns) % s->columns;
  const int k = row * s->columns + column;
  return column < 0 || column >= s->columns || k >= s->n || k < s->n_held ? -1 : k;
}

/* The matrix is symmetric: the half from the diagonal on is all that is read. */
static void add_block(const vlab_shell *s, vlab_newton *w, int i, int k, const double m[9]) {
  if (i < s->n_held || k < i) return;
  double *to = w->block[i][place_near(s, i, k)];
  for (int a = 0; a < 9; a++) to[a] += m[a];
}

/* Three columns of a node: rows from the diagonal on. Returns the number of entries. */
static int fill_columns(const vlab_shell *s, const vlab_newton *w, int i, int begin) {
  int *start = w->matrix->p, *row = w->matrix->i, at = begin;
  double *value = w->matrix->x;
  int near[NEAR];
  for (int place = 0; place < NEAR; place++) near[place] = node_near(s, i, place);
  for (int b = 0; b < 3; b++) {
    start[3 * (i - s->n_held) + b] = at;
    for (int place = 0; place < NEAR; place++) {
      const int k = near[place];
      for (int a = k == i ? b : 0; a < 3 && k >= i; a++) {
        row[at] = 3 * (k - s->n_held) + a;
        value[at++] = w->block[i][place][3 * b + a];
      }
    }
  }
  return at;
}

static bool factorise(const vlab_shell *s, vlab_newton *w, double inertia_per_s2) {
  double cell[4][4][9], node[9][9][9];
  memset(w->block, 0, (size_t)s->n * sizeof *w->block);
  for (int c = 0; c < s->n_cells; c++) {
    vlab_shell_cell_tangent(s, c, (const double(*)[3])w->before, cell);
    for (int p = 0; p < 4; p++)
      for (int q = 0; q < 4; q++) add_block(s, w, s->cell[c].corner[p], s->cell[c].corner[q], cell[p][q]);
  }
  for (int i = s->n_held / 2; i < s->n; i++) {
    vlab_shell_node_tangent(s, i, node);
    for (int p = 0; p < 9; p++)
      for (int q = 0; q < 9; q++) add_block(s, w, s->stencil[i].node[p], s->stencil[i].node[q], node[p][q]);
    for (int a = 0; a < 9; a += 4) w->block[i][NEAR / 2][a] += s->mass_kg[i] * inertia_per_s2;
  }
  int entries = 0;
  for (int i = s->n_held; i < s->n; i++) entries = fill_columns(s, w, i, entries);
  ((int *)w->matrix->p)[w->matrix->ncol] = entries;
  bool done;
  /* METIS takes its random numbers from rand(): beside another thread it finds another order. OpenBLAS
   * without threads (Debian's) is not safe in two of them. */
#pragma omp critical(cholmod)
  {
    if (!w->factor) w->factor = cholmod_analyze(w->matrix, &w->common);
    done = w->factor && cholmod_factorize(w->matrix, w->factor, &w->common);
  }
  return done && w->factor->minor == w->factor->n;
}

static cb_status get_ready(vlab_shell *s, cb_err *err) {
  if (s->newton) return CB_OK;
  const size_t n = (size_t)s->n, free_n = 3 * (size_t)(s->n - s->n_held);
  vlab_newton *w = s->newton = calloc(1, sizeof *w);
  if (!w) return cb_no_memory(err, "a step of %zu nodes", n);
  cholmod_start(&w->common);
  w->common.print = 0;
  w->common.supernodal = CHOLMOD_SUPERNODAL;
  w->block = calloc(n, sizeof *w->block);
  w->gradient = calloc(n, sizeof *w->gradient), w->before = calloc(n, sizeof *w->before);
  w->towards = calloc(n, sizeof *w->towards), w->start = calloc(n, sizeof *w->start);
  w->matrix = cholmod_allocate_sparse(free_n, free_n, free_n * 3 * NEAR, 0, 1, -1, CHOLMOD_REAL, &w->common);
  const bool all = w->block && w->gradient && w->before && w->towards && w->start && w->matrix;
  return all ? CB_OK : cb_no_memory(err, "a step of %zu nodes", n);
}

/* ---- Newton's method ---- */

/* Root of the sum of squares of the forces left over that of the weights. */
static double forces_left(const vlab_shell *s, const double (*gradient)[3]) {
  double left = 0, weights = 0;
  for (int i = s->n_held; i < s->n; i++) {
    const double weight = VLAB_GRAVITY_M_PER_S2 * s->mass_kg[i];
    for (int k = 0; k < 3; k++) left += gradient[i][k] * gradient[i][k];
    weights += weight * weight;
  }
  return sqrt(left / weights);
}

/* One full step of Newton's method from s->x. Energy may rise: a sheet that turns is stretched first. */
static cb_status move_on(vlab_shell *s, double inertia_per_s2, cb_err *err) {
  vlab_newton *w = s->newton;
  const size_t many = 3 * (size_t)(s->n - s->n_held);
  if (!factorise(s, w, inertia_per_s2)) return cb_fail(err, CB_E_NUM, "a sheet's matrix is not positive");
  cholmod_dense right = {many, 1, many, many, w->gradient[s->n_held], NULL, CHOLMOD_REAL, CHOLMOD_DOUBLE};
  cholmod_dense *solved;
#pragma omp critical(cholmod)
  solved = cholmod_solve(CHOLMOD_A, w->factor, &right, &w->common);
  if (!solved) return cb_no_memory(err, "a step of %d nodes", s->n);
  const double *way = solved->x;
  memcpy(w->before, s->x, (size_t)s->n * sizeof *w->before);
  for (size_t k = 0; k < many; k++) s->x[(size_t)s->n_held + k / 3][k % 3] -= way[k];
  cholmod_free_dense(&solved, &w->common);
  return CB_OK;
}

cb_status vlab_shell_step(vlab_shell *s, double step_s, cb_err *err) {
  CB_TRY(get_ready(s, err));
  vlab_newton *w = s->newton;
  const double drag = s->cloth.drag_per_s * step_s, inertia_per_s2 = (1 + drag) / (step_s * step_s);
  vlab_shell_begin_friction(s);
  for (int i = 0; i < s->n; i++)
    for (int k = 0; k < 3; k++) {
      w->start[i][k] = w->before[i][k] = s->x[i][k];
      w->towards[i][k] = s->x[i][k] + step_s * s->v[i][k] / (1 + drag);
    }
  for (int turn = 0; turn < NEWTON_MOST; turn++) {
    vlab_shell_gradient(s, w->gradient);
    for (int i = s->n_held; i < s->n; i++)
      for (int k = 0; k < 3; k++)
        w->gradient[i][k] += s->mass_kg[i] * inertia_per_s2 * (s->x[i][k] - w->towards[i][k]);
    const double left = forces_left(s, (const double(*)[3])w->gradient);
    if (!isfinite(left)) return cb_fail(err, CB_E_NUM, "a sheet's step gave no number");
    if (turn > 0 && left < STEP_TOLERANCE) break;
    CB_TRY(move_on(s, inertia_per_s2, err));
  }
  for (int i = 0; i < s->n; i++)
    for (int k = 0; k < 3; k++) s->v[i][k] = (s->x[i][k] - w->start[i][k]) / step_s;
  vlab_shell_end_friction(s);
  return CB_OK;
}

cb_status vlab_shell_rest(vlab_shell *s, double *residual, cb_err *err) {
  double step_s = REST_FIRST_S, left = INFINITY;
  for (int i = 0; i < REST_STEPS && left > REST_TOLERANCE; i++) {
    CB_TRY(vlab_shell_step(s, step_s, err));
    vlab_shell_begin_friction(s);
    vlab_shell_gradient(s, s->newton->gradient);
    left = forces_left(s, (const double(*)[3])s->newton->gradient);
    step_s = fmin(step_s * REST_GROWTH, REST_LAST_S);
  }
  *residual = left;
  memset(s->v, 0, (size_t)s->n * sizeof *s->v);
  return CB_OK;
}
