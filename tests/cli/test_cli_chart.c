/* clothbench chart: campaigns and days become points, a step becomes an alarm with its day and size, and the
 * exit code; what makes no sense is refused. */
#include "cb_rng.h"
#include "clitest.h"
#include "storeedit.h"

#define PAIR "chart --cloth Serge --body Steel --db a.db"

/* n campaigns of 3 runs at 0 deg, 2 N, and one at 90 deg; mu 0.25 with 0.8 % scatter, 3 % more from campaign
 * `step` on. */
static void import_campaigns(int n, int step) {
  char text[400], words[100];
  cb_rng rng;
  cb_rng_init(&rng, 5, 0);
  clit_put("map.yaml",
           "kind: friction\nsource: us\ncolumns:\n  cloth: {column: c}\n  body: {column: b}\n  direction: "
           "{column: deg, unit: deg}\n  normal_force: {column: N, unit: N}\n  force: {column: F, unit: N}\n");
  for (int d = 1; d <= n; d++) {
    (void)snprintf(text, sizeof text, "c,b,deg,N,F\n");
    for (int i = 0; i < 4; i++)
      (void)snprintf(text + strlen(text), 60, "Serge,Steel,%d,2,%.6f\n", i < 3 ? 0 : 90,
                     0.5 * (1 + 0.008 * cb_rng_normal(&rng)) * (d >= step ? 1.03 : 1));
    (void)snprintf(words, sizeof words, "day%d.csv", d);
    clit_put(words, text);
    (void)snprintf(words, sizeof words, "import friction --mapping map.yaml day%d.csv --db a.db", d);
    clit_run(words, 0);
  }
}

static const json_t *find_alarm(const json_t *doc, const char *chart) {
  const json_t *list = json_object_get(doc, "alarms"), *a;
  for (size_t i = 0; (a = json_array_get(list, i)); i++)
    if (strcmp(json_string_value(json_object_get(a, "chart")), chart) == 0) return a;
  fail_msg("no alarm of %s", chart);
  return NULL;
}

static void a_step_is_an_alarm(void **state) {
  (void)state;
  import_campaigns(36, 31);
  json_t *doc = clit_json(PAIR " --by campaign --json", 3, "chart");
  assert_int_equal(json_array_size(json_object_get(doc, "points")), 36);
  assert_true(clit_number(doc, "runs") == 108 && clit_number(doc, "baseline_points") == 25);
  assert_near(clit_number(doc, "center_mu"), 0.25, 4 * clit_number(doc, "u_center_mu"));
  assert_near(clit_number(doc, "sigma_mu"), 0.002 / sqrt(3), 0.0005);
  const json_t *a = find_alarm(doc, "cusum");
  assert_near(clit_number(a, "since"), 30, 1); /* the 31st, counted from 0 */
  assert_near(clit_number(a, "shift_mu"), 0.0075, 3 * clit_number(a, "u_shift_mu"));
  assert_int_equal((int)clit_number(a, "until"), 35);
  json_decref(doc);
  clit_expect(PAIR " --by campaign --figure c.csv", 3, "verdict: the newest campaign is in alarm", "");
  assert_non_null(strstr(clit_last.out, "cusum   ALARM    #3"));
  clit_expect(PAIR " --by campaign --angle-deg 90", 3, "36 campaigns, 36 runs (imported)", "");
}

/* Three campaigns a day; the last day of 12 is off. */
static void days_are_points(void **state) {
  char path[400];
  (void)state;
  import_campaigns(36, 34);
  clit_expect(PAIR, 0, "no limits: at least 8 days", ""); /* all of them were imported today */
  store_edit_and_reseal(
      cbt_path("a.db", path),
      "UPDATE run SET started_at = date('2026-01-01', ((campaign_id - 1) / 3) || ' days') || "
      "'T08:00:00.000Z', finished_at = date('2026-01-20') || 'T09:00:00.000Z'");
  clit_expect(PAIR " --baseline 11", 3, "12 days, 108 runs", "");
  assert_non_null(strstr(clit_last.out, "ALARM    2026-01-12  now         2026-01-12"));
  clit_expect(PAIR " --until 2026-01-11", 0, "the newest day is without an alarm", "132 of 144 runs");
}

static void what_makes_no_sense_is_refused(void **state) {
  (void)state;
  import_campaigns(1, 2);
  clit_expect(PAIR " --by week", 2, "", "day or campaign");
  clit_expect(PAIR " --kind rolling", 2, "", "kinetic or static");
  clit_expect(PAIR " --kind static", 1, "", "has no such runs of static friction");
  clit_expect(PAIR " --normal-force-N 3", 1, "", "has no such runs");
  clit_expect("chart --cloth Serge --db a.db", 2, "", "--body");
  clit_expect("chart --cloth Satin --body Steel --db a.db", 1, "", "no cloth named 'Satin'");
}

int main(void) {
#define T(f) cmocka_unit_test_setup_teardown(f, cbt_folder_set_up, cbt_folder_tear_down)
  const struct CMUnitTest tests[] = {T(a_step_is_an_alarm), T(days_are_points),
                                     T(what_makes_no_sense_is_refused)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
