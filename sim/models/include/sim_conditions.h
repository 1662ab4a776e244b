/* Cloth as particles with nonlinear stiffness (Xiao, Geng, J. Computer Applications 27(5):1145, 2007, on the
 * conditions of Baraff, Witkin, SIGGRAPH 1998): a condition C(x) that wants to be 0 holds the energy
 *   E = k/2 C.C + lambda/4 (C.C)^2
 * and damps with -k_d dC/dx dC/dt. Conditions of a triangle, a = sqrt(its area), w_u and w_v the derivatives
 * of its place in the cloth:
 *   stretch  C = a (|w_u| - b_u, |w_v| - b_v)      one law for both, which (C.C)^2 couples
 *   warp     C = a (|w_u| - b_u)                   each its own law: what a measured cloth needs
 *   weft     C = a (|w_v| - b_v)
 *   shear    C = a w_u.w_v
 * and of two triangles at an edge
 *   bend     C = theta, the angle between their normals
 * With a in metres k is in N/m and lambda in N/m3 (bend: N m both). docs/conditions.md has the Hessian and
 * the figures.
 *
 * Time: backward Euler, as the minimum over the velocities v at a step's end of
 *   1/2 (v - v0) M (v - v0) + E(x0 + h v) + k_d/(2 h) |C(x0 + h v) - C(x0)|^2 + h k_w/2 |v - wind|^2 - weight
 *   and push
 * by Newton's method from v = 0, whose first linearisation is the paper's equation. Same bits for any number
 * of threads. SI. */
#ifndef SIM_CONDITIONS_H
#define SIM_CONDITIONS_H

#include <stdbool.h>

#include "cb_stretch_law.h"
#include "sim_mesh.h"

typedef enum sim_conditions_kind {
  SIM_CONDITIONS_STRETCH,
  SIM_CONDITIONS_WARP,
  SIM_CONDITIONS_WEFT,
  SIM_CONDITIONS_SHEAR,
  SIM_CONDITIONS_BEND,
  SIM_CONDITIONS_KINDS
} sim_conditions_kind;
extern const char *const sim_conditions_kind_names[]; /* "stretch", ..., NULL */

/* All 0: there is no such condition. */
typedef struct sim_conditions_law {
  double k, lambda; /* N/m, N/m3; bend: N m */
  double damping;   /* k_d: N s/m; bend: N m s */
} sim_conditions_law;

typedef struct sim_conditions_setup {
  const sim_mesh *mesh; /* not owned; outlives the particles */
  double areal_density_kg_per_m2;
  sim_conditions_law law[SIM_CONDITIONS_KINDS];
  double rest[2];   /* b_u, b_v: 1 where the cloth is as long as it was made */
  const bool *held; /* per vertex: moves with the velocity that stands in the state; NULL: none */
  double gravity_m_per_s2[3];
  double wind_m_per_s[3];
  double wind_Ns_per_m3; /* k_wind per area: a particle that the wind sees feels this, times its area, times
                            wind - velocity */
  const double (*push_N)[3]; /* per vertex, NULL: none; not owned */
  int iterations;            /* linearisations per step, at most; 1: the paper's scheme */
  double settle_m_per_s;     /* they end where no velocity changes by more */
  double solve_tolerance;    /* of the linear solver */
  int solve_iterations;
} sim_conditions_setup;

/* Standard gravity along -z, no wind, no laws, 0.15 kg/m2. */
sim_conditions_setup sim_conditions_setup_default(const sim_mesh *mesh);

/* k and lambda of `warp` or `weft` out of the law of stretch: k1 e + k3 e^3 N/m, e = |w| - 1, is what a strip
 * of the particles takes. lambda goes with the size of the triangles (k3 / area): CB_E_RANGE where their
 * areas differ by more than 1e-6. Damping is left 0. */
CB_CHECKED cb_status sim_conditions_law_of(const cb_stretch_direction *d, const sim_mesh *mesh,
                                           sim_conditions_law *out, cb_err *err);

typedef struct sim_conditions_report {
  int linearisations, solver_iterations, halvings; /* halvings: of steps of Newton's method that went too
                                                      far */
  int clamped;  /* linearisations whose Hessian was not positive and was replaced by its clamped part */
  int shadowed; /* particles the wind does not see */
  bool settled;
} sim_conditions_report;

typedef struct sim_conditions sim_conditions;

/* At rest as the mesh was made. Caller: sim_conditions_free. Errors: a setup with a number out of range;
 * memory. */
CB_CHECKED cb_status sim_conditions_new(const sim_conditions_setup *setup, sim_conditions **out, cb_err *err);
void sim_conditions_free(sim_conditions *p);

/* The state: may be written between steps. */
double (*sim_conditions_position(sim_conditions *p))[3];
double (*sim_conditions_velocity(sim_conditions *p))[3];
const double *sim_conditions_mass(const sim_conditions *p); /* kg per vertex */

/* CB_E_NUM: a number that is not finite, with time and vertex. report may be NULL. */
CB_CHECKED cb_status sim_conditions_step(sim_conditions *p, double dt_s, sim_conditions_report *report,
                                         cb_err *err);

/* Where the particles are now: the energy of the conditions [J], their forces [N] (may be NULL), undamped. */
double sim_conditions_elastic(sim_conditions *p, double (*force_N)[3]);

/* What the next step reads: places and velocities. */
void sim_conditions_archive(sim_conditions *particles, cb_archive *a);

#endif
