/* What a database holds, and one campaign of it. */
#include "lab_campaign.h"
#include "lab_contents.h"
#include "storelaws.h"
#include "storetest.h"
#include "cb_store_correction.h"
#include "cb_store_drape.h"
#include "cb_store_material_test.h"
#include "cb_store_self_friction.h"

static cb_friction_law friction(void) {
  cb_friction_law law = {.kind = CB_FRICTION_STATIC,
                         .form = CB_FORM_ISOTROPIC,
                         .model = CB_MODEL_POWER,
                         .origin = CB_VIRTUAL,
                         .contact_area_m2 = 0.005,
                         .n_knots = 2,
                         .exponent = 0.9,
                         .dof = 8};
  for (int k = 0; k < 2; k++) {
    law.knots[k] = (cb_friction_knot){.normal_force_N = 1 + 2 * k, .f_N = {0.3, 0, 0.3}};
    for (int i = 0; i < 3; i++) law.knots[k].cov_N2[i][i] = i == 1 ? 0 : 1e-6;
  }
  return law;
}

static void an_empty_database(void **state) {
  store_fixture *f = *state;
  lab_contents c;
  assert_ok(lab_contents_read(f->s, 0, &c, err));
  assert_true(c.n_materials == 0 && c.n_campaigns == 0 && c.n_laws == 0);
  lab_contents_clear(&c);
}

static void materials_campaigns_laws(void **state) {
  store_fixture *f = *state;
  lab_contents c;
  cb_run run = store_make_run(f->s, CB_VIRTUAL);
  cb_friction_law law = friction();
  char *text = store_law_self_friction();
  assert_ok(cb_store_run_flag(f->s, run.id, "zero-drift", err));
  assert_ok(cb_store_law_put(f->s, &law, run.cloth_id, run.body_id, NULL, 0, "wls", "{\"points\": 12}", err));
  cb_self_friction_row self = {.cloth_id = run.cloth_id,
                               .body_id = run.body_id,
                               .form = "mean",
                               .origin = CB_VIRTUAL,
                               .result_json = text};
  assert_ok(cb_store_self_friction_put(f->s, &self, NULL, 0, err));
  free(text);
  text = store_law_bending();
  cb_material_law bending = {.material_id = run.cloth_id,
                             .kind = CB_LAW_BENDING,
                             .form = "table",
                             .origin = CB_IMPORTED,
                             .result_json = text};
  assert_ok(cb_store_material_law_put(f->s, &bending, NULL, 0, err));
  free(text);
  assert_ok(lab_contents_read(f->s, 0, &c, err));
  assert_true(c.n_materials == 2 && c.n_campaigns == 1 && c.n_laws == 3);
  assert_true(c.campaigns[0].runs == 1 && c.campaigns[0].runs_done == 0 && c.campaigns[0].runs_flagged == 1);
  const lab_contents_law *l = &c.laws[0];
  assert_true(strcmp(l->law, "bending") == 0 && strcmp(l->cloth, "Twill") == 0 && !l->body[0] &&
              !l->is_friction);
  l = &c.laws[1];
  assert_true(l->is_friction && l->kind == CB_FRICTION_STATIC && l->model == CB_MODEL_POWER &&
              l->points == 12 && l->loads == 2);
  assert_true(l->lowest_normal_force_N == 1 && l->highest_normal_force_N == 3 &&
              strcmp(l->body, "Foam") == 0);
  assert_string_equal(c.laws[2].law, "self-friction");
  lab_contents_clear(&c);
}

