/* The rounds: edges too long are split, then vertices that are not needed go, with flips in between (the
 * paper's section 5). Within a round what is most wrong comes first, ties by number, and no triangle changes
 * twice. */
#include "sim_mesh_edit.h"

#include <math.h>
#include <stdlib.h>

#define SPLIT_ROUNDS 40
#define COLLAPSE_ROUNDS 20
#define FLIP_SWEEPS 8

static void flip_all(sim_mesh_edit *p, sim_remesh_report *r) {
  bool again = true;
  for (int sweep = 0; again && sweep < FLIP_SWEEPS; sweep++) {
    again = false;
    for (int half = 0; half < 3 * p->n_triangles; half++) {
      const sim_patch_triangle *t = &p->triangle[half / 3];
      if (t->vertex[0] < 0 || t->neighbour[half % 3] < half / 3)
        continue; /* the border, or looked at from there */
      if (!sim_mesh_edit_wants_flip(p, half) || !sim_mesh_edit_may_flip(p, half)) continue;
      sim_mesh_edit_flip(p, half);
      r->flips++;
      again = true;
    }
  }
}

/* ---- edges in order ---- */

typedef struct candidate {
  double length2;
  int a, b;
} candidate;

static int by_number(const candidate *x, const candidate *y) {
  return x->a != y->a ? (x->a > y->a) - (x->a < y->a) : (x->b > y->b) - (x->b < y->b);
}
static int longest_first(const void *x, const void *y) {
  const candidate *p = x, *q = y;
  return p->length2 != q->length2 ? (p->length2 < q->length2) - (p->length2 > q->length2) : by_number(p, q);
}
static int shortest_first(const void *x, const void *y) {
  const candidate *p = x, *q = y;
  return p->length2 != q->length2 ? (p->length2 > q->length2) - (p->length2 < q->length2) : by_number(p, q);
}

/* Edges within these squared lengths, each once. NULL: out of memory. */
static candidate *find_edges(const sim_mesh_edit *p, double above, double up_to,
                             int (*order)(const void *, const void *), int *n) {
  candidate *c = malloc((3 * (size_t)p->n_triangles + 1) * sizeof *c);
  *n = 0;
  for (int half = 0; c && half < 3 * p->n_triangles; half++) {
    const sim_patch_triangle *t = &p->triangle[half / 3];
    const int k = half % 3;
    if (t->vertex[0] < 0 || (t->neighbour[k] >= 0 && t->neighbour[k] < half / 3)) continue;
    const int a = t->vertex[sim_after(k)], b = t->vertex[sim_before(k)];
    const double length2 = sim_mesh_edit_length2(p, a, b);
    if (length2 > above && length2 <= up_to) c[(*n)++] = (candidate){length2, a < b ? a : b, a < b ? b : a};
  }
  if (c) qsort(c, (size_t)*n, sizeof *c, order);
  return c;
}

static bool untouched(const sim_mesh_edit *p, int half) {
  const int u = p->triangle[half / 3].neighbour[half % 3];
  return p->triangle[half / 3].stamp != p->round && (u < 0 || p->triangle[u].stamp != p->round);
}

/* Returns how many in *done. */
static cb_status split_round(sim_mesh_edit *p, int *done, cb_err *err) {
  int n;
  candidate *c = find_edges(p, 1, INFINITY, longest_first, &n);
  cb_status st = c ? CB_OK : cb_no_memory(err, "remesh, the edges of %d triangles", p->n_triangles);
  p->round++;
  for (int i = *done = 0; st == CB_OK && i < n; i++) {
    const int half = sim_mesh_edit_half(p, c[i].a, c[i].b);
    if (half < 0 || !untouched(p, half)) continue;
    st = sim_mesh_edit_split(p, half, err);
    ++*done;
  }
  free(c);
  return st;
}

static bool ring_untouched(const sim_mesh_edit *p, int vertex) {
  int corner[SIM_RING];
  const int n = sim_mesh_edit_ring(p, vertex, corner);
  for (int i = 0; n <= SIM_RING && i < n; i++)
    if (p->triangle[corner[i] / 3].stamp == p->round) return false;
  return n <= SIM_RING;
}

static bool collapse(sim_mesh_edit *p, int gone, int stays) {
  if (!ring_untouched(p, gone) || !sim_mesh_edit_may_collapse(p, gone, stays)) return false;
  sim_mesh_edit_collapse(p, gone, stays);
  return true;
}

static cb_status collapse_round(sim_mesh_edit *p, int *done, cb_err *err) {
  int n;
  candidate *c = find_edges(p, 0, SIM_REMESH_COARSE * SIM_REMESH_COARSE, shortest_first, &n);
  if (!c) return cb_no_memory(err, "remesh, the edges of %d triangles", p->n_triangles);
  p->round++;
  for (int i = *done = 0; i < n; i++) {
    const int a = c[i].a, b = c[i].b;
    if (p->vertex[a].at < 0 || p->vertex[b].at < 0 || sim_mesh_edit_half(p, a, b) < 0) continue;
    *done += collapse(p, b, a) || collapse(p, a, b); /* the newer one goes first */
  }
  free(c);
  return CB_OK;
}

static void measure_mesh(const sim_mesh_edit *p, sim_remesh_report *r) {
  int edges = 0, good = 0;
  r->quality_min = 1;
  for (int t = 0; t < p->n_triangles; t++) {
    const sim_patch_triangle *s = &p->triangle[t];
    if (s->vertex[0] < 0) continue;
    r->triangles++;
    r->quality_min = fmin(r->quality_min, sim_mesh_edit_quality(p, s->vertex));
    for (int k = 0; k < 3; k++) {
      if (s->neighbour[k] >= 0 && s->neighbour[k] < t) continue;
      const double length = sqrt(sim_mesh_edit_length2(p, s->vertex[sim_after(k)], s->vertex[sim_before(k)]));
      r->longest = fmax(r->longest, length);
      edges++;
      good += length >= 0.5 && length <= 1;
    }
  }
  for (int i = 0; i < p->n_vertices; i++) r->vertices += p->vertex[i].at >= 0;
  r->good = (double)good / edges;
}

cb_status sim_remesh_rounds(sim_mesh_edit *p, sim_remesh_report *r, cb_err *err) {
  *r = (sim_remesh_report){0};
  flip_all(p, r);
  for (int round = 0, done = 1; done > 0 && round < SPLIT_ROUNDS; round++) {
    CB_TRY(split_round(p, &done, err));
    r->splits += done;
    if (done > 0) flip_all(p, r);
  }
  for (int round = 0, done = 1; done > 0 && round < COLLAPSE_ROUNDS; round++) {
    CB_TRY(collapse_round(p, &done, err));
    r->collapses += done;
    if (done > 0) flip_all(p, r);
  }
  measure_mesh(p, r);
  return CB_OK;
}
