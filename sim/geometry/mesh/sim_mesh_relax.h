/* Irregular meshes: the vertices of a regular draft are displaced at random, then relaxed
 * (docs/reference/meshes.md). */
#ifndef SIM_MESH_RELAX_H
#define SIM_MESH_RELAX_H

#include <stdint.h>

#include "sim_mesh_draft.h"

/* The wanted edge length at a place. */
typedef struct sim_sizing {
  double (*edge_m)(const void *context, const double at_m[2]);
  const void *context;
} sim_sizing;

/* Makes a draft irregular. Vertices on curves keep their places, and edges along curves stay edges. The same
 * seed gives the same draft. Errors: those of sim_flip_init. */
CB_CHECKED cb_status sim_draft_relax(sim_draft *d, const sim_sizing *sizing, uint64_t seed, cb_err *err);

#endif
