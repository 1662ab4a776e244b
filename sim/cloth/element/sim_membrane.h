/* The membrane: triangles of constant strain, which resist deformation in the cloth's plane.
 *
 * On a triangle F = [x_u x_v] (3 x 2) is constant, and E = (F^T F - 1)/2. The stress S(E) of sim_material.h
 * gives the forces f_i = -A (b_ui P_u + b_vi P_v), P = F S, with b the gradients of the linear shape
 * functions in the flat cloth. The Hessian of the energy between corners i and j is
 *
 *   A (b_ui b_uj K_uu + b_vi b_vj K_vv + b_ui b_vj K_uv + b_vi b_uj K_uv^T)
 *   K_uu = t_u x_u x_u^T + g x_v x_v^T + S_uu I
 *   K_vv = t_v x_v x_v^T + g x_u x_u^T + S_vv I
 *   K_uv = c x_u x_v^T + g x_v x_u^T + S_uv I
 *
 * with t the slopes of the curves, g half of the shear slope, and c the cross stiffness. It is positive
 * semi-definite if c^2 <= t_u t_v and S is replaced by its positive part (cf. Teran et al. 2005, who clamp
 * the whole element). The omitted part is the softening by compression, so buckled cloth costs iterations,
 * not stability.
 *
 * A rigid shift costs nothing, so the blocks of a row add up to zero: the diagonal block of a vertex is minus
 * the sum of its others. One block per edge of the mesh therefore holds the whole matrix. */
#ifndef SIM_MEMBRANE_H
#define SIM_MEMBRANE_H

#include "cb_err.h"
#include "sim_material.h"
#include "sim_mesh.h"

/* A curve as a sum of ramps: stress = slope e + sum change_k max(0, e - knot_k). It needs no search and
 * vectorises. */
typedef struct sim_ramps {
  int n;
  double slope, knot[SIM_CURVE_MAX], change[SIM_CURVE_MAX];
} sim_ramps;

typedef struct sim_membrane {
  const sim_mesh *mesh; /* not owned; outlives this */
  sim_ramps warp, weft, shear;
  double cross_N_per_m;
  int n_packs;                    /* packs of 8 triangles; the last is filled up with triangles of no area */
  struct sim_membrane_pack *pack; /* constants, n_packs */
  double last_area_m2[8];         /* areas in the last pack, if it is not full */
  double *pack_energy;
  int n_bands;                    /* runs of vertices, gathered in turn (sim_membrane_pack.h) */
  struct sim_membrane_band *band; /* n_bands + 1 */
  /* n_windows windows of window_packs: what was evaluated and is still to be gathered. window_packs is a
   * power of two; n_windows is 0 if the one window holds the whole mesh. */
  int n_windows, window_packs;
  struct sim_membrane_result *window;
  /* n_edges, and one that may be read beyond the end; set by evaluate: d2 energy / dx_lower dx_higher [N/m],
   * row-major. */
  float (*block)[9];
} sim_membrane;

/* Prepares a membrane for the present number of threads; it works with any. Caller: sim_membrane_clear, also
 * after an error. Errors: CB_E_RANGE for a material that sim_material_check refuses; CB_E_NOMEM. */
CB_CHECKED cb_status sim_membrane_init(const sim_mesh *mesh, const sim_material *material, sim_membrane *out,
                                       cb_err *err);
void sim_membrane_clear(sim_membrane *m);

/* Returns the energy [J] at x (n_vertices). force (may be NULL) += forces [N]. With a tangent other than
 * SIM_TANGENT_NONE, sets `block`. */
double sim_membrane_evaluate(sim_membrane *m, const double (*x)[3], sim_tangent tangent, double (*force)[3]);

/* Writes E_uu, E_vv, E_uv of every triangle. */
void sim_membrane_strain(const sim_membrane *m, const double (*x)[3], double (*strain)[3]);

/* The steepest slope of the three curves. */
double sim_material_steepest_N_per_m(const sim_material *m);

#endif
