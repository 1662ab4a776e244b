/* From a graph with weights to the next, of about a quarter of its nodes. */
#ifndef SIM_MULTILEVEL_COARSEN_H
#define SIM_MULTILEVEL_COARSEN_H

#include "sim_multilevel.h"

/* Edges between nodes, each once, lower node first. */
typedef struct sim_graph {
  int n, n_edges;
  int (*edge)[2];
  double *weight; /* n_edges */
} sim_graph;

void sim_graph_clear(sim_graph *g);

/* Makes parents, children, below and edges of the level above `fine`, and its graph. *out may be cleared
 * after a failure too. */
CB_CHECKED cb_status sim_graph_coarsen(const sim_graph *fine, sim_level *level, sim_graph *out, cb_err *err);

void sim_rows_clear(sim_rows *r);

#endif
