/* The particles' sag experiment, on a coarser sheet, and the command. */
#include "cbtest.h"
#include "jsonpage.h"
#include "val_sag.h"

static void test_falls(void **state) {
  (void)state;
  static const double lambda[] = {0, 1600, 51200, 204800};
  val_sag_result before = {.sag_m = INFINITY, .pin_strain = INFINITY, .bottom_sag_m = INFINITY};
  for (int k = 0; k < 4; k++) {
    val_sag e = val_sag_default();
    val_sag_result r;
    e.cells = 10;
    e.lambda_N_per_m3 = lambda[k] / 4; /* of triangles four times as large: the same lambda x area */
    assert_ok(val_sag_run(&e, &r, err));
    assert_true(r.settled);
    assert_true(r.sag_m > 0 && r.sag_m < before.sag_m && r.pin_strain < before.pin_strain &&
                r.bottom_sag_m < before.bottom_sag_m);
    before = r;
  }
}

/* So stiff that nothing sags: what is left is the fold along the upper edge, no stretch. */
static void test_stiff(void **state) {
  (void)state;
  val_sag e = val_sag_default();
  val_sag_result r;
  e.cells = 10;
  e.k_N_per_m = 1e5;
  e.shear_N_per_m = 1e4;
  assert_ok(val_sag_run(&e, &r, err));
  assert_true(r.pin_strain < 2e-3);
  e.cells = 1;
  assert_fails(CB_E_RANGE, "sag: cells", val_sag_run(&e, &r, err));
}

static void test_command(void **state) {
  (void)state;
  cbt_result r;
  cbt_run(&r, cbt_folder, "validate all sag-particles --json");
  assert_int_equal(r.code, 0);
  json_t *doc = jp_document(r.out);
  jp_expect("validate all", doc);
  assert_int_equal(json_array_size(json_object_get(doc, "rows")), 4);
  json_decref(doc);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_falls), cmocka_unit_test(test_stiff),
      cmocka_unit_test_setup_teardown(test_command, cbt_folder_set_up, cbt_folder_tear_down)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
