/* Boxes and flatness of what moves: sim_bvh.h has the argument. */
#include <math.h>
#include <stddef.h>

#include "sim_bvh_build.h"

/* Rounding of a gradient's single-precision entries, many times over. */
#define FLAT_SLACK 1e-3f

/* The conversion to float and the sum with the reach are each off by at most 2^-24 of the value; four times that is added. */
static void vertex_box(const double p[3], const double q[3], double reach, sim_box *out) {
  for (int k = 0; k < 3; k++) {
    double lo = (p[k] < q[k] ? p[k] : q[k]) - reach, hi = (p[k] < q[k] ? q[k] : p[k]) + reach;
    out->lo[k] = (float)(lo - fabs(lo) * 0x1p-22);
    out->hi[k] = (float)(hi + fabs(hi) * 0x1p-22);
  }
}

/* The lesser singular value of the middle. */
static float lesser_stretch(const float c[6]) {
  const float uu = c[0] * c[0] + c[1] * c[1] + c[2] * c[2], vv = c[3] * c[3] + c[4] * c[4] + c[5] * c[5];
  const float uv = c[0] * c[3] + c[1] * c[4] + c[2] * c[5];
  const float square = (uu + vv) / 2 - sqrtf((uu - vv) * (uu - vv) / 4 + uv * uv);
  return square > 0 ? sqrtf(square) : 0;
}

static void find_firmness(const sim_bvh *tree, sim_gradients *g) {
  g->firm = tree->everything ? -1 : lesser_stretch(g->middle) - g->radius - (float)SIM_BVH_FLAT - FLAT_SLACK;
}

static void gradient_of(const double (*x)[3], const int v[3], const float inverse[4], float out[6]) {
  for (int k = 0; k < 3; k++) {
    const float e = (float)(x[v[1]][k] - x[v[0]][k]), f = (float)(x[v[2]][k] - x[v[0]][k]);
    out[k] = e * inverse[0] + f * inverse[1];
    out[3 + k] = e * inverse[2] + f * inverse[3];
  }
}

static sim_gradients triangle_gradients(const sim_bvh *tree, const double (*start)[3], const double (*end)[3], int slot) {
  sim_gradients g;
  float first[6], last[6], square = 0;
  gradient_of(start, tree->triangle[slot], tree->material[slot], first);
  gradient_of(end, tree->triangle[slot], tree->material[slot], last);
  for (int k = 0; k < 6; k++) {
    g.middle[k] = (first[k] + last[k]) / 2;
    square += (last[k] - first[k]) * (last[k] - first[k]);
  }
  g.radius = sqrtf(square) / 2;
  find_firmness(tree, &g);
  return g;
}

static void put_box(const sim_box *box, sim_leaf *leaf, int lane) {
  for (int k = 0; k < 3; k++) {
    leaf->lo[k][lane] = box->lo[k];
    leaf->hi[k][lane] = box->hi[k];
  }
}

static void put_gradients(const sim_gradients *g, sim_leaf *leaf, int lane) {
  for (int k = 0; k < 6; k++) leaf->middle[k][lane] = g->middle[k];
  leaf->radius[lane] = g->radius;
  leaf->firm[lane] = g->firm;
}

static sim_gradients take_gradients(const sim_bvh *tree, int slot) {
  const sim_leaf *leaf = &tree->in_leaf[slot / SIM_BVH_LEAF];
  const int lane = slot % SIM_BVH_LEAF;
  sim_gradients g = {.radius = leaf->radius[lane], .firm = leaf->firm[lane]};
  for (int k = 0; k < 6; k++) g.middle[k] = leaf->middle[k][lane];
  return g;
}

static void refit_triangles(sim_bvh *tree, const double (*start)[3], const double (*end)[3]) {
#pragma omp parallel for schedule(static)
  for (int t = 0; t < tree->n_slots; t++) {
    if (tree->number[t] < 0) continue;
    const int *v = tree->triangle[t];
    sim_leaf *leaf = &tree->in_leaf[t / SIM_BVH_LEAF];
    sim_box box = sim_box_union(&tree->vertex_box[v[0]], &tree->vertex_box[v[1]]);
    box = sim_box_union(&box, &tree->vertex_box[v[2]]);
    put_box(&box, leaf, t % SIM_BVH_LEAF);
    if (tree->patch_with[t] < 0) continue;
    const sim_gradients g = triangle_gradients(tree, start, end, t);
    put_gradients(&g, leaf, t % SIM_BVH_LEAF);
  }
}

