#include "sim_pairs.h"

#include <stdbool.h>
#include <stdlib.h>

#include "cb_threads.h"

#define ROWS 512 /* that a thread takes at once */

/* ---- making ---- */

static int edge_between(const sim_neighbours *a, int i, int j) {
  const int low = i < j ? i : j, high = i < j ? j : i;
  for (int e = a->upper_start[low]; e < a->upper_start[low + 1]; e++)
    if (a->upper[e] == high) return e;
  return -1;
}

static void split(double value, float *high, float *low) {
  *high = (float)value;
  *low = (float)(value - (double)*high);
}

/* Appends the springs of a row, or its negative ones, to the rest. Returns the new length. */
static int append_far(const sim_sparse *a, sim_pairs *p, int i, bool negative, int n_far) {
  for (int k = a->row_start[i]; k < a->row_start[i + 1]; k++) {
    const int j = a->column[k];
    if (j == i || (a->value[k] > 0) != negative || edge_between(&p->near, i, j) >= 0) continue;
    p->far[n_far] = j;
    split(a->value[k], &p->far_high[n_far], &p->far_low[n_far]);
    n_far++;
  }
  return n_far;
}

static int padded(int length) { return (length + SIM_PAIRS_FAR - 1) / SIM_PAIRS_FAR * SIM_PAIRS_FAR; }

static void fill(const sim_sparse *a, sim_pairs *p) {
  int n_far = 0;
  for (int i = 0; i < p->near.n; i++) {
    for (int k = a->row_start[i]; k < a->row_start[i + 1]; k++) {
      const int e = a->column[k] == i ? -1 : edge_between(&p->near, i, a->column[k]);
      if (e >= 0) split(a->value[k], &p->edge_high[e], &p->edge_low[e]);
    }
    p->far_springs[i] = append_far(a, p, i, false, n_far);
    const int last = append_far(a, p, i, true, p->far_springs[i]);
    n_far += padded(last - n_far);
    for (int k = last; k < n_far; k++) p->far[k] = i;
    p->far_start[i + 1] = n_far;
  }
}

static int count_far(const sim_neighbours *near, const sim_sparse *a) {
  int all = 0;
  for (int i = 0; i < near->n; i++) {
    int n = 0;
    for (int k = a->row_start[i]; k < a->row_start[i + 1]; k++)
      n += a->column[k] != i && edge_between(near, i, a->column[k]) < 0;
    all += padded(n);
  }
  return all;
}

/* Keeps columns as steps, if all are short enough. If there is no memory for it, they stay. */
static void shorten(sim_pairs *p) {
  const int n = p->near.n, n_far = p->far_start[n];
  for (int i = 0; i < n; i++)
    for (int k = p->far_start[i]; k < p->far_start[i + 1]; k++)
      if (p->far[k] - i > INT16_MAX || p->far[k] - i < INT16_MIN) return;
  p->step = malloc(((size_t)n_far + 1) * sizeof *p->step);
  if (!p->step) return;
  for (int i = 0; i < n; i++)
    for (int k = p->far_start[i]; k < p->far_start[i + 1]; k++) p->step[k] = (int16_t)(p->far[k] - i);
  free(p->far);
  p->far = NULL;
}

cb_status sim_pairs_make(const sim_neighbours *near, const sim_sparse *a, sim_pairs *out, cb_err *err) {
  const size_t n = (size_t)near->n, edges = (size_t)near->n_edges, far = a ? (size_t)count_far(near, a) : 0;
  *out = (sim_pairs){.near = *near};
  out->edge_high = calloc(edges + 1, sizeof *out->edge_high);
  out->edge_low = calloc(edges + 1, sizeof *out->edge_low);
  out->far_start = calloc(n + 1, sizeof *out->far_start);
  out->far_springs = calloc(n + 1, sizeof *out->far_springs);
  out->far = calloc(far + 1, sizeof *out->far);
  out->far_high = calloc(far + 1, sizeof *out->far_high);
  out->far_low = calloc(far + 1, sizeof *out->far_low);
  if (!out->edge_high || !out->edge_low || !out->far_start || !out->far_springs || !out->far ||
      !out->far_high || !out->far_low)
    return cb_no_memory(err, "pairs of %d vertices", near->n);
  if (a) fill(a, out);
  shorten(out);
  return CB_OK;
}

