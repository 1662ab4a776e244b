/* Corrections: a voided run changes the law as if it had not been made, to the bit; it can be taken back; who
 * said what and when stays; merged files agree. */
#include <math.h>

#include "cb_store.h"
#include "clitest.h"

#define MAPPING                                                                                              \
  "kind: friction\nsource: us\ncolumns:\n  cloth: {column: c}\n  body: {column: b}\n"                        \
  "  direction: {column: deg, unit: deg}\n  normal_force: {column: N, unit: N}\n  force: {column: F, unit: " \
  "N}\n"
#define SOUND                                                                                         \
  "Serge,Steel,0,1,0.2013\nSerge,Steel,0,2,0.3904\nSerge,Steel,0,4,0.7612\nSerge,Steel,90,1,0.2204\n" \
  "Serge,Steel,90,2,0.4310\nSerge,Steel,90,4,0.8422\nSerge,Steel,0,1,0.2001\nSerge,Steel,0,2,0.3921\n"
#define BAD "Serge,Steel,0,4,0.7700\n" /* run 9 */

static void import_runs(const char *db, const char *rows) {
  char text[2000], words[200];
  clit_put("map.yaml", MAPPING);
  (void)snprintf(text, sizeof text, "c,b,deg,N,F\n%s", rows);
  clit_put("runs.csv", text);
  (void)snprintf(words, sizeof words, "import friction --mapping map.yaml runs.csv --db %s", db);
  clit_run(words, 0);
}

static void fit(const char *db, const char *says) {
  char words[200];
  (void)snprintf(words, sizeof words, "fit friction --cloth Serge --body Steel --db %s", db);
  clit_run(words, 0);
  clit_says(words, "stderr", clit_last.err, says);
}

static cb_friction_law law_of(const char *db) {
  char path[400];
  cb_store *s;
  cb_friction_law law;
  assert_ok(cb_store_open(cbt_path(db, path), CB_STORE_READ, &s, err));
  assert_ok(cb_store_law_find(s, "Serge", "Steel", CB_FRICTION_KINETIC, &law, err));
  assert_ok(cb_store_close(s, err));
  return law;
}

static void assert_same_law(const cb_friction_law *a, const cb_friction_law *b) {
  assert_int_equal(a->n_knots, b->n_knots);
  for (size_t k = 0; k < a->n_knots; k++) assert_memory_equal(&a->knots[k], &b->knots[k], sizeof a->knots[k]);
  assert_true(a->exponent == b->exponent && a->u_exponent == b->u_exponent && a->dof == b->dof &&
              a->u_rel_model == b->u_rel_model && a->u_rel_common == b->u_rel_common &&
              a->n_shared == b->n_shared);
  assert_memory_equal(a->shared, b->shared, a->n_shared * sizeof a->shared[0]);
}

static void a_voided_run_was_never_made(void **state) {
  (void)state;
  import_runs("with.db", SOUND BAD);
  fit("with.db", "");
  const cb_friction_law before = law_of("with.db");
  clit_expect("db void 9 --reason \"cart touched the frame\" --operator Mia --db with.db", 0,
              "run 9 (0 deg, 4 N) is voided", "fit friction");
  clit_expect("db show 1 --db with.db", 0, "voided (cart touched the frame)", "");
  clit_expect("db ls --db with.db", 0, "8 of 9 runs done", "");
  fit("with.db", "1 run of Serge on Steel voided, and left out");
  import_runs("without.db", SOUND);
  fit("without.db", "");
  const cb_friction_law with = law_of("with.db"), without = law_of("without.db");
  assert_same_law(&with, &without);
  assert_true(before.exponent != with.exponent);
  clit_expect("db unvoid 9 --reason \"film shows that it did not\" --operator Jo --db with.db", 0,
              "back in use", "the laws of its pair change");
  fit("with.db", "");
  const cb_friction_law again = law_of("with.db");
  assert_same_law(&again, &before);
  clit_expect("db check --db with.db", 0, "whole", "");
  json_t *doc = clit_json("db corrections --db with.db --json", 0, "db corrections");
  assert_int_equal(json_array_size(json_object_get(doc, "corrections")), 2);
  json_decref(doc);
  clit_expect("db corrections 8 --db with.db", 0, "no corrections", "");
}

