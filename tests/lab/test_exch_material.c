/* A material with its laws as JSON: bit for bit there and back, nothing foreign let in. */
#include <time.h>

#include "cbtest.h"
#include "exch_material.h"

/* Thirds and sevenths have no short decimal form. */
static void fill_friction(exch_friction *f) {
  *f = (exch_friction){.law = {.cloth = "Twill",
                               .body = "Foam",
                               .kind = CB_FRICTION_KINETIC,
                               .form = CB_FORM_GENERAL,
                               .origin = CB_MEASURED,
                               .contact_area_m2 = 0.005,
                               .n_knots = 2,
                               .exponent = 6.0 / 7,
                               .u_exponent = 0.1 / 3,
                               .u_rel_common = 0.002 / 3,
                               .u_rel_model = 0.01 / 7,
                               .dof = 50 / 3.0,
                               .model = CB_MODEL_CURVE,
                               .bend = 1 / 3.0,
                               .speed_m_per_s = 0.01 / 3,
                               .n_shared = 2},
                       .created_at = "2026-11-21T08:00:00.123Z"};
  for (int k = 0; k < 2; k++) {
    cb_friction_knot *knot = &f->law.knots[k];
    knot->normal_force_N = (k + 1) / 3.0;
    knot->f_N[0] = 0.5 * knot->normal_force_N;
    knot->f_N[1] = 0.01 / 7;
    knot->f_N[2] = 0.4 * knot->normal_force_N;
    for (int i = 0; i < 3; i++)
      for (int j = 0; j < 3; j++) knot->cov_N2[i][j] = (i == j ? 1e-6 : 1e-7 / (1 + i + j)) / 3;
  }
  for (int p = 0; p < 2; p++) {
    cb_friction_shared *part = &f->law.shared[p];
    (void)snprintf(part->source, sizeof part->source, "%s", p ? "load" : "zero");
    part->exponent[p] = 0.01 / 7;
    for (int k = 0; k < 2; k++)
      for (int i = 0; i < 3; i++) part->f_N[k][i] = (1 + p + k + i) * 1e-4 / 3;
  }
  f->method = strdup("a method");
  f->verdicts_json = strdup("{\"mean_mu\":{\"0\":0.33333333333333331}}");
}

static void fill(exch_material *m) {
  *m = (exch_material){.facts = {.kind = CB_CLOTH,
                                 .name = "Twill",
                                 .composition = "100 % cotton, \"combed\"",
                                 .areal_density_kg_per_m2 = 0.2 / 3,
                                 .source = "a lab",
                                 .origin = CB_MEASURED}};
  m->laws[CB_LAW_BENDING] =
      (cb_material_law){.kind = CB_LAW_BENDING,
                        .form = "directions",
                        .origin = CB_IMPORTED,
                        .source = "a book",
                        .method = "elastica",
                        .created_at = "2026-11-21T09:00:00.000Z",
                        .result_json = strdup("{\"b_N_m\":1.4285714285714286e-6,\"n\":3,\"whole\":2.0}")};
  m->friction = calloc(1, sizeof *m->friction);
  m->n_friction = 1;
  fill_friction(&m->friction[0]);
}

static char *text_of(const exch_material *m) {
  char *text;
  assert_ok(exch_material_write(m, &text, err));
  return text;
}

static void there_and_back_nothing_has_changed(void **state) {
  (void)state;
  exch_material m, back;
  fill(&m);
  char *text = text_of(&m);
  assert_ok(exch_material_read(text, strlen(text), "x.json", &back, err));
  assert_memory_equal(&m.friction[0].law.knots, &back.friction[0].law.knots, sizeof m.friction[0].law.knots);
  assert_memory_equal(&m.friction[0].law.shared, &back.friction[0].law.shared,
                      sizeof m.friction[0].law.shared);
  assert_true(m.friction[0].law.exponent == back.friction[0].law.exponent);
  assert_true(m.friction[0].law.dof == back.friction[0].law.dof);
  assert_true(m.friction[0].law.bend == back.friction[0].law.bend);
  assert_true(m.friction[0].law.speed_m_per_s == back.friction[0].law.speed_m_per_s);
  assert_int_equal(m.friction[0].law.n_shared, back.friction[0].law.n_shared);
  assert_true(m.facts.areal_density_kg_per_m2 == back.facts.areal_density_kg_per_m2);
  assert_true(back.facts.thickness_m == 0);
  assert_string_equal(m.facts.composition, back.facts.composition);
  assert_string_equal(m.laws[CB_LAW_BENDING].result_json, back.laws[CB_LAW_BENDING].result_json);
  assert_string_equal(m.friction[0].verdicts_json, back.friction[0].verdicts_json);
  assert_null(back.laws[CB_LAW_STRETCH].result_json);
  char *again = text_of(&back);
  assert_string_equal(text, again);
  free(text);
  free(again);
  exch_material_clear(&m);
  exch_material_clear(&back);
}

