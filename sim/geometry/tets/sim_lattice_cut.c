/* Finds where the surface crosses the lattice's edges, and moves nodes onto near cuts. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cb_array.h"
#include "sim_lattice.h"
#include "sim_vec.h"

/* Distance, as a fraction of the edge, within which a node moves onto a cut: the paper's values for the
 * largest least angle. */
static const double drawn[2] = {0.24999, 0.41189}; /* edges between two corners or two centres; between a
                                                      corner and a centre */

static const int direction[7][3] = {{2, 0, 0},  {0, 2, 0},  {0, 0, 2},  {1, 1, 1},
                                    {1, 1, -1}, {1, -1, 1}, {1, -1, -1}};

/* The Illinois method (M. Dowell, P. Jarratt, BIT 11:168, 1971): regula falsi that halves the value at an end
 * that stays. */
static void find_crossing(const sim_lattice *l, const double in[3], double f_in, const double out[3],
                          double f_out, double x[3]) {
  double a = 0, fa = f_in, b = 1, fb = f_out, t = 0.5;
  for (int i = 0; i < 40; i++) {
    t = (a * fb - b * fa) / (fb - fa);
    for (int k = 0; k < 3; k++) x[k] = in[k] + t * (out[k] - in[k]);
    double f = sim_shape_field_at(l->field, x, NULL) - l->level;
    if (fabs(f) < l->tolerance * l->cell || b - a < 1e-12) break;
    if (f < 0) {
      a = t;
      fa = f;
      fb *= i > 0 ? 0.5 : 1;
    } else {
      b = t;
      fb = f;
      fa *= i > 0 ? 0.5 : 1;
    }
  }
}

static cb_status add_cut(sim_lattice *l, const int node[2][3], const double value[2], cb_err *err) {
  int in = value[0] < 0 ? 0 : 1;
  double x[2][3];
  sim_lattice_cut c = {.gone = false};
  for (int e = 0; e < 2; e++) {
    CB_TRY(sim_lattice_vertex(l, node[e == 0 ? in : 1 - in], &c.end[e], err));
    sim_lattice_at(l, node[e == 0 ? in : 1 - in], x[e]);
  }
  find_crossing(l, x[0], value[in], x[1], value[1 - in], c.x);
  sim_lattice_cut *grown = cb_array_grow(l->cut, &l->cuts_capacity, (size_t)l->n_cuts + 1, sizeof *grown);
  if (!grown) return cb_no_memory(err, "shape, %d cuts", l->n_cuts + 1);
  l->cut = grown;
  l->cut[l->n_cuts++] = c;
  return CB_OK;
}

static cb_status cuts_of(sim_lattice *l, int block, cb_err *err) {
  int first[3], node[2][3], id;
  sim_lattice_first_node(l, block, first);
  for (int i = 0; i < SIM_LATTICE_NODES; i++) {
    double value[2] = {l->block[block]->value[i], 0};
    if (fabs(value[0]) > l->field->steepest * l->cell) continue; /* no edge is longer */
    sim_lattice_node_of(first, i, node[0]);
    for (int d = 0; d < 7; d++) {
      for (int k = 0; k < 3; k++) node[1][k] = node[0][k] + direction[d][k];
      if (!sim_lattice_look(l, node[1], &value[1], &id)) continue;
      if ((value[0] < 0 && value[1] > 0) || (value[0] > 0 && value[1] < 0))
        CB_TRY(add_cut(l, (const int(*)[3])node, value, err));
    }
  }
  return CB_OK;
}

static cb_status list_cuts(sim_lattice *l, cb_err *err) {
  l->n_cut_nodes = l->n_vertices;
  l->cut_start = calloc((size_t)l->n_vertices + 2, sizeof *l->cut_start);
  l->cut_at = malloc(2 * (size_t)l->n_cuts * sizeof *l->cut_at + 1);
  if (!l->cut_start || !l->cut_at) return cb_no_memory(err, "shape, %d cuts", l->n_cuts);
  int *start = l->cut_start + 1; /* one ahead: after filling, start[v] is where v + 1 begins */
  for (int c = 0; c < l->n_cuts; c++)
    for (int e = 0; e < 2; e++)
      if (l->cut[c].end[e] + 1 < l->n_vertices) start[l->cut[c].end[e] + 1]++;
  for (int v = 1; v < l->n_vertices; v++) start[v] += start[v - 1];
  for (int c = 0; c < l->n_cuts; c++)
    for (int e = 0; e < 2; e++) l->cut_at[start[l->cut[c].end[e]]++] = c;
  return CB_OK;
}

