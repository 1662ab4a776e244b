/* Sealed predictions: written once, with the sum that sha256sum checks; a changed, foreign or damaged one is
 * refused. Of drapes: what was stored before the seal does not count, and the verdict is that of the band. */
#include "cb_store_drape.h"
#include "cb_time.h"
#include "lab_drape_prediction.h"
#include "storetest.h"

static json_t *a_document(void) {
  return json_pack(
      "{s:s, s:{s:s, s:s, s:n, s:n, s:b}, s:i, s:i, s:i, s:i, s:i, s:f, s:f, s:{s:f, s:f, s:f, s:f}}",
      "experiment", "drape", "cloth", "name", "Voile", "origin", "imported", "stretch_law_id",
      "bending_law_id", "bending_from_drapes", 0, "support_cm", 18, "specimen_cm", 30, "seeds", 4,
      "seeds_asked", 4, "settled", 4, "mesh_shift", 0.0, "u_mesh_shift", 0.0, "drape_coefficient", "mean",
      0.5, "sd", 0.03, "lo95", 0.4, "hi95", 0.6);
}

static void write_and_read(void **state) {
  (void)state;
  char path[400], sum[400], command[900];
  lab_seal a, b;
  json_t *doc = a_document();
  assert_ok(lab_seal_check_new(cbt_path("p.json", path), err));
  assert_ok(lab_seal_write(path, "drape", doc, &a, err));
  assert_fails(CB_E_RANGE, "p.json: exists, and a sealed prediction is never replaced",
               lab_seal_write(path, "drape", doc, &b, err));
  lab_seal_clear(&b);
  assert_fails(CB_E_RANGE, "never replaced", lab_seal_check_new(path, err));
  assert_ok(lab_seal_read(path, "drape", &b, err));
  assert_string_equal(a.sha256, b.sha256);
  assert_string_equal(a.sealed_at, b.sealed_at);
  assert_true(json_equal(b.prediction, doc));
  lab_seal_clear(&b);
  (void)snprintf(command, sizeof command, "cd '%s' && sha256sum --quiet -c p.json.sha256", cbt_folder);
  assert_int_equal(system(command), 0);
  assert_fails(CB_E_RANGE, "of a drape: one of a slide was wanted", lab_seal_read(path, "slide", &b, err));
  lab_seal_clear(&b);
  /* One digit of the band. */
  char *text = cbt_read(path), *at = strstr(text, "0.59999999999999998");
  assert_non_null(at);
  at[2] = '7';
  cbt_write(path, text);
  assert_fails(CB_E_RANGE, "it was changed after it was sealed", lab_seal_read(path, "drape", &b, err));
  lab_seal_clear(&b);
  cbt_write(path, "{\"kind\": \"drape\", \"sealed_at\": \"2026\", \"prediction\": 3}");
  assert_fails(CB_E_PARSE, "no sealed prediction", lab_seal_read(path, "drape", &b, err));
  lab_seal_clear(&b);
  cbt_write(path, "hello");
  assert_fails(CB_E_PARSE, "p.json:1:", lab_seal_read(path, "drape", &b, err));
  lab_seal_clear(&b);
  remove(path);
  remove(cbt_path("p.json.sha256", sum));
  free(text);
  json_decref(doc);
  lab_seal_clear(&a);
}

static void put_drape(cb_store *s, double coefficient) {
  static int k = 0;
  cb_drape_test t = {.method = "silhouette",
                     .support_m = 0.18,
                     .specimen_m = 0.3,
                     .drape_coefficient = coefficient,
                     .u_drape_coefficient = 0.002,
                     .nodes = 7,
                     .node_height_m = 0.02,
                     .area_m2 = 0.05,
                     .pixel_m = 1e-3,
                     .u_scale_rel = 0.01,
                     .scale_from = "given",
                     .origin = CB_IMPORTED,
                     .source = "test"};
  (void)snprintf(t.capture, sizeof t.capture, "drape_%d.png", ++k);
  assert_ok(cb_store_material_ensure(s, CB_CLOTH, "Voile", CB_IMPORTED, &t.material_id, err));
  assert_ok(cb_store_drape_put(s, &t, "[]", "", err));
}

static void drapes_before_the_seal_do_not_count(void **state) {
  store_fixture *f = *state;
  char path[400];
  lab_seal seal;
  lab_drape_prediction p;
  json_t *doc = a_document();
  put_drape(f->s, 0.9);
  cb_sleep_s(0.01);
  assert_ok(lab_seal_write(cbt_path("q.json", path), "drape", doc, &seal, err));
  cb_sleep_s(0.01);
  assert_ok(lab_drape_unseal(&seal, &p, err));
  assert_ok(lab_drape_compare_stored(f->s, &p, err));
  assert_true(p.measured.n == 0 && p.measured.too_early == 1 && lab_drape_verdict(&p) == NULL);
  put_drape(f->s, 0.45);
  put_drape(f->s, 0.47);
  assert_ok(lab_drape_compare_stored(f->s, &p, err));
  assert_true(p.measured.n == 2 && p.measured.too_early == 1);
  assert_near(p.measured.mean, 0.46, 1e-12);
  assert_string_equal(lab_drape_verdict(&p), "pass");
  assert_ok(lab_drape_keep(f->s, &p, err));
  json_t *kept = lab_drape_prediction_json(&p);
  const json_t *sealed = json_object_get(kept, "sealed");
  assert_string_equal(json_string_value(json_object_get(sealed, "sha256")), seal.sha256);
  assert_true(json_object_get(kept, "drape_coefficient") != NULL && p.validation_id > 0);
  json_decref(kept);
  lab_seal_clear(&seal);
  json_object_del(doc, "drape_coefficient");
  remove(path);
  char sum[400];
  remove(cbt_path("q.json.sha256", sum));
  assert_ok(lab_seal_write(path, "drape", doc, &seal, err));
  assert_fails(CB_E_DB, "has no band", lab_drape_unseal(&seal, &p, err));
  lab_seal_clear(&seal);
  json_decref(doc);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(write_and_read, cbt_folder_set_up, cbt_folder_tear_down),
      STORE_TEST(drapes_before_the_seal_do_not_count),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
