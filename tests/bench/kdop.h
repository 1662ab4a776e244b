/* A tree of discrete oriented polytopes (k-DOP: the slabs of a few fixed axes) over the triangles of a
 * sim_bvh, with its nodes and leaves, so that only the volumes differ. Method and axes: J. T. Klosowski and
 * others, IEEE Trans. Vis. Comput. Graph. 4(1), 1998. */
#ifndef KDOP_H
#define KDOP_H

#include "sim_query.h"

typedef float kdop_floats __attribute__((vector_size(16)));

/* Slabs per volume: 3 axes make an AABB, 9 an 18-DOP. Axes come in fours, the spare ones always overlap. A
 * volume is `fours` vectors of upper bounds, then as many of lower bounds with their signs turned: a union is
 * a maximum. */
typedef struct kdop {
  const sim_bvh *tree; /* borrowed */
  int axes, fours;
  kdop_floats *vertex, *triangle, *node; /* triangle: by slot */
} kdop;

/* Tests of two volumes in a walk. */
typedef struct kdop_tests {
  long nodes, triangles;
} kdop_tests;

/* Makes the volumes of a tree, unfitted. axes: 3 or 9. Caller: kdop_clear. Errors: CB_E_NOMEM. */
CB_CHECKED cb_status kdop_init(const sim_bvh *tree, int axes, kdop *out, cb_err *err);
void kdop_clear(kdop *k);

/* As sim_bvh_refit with moved NULL, after it: the tree's drift is used. */
void kdop_refit(kdop *k, const double (*start_m)[3], const double (*end_m)[3], double reach_m);

/* Calls `pair` for every two triangles (slots) of mesh 0 whose volumes overlap, neighbours and flat pieces
 * too. */
kdop_tests kdop_walk(const kdop *k, sim_bvh_pair *pair, void *context);

/* Whether the volumes of two triangles (slots) overlap. */
bool kdop_overlap(const kdop *k, int a, int b);

#endif
