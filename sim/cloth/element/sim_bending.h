/* Bending as a constant matrix. docs/method/bending-operator.md has proofs and figures.
 *
 * The energy per area is 1/2 kappa^T D kappa with the second derivatives of the positions, kappa = (x_uu,
 * x_vv, 2 x_uv). On a surface that does not stretch they are the curvatures times the normal (Bergou,
 * Wardetzky, Harmon, Zorin, Grinspun, SGP 2006). So the energy is quadratic in the positions, and the forces
 * are -K x. One K serves x, y and z, and never changes.
 *
 * In a triangle the second derivatives are constant, by Green's formula over its sides: 1/A sum of length n
 * g, with g the gradient at the side's midpoint. Along the side, g is the difference of its two ends. Across
 * the side, g is one row of weights over the vertices around, the same for both triangles and exact for
 * quadratics (sim_bending_edge.h). This is Morley's plate element (Aero. Quart. 19, 149, 1968) on the
 * subspace where slopes follow from deflections. Hence no motion but a plane one is free of energy, constant
 * moments are in equilibrium on any mesh, quadratics are exact, and the solution converges.
 *
 * Borders: the slope across a free border is the one of least energy (no moment across it). Grips: a triangle
 * with three gripped vertices is rigid. An edge that it shares with a free triangle has its slope, exactly,
 * wherever it is moved. An edge of which only the two ends are gripped is a hinge.
 *
 * Rest curvature K0: the energy of a triangle is 1/2 A (kappa - K0 n) D (kappa - K0 n), n its normal. The
 * force leaves out that n turns. The change of n is tangential, and (kappa - K0 n) is normal where the cloth
 * does not stretch, so the omitted part is zero there. */
#ifndef SIM_BENDING_H
#define SIM_BENDING_H

#include <stdbool.h>

#include "sim_mesh.h"
#include "sim_pairs.h"

typedef struct sim_bending {
  const sim_mesh *mesh; /* not owned; outlives this */
  double D_Nm[3][3];
  bool *rigid; /* n_triangles: all three vertices are gripped */
  /* The slopes across edges: empty until sim_bending_prepare, which keeps them. Never NULL. */
  struct sim_bending_slopes *slopes;
  int n_uncorrected; /* edges whose slope is exact for planes only */
  sim_neighbours near;
  sim_pairs pairs; /* K [N/m] */
  /* Rest curvature; NULL where the cloth is flat. Moments per triangle, and rows of forces along the
   * triangles' normals. */
  double (*rest_per_m)[3]; /* n_triangles: (K_uu, K_vv, 2 K_uv) */
  int *rest_start, *rest_triangle;
  double *rest_N;  /* n_vertices rows: force = sum rest_N x normal */
  double *partial; /* sums of chunks, added in order */
} sim_bending;

/* Builds the matrix; later calls but sim_bending_prepare allocate nothing. D_Nm: symmetric, positive
 * semi-definite, may be zero. gripped: n_vertices, NULL: none. rest_per_m: (K_uu, K_vv, K_uv) per triangle as
 * sim_bending_curvature gives them, NULL: flat. The mesh must outlive it. After an error out is empty.
 * Caller: sim_bending_clear. Errors: CB_E_RANGE for D_Nm, CB_E_NOMEM. */
CB_CHECKED cb_status sim_bending_init(const sim_mesh *mesh, const double D_Nm[3][3], const bool *gripped,
                                      const double (*rest_per_m)[3], sim_bending *out, cb_err *err);
void sim_bending_clear(sim_bending *b);

/* force += -dE/dx. The bits do not depend on the number of threads. */
void sim_bending_add_force(const sim_bending *b, const double (*x_m)[3], double (*force_N)[3]);
/* force += the part of -dE/dx from rest curvature; 0 without it. */
void sim_bending_add_rest(const sim_bending *b, const double (*x_m)[3], double (*force_N)[3]);
/* y += scale K d, computed from differences of d: a shift of the whole cloth gives 0. */
void sim_bending_product(const sim_bending *b, double scale, const double (*d)[3], double (*y)[3]);
/* u.K w, from differences. */
double sim_bending_between(const sim_bending *b, const double (*u)[3], const double (*w)[3]);

/* Makes the slopes across edges (about 210 bytes per vertex), which sim_bending_curvature and
 * sim_bending_energy_J read, and keeps them. Does nothing the second time, and where the cloth is curved at
 * rest. Threads may call it at once. Errors: CB_E_NOMEM. */
CB_CHECKED cb_status sim_bending_prepare(const sim_bending *b, cb_err *err);
/* Exact, however small. After sim_bending_prepare. */
double sim_bending_energy_J(const sim_bending *b, const double (*x_m)[3]);
/* The same from the matrix, and quicker: off by rounding of the sum of |b_ij| |x_i - x_j|^2, which a flat
 * cloth has, too. With rest curvature it is sim_bending_energy_J. */
double sim_bending_energy_of_pairs_J(const sim_bending *b, const double (*x_m)[3]);

/* Writes K_uu, K_vv, K_uv per triangle: second derivatives along the normal, > 0 where the cloth turns
 * towards its face. 0 in rigid triangles. After sim_bending_prepare. */
void sim_bending_curvature(const sim_bending *b, const double (*x_m)[3], double (*out_per_m)[3]);

#endif
