#include "sim_bvh_impl.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define MAX_LEAVES 0x3fffffffu /* capacity of the node's field; sim_bvh_init refuses more triangles */

/* A triangle's centroid, in the material plane or in space. */
typedef struct place {
  double c[3];
  int triangle;
} place;

typedef struct grower {
  sim_bvh *tree;
  place *place;
  int first_leaf, n_triangles, next_node;
  double (*rectangle)[4];
} grower;

static bool before(const place *p, const place *q, int axis) {
  return p->c[axis] != q->c[axis] ? p->c[axis] < q->c[axis] : p->triangle < q->triangle;
}

static void exchange_places(place *p, place *q) {
  place t = *p;
  *p = *q;
  *q = t;
}

/* Moves the k lowest of n places to the front (Hoare's find). */
static void select_first(place *p, int n, int k, int axis) {
  int lo = 0, hi = n - 1;
  while (lo < hi) {
    place pivot = p[lo + (hi - lo) / 2];
    int i = lo, j = hi;
    while (i <= j) {
      while (before(&p[i], &pivot, axis)) i++;
      while (before(&pivot, &p[j], axis)) j--;
      if (i <= j) exchange_places(&p[i++], &p[j--]);
    }
    if (k <= j) {
      hi = j;
    } else if (k >= i) {
      lo = i;
    } else {
      return;
    }
  }
}

static int longest_axis(const place *p, int n) {
  int axis = 0;
  double longest = -1;
  for (int k = 0; k < 3; k++) {
    double lo = HUGE_VAL, hi = -HUGE_VAL;
    for (int i = 0; i < n; i++) {
      lo = fmin(lo, p[i].c[k]);
      hi = fmax(hi, p[i].c[k]);
    }
    if (hi - lo <= longest) continue;
    longest = hi - lo;
    axis = k;
  }
  return axis;
}

static double highest(const place *p, int n, int axis) {
  double h = -HUGE_VAL;
  for (int i = 0; i < n; i++) h = fmax(h, p[i].c[axis]);
  return h;
}

/* Makes a node and its subtree; its depth is the logarithm of the number of leaves. rectangle: of this
 * node. */
static void grow_node(grower *g, int leaf, int n_leaves, const double rectangle[4]) {
  const int node = g->next_node++, first = SIM_BVH_LEAF * leaf;
  const int last = first + SIM_BVH_LEAF * n_leaves,
            n = (last < g->n_triangles ? last : g->n_triangles) - first;
  g->tree->node[node] =
      (sim_bvh_node){.leaf = g->first_leaf + leaf, .n_leaves = (unsigned)n_leaves & MAX_LEAVES};
  if (rectangle) memcpy(g->rectangle[node], rectangle, sizeof g->rectangle[node]);
  if (n_leaves == 1) return;
  place *p = g->place + first;
  const int left = sim_bvh_left_leaves(&g->tree->node[node]), k = SIM_BVH_LEAF * left,
            axis = longest_axis(p, n);
  select_first(p, n, k, axis);
  double lower[4], upper[4];
  if (rectangle) {
    memcpy(lower, rectangle, sizeof lower);
    memcpy(upper, rectangle, sizeof upper);
    lower[2 + axis] = upper[axis] = highest(p, k, axis);
  }
  grow_node(g, leaf, left, rectangle ? lower : NULL);
  grow_node(g, leaf + left, n_leaves - left, rectangle ? upper : NULL);
}

static void find_places(const sim_mesh *mesh, bool material, place *p) {
  for (int t = 0; t < mesh->n_triangles; t++) {
    p[t] = (place){.triangle = t};
    for (int k = 0; k < 3; k++)
      for (int a = 0; a < (material ? 2 : 3); a++)
        p[t].c[a] += (material ? mesh->corner_m[t][k][a] : mesh->position_m[mesh->triangle[t][k]][a]) / 3;
  }
}

/* Largest distance of a corner from its triangle's centroid along either axis. */
static double sticking_out(const sim_mesh *mesh, const place *p) {
  double most = 0;
  for (int t = 0; t < mesh->n_triangles; t++)
    for (int k = 0; k < 3; k++)
      for (int a = 0; a < 2; a++) most = fmax(most, fabs(mesh->corner_m[t][k][a] - p[t].c[a]));
  return most;
}

cb_status sim_bvh_grow(const sim_mesh *mesh, sim_bvh *tree, int first_node, int first_leaf,
                       int first_triangle, double (*rectangle)[4], cb_err *err) {
  place *p = calloc((size_t)mesh->n_triangles, sizeof *p);
  if (!p) return cb_no_memory(err, "a BVH of %d triangles", mesh->n_triangles);
  find_places(mesh, rectangle != NULL, p);
  const double wide = rectangle ? sticking_out(mesh, p) : 0,
               whole[4] = {-HUGE_VAL, -HUGE_VAL, HUGE_VAL, HUGE_VAL};
  const int n_leaves = (mesh->n_triangles + SIM_BVH_LEAF - 1) / SIM_BVH_LEAF;
  grower g = {tree, p, first_leaf, mesh->n_triangles, first_node, rectangle};
  grow_node(&g, 0, n_leaves, rectangle ? whole : NULL);
  for (int i = 0; i < SIM_BVH_LEAF * n_leaves; i++) {
    const int slot = SIM_BVH_LEAF * first_leaf + i;
    tree->number[slot] = i < mesh->n_triangles ? first_triangle + p[i].triangle : -1;
    if (i < mesh->n_triangles) tree->slot[tree->number[slot]] = slot;
  }
  free(p);
  for (int i = first_node; rectangle && i < g.next_node; i++)
    for (int a = 0; a < 2; a++) {
      rectangle[i][a] -= wide;
      rectangle[i][2 + a] += wide;
    }
  return CB_OK;
}

