/* A liquid as smoothed particles in a box (Mueller, Charypar, Gross, SCA 2003: density, pressure, viscosity as sums over neighbours).
 *
 *   density     rho_i = sum_j m W_ij,  m = rho_0 d^3, W the cubic spline (Monaghan 1992) with support h = 2 d, d the spacing
 *   viscosity   a_i = 2 nu sum_j d^3 (v_i - v_j) W'(r_ij)/r_ij       (Morris, Fox, Zhu, J. Comput. Phys. 136:214, 1997)
 *   pressure    a_i = -(m/rho_0^2) sum_j (p_i + p_j) grad W_ij
 *
 * Pressures are the ones >= 0 that leave no particle denser than rho_0 at the step's end, to first order in the step: with the divergence
 * D v = d/dt rho/rho_0 the accelerations are -1/rho_0 D^T p, so that p minimises 1/2 p.A p - b.p, p >= 0, A = D D^T symmetric. (The
 * constraint of Ihmsen et al., TVCG 20(3):426, 2014, and Bender, Koschier, TVCG 23(3):1193, 2017; here by conjugate gradients, begun with
 * the pressures of the step before.)
 *
 * Walls of the box are half spaces full of liquid at rest: their part of density and gradient is the kernel's integral, in closed form.
 * They let the liquid slip.
 *
 * Forces between two particles are opposite to the last bit and added in double precision: the sum of momenta is kept to rounding. Same
 * bits for any number of threads. SI. */
#ifndef SIM_FLUID_H
#define SIM_FLUID_H

#include "cb_err.h"

typedef struct sim_fluid_setup {
  double spacing_m; /* d: a particle is d^3 of liquid */
  double density_kg_per_m3;
  double viscosity_m2_per_s; /* kinematic */
  double gravity_m_per_s2[3];
  double box_lo_m[3], box_hi_m[3];
  int capacity;              /* particles, at most */
  int pressure_iterations;   /* of conjugate gradients, at most */
  double pressure_tolerance; /* they end where the root of the mean square of rho/rho_0 - 1 that is left is below this */
} sim_fluid_setup;

/* Water's density, 1e-6 m2/s, standard gravity along -z, a box of 1 m, a tolerance of 1e-3, 20 iterations. */
sim_fluid_setup sim_fluid_setup_default(double spacing_m, int capacity);
CB_CHECKED cb_status sim_fluid_setup_check(const sim_fluid_setup *s, cb_err *err);

typedef struct sim_fluid_report {
  double compression_mean, compression_max; /* of max(0, rho/rho_0 - 1) over all particles, at the step's begin */
  double residual_mean;                     /* the same as the pressures leave it, predicted for the step's end */
  double speed_max_m_per_s;                 /* at the step's end */
  double neighbours_mean;                   /* itself among them */
  int iterations;                           /* of the pressure */
} sim_fluid_report;

typedef struct sim_fluid sim_fluid;

/* Without particles. Caller: sim_fluid_free. */
CB_CHECKED cb_status sim_fluid_new(const sim_fluid_setup *setup, sim_fluid **out, cb_err *err);
void sim_fluid_free(sim_fluid *f);

/* n more particles; velocities NULL: at rest. Their numbers go on from sim_fluid_count. CB_E_RANGE: no room, or one outside the box. */
CB_CHECKED cb_status sim_fluid_add(sim_fluid *f, const double (*position_m)[3], const double (*velocity_m_per_s)[3], int n, cb_err *err);
/* A block of whole cells of the spacing between the corners. */
CB_CHECKED cb_status sim_fluid_add_block(sim_fluid *f, const double lo_m[3], const double hi_m[3], const double velocity_m_per_s[3],
                                         cb_err *err);

/* Arrays over the particles in the order in which they lie in space: it changes with every step. sim_fluid_number: who stands there, in the
 * order of their coming. Positions and velocities may be written between steps. */
int sim_fluid_count(const sim_fluid *f);
double (*sim_fluid_position(sim_fluid *f))[3];
double (*sim_fluid_velocity(sim_fluid *f))[3];
const int *sim_fluid_number(const sim_fluid *f);
const float *sim_fluid_pressure(const sim_fluid *f); /* Pa, of the last step */
const float *sim_fluid_density(const sim_fluid *f);  /* rho/rho_0 where the last step began */
double sim_fluid_particle_mass(const sim_fluid *f);
double sim_fluid_time(const sim_fluid *f);
const sim_fluid_setup *sim_fluid_setup_of(const sim_fluid *f);

/* A step: the velocities at its end, then the way. report may be NULL. CB_E_NUM: a number that is not finite, with time and particle. */
CB_CHECKED cb_status sim_fluid_step(sim_fluid *f, double dt_s, sim_fluid_report *report, cb_err *err);
/* The same in two parts, between which others may change the velocities. */
CB_CHECKED cb_status sim_fluid_push(sim_fluid *f, double dt_s, sim_fluid_report *report, cb_err *err);
CB_CHECKED cb_status sim_fluid_move(sim_fluid *f, double dt_s, cb_err *err);

#endif
