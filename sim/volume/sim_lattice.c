#include "sim_lattice.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim_vec.h"

#define MAX_BLOCKS (1 << 24)
#define MAX_VERTICES (1 << 26)

/* How near a cut draws a node onto itself, in parts of the edge: the values of the paper, for the largest least angle. */
static const double drawn[2] = {0.24999, 0.41189}; /* along edges between nodes of a kind; of different kinds */

static const int direction[7][3] = {{2, 0, 0}, {0, 2, 0}, {0, 0, 2}, {1, 1, 1}, {1, 1, -1}, {1, -1, 1}, {1, -1, -1}};

static void node_at(const sim_lattice *l, const int node[3], double x[3]) {
  for (int k = 0; k < 3; k++) x[k] = l->low[k] + 0.5 * l->cell * node[k];
}

static sim_lattice_block *find(const sim_lattice *l, const int node[3], int *place) {
  int b[3], c[3];
  for (int k = 0; k < 3; k++) {
    if (node[k] < 0) return NULL;
    b[k] = (node[k] >> 1) / SIM_LATTICE_SIDE;
    c[k] = (node[k] >> 1) % SIM_LATTICE_SIDE;
    if (b[k] >= l->blocks[k]) return NULL;
  }
  *place = 2 * ((c[2] * SIM_LATTICE_SIDE + c[1]) * SIM_LATTICE_SIDE + c[0]) + (node[0] & 1);
  return l->block[((size_t)b[2] * (size_t)l->blocks[1] + (size_t)b[1]) * (size_t)l->blocks[0] + (size_t)b[0]];
}

/* ---- values ---- */

int sim_lattice_blocks(const sim_lattice *l) { return l->blocks[0] * l->blocks[1] * l->blocks[2]; }

void sim_lattice_first_node(const sim_lattice *l, int block, int node[3]) {
  node[0] = 2 * SIM_LATTICE_SIDE * (block % l->blocks[0]);
  node[1] = 2 * SIM_LATTICE_SIDE * (block / l->blocks[0] % l->blocks[1]);
  node[2] = 2 * SIM_LATTICE_SIDE * (block / l->blocks[0] / l->blocks[1]);
}

void sim_lattice_node_of(const int first[3], int place, int node[3]) {
  int c = place / 2;
  node[0] = first[0] + 2 * (c % SIM_LATTICE_SIDE) + place % 2;
  node[1] = first[1] + 2 * (c / SIM_LATTICE_SIDE % SIM_LATTICE_SIDE) + place % 2;
  node[2] = first[2] + 2 * (c / SIM_LATTICE_SIDE / SIM_LATTICE_SIDE) + place % 2;
}

/* What the function is in the middle of a cube of so many cells. True: the surface is further than `within` cells from all nodes in it. */
static bool far_off(const sim_lattice *l, const int first[3], int side, int within, double *value) {
  int middle[3];
  double x[3];
  for (int k = 0; k < 3; k++) middle[k] = first[k] + side;
  node_at(l, middle, x);
  *value = sim_shape_field_at(l->field, x, NULL) - l->level;
  return fabs(*value) > l->field->steepest * l->cell * (side / 2.0 * sqrt(3) + within);
}

static double value_at(const sim_lattice *l, const int node[3]) {
  double x[3];
  node_at(l, node, x);
  double f = sim_shape_field_at(l->field, x, NULL) - l->level;
  return f != 0 ? f : -DBL_MIN; /* has its cut where it is, and is moved there */
}

/* By cubes of two cells: where no edge, which is a cell at most, can reach the surface, the least that the function can be is enough. */
static void value_near(const sim_lattice *l, const int first[3], sim_lattice_block *block) {
  for (int cube = 0; cube < SIM_LATTICE_NODES / 16; cube++) {
    int side = SIM_LATTICE_SIDE / 2, c[3] = {cube % side, cube / side % side, cube / side / side}, corner[3];
    for (int k = 0; k < 3; k++) corner[k] = first[k] + 4 * c[k];
    double value;
    bool far = far_off(l, corner, 2, 1, &value);
    if (far) value = copysign(fabs(value) - l->field->steepest * l->cell * sqrt(3), value);
    for (int i = 0; i < 16; i++) {
      int cell[3] = {2 * c[0] + (i >> 1 & 1), 2 * c[1] + (i >> 2 & 1), 2 * c[2] + (i >> 3)};
      int place = 2 * ((cell[2] * SIM_LATTICE_SIDE + cell[1]) * SIM_LATTICE_SIDE + cell[0]) + (i & 1), node[3];
      sim_lattice_node_of(first, place, node);
      block->value[place] = far ? value : value_at(l, node);
    }
  }
}

