/* Refits what the leaves have of their own: the boxes of their triangles, and gradients. */
#include <string.h>

#include "sim_bvh_impl.h"

/* ---- boxes ---- */

/* Three coordinates, and a lane that is not used. */
typedef double doubles __attribute__((vector_size(32)));
typedef long long masks __attribute__((vector_size(32)));

/* Those of a where the mask is set, else of b. */
#define CHOOSE(mask, a, b) ((doubles)(((mask) & (masks)(a)) | (~(mask) & (masks)(b))))

/* How a leaf moves by itself: the mean motion of its first triangle, without the drift. */
static void find_shift(const sim_bvh *tree, int leaf, const double (*start)[3], const double (*end)[3]) {
  const int *v = tree->triangle[(ptrdiff_t)SIM_BVH_LEAF * leaf];
  for (int k = 0; k < 3; k++) {
    double way = 0;
    for (int c = 0; c < 3; c++) way += end[v[c]][k] - start[v[c]][k];
    tree->in_leaf[leaf].shift[k] = (float)(way / 3 - tree->drift_m[k]);
  }
}

/* Boxes as the leaf sees them: half of its shift is added to the starts and subtracted from the ends. The
 * conversion to float and a sum in the search are each off by at most 2^-24 of the value, the sums here by
 * much less. 2^-22 is added. */
CB_WIDE static void refit_boxes(const sim_bvh *tree, int leaf, const double (*start)[3],
                                const double (*end)[3]) {
  sim_leaf *to = &tree->in_leaf[leaf];
  double half[3], back[3], slack[3];
  for (int k = 0; k < 3; k++) {
    half[k] = (double)to->shift[k] / 2;
    back[k] = tree->drift_m[k] + half[k];
    slack[k] = fabs(tree->drift_m[k]) + fabs(half[k]);
  }
  const doubles add = {half[0], half[1], half[2]}, take = {back[0], back[1], back[2]};
  for (int l = 0; l < SIM_BVH_LEAF; l++) {
    if (tree->number[SIM_BVH_LEAF * leaf + l] < 0) continue;
    const int *v = tree->triangle[SIM_BVH_LEAF * leaf + l];
    doubles lo, hi;
    for (int c = 0; c < 3; c++) {
      const double *x = start[v[c]], *y = end[v[c]];
      const doubles from = (doubles){x[0], x[1], x[2]} + add, till = (doubles){y[0], y[1], y[2]} - take;
      const masks forth = from < till;
      const doubles less = CHOOSE(forth, from, till), more = CHOOSE(forth, till, from);
      lo = c == 0 ? less : CHOOSE(less < lo, less, lo);
      hi = c == 0 ? more : CHOOSE(more > hi, more, hi);
    }
    for (int k = 0; k < 3; k++) {
      const double first = lo[k] - tree->reach_m, last = hi[k] + tree->reach_m;
      to->lo[k][l] = (float)(first - (fabs(first) + slack[k]) * 0x1p-22);
      to->hi[k][l] = (float)(last + (fabs(last) + slack[k]) * 0x1p-22);
    }
  }
}

static void refit_whole_box(sim_leaf *leaf) {
  for (int k = 0; k < 3; k++) {
    float lo = leaf->lo[k][0], hi = leaf->hi[k][0];
    for (int l = 1; l < SIM_BVH_LEAF; l++) {
      lo = leaf->lo[k][l] < lo ? leaf->lo[k][l] : lo;
      hi = leaf->hi[k][l] > hi ? leaf->hi[k][l] : hi;
    }
    leaf->box.lo[k] = lo;
    leaf->box.hi[k] = hi;
  }
}

/* ---- gradients ---- */

static inline void lesser_stretches(const float c[6][SIM_BVH_LEAF], float out[SIM_BVH_LEAF]) {
  for (int l = 0; l < SIM_BVH_LEAF; l++) {
    const float uu = c[0][l] * c[0][l] + c[1][l] * c[1][l] + c[2][l] * c[2][l];
    const float vv = c[3][l] * c[3][l] + c[4][l] * c[4][l] + c[5][l] * c[5][l];
    const float uv = c[0][l] * c[3][l] + c[1][l] * c[4][l] + c[2][l] * c[5][l];
    out[l] = sim_bvh_stretch(uu, vv, uv);
  }
}

