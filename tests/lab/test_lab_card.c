/* The card of a material: every property that its laws give, by closed forms, with what stands behind it. */
#include "cb_store_material_test.h"
#include "cb_num.h"
#include "cb_store_drape.h"
#include "lab_card_parts.h"
#include "lab_material.h"
#include "storelaws.h"
#include "storetest.h"
#include "cb_store_rows_impl.h"

static int64_t put_cloth(cb_store *s, double areal_density_kg_per_m2) {
  cb_material m = {.kind = CB_CLOTH,
                   .name = "Twill",
                   .source = "the lab",
                   .areal_density_kg_per_m2 = areal_density_kg_per_m2,
                   .origin = CB_MEASURED};
  assert_ok(cb_store_material_put(s, &m, err));
  return m.id;
}

static void put_material_law(cb_store *s, int64_t cloth, cb_material_law_kind kind, const char *form) {
  cb_material_law law = {.material_id = cloth,
                         .kind = kind,
                         .origin = CB_IMPORTED,
                         .source = "elsewhere",
                         .result_json = store_law_text(kind)};
  (void)snprintf(law.form, sizeof law.form, "%s", form);
  assert_ok(cb_store_material_law_put(s, &law, NULL, 0, err));
  free(law.result_json);
}

/* Coulomb, 0.3 along the warp and 0.4 along the weft, from 1 to 4 N; two runs of the second direction at 1 N
 * as the fit said. */
static void put_friction(cb_store *s, int64_t cloth) {
  int64_t body;
  cb_friction_law law = {.kind = CB_FRICTION_KINETIC,
                         .form = CB_FORM_ORTHOTROPIC,
                         .model = CB_MODEL_COULOMB,
                         .origin = CB_MEASURED,
                         .contact_area_m2 = 0.005,
                         .n_knots = 2,
                         .exponent = 1,
                         .dof = 8};
  for (int k = 0; k < 2; k++) {
    double N = k ? 4 : 1;
    law.knots[k] = (cb_friction_knot){.normal_force_N = N, .f_N = {0.3 * N, 0, 0.4 * N}};
    for (int i = 0; i < 3; i++) law.knots[k].cov_N2[i][i] = i == 1 ? 0 : 1e-4 * N * N;
  }
  assert_ok(cb_store_material_ensure(s, CB_BODY, "Foam", CB_MEASURED, &body, err));
  assert_ok(cb_store_law_put(
      s, &law, cloth, body, NULL, 0, "wls",
      "{\"points\": 17, \"mean_mu\": {\"90\": {\"mean\": 0.41, \"sd\": 0.02, \"n\": 4}}}", err));
}

static lab_card make(cb_store *s, exch_material *m) {
  lab_card card;
  assert_ok(lab_material_load(s, "Twill", m, err));
  assert_ok(lab_card_make(s, m, &card, err));
  return card;
}

static const lab_property *property(const lab_card *card, const char *name, const char *conditions) {
  for (size_t i = 0; i < card->n; i++)
    if (strcmp(card->list[i].name, name) == 0 && strstr(card->list[i].conditions, conditions))
      return &card->list[i];
  fail_msg("no property '%s' at '%s'", name, conditions);
  return NULL;
}

static void facts_alone(void **state) {
  store_fixture *f = *state;
  exch_material m;
  put_cloth(f->s, 0.2);
  lab_card card = make(f->s, &m);
  assert_true(card.n_sections == 1 && card.n == 1 && !card.full); /* the thickness is not known: no
                                                                     property */
  assert_string_equal(card.list[0].name, "areal density");
  assert_true(card.list[0].value == 0.2 && isnan(card.list[0].u));
  assert_string_equal(card.sections[0].source, "the lab");
  lab_card_clear(&card);
  exch_material_clear(&m);
}

static void friction_by_closed_forms(void **state) {
  store_fixture *f = *state;
  exch_material m;
  put_friction(f->s, put_cloth(f->s, 0));
  lab_card card = make(f->s, &m);
  assert_int_equal(card.n_sections, 2);
  const lab_section *s = &card.sections[1];
  assert_string_equal(s->title, "kinetic friction on Foam");
  assert_string_equal(s->form, "coulomb, orthotropic");
  assert_true(s->n == 17 && strcmp(s->n_what, "published run") == 0);
  /* At 45 degrees the form is (f00 + f11) / 2 and its variance the mean of both, halved. */
  const lab_property *p = property(&card, "coefficient", "45 deg at 4 N");
  assert_near(p->value, 0.35, 1e-12);
  assert_near(p->u, sqrt(1e-4 / 2), 1e-12);
  assert_near(property(&card, "coefficient", "0 deg at 4 N")->value, 0.3, 1e-12);
  assert_near(property(&card, "load exponent", "1 to 4 N")->value, 1, 0);
  p = property(&card, "mean of repeats", "90 deg, 4 runs, sd 0.02");
  assert_true(p->value == 0.41 && p->u == 0.01 && p->dof == 3);
  lab_card_clear(&card);
  exch_material_clear(&m);
}

