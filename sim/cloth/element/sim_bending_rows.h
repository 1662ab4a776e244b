/* The matrix of bending in rows, from which pairs are made. */
#ifndef SIM_BENDING_ROWS_H
#define SIM_BENDING_ROWS_H

#include "sim_bending_triangle.h"
#include "sim_pairs.h"

typedef struct sim_bending_rows {
  int *start, *column; /* n_vertices + 1 and start[n_vertices]; ascending, including the diagonal */
  double *value_N_per_m;
} sim_bending_rows;

/* Makes the pattern of a mesh's stencils, with all values 0. Caller: sim_bending_rows_clear, also after an
 * error. Errors: CB_E_NOMEM. */
CB_CHECKED cb_status sim_bending_rows_make(const sim_mesh *mesh, const sim_stencils *s, sim_bending_rows *out,
                                           cb_err *err);
void sim_bending_rows_clear(sim_bending_rows *r);

/* values += sum over the triangles of A kappa_i D kappa_j. Symmetric to the bit. */
void sim_bending_rows_add(sim_bending_rows *r, const sim_mesh *mesh, const sim_stencils *s,
                          const double D[3][3]);

/* The rows as pairs. near: of the mesh; it must outlive them. Caller: sim_pairs_clear, also after an error.
 * Errors: CB_E_NOMEM. */
CB_CHECKED cb_status sim_bending_rows_pairs(const sim_bending_rows *r, const sim_neighbours *near,
                                            sim_pairs *out, cb_err *err);

#endif
