#include "sim_bvh.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "sim_bvh_build.h"

#define MAX_TRIANGLES (1 << 26)

/* Rounding of a gradient's single-precision entries, many times over. */
#define FLAT_SLACK 1e-3f

static cb_status allocate(sim_bvh *t, cb_err *err) {
  const size_t meshes = (size_t)t->n_meshes, nodes = (size_t)t->n_nodes, slots = (size_t)t->n_slots;
  t->triangle = calloc(slots, sizeof *t->triangle);
  t->root = malloc(meshes * sizeof *t->root);
  t->node = malloc(nodes * sizeof *t->node);
  t->number = malloc(slots * sizeof *t->number);
  t->slot = malloc((size_t)t->n_triangles * sizeof *t->slot);
  t->body = calloc(meshes, sizeof *t->body);
  t->patch_of = malloc(nodes * sizeof *t->patch_of);
  t->can_be_flat = calloc(nodes, sizeof *t->can_be_flat);
  t->patch_with = malloc(slots * sizeof *t->patch_with);
  t->extent = malloc(slots * sizeof *t->extent);
  t->material = malloc(slots * sizeof *t->material);
  t->vertex_box = malloc((size_t)t->n_vertices * sizeof *t->vertex_box);
  t->triangle_box = malloc(slots * sizeof *t->triangle_box);
  t->triangle_gradients = malloc(slots * sizeof *t->triangle_gradients);
  t->node_gradients = malloc(nodes * sizeof *t->node_gradients);
  t->part = malloc(nodes * sizeof *t->part);
  t->task = malloc(SIM_BVH_TASKS * sizeof *t->task);
  if (t->triangle && t->number && t->root && t->node && t->slot && t->body && t->patch_of && t->can_be_flat && t->patch_with && t->extent &&
      t->material && t->vertex_box && t->triangle_box && t->triangle_gradients && t->node_gradients && t->part && t->task)
    return CB_OK;
  return cb_fail(err, CB_E_NOMEM, "boxes of %d triangles: out of memory", t->n_triangles);
}

static const sim_box no_box = {{HUGE_VALF, HUGE_VALF, HUGE_VALF}, {-HUGE_VALF, -HUGE_VALF, -HUGE_VALF}};
static const sim_gradients no_gradients = {{HUGE_VALF, HUGE_VALF, HUGE_VALF, HUGE_VALF, HUGE_VALF, HUGE_VALF},
                                           {-HUGE_VALF, -HUGE_VALF, -HUGE_VALF, -HUGE_VALF, -HUGE_VALF, -HUGE_VALF}};

static void fill_slots(const sim_mesh *mesh, int first_vertex, int first_triangle, sim_bvh *tree) {
  for (int t = 0; t < mesh->n_triangles; t++) {
    const int slot = tree->slot[first_triangle + t];
    double(*const m)[2] = mesh->corner_m[t];
    double a = m[1][0] - m[0][0], b = m[1][1] - m[0][1], c = m[2][0] - m[0][0], d = m[2][1] - m[0][1], det = a * d - b * c;
    const float inverse[4] = {(float)(d / det), (float)(-b / det), (float)(-c / det), (float)(a / det)};
    memcpy(tree->material[slot], inverse, sizeof inverse);
    for (int k = 0; k < 3; k++) tree->triangle[slot][k] = first_vertex + mesh->triangle[t][k];
  }
}

/* Subtrees that are refitted as one. */
static void find_parts(sim_bvh *tree, int node, int parent_leaves) {
  const int leaves = (int)tree->node[node].n_leaves;
  if (leaves <= SIM_BVH_PART && parent_leaves > SIM_BVH_PART) tree->part[tree->n_parts++] = node;
  if (leaves <= SIM_BVH_PART) return;
  find_parts(tree, node + 1, leaves);
  find_parts(tree, sim_bvh_right(tree, node), leaves);
}

static cb_status grow_all(const sim_mesh *const *mesh, sim_bvh *tree, bool *convex, double (*rectangle)[4], cb_err *err) {
  int node = 0, leaf = 0, triangle = 0, vertex = 0;
  for (int m = 0; m < tree->n_meshes; m++) {
    tree->root[m] = node;
    CB_TRY(sim_bvh_convex(mesh[m], &convex[m], err));
    if (tree->body[m]) convex[m] = false; /* never searched for pairs with itself */
    CB_TRY(sim_bvh_grow(mesh[m], tree, node, leaf, triangle, convex[m] ? rectangle : NULL, err));
    fill_slots(mesh[m], vertex, triangle, tree);
    const int leaves = (mesh[m]->n_triangles + SIM_BVH_LEAF - 1) / SIM_BVH_LEAF;
    find_parts(tree, node, INT32_MAX);
    node += 2 * leaves - 1;
    leaf += leaves;
    triangle += mesh[m]->n_triangles;
    vertex += mesh[m]->n_vertices;
  }
  for (int i = 0; i < tree->n_slots; i++) {
    tree->triangle_box[i] = no_box;
    tree->triangle_gradients[i] = no_gradients;
  }
  for (int i = 0; i < tree->n_nodes; i++) tree->patch_of[i] = -1;
  return sim_bvh_patches(mesh, convex, tree, (const double(*)[4])rectangle, err);
}