static void laws_of_the_cloth_alone(void **state) {
  store_fixture *f = *state;
  exch_material m;
  int64_t cloth = put_cloth(f->s, 0.2);
  put_material_law(f->s, cloth, CB_LAW_PERMEABILITY, "darcy");
  put_material_law(f->s, cloth, CB_LAW_STRETCH, "wang");
  put_material_law(f->s, cloth, CB_LAW_BENDING, "table");
  lab_card card = make(f->s, &m);
  assert_int_equal(card.n_sections, 4);
  assert_near(property(&card, "face velocity", "200 Pa")->value, 0.2, 1e-12); /* Darcy: in proportion */
  assert_near(property(&card, "face velocity", "100 Pa")->u, 0.1 * 0.01, 1e-6);
  assert_near(property(&card, "k33", "no strain")->value, 40, 1e-9); /* ARCSim: k = 2 c */
  assert_near(property(&card, "rigidity", "0 deg")->value, property(&card, "rigidity", "90 deg")->value,
              1e-15);
  assert_string_equal(card.sections[2].title, "stretch");
  assert_string_equal(card.sections[2].source, "elsewhere");
  lab_card_clear(&card);
  exch_material_clear(&m);
}

/* Two drapes that were measured alike are one group; a third on another disc is its own. */
static void drapes_in_groups(void **state) {
  store_fixture *f = *state;
  exch_material m;
  int64_t cloth = put_cloth(f->s, 0.2);
  for (int i = 0; i < 3; i++) {
    cb_drape_test d = {.material_id = cloth,
                       .method = "mesh",
                       .support_m = i < 2 ? 0.18 : 0.12,
                       .specimen_m = 0.3,
                       .drape_coefficient = 0.4 + 0.1 * i,
                       .u_drape_coefficient = 0.01,
                       .nodes = 5 + i,
                       .area_m2 = 0.05,
                       .pixel_m = 0.001,
                       .scale_from = "mesh",
                       .origin = CB_MEASURED};
    assert_ok(cb_store_drape_put(f->s, &d, "[]", "", err));
  }
  lab_card card = make(f->s, &m);
  assert_int_equal(card.n_sections, 3);
  const lab_property *p = property(&card, "drape coefficient", "30 cm on 18 cm");
  assert_near(p->value, 0.45, 1e-12);
  assert_near(p->u, hypot(0.1 / sqrt(2) / sqrt(2), 0.01), 1e-12);
  assert_true(p->dof == 1 && card.sections[1].n == 2 && card.sections[2].n == 1);
  assert_near(property(&card, "nodes", "30 cm on 12 cm")->value, 7, 0);
  lab_card_clear(&card);
  exch_material_clear(&m);
}

/* The same numbers in the table and in the document. */
static void table_and_document(void **state) {
  store_fixture *f = *state;
  exch_material m;
  char *text;
  size_t size;
  put_friction(f->s, put_cloth(f->s, 0.2));
  lab_card card = make(f->s, &m);
  FILE *to = open_memstream(&text, &size);
  lab_card_csv(&m, &card, to);
  assert_int_equal(fclose(to), 0);
  assert_non_null(
      strstr(text,
             "property,conditions,value,u,unit,dof,n,origin,source,date,calibration,validity\nareal "
             "density,,0.2,,kg/m2,,,measured,"));
  assert_non_null(strstr(
      text,
      "\nkinetic friction on Foam: mean of repeats,\"90 deg, 4 runs, sd 0.02\",0.41,0.01,1,3,17,measured,"));
  free(text);
  json_t *doc = lab_card_json(&m, &card), *laws = json_object_get(doc, "laws"),
         *law = json_array_get(laws, 0);
  assert_int_equal(json_array_size(laws), 1);
  assert_int_equal(json_integer_value(json_object_get(law, "n")), 17);
  assert_int_equal(json_array_size(json_object_get(law, "properties")), 5);
  json_decref(doc);
  lab_card_clear(&card);
  exch_material_clear(&m);
}

