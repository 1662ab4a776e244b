/* The search for pairs of triangles: tasks for the threads, and the walk of each task. */
#include <stddef.h>

#include "cb_threads.h"
#include "sim_bvh_impl.h"

static inline bool any(ints lanes) {
  const long long __attribute__((vector_size(16))) halves = (long long __attribute__((vector_size(16))))lanes;
  return (halves[0] | halves[1]) != 0;
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

/* Splits tasks of more than `limit` leaves, as far as there is room. */
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

/* Makes many tasks of about the same size. */
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

/* A leaf's corners, lane by lane. */
typedef struct leaf_corners {
  ints of[3];
} leaf_corners;

static inline leaf_corners corners_of(const sim_bvh *tree, int leaf) {
  const int(*t)[3] = (const int(*)[3])tree->triangle[(size_t)SIM_BVH_LEAF * (size_t)leaf];
  leaf_corners c;
  for (int k = 0; k < 3; k++) c.of[k] = (ints){t[0][k], t[1][k], t[2][k], t[3][k]};
  return c;
}

static inline ints overlap(const sim_leaf *a, int i, const sim_leaf *b) {
  ints meet = {-1, -1, -1, -1};
  for (int k = 0; k < 3; k++)
    meet &= (a->lo[k][i] <= floats_at(b->hi[k])) & (floats_at(b->lo[k]) <= a->hi[k][i]);
  return meet;
}

/* Which triangles of b share corners with a triangle of a, and are bent so little against it that they can
 * meet it only there. */
static inline ints are_joint(const sim_bvh *tree, const sim_leaf *a, int i, const int corner[3],
                             const sim_leaf *b, const leaf_corners *c) {
  ints shared = {0}, factor = {0};
  for (int k = 0; k < 3; k++) {
    const ints has = (c->of[0] == corner[k]) | (c->of[1] == corner[k]) | (c->of[2] == corner[k]);
    const float sine = tree->sine[corner[k]];
    shared -= has;
    factor |= has & (ints)(floats){sine, sine, sine, sine};
  }
  const ints side = shared > 1;
  const ints angled = factor != 0; /* both ends of a side with a sharp fold have sine 0 */
  const floats share = (floats)((side & angled & (ints)(floats){1, 1, 1, 1}) | (~side & factor));
  const floats other = floats_at(b->firm), own = {a->firm[i], a->firm[i], a->firm[i], a->firm[i]};
  const ints firmer = own > other;
  const floats firm = (floats)((firmer & (ints)own) | (~firmer & (ints)other));
  const floats most = firm * share - a->radius[i] - floats_at(b->radius);
  floats square = {0};
  for (int k = 0; k < (tree->sewn ? 9 : 6); k++) {
    const floats d = floats_at(b->middle[k]) - a->middle[k][i];
    square += d * d;
  }
  return (shared > 0) & (most > 0) & (square < most * most);
}

/* Calls `pair` for every two triangles of the leaves that may meet; a == b: once for each two of the leaf. */
CB_WIDE static void leaf_pairs(const sim_bvh *tree, int a, int b, sim_bvh_pair *pair, void *context) {
  const sim_leaf *in_a = &tree->in_leaf[a], *in_b = &tree->in_leaf[b];
  const leaf_corners corners = corners_of(tree, b);
  for (int i = 0; i < SIM_BVH_LEAF; i++) {
    const int slot = SIM_BVH_LEAF * a + i;
    ints meet = overlap(in_a, i, in_b);
    if (!any(meet)) continue;
    meet &= ~are_joint(tree, in_a, i, tree->triangle[slot], in_b, &corners);
    if (!any(meet)) continue;
    for (int j = a == b ? i + 1 : 0; j < SIM_BVH_LEAF; j++)
      if (meet[j] && (a == b || !lie_flat(tree, slot, SIM_BVH_LEAF * b + j)))
        pair(context, slot, SIM_BVH_LEAF * b + j);
  }
}

/* Searches two nodes that are not idle; the larger one is opened. The recursion is as deep as twice the
 * logarithm of the number of leaves; that of `within`, too. */
static void between(const sim_bvh *tree, int a, int b, sim_bvh_pair *pair, void *context) {
  const sim_bvh_node *m = &tree->node[a], *n = &tree->node[b];
  if (m->n_leaves == 1 && n->n_leaves == 1) {
    leaf_pairs(tree, m->leaf, n->leaf, pair, context);
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
    leaf_pairs(tree, tree->node[node].leaf, tree->node[node].leaf, pair, context);
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