static cb_status build(const sim_mesh *const *mesh, const bool *body, sim_bvh *tree, cb_err *err) {
  CB_TRY(allocate(tree, err));
  for (int m = 0; m < tree->n_meshes; m++) tree->body[m] = body != NULL && body[m];
  bool *convex = calloc((size_t)tree->n_meshes, sizeof *convex);
  double(*rectangle)[4] = malloc((size_t)tree->n_nodes * sizeof *rectangle);
  cb_status st = convex && rectangle ? grow_all(mesh, tree, convex, rectangle, err)
                                     : cb_fail(err, CB_E_NOMEM, "boxes of %d triangles: out of memory", tree->n_triangles);
  free(convex);
  free(rectangle);
  return st;
}

cb_status sim_bvh_init(const sim_mesh *const *mesh, const bool *body, int n_meshes, sim_bvh *out, cb_err *err) {
  *out = (sim_bvh){.n_meshes = n_meshes};
  if (n_meshes > SIM_BVH_MESHES) return cb_fail(err, CB_E_RANGE, "boxes: %d meshes: at most %d were wanted", n_meshes, SIM_BVH_MESHES);
  for (int m = 0; m < n_meshes; m++) {
    if (mesh[m]->n_triangles > MAX_TRIANGLES - out->n_triangles)
      return cb_fail(err, CB_E_RANGE, "boxes: more than %d triangles in %d meshes", MAX_TRIANGLES, n_meshes);
    out->n_vertices += mesh[m]->n_vertices;
    out->n_triangles += mesh[m]->n_triangles;
    out->n_leaves += (mesh[m]->n_triangles + SIM_BVH_LEAF - 1) / SIM_BVH_LEAF;
  }
  out->n_slots = SIM_BVH_LEAF * out->n_leaves;
  out->n_nodes = 2 * out->n_leaves - n_meshes;
  return build(mesh, body, out, err);
}

void sim_bvh_clear(sim_bvh *t) {
  void *const owned[] = {
      t->patch_with, t->extent, t->patch_rectangle, t->patch_flat,         t->triangle,      t->number,      t->slot,     t->root,
      t->node,       t->body,   t->patch,           t->patch_start,        t->patch_of,      t->can_be_flat, t->material, t->vertex_box,
      t->part,       t->task,   t->triangle_box,    t->triangle_gradients, t->node_gradients};
  for (size_t i = 0; i < sizeof owned / sizeof *owned; i++) free(owned[i]);
  *t = (sim_bvh){0};
}

/* The conversion to float and the sum with the reach are each off by at most 2^-24 of the value; four times that is added. */
static void vertex_box(const double p[3], const double q[3], double reach, sim_box *out) {
  for (int k = 0; k < 3; k++) {
    double lo = (p[k] < q[k] ? p[k] : q[k]) - reach, hi = (p[k] < q[k] ? q[k] : p[k]) + reach;
    out->lo[k] = (float)(lo - fabs(lo) * 0x1p-22);
    out->hi[k] = (float)(hi + fabs(hi) * 0x1p-22);
  }
}

static void add_gradient(const double (*x)[3], const int v[3], const float inverse[4], sim_gradients *out) {
  for (int k = 0; k < 3; k++) {
    float e = (float)(x[v[1]][k] - x[v[0]][k]), f = (float)(x[v[2]][k] - x[v[0]][k]);
    float warp = e * inverse[0] + f * inverse[1], weft = e * inverse[2] + f * inverse[3];
    out->lo[k] = warp < out->lo[k] ? warp : out->lo[k];
    out->hi[k] = warp > out->hi[k] ? warp : out->hi[k];
    out->lo[3 + k] = weft < out->lo[3 + k] ? weft : out->lo[3 + k];
    out->hi[3 + k] = weft > out->hi[3 + k] ? weft : out->hi[3 + k];
  }
}

static void refit_triangles(sim_bvh *tree, const double (*start)[3], const double (*end)[3]) {
#pragma omp parallel for schedule(static)
  for (int t = 0; t < tree->n_slots; t++) {
    if (tree->number[t] < 0) continue;
    const int *v = tree->triangle[t];
    sim_box box = sim_box_union(&tree->vertex_box[v[0]], &tree->vertex_box[v[1]]);
    tree->triangle_box[t] = sim_box_union(&box, &tree->vertex_box[v[2]]);
    if (tree->n_patches == 0) continue;
    tree->triangle_gradients[t] = no_gradients;
    add_gradient(start, v, tree->material[t], &tree->triangle_gradients[t]);
    add_gradient(end, v, tree->material[t], &tree->triangle_gradients[t]);
  }
}

