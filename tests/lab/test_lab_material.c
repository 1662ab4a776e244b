/* A material with its laws: out of one database, through a file, into another; as a linear sheet, and as
 * ARCSim's tables. */
#include "cb_store_material_test.h"
#include "cb_num.h"
#include "lab_export.h"
#include "lab_material_parts.h"
#include "lab_exch_cloth.h"
#include "storelaws.h"
#include "storetest.h"
#include "cb_store_rows_impl.h"

static void put_law(cb_store *s, int64_t material, cb_material_law_kind kind, const char *form) {
  cb_material_law law = {.material_id = material,
                         .kind = kind,
                         .origin = CB_MEASURED,
                         .source = "us",
                         .result_json = store_law_text(kind)};
  (void)snprintf(law.form, sizeof law.form, "%s", form);
  assert_ok(cb_store_material_law_put(s, &law, NULL, 0, err));
  free(law.result_json);
}

static void put_friction(cb_store *s, int64_t cloth, const char *body_name, double mu) {
  int64_t body;
  cb_friction_law law = {.kind = CB_FRICTION_KINETIC,
                         .form = CB_FORM_ISOTROPIC,
                         .model = CB_MODEL_COULOMB,
                         .origin = CB_MEASURED,
                         .contact_area_m2 = 0.005,
                         .n_knots = 1,
                         .exponent = 1,
                         .dof = 8};
  law.knots[0] = (cb_friction_knot){.normal_force_N = 2, .f_N = {2 * mu, 0, 2 * mu}};
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++) law.knots[0].cov_N2[i][k] = i == 1 || k == 1 ? 0 : 4e-4;
  assert_ok(cb_store_material_ensure(s, CB_BODY, body_name, CB_MEASURED, &body, err));
  assert_ok(cb_store_law_put(s, &law, cloth, body, NULL, 0, "wls", "{\"points\": 3}", err));
}

/* Everything that the formats want. */
static int64_t put_cloth(cb_store *s) {
  cb_material m = {.kind = CB_CLOTH,
                   .name = "Twill",
                   .source = "the lab",
                   .areal_density_kg_per_m2 = 0.2,
                   .origin = CB_MEASURED};
  assert_ok(cb_store_material_put(s, &m, err));
  put_law(s, m.id, CB_LAW_STRETCH, "wang");
  put_law(s, m.id, CB_LAW_BENDING, "table");
  put_friction(s, m.id, "Foam", 0.4);
  return m.id;
}

static void the_mean_weight_of_the_tests(void **state) {
  store_fixture *f = *state;
  cb_material m = {.kind = CB_CLOTH, .name = "Twill", .origin = CB_MEASURED};
  const cb_test_point p[2] = {{1, 2}, {3, 4}};
  assert_ok(cb_store_material_put(f->s, &m, err));
  for (int i = 0; i < 3; i++) { /* the third was not weighed */
    cb_material_test t = {.material_id = m.id,
                          .kind = CB_TEST_PERMEABILITY,
                          .direction_deg = NAN,
                          .repeat = i + 1,
                          .layers = 1,
                          .temperature_degC = NAN,
                          .areal_density_kg_per_m2 = i < 2 ? 0.1 + 0.2 * i : 0,
                          .origin = CB_MEASURED};
    assert_ok(cb_store_test_put(f->s, &t, p, 2, "", "", err));
  }
  assert_ok(lab_material_weigh(f->s, &m, err));
  assert_near(m.areal_density_kg_per_m2, 0.2, 1e-15);
  m.areal_density_kg_per_m2 = 0.5; /* somebody typed it */
  assert_ok(lab_material_weigh(f->s, &m, err));
  assert_true(m.areal_density_kg_per_m2 == 0.5);
}

static void a_linear_sheet(void **state) {
  store_fixture *f = *state;
  exch_material m;
  exch_cloth sheet;
  int64_t cloth = put_cloth(f->s);
  assert_ok(lab_material_load(f->s, "Twill", &m, err));
  assert_ok(lab_exch_cloth_of(&m, NULL, &sheet, err));
  /* k = 2 c = 40 N/m everywhere: shear k33 / 4. A strip free to narrow would have k11 - k12^2 / k22 = 0: not
   * told. */
  assert_near(sheet.shear_N_per_m.value, 10, 1e-9);
  assert_true(isnan(sheet.stretch_warp_N_per_m.value));
  assert_true(sheet.areal_density_kg_per_m2.value == 0.2 && isnan(sheet.thickness_m.value));
  assert_near(sheet.friction.value, 0.4, 1e-12);
  assert_near(sheet.friction.u, 0.01, 1e-12);
  assert_string_equal(sheet.friction_with, "Foam");
  exch_material_clear(&m);
  /* Of two bodies none is chosen, unless it is named. */
  put_friction(f->s, cloth, "Glass", 0.2);
  assert_ok(lab_material_load(f->s, "Twill", &m, err));
  assert_ok(lab_exch_cloth_of(&m, NULL, &sheet, err));
  assert_true(isnan(sheet.friction.value));
  assert_ok(lab_exch_cloth_of(&m, "Glass", &sheet, err));
  assert_near(sheet.friction.value, 0.2, 1e-12);
  assert_fails(CB_E_NOTFOUND, "no kinetic friction law of 'Twill' with 'Wood'",
               lab_exch_cloth_of(&m, "Wood", &sheet, err));
  exch_material_clear(&m);
}

