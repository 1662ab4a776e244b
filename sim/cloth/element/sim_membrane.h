/* Triangles of constant strain: what cloth resists in its plane.
 *
 * On a triangle F = [x_u x_v] (3 x 2) is constant, E = (F^T F - 1)/2, and the stress S(E) of sim_material.h
 * gives the forces f_i = -A (b_ui P_u + b_vi P_v), P = F S, with b the gradients of the linear shape
 * functions in the flat cloth. The Hessian of the energy between corners i and j is
 *   A (b_ui b_uj K_uu + b_vi b_vj K_vv + b_ui b_vj K_uv + b_vi b_uj K_uv^T),     g = shear tangent / 2, K_uu
 *   = t_u x_u x_u^T + g x_v x_v^T + S_uu I,   K_vv = t_v x_v x_v^T + g x_u x_u^T + S_vv I,   K_uv = c x_u
 *   x_v^T + g x_v x_u^T + S_uv
 * I. It is positive semi-definite once c^2 <= t_u t_v and S is replaced by its positive part (cf. Teran et
 * al. 2005, who clamp the whole element); what is dropped is the softening by compression, so that buckled
 * cloth costs iterations, not stability.
 *
 * Since a rigid shift costs nothing, the blocks of a row add up to zero: the block of a vertex with itself is
 * minus the sum of its others, and one block per edge of the mesh holds the whole matrix. */
#ifndef SIM_MEMBRANE_H
#define SIM_MEMBRANE_H

#include "cb_err.h"
#include "sim_material.h"
#include "sim_mesh.h"

/* A curve as a sum of ramps: stress = slope e + sum change_k max(0, e - knot_k); no search, so that it
 * vectorises. */
typedef struct sim_ramps {
  int n;
  double slope, knot[SIM_CURVE_MAX], change[SIM_CURVE_MAX];
} sim_ramps;

typedef struct sim_membrane {
  const sim_mesh *mesh; /* not owned; outlives this */
  sim_ramps warp, weft, shear;
  double cross_N_per_m;
  int n_packs;                    /* of 8 triangles; the last is filled up with triangles of no area */
  struct sim_membrane_pack *pack; /* constants, n_packs */
  double (*pack_force)[9][8];     /* per corner and axis: what the packs leave for the vertices to gather */
  float (*pack_block)[27][8]; /* per side (opposite to corner 0, 1, 2): block from corner k+1 to corner k+2 */
  double *pack_energy;
  int (*side)[2]; /* n_edges: 3 triangle + corner opposite, of the triangle that turns from the lower to the
                     higher vertex, of the other; or -1 */
  float (*block)[9]; /* n_edges, filled by evaluate: d2 energy / dx_lower dx_higher [N/m], row-major */
} sim_membrane;

/* CB_E_RANGE: a material that sim_material_check refuses; CB_E_NOMEM. Clear it even after a failed init. */
CB_CHECKED cb_status sim_membrane_init(const sim_mesh *mesh, const sim_material *material, sim_membrane *out,
                                       cb_err *err);
void sim_membrane_clear(sim_membrane *m);

/* Energy [J]; forces [N] are added to force (may be NULL); with a tangent, `block` is filled. x:
 * n_vertices. */
double sim_membrane_evaluate(sim_membrane *m, const double (*x)[3], sim_tangent tangent, double (*force)[3]);

/* E_uu, E_vv, E_uv of every triangle. */
void sim_membrane_strain(const sim_membrane *m, const double (*x)[3], double (*strain)[3]);

/* y += scale K v with the blocks of the last tangent, n_vertices: strain-rate damping is scale = -damping_s,
 * v the velocities. */
void sim_membrane_product(const sim_membrane *m, double scale, const double (*v)[3], double (*y)[3]);

/* The steepest of the three curves. */
double sim_material_steepest_N_per_m(const sim_material *m);

#endif
