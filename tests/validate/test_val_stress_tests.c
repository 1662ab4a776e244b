/* What cloth simulators choke on, on small cloths: nothing gets through, nothing is not finite, what is no
 * mesh is refused. */
#include <string.h>

#include "cbtest.h"
#include "val_stress_tests.h"

static void all_of(const char *only, int vertices, int cases) {
  static val_stress_tests r;
  assert_ok(val_stress_tests_run(vertices, only, &r, err));
  assert_int_equal(r.n, cases);
  for (int k = 0; k < r.n; k++)
    if (!r.row[k].pass)
      fail_msg("%s: %g mm inside, %d crossings, %d not finite; %s", r.row[k].name,
               1e3 * r.row[k].penetration_m, r.row[k].crossings, r.row[k].not_finite, r.row[k].outcome);
  assert_true(r.pass);
}

static void test_crumpled(void **state) {
  (void)state;
  all_of("crumpled and dropped", 120, 1);
}

static void test_ring(void **state) {
  (void)state;
  all_of("through a ring", 300, 1); /* with 150 the triangles are as wide as the tube, and cut it in two */
}

/* The bodies leave half of the thickness: so much of it is left, and the bodies are where they were told to
 * be. */
static void test_pinched(void **state) {
  (void)state;
  static const char *const names[] = {"pinched by two balls", "pinched by ball and plane"};
  for (int k = 0; k < 2; k++) {
    static val_stress_tests r;
    assert_ok(val_stress_tests_run(250, names[k], &r, err));
    assert_true(r.pass && r.n == 1);
    assert_true(r.row[0].nearest > 0.48 && r.row[0].nearest < 0.6);
  }
}

static void test_meshes_and_materials(void **state) {
  (void)state;
  all_of("meshes", 50, 8);
  all_of("materials", 400, 8);
  all_of("watched", 50, 11);
  val_stress_tests r;
  assert_fails(CB_E_ARG, "there is no case 'moths'", val_stress_tests_run(100, "moths", &r, err));
  assert_fails(CB_E_RANGE, "vertices = 3", val_stress_tests_run(3, NULL, &r, err));
}

/* The sentences of refused meshes name triangle or vertex. */
static void test_sentences(void **state) {
  (void)state;
  static val_stress_tests r;
  bool area = false, needles = false;
  assert_ok(val_stress_tests_run(50, "meshes", &r, err));
  for (int k = 0; k < r.n; k++) {
    area = area || strstr(r.row[k].outcome, "refused: triangle 5: it has no area in the material plane");
    needles = needles || strstr(r.row[k].outcome, "refused: cloth: 500 N/m at vertex"); /* the thinner */
  }
  assert_true(area && needles);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_crumpled), cmocka_unit_test(test_ring), cmocka_unit_test(test_pinched),
      cmocka_unit_test(test_meshes_and_materials), cmocka_unit_test(test_sentences)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
