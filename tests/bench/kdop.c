#include "kdop.h"

#include <math.h>
#include <stdlib.h>

#define MOST_FOURS 3

static const double axis[4 * MOST_FOURS][3] = {{1, 0, 0}, {0, 1, 0},  {0, 0, 1},  {1, 1, 0}, {1, 0, 1},
                                               {0, 1, 1}, {1, -1, 0}, {1, 0, -1}, {0, 1, -1}};

static kdop_floats *volumes(const kdop *k, int n) {
  const size_t bytes = (size_t)n * 2 * (size_t)k->fours * sizeof(kdop_floats);
  return aligned_alloc(sizeof(kdop_floats), bytes);
}

cb_status kdop_init(const sim_bvh *tree, int axes, kdop *out, cb_err *err) {
  *out = (kdop){.tree = tree, .axes = axes, .fours = (axes + 3) / 4};
  out->vertex = volumes(out, tree->n_vertices);
  out->triangle = volumes(out, tree->n_slots);
  out->node = volumes(out, tree->n_nodes);
  if (out->vertex && out->triangle && out->node) return CB_OK;
  kdop_clear(out);
  return cb_fail(err, CB_E_NOMEM, "out of memory");
}

void kdop_clear(kdop *k) {
  free(k->vertex);
  free(k->triangle);
  free(k->node);
  *k = (kdop){0};
}

/* As the boxes of sim_bvh_refit: the way of a vertex without the drift, rounded outwards. */
static void fit_vertex(const double p[3], const double q[3], const double drift[3], double reach_m, int axes,
                       int fours, kdop_floats *out) {
  for (int i = 0; i < 2 * fours; i++) out[i] = (kdop_floats){0};
  for (int k = 0; k < axes; k++) {
    const double shift = sim_dot(axis[k], drift), slack = fabs(shift), begin = sim_dot(axis[k], p),
                 end = sim_dot(axis[k], q) - shift, reach = k < 3 ? reach_m : sqrt(2) * reach_m;
    const double lo = (begin < end ? begin : end) - reach, hi = (begin < end ? end : begin) + reach;
    out[k / 4][k % 4] = (float)(hi + (fabs(hi) + slack) * 0x1p-22);
    out[fours + k / 4][k % 4] = -(float)(lo - (fabs(lo) + slack) * 0x1p-22);
  }
}

typedef int ints __attribute__((vector_size(16)));

static inline void unite(const kdop_floats *a, const kdop_floats *b, int n, kdop_floats *out) {
  for (int i = 0; i < n; i++) {
    const ints first = a[i] > b[i];
    out[i] = (kdop_floats)((first & (ints)a[i]) | (~first & (ints)b[i]));
  }
}

/* Inlined with constant numbers, so that the loops of either kind of volume are unrolled. */
static inline __attribute__((always_inline)) void refit(kdop *k, const double (*start)[3],
                                                        const double (*end)[3], double reach_m, int axes,
                                                        int fours) {
  const sim_bvh *tree = k->tree;
  const int n = 2 * fours;
  for (int v = 0; v < tree->n_vertices; v++)
    fit_vertex(start[v], end[v], tree->drift_m, reach_m, axes, fours, k->vertex + n * v);
  for (int s = 0; s < tree->n_slots; s++) {
    const int *v = tree->triangle[s];
    kdop_floats *t = k->triangle + n * s;
    unite(k->vertex + n * v[0], k->vertex + n * v[1], n, t);
    unite(t, k->vertex + n * v[2], n, t);
  }
  for (int i = tree->n_nodes - 1; i >= 0; i--) {
    const sim_bvh_node *node = &tree->node[i];
    kdop_floats *to = k->node + n * i;
    if (node->n_leaves > 1) {
      unite(to + n, k->node + n * (i + 2 * (int)node[1].n_leaves), n, to);
      continue;
    }
    const kdop_floats *t = k->triangle + n * SIM_BVH_LEAF * node->leaf;
    unite(t, t + n, n, to);
    for (int s = 2; s < SIM_BVH_LEAF; s++) unite(to, t + n * s, n, to);
  }
}

void kdop_refit(kdop *k, const double (*start_m)[3], const double (*end_m)[3], double reach_m) {
  if (k->fours == 1)
    refit(k, start_m, end_m, reach_m, 3, 1);
  else
    refit(k, start_m, end_m, reach_m, 9, 3);
}

/* The axes of an AABB and one more come first: most volumes that are apart are so along one of them. */
static inline bool overlap(const kdop_floats *a, const kdop_floats *b, int fours) {
  for (int i = 0; i < fours; i++) {
    const long long __attribute__((vector_size(16))) apart =
        (long long __attribute__((vector_size(16))))((a[i] < -b[fours + i]) | (b[i] < -a[fours + i]));
    if (apart[0] | apart[1]) return false;
  }
  return true;
}

bool kdop_overlap(const kdop *k, int a, int b) {
  return overlap(k->triangle + 2 * k->fours * a, k->triangle + 2 * k->fours * b, k->fours);
}

typedef struct walker {
  const kdop *k;
  int fours;
  sim_bvh_pair *pair;
  void *context;
  kdop_tests tests;
} walker;

static inline __attribute__((always_inline)) void leaf_pairs(walker *w, int a, int b, int fours) {
  const kdop *k = w->k;
  const int *number = k->tree->number, n = 2 * fours;
  for (int i = SIM_BVH_LEAF * a; i < SIM_BVH_LEAF * (a + 1) && number[i] >= 0; i++)
    for (int j = a == b ? i + 1 : SIM_BVH_LEAF * b; j < SIM_BVH_LEAF * (b + 1) && number[j] >= 0; j++) {
      w->tests.triangles++;
      if (overlap(k->triangle + n * i, k->triangle + n * j, fours)) w->pair(w->context, i, j);
    }
}

/* The order of the descent is that of sim_bvh_walk. */
static void between(walker *w, int a, int b) {
  const sim_bvh_node *node = w->k->tree->node, *p = node + a, *q = node + b;
  const kdop_floats *v = w->k->node;
  const int n = 2 * w->fours;
  w->tests.nodes++;
  if (!(w->fours == 1 ? overlap(v + n * a, v + n * b, 1) : overlap(v + n * a, v + n * b, 3))) return;
  if (p->n_leaves == 1 && q->n_leaves == 1) {
    if (w->fours == 1)
      leaf_pairs(w, p->leaf, q->leaf, 1);
    else
      leaf_pairs(w, p->leaf, q->leaf, 3);
  } else if (p->n_leaves >= q->n_leaves) {
    between(w, a + 1, b);
    between(w, a + 2 * (int)p[1].n_leaves, b);
  } else {
    between(w, a, b + 1);
    between(w, a, b + 2 * (int)q[1].n_leaves);
  }
}

static void within(walker *w, int a) {
  const sim_bvh_node *p = w->k->tree->node + a;
  if (p->n_leaves == 1) {
    leaf_pairs(w, p->leaf, p->leaf, w->fours);
    return;
  }
  const int right = a + 2 * (int)p[1].n_leaves;
  within(w, a + 1);
  between(w, a + 1, right);
  within(w, right);
}

kdop_tests kdop_walk(const kdop *k, sim_bvh_pair *pair, void *context) {
  walker w = {.k = k, .fours = k->fours, .pair = pair, .context = context};
  within(&w, k->tree->root[0]);
  return w.tests;
}