static void widen(sim_gradients *g, const sim_gradients *by) {
  for (int k = 0; k < 6; k++) {
    g->lo[k] = by->lo[k] < g->lo[k] ? by->lo[k] : g->lo[k];
    g->hi[k] = by->hi[k] > g->hi[k] ? by->hi[k] : g->hi[k];
  }
}

/* C: the middle of the bounds. Whether (s2^2 - s1 r)/s1 > SIM_BVH_FLAT. What is not a number is not flat. */
static bool is_flat(const sim_gradients *g) {
  float c[6], r = 0;
  for (int k = 0; k < 6; k++) {
    float half = (g->hi[k] - g->lo[k]) / 2;
    c[k] = (g->hi[k] + g->lo[k]) / 2;
    r += half * half;
  }
  r = sqrtf(r) + FLAT_SLACK;
  float uu = c[0] * c[0] + c[1] * c[1] + c[2] * c[2], vv = c[3] * c[3] + c[4] * c[4] + c[5] * c[5];
  float uv = c[0] * c[3] + c[1] * c[4] + c[2] * c[5];
  float middle = (uu + vv) / 2, radius = sqrtf((uu - vv) * (uu - vv) / 4 + uv * uv), s1 = sqrtf(middle + radius);
  return middle - radius - s1 * r > (float)SIM_BVH_FLAT * s1;
}

/* What is above a node that is not flat is not flat. */
static bool refit_flatness(sim_bvh *tree, int node) {
  sim_gradients *g = &tree->node_gradients[node];
  const int patch = tree->patch_of[node];
  if (patch >= 0) {
    *g = no_gradients;
    for (int i = tree->patch_start[patch]; i < tree->patch_start[patch + 1]; i++) widen(g, &tree->triangle_gradients[tree->patch[i]]);
    tree->patch_flat[patch] = !tree->everything && is_flat(g);
    return tree->patch_flat[patch];
  }
  const int left = node + 1, right = sim_bvh_right(tree, node);
  if (!tree->node[left].flat || !tree->node[right].flat) return false;
  *g = tree->node_gradients[left];
  widen(g, &tree->node_gradients[right]);
  return is_flat(g);
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
    const sim_box *b = &tree->triangle_box[SIM_BVH_LEAF * n->leaf];
    n->box = b[0];
    for (int i = 1; i < SIM_BVH_LEAF; i++) n->box = sim_box_union(&n->box, &b[i]);
    n->stirred = moved == NULL || leaf_stirred(tree, SIM_BVH_LEAF * n->leaf, moved);
  } else {
    const sim_bvh_node *left = n + 1, *right = &tree->node[sim_bvh_right(tree, node)];
    n->box = sim_box_union(&left->box, &right->box);
    n->stirred = left->stirred | right->stirred;
  }
  n->flat = tree->can_be_flat[node] && refit_flatness(tree, node);
}

static void refit_above(sim_bvh *tree, int node, const bool *moved) {
  if (tree->node[node].n_leaves <= SIM_BVH_PART) return;
  refit_above(tree, node + 1, moved);
  refit_above(tree, sim_bvh_right(tree, node), moved);
  refit_node(tree, node, moved);
}

static int n_children(const sim_bvh *tree, sim_bvh_task t, sim_bvh_task child[3]) {
  const int split = t.a == t.b || tree->node[t.a].n_leaves >= tree->node[t.b].n_leaves ? t.a : t.b;
  const int left = split + 1, right = sim_bvh_right(tree, split);
  if (t.a == t.b) {
    child[0] = (sim_bvh_task){left, left};
    child[1] = (sim_bvh_task){left, right};
    child[2] = (sim_bvh_task){right, right};
    return 3;
  }
  child[0] = split == t.a ? (sim_bvh_task){left, t.b} : (sim_bvh_task){t.a, left};
  child[1] = split == t.a ? (sim_bvh_task){right, t.b} : (sim_bvh_task){t.a, right};
  return 2;
}

static inline bool is_idle(const sim_bvh *tree, sim_bvh_task t) {
  const sim_bvh_node *a = &tree->node[t.a], *b = &tree->node[t.b];
  if (t.a == t.b) return a->flat || !a->stirred;
  return !(a->stirred | b->stirred) || !sim_box_overlap(&a->box, &b->box);
}

static void add_task(sim_bvh *tree, sim_bvh_task t) {
  if (!is_idle(tree, t)) tree->task[tree->n_tasks++] = t;
}

