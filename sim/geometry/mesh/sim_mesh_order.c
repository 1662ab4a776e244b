#include "sim_mesh.h"

#include <stdlib.h>
#include <string.h>

/* Searches for a far end of a component: the second finds one, a third rarely a farther one. */
#define SEARCHES 2

typedef struct numbering {
  const int (*triangle)[3];
  int n_triangles, n_vertices;
  int *start, *around; /* the triangles at each vertex */
  int *number;         /* of each old vertex; -1: none yet */
  int *order;          /* the queue of the search, and its result */
} numbering;

static void find_triangles_around(numbering *b) {
  memset(b->start, 0, ((size_t)b->n_vertices + 1) * sizeof *b->start);
  for (int t = 0; t < b->n_triangles; t++)
    for (int k = 0; k < 3; k++) b->start[b->triangle[t][k] + 1]++;
  for (int v = 0; v < b->n_vertices; v++) b->start[v + 1] += b->start[v];
  for (int t = 0; t < b->n_triangles; t++)
    for (int k = 0; k < 3; k++) b->around[b->start[b->triangle[t][k]]++] = t;
  memmove(b->start + 1, b->start, (size_t)b->n_vertices * sizeof *b->start);
  b->start[0] = 0;
}

static int enqueue(numbering *b, int v, int end) {
  if (b->number[v] >= 0) return end;
  b->number[v] = end;
  b->order[end] = v;
  return end + 1;
}

/* Numbers the vertices breadth first from `seed`, starting at `base`. Returns the number after the last
 * one. */
static int search_breadth(numbering *b, int seed, int base) {
  int end = enqueue(b, seed, base);
  for (int i = base; i < end; i++) {
    int v = b->order[i];
    for (int j = b->start[v]; j < b->start[v + 1]; j++)
      for (int k = 0; k < 3; k++) end = enqueue(b, b->triangle[b->around[j]][k], end);
  }
  return end;
}

static int number_component(numbering *b, int seed, int base) {
  int end = search_breadth(b, seed, base);
  for (int i = 0; i < SEARCHES; i++) {
    int far = b->order[end - 1];
    for (int j = base; j < end; j++) b->number[b->order[j]] = -1;
    end = search_breadth(b, far, base);
  }
  return end;
}

static void number_vertices(numbering *b) {
  int end = 0;
  for (int v = 0; v < b->n_vertices; v++) b->number[v] = -1;
  for (int v = 0; v < b->n_vertices; v++)
    if (b->number[v] < 0 && b->start[v] < b->start[v + 1]) end = number_component(b, v, end);
  for (int v = 0; v < b->n_vertices; v++) end = enqueue(b, v, end);
}

static int lowest(const numbering *b, int t) {
  const int *v = b->triangle[t];
  int low = b->number[v[0]];
  for (int k = 1; k < 3; k++)
    if (b->number[v[k]] < low) low = b->number[v[k]];
  return low;
}

/* By their lowest vertex; equal ones keep their order. */
static void number_triangles(numbering *b, int *triangle_order, int (*renumbered)[3]) {
  memset(b->start, 0, ((size_t)b->n_vertices + 1) * sizeof *b->start);
  for (int t = 0; t < b->n_triangles; t++) b->start[lowest(b, t) + 1]++;
  for (int v = 0; v < b->n_vertices; v++) b->start[v + 1] += b->start[v];
  for (int t = 0; t < b->n_triangles; t++) {
    int to = b->start[lowest(b, t)]++;
    triangle_order[to] = t;
    for (int k = 0; k < 3; k++) renumbered[to][k] = b->number[b->triangle[t][k]];
  }
}

cb_status sim_mesh_order(const int (*triangle)[3], int n_triangles, int n_vertices, int *order,
                         int *triangle_order, int (*renumbered)[3], cb_err *err) {
  size_t nv = (size_t)n_vertices, nt = (size_t)n_triangles;
  numbering b = {.triangle = triangle,
                 .n_triangles = n_triangles,
                 .n_vertices = n_vertices,
                 .start = calloc(nv + 1, sizeof *b.start),
                 .around = calloc(3 * nt, sizeof *b.around),
                 .number = calloc(nv, sizeof *b.number),
                 .order = order};
  cb_status st = CB_OK;
  if (b.start && b.around && b.number) {
    find_triangles_around(&b);
    number_vertices(&b);
    number_triangles(&b, triangle_order, renumbered);
  } else {
    st = cb_no_memory(err, "mesh, %d vertices", n_vertices);
  }
  free(b.start);
  free(b.around);
  free(b.number);
  return st;
}
