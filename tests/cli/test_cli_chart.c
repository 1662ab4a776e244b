/* clothbench chart: campaigns and days become points, a step becomes an alarm with its day and size, and the
 * exit code; what makes no sense is refused. */
#include "cb_rng.h"
#include "clitest.h"
#include "report_site.h"
#include "storeedit.h"
#include "weighings.h"

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

static void expect_index(const char *folder, bool alarmed) {
  char words[100], path[400], name[100];
  (void)snprintf(words, sizeof words, "report --index --db a.db --out %s", folder);
  clit_run(words, 0);
  (void)snprintf(name, sizeof name, "%s/index.html", folder);
  char *page = cbt_read(cbt_path(name, path));
  assert_int_equal(strstr(page, "Alarms of control charts") != NULL, alarmed);
  free(page);
}

/* Each once, until somebody says what was done. */
static void alarms_are_kept(void **state) {
  (void)state;
  import_campaigns(36, 31);
  clit_run(PAIR " --by campaign", 3);
  clit_expect("db corrections --db a.db", 0, "no corrections", "");
  clit_expect(PAIR " --by campaign --store", 3, "in alarm", " kept: 'db note' says what was done");
  const long kept = strtol(strstr(clit_last.err, "chart: ") + 7, NULL, 10);
  assert_true(kept >= 2);
  clit_expect(PAIR " --by campaign --store", 3, "in alarm", "clothbench chart: 0 new alarms are kept");
  json_t *doc = clit_json(
      "db query \"SELECT run_id, reason FROM correction ORDER BY id DESC\" --db a.db --json", 0, NULL);
  const json_t *rows = json_object_get(doc, "rows"), *row;
  size_t i;
  char words[100];
  assert_int_equal(json_array_size(rows), kept);
  json_array_foreach(rows, i, row) {
    const char *text = json_string_value(json_array_get(row, 1));
    if (!strstr(text, " on Steel: mu = 0.2") || !strstr(text, " (n = 25)") || !strstr(text, "; changed by "))
      fail_msg("an alarm is '%s'", text);
  }
  clit_expect("db ls --db a.db", 0, "due       alarms that 'db note' has not answered: run ", "");
  expect_index("before", true);
  json_array_foreach(rows, i, row) {
    (void)snprintf(words, sizeof words, "db note %lld \"the screw was loose\" --operator Ada --db a.db",
                   (long long)json_integer_value(json_array_get(row, 0)));
    clit_run(words, 0);
  }
  json_decref(doc);
  clit_run("db ls --db a.db", 0);
  assert_null(strstr(clit_last.out, "alarms"));
  expect_index("after", false);
  clit_expect(PAIR " --by campaign --store", 3, "in alarm", "clothbench chart: 0 new alarms are kept");
  clit_run("db check --db a.db", 0);
}

static const char *no_value(const void *context, const char *key) {
  (void)context, (void)key;
  return NULL;
}

/* The home page has the rig, and the alarm as long as nobody has answered it. */
static void expect_home(bool alarmed) {
  char path[400];
  cb_store *s;
  report_site_answer page;
  const report_site_query q = {.path = "/", .secret = "", .value = no_value};
  assert_ok(cb_store_open(cbt_path("a.db", path), CB_STORE_READ, &s, err));
  assert_ok(report_site_page(s, &q, &page, err));
  const char *rigs = strstr(page.text, "<h2>Rigs</h2>");
  assert_non_null(rigs);
  assert_non_null(strstr(rigs, "virtual-bench"));
  assert_non_null(strstr(rigs, "at rest"));
  assert_non_null(strstr(rigs, alarmed ? "<td>1</td>" : "<td>0</td>"));
  assert_int_equal(strstr(page.text, "Alarms of control charts") != NULL, alarmed);
  free(page.text);
  assert_ok(cb_store_close(s, err));
}

/* The virtual bench with another seed, and friction along the warp of its own. */
static void measure(int seed, const char *c00) {
  char *text = NULL, *at;
  size_t n;
  assert_ok(cb_file_read(CB_SOURCE_DIR "/rigs/virtual.yaml", 1 << 16, &text, &n, err));
  assert_non_null(at = strstr(text, "\n  seed: 1\n"));
  at[9] = (char)('0' + seed);
  assert_non_null(at = strstr(text, "c00: 0.60"));
  memcpy(at, c00, 9);
  clit_put("rig.yaml", text);
  free(text);
  clit_run("run plan.yaml --rig rig.yaml --db a.db --yes", 0);
}

