/* A sheet of cloth that hangs from a clamp: its motion and its rest.
 *
 * It is the truth of the drape meter, and shares nothing with sim/: no triangles, no hinges, no solver. The
 * sheet is a grid of rows and columns, mapped to any flat shape whose lines are smooth. Derivatives are
 * finite differences.
 *
 * - Membrane: the energy of vlab_membrane, of the Green-Lagrange strain in the middle of each cell.
 * - Bending: D11 |x_uu|^2 / 2 + D22 |x_vv|^2 / 2 + D12 x_uu . x_vv + 2 D33 |x_uv|^2, u along the warp. Where
 * a surface keeps its lengths, its second derivatives are curvature times normal (Bergou et al., SGP 2006),
 * so that this is Kirchhoff's energy.
 * - Friction in bending along warp and weft: vlab_bending's.
 * - Motion: steps of backward Euler, each solved by Newton's method (CHOLMOD).
 *
 * The first two rows are held. The clamp lies midway between them. */
#ifndef VLAB_SHELL_H
#define VLAB_SHELL_H

#include "vlab_truth.h"

typedef struct vlab_grid {
  int rows, columns;   /* at least 4, 3 */
  bool ring;           /* the last column is beside the first */
  double (*flat_m)[2]; /* rows x columns, row by row: along warp, along weft */
} vlab_grid;

typedef struct vlab_shell_cloth {
  double areal_density_kg_per_m2, drag_per_s; /* drag: force over mass and velocity */
  vlab_membrane membrane;
  double D_Nm[4]; /* 11, 22, 12, 33 */
  double friction_N[2], onset_per_m;
} vlab_shell_cloth;

typedef struct vlab_shell vlab_shell;

/* Makes a sheet that lies flat at z = 0, at rest. The grid is copied. Caller: vlab_shell_free, also after an
 * error. Errors: CB_E_NOMEM; CB_E_NUM for a grid that is not smooth. */
CB_CHECKED cb_status vlab_shell_new(const vlab_grid *grid, const vlab_shell_cloth *cloth, vlab_shell **out,
                                    cb_err *err);
void vlab_shell_free(vlab_shell *s);
/* Returns rows x columns positions [m]; the caller may move them between steps. */
double (*vlab_shell_position(vlab_shell *s))[3];
/* Moves on by a step [s]. Errors: CB_E_NUM, CB_E_NOMEM. */
CB_CHECKED cb_status vlab_shell_step(vlab_shell *s, double step_s, cb_err *err);
/* Finds the equilibrium nearby. Returns in residual the largest force that is left on a free node over the
 * mean weight of a node. Errors: CB_E_NUM, CB_E_NOMEM. */
CB_CHECKED cb_status vlab_shell_rest(vlab_shell *s, double *residual, cb_err *err);

#endif
