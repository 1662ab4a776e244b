/* Three layers: a cloth, the air under it, the body below. Chen, Feng, Wang, ACM TOG 32(4):88 (2013).
 *
 * There may be several bodies. Each is elastic, or a surface whose motion is prescribed; each meets some of
 * the cloth's vertices, and may have air between them and itself: a sewn case, a pillow. What the cloth meets
 * besides - rigid bodies, itself - is its own business (sim_cloth.h); elastic bodies meet the cloth's rigid
 * bodies where no cloth is between.
 *
 * A step: what pressed in the step before enters as one-sided springs, and the air says with what pressure it
 * will press and how stiff it is. Cloth, and bodies with air or contact, move together by one system of
 * equations, so that no step is too long for them; other bodies move by themselves. Then follow the cloth's
 * closest points on each body's surface (sim_traverse.h), the contact offset between them, and the air in the
 * gaps that this left.
 *
 * Same bits for any number of threads. SI. */
#ifndef SIM_LAYERED_H
#define SIM_LAYERED_H

#include <stdbool.h>
#include <stddef.h>

#include "cb_permeability_law.h"
#include "sim_cloth.h"
#include "sim_mesh.h"
#include "sim_shape.h"
#include "sim_traverse.h"

/* ---- air ---- */

/* The air between a cloth and a body: an amount at every vertex, which leaks through the cloth and spreads
 * along the layer.
 *
 * Chen, Feng, Wang, ACM TOG 32(4):88 (2013), the air mass field. Per vertex the amount Q = n R T [J], the gap
 * d to the body, the cloth's area A, volume V = A d, pressure P = Q/V (isothermal, ideal).
 *
 *   through the cloth   dQ/dt = -A P_amb v(P - P_out)
 *   along the layer     dQ/dt = -k s (P - P_neighbour)
 *   open border         P = P_amb
 *
 * v: volume, at ambient pressure, per area and second, at that difference of pressure. s: the section, width
 * between the two triangles' middles times the mean gap.
 *
 * Backward Euler. In the pressures the system is symmetric and positive definite, with no positive entry off
 * the diagonal: pressures come out positive whatever the step. The solver balances every vertex to a part
 * `tolerance` of its own air; all amounts are then scaled alike, by less than that, so that the layer as a
 * whole keeps its air to rounding. A curved law of permeability enters by its secant, which is looked for
 * until it stays.
 *
 * Same bits for any number of threads. SI. */
#define SIM_ATMOSPHERE_PA 101325.0