/* Around the mean of what the patch's own triangles have. */
static void patch_gradients(const sim_bvh *tree, const sim_bvh_node *node, int patch, sim_gradients *out) {
  const int first = SIM_BVH_LEAF * node->leaf, last = first + SIM_BVH_LEAF * (int)node->n_leaves;
  float n = 0;
  *out = (sim_gradients){.radius = 0};
  for (int slot = first; slot < last; slot++) {
    if (tree->number[slot] < 0) continue;
    for (int k = 0; k < 6; k++) out->middle[k] += tree->in_leaf[slot / SIM_BVH_LEAF].middle[k][slot % SIM_BVH_LEAF];
    n++;
  }
  for (int k = 0; k < 6; k++) out->middle[k] /= n;
  for (int i = tree->patch_start[patch]; i < tree->patch_start[patch + 1]; i++) {
    const sim_gradients g = take_gradients(tree, tree->patch[i]);
    const float reach = sim_gradients_apart(&g, out) + g.radius;
    if (!(reach < HUGE_VALF)) {
      out->radius = HUGE_VALF;
      break;
    }
    if (reach > out->radius) out->radius = reach;
  }
  find_firmness(tree, out);
}

/* The least ball around two. */
static void join_gradients(const sim_bvh *tree, const sim_gradients *a, const sim_gradients *b, sim_gradients *out) {
  const float apart = sim_gradients_apart(a, b);
  const sim_gradients *wider = a->radius > b->radius ? a : b, *other = wider == a ? b : a;
  *out = *wider;
  if (apart + other->radius <= wider->radius) return;
  out->radius = (apart + a->radius + b->radius) / 2;
  const float share = apart > 0 ? (out->radius - wider->radius) / apart : 0;
  for (int k = 0; k < 6; k++) out->middle[k] += share * (other->middle[k] - wider->middle[k]);
  find_firmness(tree, out);
}

/* What is above a node that is not flat is not flat. */
static bool refit_flatness(sim_bvh *tree, int node) {
  const int flat = tree->flat_of[node], left = node + 1, right = sim_bvh_right(tree, node);
  if (flat < 0) return false;
  sim_gradients *g = &tree->flat_gradients[flat];
  if (flat < tree->n_patches) {
    patch_gradients(tree, &tree->node[node], flat, g);
  } else {
    if (!tree->node[left].flat || !tree->node[right].flat) return false;
    join_gradients(tree, &tree->flat_gradients[tree->flat_of[left]], &tree->flat_gradients[tree->flat_of[right]], g);
  }
  return g->firm > 0;
}

static bool leaf_stirred(const sim_bvh *tree, int first_slot, const bool *moved) {
  for (int i = first_slot; i < first_slot + SIM_BVH_LEAF; i++) {
    const int *v = tree->triangle[i];
    if (tree->number[i] >= 0 && (moved[v[0]] || moved[v[1]] || moved[v[2]])) return true;
  }
  return false;
}

static void refit_node(sim_bvh *tree, int node, const bool *moved) {
  sim_bvh_node *n = &tree->node[node];
  if (n->n_leaves == 1) {
    n->box = sim_bvh_triangle_box(tree, SIM_BVH_LEAF * n->leaf);
    for (int i = 1; i < SIM_BVH_LEAF; i++) {
      const sim_box box = sim_bvh_triangle_box(tree, SIM_BVH_LEAF * n->leaf + i);
      n->box = sim_box_union(&n->box, &box);
    }
    n->stirred = moved == NULL || leaf_stirred(tree, SIM_BVH_LEAF * n->leaf, moved);
  } else {
    const sim_bvh_node *left = n + 1, *right = &tree->node[sim_bvh_right(tree, node)];
    n->box = sim_box_union(&left->box, &right->box);
    n->stirred = left->stirred | right->stirred;
  }
  n->flat = refit_flatness(tree, node);
}

static void refit_above(sim_bvh *tree, int node, const bool *moved) {
  if (tree->node[node].n_leaves <= SIM_BVH_PART) return;
  refit_above(tree, node + 1, moved);
  refit_above(tree, sim_bvh_right(tree, node), moved);
  refit_node(tree, node, moved);
}

void sim_bvh_refit(sim_bvh *tree, const double (*start_m)[3], const double (*end_m)[3], double reach_m, const bool *moved) {
#pragma omp parallel for schedule(static)
  for (int v = 0; v < tree->n_vertices; v++) vertex_box(start_m[v], end_m[v], reach_m, &tree->vertex_box[v]);
  refit_triangles(tree, start_m, end_m);
#pragma omp parallel for schedule(dynamic, 4)
  for (int p = 0; p < tree->n_parts; p++) {
    const int root = tree->part[p];
    for (int node = root + 2 * (int)tree->node[root].n_leaves - 2; node >= root; node--) refit_node(tree, node, moved);
  }
  for (int m = 0; m < tree->n_meshes; m++) refit_above(tree, tree->root[m], moved);
  sim_bvh_plan(tree);
}
