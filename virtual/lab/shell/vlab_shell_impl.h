/* The grid and its forces, for steps and rest. */
#ifndef VLAB_SHELL_IMPL_H
#define VLAB_SHELL_IMPL_H

#include "vlab_shell.h"

#define VLAB_GRAVITY_M_PER_S2 9.80665

enum { UU, VV, UV, U, V }; /* rows of weight */

/* A node with its neighbours; rows of weight give x_uu, x_vv, x_uv, x_u, x_v. */
typedef struct vlab_stencil {
  int node[9];
  double weight[5][9];
  double area_m2;
} vlab_stencil;

/* The gradient in the middle of a cell: x_u, x_v. */
typedef struct vlab_cell {
  int corner[4];
  double weight[2][4];
  double area_m2;
} vlab_cell;

struct vlab_newton;

struct vlab_shell {
  int n, columns, n_held, n_cells;
  bool ring;
  vlab_shell_cloth cloth;
  vlab_stencil *stencil; /* n; those of the first row are not used */
  vlab_cell *cell;
  double *mass_kg;                               /* n */
  double (*x)[3], (*v)[3];                       /* n: positions, velocities */
  struct vlab_newton *newton;                    /* NULL before the first step */
  double (*normal)[3], (*bent)[2], (*held_N)[2]; /* n: at the start of a step; curvature, friction's moment */
};

void vlab_newton_free(struct vlab_newton *n);
/* Notes normals and curvatures at x as the start of a step of friction. */
void vlab_shell_begin_friction(vlab_shell *s);
/* Friction's moments at x become those at the start of the next step. */
void vlab_shell_end_friction(vlab_shell *s);
/* The gradient (n) of the energy of membrane, bending, friction since the start of the step, and height [N].
 */
void vlab_shell_gradient(const vlab_shell *s, double (*gradient)[3]);
/* Second derivatives of that energy between the corners of a cell, and between the nodes of a stencil, 3 x 3
 * each. Compressive stress is left out, so that they are positive semi-definite. before: positions from which
 * a linear step led here. The stress is the one that the step aimed at: a straight step of a cell that turns
 * stretches it, which says nothing about the cloth (Magisano, Leonetti, Garcea, Int. J. Numer. Meth. Engng
 * 112:1237, 2017). */
void vlab_shell_cell_tangent(const vlab_shell *s, int cell, const double (*before)[3], double k[4][4][9]);
void vlab_shell_node_tangent(const vlab_shell *s, int node, double k[9][9][9]);

#endif
