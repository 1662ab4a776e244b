#include "cli_cloth_laws.h"

#include "lab_material.h"

cb_status cli_cloth_curve(const cb_stretch_law *law, cb_stretch_axis axis, sim_curve *out, cb_err *err) {
  cb_stretch_green g;
  cb_stretch_green_curve(law, axis, &g);
  if (g.n < 2 && law->n == 0 && law->has_wang) cb_stretch_green_table(&law->wang, axis, &g);
  if (g.n < 2)
    return cb_fail(err, CB_E_NOTFOUND,
                   "%s: its law of stretch tells no %s, which wants tests %s: a number was wanted, or 'clothbench fit stretch' with them",
                   law->cloth, cb_stretch_axis_names[axis], axis == CB_STRETCH_SHEAR ? "at 0, 90 and 45 degrees" : "along it");
  out->n = (int)g.n;
  for (size_t k = 0; k < g.n; k++) {
    out->strain[k] = g.strain[k];
    out->stress_N_per_m[k] = g.stress_N_per_m[k];
  }
  return CB_OK;
}

cb_status cli_cloth_facts(cb_store *s, const char *name, cb_material *out, cb_err *err) {
  CB_TRY(cb_store_material_find(s, CB_CLOTH, name, out, err));
  return lab_material_weigh(s, out, err);
}
