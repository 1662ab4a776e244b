/* Drapes in lab/: numbers of a cloth of the table tell its bending, the law goes into a database and back bit
 * for bit, damaged documents are refused; a prediction is judged against what was measured. */
#include "cb_bending_loading.h"
#include "cb_law_json.h"
#include "cb_num.h"
#include "cb_store_drape.h"
#include "lab_bending.h"
#include "lab_drape_impl.h"
#include "lab_drape_prediction.h"
#include "twilllaws.h"

#define TABLE CB_SOURCE_DIR "/materials/drape_table.csv"
#define ANGLES 360

/* Five drapes: coefficient 0.5, 8 nodes of 22 mm. */
static lab_drape_request five(void) {
  return (lab_drape_request){.table_file = TABLE,
                             .stretch_N_per_m = NAN,
                             .origin = LAB_ANY_ORIGIN,
                             .measured = 0.5,
                             .sd_measured = 0.02,
                             .nodes = 8,
                             .amplitude_m = 0.022,
                             .drapes = 5,
                             .specimen_m = 0.3,
                             .support_m = 0.18,
                             .areal_mass_kg_per_m2 = 0.2,
                             .u_mass_rel = NAN};
}

/* A bending length of some 18 mm (docs/method/drape-inverse.md), and B = w c^3. */
static void numbers_tell_the_bending(void **state) {
  (void)state;
  lab_drape d;
  lab_drape_request q = five();
  assert_ok(lab_drape_fit(NULL, &q, &d, err));
  assert_true(d.outcome == VAL_DRAPE_TOLD && d.has_law && d.law_id == 0 && d.n_drapes == 0);
  double length = d.estimate[VAL_DRAPE_LENGTH].median, B = d.estimate[VAL_DRAPE_B].median;
  assert_true(length > 0.015 && length < 0.021);
  assert_near(B, pow(length, 3) * 0.2 * CB_STANDARD_GRAVITY_M_PER_S2, 0.05 * B);
  assert_true(d.law.B_Nm[0] == d.law.B_Nm[2]); /* which direction is the stiffer one is not known */
  assert_true(d.n_groups == 1 && d.group[0].drapes == 5 && d.group[0].sign[VAL_DRAPE_NODES].inside);
  assert_false(d.group[0].sign[VAL_DRAPE_ELONGATION].known);
  lab_drape_clear(&d);
  q.stiffer = 1;
  assert_ok(lab_drape_fit(NULL, &q, &d, err));
  assert_true(d.law.B_Nm[0] > d.law.B_Nm[2]);
  lab_drape_clear(&d);
  q.areal_mass_kg_per_m2 = NAN;
  assert_ok(lab_drape_fit(NULL, &q, &d, err));
  assert_true(d.outcome == VAL_DRAPE_TOLD && !d.has_law && !d.mass_known);
  lab_drape_clear(&d);
  q.specimen_m = 0.28;
  assert_fails(CB_E_RANGE, "28 cm on 18 cm", lab_drape_fit(NULL, &q, &d, err));
  lab_drape_clear(&d);
}

/* An outline r = a + b cos 8 phi, elongated a little. */
static void put_drape(cb_store *s, int64_t cloth, double coefficient, cb_origin origin) {
  json_t *profile = json_array();
  cb_drape_test t = {.material_id = cloth,
                     .method = "silhouette",
                     .support_m = 0.18,
                     .specimen_m = 0.3,
                     .drape_coefficient = coefficient,
                     .u_drape_coefficient = 0.002,
                     .nodes = 8,
                     .node_height_m = 0.022,
                     .pixel_m = 1e-3,
                     .area_m2 = 0.045,
                     .scale_from = "given",
                     .origin = origin};
  (void)snprintf(t.capture, sizeof t.capture, "%.3f", coefficient);
  (void)snprintf(t.source, sizeof t.source, "invented");
  for (int k = 0; k < ANGLES; k++)
    (void)json_array_append_new(profile,
                                json_real(0.12 + 0.011 * cos(8 * k * CB_DEG) + 0.0025 * cos(2 * k * CB_DEG)));
  char *text = ll_text(profile);
  assert_ok(cb_store_drape_put(s, &t, text, "", err));
  free(text);
}

