/* The stiffness of a cloth in double precision, factorised, for equilibria. A cloth resists stretch some 1e9
 * times more than a long gentle bend, which conjugate gradients in float cannot resolve. The sparse Cholesky
 * factor is CHOLMOD's (Chen, Davis, Hager, Rajamanickam, ACM TOMS 35(3):22, 2008). If it exists, the matrix
 * is positive definite.
 *
 * The matrix is that of the free vertices; gripped vertices are left out. */
#ifndef SIM_DIRECT_H
#define SIM_DIRECT_H

#include <stdbool.h>
#include <suitesparse/cholmod.h>

#include "sim_bending.h"
#include "sim_membrane.h"

struct sim_bending_friction;

typedef struct sim_direct {
  const sim_mesh *mesh;
  int n_free;
  int *number; /* n_vertices: number among the free ones; -1: gripped */
  /* n_free + 1 and start[n_free]: the lower triangle by columns of 3 x 3 blocks; rows ascend from the
   * diagonal. */
  int *start, *row;
  double *bending_N_per_m; /* per block */
  /* n_triangles: first value of the block of two corners; -1: above the diagonal, or gripped. */
  int (*place)[3][3];
  /* Not owned; the caller may set it; NULL: none. */
  const struct sim_bending_friction *bending_friction;
  double diagonal_N_per_m; /* norm of the diagonal without inertia, after a factorisation */
  cholmod_common common;
  cholmod_sparse *matrix;
  cholmod_factor *factor;
  cholmod_dense *right;
} sim_direct;

/* Analyses the pattern. gripped: n_vertices, or NULL. Caller: sim_direct_clear, also after an error. Errors:
 * CB_E_NOMEM. */
CB_CHECKED cb_status sim_direct_init(const sim_bending *bending, const bool *gripped, sim_direct *out,
                                     cb_err *err);
void sim_direct_clear(sim_direct *d);

/* Factorises diag(inertia) + the tangent at x. before, compression: see sim_element_stiffness. *positive: the
 * matrix is positive definite and factorised. Errors: CB_E_NOMEM. */
CB_CHECKED cb_status sim_direct_factorise(sim_direct *d, const sim_membrane *membrane, const double (*x)[3],
                                          const double (*before)[3], double compression,
                                          const double *inertia, bool *positive, cb_err *err);

/* change = A^-1 force, with the last factorisation; 0 at gripped vertices. Errors: CB_E_NOMEM. */
CB_CHECKED cb_status sim_direct_solve(sim_direct *d, const double (*force)[3], double (*change)[3],
                                      cb_err *err);

/* Second derivatives of a triangle's membrane energy between its corners: k[p][q][a][b] = d2 E / dx_p,a
 * dx_q,b.
 *
 * compression: the fraction of compressive stress that counts. 1: all, the exact tangent. 0: none, which
 * makes it positive semi-definite.
 *
 * before: positions from which a linear step led to x, or NULL. If given, the stress of the tangent is the
 * one that the step aimed at. It leaves out the second-order stretch that a straight step of a turning
 * triangle brings along. That stretch says nothing about the cloth and would stiffen it beyond measure (the
 * mixed iteration of Magisano, Leonetti, Garcea, Int. J. Numer. Meth. Engng 112:1237, 2017). */
void sim_element_stiffness(const sim_membrane *m, int triangle, const double (*x)[3],
                           const double (*before)[3], double compression, double k[3][3][3][3]);

#endif
