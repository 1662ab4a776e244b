/* Three layers: a cloth, the air under it, the body below. Chen, Feng, Wang, ACM TOG 32(4):88 (2013).
 * docs/method/three-layers.md describes the method.
 *
 * There may be several bodies. Each body is elastic, or a surface of prescribed motion. It meets some of the
 * cloth's vertices, and may have air between them and itself: a sewn case, a pillow. Contact of the cloth
 * with rigid bodies and with itself belongs to sim_cloth.h. Elastic bodies meet the cloth's rigid bodies
 * where no cloth is between.
 *
 * A step: contacts of the previous step enter as one-sided springs. The air gives its expected pressure and
 * its stiffness. Cloth, and bodies with air or contact, are solved for in one system of equations, so that no
 * step is too long for them; other bodies move by themselves. Edges that became too long are shortened. Then
 * the cloth's closest points on each body are found (sim_traverse.h), the contact offset is restored, and the
 * air flows in the gaps that are left.
 *
 * The bits do not depend on the number of threads. SI units. */
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
 * This is the air mass field of Chen, Feng, Wang (2013). Each vertex has the amount Q = n R T [J], the gap d
 * to the body, the cloth's area A, the volume V = A d, and the pressure P = Q/V (isothermal, ideal).
 *
 *   through the cloth   dQ/dt = -A P_amb v(P - P_out)
 *   along the layer     dQ/dt = -k s (P - P_neighbour)
 *   open border         P = P_amb
 *
 * v is the volume, at ambient pressure, per area and second at that difference of pressure. s is the section:
 * the width between the centres of the edge's two triangles, times the mean gap.
 *
 * Time is implicit (backward Euler). In the pressures the system is symmetric and positive definite, with no
 * positive entry off the diagonal, so pressures come out positive for any step. The solver balances every
 * vertex to a fraction `tolerance` of its own air. All amounts are then scaled alike, by less than that, so
 * that the layer keeps its air to rounding. A curved law of permeability enters by its secant, iterated until
 * it no longer changes. */
#define SIM_ATMOSPHERE_PA 101325.0

typedef enum sim_air_solver {
  SIM_AIR_CG, /* conjugate gradients in the pressures */
  /* In the amounts, where the system is not symmetric: the paper's method, for comparison. */
  SIM_AIR_BICGSTAB
} sim_air_solver;
extern const char *const sim_air_solver_names[]; /* "cg", "bicgstab", NULL */

typedef struct sim_air_setup {
  const sim_mesh *mesh; /* the cloth's vertices over the body; not owned */
  double ambient_Pa;
  double flow_m_per_s;               /* k; 0: no flow along the layer */
  double kappa_m_per_s, kappa_at_Pa; /* Darcy's v = kappa (P - P_out) / kappa_at_Pa; kappa 0: sealed */
  const cb_permeability_law *law;    /* in place of kappa; not owned; NULL: none */
  bool open_border;
  sim_air_solver solver;
  double tolerance; /* largest imbalance of a vertex, as a fraction of its own air */
  int max_iterations;
} sim_air_setup;

/* Returns k = 1 m/s, sealed, closed border, conjugate gradients to 1e-9. */
sim_air_setup sim_air_setup_default(const sim_mesh *mesh);
/* The geometry of a layer, per vertex. Not owned. */
typedef struct sim_air_place {
  const double (*x_m)[3];
  const double *area_m2, *gap_m; /* > 0; the gap is volume over area */
  const double *outside_Pa;      /* NULL: ambient everywhere; with wind, more in front and less behind */
} sim_air_place;

typedef struct sim_air_report {
  int iterations, solves; /* iterations of the linear solver in all; linear systems */
  double leaked_J;        /* through the cloth, outwards */
  double vented_J;        /* over the open border, outwards */
  double total_J;         /* in the layer, after the step */
} sim_air_report;

typedef struct sim_air sim_air; /* opaque */

/* Makes a layer without air: call sim_air_fill, or set the amounts. Caller: sim_air_free. Errors: CB_E_RANGE
 * for a number out of its range, those of cb_permeability_law_check, CB_E_NOMEM. */
CB_CHECKED cb_status sim_air_new(const sim_air_setup *setup, sim_air **out, cb_err *err);
void sim_air_free(sim_air *air);

/* The state, per vertex. Amounts may be written between steps. Pressures are those of the last step, fill or
 * expectation (sim_air_layer.h). */
double *sim_air_amount_J(sim_air *air);
const double *sim_air_pressure_Pa(const sim_air *air);

/* Sets the amounts that have this pressure everywhere. */
void sim_air_fill(sim_air *air, const sim_air_place *place, double pressure_Pa);

