/* Coarsening: from a weighted graph to the next, with about a quarter of its nodes. */
#ifndef SIM_MULTILEVEL_COARSEN_H
#define SIM_MULTILEVEL_COARSEN_H

#include "sim_multilevel.h"

/* A graph: edges between nodes, each once, lower node first. Owns its arrays. */
typedef struct sim_graph {
  int n, n_edges;
  int (*edge)[2];
  double *weight; /* n_edges */
} sim_graph;

void sim_graph_clear(sim_graph *g);

/* Makes the level above `fine`, that is its parents, children, below and edges, and its graph. Caller:
 * sim_graph_clear for *out, also after an error. Errors: CB_E_NOMEM. */
CB_CHECKED cb_status sim_graph_coarsen(const sim_graph *fine, sim_level *level, sim_graph *out, cb_err *err);

void sim_rows_clear(sim_rows *r);

#endif