static bool alike(const sim_lattice *l, int a, int b) { return ((l->node[a][0] ^ l->node[b][0]) & 1) == 0; }

/* The nearest cut that a node is too near to; -1: none. */
static int drawing(const sim_lattice *l, int v) {
  double least = INFINITY, d[3], home[3];
  int nearest = -1;
  sim_lattice_at(l, l->node[v], home);
  for (int i = l->cut_start[v]; i < l->cut_start[v + 1]; i++) {
    const sim_lattice_cut *c = &l->cut[l->cut_at[i]];
    if (c->gone) continue;
    bool kind = alike(l, c->end[0], c->end[1]);
    sim_sub(c->x, home, d);
    double way = sim_norm(d);
    if (way < drawn[kind ? 0 : 1] * l->cell * (kind ? 1 : sqrt(0.75)) && way < least) {
      least = way;
      nearest = l->cut_at[i];
    }
  }
  return nearest;
}

/* Moves a node onto a cut. It is on the surface then, so all cuts of its edges are dropped. */
static void move_to(sim_lattice *l, int v, const sim_lattice_cut *c) {
  memcpy(l->x[v], c->x, sizeof l->x[v]);
  l->sign[v] = 0;
  for (int i = l->cut_start[v]; i < l->cut_start[v + 1]; i++) l->cut[l->cut_at[i]].gone = true;
}

/* Moves nodes, starting at `first`. If a node moved towards a neighbour that then moves elsewhere, angles
 * down to 9 degrees would result. So a neighbour that must move goes first, and drops its cuts. begun: nodes
 * that wait for others, or are done. */
static void warp_from(sim_lattice *l, int first, bool *begun, int *waiting) {
  int n = 0;
  waiting[n++] = first;
  begun[first] = true;
  while (n > 0) {
    int v = waiting[n - 1], c = drawing(l, v);
    int other = c < 0 ? -1 : l->cut[c].end[l->cut[c].end[0] == v];
    if (c >= 0 && !begun[other] && drawing(l, other) >= 0) {
      waiting[n++] = other;
      begun[other] = true;
      continue;
    }
    if (c >= 0) move_to(l, v, &l->cut[c]);
    n--;
  }
}

static cb_status warp(sim_lattice *l, cb_err *err) {
  int *waiting = malloc((size_t)l->n_vertices * sizeof *waiting + 1);
  bool *begun = calloc((size_t)l->n_vertices + 1, sizeof *begun);
  bool enough = waiting && begun;
  for (int v = 0; v < l->n_vertices && enough; v++)
    if (!begun[v]) warp_from(l, v, begun, waiting);
  free(waiting);
  free(begun);
  return enough ? CB_OK : cb_no_memory(err, "shape, %d vertices", l->n_vertices);
}

/* Makes vertices of the cuts that are left, after the nodes. */
static cb_status keep_cuts(sim_lattice *l, cb_err *err) {
  static const int nowhere[3] = {-1, -1, -1};
  for (int c = 0, id; c < l->n_cuts; c++)
    if (!l->cut[c].gone) {
      CB_TRY(sim_lattice_add(l, l->cut[c].x, 0, nowhere, &id, err));
      l->cut[c].vertex = id;
    }
  return CB_OK;
}

int sim_lattice_cut_between(const sim_lattice *l, int a, int b) {
  if (a >= l->n_cut_nodes || b >= l->n_cut_nodes) return -1;
  for (int i = l->cut_start[a]; i < l->cut_start[a + 1]; i++) {
    const sim_lattice_cut *c = &l->cut[l->cut_at[i]];
    if (!c->gone && (c->end[0] == b || c->end[1] == b)) return c->vertex;
  }
  return -1;
}

cb_status sim_lattice_cuts(sim_lattice *l, cb_err *err) {
  for (int b = 0; b < sim_lattice_blocks(l); b++)
    if (l->block[b]) CB_TRY(cuts_of(l, b, err));
  CB_TRY(list_cuts(l, err));
  CB_TRY(warp(l, err));
  return keep_cuts(l, err);
}