/* Advances the air by dt_s, with `place` as it is at the end of the step. Errors: CB_E_NUM for a gap, area or
 * amount that is not > 0 (with its vertex), or a solver that does not converge. */
CB_CHECKED cb_status sim_air_step(sim_air *air, const sim_air_place *place, double dt_s,
                                  sim_air_report *report, cb_err *err);

/* ---- an elastic body ---- */

/* An elastic body: tetrahedra of co-rotational linear elements (M. Mueller, M. Gross, Graphics Interface
 * 2004), implicit in time. Formulas: sim_elastic.h. */
typedef struct sim_elastic_setup {
  const sim_tets *tets; /* not owned */
  double density_kg_per_m3, young_Pa, poisson;
  double damping_s;  /* damping of strain rates, times the stiffness */
  double drag_per_s; /* damping of velocities, times the mass */
  const bool *held;  /* per vertex: moves with its velocity in the state; NULL: none */
  double gravity_m_per_s2[3];
  /* Of the linear solver: residual over that of a step without change. */
  double tolerance;
  int max_iterations;
} sim_elastic_setup;

/* Returns foam of 30 kg/m3, 30 kPa, Poisson's ratio 0.3, with standard gravity along -z. */
sim_elastic_setup sim_elastic_setup_default(const sim_tets *tets);

typedef struct sim_elastic sim_elastic; /* opaque */

/* Per vertex: velocities [m/s], which may be written between steps; mass [kg]. */
double (*sim_elastic_velocity(sim_elastic *body))[3];
const double *sim_elastic_mass(const sim_elastic *body);

typedef struct sim_elastic_report {
  int iterations;
  double residual;
  int inverted; /* tetrahedra that were inside out before the step */
} sim_elastic_report;

typedef struct sim_elastic_energy {
  double kinetic, elastic, gravity; /* [J] */
} sim_elastic_energy;
/* The energy of the body's present state. */
sim_elastic_energy sim_elastic_energy_of(sim_elastic *body);

/* ---- the contact offset ---- */

/* The contact offset H around a body keeps cloth and body apart. A vertex nearer than H is moved back; one
 * nearer than H + h is pushed off. H is so thick that no corner of the body comes through between the cloth's
 * vertices (Chen, Feng, Wang 2013). */
typedef struct sim_offset_setup {
  /* L, the largest length of an edge between two vertices that meet the body, kept by strain limiting; 0: not
   * limited. */
  double edge_most_m;
  double thickness_m; /* H = 2L/3 */
  double skin_m;      /* h */
  int rounds;
  sim_friction friction;
} sim_offset_setup;

typedef struct sim_offset_report {
  int contacts, extrapolated; /* contacts; of these, outside of the law's loads */
  /* deepest_m: largest depth in the contact offset before the first round; left_m: after the last. */
  double deepest_m;
  double left_m;
  double normal_N, friction_J; /* sum of the normal forces; energy that friction dissipated in the step */
} sim_offset_report;

/* Strain limiting, at the end of a step. */
typedef struct sim_edge_report {
  int at_limit;        /* edges that are held at their limit: longer by less than a thousandth */
  long long corrected; /* corrections of edges after the solve */
  double longest;      /* length of the longest edge over its limit */
} sim_edge_report;

/* ---- a cloth over bodies ---- */

/* One body and what is between it and the cloth. Nothing in it is owned; all must live as long as the
 * layers. */
typedef struct sim_layered_body {
  sim_elastic_setup elastic; /* tets NULL: the body is the surface below, with prescribed motion */
  const double (*surface_m)[3];
  const int (*surface_triangle)[3];
  int surface_vertices, surface_triangles;
  int first_vertex, n_vertices; /* the cloth's vertices that meet the body; n_vertices 0: all */
  /* Per vertex of the cloth that meets it: is sewn to the nearest place of the body at the start. The thread
   * is drawn in at 0.1 m/s until it is 2 % longer than the contact offset is thick. NULL: none. */
  const bool *stitched;
  sim_offset_setup offset;
  /* Of the elastic body on the cloth's rigid bodies; only the value along the warp is used. */
  sim_friction friction;
  bool has_air;
  sim_air_setup air; /* its mesh: these vertices alone, in their order */
  double air_Pa;     /* initial pressure in the layer */
  /* Upper bound of the layer's depth, since cloth far from the body has air all around; 0: none. */
  double air_gap_most_m;
} sim_layered_body;

/* Returns a body without elasticity and air that meets the whole cloth. mesh: of the vertices that meet
 * it. The contact offset is that of the mesh with its longest edge 5 % longer. The air is at
 * SIM_ATMOSPHERE_PA. */
sim_layered_body sim_layered_body_default(const sim_mesh *mesh);

/* A wind's speed is 1 + part sin(2 pi (t - s / front) / period) times its own, s the way from the origin
 * along the wind. part 0: steady; front 0: everywhere at once. */