/* A person says what the verdict on a run is, and takes it back. */
static void a_verdict_is_overruled(void **state) {
  (void)state;
  import_runs("a.db", SOUND BAD);
  fit("a.db", "");
  const cb_friction_law before = law_of("a.db");
  clit_expect("db amend 9 --set verdict=invalid \"cart touched the frame\" --operator Mia --db a.db", 0,
              "run 9 (0 deg, 4 N) is amended", "fit friction");
  fit("a.db", "1 verdict was overruled");
  fit("a.db", "run 9 is invalid, says Mia: cart touched the frame");
  fit("a.db", "1 of 9 pulls is invalid, and in no law");
  clit_run("export points --out points.csv --db a.db", 0);
  char path[400], *points = cbt_read(cbt_path("points.csv", path));
  assert_non_null(strstr(points, ",invalid,said"));
  free(points);
  import_runs("without.db", SOUND);
  fit("without.db", "");
  const cb_friction_law with = law_of("a.db"), without = law_of("without.db");
  assert_same_law(&with, &without);
  clit_expect("db corrections --db a.db", 0, "verdict found -> invalid: cart touched the frame (Mia)", "");
  json_t *doc = clit_json("fit friction --cloth Serge --body Steel --db a.db --json", 0, "fit friction"),
         *said = json_array_get(json_object_get(doc, "overruled"), 0);
  assert_string_equal(json_string_value(json_object_get(said, "verdict")), "invalid");
  json_decref(doc);
  clit_run("db amend 9 --set verdict=found \"it did not\" --operator Jo --db a.db", 0);
  clit_expect("db corrections --db a.db", 0, "verdict invalid -> found: it did not (Jo)", "");
  fit("a.db", "");
  const cb_friction_law again = law_of("a.db");
  assert_same_law(&again, &before);
  clit_expect("db amend 9 --set verdict=good why --db a.db", 2, "",
              "verdict=good: valid, doubtful, invalid or found was wanted");
}

/* A prediction between the void and the next fit uses a law that was fitted in memory without the run. */
static void no_stale_law_is_used(void **state) {
  (void)state;
  import_runs("a.db", SOUND BAD);
  fit("a.db", "");
  clit_run("db void 9 --reason bumped --db a.db", 0);
  json_t *doc = clit_json(
      "predict friction --cloth Serge --body Steel --angle-deg 0 --normal-force-N 4 --db a.db --json", 0,
      NULL);
  import_runs("b.db", SOUND);
  fit("b.db", "");
  json_t *wanted = clit_json(
      "predict friction --cloth Serge --body Steel --angle-deg 0 --normal-force-N 4 --db b.db --json", 0,
      NULL);
  const json_t *x = json_object_get(doc, "force_N"), *y = json_object_get(wanted, "force_N");
  if (!x || !y) fail_msg("no force_N in %s", json_dumps(doc, 0));
  assert_true(json_number_value(x) == json_number_value(y));
  json_decref(doc);
  json_decref(wanted);
}

static void what_makes_no_sense_is_refused(void **state) {
  (void)state;
  import_runs("a.db", SOUND);
  clit_expect("db void 1 --db a.db", 2, "", "void: after the run, a text that says what or why was wanted");
  clit_expect("db void --reason x --db a.db", 2, "", "void: the number of a run was wanted");
  clit_expect("db void 99 --reason x --db a.db", 1, "", "no run 99");
  clit_expect("db void one --reason x --db a.db", 1, "", "one");
  clit_expect("db unvoid 1 --reason x --db a.db", 1, "", "run 1 is done: a run that is voided was wanted");
  clit_expect("db void 1 99 --reason x --db a.db", 1, "", "no run 99");
  clit_expect("db corrections --db a.db", 0, "no corrections", ""); /* not even of run 1 */
  clit_run("db void 1 2 --reason x --db a.db", 0);
  clit_expect("db void 1 --reason x --db a.db", 1, "", "run 1 is voided: a run that is done was wanted");
  clit_expect("db ls --reason x --db a.db", 2, "", "belong to void, unvoid, note, amend");
  clit_expect("db void 3 --reason x --operator \"\" --db a.db", 2, "", "--operator");
  clit_run("db note 1 --reason \"cloth looked creased\" --db a.db", 0);
  clit_expect("db corrections 1 --db a.db", 0, "cloth looked creased", "");
}

