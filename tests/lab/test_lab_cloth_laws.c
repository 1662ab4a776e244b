/* All laws of a cloth by its name, as a program that is not the command line asks for them. */
#include "cb_material_law.h"
#include "cb_law_json.h"
#include "cb_num.h"
#include "lab_bending.h"
#include "lab_cloth_laws.h"
#include "lab_drape.h"
#include "lablaw.h"
#include "twilllaws.h"

static lab_cloth_laws laws; /* large */

/* The program: ask, see what is there, compute. */
static void one_call_has_them_all(void **state) {
  store_fixture *f = *state;
  cb_friction_value v;
  tw_put_all(f->s);
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
}

static void what_is_not_there_is_no_error(void **state) {
  store_fixture *f = *state;
  (void)ll_cloth(f->s, "Silk");
  assert_ok(lab_cloth_laws_load(f->s, "Silk", NULL, &laws, err));
  assert_true(!laws.has_stretch && !laws.has_bending && !laws.has_kinetic && !laws.has_elasticity);
  assert_fails(CB_E_NOTFOUND, "Nobody", lab_cloth_laws_load(f->s, "Nobody", NULL, &laws, err));
  assert_fails(CB_E_NOTFOUND, "Nobody", lab_cloth_laws_load(f->s, "Silk", "Nobody", &laws, err));
}

/* A law that somebody broke is not passed over. */
static void a_broken_law_is_an_error(void **state) {
  store_fixture *f = *state;
  tw_put(f->s, ll_cloth(f->s, "Silk"), CB_LAW_BENDING, "", json_pack("{s:{}}", "law"));
  assert_fails(CB_E_PARSE, "bending law: form", lab_cloth_laws_load(f->s, "Silk", NULL, &laws, err));
}

static void drapes_are_told_by_the_method(void **state) {
  store_fixture *f = *state;
  cb_bending_law b = tw_bending();
  tw_put(f->s, ll_cloth(f->s, "Silk"), CB_LAW_BENDING, LAB_DRAPE_METHOD " of three",
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
