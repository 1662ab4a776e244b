/* clothbench material set: typed properties become rows, with their source; what cannot be is refused. */
#include <math.h>

#include "cb_store_drape.h"
#include "clitest.h"
#include "jsonpage.h"

static cb_store *open_lab(void) {
  char path[400];
  cb_store *s;
  assert_ok(cb_store_open(cbt_path("lab.db", path), CB_STORE_READ, &s, err));
  return s;
}

static void facts_and_a_drape(void **state) {
  (void)state;
  json_t *doc = clit_json(
      "material set Serge --thickness-mm 0.4 --u-thickness-mm 0.02 --areal-mass-g-m2 182 "
      "--u-areal-mass-g-m2 2 --drape-coefficient 0.31 --u-drape-coefficient 0.02 --source 'ISO 5084' "
      "--db lab.db --json",
      0, NULL);
  jp_expect("material set", doc);
  json_decref(doc);
  cb_store *s = open_lab();
  cb_material m;
  cb_drape_test *drapes;
  size_t n;
  assert_ok(cb_store_material_find(s, CB_CLOTH, "Serge", &m, err));
  assert_near(m.thickness_m, 4e-4, 1e-18);
  assert_near(m.u_thickness_m, 2e-5, 1e-18);
  assert_near(m.areal_density_kg_per_m2, 0.182, 1e-16);
  assert_near(m.u_areal_density_kg_per_m2, 0.002, 1e-16);
  assert_string_equal(m.source, "ISO 5084");
  assert_ok(cb_store_drapes(s, m.id, &drapes, &n, err));
  assert_int_equal(n, 1);
  assert_near(drapes[0].drape_coefficient, 0.31, 0);
  assert_near(drapes[0].specimen_m, 0.3, 1e-15);
  assert_true(isnan(drapes[0].nodes) && isnan(drapes[0].node_height_m));
  free(drapes);
  assert_ok(cb_store_close(s, err));
  clit_run("db check --db lab.db", 0);
}

/* One coefficient is a point at its load and direction; the law at that place is the coefficient. */
static void a_coefficient_becomes_a_law(void **state) {
  (void)state;
  clit_run("material set Serge --on Steel --mu 0.22 --u-mu 0.01 --normal-force-N 2 --source us --db lab.db",
           0);
  clit_run("fit friction --db lab.db", 0);
  cb_store *s = open_lab();
  cb_friction_law law;
  cb_friction_value v;
  assert_ok(cb_store_law_find(s, "Serge", "Steel", CB_FRICTION_KINETIC, &law, err));
  cb_friction_law_eval(&law, 0, 2, &v);
  assert_near(v.force_N, 0.44, 1e-12);
  assert_true(v.u_force_N >= 0.02); /* what was typed, and what one point does not tell */
  assert_ok(cb_store_close(s, err));
}

/* A bending length of 16.5 mm is an overhang of 33 mm at 41.5 degrees; B = w g c^3. */
static void a_bending_length_becomes_a_law(void **state) {
  (void)state;
  const double c_m = 0.0165, B_Nm = 0.15 * 9.80665 * c_m * c_m * c_m;
  clit_run(
      "material set Poplin --bending-length-mm 16.5 --u-bending-length-mm 0.2 --areal-mass-g-m2 150 --source "
      "us "
      "--db lab.db",
      0);
  clit_run("material set Poplin --bending-length-mm 14 --angle-deg 90 --source us --db lab.db", 0);
  json_t *doc = clit_json("fit bending --cloth Poplin --db lab.db --json", 0, "fit bending");
  const json_t *law = json_object_get(doc, "law");
  assert_near(clit_number(law, "B1_Nm") / B_Nm, 1, 6e-4); /* the standards' half of an overhang */
  json_decref(doc);
  char args[300];
  (void)snprintf(args, sizeof args,
                 "material set Twill --flexural-rigidity-uN-m %.10g --areal-mass-g-m2 150 --source "
                 "us --db lab.db",
                 1e6 * B_Nm);
  clit_expect(args, 0, "fit bending --cloth \"Twill\"", "");
  doc = clit_json("fit bending --cloth Twill --db lab.db --json", 0, "fit bending");
  assert_near(clit_number(json_object_get(doc, "law"), "B1_Nm") / B_Nm, 1, 6e-4);
  json_decref(doc);
  clit_expect(args, 1, "", "this very figure is stored already");
}

/* Facts travel with their uncertainty. */
static void facts_travel(void **state) {
  (void)state;
  clit_run("material set Serge --thickness-mm 0.4 --u-thickness-mm 0.02 --source us --db lab.db", 0);
  clit_run("export material Serge --format json --out serge.json --db lab.db", 0);
  clit_run("import material serge.json --format json --db other.db", 0);
  clit_run("db merge other.db --db lab.db", 0);
  char path[400];
  cb_store *s;
  cb_material m;
  assert_ok(cb_store_open(cbt_path("other.db", path), CB_STORE_READ, &s, err));
  assert_ok(cb_store_material_find(s, CB_CLOTH, "Serge", &m, err));
  assert_near(m.u_thickness_m, 2e-5, 1e-18);
  assert_ok(cb_store_close(s, err));
}

static void bad_properties_are_refused(void **state) {
  (void)state;
  static const struct {
    const char *args, *says;
    int code;
  } bad[] = {
      {"set Serge --thickness-mm 0.5 --source us", "contradicts 0.0004, which is known already", 1},
      {"set Silk --flexural-rigidity-uN-m 3 --source us", "areal mass is not known", 2},
      {"set Foam --kind body --bending-length-mm 3 --source us", "a cloth was wanted", 2},
      {"set Serge --bending-length-mm 3 --flexural-rigidity-uN-m 3 --source us", "one of them was wanted", 2},
      {"set Serge --source us", "no property was typed", 2},
      {"set Serge --mu 0.3 --source us", "its body, the coefficient and the normal force were wanted", 2},
      {"set Serge --on Steel --source us", "its body, the coefficient and the normal force were wanted", 2},
      {"set Serge --drape-coefficient 0.3 --specimen-cm 18 --source us", "a larger specimen was wanted", 1},
      {"set Foam --kind body --drape-coefficient 0.3 --source us", "a cloth was wanted", 2},
      {"set Serge --kind rag --thickness-mm 1 --source us", "cloth or body was wanted", 2},
      {"set Serge --thickness-mm 0 --source us", "--thickness-mm", 2},
      {"set Serge --thickness-mm 1", "--source is required", 2},
      {"get Serge --source us", "'material set NAME' was wanted", 2},
  };
  clit_run("material set Serge --thickness-mm 0.4 --source us --db lab.db", 0);
  cbt_result *r = malloc(sizeof *r);
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
    char args[300];
    (void)snprintf(args, sizeof args, "material %s --db lab.db", bad[i].args);
    cbt_run(r, cbt_folder, args);
    if (r->code != bad[i].code || !strstr(r->err, bad[i].says))
      fail_msg("%s: %d '%s' lacks '%s'", args, r->code, r->err, bad[i].says);
  }
  free(r);
}

int main(void) {
#define T(f) cmocka_unit_test_setup_teardown(f, cbt_folder_set_up, cbt_folder_tear_down)
  const struct CMUnitTest tests[] = {T(facts_and_a_drape), T(a_coefficient_becomes_a_law),
                                     T(a_bending_length_becomes_a_law), T(facts_travel),
                                     T(bad_properties_are_refused)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
