/* A cloth, Twill, and a body, Foam, whose laws a database holds: what lab/ and the simulator take of them. */
#ifndef TWILLLAWS_H
#define TWILLLAWS_H

#include "cb_store_material_test.h"
#include "cb_law_json.h"
#include "lablaw.h"

static inline void tw_put(cb_store *s, int64_t material, cb_material_law_kind kind, const char *method,
                          json_t *doc) {
  cb_material_law row = {
      .material_id = material, .kind = kind, .origin = CB_IMPORTED, .result_json = ll_text(doc)};
  (void)snprintf(row.method, sizeof row.method, "%s", method);
  assert_ok(cb_store_material_law_put(s, &row, NULL, 0, err));
  free(row.result_json);
}

/* Straight strips: 500, 400 and, at 45 degrees, 100 N/m up to a strain of 4 %. */
static inline cb_stretch_law tw_stretch(void) {
  static const double slope[] = {500, 100, 400};
  cb_stretch_law law = {.cloth = "Twill", .origin = CB_IMPORTED, .n = 3};
  for (int d = 0; d < 3; d++) {
    cb_stretch_direction *to = &law.directions[d];
    *to = (cb_stretch_direction){
        .angle_deg = 45 * d, .n_tests = 1, .dof = 1, .n_knots = 5, .k1_N_per_m = slope[d]};
    to->kes = (cb_stretch_kes){NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN};
    for (int k = 0; k < 5; k++)
      to->knots[k] = (cb_stretch_knot){0.01 * k, 0.01 * k * slope[d], 0.01 * k, NAN};
  }
  return law;
}

static inline cb_bending_law tw_bending(void) {
  return (cb_bending_law){.form = CB_BENDING_PEIRCE,
                          .B_Nm = {1e-5, 9e-6, 8e-6},
                          .dof = 5,
                          .curvature_per_m = 100,
                          .curvature_min_per_m = 50,
                          .curvature_max_per_m = 150,
                          .width_N = {1e-3, NAN},
                          .u_width_N = {1e-4, NAN}};
}

static inline cb_friction_law tw_friction(cb_friction_kind kind, double mu) {
  return (cb_friction_law){.cloth = "Twill",
                           .body = "Foam",
                           .origin = CB_IMPORTED,
                           .kind = kind,
                           .form = CB_FORM_ISOTROPIC,
                           .contact_area_m2 = 1e-3,
                           .model = CB_MODEL_COULOMB,
                           .exponent = 1,
                           .dof = 10,
                           .speed_m_per_s = NAN,
                           .n_knots = 1,
                           .knots = {{.normal_force_N = 1, .f_N = {mu, 0, mu}}}};
}

static inline void tw_put_all(cb_store *s) {
  cb_material facts = {.kind = CB_CLOTH,
                       .name = "Twill",
                       .areal_density_kg_per_m2 = 0.2,
                       .thickness_m = 4e-4,
                       .origin = CB_IMPORTED};
  cb_stretch_law st = tw_stretch();
  cb_bending_law b = tw_bending();
  cb_elasticity_law e = cb_elasticity_law_unknown();
  cb_friction_law f[] = {tw_friction(CB_FRICTION_KINETIC, 0.3), tw_friction(CB_FRICTION_STATIC, 0.4)};
  int64_t cloth, body;
  assert_ok(cb_store_material_learn(s, &facts, &cloth, err));
  assert_ok(cb_store_material_ensure(s, CB_BODY, "Foam", CB_IMPORTED, &body, err));
  tw_put(s, cloth, CB_LAW_STRETCH, "", cb_stretch_json(&st));
  tw_put(s, cloth, CB_LAW_BENDING, "by hand", json_pack("{s:o}", "law", cb_bending_json(&b)));
  e.value[CB_ELASTIC_YOUNG] = 5e4;
  tw_put(s, body, CB_LAW_ELASTICITY, "", json_pack("{s:o}", "law", cb_elasticity_json(&e)));
  for (int k = 0; k < 2; k++)
    assert_ok(cb_store_law_put(s, &f[k], cloth, body, NULL, 0, "by hand", "{}", err));
}

/* Air, by a power law: 0.1 m/s at 100 Pa. */
static inline void tw_put_permeability(cb_store *s) {
  const cb_permeability_law law = {.origin = CB_IMPORTED,
                                   .reference_Pa = 100,
                                   .curve = {CB_PERMEABILITY_POWER, 0.1, 0.8},
                                   .u_ln_level = 0.01,
                                   .dof_level = 5,
                                   .dof_shape = 5,
                                   .min_Pa = 50,
                                   .max_Pa = 200};
  tw_put(s, ll_cloth(s, "Twill"), CB_LAW_PERMEABILITY, "",
         json_pack("{s:o}", "law", cb_permeability_json(&law)));
}

#endif
