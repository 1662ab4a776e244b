#include "cb_store_material_test.h"
#include "lab_material_parts.h"

#include <stdlib.h>
#include <string.h>

#include "cb_law_json.h"
#include "lab_drape.h"
#include "lab_friction.h"
#include "lab_self_friction_parts.h"

/* ---- parts ---- */

cb_status lab_cloth_facts(cb_store *s, const char *name, cb_material *out, cb_err *err) {
  CB_TRY(cb_store_material_find(s, CB_CLOTH, name, out, err));
  return lab_material_weigh(s, out, err);
}

cb_status lab_cloth_curve(const cb_stretch_law *law, cb_stretch_axis axis, sim_curve *out, cb_err *err) {
  cb_stretch_green g;
  cb_stretch_green_curve(law, axis, &g);
  if (g.n < 2 && law->n == 0 && law->has_wang) cb_stretch_green_table(&law->wang, axis, &g);
  if (g.n < 2)
    return cb_fail(
        err, CB_E_NOTFOUND,
        "%s: its law of stretch tells no %s, which wants tests %s: a number was wanted, or 'clothbench fit "
        "stretch' with them",
        law->cloth, cb_stretch_axis_names[axis],
        axis == CB_STRETCH_SHEAR ? "at 0, 90 and 45 degrees" : "along it");
  out->n = (int)g.n;
  for (size_t k = 0; k < g.n; k++) {
    out->strain[k] = g.strain[k];
    out->stress_N_per_m[k] = g.stress_N_per_m[k];
  }
  return CB_OK;
}

/* ---- all of them ---- */

/* Whether it is there; a law that is not there is no error. */
static cb_status note_found(cb_status st, bool *has) {
  *has = st == CB_OK;
  return st == CB_E_NOTFOUND ? CB_OK : st;
}

static cb_status load_bending(cb_store *s, lab_cloth_laws *out, cb_err *err) {
  cb_material_law row;
  CB_TRY(cb_store_law_of(s, CB_LAW_BENDING, out->facts.name, &out->bending, &row, err));
  free(row.result_json);
  out->bending_id = row.id;
  out->bending_of_drapes = strncmp(row.method, LAB_DRAPE_METHOD, strlen(LAB_DRAPE_METHOD)) == 0;
  return CB_OK;
}

static cb_status load_pair(cb_store *s, const char *body, lab_cloth_laws *out, cb_err *err) {
  const char *cloth = out->facts.name;
  cb_material m;
  CB_TRY(cb_store_material_find(s, CB_BODY, body, &m, err));
  cb_status st = lab_friction_law_find(s, cloth, body, CB_FRICTION_KINETIC, &out->kinetic, NULL, err);
  CB_TRY(note_found(st, &out->has_kinetic));
  st = lab_friction_law_find(s, cloth, body, CB_FRICTION_STATIC, &out->stat, NULL, err);
  CB_TRY(note_found(st, &out->has_static));
  st = lab_self_friction_law_find(s, cloth, body, &out->self_friction, err);
  CB_TRY(note_found(st, &out->has_self_friction));
  st = cb_store_law_of(s, CB_LAW_ELASTICITY, body, &out->elasticity, NULL, err);
  return note_found(st, &out->has_elasticity);
}

cb_status lab_cloth_laws_load(cb_store *s, const char *cloth, const char *body, lab_cloth_laws *out,
                              cb_err *err) {
  *out = (lab_cloth_laws){.bending_id = 0};
  CB_TRY(lab_cloth_facts(s, cloth, &out->facts, err));
  CB_TRY(note_found(cb_store_law_of(s, CB_LAW_STRETCH, cloth, &out->stretch, NULL, err), &out->has_stretch));
  CB_TRY(note_found(load_bending(s, out, err), &out->has_bending));
  CB_TRY(note_found(cb_store_law_of(s, CB_LAW_PERMEABILITY, cloth, &out->permeability, NULL, err),
                    &out->has_permeability));
  CB_TRY(body ? load_pair(s, body, out, err) : CB_OK);
  if (err) err->msg[0] = '\0'; /* what is not there was no error */
  return CB_OK;
}
