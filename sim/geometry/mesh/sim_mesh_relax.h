/* Irregular meshes: a regular draft is shaken until its rows are gone, and relaxed. */
#ifndef SIM_MESH_RELAX_H
#define SIM_MESH_RELAX_H

#include <stdint.h>

#include "sim_mesh_draft.h"

/* How long edges shall be at a place. */
typedef struct sim_sizing {
  double (*edge_m)(const void *context, const double at_m[2]);
  const void *context;
} sim_sizing;

/* Vertices on curves keep their places, and edges along them stay edges. */
CB_CHECKED cb_status sim_draft_relax(sim_draft *d, const sim_sizing *sizing, uint64_t seed, cb_err *err);

#endif
