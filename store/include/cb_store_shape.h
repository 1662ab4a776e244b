/* Draped shapes in the store: what a prediction of a cloth's drape looks like.
 * Errors of all functions: see cb_store.h. */
#ifndef CB_STORE_SHAPE_H
#define CB_STORE_SHAPE_H

#include "cb_store.h"

/* One simulated drape. The support's upper side is z = 0, its middle x = y = 0. The arrays are owned. */
typedef struct cb_drape_shape {
  int64_t id;
  int64_t material_id, stretch_law_id, bending_law_id; /* laws: 0: typed numbers stood in their place */
  double support_m, specimen_m;                        /* diameters */
  double drape_coefficient;                            /* of this drape */
  int64_t seed, seeds;                                 /* its seed, and how many drapes it is the middle of */
  int n_vertices, n_triangles;
  double quantum_m; /* the step in which its positions are stored */
  double (*position_m)[3];
  int (*triangle)[3];
  char program_version[64], created_at[32];
} cb_drape_shape;

/* Inserts a shape, with its positions in steps of a 32767th of the largest co-ordinate, and sets id,
 * quantum_m and created_at. Every corner must be a vertex. Errors: also CB_E_RANGE for positions that are all
 * 0 or not finite, and for too many or too few of them. */
CB_CHECKED cb_status cb_store_shape_put(cb_store *s, cb_drape_shape *shape, cb_err *err);
/* Reads the newest shape of a material; id 0: it has none. The caller clears it.
 * Errors: also CB_E_DB for one that is damaged. */
CB_CHECKED cb_status cb_store_shape_newest(cb_store *s, int64_t material_id, cb_drape_shape *out,
                                           cb_err *err);
void cb_drape_shape_clear(cb_drape_shape *shape);

#endif