/* As people type it: the number, then the text. */
static void the_last_word_is_the_reason(void **state) {
  (void)state;
  import_runs("a.db", SOUND);
  clit_expect("db note 4 \"heavy air\" --operator Mia --db a.db", 0,
              "run 4 (90 deg, 1 N) has a note: heavy air", "");
  clit_expect("db void 5 6 bumped --operator Mia --db a.db", 0, "run 6 (90 deg, 4 N) is voided: bumped",
              "change");
  clit_expect("db note 4 --db a.db", 2, "", "note: after the run, a text");
  clit_expect("db note 4 5 --db a.db", 2, "", "note: after the run, a text");
  clit_expect("db note \"heavy air\" --db a.db", 2, "", "note: after the run, a text");
  clit_expect("db note --db a.db", 2, "", "note: the number of a run was wanted, such as: db note 12 ");
  clit_expect("db note 4 one --reason two --db a.db", 1, "", "run = 'one'");
}

/* A run whose cart had 200 g more than was typed, said in the campaign file's unit. */
static void an_amendment_speaks_the_campaigns_units(void **state) {
  (void)state;
  static const char *const said[][2] = {{"added_mass_g=200", " -> 0.2: two discs (Mia)"},
                                        {"added_mass_kg=0.3", "added_mass_kg 0.2 -> 0.3:"},
                                        {"cart_mass_g=50", "-> 0.05:"},
                                        {"contact_area_cm2=25", "-> 0.0025:"},
                                        {"speed_mm_per_s=10", "-> 0.01:"}};
  import_runs("a.db", SOUND);
  for (size_t i = 0; i < sizeof said / sizeof said[0]; i++) {
    char words[200];
    (void)snprintf(words, sizeof words, "db amend 1 --set %s \"two discs\" --operator Mia --db a.db",
                   said[i][0]);
    clit_run(words, 0);
    clit_expect("db corrections 1 --db a.db", 0, said[i][1], "");
  }
  clit_expect("db amend 1 --set mass=2 why --db a.db", 2, "", "added_mass_kg, ");
  clit_expect("db amend 1 --set mass=2 why --db a.db", 2, "", "added_mass_g, ");
  clit_expect("db amend 1 --set added_mass_g=two why --db a.db", 1, "", "added_mass_g = 'two'");
}

/* The other file's corrections come over with its runs, and once. */
static void corrections_are_merged(void **state) {
  (void)state;
  import_runs("a.db", SOUND);
  clit_run("db backup b.db --db a.db", 0);
  clit_run("db void 3 --reason there --operator Jo --db b.db", 0);
  clit_run("db merge b.db --db a.db", 0);
  clit_expect("db corrections --db a.db", 0, "there (Jo)", "");
  clit_expect("db show 1 --db a.db", 0, "voided (there)", "");
  clit_run("db merge b.db --db a.db", 0);
  json_t *doc = clit_json("db corrections --db a.db --json", 0, NULL);
  assert_int_equal(json_array_size(json_object_get(doc, "corrections")), 1);
  json_decref(doc);
}

int main(void) {
#define T(f) cmocka_unit_test_setup_teardown(f, cbt_folder_set_up, cbt_folder_tear_down)
  const struct CMUnitTest tests[] = {
      T(a_voided_run_was_never_made), T(a_verdict_is_overruled),
      T(no_stale_law_is_used),        T(what_makes_no_sense_is_refused),
      T(the_last_word_is_the_reason), T(an_amendment_speaks_the_campaigns_units),
      T(corrections_are_merged)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