static void value_block(sim_lattice *l, int b, bool inside, bool *short_of_memory) {
  int first[3];
  double value;
  sim_lattice_first_node(l, b, first);
  bool far = far_off(l, first, SIM_LATTICE_SIDE, 2, &value); /* nodes nearer by may be moved, or lie beside one that is */
  if (far && !(inside && value < 0)) return;
  sim_lattice_block *block = malloc(sizeof *block);
  l->block[b] = block;
  if (!block) {
    *short_of_memory = true;
    return;
  }
  for (int i = 0; i < SIM_LATTICE_NODES; i++) {
    block->id[i] = -1;
    block->value[i] = value;
  }
  if (!far) value_near(l, first, block);
}

static cb_status values(sim_lattice *l, bool inside, cb_err *err) {
  l->block = calloc((size_t)sim_lattice_blocks(l), sizeof *l->block);
  bool missing = l->block == NULL;
  int n = missing ? 0 : sim_lattice_blocks(l);
#pragma omp parallel for schedule(dynamic, 4) reduction(|| : missing)
  for (int b = 0; b < n; b++) value_block(l, b, inside, &missing);
  return missing ? cb_fail(err, CB_E_NOMEM, "shape: out of memory for a lattice of %d blocks", sim_lattice_blocks(l)) : CB_OK;
}

/* ---- vertices ---- */

static cb_status more_vertices(sim_lattice *l, cb_err *err) {
  if (l->n_vertices >= MAX_VERTICES)
    return cb_fail(err, CB_E_RANGE, "shape: cells of %g m are too small: more than %d vertices", l->cell, MAX_VERTICES);
  size_t room = l->room ? 2 * (size_t)l->room : 4096;
  double(*x)[3] = realloc(l->x, room * sizeof *x);
  if (x) l->x = x;
  signed char *sign = realloc(l->sign, room * sizeof *sign);
  if (sign) l->sign = sign;
  int(*node)[3] = realloc(l->node, room * sizeof *node);
  if (node) l->node = node;
  if (!x || !sign || !node) return cb_fail(err, CB_E_NOMEM, "shape: out of memory for %zu vertices", room);
  l->room = (int)room;
  return CB_OK;
}

static cb_status add_vertex(sim_lattice *l, const double x[3], int sign, const int node[3], int *id, cb_err *err) {
  if (l->n_vertices == l->room) CB_TRY(more_vertices(l, err));
  *id = l->n_vertices++;
  memcpy(l->x[*id], x, sizeof l->x[0]);
  memcpy(l->node[*id], node, sizeof l->node[0]);
  l->sign[*id] = (signed char)sign;
  return CB_OK;
}

bool sim_lattice_look(const sim_lattice *l, const int node[3], double *value, int *id) {
  int place;
  const sim_lattice_block *b = find(l, node, &place);
  if (!b) return false;
  *value = b->value[place];
  *id = b->id[place];
  return true;
}

cb_status sim_lattice_vertex(sim_lattice *l, const int node[3], int *id, cb_err *err) {
  int place;
  sim_lattice_block *b = find(l, node, &place);
  assert(b); /* whoever asks has looked */
  *id = b->id[place];
  if (*id >= 0) return CB_OK;
  double x[3], value = b->value[place];
  node_at(l, node, x);
  CB_TRY(add_vertex(l, x, value < 0 ? -1 : 1, node, id, err));
  b->id[place] = *id;
  return CB_OK;
}

/* ---- cuts ---- */

/* The Illinois method (M. Dowell, P. Jarratt, BIT 11:168, 1971): regula falsi whose end that stays is halved. */
static void pass(const sim_lattice *l, const double in[3], double f_in, const double out[3], double f_out, double x[3]) {
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
    node_at(l, node[e == 0 ? in : 1 - in], x[e]);
  }
  pass(l, x[0], value[in], x[1], value[1 - in], c.x);
  if (l->n_cuts == l->cuts_room) {
    size_t room = l->cuts_room ? 2 * (size_t)l->cuts_room : 4096;
    sim_lattice_cut *more = realloc(l->cut, room * sizeof *more);
    if (!more) return cb_fail(err, CB_E_NOMEM, "shape: out of memory for %zu cuts", room);
    l->cut = more;
    l->cuts_room = (int)room;
  }
  l->cut[l->n_cuts++] = c;
  return CB_OK;
}

