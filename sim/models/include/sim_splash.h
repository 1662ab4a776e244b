/* A liquid of particles, a position-based wet cloth, and both together. docs/method/fluid-figures.md has the
 * figures. The results have the same bits for any number of threads. All units are SI. */
#ifndef SIM_SPLASH_H
#define SIM_SPLASH_H

#include <stdbool.h>

#include "sim_mesh.h"

/* ---- the liquid ---- */

/* A liquid as smoothed particles in a box (Mueller, Charypar, Gross, SCA 2003). Density, pressure and
 * viscosity are sums over neighbours.
 *
 *   density     rho_i = sum_j m W_ij, with m = rho_0 d^3 and the spacing d. W is the cubic spline (Monaghan
 *               1992) with support h = 2 d.
 *   viscosity   a_i = 2 nu sum_j d^3 (v_i - v_j) W'(r_ij)/r_ij  (Morris, Fox, Zhu, J. Comput. Phys. 136:214,
 *               1997)
 *   pressure    a_i = -(m/rho_0^2) sum_j (p_i + p_j) grad W_ij
 *
 * Pressures are >= 0 and leave no particle denser than rho_0 at the end of the step, to first order in the
 * step. With the divergence D v = d/dt rho/rho_0 the accelerations are -1/rho_0 D^T p. So p minimises 1/2
 * p.A p - b.p for p >= 0, where A = D D^T is symmetric. This is the constraint of Ihmsen et al., TVCG
 * 20(3):426, 2014, and of Bender, Koschier, TVCG 23(3):1193, 2017. Here it is solved by conjugate gradients
 * that start with the pressures of the previous step.
 *
 * Walls of the box are half spaces of liquid at rest. Their part of density and gradient is the integral of
 * the kernel, in closed form. They do not resist slip.
 *
 * Forces between two particles are opposite to the last bit and added in double precision. The sum of
 * momenta is kept to rounding. */

typedef struct sim_fluid_setup {
  double spacing_m; /* d; a particle has the volume d^3 */
  double density_kg_per_m3;
  double viscosity_m2_per_s; /* kinematic */
  double gravity_m_per_s2[3];
  double box_lo_m[3], box_hi_m[3];
  int capacity;              /* most particles */
  int pressure_iterations;   /* most iterations of conjugate gradients */
  double pressure_tolerance; /* the iterations end where the rms of the remaining rho/rho_0 - 1 is below
                                this */
} sim_fluid_setup;

/* Returns a setup with 1000 kg/m3, 1e-6 m2/s, standard gravity along -z, a box from 0 to 1 m, 20 iterations
 * and a tolerance of 1e-3. */
sim_fluid_setup sim_fluid_setup_default(double spacing_m, int capacity);

typedef struct sim_fluid_report {
  double compression_mean, compression_max; /* of max(0, rho/rho_0 - 1) over all particles, at the start of
                                               the step */
  double compression_p99;                   /* 99 % of the particles are below; in steps of 0.001 up to 1 */
  double speed_max_m_per_s;                 /* at the end of the step */
  double neighbours_mean;                   /* with the particle itself */
  int iterations;                           /* of the pressure solver */
} sim_fluid_report;

typedef struct sim_fluid sim_fluid;

/* Makes a box without particles. The caller frees *out with sim_fluid_free. Errors: a number of the setup
 * out of range; memory. */
CB_CHECKED cb_status sim_fluid_new(const sim_fluid_setup *setup, sim_fluid **out, cb_err *err);
void sim_fluid_free(sim_fluid *f);

/* Adds n particles; velocity_m_per_s NULL means at rest. Their numbers continue from sim_fluid_count.
 * Errors: CB_E_RANGE without room for them, or for a position outside the box. */
CB_CHECKED cb_status sim_fluid_add(sim_fluid *f, const double (*position_m)[3],
                                   const double (*velocity_m_per_s)[3], int n, cb_err *err);
/* State per particle: position [m], velocity [m/s] and number, sim_fluid_count of each. The arrays
 * belong to f. Particles are ordered by their place in space, so the order changes with every step.
 * sim_fluid_number gives the number under which a particle was added. Positions and velocities may
 * be written between steps. */