static void fit_voile(cb_store *s, lab_drape *d) {
  int64_t cloth = ll_cloth(s, "Voile");
  lab_drape_request q = {.table_file = TABLE,
                         .stretch_N_per_m = NAN,
                         .cloth = "Voile",
                         .origin = LAB_ANY_ORIGIN,
                         .measured = NAN,
                         .areal_mass_kg_per_m2 = 0.15,
                         .u_mass_rel = 0.02};
  for (int k = 0; k < 4; k++) put_drape(s, cloth, 0.45 + 0.01 * k, CB_IMPORTED);
  put_drape(s, cloth, 0.9, CB_SIMULATED); /* is no measurement */
  assert_ok(lab_drape_fit(s, &q, d, err));
}

static void what_is_stored_is_what_was_found(void **state) {
  store_fixture *f = *state;
  lab_drape d, got;
  lab_bending b;
  fit_voile(f->s, &d);
  assert_true(d.has_law && d.law_id > 0 && d.n_drapes == 4);
  assert_near(d.prior.sd_ln_mass, 0.02, 0);
  assert_ok(lab_drape_stored(f->s, "Voile", &got, err));
  ll_same(lab_drape_json(&d), lab_drape_json(&got));
  assert_memory_equal(got.covariance, d.covariance, sizeof d.covariance);
  assert_memory_equal(got.direction, d.direction, sizeof d.direction);
  assert_memory_equal(got.drape_id, d.drape_id, d.n_drapes * sizeof *d.drape_id);
  assert_true(got.estimate[VAL_DRAPE_G].hi95 == d.estimate[VAL_DRAPE_G].hi95);
  /* As a law of bending it says where it comes from. */
  assert_ok(lab_bending_stored(f->s, "Voile", &b, err));
  assert_int_equal(b.source, LAB_BENDING_DRAPES);
  assert_memory_equal(b.fit.law.B_Nm, d.law.B_Nm, sizeof d.law.B_Nm);
  lab_drape_clear(&d);
  lab_drape_clear(&got);
}

/* A law of a virtual rig says nothing of drapes that were measured. */
static void a_stretch_law_counts_if_it_is_as_real(void **state) {
  store_fixture *f = *state;
  cb_stretch_law law = tw_stretch();
  lab_drape d;
  for (int real = 0; real < 2; real++) {
    law.origin = real ? CB_IMPORTED : CB_VIRTUAL;
    tw_put(f->s, ll_cloth(f->s, "Voile"), CB_LAW_STRETCH, "", cb_stretch_json(&law));
    fit_voile(f->s, &d);
    assert_int_equal(d.stretch_known, real);
    /* Green-Lagrange at the first knot, 1 %: force / 1.01 over strain x 1.005. */
    if (real) assert_near(d.prior.stretch_N_per_m, sqrt(500.0 * 400.0) / (1.01 * 1.005), 1e-3);
    lab_drape_clear(&d);
  }
}

static void no_drapes_are_an_error(void **state) {
  store_fixture *f = *state;
  lab_drape d;
  lab_drape_request q = five();
  q.cloth = "Silk";
  (void)ll_cloth(f->s, "Silk");
  assert_fails(CB_E_NOTFOUND, "there are no drapes of 'Silk'", lab_drape_fit(f->s, &q, &d, err));
  lab_drape_clear(&d);
  q.origin = CB_VIRTUAL;
  assert_fails(CB_E_NOTFOUND, "there are no virtual drapes of 'Silk'", lab_drape_fit(f->s, &q, &d, err));
  lab_drape_clear(&d);
  q.cloth = "Nobody";
  assert_fails(CB_E_NOTFOUND, "Nobody", lab_drape_fit(f->s, &q, &d, err));
  lab_drape_clear(&d);
}

static cb_status read_one(const char *text, cb_err *err) {
  lab_drape d;
  cb_status st = lab_drape_read(text, &d, err);
  lab_drape_clear(&d);
  return st;
}

