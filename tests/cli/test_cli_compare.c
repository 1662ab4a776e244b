/* clothbench compare: equal laws agree and laws that differ are told apart, at the rates that the page
 * states; two lots, campaigns and databases; what makes no sense is refused. CB_SLOW=1: twice as many. */
#include <math.h>

#include "cb_rng.h"
#include "clitest.h"

#define MAPPING                                                                                              \
  "kind: friction\nsource: us\ncolumns:\n  cloth: {column: c}\n  body: {column: b}\n"                        \
  "  direction: {column: deg, unit: deg}\n  normal_force: {column: N, unit: N}\n  force: {column: F, unit: " \
  "N}\n"
#define PAIR " --cloth Serge --body Steel"
#define SCATTER 0.015

/* How many pairs or round robins, of so many with CB_SLOW. Bounds of means grow with the root of 2. */
static int some_of(int n) { return getenv("CB_SLOW") ? n : n / 2; }

/* A campaign of 3 angles, 4 loads, 3 repeats: F = scale (0.2 + 0.02 sin^2) N^0.95, and scatter of each run.
 */
static void import_campaign(const char *db, double scale, cb_rng *rng) {
  char text[4000] = "c,b,deg,N,F\n", words[200];
  clit_put("map.yaml", MAPPING);
  for (int i = 0; i < 36; i++) {
    const double angle = 45 * (i % 3), load = pow(2, i / 3 % 4), s = sin(angle * 3.14159265358979 / 180);
    const double force = scale * (0.2 + 0.02 * s * s) * pow(load, 0.95) * (1 + SCATTER * cb_rng_normal(rng));
    (void)snprintf(text + strlen(text), 60, "Serge,Steel,%g,%.4f,%.6f\n", angle, load, force);
  }
  clit_put("runs.csv", text);
  (void)snprintf(words, sizeof words, "import friction --mapping map.yaml runs.csv --db %s", db);
  clit_run(words, 0);
}

/* Returns how many of n pairs of campaigns are said to differ; *mean gets the mean of the stated difference.
 */
static int count_differing(int n, double scale, double *mean) {
  int found = 0;
  *mean = 0;
  cb_rng rng;
  cb_rng_init(&rng, 7, 0);
  for (int i = 0; i < n; i++) {
    char db[2][20], words[200];
    (void)snprintf(db[0], 20, "a%d.db", i);
    (void)snprintf(db[1], 20, "b%d.db", i);
    import_campaign(db[0], scale, &rng);
    import_campaign(db[1], 1, &rng);
    (void)snprintf(words, sizeof words, "compare" PAIR " --db %s --other-db %s --json", db[0], db[1]);
    static cbt_result r;
    cbt_run(&r, cbt_folder, words);
    if (r.code != 0 && r.code != 3) fail_msg("%s: %s", words, r.err);
    found += r.code == 3;
    json_error_t e;
    json_t *doc = json_loads(r.out, 0, &e);
    *mean += clit_number(doc, "difference_rel") / n;
    json_decref(doc);
  }
  return found;
}

/* At most one in ten: of 40, more than 9 would come once in 200; of 20, more than 5 once in 90. */
static void equal_laws_agree(void **state) {
  (void)state;
  double mean;
  const int n = some_of(40), found = count_differing(n, 1, &mean);
  print_message("equal laws: %d of %d are said to differ, mean difference %.2f %%\n", found, n, 100 * mean);
  assert_true(found <= (n == 40 ? 9 : 5));
  assert_true(fabs(mean) < 0.004 * sqrt(40. / n));
}

static void a_difference_is_found_and_told(void **state) {
  (void)state;
  double mean;
  const int n = some_of(20), found = count_differing(n, 1.06, &mean);
  print_message("6 %% apart: %d of %d are said to differ, mean difference %.2f %%\n", found, n, 100 * mean);
  assert_true(found >= 0.8 * n);
  assert_true(fabs(mean - log(1.06)) < 0.006 * sqrt(20. / n));
}

/* ---- three laboratories ---- */

typedef struct tally {
  int named, right; /* round robins that name a laboratory; that name lab3.db alone */
  double deviation; /* mean of that of lab3.db */
} tally;

/* n round robins of three, the third one off by a factor. */
static tally play_round_robins(int n, double off, uint64_t seed) {
  static const char *const dbs[] = {"lab1.db", "lab2.db", "lab3.db"};
  tally t = {0, 0, 0};
  cb_rng rng;
  cb_rng_init(&rng, seed, 1);
  for (int i = 0; i < n; i++) {
    bool consistent[3];
    char path[400];
    static cbt_result r;
    for (int k = 0; k < 3; k++) {
      (void)unlink(cbt_path(dbs[k], path));
      import_campaign(dbs[k], k == 2 ? off : 1, &rng);
    }
    cbt_run(&r, cbt_folder, "compare" PAIR " lab1.db lab2.db lab3.db --json");
    if (r.code != 0 && r.code != 3) fail_msg("round robin: %s", r.err);
    json_t *doc = json_loads(r.out, 0, NULL);
    if (i == 0) jp_expect("compare LABS", doc);
    const json_t *labs = json_object_get(doc, "labs");
    for (size_t k = 0; k < 3; k++)
      consistent[k] = json_is_true(json_object_get(json_array_get(labs, k), "consistent"));
    t.named += r.code == 3;
    t.right += consistent[0] && consistent[1] && !consistent[2];
    t.deviation += clit_number(json_array_get(labs, 2), "deviation_rel") / n;
    json_decref(doc);
  }
  return t;
}

