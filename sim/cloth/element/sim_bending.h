/* Bending as a constant matrix. Energy per area 1/2 kappa^T D kappa with the second derivatives of the
 * positions, kappa = (x_uu, x_vv, 2 x_uv): on a surface that does not stretch they are the curvatures times
 * the normal (Bergou, Wardetzky, Harmon, Zorin, Grinspun, SGP 2006), so the energy is quadratic in the
 * positions and the forces are -K x, with one K for x, y and z that never changes.
 *
 * In a triangle T the second derivatives are constant, by Green's formula over its sides: 1/A sum of length n
 * g, with g the gradient at the side's middle. Along the side, g is the difference of the two ends; across
 * it, one row of weights over the vertices around, the same for both triangles, exact for quadratics
 * (sim_bending_edge.h). This is Morley's plate element (Aero. Quart. 19, 149, 1968) on the subspace where its
 * slopes follow from its deflections, therefore: no motion but a plane one is free of energy, constant
 * moments are in equilibrium on any mesh, quadratics are exact, and the solution converges.
 * docs/bending-operator.md has the proof and the figures.
 *
 * Borders: the slope across a free border is the one of least energy (no moment across it). Grips: a triangle
 * whose three vertices are gripped is rigid; an edge it shares with a free one has its slope, exactly,
 * wherever it is moved. An edge of which only the two ends are gripped is a hinge.
 *
 * Rest curvature K0: energy 1/2 A (kappa - K0 n) D (kappa - K0 n), n the triangle's normal. That n turns is
 * left out of the force: its change is tangential, and (kappa - K0 n) is normal where the cloth does not
 * stretch, so what is left out is zero there. */
#ifndef SIM_BENDING_H
#define SIM_BENDING_H

#include <stdbool.h>

#include "sim_mesh.h"

typedef struct sim_bending {
  const sim_mesh *mesh; /* the caller's */
  double D_Nm[3][3];
  bool *rigid; /* n_triangles */
  /* The slope across an edge, out of its triangle[0]: weights [1/m] over vertices, n_edges rows; none on the
   * border. */
  int *slope_start, *slope_vertex;
  double *slope_per_m;
  int n_uncorrected; /* edges whose slope is exact for planes only: too few vertices, or all on one conic */
  /* K, n_vertices rows, columns ascending, the diagonal among them; symmetric to the bit. */
  int *row_start, *column;
  double *value_N_per_m;
  /* Where the cloth is curved at rest; NULL where it is flat: moments per triangle, and their rows of forces
   * along the normals. */
  double (*rest_per_m)[3]; /* n_triangles: (K_uu, K_vv, 2 K_uv) */
  int *rest_start, *rest_triangle;
  double *rest_N;  /* n_vertices rows: force = sum rest_N x normal */
  double *partial; /* sums of chunks */
} sim_bending;

/* D_Nm symmetric, positive semi-definite; may be zero. gripped: n_vertices, NULL: none. rest_per_m: (K_uu,
 * K_vv, K_uv) per triangle, as sim_bending_curvature gives them, NULL: flat. The mesh must outlive it;
 * nothing is allocated afterwards. */
CB_CHECKED cb_status sim_bending_init(const sim_mesh *mesh, const double D_Nm[3][3], const bool *gripped,
                                      const double (*rest_per_m)[3], sim_bending *out, cb_err *err);
void sim_bending_clear(sim_bending *b);

/* force += -dE/dx. Same bits for any number of threads. */
void sim_bending_add_force(const sim_bending *b, const double (*x_m)[3], double (*force_N)[3]);
/* Of these, the part that a flat cloth does not have: 0 without rest curvature. */
void sim_bending_add_rest(const sim_bending *b, const double (*x_m)[3], double (*force_N)[3]);
/* y += scale K d, of differences: a shift of the whole cloth gives 0. */
void sim_bending_product(const sim_bending *b, double scale, const double (*d)[3], double (*y)[3]);
double sim_bending_energy_J(const sim_bending *b, const double (*x_m)[3]);

/* Per triangle K_uu, K_vv, K_uv: second derivatives along the normal, > 0 where the cloth turns towards its
 * face. 0 in rigid ones. */
void sim_bending_curvature(const sim_bending *b, const double (*x_m)[3], double (*out_per_m)[3]);

#endif
