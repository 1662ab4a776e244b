/* The body-centred cubic lattice around a surface, warped and cut: the first half of isosurface stuffing
 * (sim_shape.h).
 *
 * Nodes have whole co-ordinates in units of half a cube's side. All even: a corner of cubes. All odd: the
 * centre of a cube. Four tetrahedra lie around every edge from one centre to the next. The lattice is stored
 * in blocks of cubes. Only blocks through which the surface can pass are kept, for a body also those inside
 * of it, so that memory grows with what is made. */
#ifndef SIM_LATTICE_H
#define SIM_LATTICE_H

#include <stdbool.h>

#include "sim_shape_field.h"

#define SIM_LATTICE_SIDE 8 /* cubes along a block */
#define SIM_LATTICE_NODES (2 * SIM_LATTICE_SIDE * SIM_LATTICE_SIDE * SIM_LATTICE_SIDE)

typedef struct sim_lattice_block {
  double value[SIM_LATTICE_NODES];
  int id[SIM_LATTICE_NODES]; /* -1: the node is no vertex yet */
} sim_lattice_block;

/* A cut: the point where the surface crosses an edge of the lattice. */
typedef struct sim_lattice_cut {
  int end[2]; /* vertices of the edge; the inner one first */
  int vertex; /* vertex that the cut became */
  /* The cut is dropped: one of its ends was moved here, or to another cut on that end's edges. */
  bool gone;
  double x[3];
} sim_lattice_cut;

typedef struct sim_lattice {
  const sim_shape_field *field;
  double level, cell, low[3];
  double tolerance; /* of a cut's place, in cells; coarse where only a surface is made, as that is relaxed
                       later */
  int blocks[3];
  /* NULL: the block has nothing of the surface and, if the inside is wanted, nothing of the body. */
  sim_lattice_block **block;
  /* Vertices: nodes first, then cuts. sign: -1 inside, 0 on the surface, 1 outside. node: whole co-ordinates,
   * -1 thrice for a cut. */
  int n_vertices, room;
  double (*x)[3];
  signed char *sign;
  int (*node)[3];
  int n_cuts;
  size_t cuts_capacity;
  sim_lattice_cut *cut;
  /* Per vertex: the cuts on its edges, cut_at[cut_start[v]] to cut_at[cut_start[v + 1] - 1]. */
  int *cut_start, *cut_at;
  int n_cut_nodes; /* only vertices below have cuts */
} sim_lattice;

/* Makes the lattice for the surface where the function is `level`, with cubes of side `cell` [m]. inside:
 * keep the inside of the body, too. The field is not owned. Caller: sim_lattice_clear, also after an error.
 * Errors: CB_E_RANGE for too many blocks, CB_E_NOMEM. */
CB_CHECKED cb_status sim_lattice_init(sim_lattice *l, const sim_shape_field *field, double level, double cell,
                                      bool inside, cb_err *err);
void sim_lattice_clear(sim_lattice *l);

/* Cuts every tetrahedron that the surface passes or touches, with `inside` also those within the body. `take`
 * gets the pieces inside of the surface, right-handed. Their vertices index l->x, which grows meanwhile.
 * Errors: CB_E_RANGE for too many vertices, CB_E_NOMEM, those of `take`. */
typedef cb_status sim_lattice_taker(void *context, const int vertex[4], cb_err *err);
CB_CHECKED cb_status sim_lattice_stuff(sim_lattice *l, bool inside, sim_lattice_taker *take, void *context,
                                       cb_err *err);

/* ---- shared by its files ---- */

/* The last part of sim_lattice_init: finds the cuts, moves nodes onto near cuts, makes vertices of the cuts
 * that are left. */
CB_CHECKED cb_status sim_lattice_cuts(sim_lattice *l, cb_err *err);

/* Number of blocks. Position [m] of a node. First node of a block, and the node at a place in it. */
int sim_lattice_blocks(const sim_lattice *l);
void sim_lattice_at(const sim_lattice *l, const int node[3], double x[3]);
void sim_lattice_first_node(const sim_lattice *l, int block, int node[3]);
void sim_lattice_node_of(const int first[3], int place, int node[3]); /* odd places: centres of cubes */
/* Reads a node's value and vertex (-1: none). Returns false if its block is not kept. */
bool sim_lattice_look(const sim_lattice *l, const int node[3], double *value, int *id);
/* Returns the vertex of a node in *id; makes it if there is none. The node's block must be kept. */
CB_CHECKED cb_status sim_lattice_vertex(sim_lattice *l, const int node[3], int *id, cb_err *err);
/* Adds a vertex. node: -1 thrice for a cut. */
CB_CHECKED cb_status sim_lattice_add(sim_lattice *l, const double x[3], int sign, const int node[3], int *id,
                                     cb_err *err);
/* Returns the vertex of the cut that is left between two nodes' vertices, or -1. */
int sim_lattice_cut_between(const sim_lattice *l, int a, int b);

#endif
