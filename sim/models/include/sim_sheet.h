/* Position-based cloth (Mueller et al., J. Vis. Commun. 18:109, 2007) with compliances (XPBD: Macklin, Mueller, Chentanez, MIG 2016), in
 * small steps of one iteration each (Macklin et al., SCA 2019):
 *
 *   stretch  C = |x1 - x2| - l0            of every edge, k = stretch A/l0^2 [N/m], A the area of its triangles
 *   bend     C = arccos(n1.n2) - phi0      of every inner edge, signed; k = 3 bend l0^2/A [N m] (Grinspun et al., SCA 2003)
 *   apart    C = n.(p - q) - thickness >= 0 of the cloth's own places that are near each other (sim_self.h finds them)
 *   guest    C = n.(p - q) - gap >= 0      of points of others that touch it
 *
 * A correction of C moves by -C/(sum w |grad C|^2 + 1/(k h^2)) w grad C, w = 1/mass: opposite momenta to the last rounding. What a
 * guest feels over a contact is the integral of k x depth, implicit in time: an explicit penalty would be unstable, cloth being lighter
 * than what lies on it. Constraints are taken one after the other in a fixed order. After the step sim_self_resolve lets nothing have
 * passed. SI. */
#ifndef SIM_SHEET_H
#define SIM_SHEET_H

#include <stdbool.h>

#include "sim_mesh.h"

typedef struct sim_sheet_setup {
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
} sim_sheet_setup;

/* 0.15 kg/m2, 1000 N/m, 1e-5 N m, contact 5000 N/m, 1 mm thick, no tearing, damping 2 ms, no drag, standard gravity along -z, 8 small
 * steps. */
sim_sheet_setup sim_sheet_setup_default(const sim_mesh *mesh);
CB_CHECKED cb_status sim_sheet_setup_check(const sim_sheet_setup *s, cb_err *err);

/* A mass point that touches a triangle: n points from the cloth to it. Moves along, and its velocity changes. */
typedef struct sim_sheet_guest {
  double x[3], v[3], inverse_mass_per_kg;
  int vertex[3];
  double weight[3], normal[3], gap_m;
  double impulse_Ns; /* out: along n */
} sim_sheet_guest;

typedef struct sim_sheet_report {
  int contacts;      /* pairs of the cloth's own places */
  int stopped;       /* vertices that sim_self_resolve moved as one */
  double strain_max; /* of an edge */
} sim_sheet_report;

typedef struct sim_sheet sim_sheet;

/* At rest as the mesh was made. Caller: sim_sheet_free. */
CB_CHECKED cb_status sim_sheet_new(const sim_sheet_setup *setup, sim_sheet **out, cb_err *err);
void sim_sheet_free(sim_sheet *s);

/* As it is now: tearing adds vertices and edges (its sim_sheet_age counts how often). */
const sim_mesh *sim_sheet_mesh(const sim_sheet *s);
int sim_sheet_age(const sim_sheet *s);
double (*sim_sheet_position(sim_sheet *s))[3];
double (*sim_sheet_velocity(sim_sheet *s))[3];
const double (*sim_sheet_before(const sim_sheet *s))[3];  /* positions where the last step began */
const double *sim_sheet_inverse_mass(const sim_sheet *s); /* 0: held */
double sim_sheet_time(const sim_sheet *s);

/* guests may be NULL with n = 0; report may be NULL. CB_E_NUM: a number that is not finite; memory, when lists grow. */
CB_CHECKED cb_status sim_sheet_step(sim_sheet *s, double dt_s, sim_sheet_guest *guest, int n_guests, sim_sheet_report *report, cb_err *err);
/* Parts what is stretched too far; between steps. Adds to *torn. */
CB_CHECKED cb_status sim_sheet_tear(sim_sheet *s, int *torn, cb_err *err);

/* Pairs of its triangles that cross: 0 where cloth is whole. */
CB_CHECKED cb_status sim_sheet_crossings(sim_sheet *s, int *out, cb_err *err);

#endif
