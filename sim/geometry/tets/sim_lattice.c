#include "sim_lattice.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MAX_BLOCKS (1 << 24)
#define MAX_VERTICES (1 << 26)

void sim_lattice_at(const sim_lattice *l, const int node[3], double x[3]) {
  for (int k = 0; k < 3; k++) x[k] = l->low[k] + 0.5 * l->cell * node[k];
}

static sim_lattice_block *find_block(const sim_lattice *l, const int node[3], int *place) {
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

/* *value: the function in the middle of a cube of so many cells. Returns true if the surface is further than
 * `within` cells from all nodes in the cube. */
static bool far_off(const sim_lattice *l, const int first[3], int side, int within, double *value) {
  int middle[3];
  double x[3];
  for (int k = 0; k < 3; k++) middle[k] = first[k] + side;
  sim_lattice_at(l, middle, x);
  *value = sim_shape_field_at(l->field, x, NULL) - l->level;
  return fabs(*value) > l->field->steepest * l->cell * (side / 2.0 * sqrt(3) + within);
}

static double value_at(const sim_lattice *l, const int node[3]) {
  double x[3];
  sim_lattice_at(l, node, x);
  double f = sim_shape_field_at(l->field, x, NULL) - l->level;
  return f != 0 ? f : -DBL_MIN; /* a node on the surface counts as inside; its cut is at its place, and it is
                                   moved there */
}

/* Values of a block, by cubes of two cells. Where no edge can reach the surface (edges are at most a cell
 * long), a lower bound of the function is enough. */
static void value_near(const sim_lattice *l, const int first[3], sim_lattice_block *block) {
  for (int cube = 0; cube < SIM_LATTICE_NODES / 16; cube++) {
    int side = SIM_LATTICE_SIDE / 2, c[3] = {cube % side, cube / side % side, cube / side / side}, corner[3];
    for (int k = 0; k < 3; k++) corner[k] = first[k] + 4 * c[k];
    double value;
    bool far = far_off(l, corner, 2, 1, &value);
    if (far) value = copysign(fabs(value) - l->field->steepest * l->cell * sqrt(3), value);
    for (int i = 0; i < 16; i++) {
      int cell[3] = {2 * c[0] + (i >> 1 & 1), 2 * c[1] + (i >> 2 & 1), 2 * c[2] + (i >> 3)};
      int place = 2 * ((cell[2] * SIM_LATTICE_SIDE + cell[1]) * SIM_LATTICE_SIDE + cell[0]) + (i & 1),
          node[3];
      sim_lattice_node_of(first, place, node);
      block->value[place] = far ? value : value_at(l, node);
    }
  }
}

static void value_block(sim_lattice *l, int b, bool inside, bool *short_of_memory) {
  int first[3];
  double value;
  sim_lattice_first_node(l, b, first);
  bool far = far_off(l, first, SIM_LATTICE_SIDE, 2, &value); /* nearer nodes may be moved, or lie beside one
                                                                that is */
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

static cb_status fill_values(sim_lattice *l, bool inside, cb_err *err) {
  l->block = calloc((size_t)sim_lattice_blocks(l), sizeof *l->block);
  bool missing = !l->block;
  int n = missing ? 0 : sim_lattice_blocks(l);
#pragma omp parallel for schedule(dynamic, 4) reduction(|| : missing)
  for (int b = 0; b < n; b++) value_block(l, b, inside, &missing);
  return missing ? cb_no_memory(err, "shape, a lattice of %d blocks", sim_lattice_blocks(l)) : CB_OK;
}

/* ---- vertices ---- */

static cb_status more_vertices(sim_lattice *l, cb_err *err) {
  if (l->n_vertices >= MAX_VERTICES)
    return cb_fail(err, CB_E_RANGE, "shape: cells of %g m are too small: more than %d vertices", l->cell,
                   MAX_VERTICES);
  size_t room = l->room ? 2 * (size_t)l->room : 4096;
  double(*x)[3] = realloc(l->x, room * sizeof *x);
  if (x) l->x = x;
  signed char *sign = realloc(l->sign, room * sizeof *sign);
  if (sign) l->sign = sign;
  int(*node)[3] = realloc(l->node, room * sizeof *node);
  if (node) l->node = node;
  if (!x || !sign || !node) return cb_no_memory(err, "shape, %zu vertices", room);
  l->room = (int)room;
  return CB_OK;
}

cb_status sim_lattice_add(sim_lattice *l, const double x[3], int sign, const int node[3], int *id,
                          cb_err *err) {
  if (l->n_vertices == l->room) CB_TRY(more_vertices(l, err));
  *id = l->n_vertices++;
  memcpy(l->x[*id], x, sizeof l->x[0]);
  memcpy(l->node[*id], node, sizeof l->node[0]);
  l->sign[*id] = (signed char)sign;
  return CB_OK;
}

bool sim_lattice_look(const sim_lattice *l, const int node[3], double *value, int *id) {
  int place;
  const sim_lattice_block *b = find_block(l, node, &place);
  if (!b) return false;
  *value = b->value[place];
  *id = b->id[place];
  return true;
}

cb_status sim_lattice_vertex(sim_lattice *l, const int node[3], int *id, cb_err *err) {
  int place;
  sim_lattice_block *b = find_block(l, node, &place);
  assert(b); /* the caller has looked */
  *id = b->id[place];
  if (*id >= 0) return CB_OK;
  double x[3], value = b->value[place];
  sim_lattice_at(l, node, x);
  CB_TRY(sim_lattice_add(l, x, value < 0 ? -1 : 1, node, id, err));
  b->id[place] = *id;
  return CB_OK;
}

/* ---- init and clear ---- */

static cb_status lay_out(sim_lattice *l, cb_err *err) {
  double n = 1;
  for (int k = 0; k < 3; k++) {
    double side = l->field->high[k] - l->field->low[k] + 2 * fmax(l->level, 0) + 6 * l->cell;
    l->low[k] = l->field->low[k] - fmax(l->level, 0) - 3 * l->cell;
    double along = ceil(side / (SIM_LATTICE_SIDE * l->cell));
    n *= along;
    if (!(n <= MAX_BLOCKS))
      return cb_fail(err, CB_E_RANGE, "shape: cells of %g m are too small for it", l->cell);
    l->blocks[k] = (int)along;
  }
  return CB_OK;
}

cb_status sim_lattice_init(sim_lattice *l, const sim_shape_field *field, double level, double cell,
                           bool inside, cb_err *err) {
  *l = (sim_lattice){.field = field, .level = level, .cell = cell, .tolerance = inside ? 1e-9 : 1e-3};
  CB_TRY(lay_out(l, err));
  CB_TRY(fill_values(l, inside, err));
  return sim_lattice_cuts(l, err);
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