typedef enum sim_air_solver {
  SIM_AIR_CG,      /* conjugate gradients in the pressures */
  SIM_AIR_BICGSTAB /* in the amounts, where the system is not symmetric: the paper's method, to compare
                      with */
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

/* The state, per vertex: amounts may be written between steps. Pressures are those of the last step, fill or
 * expectation. */
double *sim_air_amount_J(sim_air *air);
const double *sim_air_pressure_Pa(const sim_air *air);

/* As much air everywhere as has this pressure. */
void sim_air_fill(sim_air *air, const sim_air_place *place, double pressure_Pa);

/* One step with the place as it is at its end. Errors: a gap or area that is not > 0 and finite (with its
 * vertex), a solver that does not arrive. */
CB_CHECKED cb_status sim_air_step(sim_air *air, const sim_air_place *place, double dt_s,
                                  sim_air_report *report, cb_err *err);

/* ---- an elastic body ---- */

/* Tetrahedra of co-rotational linear elements (M. Mueller, M. Gross, Graphics Interface 2004), implicit in
 * time. */
typedef struct sim_elastic_setup {
  const sim_tets *tets; /* not owned */
  double density_kg_per_m3, young_Pa, poisson;
  double damping_s;  /* of strain rates, times the stiffness */
  double drag_per_s; /* of velocities, times the mass */
  const bool *held;  /* per vertex: moves with the velocity that stands in the state; NULL: none */
  double gravity_m_per_s2[3];
  double tolerance; /* of the linear solver: residual, by that of a step that changes nothing */
  int max_iterations;
} sim_elastic_setup;

/* Foam of 30 kg/m3, 30 kPa, 0.3; standard gravity along -z. */
sim_elastic_setup sim_elastic_setup_default(const sim_tets *tets);

typedef struct sim_elastic sim_elastic; /* opaque */

/* Per vertex: velocities, which may be written between steps; mass [kg]. */
double (*sim_elastic_velocity(sim_elastic *body))[3];
const double *sim_elastic_mass(const sim_elastic *body);

typedef struct sim_elastic_report {
  int iterations;
  double residual;
  int inverted; /* tetrahedra inside out before the step */
} sim_elastic_report;

typedef struct sim_elastic_energy {
  double kinetic, elastic, gravity; /* J */
} sim_elastic_energy;
sim_elastic_energy sim_elastic_energy_of(sim_elastic *body);

/* ---- what keeps cloth and body apart ---- */

/* A vertex nearer than H is brought back, one nearer than H + h pushed off: the contact offset H around the
 * body is so thick that no corner of it comes through between the cloth's vertices (Chen, Feng, Wang 2013).
 */
typedef struct sim_offset_setup {
  double thickness_m; /* H */
  double skin_m;      /* h */
  int rounds;
  sim_friction friction;
} sim_offset_setup;

typedef struct sim_offset_report {
  int contacts, extrapolated; /* of these, outside of the law's loads */
  double deepest_m; /* into the contact offset, before the first round; of all that is left, after the last */
  double left_m;
  double normal_N, friction_J; /* sum of the normal forces; what friction took in the step */
} sim_offset_report;

/* ---- a cloth over bodies ---- */

/* Nothing in it is owned; all must live as long as the layers. */
typedef struct sim_layered_body {
  sim_elastic_setup elastic; /* tets NULL: the body is the surface below */
  const double (*surface_m)[3];
  const int (*surface_triangle)[3];
  int surface_vertices, surface_triangles;
  int first_vertex, n_vertices; /* of the cloth: who meets it; n_vertices 0: all */
  sim_offset_setup offset;
  sim_friction friction; /* of the elastic body on the cloth's rigid bodies: isotropic */
  bool has_air;
  sim_air_setup air;     /* its mesh: of those vertices alone, in their order */
  double air_Pa;         /* pressure in the layer at the start */
  double air_gap_most_m; /* the layer is no deeper than this: what hangs far from the body has air all around;
                            0: no bound */
} sim_layered_body;

/* Not elastic, no air, all of the cloth; the contact offset of that mesh with its longest edge 5 % longer,
 * air at rest at SIM_ATMOSPHERE_PA. mesh: of the vertices that meet it. */
sim_layered_body sim_layered_body_default(const sim_mesh *mesh);

typedef struct sim_layered_setup {
  sim_cloth_setup cloth; /* its push_N is this module's */
  const sim_layered_body *bodies;
  int n_bodies;
  sim_traverse_mode traversal;
  double wind_m_per_s[3]; /* presses on the outside of cloth that has air behind it: rho u |u| / 2, u the
                             wind's speed against the cloth along its normal; SIM_AIR_KG_PER_M3 */
} sim_layered_setup;

#define SIM_AIR_KG_PER_M3 1.2
sim_layered_setup sim_layered_setup_default(const sim_mesh *mesh, const sim_material *material);

typedef enum sim_layered_phase {
  SIM_LAYERED_CLOTH,
  SIM_LAYERED_BODY,
  SIM_LAYERED_SURFACE,
  SIM_LAYERED_CLOSEST_POINTS,
  SIM_LAYERED_OFFSET,
  SIM_LAYERED_AIR,
  SIM_LAYERED_PHASES
} sim_layered_phase;
extern const char *const sim_layered_phase_names[]; /* "cloth", "body", "surface", "closest_points",
                                                       "contact_offset", "air", NULL */

/* Over all bodies: sums, of what is deepest or left the most. */
typedef struct sim_layered_report {
  sim_step_report cloth;
  sim_elastic_report body;
  sim_offset_report offset;
  sim_air_report air;
  sim_traverse_counts closest_points;
  int grounded; /* vertices of bodies that lie on the cloth's rigid bodies */
  double phase_s[SIM_LAYERED_PHASES];
} sim_layered_report;

typedef struct sim_layered sim_layered; /* opaque */

/* Errors: those of the parts; a vertex of the cloth that starts in a body or its contact offset, with its
 * number and depth; a body outside of the range of vertices. A body is named by its number, from 1. */
CB_CHECKED cb_status sim_layered_new(const sim_layered_setup *setup, sim_layered **out, cb_err *err);
void sim_layered_free(sim_layered *layered);

sim_cloth *sim_layered_cloth(sim_layered *layered);
/* Of a body, from 0. NULL where it has none. */
sim_elastic *sim_layered_elastic(sim_layered *layered, int body);
sim_air *sim_layered_air(sim_layered *layered, int body);
const sim_hull *sim_layered_hull(const sim_layered *layered, int body);
/* The body's vertices, in positions and velocities; the elastic body's own, or those of the surface: the
 * caller's to move. */
double (*sim_layered_body_position(sim_layered *layered, int body))[3];
double (*sim_layered_body_velocity(sim_layered *layered, int body))[3];
/* per vertex that meets it */
const sim_closest_point *sim_layered_closest(const sim_layered *layered, int body);

/* A surface of prescribed motion is carried on by its velocities. */
CB_CHECKED cb_status sim_layered_step(sim_layered *layered, double dt_s, sim_layered_report *report,
                                      cb_err *err);

/* How a step of dt_s has to be divided so that no body moves further against the cloth that meets it than it
 * is thick (sim_pace_of_cloth); bodies have the velocities of the step. */
CB_CHECKED cb_status sim_layered_pace(const sim_layered *layered, double dt_s, int *parts, cb_err *err);
/* A step that was divided: what went before, to its last part's report. */
void sim_layered_report_add(sim_layered_report *sum, const sim_layered_report *before);

/* What layers carry from step to step beside their cloth. Reading changes what it comes to before it
 * fails. */
CB_CHECKED cb_status sim_layered_archive(sim_layered *layered, cb_archive *a, cb_err *err);

#endif
