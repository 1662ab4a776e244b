/* Refits boxes and flatness to moving meshes; sim_query.h has the argument. */
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "sim_bvh_impl.h"

/* The box of a vertex's way. The conversion to float and the sum with the reach are each off by at most 2^-24
 * of the value; subtracting the drift, by much less of the drift. Four times that is added. */
static void vertex_box(const double p[3], const double q[3], const double drift[3], double reach,
                       sim_box *out) {
  for (int k = 0; k < 3; k++) {
    const double end = q[k] - drift[k], slack = fabs(drift[k]);
    const double lo = (p[k] < end ? p[k] : end) - reach, hi = (p[k] < end ? end : p[k]) + reach;
    out->lo[k] = (float)(lo - (fabs(lo) + slack) * 0x1p-22);
    out->hi[k] = (float)(hi + (fabs(hi) + slack) * 0x1p-22);
  }
}

/* one of so many vertices is sampled for the drift */
#define SAMPLE 64

/* The drift may be any vector: a motion that all vertices share brings none nearer to another. */
static void find_drift(const double (*start)[3], const double (*end)[3], int n, double drift[3]) {
  const int looked_at = (n + SAMPLE - 1) / SAMPLE;
  for (int k = 0; k < 3; k++) {
    drift[k] = 0;
    for (int v = 0; v < n; v += SAMPLE) drift[k] += (end[v][k] - start[v][k]) / looked_at;
    if (!isfinite(drift[k])) drift[k] = 0;
  }
}

/* leaves of a patch between two looks at whether the ball is too large already */
#define LOOK_EVERY 4

static inline floats greater(floats a, floats b) {
  const ints first = a > b;
  return (floats)((first & (ints)a) | (~first & (ints)b));
}

static inline float highest(floats a) {
  const float first = a[0] > a[1] ? a[0] : a[1], second = a[2] > a[3] ? a[2] : a[3];
  return first > second ? first : second;
}

/* The middle of a patch's ball: the mean over its own leaves, approximately if the last leaf is not full. */
static void find_middle(const sim_bvh *tree, const sim_bvh_node *node, float out[6]) {
  floats sum[6] = {{0}};
  for (int leaf = node->leaf; leaf < node->leaf + (int)node->n_leaves; leaf++) {
    const float(*row)[SIM_BVH_LEAF] = (const float(*)[SIM_BVH_LEAF])sim_bvh_rows(tree, leaf);
    for (int k = 0; k < 6; k++) sum[k] += floats_at(row[SIM_BVH_MIDDLE + k]);
  }
  for (int k = 0; k < 6; k++)
    out[k] =
        ((sum[k][0] + sum[k][1]) + (sum[k][2] + sum[k][3])) / (float)(SIM_BVH_LEAF * (int)node->n_leaves);
}

static float lesser_stretch(const float c[6]) {
  const float uu = c[0] * c[0] + c[1] * c[1] + c[2] * c[2], vv = c[3] * c[3] + c[4] * c[4] + c[5] * c[5];
  return sim_bvh_stretch(uu, vv, c[0] * c[3] + c[1] * c[4] + c[2] * c[5]);
}

/* A ball around that middle: its radius is the distance of the farthest middle plus the largest radius. A
 * NaN, which the sum keeps, makes the ball infinite. A ball that is too large is not completed: it is used no
 * more. */
static void patch_gradients(const sim_bvh *tree, const sim_bvh_node *node, int patch, sim_gradients *out) {
  floats farthest = {0}, largest = {0}, sum = {0};
  find_middle(tree, node, out->middle);
  const float stretch = lesser_stretch(out->middle), room = stretch - (float)SIM_BVH_FLAT;
  for (int i = tree->patch_start[patch]; i < tree->patch_start[patch + 1]; i++) {
    const float(*row)[SIM_BVH_LEAF] = (const float(*)[SIM_BVH_LEAF])sim_bvh_rows(tree, tree->patch[i]);
    const floats radius = floats_at(row[SIM_BVH_RADIUS]);
    floats square = {0};
    for (int k = 0; k < 6; k++) {
      const floats d = floats_at(row[SIM_BVH_MIDDLE + k]) - out->middle[k];
      square += d * d;
    }
    farthest = greater(square, farthest);
    largest = greater(radius, largest);
    sum += square + radius;
    if (i % LOOK_EVERY == 0 && highest(farthest) > room * room) break;
  }
  out->radius = sqrtf(highest(farthest)) + highest(largest);
  if (!(sum[0] + sum[1] + sum[2] + sum[3] < HUGE_VALF)) out->radius = HUGE_VALF;
  out->firm = sim_bvh_firmness(tree, stretch, out->radius);
}

