/* Proximity of triangles: the distance of two features, whether two moving features meet within a step,
 * whether two triangles cross, and bounding-volume hierarchies (BVH) that find the pairs. SI units. */
#ifndef SIM_QUERY_H
#define SIM_QUERY_H

#include <stdbool.h>
#include <string.h>

#include "sim_mesh.h"

/* ---- two features ---- */

/* The closest points of two features of triangle meshes: a vertex and a triangle, or two edges.
 *
 * Four points describe either pair. Vertex and triangle: point 0, and points 1 to 3. Two edges: points 0 and
 * 1, and points 2 and 3. The closest points are given by weights. Weights of the first feature are >= 0 and
 * add up to 1; weights of the second are <= 0 and add up to -1. So sum(weight x point) is the vector from the
 * closest point of the second feature to the closest point of the first. Triangles without area, edges
 * without length and parallel edges are allowed. */

typedef enum sim_pair { SIM_VERTEX_TRIANGLE, SIM_EDGE_EDGE } sim_pair;

/* Returns the distance [m] and the weights of the closest points. */
double sim_closest(sim_pair pair, const double point[4][3], double weight[4]);

/* The unit direction from the closest point of the second feature to that of the first. weight comes from
 * sim_closest. The direction is at right angles to the sides on which the closest points lie, to full
 * precision even where the distance is tiny. It is 0 where the features meet at corners. */
void sim_closest_normal(sim_pair pair, const double point[4][3], const double weight[4], double normal[3]);

/* As sim_closest of two edges. Returns HUGE_VAL if a closest point is surely an end of its edge; the weights
 * then say nothing. */
double sim_closest_crossing(const double point[4][3], double weight[4]);

/* A plane across the line between the two features' centres, and what it proves: throughout the straight
 * motion from start to end, the features are at least gap / sqrt(square) apart if gap > 0. */
typedef struct sim_plane {
  double gap, square;
} sim_plane;
sim_plane sim_closest_plane(sim_pair pair, const double start[4][3], const double end[4][3]);

/* Returns true if the plane keeps the features further apart than `distance`. False says nothing. */
static inline bool sim_plane_parts(const sim_plane *p, double distance) {
  return p->gap > 0 && p->gap * p->gap > distance * distance * p->square;
}

/* ---- two features that move ---- */

/* Whether two features meet within a step in which each point moves straight, at its own speed.
 *
 * The method is conservative advancement along separating planes. At time t the closest points give a
 * direction n. The heights n.(a - b), over all points a of the first and b of the second feature, change
 * linearly. Until the first of them has sunk to `near`, a plane separates the features, whatever n was. At
 * that time the next direction is found. (Conservative advancement: Mirtich 1996; with the distance alone as
 * bound of the motion: Li, Kaufman, Jiang, Codimensional Incremental Potential Contact, ACM TOG 40(4):170,
 * 2021. With the plane as bound, features that slide along one another pass in one stride.)
 *
 * `near` is near_m, or a quarter of the distance at the start if that is less: a pair that is close already
 * may stay so. A pair that comes nearer than `near` is always a hit. A reported hit comes nearer than
 * SIM_CCD_HIT_NEAR times near, or took more than the 256 strides that are granted. */

typedef enum sim_ccd_outcome {
  SIM_CCD_APART,
  SIM_CCD_HIT,
  /* The distance at the start is 0, or less than a millionth of near_m: nothing can be said. */
  SIM_CCD_MET,
} sim_ccd_outcome;

/* Hits come nearer than this times near_m, unless they took too many strides. */
#define SIM_CCD_HIT_NEAR 2.0

/* Time, closest points and direction of a hit. normal (unit) points from the second feature to the first. */
typedef struct sim_ccd_hit {
  double time; /* 0 to 1: fraction of the step; before it the pair stays apart by `near` */
  double distance_m, weight[4], normal[3];
} sim_ccd_hit;

/* Tests one pair. start_m and end_m: the four points at both ends of the step. hit is always written; only
 * with SIM_CCD_HIT it describes a hit. */
sim_ccd_outcome sim_ccd(sim_pair pair, const double start_m[4][3], const double end_m[4][3], double near_m,
                        sim_ccd_hit *hit);

/* ---- two triangles ---- */

/* Whether an edge of one triangle passes through the other. Two triangles with a common vertex (by number):
 * only edges without that vertex count. With a common edge: never. A segment that touches the border of a
 * triangle passes; one that ends or lies in its plane does not. Signs of volumes are exact: long double, and
 * GMP where that does not tell. For proofs, not for speed. */
bool sim_triangles_cross(const double (*position_m)[3], const int first[3], const int second[3]);

/* ---- many moving triangles: BVH ---- */