static cb_status cuts_of(sim_lattice *l, int block, cb_err *err) {
  int first[3], node[2][3], place;
  sim_lattice_first_node(l, block, first);
  for (int i = 0; i < SIM_LATTICE_NODES; i++) {
    double value[2] = {l->block[block]->value[i], 0};
    if (fabs(value[0]) > l->field->steepest * l->cell) continue; /* no edge is longer */
    sim_lattice_node_of(first, i, node[0]);
    for (int d = 0; d < 7; d++) {
      for (int k = 0; k < 3; k++) node[1][k] = node[0][k] + direction[d][k];
      const sim_lattice_block *b = find(l, node[1], &place);
      if (!b) continue;
      value[1] = b->value[place];
      if ((value[0] < 0 && value[1] > 0) || (value[0] > 0 && value[1] < 0)) CB_TRY(add_cut(l, (const int(*)[3])node, value, err));
    }
  }
  return CB_OK;
}

static cb_status list_cuts(sim_lattice *l, cb_err *err) {
  l->n_cut_nodes = l->n_vertices;
  l->cut_start = calloc((size_t)l->n_vertices + 2, sizeof *l->cut_start);
  l->cut_at = malloc(2 * (size_t)l->n_cuts * sizeof *l->cut_at + 1);
  if (!l->cut_start || !l->cut_at) return cb_fail(err, CB_E_NOMEM, "shape: out of memory for %d cuts", l->n_cuts);
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

/* Nodes too near to a cut are moved onto the nearest one, and are then on the surface: the cuts of their edges are none any more. */
static void warp(sim_lattice *l) {
  for (int v = 0; v < l->n_vertices; v++) {
    double least = INFINITY, d[3], home[3];
    int nearest = -1;
    node_at(l, l->node[v], home);
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
    if (nearest < 0) continue;
    memcpy(l->x[v], l->cut[nearest].x, sizeof l->x[v]);
    l->sign[v] = 0;
    for (int i = l->cut_start[v]; i < l->cut_start[v + 1]; i++) l->cut[l->cut_at[i]].gone = true;
  }
}

/* Cuts that are left become vertices behind the nodes. */
static cb_status keep_cuts(sim_lattice *l, cb_err *err) {
  static const int nowhere[3] = {-1, -1, -1};
  for (int c = 0, id; c < l->n_cuts; c++)
    if (!l->cut[c].gone) {
      CB_TRY(add_vertex(l, l->cut[c].x, 0, nowhere, &id, err));
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

/* ---- all of it ---- */

static cb_status lay_out(sim_lattice *l, cb_err *err) {
  double n = 1;
  for (int k = 0; k < 3; k++) {
    double side = l->field->high[k] - l->field->low[k] + 2 * fmax(l->level, 0) + 6 * l->cell;
    l->low[k] = l->field->low[k] - fmax(l->level, 0) - 3 * l->cell;
    double along = ceil(side / (SIM_LATTICE_SIDE * l->cell));
    n *= along;
    if (!(n <= MAX_BLOCKS)) return cb_fail(err, CB_E_RANGE, "shape: cells of %g m are too small for it", l->cell);
    l->blocks[k] = (int)along;
  }
  return CB_OK;
}

cb_status sim_lattice_init(sim_lattice *l, const sim_shape_field *field, double level, double cell, bool inside, cb_err *err) {
  *l = (sim_lattice){.field = field, .level = level, .cell = cell, .tolerance = inside ? 1e-9 : 1e-3};
  CB_TRY(lay_out(l, err));
  CB_TRY(values(l, inside, err));
  for (int b = 0; b < sim_lattice_blocks(l); b++)
    if (l->block[b]) CB_TRY(cuts_of(l, b, err));
  CB_TRY(list_cuts(l, err));
  warp(l);
  return keep_cuts(l, err);
}

void sim_lattice_clear(sim_lattice *l) {
  for (int b = 0; l->block && b < sim_lattice_blocks(l); b++) free(l->block[b]);
  free(l->block);
  free(l->x);
  free(l->sign);
  free(l->node);
  free(l->cut);
  free(l->cut_start);
  free(l->cut_at);
  *l = (sim_lattice){0};
}
