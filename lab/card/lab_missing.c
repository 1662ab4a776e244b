#include "lab_missing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lab_material_parts.h"

const char *const lab_need_names[] = {"areal density",          "thickness", "stretch along the warp",
                                      "stretch along the weft", "shear",     "bending",
                                      "permeability",           "friction",  NULL};
const char *const lab_need_sources[] = {
    "a weighed piece (ISO 3801): 'clothbench material set', or the areal density of any imported test",
    "a thickness gauge (ISO 5084): 'clothbench material set'",
    "strips at 0 degrees: 'clothbench import stretch', 'clothbench fit stretch'",
    "strips at 90 degrees: 'clothbench import stretch', 'clothbench fit stretch'",
    ("strips at 0, 45 and 90 degrees, or shear tests: 'clothbench import stretch', 'clothbench import "
     "shear', "
     "'clothbench fit stretch'"),
    "cantilevers or a bending tester: 'clothbench import cantilever', 'clothbench fit bending'",
    "air permeability (ISO 9237): 'clothbench import permeability', 'clothbench fit permeability'",
    "pulls on a body: 'clothbench run' or 'clothbench import friction', 'clothbench fit friction'",
    NULL};

bool lab_missing_drapes(const lab_missing *m) {
  for (int k = 0; k < LAB_PERMEABILITY; k++)
    if (!m->has[k]) return false;
  return true;
}

static void note_stretch(const lab_cloth_laws *laws, lab_missing *m) {
  static const lab_need of[] = {LAB_STRETCH_WARP, LAB_STRETCH_WEFT, LAB_SHEAR};
  sim_curve curve;
  for (int axis = 0; axis < 3 && laws->has_stretch; axis++)
    m->has[of[axis]] = lab_cloth_curve(&laws->stretch, (cb_stretch_axis)axis, &curve, NULL) == CB_OK;
}

static void note_friction(const char *cloth, const cb_friction_law *laws, size_t n, lab_missing *m) {
  for (size_t i = 0; i < n; i++)
    m->bodies += laws[i].kind == CB_FRICTION_KINETIC && strcmp(laws[i].cloth, cloth) == 0;
  m->has[LAB_FRICTION] = m->bodies > 0;
}

static cb_status look_up(cb_store *s, const char *cloth, const cb_friction_law *laws, size_t n,
                         lab_missing *m, cb_err *err) {
  lab_cloth_laws *known = malloc(sizeof *known);
  if (!known) return cb_no_memory(err, "the laws of '%s'", cloth);
  const cb_status st = lab_cloth_laws_load(s, cloth, NULL, known, err);
  *m = (lab_missing){.bodies = 0};
  (void)snprintf(m->cloth, sizeof m->cloth, "%s", cloth);
  if (st == CB_OK) {
    m->has[LAB_AREAL_DENSITY] = known->facts.areal_density_kg_per_m2 > 0;
    m->has[LAB_THICKNESS] = known->facts.thickness_m > 0;
    m->has[LAB_BENDING] = known->has_bending;
    m->has[LAB_PERMEABILITY] = known->has_permeability;
    note_stretch(known, m);
    note_friction(cloth, laws, n, m);
  }
  free(known);
  return st;
}

typedef struct cloths {
  cb_material *list;
  size_t n;
  cb_friction_law *laws;
  size_t n_laws;
} cloths;

static cb_status look_each_up(cb_store *s, const cloths *c, const char *cloth, lab_missing **list, size_t *n,
                              cb_err *err) {
  lab_missing *out = calloc(c->n + 1, sizeof *out);
  cb_status st = out ? CB_OK : cb_no_memory(err, "%zu cloths", c->n);
  *n = 0;
  for (size_t i = 0; i < c->n && st == CB_OK; i++)
    if (c->list[i].kind == CB_CLOTH && (!cloth || strcmp(cloth, c->list[i].name) == 0))
      st = look_up(s, c->list[i].name, c->laws, c->n_laws, &out[(*n)++], err);
  if (st == CB_OK) *list = out;
  if (st != CB_OK) free(out);
  return st;
}

cb_status lab_missing_list(cb_store *s, const char *cloth, lab_missing **list, size_t *n, cb_err *err) {
  cb_material one;
  cloths c = {.n = 0};
  *list = NULL;
  if (cloth) CB_TRY(cb_store_material_find(s, CB_CLOTH, cloth, &one, err));
  CB_TRY(cb_store_materials(s, &c.list, &c.n, err));
  cb_status st = cloth ? cb_store_laws_of(s, one.id, &c.laws, &c.n_laws, err)
                       : cb_store_laws(s, &c.laws, &c.n_laws, err);
  if (st == CB_OK) st = look_each_up(s, &c, cloth, list, n, err);
  free(c.laws);
  free(c.list);
  return st;
}
