/* All laws of a cloth by its name, as a program that is not the command line asks for them, and the
 * simulator's material made of them. */
#include "cb_law_json.h"
#include "cb_num.h"
#include "lab_bending.h"
#include "lab_cloth_laws.h"
#include "lab_drape.h"
#include "lablaw.h"

static lab_cloth_laws laws; /* large */

static void put_law(cb_store *s, int64_t material, cb_material_law_kind kind, const char *method,
                    json_t *doc) {
  cb_material_law row = {
      .material_id = material, .kind = kind, .origin = CB_IMPORTED, .result_json = ll_text(doc)};
  (void)snprintf(row.method, sizeof row.method, "%s", method);
  assert_ok(cb_store_material_law_put(s, &row, NULL, 0, err));
  free(row.result_json);
}

/* Straight strips: 500, 400 and, at 45 degrees, 100 N/m up to a strain of 4 %. */
static cb_stretch_law stretch(void) {
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

static cb_bending_law bending(void) {
  return (cb_bending_law){.form = CB_BENDING_PEIRCE,
                          .B_Nm = {1e-5, 9e-6, 8e-6},
                          .dof = 5,
                          .curvature_per_m = 100,
                          .curvature_min_per_m = 50,
                          .curvature_max_per_m = 150,
                          .width_N = {1e-3, NAN},
                          .u_width_N = {1e-4, NAN}};
}

static cb_friction_law friction(cb_friction_kind kind, double mu) {
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

static void put_all(cb_store *s) {
  cb_material facts = {.kind = CB_CLOTH,
                       .name = "Twill",
                       .areal_density_kg_per_m2 = 0.2,
                       .thickness_m = 4e-4,
                       .origin = CB_IMPORTED};
  cb_stretch_law st = stretch();
  cb_bending_law b = bending();
  cb_elasticity_law e = cb_elasticity_law_unknown();
  cb_friction_law f[] = {friction(CB_FRICTION_KINETIC, 0.3), friction(CB_FRICTION_STATIC, 0.4)};
  int64_t cloth, body;
  assert_ok(cb_store_material_learn(s, &facts, &cloth, err));
  assert_ok(cb_store_material_ensure(s, CB_BODY, "Foam", CB_IMPORTED, &body, err));
  put_law(s, cloth, CB_LAW_STRETCH, "", cb_stretch_json(&st));
  put_law(s, cloth, CB_LAW_BENDING, "by hand", json_pack("{s:o}", "law", cb_bending_json(&b)));
  e.value[CB_ELASTIC_YOUNG] = 5e4;
  put_law(s, body, CB_LAW_ELASTICITY, "", json_pack("{s:o}", "law", cb_elasticity_json(&e)));
  for (int k = 0; k < 2; k++)
    assert_ok(cb_store_law_put(s, &f[k], cloth, body, NULL, 0, "by hand", "{}", err));
}

/* The program: ask, see what is there, compute. */
static void one_call_has_them_all(void **state) {
  store_fixture *f = *state;
  sim_material m;
  cb_friction_value v;
  put_all(f->s);
  assert_ok(lab_cloth_laws_load(f->s, "Twill", "Foam", &laws, err));
  assert_true(laws.has_stretch && laws.has_bending && laws.has_kinetic && laws.has_static &&
              laws.has_elasticity);
  assert_true(!laws.has_permeability && !laws.has_self_friction && !laws.bending_of_drapes &&
              laws.bending_id > 0);
  cb_friction_law_eval(&laws.kinetic, 0, 2, &v);
  assert_near(v.force_N, 0.6, 1e-12);
  cb_friction_law_eval(&laws.stat, 0, 2, &v);
  assert_near(v.force_N, 0.8, 1e-12);
  assert_near(laws.elasticity.value[CB_ELASTIC_YOUNG], 5e4, 0);
  assert_ok(lab_cloth_material(&laws, &m, err));
  assert_near(m.areal_density_kg_per_m2, 0.2, 0);
  assert_near(m.thickness_m, 4e-4, 0);
  /* S over E of a straight strip begins with its slope; half of 2HB along the warp, none where nobody
   * measured it. */
  assert_near(m.warp.stress_N_per_m[1] / m.warp.strain[1], 500, 0.03 * 500);
  assert_near(m.weft.stress_N_per_m[1] / m.weft.strain[1], 400, 0.03 * 400);
  assert_near(m.bending_Nm[0][0], 1e-5, 1e-20);
  assert_true(m.bending_friction_N[0] == 5e-4 && m.bending_friction_N[1] == 0);
}

static void what_is_not_there_is_no_error(void **state) {
  store_fixture *f = *state;
  sim_material m;
  (void)ll_cloth(f->s, "Silk");
  assert_ok(lab_cloth_laws_load(f->s, "Silk", NULL, &laws, err));
  assert_true(!laws.has_stretch && !laws.has_bending && !laws.has_kinetic && !laws.has_elasticity);
  assert_fails(CB_E_NOTFOUND, "areal density of 'Silk'", lab_cloth_material(&laws, &m, err));
  laws.facts.areal_density_kg_per_m2 = 0.1;
  assert_fails(CB_E_NOTFOUND, "no stretch law of 'Silk'", lab_cloth_material(&laws, &m, err));
  laws.has_stretch = true, laws.stretch = stretch();
  assert_fails(CB_E_NOTFOUND, "no bending law of 'Silk'", lab_cloth_material(&laws, &m, err));
  laws.has_bending = true, laws.bending = bending();
  laws.stretch.n = 1;
  assert_fails(CB_E_NOTFOUND, "tells no weft", lab_cloth_material(&laws, &m, err));
  assert_fails(CB_E_NOTFOUND, "Nobody", lab_cloth_laws_load(f->s, "Nobody", NULL, &laws, err));
  assert_fails(CB_E_NOTFOUND, "Nobody", lab_cloth_laws_load(f->s, "Silk", "Nobody", &laws, err));
}

/* A law that somebody broke is not passed over. */
static void a_broken_law_is_an_error(void **state) {
  store_fixture *f = *state;
  put_law(f->s, ll_cloth(f->s, "Silk"), CB_LAW_BENDING, "", json_pack("{s:{}}", "law"));
  assert_fails(CB_E_PARSE, "bending law: form", lab_cloth_laws_load(f->s, "Silk", NULL, &laws, err));
}

static void drapes_are_told_by_the_method(void **state) {
  store_fixture *f = *state;
  cb_bending_law b = bending();
  put_law(f->s, ll_cloth(f->s, "Silk"), CB_LAW_BENDING, LAB_DRAPE_METHOD " of three",
          json_pack("{s:o}", "law", cb_bending_json(&b)));
  assert_ok(lab_cloth_laws_load(f->s, "Silk", NULL, &laws, err));
  assert_true(laws.bending_of_drapes);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      STORE_TEST(one_call_has_them_all),
      STORE_TEST(what_is_not_there_is_no_error),
      STORE_TEST(a_broken_law_is_an_error),
      STORE_TEST(drapes_are_told_by_the_method),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
