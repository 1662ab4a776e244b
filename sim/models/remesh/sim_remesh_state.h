/* The stages of a remeshing, for sim/models/remesh, tests and benches. */
#ifndef SIM_REMESH_STATE_H
#define SIM_REMESH_STATE_H

#include "sim_remesh.h"

/* Makes a state on a copy of the mesh: at rest, without grips and loads. Clear *out even after an error. */
CB_CHECKED cb_status sim_remesh_state_init(const sim_mesh *mesh, sim_remesh_state *out, cb_err *err);
void sim_remesh_state_clear(sim_remesh_state *sheet);

/* Fills metric[n_vertices] with the wanted metric M_uu, M_uv, M_vv [1/m2] by the rules. curvature_per_m is
 * K_uu, K_vv, K_uv per triangle (sim_cloth_curvature); NULL means flat. */
void sim_remesh_sizes(const sim_remesh_rules *rules, const sim_remesh_state *sheet,
                      const double (*curvature_per_m)[3], const sim_body *bodies, int n_bodies,
                      double (*metric)[3]);

/* Brings the wanted lengths and the aspect of metric (M_uu, M_uv, M_vv) [1/m2] within the rules. */
void sim_remesh_limit(const sim_remesh_rules *rules, double metric[3]);

/* Sets the rules for the next remeshing. Error: CB_E_RANGE for a number out of range. */
CB_CHECKED cb_status sim_remesh_set_rules(sim_remesh *r, const sim_remesh_rules *rules, cb_err *err);

#endif
