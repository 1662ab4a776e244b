/* A new mesh by a metric. */
#include "sim_remesh.h"

#include "sim_mesh_edit.h"
#include "sim_remesh_rounds.h"
#include "sim_remesh_state.h"
#include "sim_remesh_size.h"

cb_status sim_remesh_run(const sim_remesh_rules *rules, const sim_remesh_state *sheet,
                         const double (*metric)[3], double areal_density_kg_per_m2, sim_remesh_state *out,
                         sim_remesh_report *report, cb_err *err) {
  sim_mesh_edit p;
  sim_remesh_report own;
  *out = (sim_remesh_state){0};
  CB_TRY(sim_remesh_rules_check(rules, err));
  cb_status st = sim_mesh_edit_init(sheet, metric, areal_density_kg_per_m2, &p, err);
  for (int i = 0; st == CB_OK && i < p.n_vertices; i++) sim_remesh_limit(rules, p.vertex[i].metric);
  if (st == CB_OK) st = sim_remesh_rounds(&p, &own, err);
  if (st == CB_OK) st = sim_mesh_edit_finish(&p, out, err);
  if (st == CB_OK && report) *report = own;
  sim_mesh_edit_clear(&p);
  return st;
}
