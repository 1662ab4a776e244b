/* The air between a cloth and a body: an amount at every vertex, which leaks through the cloth and spreads along the layer.
 *
 * Chen, Feng, Wang, ACM TOG 32(4):88 (2013), the air mass field. Per vertex the amount Q = n R T [J], the gap d to the body,
 * the cloth's area A, volume V = A d, pressure P = Q/V (isothermal, ideal).
 *
 *   through the cloth   dQ/dt = -A P_amb v(P - P_out)
 *   along the layer     dQ/dt = -k s (P - P_neighbour)
 *   open border         P = P_amb
 *
 * v: volume, at ambient pressure, per area and second, at that difference of pressure. s: the section, width between the two triangles'
 * middles times the mean gap.
 *
 * Backward Euler. In the pressures the system is symmetric and positive definite, with no positive entry off the diagonal: pressures come
 * out positive whatever the step. The solver balances every vertex to a part `tolerance` of its own air; all amounts are then scaled alike,
 * by less than that, so that the layer as a whole keeps its air to rounding. A curved law of permeability enters by its secant, which is
 * looked for until it stays.
 *
 * Same bits for any number of threads. SI. */
#ifndef SIM_AIR_H
#define SIM_AIR_H

#include <stdbool.h>

#include "cb_permeability_law.h"
#include "sim_mesh.h"

#define SIM_ATMOSPHERE_PA 101325.0

typedef enum sim_air_solver {
  SIM_AIR_CG,      /* conjugate gradients in the pressures */
  SIM_AIR_BICGSTAB /* in the amounts, where the system is not symmetric: the paper's method, to compare with */
} sim_air_solver;
extern const char *const sim_air_solver_names[]; /* "cg", "bicgstab", NULL */

typedef struct sim_air_setup {
  const sim_mesh *mesh; /* of the cloth; not owned */
  double ambient_Pa;
  double flow_m_per_s;               /* k; 0: no flow along the layer */
  double kappa_m_per_s, kappa_at_Pa; /* Darcy's v = kappa (P - P_out) / kappa_at_Pa; kappa 0: sealed */
  const cb_permeability_law *law;    /* not owned; instead of kappa; NULL: none */
  bool open_border;
  sim_air_solver solver;
  double tolerance; /* of the solution: no vertex's balance is off by more of its own air */
  int max_iterations;
} sim_air_setup;

/* k 1 m/s, sealed, closed, conjugate gradients to 1e-9. */
sim_air_setup sim_air_setup_default(const sim_mesh *mesh);
/* Where cloth and body are. Not owned; per vertex. */
typedef struct sim_air_place {
  const double (*x_m)[3];
  const double *area_m2, *gap_m; /* > 0; gap: volume over area */
  const double *outside_Pa;      /* NULL: ambient everywhere; wind makes more in front and less behind */
} sim_air_place;

typedef struct sim_air_report {
  int iterations, solves; /* of the linear solver, in all; linear systems */
  double leaked_J;        /* through the cloth, outwards */
  double vented_J;        /* over the open border, outwards */
  double total_J;         /* in the layer, after the step */
} sim_air_report;

typedef struct sim_air sim_air; /* opaque */

/* Errors: a setup with a number that is not finite or negative; memory. Caller: sim_air_free. */
CB_CHECKED cb_status sim_air_new(const sim_air_setup *setup, sim_air **out, cb_err *err);
void sim_air_free(sim_air *air);

/* The state, per vertex: amounts may be written between steps. Pressures are those of the last step, fill or expectation. */
double *sim_air_amount_J(sim_air *air);
const double *sim_air_pressure_Pa(const sim_air *air);

/* As much air everywhere as has this pressure. */
void sim_air_fill(sim_air *air, const sim_air_place *place, double pressure_Pa);

/* One step with the place as it is at its end. Errors: a gap or area that is not > 0 and finite (with its vertex), a solver that does not
 * arrive. */
CB_CHECKED cb_status sim_air_step(sim_air *air, const sim_air_place *place, double dt_s, sim_air_report *report, cb_err *err);

#endif