/* Splits tasks of more leaves than `limit`, as far as there is room. */
static void split_tasks(sim_bvh *tree, int limit) {
  for (int i = 0; i < tree->n_tasks && tree->n_tasks + 3 <= SIM_BVH_TASKS;) {
    const sim_bvh_task t = tree->task[i];
    if ((int)(tree->node[t.a].n_leaves + tree->node[t.b].n_leaves) <= limit) {
      i++;
      continue;
    }
    sim_bvh_task child[3];
    const int n = n_children(tree, t, child);
    tree->task[i] = tree->task[--tree->n_tasks];
    for (int k = 0; k < n; k++) add_task(tree, child[k]);
  }
}

/* Many tasks of about the same size. */
static void plan(sim_bvh *tree) {
  tree->n_tasks = 0;
  for (int m = 0; m < tree->n_meshes; m++)
    for (int k = m; k < tree->n_meshes; k++)
      if (!(tree->body[m] && tree->body[k])) add_task(tree, (sim_bvh_task){tree->root[m], tree->root[k]});
  for (int limit = tree->n_leaves; limit > 2 * SIM_BVH_PATCH; limit /= 2) split_tasks(tree, limit);
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
  plan(tree);
}

static inline bool lies_in(const float extent[4], const float r[4]) {
  return (extent[0] >= r[0]) & (extent[1] >= r[1]) & (extent[2] <= r[2]) & (extent[3] <= r[3]);
}

/* Whether the patch of one of the triangles is flat and its rectangle holds both. */
static inline bool lie_flat(const sim_bvh *tree, int a, int b) {
  const int p = tree->patch_with[a], q = tree->patch_with[b];
  return (p >= 0 && tree->patch_flat[p] && lies_in(tree->extent[b], tree->patch_rectangle[p])) ||
         (q >= 0 && tree->patch_flat[q] && lies_in(tree->extent[a], tree->patch_rectangle[q]));
}

static void pairs_within(const sim_bvh *tree, int node, sim_bvh_pair *pair, void *context) {
  const int first = SIM_BVH_LEAF * tree->node[node].leaf;
  for (int i = first; i < first + SIM_BVH_LEAF; i++)
    for (int j = i + 1; j < first + SIM_BVH_LEAF; j++)
      if (sim_box_overlap(&tree->triangle_box[i], &tree->triangle_box[j])) pair(context, i, j);
}

/* Empty slots overlap nothing. */
static void pairs_between(const sim_bvh *tree, sim_bvh_task t, sim_bvh_pair *pair, void *context) {
  const int a = SIM_BVH_LEAF * tree->node[t.a].leaf, b = SIM_BVH_LEAF * tree->node[t.b].leaf;
  for (int i = a; i < a + SIM_BVH_LEAF; i++) {
    if (!sim_box_overlap(&tree->triangle_box[i], &tree->node[t.b].box)) continue;
    for (int j = b; j < b + SIM_BVH_LEAF; j++)
      if (sim_box_overlap(&tree->triangle_box[i], &tree->triangle_box[j]) && !lie_flat(tree, i, j)) pair(context, i, j);
  }
}

/* Of two nodes that are not idle; the larger one is opened. Depth is twice the logarithm of the leaves, as of `within`. */
static void between(const sim_bvh *tree, int a, int b, sim_bvh_pair *pair, void *context) {
  const sim_bvh_node *m = &tree->node[a], *n = &tree->node[b];
  if (m->n_leaves == 1 && n->n_leaves == 1) {
    pairs_between(tree, (sim_bvh_task){a, b}, pair, context);
    return;
  }
  if (m->n_leaves >= n->n_leaves) {
    const int child[2] = {a + 1, sim_bvh_right(tree, a)};
    for (int k = 0; k < 2; k++)
      if (!is_idle(tree, (sim_bvh_task){child[k], b})) between(tree, child[k], b, pair, context);
  } else {
    const int child[2] = {b + 1, sim_bvh_right(tree, b)};
    for (int k = 0; k < 2; k++)
      if (!is_idle(tree, (sim_bvh_task){a, child[k]})) between(tree, a, child[k], pair, context);
  }
}

static void within(const sim_bvh *tree, int node, sim_bvh_pair *pair, void *context) {
  if (tree->node[node].flat || !tree->node[node].stirred) return;
  if (tree->node[node].n_leaves == 1) {
    pairs_within(tree, node, pair, context);
    return;
  }
  const int left = node + 1, right = sim_bvh_right(tree, node);
  within(tree, left, pair, context);
  if (!is_idle(tree, (sim_bvh_task){left, right})) between(tree, left, right, pair, context);
  within(tree, right, pair, context);
}

void sim_bvh_walk(const sim_bvh *tree, int task, sim_bvh_pair *pair, void *context) {
  const sim_bvh_task t = tree->task[task];
  if (t.a == t.b) {
    within(tree, t.a, pair, context);
  } else {
    between(tree, t.a, t.b, pair, context);
  }
}
