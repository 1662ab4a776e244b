#ifndef SIM_WET_CLOTH_IMPL_H
#define SIM_WET_CLOTH_IMPL_H

#include "sim_self.h"
#include "sim_wet_cloth.h"

typedef struct sim_stretch {
  int vertex[2];
  double length_m, per_k; /* compliance [m/N] */
} sim_stretch;

typedef struct sim_bend {
  int vertex[4]; /* the edge's, the corners opposite */
  double angle_rad, per_k;
} sim_bend;

struct sim_wet_cloth {
  sim_wet_cloth_setup setup;
  sim_mesh mesh;
  int n, n_bends;
  double time_s;
  double (*x)[3], (*v)[3], (*begin)[3], (*before)[3]; /* before: the small step; begin: the step */
  double *inverse_mass;
  bool *held;
  sim_stretch *stretch; /* per edge of the mesh */
  sim_bend *bend;
  sim_self *self; /* NULL: thickness 0 */
};

/* Constraints, masses and memory of s->mesh; x, v, held stay as they are. */
CB_CHECKED cb_status sim_wet_cloth_build(sim_wet_cloth *s, cb_err *err);
void sim_wet_cloth_unbuild(sim_wet_cloth *s);

void sim_wet_cloth_project(sim_wet_cloth *s, double h_s, const sim_self_contact *contact, int n_contacts,
                           sim_wet_cloth_guest *guest, int n_guests);
void sim_wet_cloth_damp(sim_wet_cloth *s, double h_s);

#endif
