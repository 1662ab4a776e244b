#include "sim_query.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "sim_bvh_impl.h"

#define MAX_TRIANGLES (1 << 26)

static cb_status allocate_tree(sim_bvh *t, cb_err *err) {
  const size_t meshes = (size_t)t->n_meshes, nodes = (size_t)t->n_nodes, slots = (size_t)t->n_slots;
  t->triangle = calloc(slots, sizeof *t->triangle);
  t->root = malloc(meshes * sizeof *t->root);
  t->node = malloc(nodes * sizeof *t->node);
  t->number = calloc(slots, sizeof *t->number);
  t->slot = malloc((size_t)t->n_triangles * sizeof *t->slot);
  t->body = calloc(meshes, sizeof *t->body);
  t->flat_of = malloc(nodes * sizeof *t->flat_of);
  t->map = calloc((size_t)t->n_leaves, sizeof *t->map);
  t->material = malloc(slots * sizeof *t->material);
  t->vertex_box = calloc((size_t)t->n_vertices + 1, sizeof *t->vertex_box);
  t->sine = malloc((size_t)t->n_vertices * sizeof *t->sine);
  t->in_leaf = calloc((size_t)t->n_leaves, sizeof *t->in_leaf);
  t->leaf_moved = calloc((size_t)t->n_leaves, sizeof *t->leaf_moved);
  /* a part has at least half of SIM_BVH_PART leaves, or is a whole tree */
  t->part = malloc((meshes + (size_t)(2 * t->n_leaves / SIM_BVH_PART)) * sizeof *t->part);
  t->task = malloc(SIM_BVH_TASKS * sizeof *t->task);
  if (t->triangle && t->number && t->root && t->node && t->slot && t->body && t->flat_of && t->map &&
      t->material && t->vertex_box && t->sine && t->in_leaf && t->leaf_moved && t->part && t->task)
    return CB_OK;
  return cb_no_memory(err, "a BVH of %d triangles", t->n_triangles);
}

#define ALL(x) \
  { x, x, x, x }
#define ALL3(x) \
  { x, x, x }
static const sim_leaf nothing = {.lo = {ALL(HUGE_VALF), ALL(HUGE_VALF), ALL(HUGE_VALF)},
                                 .hi = {ALL(-HUGE_VALF), ALL(-HUGE_VALF), ALL(-HUGE_VALF)},
                                 .box = {ALL3(HUGE_VALF), ALL3(-HUGE_VALF)}};

/* A leaf without a map has no margin: it is never flat. */
static cb_status allocate_gradients(sim_bvh *t, cb_err *err) {
  t->n_rows = SIM_BVH_MIDDLE + (t->sewn ? 9 : 6);
  t->gradient = calloc((size_t)t->n_rows * (size_t)t->n_leaves, sizeof *t->gradient);
  if (!t->gradient) return cb_no_memory(err, "a BVH of %d triangles", t->n_triangles);
  for (int leaf = 0; leaf < t->n_leaves; leaf++)
    for (int l = 0; l < SIM_BVH_LEAF; l++) sim_bvh_rows(t, leaf)[SIM_BVH_FIRM][l] = -1;
  return CB_OK;
}

static void fill_slots(const sim_mesh *mesh, int first_vertex, int first_triangle, sim_bvh *tree) {
  for (int t = 0; t < mesh->n_triangles; t++) {
    const int slot = tree->slot[first_triangle + t];
    double(*const m)[2] = mesh->corner_m[t];
    double a = m[1][0] - m[0][0], b = m[1][1] - m[0][1], c = m[2][0] - m[0][0], d = m[2][1] - m[0][1],
           det = a * d - b * c;
    const float inverse[4] = {(float)(d / det), (float)(-b / det), (float)(-c / det), (float)(a / det)};
    memcpy(tree->material[slot], inverse, sizeof inverse);
    for (int k = 0; k < 3; k++) tree->triangle[slot][k] = first_vertex + mesh->triangle[t][k];
  }
}

/* Finds the subtrees that one thread each refits. */
static void find_parts(sim_bvh *tree, int node, int parent_leaves) {
  const int leaves = (int)tree->node[node].n_leaves;
  if (leaves <= SIM_BVH_PART && parent_leaves > SIM_BVH_PART) tree->part[tree->n_parts++] = node;
  if (leaves <= SIM_BVH_PART) return;
  find_parts(tree, node + 1, leaves);
  find_parts(tree, sim_bvh_right(tree, node), leaves);
}