/* A BVH over the triangles of moving meshes. It finds the pairs of triangles that can come near each other
 * within a step.
 *
 * Each mesh has one tree, built once. A leaf holds up to SIM_BVH_LEAF triangles. Vertices and triangles of
 * all meshes are numbered through, in the order of the meshes. A refit makes each box (AABB) hold its
 * triangles on their straight way from start to end. A drift, the same for all vertices, is subtracted first,
 * so that a cloth that falls as a whole has short ways. Boxes are floats, rounded outwards.
 *
 * The boxes of a leaf's triangles move with the leaf: a shift of its own is subtracted, too, so they hold
 * only how the leaf turns and deforms. Such boxes move linearly. Two of them stay apart if they are apart
 * along one axis at the start and, in the same order, at the end.
 *
 * Flat pieces. A piece of cloth that is nearly flat cannot meet itself; it is not searched for pairs with
 * itself. The argument (docs/method/self-collision.md) stands in for the contour test of Volino &
 * Magnenat-Thalmann (Eurographics 1994). Let x be the map from the material plane to space, and F its
 * gradient. Along the straight line from material point p to q, x(q) - x(p) is the mean of F times (q - p).
 * If |F - C| <= r there for one matrix C, whose lesser singular value is s, then |x(q) - x(p)| >= (s - r)|q -
 * p|. Within a step F is linear in time, so a ball that holds F of every triangle at start and end also holds
 * it in between. The tree of a cloth divides the material plane into rectangles, and the lines between points
 * of a rectangle stay in it. So the condition is checked for all triangles that touch the rectangle of a
 * node, widened by how far the node's triangles stick out.
 *
 * Neighbours. Two triangles with gradients F and G that share a corner v are tested by themselves, without
 * other triangles: x(q) - x(p) = F (q - p) + (G - F)(q - v). Here |q - v| <= |q - p| / sin a, where a is the
 * least angle of a triangle at v, since at least one triangle, or the outside, lies between them. If the
 * triangles share a side, G - F acts only on the distance of q from that side, which is at most |q - p|. So
 * they cannot meet if |G - F| < s sin a for a corner, or |G - F| < s for a side. Both also hold for what lies
 * in the plane of F alone. Let P project on it. Then P F = F, and |x(q) - x(p)| >= |P (x(q) - x(p))|. So
 * |P (G - F)| stands for |G - F|, and s is that of F. A fold by an angle has |G - F| = 2 sin(angle / 2), but
 * |P (G - F)| = 1 - cos(angle).
 *
 * Sewn cloth. Cloth whose outline in the material plane is not convex, or with seams, has no flat pieces. For
 * its neighbours the same is said of the map from the shape in which the mesh was made. F maps the plane of a
 * triangle there to its plane here, and the normal to a vector that moves linearly from the unit normal here
 * at the start to that at the end. Then a is the least angle between triangles at v in that shape.
 *
 * SIM_BVH_FLAT is the fraction of their material distance that points of a flat piece keep. */

#define SIM_BVH_LEAF 4
#define SIM_BVH_MESHES 60
#define SIM_BVH_FLAT 0.25
#define SIM_BVH_TASKS 512 /* upper limit */

typedef struct sim_box {
  float lo[3], hi[3];
} sim_box;

/* A ball that holds F throughout a step. firm = lesser singular value of middle - radius - SIM_BVH_FLAT: the
 * margin of the flatness condition. */
typedef struct sim_gradients {
  float middle[6], radius, firm;
} sim_gradients;

/* The triangles of a leaf, lane by lane. An empty slot overlaps nothing. Boxes are those in the middle of the
 * step: at the start they are half of the shift behind, at the end as much ahead. */
typedef struct sim_leaf {
  float lo[3][SIM_BVH_LEAF], hi[3][SIM_BVH_LEAF]; /* bounds of the triangles' boxes */
  float shift[3];                                 /* of the leaf within the step, beside the drift */
  sim_box box;                                    /* of all of its triangles */
  float unused;                                   /* sim_box_lanes reads it */
} sim_leaf;

/* A triangle as it was made: F = d1 row[0]^T + d2 row[1]^T + n row[2]^T, with its sides d1, d2 and its unit
 * normal n of now. */
typedef struct sim_sewn {
  /* per_area: 1 / twice its area; 0: the triangle has no area, or its mesh is flat in one piece. */
  float row[3][3], per_area;
} sim_sewn;

/* What the gradients of a leaf are those of. */
typedef enum sim_leaf_map {
  SIM_LEAF_UNMAPPED, /* a body: none */
  SIM_LEAF_MATERIAL, /* the map from the material plane: six numbers */
  SIM_LEAF_SHAPE,    /* the map from the shape in which the mesh was made: nine */
} sim_leaf_map;

/* A node. The left child is the next node. The right child is the node after the left child's subtree. */
typedef struct sim_bvh_node {
  sim_box box;
  int leaf; /* first leaf: its slots begin at SIM_BVH_LEAF * leaf. Must follow the box: sim_box_lanes */
  unsigned n_leaves : 30, flat : 1, stirred : 1; /* of the last refit; stirred: a vertex moved */
} sim_bvh_node;

/* Two nodes whose pairs are to be searched. a == b: the node against itself. */
typedef struct sim_bvh_task {
  int a, b;
} sim_bvh_task;

/* The trees of all meshes. A triangle is known by its slot, its place in the leaves: triangles that are near
 * in space are near in memory. */
