/* Raw data of a FAB: a small file, what is refused, and the published knit. */
#include "cb_num.h"
#include "cbtest.h"
#include "exch_fab.h"

#define CORPUS CB_SOURCE_DIR "/tests/fuzz/corpus/fab/"
#define GRAM 9.80665e-3

static cb_status read_file(const char *path, exch_fab *f, cb_err *err) {
  char *text = cbt_read(path);
  const cb_status st = exch_fab_read(text, strlen(text), "f", f, err);
  free(text);
  return st;
}

static void reads_a_small_file(void **state) {
  (void)state;
  exch_fab f;
  assert_ok(read_file(CORPUS "good", &f, err));
  const exch_fab_test *t = &f.tests[EXCH_FAB_WIDTH][EXCH_FAB_UP];
  assert_near(f.areal_density_kg_per_m2, 0.3, 1e-15);
  assert_near(f.thickness_m, 2e-4, 1e-18);
  assert_near(t->length_m, 0.021, 1e-15);
  assert_near(t->width_m, 0.04, 1e-15);
  assert_int_equal(t->n, 8);
  assert_int_equal(t->cycles, 2);
  assert_near(t->readings[5].distance_m, 0.018, 1e-15);
  assert_near(t->readings[5].force_N, -0.3 * GRAM, 1e-15);
  assert_int_equal(t->readings[3].cycle, 0);
  assert_int_equal(t->readings[4].cycle, 1);
  assert_near(f.figures[1].value, 24.1, 0);
  assert_true(isnan(f.figures[2].value));
  assert_true(exch_fab_low_force(&f, EXCH_FAB_LENGTH) && !exch_fab_low_force(&f, EXCH_FAB_WIDTH));
  assert_true(exch_fab_low_force(&f, EXCH_FAB_BIAS));
  exch_fab_clear(&f);
}

/* Every number of the small file as a text. */
static void numbers_in_quotes_are_numbers(void **state) {
  (void)state;
  exch_fab plain, quoted;
  char *text = cbt_read(CORPUS "good"), *all = calloc(3 * strlen(text) + 1, 1), *to = all;
  bool in_text = false;
  for (const char *at = text; *at;) {
    const size_t n = in_text ? 0 : strspn(at, "+-.0123456789eE");
    in_text ^= *at == '"';
    if (n > 0 && at[0] != 'e' && at[0] != 'E')
      to += sprintf(to, "\"%.*s\"", (int)n, at), at += n;
    else
      *to++ = *at++;
  }
  assert_ok(exch_fab_read(text, strlen(text), "f", &plain, err));
  assert_ok(exch_fab_read(all, strlen(all), "f", &quoted, err));
  assert_true(quoted.areal_density_kg_per_m2 == plain.areal_density_kg_per_m2);
  const exch_fab_test *a = &plain.tests[EXCH_FAB_WIDTH][EXCH_FAB_UP];
  const exch_fab_test *b = &quoted.tests[EXCH_FAB_WIDTH][EXCH_FAB_UP];
  assert_true(a->n == b->n && a->length_m == b->length_m);
  for (size_t i = 0; i < a->n; i++) assert_true(a->readings[i].force_N == b->readings[i].force_N);
  exch_fab_clear(&plain);
  exch_fab_clear(&quoted);
  free(all);
  free(text);
}

static void refuses_with_a_place(void **state) {
  (void)state;
  static const struct {
    const char *file;
    cb_status status;
    const char *says;
  } cases[] = {{CORPUS "odd_numbers", CB_E_PARSE, "raw_data.L.U1.samplesTree[0]: 3 numbers: pairs"},
               {CORPUS "odd_branches", CB_E_PARSE, "3 branches: two for every cycle"},
               {CORPUS "longer_than_strip", CB_E_RANGE, "W.D2.samplesTree: reading 3: clamps 8.2 cm apart"},
               {CORPUS "empty_branch", CB_E_PARSE, "B.S1.samplesTree[1]"},
               {CORPUS "text", CB_E_PARSE, "B.S1.samplesTree[1][1]"},
               {CORPUS "missing", CB_E_PARSE, "S2"},
               {CORPUS "long_warning", CB_E_RANGE, "warnings.BendRigidityWarp"},
               {CORPUS "null", CB_E_PARSE, "no raw_data"},
               {CORPUS "no_object", CB_E_PARSE, "no raw_data"},
               {CORPUS "cut", CB_E_PARSE, "no JSON"}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    exch_fab f;
    assert_fails(cases[i].status, cases[i].says, read_file(cases[i].file, &f, err));
    assert_null(f.tests[0][0].readings);
  }
}

/* The figures stand in the file's text. */
static void reads_the_published_knit(void **state) {
  (void)state;
  exch_fab f;
  if (cbt_absent(CBT_DATA "/u3m_fab/cotton_knit.json")) skip();
  assert_ok(read_file(CBT_DATA "/u3m_fab/cotton_knit.json", &f, err));
  assert_near(f.tests[EXCH_FAB_LENGTH][EXCH_FAB_UP].length_m, 0.020992016792297363, 1e-15);
  assert_int_equal(f.tests[EXCH_FAB_LENGTH][EXCH_FAB_STRETCH].cycles, 4);
  assert_int_equal(f.tests[EXCH_FAB_BIAS][EXCH_FAB_DOWN].cycles, 3);
  assert_int_equal(f.tests[EXCH_FAB_BIAS][EXCH_FAB_DOWN].n, 76);
  assert_true(exch_fab_low_force(&f, EXCH_FAB_LENGTH) && exch_fab_low_force(&f, EXCH_FAB_WIDTH));
  exch_fab_clear(&f);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(reads_a_small_file), cmocka_unit_test(numbers_in_quotes_are_numbers),
      cmocka_unit_test(refuses_with_a_place), cmocka_unit_test(reads_the_published_knit)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