/* F of a leaf's triangles. */
static inline void leaf_gradient(const sim_bvh *tree, int leaf, const double (*x)[3],
                                 float out[6][SIM_BVH_LEAF]) {
  float e[3][SIM_BVH_LEAF], f[3][SIM_BVH_LEAF], m[4][SIM_BVH_LEAF];
  for (int l = 0; l < SIM_BVH_LEAF; l++) {
    const int *v = tree->triangle[SIM_BVH_LEAF * leaf + l];
    for (int k = 0; k < 3; k++) {
      e[k][l] = (float)(x[v[1]][k] - x[v[0]][k]);
      f[k][l] = (float)(x[v[2]][k] - x[v[0]][k]);
    }
    for (int k = 0; k < 4; k++) m[k][l] = tree->material[SIM_BVH_LEAF * leaf + l][k];
  }
  for (int k = 0; k < 3; k++)
    for (int l = 0; l < SIM_BVH_LEAF; l++) {
      out[k][l] = e[k][l] * m[0][l] + f[k][l] * m[1][l];
      out[3 + k][l] = e[k][l] * m[2][l] + f[k][l] * m[3][l];
    }
}

CB_WIDE static void refit_gradients(const sim_bvh *tree, int leaf, const double (*start)[3],
                                    const double (*end)[3]) {
  float(*to)[SIM_BVH_LEAF] = sim_bvh_rows(tree, leaf);
  float first[6][SIM_BVH_LEAF], last[6][SIM_BVH_LEAF], square[SIM_BVH_LEAF] = {0}, stretch[SIM_BVH_LEAF];
  leaf_gradient(tree, leaf, start, first);
  if (start != end)
    leaf_gradient(tree, leaf, end, last);
  else
    memcpy(last, first, sizeof last);
  for (int k = 0; k < 6; k++)
    for (int l = 0; l < SIM_BVH_LEAF; l++) {
      to[SIM_BVH_MIDDLE + k][l] = (first[k][l] + last[k][l]) / 2;
      square[l] += (last[k][l] - first[k][l]) * (last[k][l] - first[k][l]);
    }
  lesser_stretches((const float(*)[SIM_BVH_LEAF])to + SIM_BVH_MIDDLE, stretch);
  for (int l = 0; l < SIM_BVH_LEAF; l++) {
    const float radius = sqrtf(square[l]) / 2;
    to[SIM_BVH_RADIUS][l] = radius;
    to[SIM_BVH_FIRM][l] = sim_bvh_firmness(tree, stretch[l], radius);
  }
}

/* ---- both ---- */

static bool leaf_stirred(const sim_bvh *tree, int first_slot, const bool *moved) {
  for (int i = first_slot; i < first_slot + SIM_BVH_LEAF; i++) {
    const int *v = tree->triangle[i];
    if (tree->number[i] >= 0 && (moved[v[0]] || moved[v[1]] || moved[v[2]])) return true;
  }
  return false;
}

void sim_bvh_refit_leaves(sim_bvh *tree, const double (*start)[3], const double (*end)[3], const bool *moved,
                          bool all) {
#pragma omp parallel for schedule(static)
  for (int leaf = 0; leaf < tree->n_leaves; leaf++) {
    tree->leaf_moved[leaf] = !moved || leaf_stirred(tree, SIM_BVH_LEAF * leaf, moved);
    if (!all && !tree->leaf_moved[leaf]) continue;
    find_shift(tree, leaf, start, end);
    refit_boxes(tree, leaf, start, end);
    refit_whole_box(&tree->in_leaf[leaf]);
    if (tree->map[leaf] == SIM_LEAF_MATERIAL) refit_gradients(tree, leaf, start, end);
    if (tree->map[leaf] == SIM_LEAF_SHAPE) sim_bvh_refit_sewn(tree, leaf, start, end);
  }
}
