/* Pairs of triangles of two leaves: first their boxes, then whether they are neighbours that are bent little.
 * A batch has two triangles of the first leaf against the four of the second, in eight lanes. */
#include "sim_bvh_impl.h"

typedef float batch_floats __attribute__((vector_size(32)));
typedef int batch_ints __attribute__((vector_size(32)));
typedef long long batch_halves __attribute__((vector_size(32)));
typedef int loose_ints __attribute__((vector_size(16), aligned(4), may_alias));

/* Two of the first leaf's lanes, each four times. */
#define FIRST(row, batch)                                                   \
  ((batch) == 0 ? __builtin_shufflevector(row, row, 0, 0, 0, 0, 1, 1, 1, 1) \
                : __builtin_shufflevector(row, row, 2, 2, 2, 2, 3, 3, 3, 3))
/* The second leaf's lanes, twice. */
#define SECOND(row) __builtin_shufflevector(row, row, 0, 1, 2, 3, 0, 1, 2, 3)

/* Two leaves. What all batches need of the second one is laid out for them. */
typedef struct leaf_pair {
  const sim_bvh *tree;
  const sim_leaf *a;
  const float (*gradient_a)[SIM_BVH_LEAF], (*gradient_b)[SIM_BVH_LEAF];
  batch_floats lo[3], hi[3]; /* of the second leaf, grown by how far the leaves move against each other */
  ints corner_a[3];
  floats sine_a[3];
  floats normal_a[3], per_square; /* of the planes of the first leaf's triangles; 1 / their squares */
  batch_ints corner_b[3];
} leaf_pair;

/* The corners of a leaf's triangles, lane by lane. */
CB_INSIDE void get_corners(const sim_bvh *tree, int leaf, ints corner[3]) {
  const int *v = tree->triangle[(ptrdiff_t)SIM_BVH_LEAF * leaf];
  const ints p = *(const loose_ints *)v, q = *(const loose_ints *)(v + 4), r = *(const loose_ints *)(v + 8);
  const ints first = __builtin_shufflevector(p, q, 0, 3, 6, 6),
             second = __builtin_shufflevector(p, q, 1, 4, 7, 7),
             third = __builtin_shufflevector(p, q, 2, 5, 5, 5);
  corner[0] = __builtin_shufflevector(first, r, 0, 1, 2, 5);
  corner[1] = __builtin_shufflevector(second, r, 0, 1, 2, 6);
  corner[2] = __builtin_shufflevector(third, r, 0, 1, 4, 7);
}

CB_INSIDE void get_sines(const sim_bvh *tree, int leaf, floats sine[3]) {
  const int(*v)[3] = (const int(*)[3])tree->triangle + (ptrdiff_t)SIM_BVH_LEAF * leaf;
  for (int k = 0; k < 3; k++)
    sine[k] = (floats){tree->sine[v[0][k]], tree->sine[v[1][k]], tree->sine[v[2][k]], tree->sine[v[3][k]]};
}

/* How far the leaves move against each other from the middle of the step to either end, along each axis, with
 * room for the rounding of this sum. The last lane is not used. */
CB_INSIDE floats shifts_of(const sim_leaf *a, const sim_leaf *b) {
  const floats d = floats_at(a->shift) - floats_at(b->shift);
  const ints size = (ints)d & 0x7fffffff;
  return (floats)size * (0.5F + 0x1p-20F);
}

CB_INSIDE bool leaves_meet(const sim_leaf *a, const sim_leaf *b, floats shift) {
  const sim_lane_box first = sim_box_lanes(&a->box);
  sim_lane_box second = sim_box_lanes(&b->box);
  for (int k = 0; k < 4; k++) second.lo[k] -= shift[k];
  for (int k = 0; k < 4; k++) second.hi[k] += shift[k];
  return sim_lane_box_overlap(&first, &second);
}