int sim_fluid_count(const sim_fluid *f);
double (*sim_fluid_position(sim_fluid *f))[3];
double (*sim_fluid_velocity(sim_fluid *f))[3];
const int *sim_fluid_number(const sim_fluid *f);
const sim_fluid_setup *sim_fluid_setup_of(const sim_fluid *f);

/* ---- the cloth ---- */

/* Position-based cloth (Mueller et al., J. Vis. Commun. 18:109, 2007) with compliances (XPBD: Macklin,
 * Mueller, Chentanez, MIG 2016). A step consists of substeps of one iteration each (Macklin et al., SCA
 * 2019).
 *
 *     stretch  C = |x1 - x2| - l0 per edge; k = stretch A/l0^2 [N/m], A the area of its triangles.
 *     bend     C = arccos(n1.n2) - phi0 per inner edge, signed; k = 3 bend l0^2/A [N m] (Grinspun et al.,
 *              SCA 2003).
 *     apart    C = n.(p - q) - thickness >= 0 per pair of near places p, q of the cloth itself.
 *     guest    C = n.(p - q) - gap >= 0 per guest: a point p of another object that touches the cloth at q.
 *
 * A correction of C moves by -C/(sum w |grad C|^2 + 1/(k h^2)) w grad C, with w = 1/mass. The momenta of
 * both sides are opposite to rounding. The impulse on a guest is the integral of k x depth over the contact,
 * implicit in time. (An explicit penalty would be unstable, as the cloth is lighter than what lies on it.)
 * Constraints are solved one after the other in a fixed order. After the step sim_self_resolve removes
 * crossings of the cloth with itself. */

/* Setup of a wet cloth. */
typedef struct sim_wet_cloth_setup {
  const sim_mesh *mesh; /* copied, as tearing changes it; for several cloths see sim_mesh_join */
  double areal_density_kg_per_m2;
  double stretch_N_per_m, bend_Nm;
  double damping_s;     /* of stretch; the force along an edge is k (C + damping_s dC/dt) */
  double drag_per_s;    /* of air at rest: dv/dt = -drag_per_s v */
  double guest_N_per_m; /* k of contacts with guests */
  double thickness_m;   /* distance of the cloth from itself; 0: no self-contact */
  double tear_strain;   /* an edge stretched by more tears at one end; 0: never */
  double gravity_m_per_s2[3];
  const bool *held; /* per vertex: keeps the velocity that the caller writes; NULL: none; copied */
  int substeps;
} sim_wet_cloth_setup;

/* Returns a setup with 0.15 kg/m2, 1000 N/m, 1e-5 N m, contacts of 5000 N/m, thickness 1 mm, damping 2 ms,
 * no drag, no tearing, standard gravity along -z and 8 substeps. */
sim_wet_cloth_setup sim_wet_cloth_setup_default(const sim_mesh *mesh);

typedef struct sim_wet_cloth_report {
  int contacts;      /* pairs of near places of the cloth itself */
  int stopped;       /* vertices that sim_self_resolve moved as rigid groups */
  double strain_max; /* greatest strain of an edge */
} sim_wet_cloth_report;

typedef struct sim_wet_cloth sim_wet_cloth;

/* Makes a cloth at rest, where the mesh places it. The caller frees *out with sim_wet_cloth_free. Errors: a
 * number of the setup out of range, a mesh without vertices, memory. */
CB_CHECKED cb_status sim_wet_cloth_new(const sim_wet_cloth_setup *setup, sim_wet_cloth **out, cb_err *err);
/* Refuses positions in which a cloth with a thickness lies in itself. Errors: those of sim_self_check_start.
 */
CB_CHECKED cb_status sim_wet_cloth_check_start(sim_wet_cloth *cloth, cb_err *err);
void sim_wet_cloth_free(sim_wet_cloth *s);

/* Present mesh, positions [m] and velocities [m/s], per vertex. All belong to s. Tearing adds vertices and
 * edges, and moves the arrays. */
