/* Cloth as a set of conditions with nonlinear stiffness, after Xiao, Geng, J. Computer Applications
 * 27(5):1145, 2007, on the conditions of Baraff, Witkin, SIGGRAPH 1998. docs/method/conditions.md has the
 * Hessian, docs/method/conditions.md the figures.
 *
 * A condition C(x) is 0 where the cloth is at rest. Its energy is
 *
 *     E = k/2 C.C + lambda/4 (C.C)^2
 *
 * and its damping force is -k_d dC/dx dC/dt.
 *
 * Conditions of a triangle. a is the square root of its area. w_u and w_v are the derivatives of the
 * position by the warp and weft co-ordinates. b_u and b_v are the ratios of lengths at rest.
 *
 *     stretch  C = a (|w_u| - b_u, |w_v| - b_v)      one law for both; (C.C)^2 couples them
 *     warp     C = a (|w_u| - b_u)                   a law of its own, as a measured cloth needs
 *     weft     C = a (|w_v| - b_v)                   a law of its own
 *     shear    C = a w_u.w_v
 *
 * Condition of two triangles at an edge:
 *
 *     bend     C = theta, the angle between their normals
 *
 * With a in metres, k is in N/m and lambda in N/m3. For bend, both are in N m.
 *
 * Time is backward Euler. The velocities v at the end of a step of length h minimise
 *
 *     1/2 (v - v0) M (v - v0) + E(x0 + h v) + k_d/(2 h) |C(x0 + h v) - C(x0)|^2 + h k_w/2 |v - wind|^2
 *       - h (M g + push) . v
 *
 * Newton's method starts from v = 0. Its first linearisation is the paper's equation.
 *
 * The result has the same bits for any number of threads. All units are SI. */
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
extern const char *const sim_conditions_kind_names[]; /* "stretch", "warp", ..., "bend", NULL */

/* The law of one kind of condition. A law whose numbers are all 0 switches the condition off. */
typedef struct sim_conditions_law {
  double k, lambda; /* N/m, N/m3; bend: N m both */
  double damping;   /* k_d: N s/m; bend: N m s */
} sim_conditions_law;

typedef struct sim_conditions_setup {
  const sim_mesh *mesh; /* not owned; must outlive the conditions */
  double areal_density_kg_per_m2;
  sim_conditions_law law[SIM_CONDITIONS_KINDS];
  double rest[2];   /* b_u, b_v; 1 is the length as made */
  const bool *held; /* per vertex: keeps the velocity that the caller writes; NULL: none; not owned */
  double gravity_m_per_s2[3];
  double wind_m_per_s[3];
  double wind_Ns_per_m3;     /* k_w per area: the force on a vertex is this x its area x (wind - velocity); a
                                vertex in the wind shadow feels none */
  const double (*push_N)[3]; /* per vertex: an external force; NULL: none; not owned */
  int iterations;            /* most linearisations per step; 1 is the paper's scheme */
  double settle_m_per_s;     /* linearisations stop where no velocity changes by more */
  double solve_tolerance;    /* relative residual of the linear solver */
  int solve_iterations;      /* most iterations of the linear solver */
} sim_conditions_setup;

/* Returns a setup with 0.15 kg/m2, standard gravity along -z, no wind and no laws. It allows 20
 * linearisations. */
sim_conditions_setup sim_conditions_setup_default(const sim_mesh *mesh);

/* Derives k and lambda of `warp` or `weft` from one direction of a law of stretch. A strip of such triangles
 * then carries k1 e + k3 e^3 N/m at the strain e = |w| - 1. lambda is k3 / area and depends on the size of
 * the triangles. Damping is set to 0. Error: CB_E_RANGE where the areas of the mesh differ by more than 1e-6
 * of themselves. */
CB_CHECKED cb_status sim_conditions_law_of(const cb_stretch_direction *d, const sim_mesh *mesh,
                                           sim_conditions_law *out, cb_err *err);

typedef struct sim_conditions_report {
  /* halvings: Newton steps cut in half because they did not lower the value enough */
  int linearisations, solver_iterations, halvings;
  int clamped;  /* linearisations whose exact Hessian was not positive; its clamped part replaced it */
  int shadowed; /* vertices in the wind shadow */
  bool settled; /* the last change was at most settle_m_per_s */
} sim_conditions_report;

typedef struct sim_conditions sim_conditions;

/* Makes a cloth at rest, where the mesh places it. The setup is copied; what it points to is not. The caller
 * frees *out with sim_conditions_free. Errors: a number of the setup out of range, a mesh without vertices,
 * memory. */
CB_CHECKED cb_status sim_conditions_new(const sim_conditions_setup *setup, sim_conditions **out, cb_err *err);
void sim_conditions_free(sim_conditions *p);

/* Positions [m], velocities [m/s] and masses [kg], per vertex. The arrays belong to p. The caller may write
 * positions and velocities between steps. */
double (*sim_conditions_position(sim_conditions *p))[3];
double (*sim_conditions_velocity(sim_conditions *p))[3];
const double *sim_conditions_mass(const sim_conditions *p);

/* Advances the cloth by one step of 1e-9 to 1e6 s. Not to settle within the iterations is no error. report
 * may be NULL. Errors: CB_E_RANGE for dt_s; CB_E_NUM for a number that is not finite, with time and vertex.
 */
CB_CHECKED cb_status sim_conditions_step(sim_conditions *p, double dt_s, sim_conditions_report *report,
                                         cb_err *err);

/* Returns the energy of all conditions at the present positions [J], without damping. force_N receives their
 * forces per vertex; it may be NULL. */
double sim_conditions_elastic(sim_conditions *p, double (*force_N)[3]);

/* Saves or restores the state that the next step reads: time, positions and velocities. */
void sim_conditions_archive(sim_conditions *particles, cb_archive *a);

#endif
