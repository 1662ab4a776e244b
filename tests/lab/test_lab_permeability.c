/* Air through cloth in lab/: a planted Darcy-Forchheimer cloth is found again, documents go there and back
 * bit for bit, damaged ones are refused, layers add up. */
#include "cb_store_material_test.h"
#include "cb_num.h"
#include "lab_permeability.h"
#include "lablaw.h"

#define R 400.0 /* Pa s/m */
#define S 300.0 /* Pa s2/m2 */

static double velocity_at(double pressure_Pa) { return (-R + sqrt(R * R + 4 * S * pressure_Pa)) / (2 * S); }

/* Readings at ten pressures, with 0.5 % of scatter and a level of its own. */
static void put_piece(cb_store *s, int64_t cloth, const char *name, int layers, double level, cb_rng *rng) {
  cb_material_test t = {.kind = CB_TEST_PERMEABILITY,
                        .material_id = cloth,
                        .layers = layers,
                        .area_m2 = 0.002,
                        .origin = CB_IMPORTED,
                        .method = "BS 5636"};
  cb_test_point p[10];
  (void)snprintf(t.specimen, sizeof t.specimen, "%s", name);
  for (int i = 0; i < 10; i++) {
    double Pa = 20 * pow(1.5, i);
    p[i] = (cb_test_point){layers * Pa, level * velocity_at(Pa) * (1 + 0.005 * cb_rng_normal(rng))};
  }
  ll_test(s, t, p, 10);
}

static void put_linen(cb_store *s) {
  static const char *const names[] = {"a", "b", "c", "d"};
  static const double levels[] = {1.03, 0.97, 1.01, 0.99};
  int64_t cloth = ll_cloth(s, "Linen");
  cb_rng rng;
  cb_rng_init(&rng, 5, 1);
  for (int k = 0; k < 4; k++) put_piece(s, cloth, names[k], 1 + k % 2, levels[k], &rng);
}

static void fit_linen(cb_store *s, lab_permeability **list) {
  size_t n;
  put_linen(s);
  assert_ok(lab_permeability_fit_all(s, "Linen", NULL, list, &n, err));
  assert_int_equal(n, 1);
  assert_int_equal((*list)->fit.outcome, FIT_PERMEABILITY_OK);
}

static void a_planted_cloth_is_found(void **state) {
  store_fixture *f = *state;
  lab_permeability *p;
  fit_linen(f->s, &p);
  const cb_permeability_law *law = &p->fit.law;
  assert_int_equal(law->curve.form, CB_PERMEABILITY_FORCHHEIMER);
  assert_true(p->n_tests == 4 && p->fit.n_specimens == 4 && p->fit.n_points == 40);
  const lab_permeability_terms t = lab_permeability_terms_of(law);
  assert_near(t.R_Pa_s_per_m, R, 0.05 * R);
  assert_near(t.S_Pa_s2_per_m2, S, 0.1 * S);
  assert_true(isnan(t.c_m_per_s) && isnan(t.n));
  assert_int_equal(p->n_kappa, 4); /* BS 5636 has a pressure of its own */
  assert_near(p->kappa[3].pressure_Pa, 98, 0);
  for (size_t i = 0; i < p->n_kappa; i++) {
    const lab_kappa *k = &p->kappa[i];
    assert_true(k->low_m_per_s < velocity_at(k->pressure_Pa) &&
                k->high_m_per_s > velocity_at(k->pressure_Pa));
    assert_true(k->inside_measured_range);
  }
  lab_permeabilities_free(p, 1);
}

static cb_status stored(cb_store *s, const char *cloth, cb_material_law *row, cb_err *err) {
  cb_material m;
  *row = (cb_material_law){.id = 0};
  CB_TRY(cb_store_material_find(s, CB_CLOTH, cloth, &m, err));
  return cb_store_material_law_find(s, &m, CB_LAW_PERMEABILITY, row, err);
}

static void what_is_stored_is_what_was_fitted(void **state) {
  store_fixture *f = *state;
  lab_permeability *p;
  cb_material_law row;
  fit_linen(f->s, &p);
  assert_ok(stored(f->s, "Linen", &row, err));
  assert_true(row.id > 0);
  ll_same(lab_permeability_json(p), json_loads(row.result_json, 0, NULL));
  free(row.result_json);
  lab_permeabilities_free(p, 1);
}

/* One piece through which nothing passes: an outcome; no cloth at all: an error, and nothing was stored. */
static void no_flow_is_no_law(void **state) {
  store_fixture *f = *state;
  lab_permeability *list;
  size_t n;
  cb_rng rng;
  assert_fails(CB_E_NOTFOUND, "there are no tests of permeability",
               lab_permeability_fit_all(f->s, NULL, NULL, &list, &n, err));
  assert_true(!list && n == 0);
  cb_rng_init(&rng, 5, 1);
  put_piece(f->s, ll_cloth(f->s, "Foil"), "a", 1, 0, &rng);
  (void)ll_cloth(f->s, "Untested");
  assert_ok(lab_permeability_fit_all(f->s, NULL, NULL, &list, &n, err));
  assert_int_equal(n, 1);
  char *text = ll_text(lab_permeability_json(list));
  assert_string_equal(text, "{\"material\":\"Foil\",\"outcome\":\"no flow at any pressure\"}");
  free(text);
  lab_permeabilities_free(list, n);
  cb_material_law row;
  assert_fails(CB_E_NOTFOUND, "Foil", stored(f->s, "Foil", &row, err));
}

/* Three times the pressure through three layers, and a tenth more for their contact: the same velocity. */
static void layers_add_up(void **state) {
  store_fixture *f = *state;
  lab_permeability *p;
  static lab_layers one, three;
  fit_linen(f->s, &p);
  one = three = (lab_layers){.n = 0};
  assert_ok(lab_layers_add_word(f->s, "Linen", &one, err));
  assert_ok(lab_layers_add_word(f->s, "Linen*2", &three, err));
  assert_ok(lab_layers_add_word(f->s, "Linen", &three, err));
  assert_true(three.n == 1 && three.layers[0] == 3);
  lab_air_question q = {
      .pressure_Pa = 100, .velocity_m_per_s = NAN, .thickness_m = NAN, .temperature_degC = 20};
  lab_air_answer a = lab_air_predict(&one, &q);
  assert_near(a.v.velocity_m_per_s, velocity_at(100), a.v.velocity_m_per_s * (a.velocity_factor - 1));
  assert_true(isnan(a.darcy) && a.piece_factor > 1);
  q.pressure_Pa = 330;
  lab_air_answer b = lab_air_predict(&three, &q);
  assert_near(b.v.velocity_m_per_s, a.v.velocity_m_per_s, 1e-12);
  q.velocity_m_per_s = b.v.velocity_m_per_s;
  assert_near(lab_air_predict(&three, &q).v.pressure_Pa, 330, 1e-9);
  assert_fails(CB_E_NOTFOUND, "Silk", lab_layers_add_word(f->s, "Silk", &three, err));
  lab_permeabilities_free(p, 1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      STORE_TEST(a_planted_cloth_is_found),
      STORE_TEST(what_is_stored_is_what_was_fitted),
      STORE_TEST(no_flow_is_no_law),
      STORE_TEST(layers_add_up),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
