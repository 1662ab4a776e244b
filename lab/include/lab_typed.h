/* Properties that a person types: facts of a material, a drape coefficient, a bending length, a coefficient
 * of friction, each with its conditions and its source. They become the same rows as what is imported. */
#ifndef LAB_TYPED_H
#define LAB_TYPED_H

#include "cb_friction_law.h"
#include "cb_store.h"

/* NAN, NULL: not typed. u: standard uncertainty, 0: not known. */
typedef struct lab_typed {
  const char *name, *source; /* of the material; who says so */
  cb_material_kind kind;
  const char *composition, *weave;
  double thickness_m, u_thickness_m, areal_density_kg_per_m2, u_areal_density_kg_per_m2;
  double drape_coefficient, u_drape_coefficient, support_m, specimen_m;
  /* as the standards compute them from a cantilever at 41.5 degrees, in the direction angle_deg */
  double bending_length_m, u_bending_length_m, flexural_rigidity_Nm, u_flexural_rigidity_Nm;
  /* on a body: one coefficient under these conditions */
  const char *body;
  double mu, u_mu, normal_force_N, angle_deg, contact_area_m2, speed_m_per_s;
  cb_friction_kind friction_kind;
} lab_typed;

/* Nothing is typed: discs of 18 and 30 cm, a contact of 50 cm2 at 10 mm/s along the warp. */
lab_typed lab_typed_default(void);

/* All of it in one transaction. CB_E_ARG: nothing was typed, or something lacks its conditions. CB_E_RANGE: a
 * fact is known already and differs (cb_store_material_learn), a number cannot be. */
CB_CHECKED cb_status lab_typed_store(cb_store *s, const lab_typed *t, cb_err *err);

#endif