/* Normals of any length, from gradients of the material plane. */
CB_INSIDE void get_normals(const float (*gradient)[SIM_BVH_LEAF], floats normal[3], floats *per_square) {
  const float(*u)[SIM_BVH_LEAF] = gradient + SIM_BVH_MIDDLE, (*v)[SIM_BVH_LEAF] = u + 3;
  floats square = {0};
  for (int k = 0; k < 3; k++) {
    const int i = (k + 1) % 3, j = (k + 2) % 3;
    normal[k] = floats_at(u[i]) * floats_at(v[j]) - floats_at(u[j]) * floats_at(v[i]);
    square += normal[k] * normal[k];
  }
  *per_square = 1 / square;
}

CB_INSIDE void look_at(const sim_bvh *tree, int a, int b, floats shift, leaf_pair *out) {
  const sim_leaf *of = &tree->in_leaf[b];
  ints corner[3];
  out->tree = tree;
  out->a = &tree->in_leaf[a];
  out->gradient_a = (const float(*)[SIM_BVH_LEAF])sim_bvh_rows(tree, a);
  out->gradient_b = (const float(*)[SIM_BVH_LEAF])sim_bvh_rows(tree, b);
  get_corners(tree, a, out->corner_a);
  get_sines(tree, a, out->sine_a);
  get_normals(out->gradient_a, out->normal_a, &out->per_square);
  get_corners(tree, b, corner);
  for (int k = 0; k < 3; k++) {
    const floats lo = floats_at(of->lo[k]) - shift[k], hi = floats_at(of->hi[k]) + shift[k];
    out->lo[k] = SECOND(lo);
    out->hi[k] = SECOND(hi);
    out->corner_b[k] = SECOND(corner[k]);
  }
}

/* The lanes of both batches that are set, as bits. */
CB_INSIDE unsigned bits_of(const batch_ints lanes[2]) {
  const batch_halves h = (batch_halves)((lanes[0] & (batch_ints){1, 2, 4, 8, 16, 32, 64, 128}) |
                                        (lanes[1] & (batch_ints){1, 2, 4, 8, 16, 32, 64, 128} << 8));
  const unsigned long long both = (unsigned long long)((h[0] | h[1]) | (h[2] | h[3]));
  return (unsigned)(both | both >> 32) & 0xffffU;
}

/* Which boxes overlap in the step. */
CB_INSIDE void overlap(const leaf_pair *p, int batch, batch_ints *meet) {
  *meet = (batch_ints){-1, -1, -1, -1, -1, -1, -1, -1};
  for (int k = 0; k < 3; k++) {
    const floats lo = floats_at(p->a->lo[k]), hi = floats_at(p->a->hi[k]);
    *meet &= (FIRST(lo, batch) <= p->hi[k]) & (p->lo[k] <= FIRST(hi, batch));
  }
}

/* How many corners two triangles share; and which part of the margin their gradients may differ by: the sine
 * for a corner, 1 for a side, 0 where pairs are searched. Both ends of a side with a sharp fold have sine
 * 0. */
CB_INSIDE void share_corners(const leaf_pair *p, int batch, batch_ints *shared, batch_floats *part) {
  batch_ints factor = {0};
  *shared = factor;
  for (int k = 0; k < 3; k++) {
    const batch_ints corner = FIRST(p->corner_a[k], batch);
    const batch_ints has =
        (p->corner_b[0] == corner) | (p->corner_b[1] == corner) | (p->corner_b[2] == corner);
    *shared -= has;
    factor |= has & (batch_ints)FIRST(p->sine_a[k], batch);
  }
  const batch_ints side = *shared > 1, one = (batch_ints)((batch_floats){0} + 1);
  *part = (batch_floats)((side & (factor != 0) & one) | (~side & factor));
}

/* Adds the squares of the differences between rows of the gradients. */
CB_INSIDE void add_squares(const leaf_pair *p, int batch, int first, int last, batch_floats *square) {
  for (int k = first; k < last; k++) {
    const floats of_a = floats_at(p->gradient_a[k]), of_b = floats_at(p->gradient_b[k]);
    const batch_floats d = SECOND(of_b) - FIRST(of_a, batch);
    *square += d * d;
  }
}