/* At most one in twenty: of 40, more than 6 would come once in 300; of 20, more than 4 once in 400. */
static void equal_laboratories_agree(void **state) {
  (void)state;
  const int n = some_of(40);
  const tally t = play_round_robins(n, 1, 11);
  print_message("equal laboratories: %d of %d round robins name one\n", t.named, n);
  assert_true(t.named <= (n == 40 ? 6 : 4));
}

static void a_laboratory_that_is_off_is_named(void **state) {
  (void)state;
  const int n = some_of(20);
  const tally t = play_round_robins(n, 1.05, 12);
  print_message(
      "one of three 5 %% off: %d of %d round robins name one, %d the right one; it deviates by %.2f %%\n",
      t.named, n, t.right, 100 * t.deviation);
  assert_true(t.right >= 0.85 * n);
  assert_true(fabs(t.deviation - log(1.05)) < 0.012 * sqrt(20. / n));
}

static void a_round_robin_is_told_and_drawn(void **state) {
  (void)state;
  (void)play_round_robins(1, 1.15, 13);
  clit_expect("compare" PAIR " lab1.db lab2.db lab3.db --figure youden.svg", 3, "lab3.db", "");
  assert_non_null(strstr(clit_last.out, "off\n"));
  assert_non_null(strstr(clit_last.out, "verdict: some are off"));
  char *svg = clit_get("youden.svg");
  assert_non_null(strstr(svg, "deviation at 0 deg"));
  free(svg);
  clit_expect("compare" PAIR " lab1.db lab2.db", 2, "", "three or more were wanted");
  clit_expect("compare" PAIR " lab1.db lab2.db lab3.db --lot A", 2, "", "three or more were wanted");
  clit_expect("compare" PAIR " lab1.db lab2.db none.db", 1, "", "none.db");
}

static void campaigns_of_one_database(void **state) {
  (void)state;
  cb_rng rng;
  cb_rng_init(&rng, 3, 0);
  import_campaign("a.db", 1, &rng);
  import_campaign("a.db", 1.15, &rng);
  json_t *doc = clit_json("compare" PAIR " --campaign 2 --other-campaign 1 --db a.db --json", 3, "compare");
  assert_true(clit_number(doc, "difference_rel") > 0.1 && clit_number(doc, "en") > 1);
  assert_int_equal(json_array_size(json_object_get(doc, "cells")), 12);
  json_decref(doc);
  clit_expect("compare" PAIR " --campaign 1 --other-campaign 2 --db a.db", 3, "verdict: they differ", "");
  clit_expect("compare" PAIR " --campaign 1 --other-campaign 2 --db a.db --figure cmp.csv", 3, "they differ",
              "");
  clit_run("db backup b.db --db a.db", 0);
  clit_expect("compare" PAIR " --campaign 1 --other-campaign 1 --other-db b.db --db a.db", 0,
              " % above B (95 %)", "");
}

static void what_makes_no_sense_is_refused(void **state) {
  (void)state;
  cb_rng rng;
  cb_rng_init(&rng, 3, 0);
  import_campaign("a.db", 1, &rng);
  clit_expect("compare" PAIR " --db a.db", 2, "", "two sides were wanted");
  clit_expect("compare" PAIR " --lot 1 --other-lot 1 --db a.db", 2, "", "two sides were wanted");
  clit_expect("compare" PAIR " --lot 1 --other-lot 2 --db a.db", 1, "", "has no finished runs of lot 1");
  clit_expect("compare" PAIR " --campaign 1 --other-campaign 7 --db a.db", 1, "", "has no finished runs");
  clit_expect("compare --cloth Satin --body Steel --campaign 1 --other-campaign 2 --db a.db", 1, "",
              "no cloth named 'Satin'");
  clit_expect("compare" PAIR " --kind rolling --campaign 1 --other-campaign 2 --db a.db", 2, "",
              "kinetic or static");
  clit_expect("compare" PAIR " --kind static --campaign 1 --other-campaign 1 --other-db a.db --db a.db", 1,
              "", "no static friction law can be fitted");
}

int main(void) {
#define T(f) cmocka_unit_test_setup_teardown(f, cbt_folder_set_up, cbt_folder_tear_down)
  const struct CMUnitTest tests[] = {T(equal_laws_agree),
                                     T(a_difference_is_found_and_told),
                                     T(equal_laboratories_agree),
                                     T(a_laboratory_that_is_off_is_named),
                                     T(a_round_robin_is_told_and_drawn),
                                     T(campaigns_of_one_database),
                                     T(what_makes_no_sense_is_refused)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
