#include "sim_multilevel.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* A neighbour is strong if its weight is at least this fraction of the largest at one of the two nodes. */
#define STRONG 0.25
/* most parents of a node */
#define PARENTS_MOST 12

static cb_status no_memory(int n, cb_err *err) { return cb_no_memory(err, "levels over %d vertices", n); }

void sim_graph_clear(sim_graph *g) {
  free(g->edge);
  free(g->weight);
  *g = (sim_graph){0};
}

void sim_rows_clear(sim_rows *r) {
  free(r->start);
  free(r->item);
  free(r->factor);
  *r = (sim_rows){0};
}

static cb_status new_rows(int n, int items, bool factors, sim_rows *out, cb_err *err) {
  *out = (sim_rows){.n = n};
  out->start = calloc((size_t)n + 1, sizeof *out->start);
  out->item = calloc((size_t)items + 1, sizeof *out->item);
  if (factors) out->factor = calloc((size_t)items + 1, sizeof *out->factor);
  return out->start && out->item && (out->factor || !factors) ? CB_OK : no_memory(n, err);
}

/* Turns counts at start[row + 1] into begins of rows. Row i is then filled from start[i + 1]. */
static void begin_rows(sim_rows *r) {
  for (int i = 0; i < r->n; i++) r->start[i + 1] += r->start[i];
  memmove(r->start + 1, r->start, (size_t)r->n * sizeof *r->start);
}

static void put_item(sim_rows *r, int row, int item, float factor) {
  const int at = r->start[row + 1]++;
  r->item[at] = item;
  if (r->factor) r->factor[at] = factor;
}

static cb_status edges_of_nodes(const sim_graph *g, sim_rows *out, cb_err *err) {
  CB_TRY(new_rows(g->n, 2 * g->n_edges, false, out, err));
  for (int e = 0; e < g->n_edges; e++)
    for (int k = 0; k < 2; k++)
      out->start[g->edge[e][k] + 1]++; /* NOLINT: all edges are written, which the analyzer does not see */
  begin_rows(out);
  for (int e = 0; e < g->n_edges; e++)
    for (int k = 0; k < 2; k++) put_item(out, g->edge[e][k], e, 1);
  return CB_OK;
}

/* ---- coarse nodes ---- */

typedef struct coarsener {
  const sim_graph *fine;
  sim_rows edges;    /* of the fine nodes */
  double *strongest; /* per node: greatest weight of its edges */
  int *number;       /* per node: its number above, -1: none */
} coarsener;

static bool is_strong(const coarsener *c, int e) {
  const double *s = c->strongest, a = s[c->fine->edge[e][0]], b = s[c->fine->edge[e][1]];
  return c->fine->weight[e] > 0 && c->fine->weight[e] >= STRONG * fmin(a, b);
}

static int other_end(const coarsener *c, int e, int i) { return c->fine->edge[e][c->fine->edge[e][0] == i]; }

/* Chooses the coarse nodes in order: a node is chosen if none of its strong neighbours is. Returns their
 * number. */
static int choose_coarse(coarsener *c) {
  enum { OPEN = -2, OUT = -1 };
  int n = 0;
  for (int i = 0; i < c->fine->n; i++) c->number[i] = OPEN;
  for (int i = 0; i < c->fine->n; i++) {
    if (c->number[i] != OPEN) continue;
    c->number[i] = n++;
    for (int k = c->edges.start[i]; k < c->edges.start[i + 1]; k++)
      if (is_strong(c, c->edges.item[k])) c->number[other_end(c, c->edges.item[k], i)] = OUT;
  }
  return n;
}

/* ---- parents of the other nodes ---- */

typedef struct parents {
  int n, node[PARENTS_MOST];
  double weight[PARENTS_MOST], sum;
} parents;

static void add_parent(parents *p, int node, double weight) {
  int k = 0;
  while (k < p->n && p->node[k] != node) k++;
  if (k == PARENTS_MOST) return;
  if (k == p->n) {
    p->node[p->n++] = node;
    p->weight[k] = 0;
  }
  p->weight[k] += weight;
  p->sum += weight;
}

