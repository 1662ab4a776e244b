#include "sim_bending_rows.h"

#include <stdlib.h>
#include <string.h>

static cb_status no_memory(cb_err *err) { return cb_no_memory(err, "bending, its matrix"); }

void sim_bending_rows_clear(sim_bending_rows *r) {
  free(r->start), free(r->column), free(r->value_N_per_m);
  *r = (sim_bending_rows){0};
}

static int by_number(const void *a, const void *b) {
  int x = *(const int *)a, y = *(const int *)b;
  return (x > y) - (x < y);
}

/* The columns of row v, ascending, into found (room for n_vertices); seen[] marks which are there already. */
static int row_columns(const sim_stencils *s, int v, int *seen, int *found) {
  int n = 0;
  found[n++] = v, seen[v] = v;
  for (int u = s->use_start[v]; u < s->use_start[v + 1]; u++)
    for (int i = s->start[s->use_triangle[u]]; i < s->start[s->use_triangle[u] + 1]; i++)
      if (seen[s->vertex[i]] != v) seen[s->vertex[i]] = v, found[n++] = s->vertex[i];
  qsort(found, (size_t)n, sizeof *found, by_number);
  return n;
}

static cb_status find_rows(int n, const sim_stencils *s, int *seen, int *found, sim_bending_rows *b,
                           cb_err *err) {
  b->start = calloc((size_t)n + 1, sizeof *b->start);
  if (!b->start) return no_memory(err);
  for (int v = 0; v < n; v++) seen[v] = -1;
  for (int v = 0; v < n; v++) b->start[v + 1] = b->start[v] + row_columns(s, v, seen, found);
  size_t total = (size_t)b->start[n];
  b->column = calloc(total, sizeof *b->column), b->value_N_per_m = calloc(total, sizeof *b->value_N_per_m);
  if (!b->column || !b->value_N_per_m) return no_memory(err);
  for (int v = 0; v < n; v++) seen[v] = -1;
  for (int v = 0; v < n; v++) {
    int count = row_columns(s, v, seen, found);
    memcpy(b->column + b->start[v], found, (size_t)count * sizeof *found);
  }
  return CB_OK;
}

static int entry(const sim_bending_rows *b, int row, int column) {
  const int *hit = bsearch(&column, b->column + b->start[row], (size_t)(b->start[row + 1] - b->start[row]),
                           sizeof column, by_number);
  return (int)(hit - b->column);
}

/* Each pair once, so that both halves are the same bits. */
void sim_bending_rows_add(sim_bending_rows *b, const sim_mesh *m, const sim_stencils *s,
                          const double D[3][3]) {
  double *value = b->value_N_per_m;
  for (int v = 0; v < m->n_vertices; v++)
    for (int u = s->use_start[v]; u < s->use_start[v + 1]; u++) {
      int t = s->use_triangle[u];
      const double *k = s->kappa[s->use_place[u]];
      double moment[3];
      for (int r = 0; r < 3; r++)
        moment[r] = m->area_m2[t] * (D[r][0] * k[0] + D[r][1] * k[1] + D[r][2] * k[2]);
      for (int i = s->start[t]; i < s->start[t + 1]; i++)
        if (s->vertex[i] >= v) {
          const double *o = s->kappa[i];
          value[entry(b, v, s->vertex[i])] += moment[0] * o[0] + moment[1] * o[1] + moment[2] * o[2];
        }
    }
  for (int v = 0; v < m->n_vertices; v++)
    for (int i = b->start[v]; i < b->start[v + 1]; i++)
      if (b->column[i] < v) value[i] = value[entry(b, b->column[i], v)];
}

cb_status sim_bending_rows_make(const sim_mesh *mesh, const sim_stencils *s, sim_bending_rows *out,
                                cb_err *err) {
  cb_status st = CB_OK;
  int *seen = calloc((size_t)mesh->n_vertices, sizeof *seen),
      *found = calloc((size_t)mesh->n_vertices, sizeof *found);
  *out = (sim_bending_rows){0};
  if (!seen || !found) CB_GOTO(no_memory(err));
  CB_GOTO(find_rows(mesh->n_vertices, s, seen, found, out, err));
done:
  free(seen), free(found);
  return st;
}

cb_status sim_bending_rows_pairs(const sim_bending_rows *r, const sim_neighbours *near, sim_pairs *out,
                                 cb_err *err) {
  return sim_pairs_make(near, &(sim_sparse){r->start, r->column, r->value_N_per_m}, out, err);
}