#define OF_PATCHES (-2) /* until all patches have their numbers */

/* A patch is the first small enough node on the way down. */
static bool is_patch(const sim_bvh *tree, int node, int parent_leaves) {
  return (int)tree->node[node].n_leaves <= SIM_BVH_PATCH && parent_leaves > SIM_BVH_PATCH;
}

static void number_patches(sim_bvh *tree, int node, int parent_leaves) {
  if (is_patch(tree, node, parent_leaves)) {
    tree->flat_of[node] = tree->n_patches++;
    return;
  }
  tree->flat_of[node] = OF_PATCHES;
  number_patches(tree, node + 1, (int)tree->node[node].n_leaves);
  number_patches(tree, sim_bvh_right(tree, node), (int)tree->node[node].n_leaves);
}

typedef struct lister {
  sim_bvh *tree;
  const double (*rectangle)[4];
  double box[4];
  int leaf;
  int *last; /* per patch: the leaf that was entered last */
} lister;

/* Enters the triangle's leaf into the list of every patch whose rectangle the triangle touches; only counts
 * while there is no list yet. */
static void enter_node(const lister *l, int node) {
  const double *r = l->rectangle[node], *b = l->box;
  if (b[0] > r[2] || b[1] > r[3] || b[2] < r[0] || b[3] < r[1]) return;
  const int patch = l->tree->flat_of[node];
  if (patch >= l->tree->n_patches) {
    enter_node(l, node + 1);
    enter_node(l, sim_bvh_right(l->tree, node));
    return;
  }
  if (l->last[patch] == l->leaf) return;
  l->last[patch] = l->leaf;
  const int at = l->tree->patch_start[patch + 1]++;
  if (l->tree->patch) l->tree->patch[at] = l->leaf;
}

/* Leaf by leaf, in the order of the slots. */
static void enter_all(const sim_mesh *mesh, lister *l, int root, int first_triangle, int first_leaf,
                      int n_leaves) {
  for (int slot = SIM_BVH_LEAF * first_leaf; slot < SIM_BVH_LEAF * (first_leaf + n_leaves); slot++) {
    if (l->tree->number[slot] < 0) continue;
    double(*const m)[2] = mesh->corner_m[l->tree->number[slot] - first_triangle];
    for (int a = 0; a < 2; a++) {
      l->box[a] = fmin(m[0][a], fmin(m[1][a], m[2][a]));
      l->box[2 + a] = fmax(m[0][a], fmax(m[1][a], m[2][a]));
    }
    l->leaf = slot / SIM_BVH_LEAF;
    enter_node(l, root);
  }
}

static void enter_meshes(const sim_mesh *const *mesh, const bool *grown, lister *l) {
  int first_triangle = 0;
  for (int i = 0; i < l->tree->n_patches; i++) l->last[i] = -1;
  for (int m = 0; m < l->tree->n_meshes; m++) {
    const sim_bvh_node *root = &l->tree->node[l->tree->root[m]];
    if (grown[m]) enter_all(mesh[m], l, l->tree->root[m], first_triangle, root->leaf, (int)root->n_leaves);
    first_triangle += mesh[m]->n_triangles;
  }
}

static cb_status list_leaves(const sim_mesh *const *mesh, const bool *grown, lister *l, cb_err *err) {
  sim_bvh *tree = l->tree;
  enter_meshes(mesh, grown, l);
  for (int i = 0; i < tree->n_patches; i++) tree->patch_start[i + 1] += tree->patch_start[i];
  const size_t total = (size_t)tree->patch_start[tree->n_patches];
  tree->patch = malloc((total + 1) * sizeof *tree->patch);
  if (!tree->patch) return cb_no_memory(err, "boxes, %zu leaves of patches", total);
  /* start[i + 1] ran from the begin to the end of list i while it was filled. */
  memmove(tree->patch_start + 1, tree->patch_start,
          ((size_t)tree->n_patches + 1) * sizeof *tree->patch_start);
  enter_meshes(mesh, grown, l);
  return CB_OK;
}

cb_status sim_bvh_patches(const sim_mesh *const *mesh, const bool *grown, sim_bvh *tree,
                          const double (*rectangle)[4], cb_err *err) {
  for (int m = 0; m < tree->n_meshes; m++)
    if (grown[m]) number_patches(tree, tree->root[m], INT32_MAX);
  int n_flat = tree->n_patches;
  for (int i = 0; i < tree->n_nodes; i++)
    if (tree->flat_of[i] == OF_PATCHES) tree->flat_of[i] = n_flat++;
  tree->flat_gradients = calloc((size_t)n_flat + 1, sizeof *tree->flat_gradients);
  tree->patch_start = calloc((size_t)tree->n_patches + 2, sizeof *tree->patch_start);
  if (!tree->patch_start || !tree->flat_gradients)
    return cb_no_memory(err, "boxes, %d patches", tree->n_patches);
  lister l = {
      .tree = tree, .rectangle = rectangle, .last = malloc(((size_t)tree->n_patches + 1) * sizeof *l.last)};
  cb_status st =
      l.last ? list_leaves(mesh, grown, &l, err) : cb_no_memory(err, "boxes, %d patches", tree->n_patches);
  free(l.last);
  return st;
}