/* Its tables are laws bit for bit, both ways. */
static void tables_of_arcsim(void **state) {
  (void)state;
  exch_arcsim a = {.density_kg_per_m2 = 0.2 / 3}, back;
  exch_material m;
  bool beyond;
  char *text;
  for (int i = 0; i < 6; i++)
    for (int j = 0; j < 4; j++) a.stretching_N_per_m[i][j] = j == 1 ? 0.1 / 3 : (20.0 + i) / 3;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 5; j++) a.bending_N_m[i][j] = 1e-5 / (3 + i + j);
  assert_ok(exch_arcsim_write(&a, &text, err));
  assert_ok(lab_material_read_arcsim(text, strlen(text), "gray.json", "Gray", NULL, &m, err));
  assert_true(m.facts.kind == CB_CLOTH && m.facts.origin == CB_IMPORTED);
  assert_string_equal(m.facts.source, "gray.json");
  assert_ok(lab_arcsim_of(&m, &back, &beyond, err));
  assert_true(!beyond && back.density_kg_per_m2 == a.density_kg_per_m2);
  assert_memory_equal(back.stretching_N_per_m, a.stretching_N_per_m, sizeof a.stretching_N_per_m);
  assert_memory_equal(back.bending_N_m, a.bending_N_m, sizeof a.bending_N_m);
  exch_material_clear(&m);
  m = (exch_material){.facts = {.name = "Gray"}};
  assert_fails(CB_E_NOTFOUND, "areal density of 'Gray' is not known", lab_arcsim_of(&m, &back, &beyond, err));
  m.facts.areal_density_kg_per_m2 = 0.2;
  assert_fails(CB_E_NOTFOUND, "no stretch law of 'Gray'", lab_arcsim_of(&m, &back, &beyond, err));
  assert_fails(CB_E_PARSE, "gray.json",
               lab_material_read_arcsim("{}", 2, "gray.json", "Gray", NULL, &m, err));
  free(text);
}

static char *export(cb_store *s, lab_export_format format) {
  char *text;
  bool beyond;
  assert_ok(lab_export_material(s, "Twill", format, NULL, &text, &beyond, err));
  assert_non_null(text);
  return text;
}

/* From one laboratory to another: the laws keep every digit, and what was measured there is imported here. */
static void from_one_database_to_another(void **state) {
  store_fixture *f = *state;
  cb_store *other;
  exch_material m, back;
  char path[400];
  put_cloth(f->s);
  char *text = export(f->s, LAB_EXPORT_JSON);
  assert_ok(lab_material_read(text, strlen(text), "twill.json", &m, err));
  assert_ok(cb_store_open(cbt_path("other.db", path), CB_STORE_WRITE, &other, err));
  assert_ok(lab_material_put(other, "twill.json", &m, err));
  assert_ok(lab_material_load(other, "Twill", &back, err));
  assert_true(back.facts.origin == CB_IMPORTED && back.laws[CB_LAW_BENDING].origin == CB_IMPORTED &&
              back.n_friction == 1);
  assert_memory_equal(back.friction[0].law.knots, m.friction[0].law.knots, sizeof m.friction[0].law.knots);
  assert_string_equal(back.laws[CB_LAW_BENDING].result_json, m.laws[CB_LAW_BENDING].result_json);
  assert_string_equal(back.friction[0].verdicts_json, "{\"points\":3}");
  assert_ok(cb_store_check(other, NULL, err));
  assert_ok(cb_store_close(other, err));
  exch_material_clear(&m);
  exch_material_clear(&back);
  free(text);
}

/* A text that is no law does not get as far as the store. */
static void a_file_with_a_bad_law(void **state) {
  (void)state;
  exch_material m = {.facts = {.kind = CB_CLOTH, .name = "Twill", .origin = CB_MEASURED}};
  char *text;
  m.laws[CB_LAW_BENDING] = (cb_material_law){.kind = CB_LAW_BENDING,
                                             .form = "table",
                                             .origin = CB_MEASURED,
                                             .result_json = strdup("{\"law\": {\"n\": 1}}")};
  assert_ok(exch_material_write(&m, &text, err));
  exch_material_clear(&m);
  assert_fails(CB_E_PARSE, "twill.json: bending law",
               lab_material_read(text, strlen(text), "twill.json", &m, err));
  assert_null(m.laws[CB_LAW_BENDING].result_json);
  free(text);
}

static void every_format_has_a_writer(void **state) {
  store_fixture *f = *state;
  char *text;
  bool beyond;
  put_cloth(f->s);
  for (int i = 0; i < LAB_EXPORT_FORMATS; i++) {
    if (i == LAB_EXPORT_MUJOCO || i == LAB_EXPORT_PPF) { /* its stretch is not told: see a_linear_sheet */
      assert_fails(CB_E_NOTFOUND, "the stretch of 'Twill' is not known",
                   lab_export_material(f->s, "Twill", (lab_export_format)i, NULL, &text, &beyond, err));
      continue;
    }
    text = export(f->s, (lab_export_format)i);
    assert_true(strlen(text) > 50 && lab_export_format_facts[i].name && lab_export_format_facts[i].lost[0]);
    free(text);
  }
  assert_fails(CB_E_NOTFOUND, "Nobody",
               lab_export_material(f->s, "Nobody", LAB_EXPORT_CSV, NULL, &text, &beyond, err));
  assert_fails(CB_E_NOTFOUND, "with 'Wood'",
               lab_export_material(f->s, "Twill", LAB_EXPORT_CLO, "Wood", &text, &beyond, err));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      STORE_TEST(the_mean_weight_of_the_tests), STORE_TEST(a_linear_sheet),
      cmocka_unit_test(tables_of_arcsim),       STORE_TEST(from_one_database_to_another),
      cmocka_unit_test(a_file_with_a_bad_law),  STORE_TEST(every_format_has_a_writer)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
