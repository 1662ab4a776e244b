/* Friction within a cloth that bends. Yarns slide on each other where a cloth is bent, and hold a part of the
 * moment whichever way it goes: M = B K + HB while the curvature grows, B K - HB while it falls (2HB of
 * Kawabata, The Standardization and Analysis of Hand Evaluation, 2nd ed., 1980; Grosberg, Text. Res. J. 36,
 * 205, 1966). Beside sim_bending's elastic moment, which it leaves alone:
 *
 *   per triangle and direction (warp, weft)   moment = HB u / max(|u|, onset),   u = x_uu - slip n
 *
 * a spring of HB / onset in series with a slider that gives way at HB (Prandtl's element). n is the
 * triangle's normal; slip, a curvature, is the slider's place, and moves with sim_bending_friction_slip
 * alone. Between two calls of that the moment has an energy, HB (u^2 / 2 onset, then |u| - onset / 2) per
 * area, convex in the positions: it is stored as long as |u| <= onset and lost beyond (the incremental energy
 * of plasticity: Ortiz, Stainier, Comput. Methods Appl. Mech. Engng 171:419, 1999). From a flat cloth on,
 * without a slip in between, it is the moment of loading.
 *
 * A strip that is cut and bent at an angle to the warp meets HB_warp c^2 + HB_weft s^2. Twist has no friction
 * of its own: it is not measured.
 *
 * As with rest curvature (sim_bending.h) the force leaves out that n turns. Along free borders the slope is
 * that of the elastic energy alone. Same bits for any number of threads. */
#ifndef SIM_BENDING_FRICTION_H
#define SIM_BENDING_FRICTION_H

#include "sim_bending_stencils.h"

typedef struct sim_bending_friction {
  const sim_mesh *mesh; /* NULL: no friction; everything below then does nothing */
  double moment_N[2], onset_per_m;
  sim_stencils stencils;
  double (*slip_per_m)[2]; /* n_triangles: may be written */
  double (*pull_N)[2][3];  /* n_triangles: area x moment, of the last evaluation */
  double *partial;
  sim_bending held; /* the matrix of friction that holds everywhere, HB / onset, in the pattern and arrays of
                       bending: only value is its own */
} sim_bending_friction;

/* moment_N: HB of warp and weft, moment per width; both 0: no friction. onset_per_m > 0. What bending stands
 * on must outlive it; nothing is allocated afterwards. Clear it even after a failed init. */
CB_CHECKED cb_status sim_bending_friction_init(const sim_bending *bending, const double moment_N[2],
                                               double onset_per_m, sim_bending_friction *out, cb_err *err);
void sim_bending_friction_clear(sim_bending_friction *f);

/* The energy; force_N (may be NULL) += -dE/dx. */
double sim_bending_friction_evaluate(sim_bending_friction *f, const double (*x_m)[3], double (*force_N)[3]);

/* The triangle's energy after its two vectors x_uu, x_vv: symmetric, positive semi-definite, area included [N
 * m2]. */
void sim_bending_friction_tangent(const sim_bending_friction *f, const double (*x_m)[3], int triangle,
                                  double out[2][3][3]);

/* y += scale K d, K of friction that holds everywhere: at least as stiff as it is anywhere, and constant.
 * What a step linearised with it overestimates is a moment of HB / onset x the curvature's change in that
 * step, a viscosity that goes with the step. */
void sim_bending_friction_product(const sim_bending_friction *f, double scale, const double (*d)[3],
                                  double (*y)[3]);

/* Lets the sliders go as far as they have to in these positions. Returns what that dissipates [J]. */
double sim_bending_friction_slip(sim_bending_friction *f, const double (*x_m)[3]);

#endif
