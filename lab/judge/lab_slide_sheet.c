/* The sheet of a simulated pull: the cloth's own properties, as far as the store has them. */
#include <stdlib.h>

#include "lab_material_parts.h"
#include "lab_slide_parts.h"

/* Where the store has no law. On a flat sheet that is held over its area they move nothing. */
#define ASSUMED_KG_PER_M2 0.15
#define ASSUMED_STRETCH_N_PER_M 1000.0
#define ASSUMED_BENDING_NM 1e-5

static cb_status set_stretch(const lab_cloth_laws *laws, lab_slide_case *c, cb_err *err) {
  sim_curve *const curves[] = {&c->cloth->warp, &c->cloth->weft, &c->cloth->shear};
  sim_curve found[3];
  cb_status st = laws->has_stretch ? CB_OK : CB_E_NOTFOUND;
  for (int k = 0; k < 3 && st == CB_OK; k++)
    st = lab_cloth_curve(&laws->stretch, (cb_stretch_axis)k, &found[k], err);
  if (st == CB_OK) {
    for (int k = 0; k < 3; k++) *curves[k] = found[k];
    c->sheet.stretch_law_id = laws->stretch.id;
    return CB_OK;
  }
  if (c->sheet.grip == LAB_SLIDE_AREA && st == CB_E_NOTFOUND) return CB_OK;
  if (laws->has_stretch) return st;
  return cb_fail(err, CB_E_NOTFOUND,
                 "'%s' has no law of stretch: a cloth that is held at its edge wants one; 'clothbench fit "
                 "stretch', or a cloth that is held over its area",
                 laws->facts.name);
}

static cb_status set_air(const lab_cloth_laws *laws, lab_slide_case *c, cb_err *err) {
  if (!laws->has_permeability) return CB_OK;
  c->air = malloc(sizeof *c->air);
  if (!c->air) return cb_no_memory(err, "a law of permeability");
  *c->air = laws->permeability;
  c->sheet.permeability_law_id = laws->permeability.id;
  return CB_OK;
}

static cb_status set_sheet(const lab_cloth_laws *laws, lab_slide_case *c, cb_err *err) {
  const double mass = laws->facts.areal_density_kg_per_m2;
  c->cloth = malloc(sizeof *c->cloth);
  if (!c->cloth) return cb_no_memory(err, "a cloth");
  c->sheet.mass_assumed = !(mass > 0);
  c->sheet.areal_density_kg_per_m2 = mass > 0 ? mass : ASSUMED_KG_PER_M2;
  *c->cloth =
      sim_material_isotropic(c->sheet.areal_density_kg_per_m2, ASSUMED_STRETCH_N_PER_M, ASSUMED_BENDING_NM);
  c->cloth->thickness_m = laws->facts.thickness_m;
  CB_TRY(set_stretch(laws, c, err));
  if (laws->has_bending) {
    cb_bending_shell(&laws->bending, c->cloth->bending_Nm);
    c->sheet.bending_law_id = laws->bending_id;
  }
  CB_TRY(set_air(laws, c, err));
  return sim_material_check(c->cloth, err);
}

cb_status lab_slide_sheet_load(cb_store *s, lab_slide_case *c, cb_err *err) {
  lab_cloth_laws *laws = malloc(sizeof *laws);
  if (!laws) return cb_no_memory(err, "the laws of a cloth");
  cb_status st = lab_cloth_laws_load(s, c->kinetic.cloth, NULL, laws, err);
  if (st == CB_OK) st = set_sheet(laws, c, err);
  free(laws);
  return st;
}
