/* The state of sim_wet_cloth, private to sim/models/fluid/. */
#ifndef SIM_WET_CLOTH_IMPL_H
#define SIM_WET_CLOTH_IMPL_H

#include "sim_self.h"
#include "sim_wet_cloth.h"

/* Stretch of one edge: rest length and compliance. */
typedef struct sim_stretch {
  int vertex[2];
  double length_m, per_k; /* compliance [m/N] */
} sim_stretch;

/* Bending of one inner edge: rest angle and compliance [1/(N m)]. */
typedef struct sim_bend {
  int vertex[4]; /* ends of the edge, then the opposite corners */
  double angle_rad, per_k;
} sim_bend;

struct sim_wet_cloth {
  sim_wet_cloth_setup setup;
  sim_mesh mesh;
  int n, n_bends;
  double time_s;
  double (*x)[3], (*v)[3], (*begin)[3], (*before)[3]; /* positions before the substep; at the start of the
                                                         step */
  double *inverse_mass;
  bool *held;
  sim_stretch *stretch; /* per edge of the mesh */
  sim_bend *bend;
  sim_self *self; /* NULL if the thickness is 0 */
};

/* Makes constraints, masses and scratch of s->mesh; x, v and held stay. Error: memory. */
CB_CHECKED cb_status sim_wet_cloth_build(sim_wet_cloth *s, cb_err *err);
/* Frees what sim_wet_cloth_build made. */
void sim_wet_cloth_unbuild(sim_wet_cloth *s);

/* Solves all constraints once, in positions, for a substep of h_s. */
void sim_wet_cloth_project(sim_wet_cloth *s, double h_s, const sim_self_contact *contact, int n_contacts,
                           sim_wet_cloth_guest *guest, int n_guests);
/* Damps the stretch of all edges, in velocities. */
void sim_wet_cloth_damp(sim_wet_cloth *s, double h_s);

#endif
