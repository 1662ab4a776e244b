/* The body-centred cubic lattice about a surface, warped and cut: the first half of isosurface stuffing
 * (sim_shape.h).
 *
 * Nodes have whole co-ordinates, all even (corners of cubes) or all odd (their middles), in halves of a
 * cube's side. Around every edge from a middle to the next lie four tetrahedra. Only blocks of cubes that the
 * surface can pass through are kept, for a body also those inside of it, so that memory goes with what is
 * made. */
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

/* Where the surface passes an edge. */
typedef struct sim_lattice_cut {
  int end[2]; /* vertices; the edge's inner end first */
  int vertex; /* that it became */
  bool gone;  /* one of them was moved here, or to another cut of its own */
  double x[3];
} sim_lattice_cut;

typedef struct sim_lattice {
  const sim_shape_field *field;
  double level, cell, low[3];
  double tolerance; /* of a cut's place, in cells: a surface alone is still to be relaxed */
  int blocks[3];
  sim_lattice_block **block; /* NULL: nothing of the surface there, nor, if the inside is wanted, of the
                                body */
  /* Vertices: nodes first, then cuts. sign: -1 inside, 0 on the surface, 1 outside; node: whole
   * co-ordinates. */
  int n_vertices, room;
  double (*x)[3];
  signed char *sign;
  int (*node)[3];
  int n_cuts;
  size_t cuts_capacity;
  sim_lattice_cut *cut;
  int *cut_start, *cut_at; /* per vertex the cuts on its edges, those of the node's, in their order */
  int n_cut_nodes;         /* vertices below have cuts */
} sim_lattice;

/* Where the function is `level`. Errors: too many blocks, memory. */
CB_CHECKED cb_status sim_lattice_init(sim_lattice *l, const sim_shape_field *field, double level, double cell,
                                      bool inside, cb_err *err);
void sim_lattice_clear(sim_lattice *l);

/* Every tetrahedron of the lattice that the surface passes or touches, with `inside` also those within the
 * body, cut along the surface: `take` gets the pieces inside, right-handed. Vertices are those of l->x; they
 * grow on the way. */
typedef cb_status sim_lattice_taker(void *context, const int vertex[4], cb_err *err);
CB_CHECKED cb_status sim_lattice_stuff(sim_lattice *l, bool inside, sim_lattice_taker *take, void *context,
                                       cb_err *err);

/* ---- between its parts ---- */

/* Finds the cuts, moves the nodes, makes vertices of the cuts that are left: the end of sim_lattice_init. */
CB_CHECKED cb_status sim_lattice_cuts(sim_lattice *l, cb_err *err);

int sim_lattice_blocks(const sim_lattice *l);
void sim_lattice_at(const sim_lattice *l, const int node[3], double x[3]);
void sim_lattice_first_node(const sim_lattice *l, int block, int node[3]);
void sim_lattice_node_of(const int first[3], int place, int node[3]); /* odd places: middles of cubes */
/* False: there is no block. */
bool sim_lattice_look(const sim_lattice *l, const int node[3], double *value, int *id);
/* Makes it a vertex where it is none; its block must be there. */
CB_CHECKED cb_status sim_lattice_vertex(sim_lattice *l, const int node[3], int *id, cb_err *err);
/* A vertex; node: -1 thrice for a cut. */
CB_CHECKED cb_status sim_lattice_add(sim_lattice *l, const double x[3], int sign, const int node[3], int *id,
                                     cb_err *err);
/* The vertex of the cut that is left between two nodes, or -1. */
int sim_lattice_cut_between(const sim_lattice *l, int a, int b);

#endif