typedef struct sim_bvh {
  int n_meshes, n_vertices, n_triangles, n_leaves, n_slots, n_nodes;
  int (*triangle)[3]; /* n_slots: vertices, numbered through */
  int *number;        /* n_slots: triangle, numbered through; -1: an empty slot */
  int *slot;          /* n_triangles: the inverse of number */
  int *root;          /* n_meshes */
  sim_bvh_node *node;
  bool everything;    /* the caller may set it: flat pieces are searched as well */
  bool *body;         /* n_meshes: a body, not searched for pairs with itself or other bodies */
  unsigned char *map; /* n_leaves: sim_leaf_map */

  /* Flatness. A patch is a node of a few leaves. Its list holds all leaves with triangles that touch its
   * rectangle. Meshes that are searched throughout have no patches. */
  int n_patches;
  int *patch_start, *patch; /* patch_start: n_patches + 1; patch: leaves */
  /* n_nodes: below n_patches: the node's patch; n_patches or more: a node above patches; -1: neither */
  int *flat_of;
  float (*material)[4]; /* n_slots: inverse of the 2 x 2 matrix of the material sides */
  float *sine;    /* n_vertices: sine of the least angle at the vertex; 0: pairs joined there are searched */
  sim_sewn *sewn; /* n_slots; NULL: no mesh needs it */

  /* State of the last refit. */
  double reach_m, drift_m[3];
  bool *leaf_moved;    /* n_leaves */
  sim_box *vertex_box; /* n_vertices, and one that is not used: boxes may be read in fours */
  sim_leaf *in_leaf;   /* n_leaves */
  /* The gradients of the leaves' triangles, as in sim_gradients: n_rows for each leaf, which are the radius,
   * the margin, and the six or nine numbers of the middle. n_rows is 11 if there are sewn meshes, else 8. */
  float (*gradient)[SIM_BVH_LEAF];
  int n_rows;
  sim_gradients *flat_gradients; /* indexed by flat_of */
  int n_parts, *part;            /* subtrees that one thread each refits */
  int n_tasks;
  sim_bvh_task *task;
} sim_bvh;

/* Builds the trees. body: per mesh, NULL: none. Nothing of the meshes is kept. Caller: sim_bvh_clear, also
 * after an error. Errors: CB_E_RANGE for more than SIM_BVH_MESHES meshes or 2^26 triangles, CB_E_NOMEM. */
CB_CHECKED cb_status sim_bvh_init(const sim_mesh *const *mesh, const bool *body, int n_meshes, sim_bvh *out,
                                  cb_err *err);
void sim_bvh_clear(sim_bvh *tree);

/* Refits the boxes to the way from start to end (n_vertices each), every vertex with reach_m around it, and
 * plans the tasks. moved: per vertex, NULL: all moved. Pairs of which no vertex moved are left out of the
 * search; their vertices must have the same start and end as at the last refit, unless reach_m was another
 * one. */
void sim_bvh_refit(sim_bvh *tree, const double (*start_m)[3], const double (*end_m)[3], double reach_m,
                   const bool *moved);

/* Calls `pair` for every two triangles (slots a != b) that the task has to search and whose boxes overlap.
 * The order depends on nothing else. Different tasks may run in different threads; 0 <= task < n_tasks. */
typedef void sim_bvh_pair(void *context, int a, int b);
void sim_bvh_walk(const sim_bvh *tree, int task, sim_bvh_pair *pair, void *context);

/* A box in lanes, of which the last is not used. */
typedef struct sim_lane_box {
  float lo[4], hi[4];
} sim_lane_box;

/* Reads one number beyond the box: for boxes of nodes, leaves and vertices, which something follows. */
static inline sim_lane_box sim_box_lanes(const sim_box *box) {
  sim_lane_box out;
  memcpy(out.lo, (const char *)box, sizeof out.lo);
  memcpy(out.hi, (const char *)box + sizeof box->lo, sizeof out.hi);
  return out;
}
static inline sim_lane_box sim_lane_box_union(const sim_lane_box *a, const sim_lane_box *b) {
  sim_lane_box out;
  for (int k = 0; k < 4; k++) out.lo[k] = a->lo[k] < b->lo[k] ? a->lo[k] : b->lo[k];
  for (int k = 0; k < 4; k++) out.hi[k] = a->hi[k] > b->hi[k] ? a->hi[k] : b->hi[k];
  return out;
}
static inline bool sim_lane_box_overlap(const sim_lane_box *a, const sim_lane_box *b) {
  typedef float lanes __attribute__((vector_size(16)));
  typedef int ints __attribute__((vector_size(16)));
  typedef long long halves __attribute__((vector_size(16)));
  lanes lo[2], hi[2];
  memcpy(&lo[0], a->lo, sizeof lo[0]);
  memcpy(&hi[0], a->hi, sizeof hi[0]);
  memcpy(&lo[1], b->lo, sizeof lo[1]);
  memcpy(&hi[1], b->hi, sizeof hi[1]);
  const halves apart = (halves)(((lo[0] > hi[1]) | (lo[1] > hi[0])) & (ints){-1, -1, -1, 0});
  return (apart[0] | apart[1]) == 0;
}

#endif