static void damaged_documents_are_refused(void **state) {
  store_fixture *f = *state;
  static const ll_damage list[] = {
      {"{\"cloth\"", "\"cloth\"", "law of bending: line 1"},
      {"\"law\":{", "\"law\":null,\"b\":{", "bending law: form"},
      {"\"outcome\":\"the drapes", "\"outcome\":\"perhaps the drapes",
       "outcome: one of its words was wanted"},
      {"\"groups\":[", "\"groups\":{},\"b\":[", "groups: a list of"},
      {"\"inside\":true", "\"inside\":\"yes\"", "inside: true or false was wanted"},
      {"\"unknowns\":{", "\"unknowns\":[],\"b\":{", "unknowns: an object was wanted"},
      {"\"mean_ln\":", "\"mean_ln\":\"x\",\"b\":", "mean_ln: a number was wanted"},
      {"\"covariance_ln\":[[", "\"covariance_ln\":[[null,", "covariance_ln: 3 rows of 3 numbers were wanted"},
      {"\"combinations\":[", "\"combinations\":[{},", "combinations: a list of 3 at most was wanted"},
      {"\"drape_ids\":[1", "\"drape_ids\":[\"1\"", "drape_ids: a row's number was wanted"},
  };
  lab_drape d;
  fit_voile(f->s, &d);
  char *text = ll_text(lab_drape_json(&d));
  lab_drape_clear(&d);
  assert_ok(read_one(text, err));
  ll_refused(text, list, sizeof list / sizeof list[0], read_one);
  free(text);
}

/* ---- predictions ---- */

static const lab_drape_numbers typed = {.areal_density_kg_per_m2 = 0.15,
                                        .thickness_m = NAN,
                                        .stretch_N_per_m = {500, 400},
                                        .shear_N_per_m = 40,
                                        .bend_Nm = {1e-5, 8e-6},
                                        .hysteresis_N = {NAN, NAN},
                                        .u_mass_rel = NAN,
                                        .u_stretch_rel = 0.05,
                                        .u_shear_rel = NAN,
                                        .u_bend_rel = NAN,
                                        .u_hysteresis_rel = NAN,
                                        .u_onset_rel = NAN};

static void a_cloth_of_numbers(void **state) {
  (void)state;
  lab_drape_cloth c;
  lab_drape_numbers q = typed;
  assert_ok(lab_drape_cloth_make(NULL, NULL, &q, &c, err));
  assert_near(sim_curve_slope(&c.material.warp), 500, 1e-9);
  assert_near(sim_curve_slope(&c.material.shear), 80, 1e-9); /* the angle is twice the strain */
  assert_near(c.material.bending_Nm[0][0], 1e-5, 1e-20);
  assert_true(c.doubt.mass == 0.01 && c.doubt.stretch == 0.05 && c.doubt.bending[1] == 0.1 &&
              c.doubt.onset == 0.4);
  assert_true(c.hysteresis_from == LAB_HYSTERESIS_RELATION && c.doubt.friction_follows_bending &&
              !c.from_drapes);
  /* bending length (sqrt(8e-11) / (0.15 g))^(1/3) = 18.3 mm */
  double ratio =
      cb_bending_prior_at(cbrt(sqrt(8e-11) / (0.15 * CB_STANDARD_GRAVITY_M_PER_S2))).width_over_B_per_m;
  assert_near(c.material.bending_friction_N[1], ratio * 8e-6 / 2, 1e-15);
  q.hysteresis_N[0] = q.hysteresis_N[1] = 1e-3;
  assert_ok(lab_drape_cloth_make(NULL, NULL, &q, &c, err));
  assert_true(c.hysteresis_from == LAB_HYSTERESIS_NUMBERS && c.material.bending_friction_N[0] == 5e-4);
}

