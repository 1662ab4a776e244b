/* A cloth between two meshes, by itself. */
#ifndef SIM_REMESH_STATE_H
#define SIM_REMESH_STATE_H

#include "sim_remesh.h"

/* A copy of the mesh, as it was made, at rest and free. Clear it in any case. */
CB_CHECKED cb_status sim_remesh_state_init(const sim_mesh *mesh, sim_remesh_state *out, cb_err *err);
void sim_remesh_state_clear(sim_remesh_state *sheet);

/* The metric per vertex (M_uu, M_uv, M_vv) [1/m2] by the rules. curvature_per_m: per triangle K_uu, K_vv,
 * K_uv (sim_cloth_curvature); NULL: flat. */
void sim_remesh_sizes(const sim_remesh_rules *rules, const sim_remesh_state *sheet,
                      const double (*curvature_per_m)[3], const sim_body *bodies, int n_bodies,
                      double (*metric)[3]);

/* A new mesh by this metric, which is brought between the rules' limits first. *out is empty after an error.
 * Errors: a seam (a vertex with several places in the cloth), two pieces that meet in a vertex, a metric that
 * is not finite and positive, memory. */
CB_CHECKED cb_status sim_remesh_run(const sim_remesh_rules *rules, const sim_remesh_state *sheet,
                                    const double (*metric)[3], double areal_density_kg_per_m2,
                                    sim_remesh_state *out, sim_remesh_report *report, cb_err *err);

/* New rules from the next remeshing on. */
CB_CHECKED cb_status sim_remesh_set_rules(sim_remesh *r, const sim_remesh_rules *rules, cb_err *err);

#endif
