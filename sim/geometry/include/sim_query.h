/* Which triangles are near each other: how near two features are, whether they meet within a step, whether
 * triangles cross, and trees of boxes that find the pairs. SI. */
#ifndef SIM_QUERY_H
#define SIM_QUERY_H

#include <stdbool.h>

#include "sim_mesh.h"

/* ---- two features ---- */

/* How near two features of triangle meshes are: a vertex to a triangle, an edge to an edge.
 *
 * Four points stand for either pair. Vertex and triangle: point 0, and points 1 to 3. Two edges: points 0 and
 * 1, and points 2 and 3. The weights of the first feature are >= 0 and add up to 1, those of the second are
 * <= 0 and add up to -1, so that sum(weight x point) runs from the nearest point of the second to the nearest
 * point of the first. Triangles without area, edges without length and parallel edges are features like
 * others. */

typedef enum sim_pair { SIM_VERTEX_TRIANGLE, SIM_EDGE_EDGE } sim_pair;

/* The distance. */
double sim_closest(sim_pair pair, const double point[4][3], double weight[4]);

/* Direction from the second feature's nearest point to the first one's, from sim_closest's weights: at right
 * angles to the sides on which they lie, to all digits, however small the distance is. 0 where the features
 * meet at corners. */
void sim_closest_normal(sim_pair pair, const double point[4][3], const double weight[4], double normal[3]);

/* Cheap and often enough: whether the plane across the line between the two features' middles keeps them
 * further apart than `distance` on the straight way from start to end. */
bool sim_closest_apart(sim_pair pair, const double start[4][3], const double end[4][3], double distance);

/* ---- two features that move ---- */

/* Do two features that move straight, each point at its own speed, meet within a step?
 *
 * Conservative advancement along separating planes. At time t the nearest points give a direction n; the
 * heights n.(a - b) over all points a of the one and b of the other feature change linearly, so that until
 * the first of them has sunk to `near` a plane stands between the features, whatever n was. There the next
 * direction is found. (Conservative advancement: Mirtich 1996; with the distance alone as bound of the
 * motion: Li, Kaufman, Jiang, Codimensional Incremental Potential Contact, ACM TOG 40(4):170, 2021. The plane
 * as the bound lets features that slide along one another pass in one stride.)
 *
 * Never misses: a pair that comes nearer than `near` is a hit. A hit comes nearer than 2 near, or took more
 * strides than are granted. near = the given one, or a quarter of the distance at the start where that is
 * less: a pair that is close already may stay so. */

typedef enum sim_ccd_outcome {
  SIM_CCD_APART,
  SIM_CCD_HIT,
  SIM_CCD_MET, /* at the start the distance is 0, or less than a millionth of near_m: nothing can be said */
} sim_ccd_outcome;

/* When, and with which nearest points. normal points from the second feature to the first. */
typedef struct sim_ccd_hit {
  double time; /* 0 to 1: share of the step; nothing has come nearer before */
  double distance_m, weight[4], normal[3];
} sim_ccd_hit;

sim_ccd_outcome sim_ccd(sim_pair pair, const double start_m[4][3], const double end_m[4][3], double near_m,
                        sim_ccd_hit *hit);

/* ---- two triangles ---- */

/* Whether an edge of the one triangle passes through the other. Triangles with a common vertex (by number):
 * only edges without it count; with a common edge: never. Volumes in long double: their signs are right
 * unless a volume is less than about 1e-18 of the product of the lengths. For proofs, not for speed. */
bool sim_triangles_cross(const double (*position_m)[3], const int first[3], const int second[3]);

/* ---- many triangles that move ---- */

/* Boxes around boxes around the triangles of meshes that move: which triangles can come near each other
 * within a step.
 *
 * One tree per mesh, built once; every leaf has up to SIM_BVH_LEAF triangles. Vertices and triangles of all
 * meshes are numbered through, in the order of the meshes. A refit makes the boxes hold every triangle on its
 * straight way from start to end, less a drift that is the same for all: a cloth that falls as a whole has no
 * long ways. Boxes are floats, rounded outwards.
 *
 * A piece of cloth that is nearly flat cannot meet itself, and is not searched for pairs with itself. The
 * argument, in place of the contour test of Volino & Magnenat-Thalmann (Eurographics 1994): let x be the map
 * from the material plane to space, F its gradient. Along the straight line from material point p to q, x(q)
 * - x(p) is the mean of F times (q - p). With |F - C| <= r there for one matrix C, whose lesser singular
 * value is s, |x(q) - x(p)| >= (s - r)|q - p|. F is linear in time within a step, so a ball that holds F of
 * every triangle at start and end holds it in between. The trees of cloths split the material plane into
 * rectangles, and the lines between points of a rectangle stay in it: so the condition is asked of all
 * triangles that touch a node's rectangle (widened by how far its triangles stick out).
 *
 * Two triangles with gradients F and G that share a corner v are most of what is left, and need no others in
 * between: x(q) - x(p) = F (q - p) + (G - F)(q - v), and |q - v| <= |q - p| / sin a, where a is the least
 * angle of a triangle at v, one of which at least lies between them. Where they share a side, G - F acts on
 * the distance of q from it alone, which is at most |q - p|. So they cannot meet where |G - F| < s sin a, or
 * < s.
 *
 * Cloths whose outline in the material plane is not convex, or with seams, have no flat pieces. For their
 * triangles with a common corner the same is said of the map from the shape they were made in: F maps a
 * triangle's plane there to its plane here and the normal to some vector, the same for all of a step in being
 * linear in time: from the normal here at the start to that at the end. a is then the least angle between
 * triangles at v in that shape.
 *
 * SIM_BVH_FLAT is the factor that flat pieces keep: points of theirs are never nearer than that share of
 * their distance in the material. */