static void numbers_go_before_laws(void **state) {
  store_fixture *f = *state;
  lab_drape_cloth c;
  lab_drape d;
  lab_drape_numbers q = typed;
  fit_voile(f->s, &d);
  q.bend_Nm[0] = q.bend_Nm[1] = NAN;
  assert_ok(lab_drape_cloth_make(f->s, "Voile", &q, &c, err));
  assert_true(c.from_drapes);
  /* What drapes tell is a moment, and the friction is a part of it. */
  const double K = d.law.curvature_per_m,
               h = c.material.bending_friction_N[0] * fmin(K / c.material.bending_friction_onset_per_m, 1);
  assert_true(h > 0 && c.doubt.moment_known_at_per_m == K);
  assert_near(c.material.bending_Nm[0][0] * K + h, d.law.B_Nm[0] * K, 1e-6 * d.law.B_Nm[0] * K);
  assert_near(c.doubt.bending[0], sqrt(d.law.cov_N2m2[0][0]) / d.law.B_Nm[0], 1e-9);
  q.areal_density_kg_per_m2 = NAN;
  assert_fails(CB_E_NOTFOUND, "areal mass is not known", lab_drape_cloth_make(f->s, "Voile", &q, &c, err));
  q = typed;
  q.shear_N_per_m = NAN;
  assert_fails(CB_E_NOTFOUND, "Voile", lab_drape_cloth_make(f->s, "Voile", &q, &c, err));
  lab_drape_clear(&d);
}

/* Band 0.40 to 0.60 about 0.5; four drapes of 0.45 to 0.48: mean 0.465, s = 0.0129, u = 0.002. */
static void measured_drapes_are_judged(void **state) {
  store_fixture *f = *state;
  lab_drape d;
  lab_drape_prediction p = {
      .cloth = {.name = "Voile", .origin = CB_IMPORTED},
      .support_cm = 18,
      .specimen_cm = 30,
      .seeds = 4,
      .predicted = {
          .n = 4, .settled = 4, .drape_coefficient = {.mean = 0.5, .sd = 0.03, .lo95 = 0.4, .hi95 = 0.6}}};
  fit_voile(f->s, &d);
  lab_drape_clear(&d);
  assert_null(lab_drape_verdict(&p)); /* nothing measured */
  assert_ok(lab_drape_compare_stored(f->s, &p, err));
  assert_true(p.measured.n == 4 && p.measured.inside == 4);
  assert_near(p.measured.mean, 0.465, 1e-12);
  assert_near(p.measured.sd, sqrt(5e-4 / 3), 1e-9);
  assert_near(p.measured.allowed, hypot(0.1, 2 * hypot(sqrt(5e-4 / 3) / 2, 0.002)), 1e-9);
  assert_string_equal(lab_drape_verdict(&p), "pass");
  p.predicted.settled = 3;
  assert_string_equal(lab_drape_verdict(&p), "fail");
  p.predicted.settled = 4, p.seeds = 5;
  assert_null(lab_drape_verdict(&p)); /* not all were made */
  p.seeds = 4;
  lab_drape_compare_number(0.61, &p.predicted, &p.measured);
  assert_true(p.measured.n == 1 && p.measured.inside == 0 && isnan(p.measured.sd));
  assert_near(p.measured.allowed, 0.1, 1e-12);
  assert_string_equal(lab_drape_verdict(&p), "fail");
  p.specimen_cm = 24;
  assert_ok(lab_drape_compare_stored(f->s, &p, err));
  assert_int_equal(p.measured.n, 0);
  /* Virtual laws have virtual drapes. */
  p.specimen_cm = 30;
  p.cloth.origin = CB_VIRTUAL;
  assert_ok(lab_drape_compare_stored(f->s, &p, err));
  assert_true(p.measured.n == 1 && p.measured.mean == 0.9);
  memcpy(p.cloth.name, "Nobody", sizeof "Nobody");
  assert_fails(CB_E_NOTFOUND, "Nobody", lab_drape_compare_stored(f->s, &p, err));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(numbers_tell_the_bending), STORE_TEST(what_is_stored_is_what_was_found),
      STORE_TEST(no_drapes_are_an_error),         STORE_TEST(damaged_documents_are_refused),
      cmocka_unit_test(a_cloth_of_numbers),       STORE_TEST(numbers_go_before_laws),
      STORE_TEST(measured_drapes_are_judged),     STORE_TEST(a_stretch_law_counts_if_it_is_as_real),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