static void near_parents(const coarsener *c, int i, double scale, parents *p) {
  for (int k = c->edges.start[i]; k < c->edges.start[i + 1]; k++) {
    const int e = c->edges.item[k], above = c->number[other_end(c, e, i)];
    if (above >= 0 && is_strong(c, e)) add_parent(p, above, scale * c->fine->weight[e]);
  }
}

/* Parents of a node that is not chosen: its chosen neighbours. With only one, also those of its
 * neighbours. */
static void parents_of(const coarsener *c, int i, parents *p) {
  *p = (parents){0};
  if (c->number[i] >= 0) {
    add_parent(p, c->number[i], 1);
    return;
  }
  near_parents(c, i, 1, p);
  if (p->n > 1) return;
  for (int k = c->edges.start[i]; k < c->edges.start[i + 1]; k++) {
    const int e = c->edges.item[k], j = other_end(c, e, i);
    if (c->number[j] >= 0 || !is_strong(c, e)) continue;
    parents of_j = {0};
    near_parents(c, j, 1, &of_j);
    for (int m = 0; m < of_j.n; m++)
      add_parent(p, of_j.node[m], c->fine->weight[e] * of_j.weight[m] / of_j.sum);
  }
}

static cb_status interpolate(const coarsener *c, sim_level *level, cb_err *err) {
  parents p;
  int total = 0;
  for (int i = 0; i < c->fine->n; i++) {
    parents_of(c, i, &p);
    total += p.n;
  }
  CB_TRY(new_rows(c->fine->n, total, true, &level->parents, err));
  CB_TRY(new_rows(level->n, total, true, &level->children, err));
  total = 0;
  for (int i = 0; i < c->fine->n; i++) {
    parents_of(c, i, &p);
    for (int k = 0; k < p.n; k++, total++) {
      level->parents.item[total] = p.node[k];
      level->parents.factor[total] = (float)(p.weight[k] / p.sum);
      level->children.start[p.node[k] + 1]++;
    }
    level->parents.start[i + 1] = total;
  }
  begin_rows(&level->children);
  for (int i = 0; i < c->fine->n; i++)
    for (int k = level->parents.start[i]; k < level->parents.start[i + 1]; k++)
      put_item(&level->children, level->parents.item[k], i, level->parents.factor[k]);
  return CB_OK;
}

/* ---- edges of the coarse graph ---- */

/* What a fine edge contributes to an edge between two coarse nodes. */
typedef struct share {
  int low, high, edge;
  float factor;
} share;

/* Difference of each hat between the ends of an edge. */
static int slopes(const sim_level *level, const int edge[2], int node[2 * PARENTS_MOST],
                  float slope[2 * PARENTS_MOST]) {
  const sim_rows *p = &level->parents;
  int n = 0;
  for (int end = 0; end < 2; end++)
    for (int k = p->start[edge[end]]; k < p->start[edge[end] + 1]; k++) {
      int at = 0;
      while (at < n && node[at] != p->item[k]) at++;
      if (at == n) {
        node[n] = p->item[k];
        slope[n++] = 0;
      }
      slope[at] += end ? p->factor[k] : -p->factor[k];
    }
  return n;
}

/* Smaller shares are rounding. */
#define SLIGHT 1e-5F

/* Distributes the fine edges' contributions into `out`, if it is not NULL; returns their number. first: for
 * each lower node, how many shares it has (counting), or where they begin (filling). */
static int share_out(const sim_graph *fine, const sim_level *level, int *first, share *out) {
  int node[2 * PARENTS_MOST], total = 0;
  float slope[2 * PARENTS_MOST];
  for (int e = 0; e < fine->n_edges; e++) {
    const int n = slopes(level, fine->edge[e], node, slope);
    for (int a = 0; a < n; a++)
      for (int b = 0; b < n; b++) {
        const float factor = -slope[a] * slope[b];
        if (node[a] >= node[b] || fabsf(factor) < SLIGHT) continue;
        const int at = first[node[a] + 1]++;
        if (out) out[at] = (share){node[a], node[b], e, factor};
        total++;
      }
  }
  return total;
}