typedef struct sim_gusts {
  double part, period_s, front_m_per_s;
} sim_gusts;

typedef struct sim_layered_setup {
  sim_cloth_setup cloth; /* its push_N, springs and edge_most_m are set by this module */
  const sim_layered_body *bodies;
  int n_bodies;
  sim_traverse_mode traversal;
  /* Presses on the outside of cloth with air behind it: rho u |u| / 2. u is the wind's speed against the
   * cloth along its normal, rho = SIM_AIR_KG_PER_M3. */
  double wind_m_per_s[3];
  sim_gusts gusts;
} sim_layered_setup;

#define SIM_AIR_KG_PER_M3 1.2
/* The most rounds in which contact offsets and limits of edges take turns in a step. */
#define SIM_LAYERED_ROUNDS 8
/* Returns a setup with sim_cloth_setup_default, without bodies and wind. */
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

/* What happened in a step, over all bodies: sums; for depths the largest. */
typedef struct sim_layered_report {
  sim_step_report cloth;
  sim_elastic_report body;
  sim_offset_report offset;
  sim_edge_report limit;
  sim_air_report air;
  sim_traverse_counts closest_points;
  int grounded; /* vertices of elastic bodies that lie on the cloth's rigid bodies */
  int rounds;   /* in which contact offsets and limits of edges took turns */
  bool agreed;  /* whether they agreed in the end */
  double phase_s[SIM_LAYERED_PHASES];
} sim_layered_report;

typedef struct sim_layered sim_layered; /* opaque */

/* Makes cloth and bodies at rest. Copies the setup; all that it points to must live as long as the layers.
 * Caller: sim_layered_free. Errors: those of the parts; CB_E_RANGE for a vertex of the cloth that starts in a
 * body or its contact offset (with its number and distance), or a range of vertices that the cloth does not
 * have. A body is named by its number, from 1. */
CB_CHECKED cb_status sim_layered_new(const sim_layered_setup *setup, sim_layered **out, cb_err *err);
void sim_layered_free(sim_layered *layered);

sim_cloth *sim_layered_cloth(sim_layered *layered);
/* The time of the gusts, from the next step on; 0 at the start. */
void sim_layered_blow(sim_layered *layered, double time_s);
/* Parts of a body, numbered from 0. NULL where it has none. */
sim_elastic *sim_layered_elastic(sim_layered *layered, int body);
sim_air *sim_layered_air(sim_layered *layered, int body);
const sim_hull *sim_layered_hull(const sim_layered *layered, int body);
/* Positions and velocities of the body's vertices, in the hull's numbers. Those of a surface are the caller's
 * to set. */
double (*sim_layered_body_position(sim_layered *layered, int body))[3];
double (*sim_layered_body_velocity(sim_layered *layered, int body))[3];
/* Closest points of the cloth's vertices that meet the body, in their order. */
const sim_closest_point *sim_layered_closest(const sim_layered *layered, int body);

/* Contacts of the cloth with a body, summed over the steps since the layers were made or loaded;
 * extrapolated: those that press lighter or heavier than the law's loads. */
typedef struct sim_layered_contacts {
  long long contacts, extrapolated;
} sim_layered_contacts;
sim_layered_contacts sim_layered_contacts_of(const sim_layered *layered, int body);

/* The edges as they are now; corrected is 0. */
sim_edge_report sim_layered_edges(const sim_layered *layered);

/* Advances all layers by dt_s. A surface of prescribed motion moves with its velocities. report may be NULL.
 * Errors: those of sim_cloth_step, sim_elastic_step and sim_air_step; CB_E_NUM if a body came through the
 * cloth; CB_E_NOMEM. */
CB_CHECKED cb_status sim_layered_step(sim_layered *layered, double dt_s, sim_layered_report *report,
                                      cb_err *err);

/* As sim_pace_of_cloth, for the bodies in layers: sets *parts so that no body moves further against the cloth
 * that meets it than allowed by the body's inner radius. Bodies must have the velocities of the step. */
CB_CHECKED cb_status sim_layered_pace(const sim_layered *layered, double dt_s, int *parts, cb_err *err);
/* Adds the report of an earlier part of a divided step to that of a later part: iterations, energies,
 * largest depths, counts of closest points, times. `cloth`, contacts and normal force stay those of the
 * later part. */
void sim_layered_report_add(sim_layered_report *sum, const sim_layered_report *before);

/* Saves or loads the state of the layers except the cloth (sim_cloth_archive). Loading that fails leaves the
 * state partly changed. Errors: CB_E_NOMEM; bad bytes set `wrong`. */
CB_CHECKED cb_status sim_layered_archive(sim_layered *layered, cb_archive *a, cb_err *err);

#endif
