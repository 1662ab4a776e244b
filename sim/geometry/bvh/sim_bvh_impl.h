/* How the trees are made; parts of sim_bvh_init. */
#ifndef SIM_BVH_IMPL_H
#define SIM_BVH_IMPL_H

#include <math.h>

#include "cb_threads.h"
#include "sim_query.h"

#define SIM_BVH_PATCH 8     /* leaves of a patch, at most */
#define SIM_BVH_PART 256    /* leaves of a subtree that one thread refits, at most */
#define SIM_BVH_SLACK 1e-3f /* rounding of a gradient's single-precision entries, many times over */

/* Fills node, number and slot of a mesh, whose first leaf, node and triangle are given. rectangle: per node
 * of the whole tree, {lo u, lo v, hi u, hi v} in the material plane, or NULL where the mesh's own positions
 * order the tree. */
CB_CHECKED cb_status sim_bvh_grow(const sim_mesh *mesh, sim_bvh *tree, int first_node, int first_leaf,
                                  int first_triangle, double (*rectangle)[4], cb_err *err);

/* Whether the mesh is one piece of the material plane with a convex outline. Memory is what can fail. */
CB_CHECKED cb_status sim_bvh_convex(const sim_mesh *mesh, bool *convex, cb_err *err);

/* Lists of the leaves at each patch's rectangle; `grown[m]`: mesh m has rectangles. */
CB_CHECKED cb_status sim_bvh_patches(const sim_mesh *const *mesh, const bool *grown, sim_bvh *tree,
                                     const double (*rectangle)[4], cb_err *err);

/* The sine of the least angle at every vertex of the mesh in the material plane; 1 beyond a right angle. */
void sim_bvh_sines(const sim_mesh *mesh, float *sine);

/* The shape in which the mesh was made, in place of its material plane, and the sines there. Errors:
 * memory. */
CB_CHECKED cb_status sim_bvh_sewn(const sim_mesh *mesh, sim_bvh *tree, int first_triangle, int first_vertex,
                                  cb_err *err);

/* Gradients of a leaf that has a shape. */
void sim_bvh_refit_sewn(const sim_bvh *tree, int leaf, const double (*start_m)[3], const double (*end_m)[3]);

/* The tasks, after a refit. */
void sim_bvh_plan(sim_bvh *tree);

static inline int sim_bvh_left_leaves(const sim_bvh_node *n) { return ((int)n->n_leaves + 1) / 2; }
static inline int sim_bvh_right(const sim_bvh *tree, int node) {
  return node + 2 * sim_bvh_left_leaves(&tree->node[node]);
}

/* Four lanes; what a comparison gives: -1 or 0 in each. */
typedef float floats __attribute__((vector_size(16)));
typedef int ints __attribute__((vector_size(16)));
typedef float loose_floats __attribute__((vector_size(16), aligned(4), may_alias));

static inline floats floats_at(const float *p) { return *(const loose_floats *)p; }

/* Distance of the middles. */
static inline float sim_gradients_apart(const sim_gradients *a, const sim_gradients *b) {
  float square = 0;
  for (int k = 0; k < 6; k++) square += (a->middle[k] - b->middle[k]) * (a->middle[k] - b->middle[k]);
  return sqrtf(square);
}

#endif
