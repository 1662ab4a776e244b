/* Liquid and cloth that meet. SI. */
#ifndef SIM_SPLASH_H
#define SIM_SPLASH_H

#include <stdbool.h>

#include "sim_mesh.h"

/* ---- the liquid ---- */

/* A liquid as smoothed particles in a box (Mueller, Charypar, Gross, SCA 2003: density, pressure, viscosity
 * as sums over neighbours).
 *
 *   density     rho_i = sum_j m W_ij,  m = rho_0 d^3, W the cubic spline (Monaghan 1992) with support h = 2
 *               d, d the spacing
 *   viscosity   a_i = 2 nu sum_j d^3 (v_i - v_j) W'(r_ij)/r_ij       (Morris, Fox, Zhu, J. Comput. Phys.
 *               136:214, 1997)
 *   pressure    a_i = -(m/rho_0^2) sum_j (p_i + p_j) grad W_ij
 *
 * Pressures are the ones >= 0 that leave no particle denser than rho_0 at the step's end, to first order in
 * the step: with the divergence D v = d/dt rho/rho_0 the accelerations are -1/rho_0 D^T p, so that p
 * minimises 1/2 p.A p - b.p, p >= 0, A = D D^T symmetric. (The constraint of Ihmsen et al., TVCG 20(3):426,
 * 2014, and Bender, Koschier, TVCG 23(3):1193, 2017; here by conjugate gradients, begun with the pressures of
 * the step before.)
 *
 * Walls of the box are half spaces full of liquid at rest: their part of density and gradient is the kernel's
 * integral, in closed form. They let the liquid slip.
 *
 * Forces between two particles are opposite to the last bit and added in double precision: the sum of momenta
 * is kept to rounding. Same bits for any number of threads. SI. */

typedef struct sim_fluid_setup {
  double spacing_m; /* d: a particle is d^3 of liquid */
  double density_kg_per_m3;
  double viscosity_m2_per_s; /* kinematic */
  double gravity_m_per_s2[3];
  double box_lo_m[3], box_hi_m[3];
  int capacity;              /* particles, at most */
  int pressure_iterations;   /* of conjugate gradients, at most */
  double pressure_tolerance; /* they end where the root of the mean square of rho/rho_0 - 1 that is left is
                                below this */
} sim_fluid_setup;

/* Water's density, 1e-6 m2/s, standard gravity along -z, a box of 1 m, a tolerance of 1e-3, 20 iterations. */
sim_fluid_setup sim_fluid_setup_default(double spacing_m, int capacity);

typedef struct sim_fluid_report {
  double compression_mean, compression_max; /* of max(0, rho/rho_0 - 1) over all particles, at the step's
                                               begin */
  double residual_mean;     /* the same as the pressures leave it, predicted for the step's end */
  double speed_max_m_per_s; /* at the step's end */
  double neighbours_mean;   /* itself among them */
  int iterations;           /* of the pressure */
} sim_fluid_report;

typedef struct sim_fluid sim_fluid;

/* Without particles. Caller: sim_fluid_free. Errors: a setup with a number out of range; memory. */
CB_CHECKED cb_status sim_fluid_new(const sim_fluid_setup *setup, sim_fluid **out, cb_err *err);
void sim_fluid_free(sim_fluid *f);

/* n more particles; velocities NULL: at rest. Their numbers go on from sim_fluid_count. CB_E_RANGE: no room,
 * or one outside the box. */
CB_CHECKED cb_status sim_fluid_add(sim_fluid *f, const double (*position_m)[3],
                                   const double (*velocity_m_per_s)[3], int n, cb_err *err);
/* Arrays over the particles in the order in which they lie in space: it changes with every step.
 * sim_fluid_number: who stands there, in the order of their coming. Positions and velocities may be written
 * between steps. */
int sim_fluid_count(const sim_fluid *f);
double (*sim_fluid_position(sim_fluid *f))[3];
double (*sim_fluid_velocity(sim_fluid *f))[3];
const int *sim_fluid_number(const sim_fluid *f);
const sim_fluid_setup *sim_fluid_setup_of(const sim_fluid *f);

/* ---- the cloth ---- */

/* Position-based cloth (Mueller et al., J. Vis. Commun. 18:109, 2007) with compliances (XPBD: Macklin,
 * Mueller, Chentanez, MIG 2016), in small steps of one iteration each (Macklin et al., SCA 2019):
 *
 *   stretch  C = |x1 - x2| - l0            of every edge, k = stretch A/l0^2 [N/m], A the area of its
 *            triangles
 *   bend     C = arccos(n1.n2) - phi0      of every inner edge, signed; k = 3 bend l0^2/A [N m] (Grinspun et
 *            al., SCA 2003)
 *   apart    C = n.(p - q) - thickness >= 0 of the cloth's own places that are near each other
 *   guest    C = n.(p - q) - gap >= 0      of points of others that touch it
 *
 * A correction of C moves by -C/(sum w |grad C|^2 + 1/(k h^2)) w grad C, w = 1/mass: opposite momenta to the
 * last rounding. What a guest feels over a contact is the integral of k x depth, implicit in time: an
 * explicit penalty would be unstable, cloth being lighter than what lies on it. Constraints are taken one
 * after the other in a fixed order. After the step sim_self_resolve lets nothing have passed. SI. */

