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
      (void)snprintf(text + strlen(text), 60, "Serge,Steel,%d,2.0000,%.6f\n", i < 3 ? 0 : 90,
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

/* Whether the report's page of the pair has the charts. */
static bool is_in_report(const char *folder) {
  char words[100], path[400], name[100];
  (void)snprintf(words, sizeof words, "report --cloth Serge --db a.db --out %s", folder);
  clit_run(words, 0);
  (void)snprintf(name, sizeof name, "%s/pair-1-2-serge-on-steel.html", folder);
  char *text = cbt_read(cbt_path(name, path));
  const bool found = strstr(text, "<h2>Over time</h2>") && strstr(text, "The newest day is <span");
  free(text);
  return found;
}

/* Three campaigns a day; the last day of 12 is off. */
static void days_are_points(void **state) {
  char path[400];
  (void)state;
  import_campaigns(36, 34);
  clit_expect(PAIR, 0, "no limits: at least 8 days", ""); /* all of them were imported today */
  assert_false(is_in_report("before"));
  store_edit_and_reseal(
      cbt_path("a.db", path),
      "UPDATE run SET started_at = date('2026-01-01', ((campaign_id - 1) / 3) || ' days') || "
      "'T08:00:00.000Z', finished_at = date('2026-01-20') || 'T09:00:00.000Z'");
  clit_expect(PAIR " --baseline 11", 3, "12 days, 108 runs", "");
  assert_non_null(strstr(clit_last.out, "ALARM    2026-01-12  now         2026-01-12"));
  assert_true(is_in_report("after"));
  clit_expect(PAIR " --until 2026-01-11", 0, "the newest day is without an alarm", "132 of 144 runs");
}

static void put_spec(const char *lines) {
  char text[400];
  (void)snprintf(text, sizeof text, "spec:\n%s", lines);
  clit_put("spec.yaml", text);
}

/* mu 0.25 with sigma 0.8 % / sqrt(3) of a campaign: 0.22 to 0.28 is 26 sigma from it, 0.249 to 0.2502 is not
 * known. */
static void limits_are_kept_or_not(void **state) {
  (void)state;
  import_campaigns(24, 99);
  put_spec(
      "  - {mu: 0.25, tolerance: 0.03, normal_force_N: 2, angle_deg: 0}\n"
      "  - {at_most: 0.26, normal_force_N: 2, angle_deg: 90}\n");
  json_t *doc = clit_json(PAIR " --by campaign --spec spec.yaml --json", 0, "chart SPEC");
  const json_t *line = json_array_get(json_object_get(doc, "lines"), 0);
  assert_near(clit_number(line, "at_least"), 0.22, 1e-12);
  assert_near(clit_number(line, "mu"), 0.25, 0.0012);
  assert_near(clit_number(line, "u_mu"), 0.002 / sqrt(72), 0.0001);
  assert_near(clit_number(line, "cpk"), 0.03 / (3 * 0.002 / sqrt(3)), 3);
  assert_true(clit_number(line, "p_outside") < 1e-9);
  json_decref(doc);
  clit_expect(PAIR " --by campaign --spec spec.yaml", 0, "verdict: 2 of 2 lines pass", "");
  assert_non_null(strstr(clit_last.out, "at least 0.22, at most 0.28: pass"));
  put_spec("  - {mu: 0.25, tolerance: 0.0001, normal_force_N: 2}\n  - {at_least: 0.3, normal_force_N: 2}\n");
  clit_expect(PAIR " --by campaign --spec spec.yaml", 3, "at most 0.2501: not decided", "");
  assert_non_null(strstr(clit_last.out, "at least 0.3: fail"));
  clit_expect(PAIR " --spec spec.yaml", 3, "of 1 day, ", ""); /* no capability of one point */
  assert_null(strstr(clit_last.out, "Cpk"));
}

static void wrong_specifications_are_refused(void **state) {
  (void)state;
  import_campaigns(1, 2);
  clit_expect(PAIR " --spec spec.yaml --kind static", 2, "", "the file says kind, angle and load");
  clit_expect(PAIR " --spec spec.yaml --baseline 0", 2, "", "no figure and no baseline");
  put_spec("  - {mu: 0.25, normal_force_N: 2}\n");
  clit_expect(PAIR " --spec spec.yaml", 1, "", "spec.yaml:2: 'mu' with 'tolerance', or");
  put_spec("  - {at_least: 0.3, at_most: 0.2, normal_force_N: 2}\n");
  clit_expect(PAIR " --spec spec.yaml", 1, "", "at_least = 0.3: must be < at_most = 0.2");
  put_spec("  - {at_least: 0.3, normal_force_N: 5}\n");
  clit_expect(PAIR " --spec spec.yaml", 1, "", "has no such runs");
  put_spec("  {}\n");
  clit_expect(PAIR " --spec spec.yaml", 1, "", "a list of 1 to 32 lines");
  put_spec("  - {at_least: 0.3, load: 5}\n");
  clit_expect(PAIR " --spec spec.yaml", 1, "", "load");
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
  const struct CMUnitTest tests[] = {T(a_step_is_an_alarm), T(days_are_points), T(limits_are_kept_or_not),
                                     T(wrong_specifications_are_refused), T(what_makes_no_sense_is_refused)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