static int by_edge(const void *a, const void *b) {
  const share *p = a, *q = b;
  return p->high != q->high ? (p->high > q->high) - (p->high < q->high)
                            : (p->edge > q->edge) - (p->edge < q->edge);
}

static cb_status join_shares(const sim_graph *fine, const share *all, int total, sim_level *level,
                             sim_graph *out, cb_err *err) {
  for (int i = 0; i < total; i++)
    out->n_edges += i == 0 || all[i].low != all[i - 1].low || all[i].high != all[i - 1].high;
  out->edge = malloc(((size_t)out->n_edges + 1) * sizeof *out->edge);
  out->weight = calloc((size_t)out->n_edges + 1, sizeof *out->weight);
  if (!out->edge || !out->weight) return no_memory(fine->n, err);
  CB_TRY(new_rows(out->n_edges, total, true, &level->below, err));
  for (int i = 0, e = -1; i < total; i++) {
    if (i == 0 || all[i].low != all[i - 1].low || all[i].high != all[i - 1].high) {
      e++;
      out->edge[e][0] = all[i].low;
      out->edge[e][1] = all[i].high;
    }
    out->weight[e] += (double)all[i].factor * fine->weight[all[i].edge];
    level->below.item[i] = all[i].edge;
    level->below.factor[i] = all[i].factor;
    level->below.start[e + 1] = i + 1;
  }
  return CB_OK;
}

static cb_status connect_coarse(const sim_graph *fine, sim_level *level, sim_graph *out, cb_err *err) {
  int *first = calloc((size_t)level->n + 1, sizeof *first);
  share *all = NULL;
  cb_status st = CB_OK;
  *out = (sim_graph){.n = level->n};
  if (!first) CB_GOTO(no_memory(fine->n, err));
  const int total = share_out(fine, level, first, NULL);
  all = malloc(((size_t)total + 1) * sizeof *all);
  if (!all) CB_GOTO(no_memory(fine->n, err));
  for (int i = 0; i < level->n; i++) first[i + 1] += first[i];
  memmove(first + 1, first, (size_t)level->n * sizeof *first);
  (void)share_out(fine, level, first, all);
  first[0] = 0;
  for (int i = 0; i < level->n; i++)
    qsort(all + first[i], (size_t)(first[i + 1] - first[i]), sizeof *all, by_edge);
  CB_GOTO(join_shares(fine, all, total, level, out, err));
  CB_GOTO(edges_of_nodes(out, &level->edges, err));
  level->n_edges = out->n_edges;
done:
  free(first);
  free(all);
  return st;
}

cb_status sim_graph_coarsen(const sim_graph *fine, sim_level *level, sim_graph *out, cb_err *err) {
  const size_t n = (size_t)fine->n;
  coarsener c = {
      .fine = fine, .strongest = calloc(n, sizeof *c.strongest), .number = calloc(n, sizeof *c.number)};
  cb_status st = CB_OK;
  *level = (sim_level){0};
  *out = (sim_graph){0};
  if (!c.strongest || !c.number) CB_GOTO(no_memory(fine->n, err));
  CB_GOTO(edges_of_nodes(fine, &c.edges, err));
  for (int e = 0; e < fine->n_edges; e++)
    for (int k = 0; k < 2; k++)
      c.strongest[fine->edge[e][k]] = fmax(c.strongest[fine->edge[e][k]], fine->weight[e]);
  level->n = choose_coarse(&c);
  CB_GOTO(interpolate(&c, level, err));
  CB_GOTO(connect_coarse(fine, level, out, err));
done:
  sim_rows_clear(&c.edges);
  free(c.strongest);
  free(c.number);
  return st;
}