/* The least ball around two balls. */
static void join_gradients(const sim_bvh *tree, const sim_gradients *a, const sim_gradients *b,
                           sim_gradients *out) {
  const float apart = sim_gradients_apart(a, b);
  const sim_gradients *wider = a->radius > b->radius ? a : b, *other = wider == a ? b : a;
  *out = *wider;
  if (apart + other->radius <= wider->radius) return;
  out->radius = (apart + a->radius + b->radius) / 2;
  const float share = apart > 0 ? (out->radius - wider->radius) / apart : 0;
  for (int k = 0; k < 6; k++) out->middle[k] += share * (other->middle[k] - wider->middle[k]);
  out->firm = sim_bvh_firmness(tree, lesser_stretch(out->middle), out->radius);
}

/* Returns whether a node is flat. A node above one that is not flat is not flat. */
static bool refit_flatness(sim_bvh *tree, int node) {
  const int flat = tree->flat_of[node], left = node + 1, right = sim_bvh_right(tree, node);
  if (flat < 0) return false;
  sim_gradients *g = &tree->flat_gradients[flat];
  if (flat < tree->n_patches) {
    patch_gradients(tree, &tree->node[node], flat, g);
  } else {
    if (!tree->node[left].flat || !tree->node[right].flat) return false;
    join_gradients(tree, &tree->flat_gradients[tree->flat_of[left]],
                   &tree->flat_gradients[tree->flat_of[right]], g);
  }
  return g->firm > 0;
}

/* Whether a leaf of the patch's list moved; the list has leaves beyond its own. */
static bool patch_stirred(const sim_bvh *tree, int patch) {
  for (int i = tree->patch_start[patch]; i < tree->patch_start[patch + 1]; i++)
    if (tree->leaf_moved[tree->patch[i]]) return true;
  return false;
}

static void put_box(const sim_lane_box *lanes, sim_box *out) {
  memcpy(out->lo, lanes->lo, sizeof out->lo);
  memcpy(out->hi, lanes->hi, sizeof out->hi);
}

/* The box of the ways of a leaf's vertices. */
static void leaf_box(const sim_bvh *tree, int leaf, sim_box *out) {
  const int *v = tree->triangle[(ptrdiff_t)SIM_BVH_LEAF * leaf];
  sim_lane_box all = sim_box_lanes(&tree->vertex_box[v[0]]);
  for (int i = 1; i < 3 * SIM_BVH_LEAF; i++) {
    const sim_lane_box box = sim_box_lanes(&tree->vertex_box[v[i]]);
    all = sim_lane_box_union(&all, &box);
  }
  put_box(&all, out);
}

static void refit_node(sim_bvh *tree, int node, bool all) {
  sim_bvh_node *n = &tree->node[node];
  if (n->n_leaves == 1) {
    n->stirred = tree->leaf_moved[n->leaf];
    if (all || n->stirred) leaf_box(tree, n->leaf, &n->box);
  } else {
    const sim_bvh_node *left = n + 1, *right = &tree->node[sim_bvh_right(tree, node)];
    n->stirred = left->stirred | right->stirred;
    if (all || n->stirred) n->box = sim_box_union(&left->box, &right->box);
  }
  const int flat = tree->flat_of[node];
  if (all || flat >= tree->n_patches || (flat >= 0 && patch_stirred(tree, flat)))
    n->flat = refit_flatness(tree, node);
}

static void refit_above(sim_bvh *tree, int node, bool all) {
  if (tree->node[node].n_leaves <= SIM_BVH_PART) return;
  refit_above(tree, node + 1, all);
  refit_above(tree, sim_bvh_right(tree, node), all);
  refit_node(tree, node, all);
}

void sim_bvh_refit(sim_bvh *tree, const double (*start_m)[3], const double (*end_m)[3], double reach_m,
                   const bool *moved) {
  const bool all = !moved || reach_m != tree->reach_m;
  tree->reach_m = reach_m;
  if (all) find_drift(start_m, end_m, tree->n_vertices, tree->drift_m);
#pragma omp parallel for schedule(static)
  for (int v = 0; v < tree->n_vertices; v++)
    if (all || moved[v]) vertex_box(start_m[v], end_m[v], tree->drift_m, reach_m, &tree->vertex_box[v]);
  sim_bvh_refit_leaves(tree, start_m, end_m, moved, all);
#pragma omp parallel for schedule(dynamic, 4)
  for (int p = 0; p < tree->n_parts; p++) {
    const int root = tree->part[p];
    for (int node = root + 2 * (int)tree->node[root].n_leaves - 2; node >= root; node--)
      refit_node(tree, node, all);
  }
  for (int m = 0; m < tree->n_meshes; m++) refit_above(tree, tree->root[m], all);
  sim_bvh_plan(tree);
}
