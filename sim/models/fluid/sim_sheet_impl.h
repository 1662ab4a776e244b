#ifndef SIM_SHEET_IMPL_H
#define SIM_SHEET_IMPL_H

#include "sim_self.h"
#include "sim_sheet.h"

typedef struct sim_stretch {
  int vertex[2];
  double length_m, per_k; /* compliance [m/N] */
} sim_stretch;

typedef struct sim_bend {
  int vertex[4]; /* the edge's, the corners opposite */
  double angle_rad, per_k;
} sim_bend;

struct sim_sheet {
  sim_sheet_setup setup;
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
CB_CHECKED cb_status sim_sheet_build(sim_sheet *s, cb_err *err);
void sim_sheet_unbuild(sim_sheet *s);

void sim_sheet_project(sim_sheet *s, double h_s, const sim_self_contact *contact, int n_contacts,
                       sim_sheet_guest *guest, int n_guests);
void sim_sheet_damp(sim_sheet *s, double h_s);

#endif
