/* The second half of isosurface stuffing: every tetrahedron of the lattice is cut along the surface.
 *
 * The paper has a stencil per pattern of signs. Bisecting the tetrahedron at one cut after the other gives
 * the same pieces. On a face that two tetrahedra share, the triangles agree if both sides take its edges in
 * the same order. The order: long edges, between two corners or two centres, come first. Of the two short
 * edges of a face, the one that goes up along an even number of axes, from centre to corner, comes first.
 * (Their far nodes differ along one axis. The paper has a rule of parity, too.) */
#include <math.h>
#include <string.h>

#include "sim_lattice.h"

#define PIECES 16

typedef struct piece {
  int v[4];
} piece;

typedef struct edge {
  int end[2], rank, cut;
} edge;

static int odd(const int node[3]) { return node[0] & 1; }
static int rank_of(const sim_lattice *l, int a, int b) {
  const int *p = l->node[a], *q = l->node[b];
  if (odd(p) == odd(q)) return 0;
  int up = 0; /* axes along which the corner node is higher than the centre node */
  for (int k = 0; k < 3; k++) up += odd(p) ? q[k] > p[k] : p[k] > q[k];
  return 1 + up % 2;
}

/* The cut edges of a tetrahedron by rank. No two short edges of a face have the same rank. */
static int cut_edges(const sim_lattice *l, const int v[4], edge out[6]) {
  int n = 0;
  for (int i = 0; i < 4; i++)
    for (int j = i + 1; j < 4; j++) {
      if (l->sign[v[i]] * l->sign[v[j]] >= 0) continue;
      edge e = {{v[i], v[j]}, rank_of(l, v[i], v[j]), sim_lattice_cut_between(l, v[i], v[j])};
      int at = n++;
      for (; at > 0 && out[at - 1].rank > e.rank; at--) out[at] = out[at - 1];
      out[at] = e;
    }
  return n;
}

static int corner_of(const piece *p, int vertex) {
  for (int k = 0; k < 4; k++)
    if (p->v[k] == vertex) return k;
  return -1;
}

static int bisect_pieces(piece *p, int n, const edge *e) {
  for (int i = 0, all = n; i < all; i++) {
    int a = corner_of(&p[i], e->end[0]), b = corner_of(&p[i], e->end[1]);
    if (a < 0 || b < 0) continue;
    p[n] = p[i];
    p[n++].v[a] = e->cut;
    p[i].v[b] = e->cut;
  }
  return n;
}

static cb_status cut_up(sim_lattice *l, const int v[4], sim_lattice_taker *take, void *context, cb_err *err) {
  piece p[PIECES];
  edge e[6];
  memcpy(p[0].v, v, sizeof p[0].v);
  int n = 1, n_edges = cut_edges(l, v, e);
  for (int i = 0; i < n_edges; i++) n = bisect_pieces(p, n, &e[i]);
  for (int i = 0; i < n; i++) {
    int least = 1, most = -1;
    for (int k = 0; k < 4; k++) {
      least = l->sign[p[i].v[k]] < least ? l->sign[p[i].v[k]] : least;
      most = l->sign[p[i].v[k]] > most ? l->sign[p[i].v[k]] : most;
    }
    if (least < 0 && most <= 0) CB_TRY(take(context, p[i].v, err));
  }
  return CB_OK;
}

typedef struct around {
  sim_lattice *lattice;
  bool inside; /* tetrahedra that the surface does not touch are taken, too */
  sim_lattice_taker *take;
  void *context;
} around;

/* Cuts a tetrahedron if it has a part inside. Its nodes become vertices only now; most nodes of the lattice
 * never do. */
static cb_status consider(const around *a, const int node[4][3], cb_err *err) {
  int v[4];
  bool in = false, near = a->inside;
  for (int k = 0; k < 4; k++) {
    double value;
    int id;
    if (!sim_lattice_look(a->lattice, node[k], &value, &id)) return CB_OK;
    in = in || value < 0;
    near = near || id >= 0;
  }
  if (!in || !near) return CB_OK;
  for (int k = 0; k < 4; k++) CB_TRY(sim_lattice_vertex(a->lattice, node[k], &v[k], err));
  return cut_up(a->lattice, v, a->take, a->context, err);
}

/* The four tetrahedra around the edge from a centre to the next along an axis. */
static cb_status go_around(const around *a, const int middle[3], int axis, cb_err *err) {
  static const int ring[4][2] = {{1, 1}, {-1, 1}, {-1, -1}, {1, -1}};
  int node[4][3];
  for (int i = 0; i < 4; i++) {
    for (int k = 0; k < 4; k++) memcpy(node[k], middle, sizeof node[k]);
    node[1][axis] += 2;
    for (int k = 2; k < 4; k++) {
      const int *r = ring[(i + k - 2) % 4];
      node[k][axis]++;
      node[k][(axis + 1) % 3] += r[0];
      node[k][(axis + 2) % 3] += r[1];
    }
    CB_TRY(consider(a, (const int(*)[3])node, err));
  }
  return CB_OK;
}

cb_status sim_lattice_stuff(sim_lattice *l, bool inside, sim_lattice_taker *take, void *context,
                            cb_err *err) {
  const around a = {l, inside, take, context};
  int first[3], middle[3];
  for (int b = 0; b < sim_lattice_blocks(l); b++) {
    if (!l->block[b]) continue;
    sim_lattice_first_node(l, b, first);
    for (int i = 1; i < SIM_LATTICE_NODES; i += 2) {
      /* No node of its tetrahedra is further away than a cell, and no node with a cut is further than that
       * from the surface. */
      double value = l->block[b]->value[i];
      if (fabs(value) > 2 * l->field->steepest * l->cell && !(inside && value < 0)) continue;
      sim_lattice_node_of(first, i, middle);
      for (int axis = 0; axis < 3; axis++) CB_TRY(go_around(&a, middle, axis, err));
    }
  }
  return CB_OK;
}