void sim_pairs_round(sim_pairs *p) {
  free(p->edge_low), free(p->far_low);
  p->edge_low = p->far_low = NULL;
}

void sim_pairs_clear(sim_pairs *p) {
  free(p->edge_high), free(p->edge_low);
  free(p->far_start), free(p->far_springs), free(p->far), free(p->step);
  free(p->far_high), free(p->far_low);
  *p = (sim_pairs){0};
}

/* ---- the product ---- */

typedef float floats __attribute__((vector_size(16), aligned(4), may_alias)); /* four, wherever they lie */
typedef double doubles __attribute__((vector_size(32)));                      /* four */
typedef double duo __attribute__((vector_size(16), aligned(8), may_alias));   /* two, wherever they lie */

static inline double edge_value(const sim_pairs *p, int e) {
  return (double)p->edge_high[e] + (double)p->edge_low[e];
}

static inline int far_column(const sim_pairs *p, int row, int k) {
  return p->step ? row + p->step[k] : p->far[k];
}

static inline double far_value(const sim_pairs *p, int k) {
  return (double)p->far_high[k] + (double)p->far_low[k];
}

/* A row of K d: (x, y) and (y, z), each in two sums side by side, since one would wait for itself. */
typedef struct row_sum {
  duo here_xy, here_yz, xy[2], yz[2];
} row_sum;

static inline void add_pair(row_sum *s, int side, double value, const double *there) {
  s->xy[side] += value * (*(const duo *)there - s->here_xy);
  s->yz[side] += value * (*(const duo *)(there + 1) - s->here_yz);
}

CB_INSIDE void add_edges(const sim_pairs *p, const double (*d)[3], int v, row_sum *s) {
  const sim_neighbours *near = &p->near;
  for (int e = near->upper_start[v]; e < near->upper_start[v + 1]; e++)
    add_pair(s, 0, edge_value(p, e), d[near->upper[e]]);
  for (int k = near->lower_start[v]; k < near->lower_start[v + 1]; k++)
    add_pair(s, 1, edge_value(p, near->lower_edge[k]), d[near->lower[k]]);
}

CB_INSIDE void add_far(const sim_pairs *p, const double (*d)[3], int v, bool steps, row_sum *s) {
  const double(*base)[3] = steps ? d + v : d;
  for (int k = p->far_start[v]; k < p->far_start[v + 1]; k += SIM_PAIRS_FAR) {
    const doubles value = __builtin_convertvector(*(const floats *)(p->far_high + k), doubles) +
                          __builtin_convertvector(*(const floats *)(p->far_low + k), doubles);
    for (int j = 0; j < SIM_PAIRS_FAR; j++)
      add_pair(s, j % 2, value[j], base[steps ? p->step[k + j] : p->far[k + j]]);
  }
}

CB_INSIDE void add_rows(const sim_pairs *p, double scale, const double (*d)[3], double (*y)[3], int first,
                        int last, bool steps) {
  for (int v = first; v < last; v++) {
    row_sum s = {.here_xy = *(const duo *)d[v], .here_yz = *(const duo *)(d[v] + 1)};
    add_edges(p, d, v, &s);
    add_far(p, d, v, steps, &s);
    y[v][0] += scale * (s.xy[0][0] + s.xy[1][0]);
    y[v][1] += scale * (s.xy[0][1] + s.xy[1][1]);
    y[v][2] += scale * (s.yz[0][1] + s.yz[1][1]);
  }
}

CB_WIDE static void add_rows_of_steps(const sim_pairs *p, double scale, const double (*d)[3], double (*y)[3],
                                      int first, int last) {
  add_rows(p, scale, d, y, first, last, true);
}

CB_WIDE static void add_rows_of_columns(const sim_pairs *p, double scale, const double (*d)[3],
                                        double (*y)[3], int first, int last) {
  add_rows(p, scale, d, y, first, last, false);
}

void sim_pairs_product(const sim_pairs *p, double scale, const double (*d)[3], double (*y)[3]) {
  const int n = p->near.n;
#pragma omp parallel for schedule(static)
  for (int first = 0; first < n; first += ROWS)
    (p->step ? add_rows_of_steps : add_rows_of_columns)(p, scale, d, y, first,
                                                        first + ROWS < n ? first + ROWS : n);
}

/* ---- energy and rows ---- */

/* Two vectors at a vertex, and the sums of their pairs: x and y side by side, and z. */
typedef struct pair_sum {
  const double (*u)[3], (*w)[3];
  duo u_xy, w_xy, xy;
  double u_z, w_z, z;
} pair_sum;