/* A campaign on a reference cloth that differs from those before: its end says so, and keeps it. */
static void the_end_of_a_campaign(void **state) {
  (void)state;
  clit_put("plan.yaml",
           "name: daily\nkind: friction\ncloth: Demo Twill\nbody: Demo Foam\nangles_deg: [0]\n"
           "added_masses_g: [50]\nrepeats: 1\ndirections: forward\nspeed_mm_per_s: 10\ntravel_mm: 15\n"
           "zero_s: 0.5\noperator: Ada\n");
  for (int day = 0; day < 10; day++) measure(day, "c00: 0.60");
  clit_expect("db corrections --db a.db", 0, "no corrections", "");
  measure(1, "c00: 0.75");
  assert_non_null(strstr(clit_last.err, "the control charts of Demo Twill on Demo Foam have 3 new alarms: "));
  /* On a busy computer runs were made again: its number is not always 11. */
  char run[16], words[100];
  clit_expect("db corrections --db a.db", 0,
              " note   chart alarm: point, kinetic at 0 deg, 0.6178 N, Demo Twill on Demo Foam: mu = 0.", "");
  assert_int_equal(sscanf(clit_last.out, "%*s run %15[0-9]", run), 1);
  assert_non_null(strstr(clit_last.out, " (n = 11); changed by +"));
  assert_non_null(strstr(clit_last.out, "(Ada)"));
  (void)snprintf(words, sizeof words, "due       alarms that 'db note' has not answered: run %s ", run);
  clit_expect("db ls --db a.db", 0, words, "");
  expect_home(true);
  (void)snprintf(words, sizeof words, "db void %s --reason \"grease on the foam\" --db a.db", run);
  clit_run(words, 0);
  clit_run("db ls --db a.db", 0);
  assert_null(strstr(clit_last.out, "alarms"));
  expect_home(false);
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

/* ---- certificates ---- */

/* Readings m - d, m + d, m - d, m + d, m: mean m, sd d; U = 2.776 d / sqrt(5) (Student's t, 4 degrees of
 * freedom) = 1.2417 d, worked out by hand. */
static const struct by_hand {
  double m, d;
  const char *limits, *result, *said;
  int code;
} by_hand[] = {
    {0.25, 0.002, "mu: 0.25, tolerance: 0.003", "0.2500 \u00b1 0.0025", "pass", 0},
    {0.25, 0.003, "mu: 0.25, tolerance: 0.003", "0.2500 \u00b1 0.0037", "not decided", 3},
    {0.30, 0.004, "at_most: 0.29", "0.3000 \u00b1 0.0050", "fail", 3},
    {0.30, 0.005, "at_most: 0.305", "0.3000 \u00b1 0.0062", "not decided", 3},
    {0.30, 0.007, "at_most: 0.31", "0.3000 \u00b1 0.0087", "pass", 0},
    {0.20, 0.008, "at_least: 0.19", "0.2000 \u00b1 0.0099", "pass", 0},
    {0.20, 0.010, "at_least: 0.19", "0.200 \u00b1 0.012", "not decided", 3},
    {0.20, 0.012, "at_least: 0.22", "0.200 \u00b1 0.015", "fail", 3},
    {0.40, 0.015, "mu: 0.4, tolerance: 0.02", "0.400 \u00b1 0.019", "pass", 0},
    {0.40, 0.020, "mu: 0.4, tolerance: 0.02", "0.400 \u00b1 0.025", "not decided", 3},
};
#define N_BY_HAND (sizeof by_hand / sizeof by_hand[0])

/* Five campaigns, in each a pull of every cloth; another first, as the same file is not taken twice. */
static void import_by_hand(void) {
  static const double way[] = {-1, 1, -1, 1, 0};
  char text[600], words[100];
  import_campaigns(1, 2); /* writes the mapping, too */
  for (int day = 0; day < 5; day++) {
    (void)snprintf(text, sizeof text, "c,b,deg,N,F\n");
    for (size_t i = 0; i < N_BY_HAND; i++) {
      const size_t k = (i + (size_t)day) % N_BY_HAND;
      (void)snprintf(text + strlen(text), 50, "C%zu,Steel,0,2.00000,%.6f\n", k,
                     2 * (by_hand[k].m + way[day] * by_hand[k].d));
    }
    (void)snprintf(words, sizeof words, "hand%d.csv", day);
    clit_put(words, text);
    (void)snprintf(words, sizeof words, "import friction --mapping map.yaml hand%d.csv --db a.db", day);
    clit_run(words, 0);
  }
}

static void certify(size_t k) {
  char spec[400], words[200], path[400];
  (void)snprintf(
      spec, sizeof spec,
      "certificate: {laboratory: Mill, customer: \"L\u00fctt <& S\u00f6hne>\", number: N-%zu}\nspec:\n"
      "  - {%s, normal_force_N: 2}\n",
      k, by_hand[k].limits);
  clit_put("hand.yaml", spec);
  (void)snprintf(
      words, sizeof words,
      "chart --cloth C%zu --body Steel --db a.db --by campaign --spec hand.yaml --certificate c.svg", k);
  clit_run(words, by_hand[k].code);
  char *text = cbt_read(cbt_path("c.svg", path));
  (void)snprintf(words, sizeof words, ">%s<", by_hand[k].result);
  if (!strstr(text, words)) fail_msg("certificate %zu: no '%s' in %s", k, words, text);
  (void)snprintf(words, sizeof words, ">%s<", by_hand[k].said);
  assert_non_null(strstr(text, words));
  (void)snprintf(words, sizeof words, "number N-%zu, issued 2", k);
  assert_non_null(strstr(text, words));
  assert_non_null(strstr(text, ">5 campaigns<"));
  assert_non_null(strstr(text, "L\u00fctt &lt;&amp; S\u00f6hne&gt;"));
  free(text);
}

static void certificates_are_as_by_hand(void **state) {
  (void)state;
  import_by_hand();
  for (size_t k = 0; k < N_BY_HAND; k++) certify(k);
}

#define CERTIFY PAIR " --by campaign --spec spec.yaml --certificate "

static void certificates_are_files_or_refused(void **state) {
  char path[400];
  (void)state;
  import_campaigns(8, 99);
  put_spec("  - {mu: 0.25, tolerance: 0.03, normal_force_N: 2, angle_deg: 0}\n");
  clit_expect(PAIR " --certificate c.svg", 2, "", "--spec FILE was wanted with it");
  clit_expect(CERTIFY "c.txt", 2, "", "a file that ends in .pdf or .svg was wanted");
  clit_put("logo.yaml", "certificate: {logo: a.gif}\nspec:\n  - {at_most: 1, normal_force_N: 2}\n");
  clit_expect(PAIR " --spec logo.yaml --certificate c.svg", 1, "", "that ends in .png or .svg was wanted");
  clit_put("logo.yaml", "certificate: {logo: a.png}\nspec:\n  - {at_most: 1, normal_force_N: 2}\n");
  clit_expect(PAIR " --spec logo.yaml --certificate c.svg", 1, "", "a.png");
  clit_put("logo.yaml", "certificate: {lab: Mill}\nspec:\n  - {at_most: 1, normal_force_N: 2}\n");
  clit_expect(PAIR " --spec logo.yaml --certificate c.svg", 1, "", "logo.yaml:1: unknown key 'lab'");
  if (system("rsvg-convert --version >/dev/null 2>&1") != 0) {
    clit_expect(CERTIFY "c.pdf", 1, "", "rsvg-convert is not installed");
    assert_int_not_equal(access(cbt_path("c.pdf", path), F_OK), 0);
    print_message("no rsvg-convert: certificates as PDF are not tested\n");
    return;
  }
  clit_expect(CERTIFY "c.pdf", 0, "wrote c.pdf: certificate 2", "");
  char *text = cbt_read(cbt_path("c.pdf", path));
  assert_int_equal(strncmp(text, "%PDF-", 5), 0);
  free(text);
}

/* A step of 10 sigma in the 31st of 36 looks: what is read of the weight, its alarms among those of pairs. */
static void a_weight_has_charts(void **state) {
  char path[400];
  (void)state;
  weighings_put(cbt_path("a.db", path), 36, 31, 1.0005);
  json_t *doc = clit_json("chart --weight-g 200 --by campaign --db a.db --json", 3, "chart");
  assert_string_equal(json_string_value(json_object_get(doc, "kind")), "weight");
  assert_true(json_is_null(json_object_get(doc, "angle_deg")));
  assert_near(clit_number(doc, "normal_force_N"), WEIGHINGS_TRUE_N, 1e-9);
  assert_near(clit_number(doc, "center_mu"), 1.0005, 4 * clit_number(doc, "u_center_mu"));
  assert_near(clit_number(doc, "sigma_mu"), 2e-4, 1e-4);
  assert_near(clit_number(find_alarm(doc, "point"), "shift_mu"), 0.002, 4e-4);
  json_decref(doc);
  clit_expect("chart --weight-g 200 --db a.db", 0, "read / true force at 1.961 N: 1 day, 36 runs (virtual)",
              "");
  clit_expect("chart --weight-g 200 --by campaign --db a.db --figure w.csv --store", 3,
              "verdict: the newest campaign is in alarm", " kept: 'db note' says what was done");
  assert_non_null(strstr(clit_last.out, "first 25 campaigns: read / true = 1.000"));
  clit_expect(
      "db corrections --db a.db", 0,
      "chart alarm: point, force at 1.961 N, the weight of 200 g on virtual-bench: read / true = 1.002", "");
  expect_index("folder", true);
  expect_home(true);
  clit_expect("chart --weight-g 100 --db a.db", 1, "", "the weight of 100 g was read in no such run");
  clit_expect("chart --weight-g 200 --rig elsewhere --db a.db", 1, "", "elsewhere");
  clit_expect("chart --weight-g 200 --cloth Twill --body Foam --db a.db", 2, "", "or --weight-g");
  clit_expect("chart --weight-g 200 --angle-deg 0 --db a.db", 2, "", "or --weight-g");
  clit_run("db void 31 32 33 34 35 36 --reason \"grease on the hook\" --db a.db", 0);
  clit_expect("chart --weight-g 200 --by campaign --db a.db", 0, ": 30 campaigns, 30 runs (virtual)", "");
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
  const struct CMUnitTest tests[] = {T(a_step_is_an_alarm),          T(alarms_are_kept),
                                     T(the_end_of_a_campaign),       T(days_are_points),
                                     T(limits_are_kept_or_not),      T(wrong_specifications_are_refused),
                                     T(certificates_are_as_by_hand), T(certificates_are_files_or_refused),
                                     T(a_weight_has_charts),         T(what_makes_no_sense_is_refused)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