/* Another laboratory's file may say anything about how it made its law. */
static void verdicts_in_other_words(void **state) {
  store_fixture *f = *state;
  exch_material m;
  put_friction(f->s, put_cloth(f->s, 0.2));
  assert_ok(lab_material_load(f->s, "Twill", &m, err));
  free(m.friction[0].verdicts_json);
  m.friction[0].verdicts_json = strdup("{\"mean_mu\": \"of ours\"}");
  lab_card card;
  assert_ok(lab_card_make(f->s, &m, &card, err));
  assert_true(card.sections[1].n == 0 && card.n == 5); /* density, three coefficients, exponent */
  lab_card_clear(&card);
  exch_material_clear(&m);
}

/* What one law has to stand for stands on the card, as `fit friction` says it. */
static void what_a_law_misses(void **state) {
  store_fixture *f = *state;
  exch_material m;
  put_friction(f->s, put_cloth(f->s, 0.2));
  assert_ok(lab_material_load(f->s, "Twill", &m, err));
  free(m.friction[0].verdicts_json);
  m.friction[0].verdicts_json = strdup("{\"lack_of_fit\": {\"p_value\": 1e-5, \"misfit_percent\": 3.5}}");
  lab_card card;
  assert_ok(lab_card_make(f->s, &m, &card, err));
  assert_string_equal(
      card.sections[1].said,
      "the kinetic law misses directions and loads by 3.5 % beyond their scatter (p = 1e-05): the "
      "band has it");
  lab_card_clear(&card);
  exch_material_clear(&m);
}

/* Cycles of one piece are no pieces: the card says so, and its band has what is assumed of others. */
static void cycles_are_no_pieces(void **state) {
  (void)state;
  cb_material_test t[5] = {{.direction_deg = 0, .specimen = "a"},
                           {.direction_deg = 180.2, .specimen = "a", .repeat = 2},
                           {.direction_deg = 90, .specimen = "a"},
                           {.direction_deg = -90, .specimen = "b"},
                           {.direction_deg = 45}};
  assert_int_equal(lab_card_pieces(t, 5, 0).pieces, 1);
  assert_int_equal(lab_card_pieces(t, 5, 90).pieces, 2);
  assert_int_equal(lab_card_pieces(t, 5, 30).tests, 0);
  lab_section s = {.said = ""};
  lab_card_say_pieces(t, 5, &s);
  assert_string_equal(
      s.said, "one piece at 0, 45 deg: +- has 10 % for how pieces differ, a guess with 2 degrees of freedom");
  s.said[0] = '\0';
  lab_card_say_pieces(t + 2, 2, &s);
  assert_string_equal(s.said, "");
  t[3].specimen[0] = '\0';
  lab_card_say_pieces(t + 2, 2, &s);
  assert_string_equal(s.said, "tests that do not name their piece count as pieces of their own");
  /* A strip known to 14 N/m: 10 % with two degrees of freedom are all. */
  lab_property p = {.value = 23813, .u = 7, .dof = 40};
  lab_card_widen(&p, (lab_pieces){1, 4});
  assert_near(p.u, hypot(7, 2381.3), 1e-9);
  assert_near(p.dof, 2, 1e-4);
  p = (lab_property){.value = 1, .u = 0.1, .dof = 2};
  lab_card_widen(&p, (lab_pieces){1, 4});
  assert_near(p.dof, 4, 1e-12);
  p = (lab_property){.value = 1, .u = NAN, .dof = NAN};
  lab_card_widen(&p, (lab_pieces){1, 4});
  assert_true(isnan(p.u));
  /* Eight cycles of two pieces are two. */
  p = (lab_property){.value = 1, .u = 0.1, .dof = 7};
  lab_card_widen(&p, (lab_pieces){2, 8});
  assert_near(p.u, 0.2, 1e-12);
  assert_near(p.dof, 1, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {STORE_TEST(facts_alone),
                                     STORE_TEST(friction_by_closed_forms),
                                     STORE_TEST(laws_of_the_cloth_alone),
                                     STORE_TEST(drapes_in_groups),
                                     STORE_TEST(table_and_document),
                                     STORE_TEST(verdicts_in_other_words),
                                     STORE_TEST(what_a_law_misses),
                                     cmocka_unit_test(cycles_are_no_pieces)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
