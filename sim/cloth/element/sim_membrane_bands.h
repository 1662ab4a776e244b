/* The order in which a membrane's triangles are evaluated and gathered.
 *
 * A band is a run of vertices. Triangles are numbered by their lowest vertex (sim_mesh_order), so a band's
 * triangles are few and lie close together. A thread evaluates the packs of triangles that its next band
 * needs into a window, a ring of packs that stays in the cache. Then it gathers the forces of the band's
 * vertices, and the blocks of the edges of which they are the lower end. Packs between the bands of two
 * threads are evaluated by both.
 *
 * A window that would be a large part of the mesh is the whole mesh: then all packs are evaluated first. This
 * is so in small meshes with many threads, and where triangles are numbered in no order.
 *
 * Every vertex and edge adds the same numbers in the same order in all these cases: the bits do not depend on
 * the number of threads. */
#ifndef SIM_MEMBRANE_BANDS_H
#define SIM_MEMBRANE_BANDS_H

#include "sim_membrane.h"

typedef struct sim_membrane_band {
  int edge;     /* the first edge whose lower vertex lies in this band or a later one */
  int pack;     /* the first pack of this band or a later one */
  int end_pack; /* behind the last pack of this band or an earlier one */
} sim_membrane_band;

/* Plans the bands of a membrane that has its packs, and makes its windows. Errors: CB_E_NOMEM. */
CB_CHECKED cb_status sim_membrane_bands_make(sim_membrane *m, cb_err *err);

#endif