static inline void add_between(pair_sum *s, double value, int there) {
  s->xy += value * ((*(const duo *)s->u[there] - s->u_xy) * (*(const duo *)s->w[there] - s->w_xy));
  s->z += value * ((s->u[there][2] - s->u_z) * (s->w[there][2] - s->w_z));
}

/* Columns of a run ascend: those past the row are at its end, but for fillers. */
CB_INSIDE void add_run(const sim_pairs *p, int v, int first, int last, bool steps, pair_sum *s) {
  for (int k = last - 1; k >= first; k--) {
    const int there = steps ? v + p->step[k] : p->far[k];
    if (there < v) return;
    add_between(s, far_value(p, k), there);
  }
}

CB_INSIDE double sum_between(const sim_pairs *p, const double (*u)[3], const double (*w)[3], int first,
                             int last, bool steps) {
  double sum = 0;
  for (int v = first; v < last; v++) {
    pair_sum s = {.u = u,
                  .w = w,
                  .u_xy = *(const duo *)u[v],
                  .w_xy = *(const duo *)w[v],
                  .u_z = u[v][2],
                  .w_z = w[v][2]};
    for (int e = p->near.upper_start[v]; e < p->near.upper_start[v + 1]; e++)
      add_between(&s, edge_value(p, e), p->near.upper[e]);
    add_run(p, v, p->far_start[v], p->far_springs[v], steps, &s);
    add_run(p, v, p->far_springs[v], p->far_start[v + 1], steps, &s);
    sum += s.xy[0] + s.xy[1] + s.z;
  }
  return -sum;
}

CB_WIDE static double between_steps(const sim_pairs *p, const double (*u)[3], const double (*w)[3], int first,
                                    int last) {
  return sum_between(p, u, w, first, last, true);
}

CB_WIDE static double between_columns(const sim_pairs *p, const double (*u)[3], const double (*w)[3],
                                      int first, int last) {
  return sum_between(p, u, w, first, last, false);
}

double sim_pairs_between(const sim_pairs *p, const double (*u)[3], const double (*w)[3], int first,
                         int last) {
  return (p->step ? between_steps : between_columns)(p, u, w, first, last);
}

/* Inserts an entry into n ascending ones. Returns n + 1. */
static int insert(int n, int *column, double *value, int at, double number) {
  int k = n;
  for (; k > 0 && column[k - 1] > at; k--) {
    column[k] = column[k - 1];
    value[k] = value[k - 1];
  }
  column[k] = at;
  value[k] = number;
  return n + 1;
}

/* Where the far columns of a row end, without fillers. */
static int far_end(const sim_pairs *p, int row) {
  int last = p->far_start[row + 1];
  while (last > p->far_start[row] && far_column(p, row, last - 1) == row) last--;
  return last;
}

int sim_pairs_row(const sim_pairs *p, int row, int *column, double *value) {
  const sim_neighbours *near = &p->near;
  int n = 0;
  for (int k = near->lower_start[row]; k < near->lower_start[row + 1]; k++)
    n = insert(n, column, value, near->lower[k], edge_value(p, near->lower_edge[k]));
  for (int e = near->upper_start[row]; e < near->upper_start[row + 1]; e++)
    n = insert(n, column, value, near->upper[e], edge_value(p, e));
  const int last = far_end(p, row);
  for (int k = p->far_start[row]; k < last; k++)
    n = insert(n, column, value, far_column(p, row, k), far_value(p, k));
  double diagonal = 0;
  for (int k = 0; k < n; k++) diagonal -= value[k];
  return insert(n, column, value, row, diagonal);
}

static int row_length(const sim_pairs *p, int i) {
  const sim_neighbours *near = &p->near;
  return near->upper_start[i + 1] - near->upper_start[i] + near->lower_start[i + 1] - near->lower_start[i] +
         far_end(p, i) - p->far_start[i] + 1;
}

int sim_pairs_longest_row(const sim_pairs *p) {
  int most = 0;
  for (int i = 0; i < p->near.n; i++)
    if (row_length(p, i) > most) most = row_length(p, i);
  return most;
}

size_t sim_pairs_entries(const sim_pairs *p) {
  size_t n = 0;
  for (int i = 0; i < p->near.n; i++) n += (size_t)row_length(p, i);
  return n;
}
