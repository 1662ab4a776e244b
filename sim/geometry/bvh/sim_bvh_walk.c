/* The search for pairs of triangles: tasks for the threads, and the walk of each task. */
#include <stddef.h>

#include "cb_threads.h"
#include "sim_bvh_impl.h"

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

/* A node against one of the children of another: whether they are to be searched. */
static inline bool is_idle_child(const sim_lane_box *box, unsigned stirred, const sim_bvh_node *child) {
  const sim_lane_box of_child = sim_box_lanes(&child->box);
  return !(stirred | child->stirred) || !sim_lane_box_overlap(box, &of_child);
}

static void between(const sim_bvh *tree, int a, int b, sim_bvh_pair *pair, void *context);

/* Searches two nodes that are not idle. */
static inline void visit(const sim_bvh *tree, int a, int b, sim_bvh_pair *pair, void *context) {
  const sim_bvh_node *m = &tree->node[a], *n = &tree->node[b];
  if (m->n_leaves == 1 && n->n_leaves == 1)
    sim_bvh_leaf_pairs(tree, m->leaf, n->leaf, pair, context);
  else
    between(tree, a, b, pair, context);
}

/* Searches two nodes that are not two leaves; the larger one is opened. Both children are looked at before
 * either is entered, so that one does not wait for the other's memory. The recursion is as deep as twice the
 * logarithm of the number of leaves; that of `within`, too. */
static void between(const sim_bvh *tree, int a, int b, sim_bvh_pair *pair, void *context) {
  const bool first = tree->node[a].n_leaves >= tree->node[b].n_leaves;
  const int opened = first ? a : b, stays = first ? b : a, left = opened + 1,
            right = sim_bvh_right(tree, opened);
  const sim_lane_box box = sim_box_lanes(&tree->node[stays].box);
  const bool idle_left = is_idle_child(&box, tree->node[stays].stirred, &tree->node[left]),
             idle_right = is_idle_child(&box, tree->node[stays].stirred, &tree->node[right]);
  if (!idle_left) visit(tree, first ? left : a, first ? b : left, pair, context);
  if (!idle_right) visit(tree, first ? right : a, first ? b : right, pair, context);
}

static void within(const sim_bvh *tree, int node, sim_bvh_pair *pair, void *context) {
  if (tree->node[node].flat || !tree->node[node].stirred) return;
  if (tree->node[node].n_leaves == 1) {
    sim_bvh_leaf_pairs(tree, tree->node[node].leaf, tree->node[node].leaf, pair, context);
    return;
  }
  const int left = node + 1, right = sim_bvh_right(tree, node);
  within(tree, left, pair, context);
  if (!is_idle(tree, (sim_bvh_task){left, right})) visit(tree, left, right, pair, context);
  within(tree, right, pair, context);
}

void sim_bvh_walk(const sim_bvh *tree, int task, sim_bvh_pair *pair, void *context) {
  const sim_bvh_task t = tree->task[task];
  if (t.a == t.b) {
    within(tree, t.a, pair, context);
  } else {
    visit(tree, t.a, t.b, pair, context);
  }
}