const sim_mesh *sim_wet_cloth_mesh(const sim_wet_cloth *s);
double (*sim_wet_cloth_position(sim_wet_cloth *s))[3];
double (*sim_wet_cloth_velocity(sim_wet_cloth *s))[3];

/* Tears edges that are stretched beyond tear_strain; call it between steps. A torn edge splits one of its
 * two end vertices in two. Adds the number of new vertices to *torn. Error: memory. */
CB_CHECKED cb_status sim_wet_cloth_tear(sim_wet_cloth *s, int *torn, cb_err *err);

/* ---- both ---- */

/* A liquid and a wet cloth that push each other. A step goes through these stages:
 *   1. The liquid gets its velocities.
 *   2. For each particle, the first triangle that it will touch is found: over the step, or nearer than the
 * gap.
 *   3. Cloth and touching particles move together. A contact acts at its place on the triangle, with the
 * integral of stiffness x depth over its time, opposite on both.
 *   4. Particles pass the cloth by seepage (sim_splash_seep).
 *   5. The guard checks the path of every other particle against the final paths of the triangles. It stops a
 *      particle that would pass on the side from which it comes. The triangle gets the momentum that the
 * particle loses. Tearing is up to the caller: sim_wet_cloth_tear between steps. Sums of momenta are kept to
 * rounding. */

typedef struct sim_splash_report {
  sim_fluid_report fluid;
  sim_wet_cloth_report sheet;
  int touching;       /* particles in contact with the cloth */
  int guarded;        /* particles that the guard stopped */
  int seeped;         /* particles that seeped through */
  int stuck;          /* particles that the guard could not stop: they may have passed */
  double energy_J;    /* kinetic and of weight, of liquid and cloth, at the end; weight 0 at the origin */
  double given_Ns[3]; /* impulse on the particles by the cloth, and by walls against which it pressed them */
  double fluid_s, find_s, sheet_s, guard_s; /* wall-clock time of the stages */
} sim_splash_report;

typedef struct sim_splash sim_splash;

/* Couples a liquid and a cloth. Both stay the caller's and must outlive *out, which the caller frees with
 * sim_splash_free. At the start no particle may lie on the cloth itself. gap_m is the distance of particles
 * from the cloth, at most 2 spacings; 0 means half a spacing. Errors: CB_E_RANGE for gap_m; memory. */
CB_CHECKED cb_status sim_splash_new(sim_fluid *fluid, sim_wet_cloth *sheet, double gap_m, sim_splash **out,
                                    cb_err *err);
void sim_splash_free(sim_splash *s);

/* Sets the seepage: the speed at which liquid passes the cloth per pressure (Darcy). The volume that passes
 * is this times the impulse of the contacts. A particle passes as a whole, once its volume has. 0, the
 * default, means no seepage. From the air permeability K at the pressure p, it is K/p mu_air/mu_liquid.
 * Error: CB_E_RANGE below 0, above 1000 or not finite. */
CB_CHECKED cb_status sim_splash_seep(sim_splash *s, double m_per_s_Pa, cb_err *err);

/* Advances both by one step. report may be NULL. Errors: CB_E_RANGE for dt_s; CB_E_NUM for a number that is
 * not finite, with time and particle or vertex; memory, as lists grow. */
CB_CHECKED cb_status sim_splash_step(sim_splash *s, double dt_s, sim_splash_report *report, cb_err *err);

/* Save or restore the state. If all three are restored into objects made from the same setups, the next step
 * has the same bits. A wrong file can leave an object changed; its next step is still safe.
 *   liquid   particles in their order, pressures, expected contact impulses
 *   cloth    torn mesh, positions and velocities; error: memory
 *   both     volume that has seeped, per particle */
void sim_fluid_archive(sim_fluid *fluid, cb_archive *a);
CB_CHECKED cb_status sim_wet_cloth_archive(sim_wet_cloth *sheet, cb_archive *a, cb_err *err);
void sim_splash_archive(sim_splash *splash, cb_archive *a);

#endif