static cb_status grow_all(const sim_mesh *const *mesh, sim_bvh *tree, bool *convex, double (*rectangle)[4],
                          cb_err *err) {
  int node = 0, leaf = 0, triangle = 0, vertex = 0;
  for (int m = 0; m < tree->n_meshes; m++) {
    tree->root[m] = node;
    CB_TRY(sim_bvh_convex(mesh[m], &convex[m], err));
    if (tree->body[m]) convex[m] = false; /* a body is never searched for pairs with itself */
    CB_TRY(sim_bvh_grow(mesh[m], tree, node, leaf, triangle, convex[m] ? rectangle : NULL, err));
    fill_slots(mesh[m], vertex, triangle, tree);
    sim_bvh_sines(mesh[m], tree->sine + vertex);
    if (!convex[m] && !tree->body[m]) CB_TRY(sim_bvh_sewn(mesh[m], tree, triangle, vertex, err));
    const int leaves = (mesh[m]->n_triangles + SIM_BVH_LEAF - 1) / SIM_BVH_LEAF;
    const sim_leaf_map map = tree->body[m] ? SIM_LEAF_UNMAPPED
                             : convex[m]   ? SIM_LEAF_MATERIAL
                                           : SIM_LEAF_SHAPE;
    memset(tree->map + leaf, (int)map, (size_t)leaves);
    find_parts(tree, node, INT32_MAX);
    node += 2 * leaves - 1;
    leaf += leaves;
    triangle += mesh[m]->n_triangles;
    vertex += mesh[m]->n_vertices;
  }
  for (int i = 1; i < tree->n_slots; i++) {
    if (tree->number[i] >= 0) continue; /* an empty slot has the gradient of the slot before */
    memcpy(tree->triangle[i], tree->triangle[i - 1], sizeof tree->triangle[i]);
    memcpy(tree->material[i], tree->material[i - 1], sizeof tree->material[i]);
    if (tree->sewn) tree->sewn[i] = tree->sewn[i - 1];
  }
  for (int i = 0; i < tree->n_leaves; i++) tree->in_leaf[i] = nothing;
  CB_TRY(allocate_gradients(tree, err));
  for (int i = 0; i < tree->n_nodes; i++) tree->flat_of[i] = -1;
  return sim_bvh_patches(mesh, convex, tree, (const double(*)[4])rectangle, err);
}

static cb_status build_tree(const sim_mesh *const *mesh, const bool *body, sim_bvh *tree, cb_err *err) {
  CB_TRY(allocate_tree(tree, err));
  for (int m = 0; m < tree->n_meshes; m++) tree->body[m] = body && body[m];
  bool *convex = calloc((size_t)tree->n_meshes, sizeof *convex);
  double(*rectangle)[4] = malloc((size_t)tree->n_nodes * sizeof *rectangle);
  cb_status st = convex && rectangle ? grow_all(mesh, tree, convex, rectangle, err)
                                     : cb_no_memory(err, "a BVH of %d triangles", tree->n_triangles);
  free(convex);
  free(rectangle);
  return st;
}

cb_status sim_bvh_init(const sim_mesh *const *mesh, const bool *body, int n_meshes, sim_bvh *out,
                       cb_err *err) {
  *out = (sim_bvh){.n_meshes = n_meshes};
  if (n_meshes > SIM_BVH_MESHES)
    return cb_fail(err, CB_E_RANGE, "boxes: %d meshes: at most %d were wanted", n_meshes, SIM_BVH_MESHES);
  for (int m = 0; m < n_meshes; m++) {
    if (mesh[m]->n_triangles > MAX_TRIANGLES - out->n_triangles)
      return cb_fail(err, CB_E_RANGE, "boxes: more than %d triangles in %d meshes", MAX_TRIANGLES, n_meshes);
    out->n_vertices += mesh[m]->n_vertices;
    out->n_triangles += mesh[m]->n_triangles;
    out->n_leaves += (mesh[m]->n_triangles + SIM_BVH_LEAF - 1) / SIM_BVH_LEAF;
  }
  out->n_slots = SIM_BVH_LEAF * out->n_leaves;
  out->n_nodes = 2 * out->n_leaves - n_meshes;
  return build_tree(mesh, body, out, err);
}

void sim_bvh_clear(sim_bvh *t) {
  void *const owned[] = {t->triangle, t->number,         t->slot,       t->root,    t->node,
                         t->body,     t->patch_start,    t->patch,      t->flat_of, t->map,
                         t->material, t->sine,           t->part,       t->task,    t->in_leaf,
                         t->gradient, t->flat_gradients, t->vertex_box, t->sewn,    t->leaf_moved};
  for (size_t i = 0; i < sizeof owned / sizeof *owned; i++) free(owned[i]);
  *t = (sim_bvh){0};
}