/* The text with one piece replaced is refused with this sentence. */
static void refuse(const char *old, const char *new, cb_status status, const char *sentence) {
  exch_material m, back;
  char changed[8000];
  fill(&m);
  char *text = text_of(&m), *at = strstr(text, old);
  if (!at) fail_msg("'%s' is not in the document", old);
  (void)snprintf(changed, sizeof changed, "%.*s%s%s", (int)(at - text), text, new, at + strlen(old));
  assert_fails(status, sentence, exch_material_read(changed, strlen(changed), "x.json", &back, err));
  assert_null(back.friction);
  free(text);
  exch_material_clear(&m);
}

static void errors_are_one_sentence_with_the_place(void **state) {
  (void)state;
  refuse("{", "[", CB_E_PARSE, "x.json:");
  refuse("clothbench-material", "zfab", CB_E_PARSE, "x.json: \"format\": \"clothbench-material\" was wanted");
  refuse("\"version\": 1", "\"version\": 2", CB_E_RANGE, "x.json: version 2: this program reads 1");
  refuse("\"areal_density_kg_per_m2\"", "\"areal_density_g_per_m2\"", CB_E_PARSE,
         "x.json: material: unknown key 'areal_density_g_per_m2': the keys are kind, name");
  refuse("\"name\": \"Twill\"", "\"name\": \"\"", CB_E_PARSE, "x.json: material.name is empty");
  refuse("\"kind\": \"cloth\"", "\"kind\": \"clot\"", CB_E_PARSE,
         "x.json: material.kind is 'clot': one of cloth, body was wanted");
  refuse("0.066666666666666666", "66.6", CB_E_RANGE, "x.json: material.areal_density_kg_per_m2 = 66.6");
  refuse("\"stretch\": null,", "", CB_E_PARSE, "x.json: the key 'stretch' is missing");
  refuse("\"result\": {", "\"result\": 3, \"x\": {", CB_E_PARSE, "x.json: bending: unknown key 'x'");
  refuse("\"normal_force_N\"", "\"normal_force_g\"", CB_E_PARSE,
         "x.json: friction[0].knots[0]: unknown key 'normal_force_g'");
  refuse("\"cloth\": \"Twill\"", "\"cloth\": \"Denim\"", CB_E_RANGE,
         "x.json: friction[0].cloth is 'Denim': 'Twill'");
}

/* A body's law; and files from before bodies had any, which lack the key. */
static void elasticity_is_of_bodies(void **state) {
  (void)state;
  exch_material m, back;
  fill(&m);
  char *text = text_of(&m), *at = strstr(text, "  \"elasticity\": null,\n");
  assert_non_null(at);
  memmove(at, strchr(at, '\n') + 1, strlen(strchr(at, '\n')));
  assert_ok(exch_material_read(text, strlen(text), "x.json", &back, err));
  assert_null(back.laws[CB_LAW_ELASTICITY].result_json);
  free(text);
  exch_material_clear(&m);
  exch_material_clear(&back);
  refuse("\"elasticity\": null",
         "\"elasticity\": {\"form\": \"\", \"origin\": \"imported\", \"source\": \"\", \"method\": \"\", "
         "\"created_at\": \"\","
         " \"result\": {}}",
         CB_E_RANGE, "x.json.elasticity: 'Twill' is a cloth: this law is of bodies");
}

/* Knots in falling order: what the reader lets through must be a law. */
static void a_law_that_is_none_is_refused(void **state) {
  (void)state;
  refuse("\"normal_force_N\": 0.33333333333333331", "\"normal_force_N\": 5", CB_E_RANGE,
         "x.json: friction[0]: ");
  refuse("\"dof\": 16.666666666666668", "\"dof\": 0.005", CB_E_RANGE, "x.json: friction[0].dof = 0.005");
  refuse("\"dof\": 16.666666666666668", "\"dof\": 9e999", CB_E_PARSE, "x.json:");
}

/* 16 MiB, the largest file that is read, of what makes a parser slow or big. */
static void long_files_are_refused_at_once(void **state) {
  (void)state;
  static const char *const units[] = {"[", "{\"a\":", "[],", "{},", "\"", "0,", "\\", "1"};
  size_t n = (size_t)16 << 20;
  char *text = malloc(n + 1);
  assert_non_null(text);
  for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
    size_t m = strlen(units[i]), at = 1;
    exch_material back;
    cb_err err = {""};
    text[0] = '[';
    for (; at + m <= n; at += m) memcpy(text + at, units[i], m);
    text[at] = '\0';
    clock_t begin = clock();
    assert_true(exch_material_read(text, at, "long.json", &back, &err) != CB_OK && err.msg[0]);
    if (i == 0) assert_string_equal(err.msg, "long.json:1: lists and objects more than 64 deep");
    if (i == 2) assert_string_equal(err.msg, "long.json:1: more than 1000000 values");
    assert_true((double)(clock() - begin) / CLOCKS_PER_SEC < 5); /* sanitizers included; else 0.1 s */
  }
  free(text);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(there_and_back_nothing_has_changed),
      cmocka_unit_test(errors_are_one_sentence_with_the_place), cmocka_unit_test(elasticity_is_of_bodies),
      cmocka_unit_test(a_law_that_is_none_is_refused), cmocka_unit_test(long_files_are_refused_at_once)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