static void a_campaign_with_its_runs(void **state) {
  store_fixture *f = *state;
  lab_campaign c;
  cb_run run = store_make_run(f->s, CB_VIRTUAL);
  assert_ok(cb_store_run_finish(f->s, run.id, CB_RUN_DONE, "", err));
  assert_ok(lab_campaign_load(f->s, run.campaign_id, &c, err));
  assert_true(c.n_runs == 1 && !c.runs[0].has_point && c.runs[0].run.id == run.id &&
              c.conditions.temperature_degC == 20.5);
  assert_string_equal(c.preset, "custom");
  lab_campaign_clear(&c);
  cb_friction_point p = {.run_id = run.id,
                         .static_N = NAN,
                         .u_static_N = NAN,
                         .kinetic_N = 0.5,
                         .u_kinetic_N = 0.001,
                         .mu_reported = NAN,
                         .method = "m"};
  assert_ok(cb_store_point_put(f->s, &p, err));
  assert_ok(lab_campaign_load(f->s, run.campaign_id, &c, err));
  assert_true(c.runs[0].has_point && c.runs[0].point.kinetic_N == 0.5);
  lab_campaign_clear(&c);
  assert_fails(CB_E_NOTFOUND, "no campaign 9", lab_campaign_load(f->s, 9, &c, err));
  lab_campaign_clear(&c);
}

/* The counts of the shipped database against its lists, thing by thing. */
static void counts_are_lengths_of_lists(void **state) {
  (void)state;
  cb_store *s;
  lab_contents c;
  size_t n, counted = 0;
  assert_ok(cb_store_open(CB_SOURCE_DIR "/materials.db", CB_STORE_READ, &s, err));
  assert_ok(lab_contents_read(s, 0, &c, err));
  for (size_t i = 0; i < c.n_materials; i++) {
    cb_material_test *tests;
    cb_drape_test *drapes;
    assert_ok(cb_store_tests(s, c.materials[i].facts.id, -1, &tests, &n, err));
    assert_int_equal(c.materials[i].tests, n);
    counted += n;
    assert_ok(cb_store_drapes(s, c.materials[i].facts.id, &drapes, &n, err));
    assert_int_equal(c.materials[i].drapes, n);
    free(tests);
    free(drapes);
  }
  for (size_t i = 0; i < c.n_laws; i++) {
    cb_run *runs;
    cb_material_test *tests;
    if (!c.laws[i].is_friction) {
      assert_ok(cb_store_material_law_tests(s, c.laws[i].id, &tests, &n, err));
      assert_int_equal(c.laws[i].tests, n);
      free(tests);
      continue;
    }
    assert_ok(cb_store_law_runs(s, c.laws[i].id, &runs, &n, err));
    if (n > 0) assert_int_equal(c.laws[i].points, n);
    counted += n;
    free(runs);
  }
  assert_true(counted > 100);
  lab_contents_clear(&c);
  assert_ok(cb_store_close(s, err));
}

static void a_voided_run_is_not_done(void **state) {
  store_fixture *f = *state;
  lab_contents c;
  cb_run run = store_make_run(f->s, CB_VIRTUAL);
  assert_ok(cb_store_run_finish(f->s, run.id, CB_RUN_DONE, "", err));
  const cb_correction words[] = {{.kind = CB_CORRECTION_VOID, .run_id = run.id, .value = NAN},
                                 {.kind = CB_CORRECTION_UNVOID, .run_id = run.id, .value = NAN}};
  for (int k = 0; k < 2; k++) {
    cb_correction x = words[k];
    (void)snprintf(x.reason, sizeof x.reason, "slipped");
    (void)snprintf(x.operator_name, sizeof x.operator_name, "Ada");
    assert_ok(cb_store_correction_put(f->s, &x, err));
    assert_ok(lab_contents_read(f->s, 0, &c, err));
    assert_true(c.campaigns[0].runs == 1 && (int)c.campaigns[0].runs_done == k &&
                (int)c.campaigns[0].runs_voided == 1 - k);
    lab_contents_clear(&c);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {STORE_TEST(an_empty_database), STORE_TEST(materials_campaigns_laws),
                                     STORE_TEST(a_voided_run_is_not_done),
                                     cmocka_unit_test(counts_are_lengths_of_lists),
                                     STORE_TEST(a_campaign_with_its_runs)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
