/* A new mesh by a metric. */
#include "sim_remesh.h"

#include "sim_patchwork.h"
#include "sim_remesh_rounds.h"
#include "sim_remesh_sheet.h"
#include "sim_remesh_size.h"

cb_status sim_remesh_run(const sim_remesh_rules *rules, const sim_remesh_sheet *sheet, const double (*metric)[3],
                         double areal_density_kg_per_m2, sim_remesh_sheet *out, sim_remesh_report *report, cb_err *err) {
  sim_patchwork p;
  sim_remesh_report own;
  *out = (sim_remesh_sheet){0};
  CB_TRY(sim_remesh_rules_check(rules, err));
  cb_status st = sim_patchwork_init(sheet, metric, areal_density_kg_per_m2, &p, err);
  for (int i = 0; st == CB_OK && i < p.n_vertices; i++) sim_remesh_limit(rules, p.vertex[i].metric);
  if (st == CB_OK) st = sim_remesh_rounds(&p, &own, err);
  if (st == CB_OK) st = sim_patchwork_finish(&p, out, err);
  if (st == CB_OK && report != NULL) *report = own;
  sim_patchwork_clear(&p);
  return st;
}
