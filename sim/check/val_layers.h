/* A case around a ball with air between, for the experiments on air; private to validate/. */
#ifndef VAL_LAYERS_H
#define VAL_LAYERS_H

#include "sim_layered.h"
#include "sim_mesh.h"

typedef struct val_layers {
  sim_mesh mesh;
  sim_tets tets;
  sim_material material;
  bool *gripped;
  sim_layered_body body;
  sim_layered_setup setup; /* without gravity */
} val_layers;

/* Makes a case of radius case_m with cells x cells quads on either side, and a ball of ball_m with
 * prescribed motion. rigid: the case is held. The setup may be changed before sim_layered_new. *l must not
 * move: it points into itself. The caller calls val_layers_clear, even after an error. Error: memory. */
CB_CHECKED cb_status val_layers_make(val_layers *l, double case_m, int cells, double ball_m, int ball_cells,
                                     bool rigid, cb_err *err);
void val_layers_clear(val_layers *l);

/* Makes the surface of the tetrahedra that of the body. They must outlive it. */
void val_layers_skin(sim_layered_body *body, const sim_tets *tets);

/* Returns the volume inside a closed surface, by the divergence theorem. */
double val_volume_m3(const double (*x_m)[3], const int (*triangle)[3], int n_triangles);

/* Totals of the air: amount, volume, mean pressure by volume, least amount at a vertex. */
typedef struct val_air {
  double amount_J, volume_m3, pressure_Pa, least_J;
} val_air;
val_air val_air_of(sim_layered *layered, int n_vertices);

/* Steady flow of air as a network of conductances, solved densely by Kirchhoff's laws: a reference for the
 * solvers of sim_air. */

typedef struct val_network {
  const sim_mesh *mesh;
  const double (*x_m)[3];
  const double *gap_m;
  double flow_m_per_s;        /* along an edge: flow = this x section x pressure difference */
  const double *out_m3_per_s; /* per vertex, to its outside: flow = this x pressure difference */
  const double *outside_Pa;
} val_network;

/* Fills pressure_Pa per vertex, so that no air accumulates anywhere. It needs n^2 doubles. Error: memory. */
CB_CHECKED cb_status val_network_solve(const val_network *w, double *pressure_Pa, cb_err *err);

#endif