typedef struct sim_wet_cloth_setup {
  const sim_mesh *mesh; /* copied: tearing changes it. Several cloths: sim_mesh_join */
  double areal_density_kg_per_m2;
  double stretch_N_per_m, bend_Nm;
  double damping_s;     /* of stretch: the edge's force is k (C + damping_s dC/dt) */
  double drag_per_s;    /* of the air at rest: velocities fall by it */
  double guest_N_per_m; /* k of the contact with guests */
  double thickness_m;   /* between layers of the cloth; 0: it passes through itself */
  double tear_strain;   /* edges stretched by more part; 0: never */
  double gravity_m_per_s2[3];
  const bool *held; /* per vertex: moves with the velocity that stands in the state; NULL: none; copied */
  int substeps;
} sim_wet_cloth_setup;

/* 0.15 kg/m2, 1000 N/m, 1e-5 N m, contact 5000 N/m, 1 mm thick, no tearing, damping 2 ms, no drag, standard
 * gravity along -z, 8 small steps. */
sim_wet_cloth_setup sim_wet_cloth_setup_default(const sim_mesh *mesh);

typedef struct sim_wet_cloth_report {
  int contacts;      /* pairs of the cloth's own places */
  int stopped;       /* vertices that sim_self_resolve moved as one */
  double strain_max; /* of an edge */
} sim_wet_cloth_report;

typedef struct sim_wet_cloth sim_wet_cloth;

/* At rest as the mesh was made. Caller: sim_wet_cloth_free. Errors: a setup with a number out of range;
 * memory. */
CB_CHECKED cb_status sim_wet_cloth_new(const sim_wet_cloth_setup *setup, sim_wet_cloth **out, cb_err *err);
void sim_wet_cloth_free(sim_wet_cloth *s);

/* As it is now: tearing adds vertices and edges. */
const sim_mesh *sim_wet_cloth_mesh(const sim_wet_cloth *s);
double (*sim_wet_cloth_position(sim_wet_cloth *s))[3];
double (*sim_wet_cloth_velocity(sim_wet_cloth *s))[3];

/* Parts what is stretched too far; between steps. Adds to *torn. */
CB_CHECKED cb_status sim_wet_cloth_tear(sim_wet_cloth *s, int *torn, cb_err *err);

/* ---- both ---- */

/* A fluid and a sheet that push each other.
 *
 * A step: the fluid's velocities; who will touch which triangle first (over the step, or nearer than the
 * gap); sheet and touching particles together, each contact with the integral of stiffness x depth over its
 * time, at its place on the triangle, opposite on both; then the guard: every particle's way against every
 * triangle's, as they have become. Who would pass is stopped on the side from which it comes, and what that
 * takes of its momentum the triangle gets.
 *
 * Tearing is the caller's: sim_wet_cloth_tear between steps. Sums of momenta are kept to rounding. Same bits
 * for any number of threads. SI. */

typedef struct sim_splash_report {
  sim_fluid_report fluid;
  sim_wet_cloth_report sheet;
  int touching;       /* particles */
  int guarded;        /* that the guard stopped */
  int seeped;         /* that went through as liquid does through cloth */
  int stuck;          /* that it could not stop: they may have passed */
  double given_Ns[3]; /* to the particles by the cloth, and by walls against which it pressed them */
  double fluid_s, find_s, sheet_s, guard_s; /* wall clock */
} sim_splash_report;

typedef struct sim_splash sim_splash;

/* Fluid and sheet are the caller's and outlive it; at the start no particle is on the cloth itself. gap_m:
 * between particles and cloth, 0: half a spacing. Caller: sim_splash_free. */
CB_CHECKED cb_status sim_splash_new(sim_fluid *fluid, sim_wet_cloth *sheet, double gap_m, sim_splash **out,
                                    cb_err *err);
void sim_splash_free(sim_splash *s);

/* Liquid goes through the cloth at this speed where it is pressed on it with 1 Pa (Darcy: the volume that
 * goes through is this times the force of the contacts times time); a particle goes through whole, after its
 * volume has. 0, as at first: nobody does. CB_E_RANGE: below 0, not finite. Air's permeability K at a
 * pressure p, scaled by the viscosities: K/p mu_air/mu_liquid. */
CB_CHECKED cb_status sim_splash_seep(sim_splash *s, double m_per_s_Pa, cb_err *err);

/* Errors: a number that is not finite, with time and particle or vertex; memory, when lists grow. report may
 * be NULL. */
CB_CHECKED cb_status sim_splash_step(sim_splash *s, double dt_s, sim_splash_report *report, cb_err *err);

/* What each carries from step to step: with all three, and made from the same setups, the next step has the
 * same bits. Reading changes them before it fails, but never into one whose step is not safe. Of the fluid:
 * particles in their order, pressures, what contacts helped. Of the sheet: its mesh as it was torn, places
 * and velocities; errors: memory. Of both together: what seeped. */
void sim_fluid_archive(sim_fluid *fluid, cb_archive *a);
CB_CHECKED cb_status sim_wet_cloth_archive(sim_wet_cloth *sheet, cb_archive *a, cb_err *err);
void sim_splash_archive(sim_splash *splash, cb_archive *a);

#endif