/* The square of how far the second triangles' gradients lead out of the planes of the first ones. */
CB_INSIDE void find_square_outside(const leaf_pair *p, int batch, batch_floats *out) {
  const float(*u)[SIM_BVH_LEAF] = p->gradient_b + SIM_BVH_MIDDLE, (*v)[SIM_BVH_LEAF] = u + 3;
  batch_floats of_u = {0}, of_v = {0};
  for (int k = 0; k < 3; k++) {
    const floats row_u = floats_at(u[k]), row_v = floats_at(v[k]);
    const batch_floats n = FIRST(p->normal_a[k], batch);
    of_u += n * SECOND(row_u);
    of_v += n * SECOND(row_v);
  }
  *out = (of_u * of_u + of_v * of_v) * FIRST(p->per_square, batch);
}

/* Which triangles share corners and are bent so little against each other that they can meet only there: by
 * all of the difference of their gradients, or by what lies in the plane of the first (sim_query.h). */
CB_INSIDE void find_joint(const leaf_pair *p, int batch, batch_ints *joint) {
  const float(*a)[SIM_BVH_LEAF] = p->gradient_a, (*b)[SIM_BVH_LEAF] = p->gradient_b;
  const floats firm_a = floats_at(a[SIM_BVH_FIRM]), firm_b = floats_at(b[SIM_BVH_FIRM]);
  const floats radius_a = floats_at(a[SIM_BVH_RADIUS]), radius_b = floats_at(b[SIM_BVH_RADIUS]);
  const batch_floats own = FIRST(firm_a, batch), other = SECOND(firm_b);
  const batch_ints firmer = own > other;
  const batch_floats firm = (batch_floats)((firmer & (batch_ints)own) | (~firmer & (batch_ints)other));
  batch_floats part, square = {0}, outside;
  batch_ints shared;
  share_corners(p, batch, &shared, &part);
  const batch_floats radii = FIRST(radius_a, batch) + SECOND(radius_b), most = firm * part - radii;
  add_squares(p, batch, SIM_BVH_MIDDLE, SIM_BVH_MIDDLE + 6, &square);
  if (p->tree->sewn) {
    add_squares(p, batch, SIM_BVH_MIDDLE + 6, SIM_BVH_MIDDLE + 9, &square);
    *joint = (shared > 0) & (most > 0) & (square < most * most);
    return;
  }
  find_square_outside(p, batch, &outside);
  const batch_floats own_most = own * part - radii;
  *joint = (shared > 0) & (((most > 0) & (square < most * most)) |
                           ((own_most > 0) & (square - outside < own_most * own_most)));
}

/* The pairs that may meet, as bits: four for each triangle of the first leaf. */
CB_INSIDE unsigned find_pairs(const leaf_pair *p) {
  batch_ints meet[2], joint[2] = {{0}};
  overlap(p, 0, &meet[0]);
  overlap(p, 1, &meet[1]);
  const unsigned pairs = bits_of(meet);
  if (pairs & 0xff) find_joint(p, 0, &joint[0]);
  if (pairs >> 8) find_joint(p, 1, &joint[1]);
  return pairs & ~bits_of(joint);
}

/* Within a leaf: the pairs of which the second triangle comes after the first. */
#define LATER 0x8ceU

CB_WIDE void sim_bvh_leaf_pairs(const sim_bvh *tree, int a, int b, sim_bvh_pair *pair, void *context) {
  leaf_pair p;
  const floats shift = shifts_of(&tree->in_leaf[a], &tree->in_leaf[b]);
  if (!leaves_meet(&tree->in_leaf[a], &tree->in_leaf[b], shift)) return;
  look_at(tree, a, b, shift, &p);
  unsigned pairs = find_pairs(&p);
  if (a == b) pairs &= LATER;
  for (; pairs; pairs &= pairs - 1) {
    const int i = __builtin_ctz(pairs);
    pair(context, SIM_BVH_LEAF * a + i / SIM_BVH_LEAF, SIM_BVH_LEAF * b + i % SIM_BVH_LEAF);
  }
}