#define SIM_BVH_LEAF 4
#define SIM_BVH_MESHES 60
#define SIM_BVH_FLAT 0.25
#define SIM_BVH_TASKS 2048 /* at most */

typedef struct sim_box {
  float lo[3], hi[3];
} sim_box;

/* A ball that holds F throughout a step. firm: lesser singular value of the middle - radius - SIM_BVH_FLAT:
 * by so much more it keeps its distances than it has to. */
typedef struct sim_gradients {
  float middle[6], radius, firm;
} sim_gradients;

/* What a leaf's triangles have, lane by lane; a place that is empty overlaps nothing. */
typedef struct sim_leaf {
  float lo[3][SIM_BVH_LEAF], hi[3][SIM_BVH_LEAF]; /* boxes */
  /* gradients: six numbers, or nine from a shape */
  float middle[9][SIM_BVH_LEAF], radius[SIM_BVH_LEAF], firm[SIM_BVH_LEAF];
} sim_leaf;

/* A triangle as it was made: F = d1 row[0]^T + d2 row[1]^T + n row[2]^T with its sides d1, d2 and its normal
 * n. */
typedef struct sim_sewn {
  float row[3][3], per_area; /* 1 / twice its area; 0: it has none, or lies flat in one piece with the
                                others */
} sim_sewn;

/* Its left child is the next node, its right child the one after the left one's subtree. */
typedef struct sim_bvh_node {
  sim_box box;
  int leaf;                                      /* its first leaf: slots from SIM_BVH_LEAF * leaf on */
  unsigned n_leaves : 30, flat : 1, stirred : 1; /* the bits: as of the last refit */
} sim_bvh_node;

/* Nodes whose pairs are to be searched; a == b: with itself. */
typedef struct sim_bvh_task {
  int a, b;
} sim_bvh_task;

/* Triangles are known by their slots: places in the leaves, next to each other in memory where they are in
 * space. */
typedef struct sim_bvh {
  int n_meshes, n_vertices, n_triangles, n_leaves, n_slots, n_nodes;
  int (*triangle)[3]; /* n_slots: vertices, numbered through */
  int *number;        /* n_slots: triangle, numbered through; -1: an empty slot */
  int *slot;          /* n_triangles: the other way round */
  int *root;          /* n_meshes */
  sim_bvh_node *node;
  bool everything; /* may be set: flat pieces are searched as well */
  bool *body;      /* n_meshes: not searched for pairs with itself or other bodies */

  /* Flatness. A patch is a node of a few leaves; its list holds all leaves with triangles at its rectangle.
   * None for what is searched throughout. */
  int n_patches;
  int *patch_start, *patch; /* n_patches + 1; leaves */
  int *flat_of;             /* n_nodes: < n_patches: its patch; else made of patches; -1: neither */
  int *patch_with;          /* n_slots: the patch that the triangle is part of; -1: none */
  float (*extent)[4];       /* n_slots: lo u, lo v, hi u, hi v */
  float (*patch_rectangle)[4];
  float (*material)[4]; /* n_slots: inverse of the material edges */
  float *sine;          /* n_vertices: of the least angle at it; 0: none that would do */
  sim_sewn *sewn;       /* n_slots; NULL: no mesh needs it */

  /* As of the last refit. */
  double reach_m, drift_m[3];
  bool *leaf_moved;              /* n_leaves */
  sim_box *vertex_box;           /* n_vertices */
  sim_leaf *in_leaf;             /* n_leaves */
  sim_gradients *flat_gradients; /* by flat_of */
  int n_parts, *part;            /* subtrees that threads refit */
  int n_tasks;
  sim_bvh_task *task;
} sim_bvh;

/* body: per mesh; NULL: none. Nothing of the meshes is kept. Errors: memory, too many meshes, more than 2^26
 * triangles. */
CB_CHECKED cb_status sim_bvh_init(const sim_mesh *const *mesh, const bool *body, int n_meshes, sim_bvh *out,
                                  cb_err *err);
void sim_bvh_clear(sim_bvh *tree);

/* Boxes of the way from start to end, every vertex with `reach_m` around it, and the tasks. moved: per
 * vertex; pairs none of whose vertices moved are left out, and all others are where they were at the last
 * refit; NULL: all moved. */
void sim_bvh_refit(sim_bvh *tree, const double (*start_m)[3], const double (*end_m)[3], double reach_m,
                   const bool *moved);

/* Calls `pair` for every two triangles (by their slots, a != b) whose boxes overlap and that the task has to
 * search, in an order that depends on nothing else. Different tasks may run in different threads. */
typedef void sim_bvh_pair(void *context, int a, int b);
void sim_bvh_walk(const sim_bvh *tree, int task, sim_bvh_pair *pair, void *context);

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

static inline sim_box sim_bvh_triangle_box(const sim_bvh *tree, int slot) {
  const sim_leaf *l = &tree->in_leaf[slot / SIM_BVH_LEAF];
  const int k = slot % SIM_BVH_LEAF;
  return (sim_box){{l->lo[0][k], l->lo[1][k], l->lo[2][k]}, {l->hi[0][k], l->hi[1][k], l->hi[2][k]}};
}

#endif
