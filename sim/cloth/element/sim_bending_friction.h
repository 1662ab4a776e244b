/* Friction within a cloth that bends. Yarns slide on each other in a bent cloth, and hold a part of the
 * moment in either direction: M = B K + HB while the curvature grows, B K - HB while it falls (2HB of
 * Kawabata, The Standardization and Analysis of Hand Evaluation, 2nd ed., 1980; Grosberg, Text. Res. J. 36,
 * 205, 1966). The elastic moment is sim_bending's. Friction adds, per triangle and direction (warp, weft):
 *
 *   moment = HB u / max(|u|, onset),   u = x_uu - slip n
 *
 * This is a spring of HB / onset in series with a slider that yields at HB (Prandtl's element). n is the
 * triangle's normal. slip, a curvature, is the place of the slider; only sim_bending_friction_slip moves it.
 * Between two such calls the moment has an energy, convex in the positions: per area HB u^2 / (2 onset) up to
 * |u| = onset, and HB (|u| - onset / 2) beyond. It is stored while |u| <= onset and lost beyond (the
 * incremental energy of plasticity: Ortiz, Stainier, Comput. Methods Appl. Mech. Engng 171:419, 1999).
 * Starting from a flat cloth without a slip, it is the moment of loading.
 *
 * A strip that is cut and bent at an angle to the warp has HB_warp c^2 + HB_weft s^2. Twist has no friction
 * of its own: it is not measured.
 *
 * As with rest curvature (sim_bending.h), the force leaves out that n turns. Along free borders the slope is
 * that of the elastic energy alone. The bits do not depend on the number of threads. */
#ifndef SIM_BENDING_FRICTION_H
#define SIM_BENDING_FRICTION_H

#include "sim_bending_triangle.h"

typedef struct sim_bending_friction {
  const sim_mesh *mesh; /* NULL: no friction; then the functions below do nothing */
  double moment_N[2], onset_per_m;
  sim_stencils stencils;
  double (*slip_per_m)[2]; /* n_triangles: slip of warp and weft; may be written */
  double (*pull_N)[2][3];  /* n_triangles: area x moment of the last evaluation */
  double *partial;
  sim_pairs held;     /* the matrix of friction that holds everywhere, HB / onset */
  sim_pairs stiffest; /* that of bending and of friction that holds, rounded for the solver */
} sim_bending_friction;

/* Prepares friction; later calls allocate nothing. moment_N: HB of warp and weft, moment per width; both 0:
 * no friction. onset_per_m > 0. bending and its mesh must outlive it. Caller: sim_bending_friction_clear,
 * also after an error. Errors: CB_E_RANGE, CB_E_NOMEM. */
CB_CHECKED cb_status sim_bending_friction_init(const sim_bending *bending, const double moment_N[2],
                                               double onset_per_m, sim_bending_friction *out, cb_err *err);
void sim_bending_friction_clear(sim_bending_friction *f);

/* Returns the energy [J]. force_N (may be NULL) += -dE/dx. */
double sim_bending_friction_evaluate(sim_bending_friction *f, const double (*x_m)[3], double (*force_N)[3]);

/* The second derivative of a triangle's energy by its vectors x_uu and x_vv: symmetric, positive
 * semi-definite, area included [N m2]. */
void sim_bending_friction_tangent(const sim_bending_friction *f, const double (*x_m)[3], int triangle,
                                  double out[2][3][3]);

/* y += scale K d, with K of friction that holds everywhere. K is constant and at least as stiff as friction
 * is anywhere. A step linearised with it overestimates the moment by HB / onset x the change of curvature in
 * that step: a viscosity that vanishes with the step. */
void sim_bending_friction_product(const sim_bending_friction *f, double scale, const double (*d)[3],
                                  double (*y)[3]);

/* Moves the sliders as far as the positions demand. Returns the energy that this dissipates [J]. */
double sim_bending_friction_slip(sim_bending_friction *f, const double (*x_m)[3]);

#endif
