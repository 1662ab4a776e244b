/* The stiffness of a cloth in double, factorised. Equilibria need it: a cloth resists stretch some 1e9 times
 * more than it resists a long gentle bend, more than conjugate gradients in float can tell apart. Sparse
 * Cholesky factors by CHOLMOD (Chen, Davis, Hager, Rajamanickam, ACM TOMS 35(3):22, 2008); that a factor
 * exists also proves the matrix positive definite.
 *
 * Gripped vertices are left out: the matrix is that of the free ones. */
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
  int *number;             /* n_vertices: among the free, -1: gripped */
  int *start, *row;        /* n_free + 1: the lower triangle, by columns of 3 x 3 blocks; rows ascending, the
                              diagonal first */
  double *bending_N_per_m; /* per block */
  int (*place)[3][3]; /* n_triangles: where the block of two corners begins among the values; -1: above the
                         diagonal, or gripped */
  const struct sim_bending_friction *bending_friction; /* the caller's, may be set; NULL: none */
  double diagonal_N_per_m;                             /* norm of the diagonal, without inertia */
  cholmod_common common;
  cholmod_sparse *matrix;
  cholmod_factor *factor;
  cholmod_dense *right;
} sim_direct;

/* gripped: n_vertices, or NULL. Clear it even after a failed init. */
CB_CHECKED cb_status sim_direct_init(const sim_bending *bending, const bool *gripped, sim_direct *out,
                                     cb_err *err);
void sim_direct_clear(sim_direct *d);

/* diag(inertia) + the tangent at x; `before` and `compression` as in sim_element_stiffness. *positive: the
 * matrix is positive definite, and factorised. */
CB_CHECKED cb_status sim_direct_factorise(sim_direct *d, const sim_membrane *membrane, const double (*x)[3],
                                          const double (*before)[3], double compression,
                                          const double *inertia, bool *positive, cb_err *err);

/* change = A^-1 force; 0 where gripped. */
CB_CHECKED cb_status sim_direct_solve(sim_direct *d, const double (*force)[3], double (*change)[3],
                                      cb_err *err);

/* Second derivatives of a triangle's energy between its corners: k[p][q][a][b] = d2 E / dx_p,a dx_q,b.
 *
 * compression: how much of compressive stress counts, 1: all, the exact tangent; 0: none, which makes it
 * positive semi-definite.
 *
 * before != NULL: positions from which a linear step led to x. The stress of the tangent is then the one that
 * step aimed at, without the second-order stretch that a straight step of a turning triangle brings along,
 * which says nothing about the cloth and stiffens it out of all proportion (the mixed iteration of Magisano,
 * Leonetti, Garcea, Int. J. Numer. Meth. Engng 112:1237, 2017). */
void sim_element_stiffness(const sim_membrane *m, int triangle, const double (*x)[3],
                           const double (*before)[3], double compression, double k[3][3][3][3]);

#endif
