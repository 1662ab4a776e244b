/* Which pairs of triangles are searched: tasks for the threads, and the walk of each. */
#include "sim_bvh_build.h"

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
void sim_bvh_plan(sim_bvh *tree) {
  tree->n_tasks = 0;
  for (int m = 0; m < tree->n_meshes; m++)
    for (int k = m; k < tree->n_meshes; k++)
      if (!(tree->body[m] && tree->body[k])) add_task(tree, (sim_bvh_task){tree->root[m], tree->root[k]});
  for (int limit = tree->n_leaves; limit > 2 * SIM_BVH_PATCH; limit /= 2) split_tasks(tree, limit);
}

static inline bool lies_in(const float extent[4], const float r[4]) {
  return (extent[0] >= r[0]) & (extent[1] >= r[1]) & (extent[2] <= r[2]) & (extent[3] <= r[3]);
}

/* Whether the patch of one of the triangles is flat and its rectangle holds both. */
static inline bool lie_flat(const sim_bvh *tree, int a, int b) {
  const int p = tree->patch_with[a], q = tree->patch_with[b];
  return (p >= 0 && tree->flat_gradients[p].firm > 0 && lies_in(tree->extent[b], tree->patch_rectangle[p])) ||
         (q >= 0 && tree->flat_gradients[q].firm > 0 && lies_in(tree->extent[a], tree->patch_rectangle[q]));
}

/* Whether the triangles share corners and are bent so little against each other that they cannot meet but there. */
static inline bool are_joint(const sim_bvh *tree, int a, int b) {
  const int *v = tree->triangle[a], *w = tree->triangle[b];
  int shared = 0, at = 0;
  for (int k = 0; k < 3; k++) {
    const bool has = (v[k] == w[0]) | (v[k] == w[1]) | (v[k] == w[2]);
    shared += has;
    at = has ? v[k] : at;
  }
  if (shared == 0 || tree->patch_with[a] < 0) return false;
  const sim_gradients *f = &tree->triangle_gradients[a], *g = &tree->triangle_gradients[b];
  const float firm = f->firm > g->firm ? f->firm : g->firm;
  return sim_gradients_apart(f, g) + f->radius + g->radius < firm * (shared > 1 ? 1 : tree->sine[at]);
}

static void pairs_within(const sim_bvh *tree, int node, sim_bvh_pair *pair, void *context) {
  const int first = SIM_BVH_LEAF * tree->node[node].leaf;
  for (int i = first; i < first + SIM_BVH_LEAF; i++)
    for (int j = i + 1; j < first + SIM_BVH_LEAF; j++)
      if (sim_box_overlap(&tree->triangle_box[i], &tree->triangle_box[j]) && !are_joint(tree, i, j)) pair(context, i, j);
}

/* Empty slots overlap nothing. */
static void pairs_between(const sim_bvh *tree, sim_bvh_task t, sim_bvh_pair *pair, void *context) {
  const int a = SIM_BVH_LEAF * tree->node[t.a].leaf, b = SIM_BVH_LEAF * tree->node[t.b].leaf;
  for (int i = a; i < a + SIM_BVH_LEAF; i++) {
    if (!sim_box_overlap(&tree->triangle_box[i], &tree->node[t.b].box)) continue;
    for (int j = b; j < b + SIM_BVH_LEAF; j++)
      if (sim_box_overlap(&tree->triangle_box[i], &tree->triangle_box[j]) && !are_joint(tree, i, j) && !lie_flat(tree, i, j))
        pair(context, i, j);
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
