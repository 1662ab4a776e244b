/* How the trees of sim_query.h are built: the parts of sim_bvh_init and sim_bvh_refit. */
#ifndef SIM_BVH_IMPL_H
#define SIM_BVH_IMPL_H

#include <math.h>
#include <stddef.h>

#include "cb_threads.h"
#include "sim_query.h"

#define SIM_BVH_PATCH 8     /* most leaves of a patch */
#define SIM_BVH_PART 256    /* most leaves of a subtree that one thread refits */
#define SIM_BVH_SLACK 1e-3f /* bound for the rounding of single-precision gradients, with ample margin */

/* Builds the tree of one mesh: fills its part of node, number and slot, from the given first numbers on.
 * rectangle: per node of all trees, {lo u, lo v, hi u, hi v} in the material plane [m], written here; NULL:
 * the mesh's positions order the tree. Errors: CB_E_NOMEM. */
CB_CHECKED cb_status sim_bvh_grow(const sim_mesh *mesh, sim_bvh *tree, int first_node, int first_leaf,
                                  int first_triangle, double (*rectangle)[4], cb_err *err);

/* Finds whether the mesh is one piece in the material plane, without seams and with a convex outline. Errors:
 * CB_E_NOMEM. */
CB_CHECKED cb_status sim_bvh_convex(const sim_mesh *mesh, bool *convex, cb_err *err);

/* Lists the leaves that touch each patch's rectangle. grown[m]: mesh m has rectangles. Errors: CB_E_NOMEM. */
CB_CHECKED cb_status sim_bvh_patches(const sim_mesh *const *mesh, const bool *grown, sim_bvh *tree,
                                     const double (*rectangle)[4], cb_err *err);

/* Writes the sine of the least angle at every vertex (n_vertices) in the material plane; 1 for angles beyond
 * a right angle. */
void sim_bvh_sines(const sim_mesh *mesh, float *sine);

/* Describes the triangles and vertex angles of a mesh in the shape in which it was made, in place of its
 * material plane. Errors: CB_E_NOMEM. */
CB_CHECKED cb_status sim_bvh_sewn(const sim_mesh *mesh, sim_bvh *tree, int first_triangle, int first_vertex,
                                  cb_err *err);

/* Refits what leaves have of their own: boxes and gradients. Leaves that did not move keep what the last
 * refit found, unless `all`. */
void sim_bvh_refit_leaves(sim_bvh *tree, const double (*start_m)[3], const double (*end_m)[3],
                          const bool *moved, bool all);

/* Refits the gradients of a leaf whose mesh is described by sim_bvh_sewn. */
void sim_bvh_refit_sewn(const sim_bvh *tree, int leaf, const double (*start_m)[3], const double (*end_m)[3]);

/* Returns the lesser singular value of a gradient, from the products of its columns. */
static inline float sim_bvh_stretch(float uu, float vv, float uv) {
  const float square = (uu + vv) / 2 - sqrtf((uu - vv) * (uu - vv) / 4 + uv * uv);
  return sqrtf(square > 0 ? square : 0);
}

/* The margin of the flatness condition for a ball, from the lesser singular value of its middle. */
static inline float sim_bvh_firmness(const sim_bvh *tree, float stretch, float radius) {
  return tree->everything ? -1 : stretch - radius - (float)SIM_BVH_FLAT - SIM_BVH_SLACK;
}

/* Calls `pair` for every two triangles of the leaves that may meet; a == b: once for each two of the leaf. */
void sim_bvh_leaf_pairs(const sim_bvh *tree, int a, int b, sim_bvh_pair *pair, void *context);

/* Plans the tasks, at the end of a refit. */
void sim_bvh_plan(sim_bvh *tree);

/* The rows of a leaf's gradients. */
enum { SIM_BVH_RADIUS, SIM_BVH_FIRM, SIM_BVH_MIDDLE };
static inline float (*sim_bvh_rows(const sim_bvh *tree, int leaf))[SIM_BVH_LEAF] {
  return tree->gradient + (ptrdiff_t)tree->n_rows * leaf;
}

static inline int sim_bvh_left_leaves(const sim_bvh_node *n) { return ((int)n->n_leaves + 1) / 2; }
static inline int sim_bvh_right(const sim_bvh *tree, int node) {
  return node + 2 * sim_bvh_left_leaves(&tree->node[node]);
}

static inline bool sim_box_overlap(const sim_box *a, const sim_box *b) {
  return (a->lo[0] <= b->hi[0]) & (b->lo[0] <= a->hi[0]) & (a->lo[1] <= b->hi[1]) & (b->lo[1] <= a->hi[1]) &
         (a->lo[2] <= b->hi[2]) & (b->lo[2] <= a->hi[2]);
}
static inline sim_box sim_box_union(const sim_box *a, const sim_box *b) {
  sim_box out;
  for (int k = 0; k < 3; k++) {
    out.lo[k] = a->lo[k] < b->lo[k] ? a->lo[k] : b->lo[k];
    out.hi[k] = a->hi[k] > b->hi[k] ? a->hi[k] : b->hi[k];
  }
  return out;
}

/* Four lanes. A comparison gives -1 or 0 in each lane. */
typedef float floats __attribute__((vector_size(16)));
typedef int ints __attribute__((vector_size(16)));
typedef float loose_floats __attribute__((vector_size(16), aligned(4), may_alias));

static inline floats floats_at(const float *p) { return *(const loose_floats *)p; }

/* Distance between the middles of two balls, over the six numbers of the material plane. */
static inline float sim_gradients_apart(const sim_gradients *a, const sim_gradients *b) {
  float square = 0;
  for (int k = 0; k < 6; k++) square += (a->middle[k] - b->middle[k]) * (a->middle[k] - b->middle[k]);
  return sqrtf(square);
}

#endif
