/* import, fit and predict as a person meets them: exact exit codes and both streams, for good and bad
 * input. */
#include <jansson.h>

#include "cb_conditions.h"
#include "cb_num.h"
#include "cb_store.h"
#include "cbtest.h"
#include "jsonpage.h"

static const char mapping[] =
    "columns: {cloth: cloth, body: body, angle_deg: angle, cart_mass_g: cart, added_mass_g: added, reading: "
    "mV, repeat: repeat,"
    " friction_coefficient: mu}\n"
    "calibration: {reading_unit: mV/V, reading: 2.488, mass_g: 200, u_rel: 0.002}\n"
    "gravity_m_per_s2: 9.80665\ncontact_area_cm2: 50\nspeed_mm_per_s: 10\nfriction_coefficient_decimals: "
    "3\nkind: kinetic\nsource: "
    "invented for a test\n";
#define HEADER "cloth,body,angle,cart,added,mV,mu\n"

/* Twill on Foam: mu = 0.5 at 0, 0.45 at 45, 0.4 at 90 degrees, whatever the load; readings to match. */
static const char table[] = HEADER
    "Twill,Foam,0,3,97,0.622,0.500\nTwill,Foam,0,3,97,0.622,0.500\nTwill,Foam,45,3,97,0.560,0.450\nTwill,"
    "Foam,45,3,97,0.560,0.450\n"
    "Twill,Foam,90,3,97,0.498,0.400\nTwill,Foam,90,3,97,0.498,0.400\n"
    "Twill,Foam,0,3,197,1.244,0.500\nTwill,Foam,45,3,197,1.120,0.450\nTwill,Foam,90,3,197,0.995,0.400\n"
    "Twill,Foam,0,3,297,1.866,0.500\nTwill,Foam,45,3,297,1.679,0.450\nTwill,Foam,90,3,297,1.493,0.400\n";

typedef struct fixture {
  cbt_result r;
} fixture;

static void put(const char *name, const char *text) {
  char path[400];
  (void)cbt_path(name, path);
  cbt_write(path, text);
}

static int set_up(void **state) {
  fixture *f = calloc(1, sizeof *f);
  cbt_folder_set_up(state);
  put("map.yaml", mapping);
  put("table.csv", table);
  *state = f;
  return 0;
}

static bool exists(const char *name) {
  char path[400];
  (void)cbt_path(name, path);
  return access(path, F_OK) == 0;
}

/* Exit code; what stdout and stderr contain ("" = must be empty). */
static void expect(fixture *f, const char *args, int code, const char *out, const char *err) {
  cbt_run(&f->r, cbt_folder, args);
  if (f->r.code != code) fail_msg("%s: exit %d, %d was wanted: %s", args, f->r.code, code, f->r.err);
  if (out[0] ? !strstr(f->r.out, out) : f->r.out[0])
    fail_msg("%s: stdout is '%s', '%s' was wanted", args, f->r.out, out);
  if (err[0] ? !strstr(f->r.err, err) : f->r.err[0])
    fail_msg("%s: stderr is '%s', '%s' was wanted", args, f->r.err, err);
}

static json_t *expect_json(fixture *f, const char *args) {
  cbt_run(&f->r, cbt_folder, args);
  if (f->r.code != 0) fail_msg("%s: exit %d: %s", args, f->r.code, f->r.err);
  return jp_document(f->r.out);
}

#define IMPORT "import friction --mapping map.yaml --db lab.db table.csv"
#define PAIR "--cloth Twill --body Foam --db lab.db"

static void import_fit_predict(void **state) {
  fixture *f = *state;
  json_t *doc = expect_json(f, IMPORT " --json");
  jp_expect("import friction", doc);
  assert_int_equal(json_integer_value(json_object_get(doc, "points")), 12);
  assert_int_equal(json_integer_value(json_object_get(doc, "pairs")), 1);
  assert_int_equal(json_integer_value(json_object_get(doc, "conflicts")), 0);
  json_decref(doc);
  doc = expect_json(f, "fit friction --json " PAIR);
  jp_expect("fit friction", doc);
  assert_near(jp_number(doc, "anisotropy_percent"), 25, 1e-9);
  assert_true(json_is_false(json_object_get(doc, "isotropic")));
  assert_true(json_is_true(json_object_get(doc, "linear")));
  assert_near(jp_number(json_object_get(doc, "nonlinearity_percent"), "45"), 0, 1e-9);
  assert_int_equal(jp_number(doc, "points"), 12);
  assert_true(json_is_null(json_object_get(doc, "static")));
  const json_t *f11 = json_array_get(json_object_get(doc, "f11"), 2);
  assert_near(jp_number(f11, "normal_force_N"), 0.3 * 9.80665, 1e-12);
  assert_near(jp_number(f11, "force_N"), 0.4 * 0.3 * 9.80665, 1e-9);
  assert_true(jp_number(f11, "u_force_N") >= 0.002 * 0.4 * 0.3 * 9.80665);
  assert_true(jp_number(doc, "law_id") > 0);
  json_decref(doc);
  doc = expect_json(f, "predict friction --json --angle-deg 90 --normal-force-N 1.5 " PAIR);
  jp_expect("predict friction", doc);
  assert_near(jp_number(doc, "force_N"), 0.6, 1e-9);
  assert_near(jp_number(doc, "mu"), 0.4, 1e-9);
  assert_true(jp_number(doc, "u95_force_N") > jp_number(doc, "u_force_N") && jp_number(doc, "u_force_N") > 0);
  assert_true(json_is_true(json_object_get(doc, "inside_measured_range")));
  assert_string_equal(json_string_value(json_object_get(doc, "origin")), "imported");
  assert_string_equal(f->r.err, "");
  json_decref(doc);
  doc = expect_json(
      f, "predict friction --budget --monte-carlo --json --angle-deg 90 --normal-force-N 1.5 " PAIR);
  jp_expect("predict friction", doc);
  const json_t *budget = json_object_get(json_object_get(doc, "budget"), "predicted");
  assert_near(jp_number(json_object_get(budget, "combined"), "u_N"), jp_number(doc, "u_force_N"), 1e-12);
  assert_true(jp_number(json_object_get(doc, "monte_carlo"), "draws") >= 20000);
  json_decref(doc);
  expect(f, "fit friction " PAIR, 0, "  anisotropic: 25.0 % between directions\n", "");
  expect(f, "fit friction --details " PAIR, 0, "  anisotropy 25.0 % by the rule of Chen et al. 2013", "");
  expect(f, "fit friction --at-N 1.5 " PAIR, 0, "      1.5 N      90 deg  0.4000 +- 0.0", "");
  expect(f, "predict friction --budget --angle-deg 90 --normal-force-N 1.5 " PAIR, 0,
         "budget of the nearest run: ", "");
  expect(f, "predict friction --budget --angle-deg 90 --normal-force-N 1.5 " PAIR, 0,
         "calibration, in proportion", "");
  expect(f, "predict friction --monte-carlo --angle-deg 90 --normal-force-N 1.5 " PAIR, 0,
         "agrees with the linear propagation to 2 digits: ", "");
  expect(f, "predict friction --angle-deg -450 --normal-force-N 20 " PAIR, 0, "outside the measured loads",
         "");
  expect(f, "fit friction --db lab.db", 0, "Twill on Foam: orthotropic coulomb law from 12 points", "");
  expect(f, "fit friction --cloth Twill --db lab.db", 2, "", "both or none of them were wanted");
  expect(f, "fit friction --json --db lab.db", 2, "", "--json: --cloth and --body were wanted, too");
}

/* Twill on Foam, six loads in three directions, mu = 0.5, 0.46 and 0.4 N^-0.1 with scatter of half a percent;
 * factor on the run at 45 degrees under the third load; with witness, that cell once more, as it should
 * be. */
static void put_sweep(const char *name, double factor, bool witness) {
  const double added[] = {97, 147, 197, 297, 397, 497}, mu[] = {0.5, 0.46, 0.4};
  char text[2000];
  int n = snprintf(text, sizeof text, HEADER);
  for (int l = 0; l < 6; l++)
    for (int a = 0; a < 3; a++)
      for (int k = 0; k < (l == 2 && a == 1 && witness ? 2 : 1); k++) {
        double value = mu[a] * pow((3 + added[l]) * 9.80665e-3, -0.1) * (1 + 0.005 * ((2 * l + a) % 3 - 1));
        if (l == 2 && a == 1 && k == 0) value *= factor;
        n += snprintf(text + n, sizeof text - (size_t)n, "Twill,Foam,%d,3,%g,,%.3f\n", 45 * a, added[l],
                      value);
      }
  put(name, text);
}

/* Only what another run of the same direction and load contradicts is left out. */
static void doubtful_runs_are_named(void **state) {
  fixture *f = *state;
  put_sweep("lone.csv", 1.3, false);
  put_sweep("witness.csv", 1.3, true);
  expect(f, "import friction --mapping map.yaml --db lab.db lone.csv", 0, "18 points", "");
  json_t *doc = expect_json(f, "fit friction --json " PAIR),
         *one = json_array_get(json_object_get(doc, "doubtful"), 0);
  jp_expect("fit friction", doc);
  assert_int_equal(json_array_size(json_object_get(doc, "outliers")), 0);
  assert_int_equal(json_array_size(json_object_get(doc, "doubtful")), 1);
  assert_int_equal(jp_number(one, "run_id"), 8);
  assert_near(jp_number(one, "departure_percent"), 30, 2);
  assert_int_equal(jp_number(doc, "points"), 18);
  json_decref(doc);
  expect(f, "fit friction " PAIR, 0, "  run 8 doubtful, kept: at 45 deg under 1.961 N it is +",
         "1 of 18 pulls is doubtful, and counts with");
  expect(f, "fit friction " PAIR, 0,
         " sigma; no other run at this direction and load contradicts it: repeat it; off-neighbours\n",
         "1 off-neighbours: ");
  expect(f, "fit friction --db lab.db", 0, "; doubtful, kept: 1\n", "");
  expect(f, "predict friction --budget --angle-deg 45 --normal-force-N 2 " PAIR, 0, "doubtful runs", "");
  expect(f, "import friction --mapping map.yaml --db two.db witness.csv", 0, "19 points", "");
  expect(f, "fit friction --cloth Twill --body Foam --db two.db", 0,
         "  run 8 left out: at 45 deg under 1.961 N it is +",
         "1 of 19 pulls is left out: others at its direction");
  expect(f, "fit friction --cloth Twill --body Foam --db two.db", 0,
         " sigma; other runs at this direction and load contradict it; off-repeats\n", "1 off-repeats: ");
  expect(f, "fit friction --db two.db", 0, "; left out: 1\n", "");
}

static const json_t *property(const json_t *card, const char *name) {
  size_t i, k;
  json_t *section, *p;
  json_array_foreach(json_object_get(card, "laws"), i, section)
      json_array_foreach(json_object_get(section, "properties"), k, p) {
    if (strcmp(json_string_value(json_object_get(p, "name")), name) == 0) return p;
  }
  fail_msg("no property '%s'", name);
  return NULL;
}

/* A formula keeps all of its exponent's uncertainty among the parts that its knots share. */
static void the_card_knows_the_exponent_as_the_fit_does(void **state) {
  fixture *f = *state;
  put_sweep("sweep.csv", 1, false);
  expect(f, "import friction --mapping map.yaml --db lab.db sweep.csv", 0, "18 points", "");
  json_t *fit = expect_json(f, "fit friction --json " PAIR),
         *card = expect_json(f, "db show Twill --json --db lab.db");
  const json_t *n = property(card, "load exponent");
  assert_string_equal(json_string_value(json_object_get(fit, "model")), "power");
  assert_true(jp_number(fit, "u_exponent") > 1e-4);
  assert_near(jp_number(n, "value"), jp_number(fit, "exponent"), 1e-12);
  assert_near(jp_number(n, "u"), jp_number(fit, "u_exponent"), 1e-12);
  json_decref(fit);
  json_decref(card);
}

static void the_list_has_campaigns_laws_and_points(void **state) {
  fixture *f = *state;
  expect(f, IMPORT, 0, "12 points", "");
  expect(f, "fit friction " PAIR, 0, "Twill on Foam", "");
  json_t *doc = expect_json(f, "db ls --json --db lab.db");
  jp_expect("db ls", doc);
  assert_string_equal(f->r.err, "");
  assert_int_equal(json_array_size(json_object_get(doc, "materials")), 2);
  assert_int_equal(jp_number(json_array_get(json_object_get(doc, "campaigns"), 0), "runs_done"), 12);
  const json_t *law = json_array_get(json_object_get(doc, "laws"), 0);
  assert_string_equal(json_string_value(json_object_get(law, "law")), "friction");
  assert_string_equal(json_string_value(json_object_get(law, "cloth")), "Twill");
  assert_int_equal(jp_number(law, "points"), 12);
  assert_int_equal(jp_number(law, "loads"), 3);
  json_decref(doc);
  expect(
      f, "db ls --db lab.db", 0,
      "law       F1    friction      Twill on Foam, kinetic, orthotropic, imported, 3 loads 0.981 to 2.94 N, "
      "12 points\n",
      "");
  expect(f, "db init --json --db lab.db", 2, "",
         "--json: check, ls, show, query, missing, corrections, backup, merge and pull have it, 'init' has "
         "not\n");
}

/* What the n-th campaign says about its specimens. */
static void put_conditions(int64_t campaign_id, const char *lot, int side, const char *wash,
                           const char *body) {
  char path[400];
  cb_store *s;
  cb_conditions c = cb_conditions_unknown();
  (void)snprintf(c.cloth_lot, sizeof c.cloth_lot, "%s", lot);
  (void)snprintf(c.wash_state, sizeof c.wash_state, "%s", wash);
  (void)snprintf(c.body_specimen, sizeof c.body_specimen, "%s", body);
  c.cloth_side = side;
  (void)cbt_path("lab.db", path);
  assert_ok(cb_store_open(path, CB_STORE_WRITE, &s, err));
  assert_ok(cb_store_conditions_put(s, campaign_id, "custom", &c, err));
  assert_ok(cb_store_close(s, err));
}

/* Two campaigns with runs in the same cells. */
static void import_two(fixture *f) {
  put("two.csv", HEADER
      "Twill,Foam,0,3,97,0.622,0.500\nTwill,Foam,45,3,97,0.560,0.450\nTwill,Foam,90,3,97,0.498,0.400\n"
      "Twill,Foam,0,3,197,1.244,0.500\n");
  expect(f, IMPORT, 0, "12 points", "");
  expect(f, "import friction --mapping map.yaml --db lab.db two.csv", 0, "4 points", "");
}

/* A coefficient is one campaign's: which one, and what is not in it, is said. */
static void the_campaign_is_named(void **state) {
  fixture *f = *state;
  import_two(f);
  expect(f, "fit friction --details " PAIR, 0, "  campaign 1 'table.csv", "");
  assert_non_null(strstr(f->r.out, "': 12 runs\n  campaign 2 'two.csv"));
  assert_non_null(strstr(f->r.out, "': 4 runs\n"));
  assert_non_null(strstr(f->r.out,
                         "  mu at 0 deg  0.5000, sd 0.0000 (2 runs of campaign 1 at 0.9807 N; 1 run of "
                         "campaign 2 is not in it)\n"));
  assert_non_null(
      strstr(f->r.out, ", R2 = 1.0000 (4 runs of campaign 1; 2 runs of campaign 2 are not in it)\n"));
  json_t *doc = expect_json(f, "fit friction --json " PAIR), *campaigns = json_object_get(doc, "campaigns"),
         *mu = json_object_get(json_object_get(doc, "mean_mu"), "0"),
         *power = json_object_get(json_object_get(doc, "power_law"), "0");
  jp_expect("fit friction", doc);
  assert_int_equal(json_array_size(campaigns), 2);
  assert_int_equal(jp_number(json_array_get(campaigns, 1), "campaign_id"), 2);
  assert_int_equal(jp_number(json_array_get(campaigns, 1), "runs"), 4);
  assert_int_equal(jp_number(mu, "campaign_id"), 1);
  assert_int_equal(jp_number(mu, "n_elsewhere"), 1);
  assert_int_equal(jp_number(power, "n"), 4);
  assert_int_equal(jp_number(power, "campaign_id"), 1);
  assert_int_equal(jp_number(power, "n_elsewhere"), 2);
  assert_int_equal(json_array_size(json_object_get(doc, "pooled")), 0);
  json_decref(doc);
}

#define WARN "clothbench fit: warning: Twill on Foam: one law for different "

/* Lots, sides, wash states and bodies that differ make one law only with a warning. Not written down is no
 * difference. */
static void pooled_lots_are_said(void **state) {
  fixture *f = *state;
  import_two(f);
  put_conditions(1, "roll 7", CB_SIDE_FACE, "", "pad A");
  expect(f, "fit friction " PAIR, 0, "Twill on Foam", "");
  put_conditions(2, "roll 8", CB_SIDE_BACK, "washed", "pad B");
  expect(f, "fit friction " PAIR, 0,
         "  pooled: different lots of the cloth: 'roll 7' (12 runs), 'roll 8' (4 runs)\n",
         WARN "lots of the cloth: 'roll 7' (12 runs), 'roll 8' (4 runs)\n");
  assert_non_null(strstr(f->r.err, WARN "sides of the cloth: 'face' (12 runs), 'back' (4 runs)\n"));
  assert_non_null(strstr(f->r.err, WARN "specimens of the body: 'pad A' (12 runs), 'pad B' (4 runs)\n"));
  assert_null(strstr(f->r.err, "wash"));
  json_t *doc = expect_json(f, "fit friction --json " PAIR),
         *lot = json_array_get(json_object_get(doc, "pooled"), 0);
  jp_expect("fit friction", doc);
  assert_int_equal(json_array_size(json_object_get(doc, "pooled")), 3);
  assert_string_equal(json_string_value(json_object_get(lot, "what")), "cloth_lot");
  const json_t *second = json_array_get(json_object_get(lot, "values"), 1);
  assert_string_equal(json_string_value(json_object_get(second, "value")), "roll 8");
  assert_int_equal(jp_number(second, "runs"), 4);
  assert_int_equal(json_integer_value(json_array_get(json_object_get(second, "campaign_ids"), 0)), 2);
  json_decref(doc);
  expect(f, "fit friction --db lab.db", 0, "Twill on Foam: ", WARN "lots of the cloth");
  /* A law that is only made to predict pools them as well. */
  put("three.csv", HEADER "Twill,Foam,0,3,97,0.622,0.500\n");
  expect(f, "import friction --mapping map.yaml --db lab.db three.csv", 0, "1 point", "");
  put_conditions(3, "roll 9", -1, "", "");
  expect(f, "predict friction --angle-deg 0 --normal-force-N 1 " PAIR, 0, "kinetic friction",
         WARN "lots of the cloth: 'roll 7' (12 runs), 'roll 8' (4 runs), 'roll 9' (1 run)\n");
  assert_non_null(strstr(f->r.err, "'back' (4 runs), not written down (1 run)\n"));
}

/* A table of three directions, two loads, two repeats 1 % apart. */
static void put_lot(const char *name, double factor) {
  static const double mu[] = {0.50, 0.45, 0.40};
  char text[2000] = HEADER;
  for (int i = 0; i < 12; i++) {
    const double m = factor * mu[i % 3] * (i < 6 ? 1 : 1.01);
    const int added = i % 6 < 3 ? 97 : 197;
    (void)snprintf(text + strlen(text), 100, "Twill,Foam,%d,3,%d,%.5f,%.4f\n", 45 * (i % 3), added,
                   m * (added + 3) * 0.01244, m);
  }
  put(name, text);
}

/* Two lots 10 % apart: in the table, in the report. */
static void lots_that_differ_are_said(void **state) {
  fixture *f = *state;
  char path[400];
  put_lot("first.csv", 1);
  put_lot("second.csv", 1.1);
  expect(f, "import friction --mapping map.yaml --db lab.db first.csv", 0, "12 points", "");
  expect(f, "import friction --mapping map.yaml --db lab.db second.csv", 0, "12 points", "");
  put_conditions(1, "roll 7", -1, "", "");
  put_conditions(2, "roll 8", -1, "", "");
  expect(f, "fit friction " PAIR, 0, "  2 lots differ: 10 % apart at most, p = ", WARN "lots of the cloth");
  assert_non_null(strstr(f->r.out, "from lot to lot 6.7 %, in the band"));
  expect(f, "report --cloth Twill --db lab.db --out pages", 0, "pages/pair-", "");
  (void)snprintf(path, sizeof path, "grep -rq '2 lots of the cloth differ: 10 %% apart' '%s/pages'",
                 cbt_folder);
  assert_int_equal(system(path), 0);
}

/* A law of selected runs is shown and not stored. */
static void runs_are_selected(void **state) {
  fixture *f = *state;
  import_two(f);
  put_conditions(1, "roll 7", -1, "", "");
  put_conditions(2, "roll 8", -1, "", "");
  expect(f, "fit friction " PAIR, 0, "  2 lots: too few runs", WARN "lots of the cloth");
  json_t *doc = expect_json(f, "fit friction --json " PAIR), *lots = json_object_get(doc, "lots");
  assert_int_equal(jp_number(lots, "n"), 2);
  json_decref(doc);
  const char *before = "Twill on Foam, kinetic";
  expect(f, "db ls --db lab.db", 0, before, "");
  char list[sizeof f->r.out];
  memcpy(list, f->r.out, sizeof list);
  expect(f, "fit friction --details --lot \"roll 7\" " PAIR, 0, "kinetic friction, 12 points",
         "this law holds for the 12 selected runs and was not stored");
  assert_null(strstr(f->r.out, " lots "));
  doc = expect_json(f, "fit friction --campaign 2 --json " PAIR);
  assert_int_equal(jp_number(doc, "points"), 4);
  assert_true(json_is_null(json_object_get(doc, "lots")));
  assert_int_equal(jp_number(doc, "law_id"), 0);
  json_decref(doc);
  expect(f, "fit friction --details --since 2001-01 --until 2999 " PAIR, 0, "kinetic friction, 16 points",
         "16 selected runs");
  expect(f, "db ls --db lab.db", 0, before, "");
  assert_string_equal(f->r.out, list);
  expect(f, "fit friction --until 2001-01-01 " PAIR, 1, "",
         "none of 16 finished runs is selected: until 2001-01-01");
  expect(f, "fit friction --lot \"roll 9\" " PAIR, 1, "", "is selected");
  expect(f, "fit friction --rig nobody " PAIR, 1, "", "is selected");
  expect(f, "fit friction --since yesterday " PAIR, 2, "", "--since 'yesterday': a date was wanted");
  expect(f, "fit friction --lot 7 --db lab.db", 2, "", "--cloth and --body were wanted, too");
}

static void predict_covers_every_argument(void **state) {
  fixture *f = *state;
  expect(f, IMPORT, 0, "12 points of 1 pair", "");
  /* No law yet: fitted in memory, and said so. */
  expect(f, "predict friction --angle-deg 0 --normal-force-N 1 " PAIR, 0, "force  0.5000 +- 0.0034 N (95 %)",
         "fitted just now, not stored");
  json_t *doc = expect_json(f, "predict friction --json --angle-deg 12 --normal-force-N 0 " PAIR);
  assert_near(jp_number(doc, "force_N"), 0, 0);
  assert_true(json_is_null(json_object_get(doc, "mu")));
  json_decref(doc);
  /* mu does not depend on the load here, so neither does it on the area. */
  doc = expect_json(f, "predict friction --json --angle-deg 0 --normal-force-N 1 --area-cm2 100 " PAIR);
  assert_near(jp_number(doc, "force_N"), 0.5, 1e-6);
  assert_near(jp_number(doc, "contact_area_m2"), 0.01, 1e-15);
  json_decref(doc);
  doc = expect_json(f, "predict friction --json --angle-deg 1e300 --normal-force-N 1 " PAIR);
  assert_true(jp_number(doc, "force_N") > 0.39 && jp_number(doc, "force_N") < 0.51);
  json_decref(doc);
  expect(f, "predict friction --kind static --angle-deg 0 --normal-force-N 1 " PAIR, 1, "",
         "no static friction law");
  expect(f, "predict friction --kind slow --angle-deg 0 --normal-force-N 1 " PAIR, 2, "",
         "kinetic or static was wanted");
  expect(f, "predict friction --angle-deg nan --normal-force-N 1 " PAIR, 2, "", "--angle-deg");
  expect(f, "predict friction --angle-deg 0 --normal-force-N -1 " PAIR, 2, "", "--normal-force-N = -1");
  expect(f, "predict friction --angle-deg 0 " PAIR, 2, "", "--normal-force-N is required");
  expect(f, "predict weather --angle-deg 0 --normal-force-N 1 " PAIR, 2, "", "'weather': friction");
}

static void unknown_names_are_told(void **state) {
  fixture *f = *state;
  expect(f, IMPORT, 0, "imported", "");
  expect(f, "fit friction --cloth Silk --body Foam --db lab.db", 1, "",
         "no cloth named 'Silk'; there are: Twill");
  expect(f, "fit friction --cloth Twill --body Ice --db lab.db", 1, "",
         "no body named 'Ice'; there are: Foam");
  expect(f, "predict friction --cloth Twill --body Ice --db lab.db --angle-deg 0 --normal-force-N 1", 1, "",
         "no body named 'Ice'");
  expect(f, "fit friction --cloth Twill --body Foam --db nowhere.db", 1, "", "no such database");
  expect(f, "predict friction --cloth Twill --body Foam --db nowhere.db --angle-deg 0 --normal-force-N 1", 1,
         "", "no such database");
  assert_false(exists("nowhere.db"));
  expect(f, "fit friction --body Foam --db lab.db", 2, "", "both or none of them were wanted");
  expect(f, "fit weather --cloth Twill --body Foam --db lab.db", 2, "", "was wanted");
  expect(f, "fit friction --origin old " PAIR, 2, "", "--origin = 'old'");
  expect(f, "fit friction --origin virtual " PAIR, 1, "", "none of 12 finished runs is selected: virtual");
}

static void the_same_table_is_refused(void **state) {
  fixture *f = *state;
  expect(f, IMPORT, 0, "imported", "");
  expect(f, IMPORT, 1, "", "table.csv: this very file was imported into lab.db");
  put("copy.csv", table);
  expect(f, "import friction --mapping map.yaml --db lab.db copy.csv", 1, "", "would count twice");
  json_t *doc = expect_json(f, "fit friction --json " PAIR);
  assert_int_equal(jp_number(doc, "points"), 12);
  json_decref(doc);
}

static void bad_tables_leave_nothing(void **state) {
  fixture *f = *state;
  static const struct {
    const char *text, *names;
  } bad[] = {
      {"cloth,body,degrees,cart,added,mV,mu\nTwill,Foam,0,3,97,0.6,0.5\n",
       "no column 'angle'; the columns are: cloth, body, degrees"},
      {HEADER "Twill,Foam,0,3,97,nan,0.5\n", "bad.csv:2: mV = 'nan'"},
      {HEADER "Twill,Foam,0,3,-97,0.6,0.5\n", "bad.csv:2: added = -97"},
      {HEADER "Twill,Foam,0,3,97,0.6,0.5\nTwill,Foam,0,3", "bad.csv:3: 4 cells"},
  };
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
    put("bad.csv", bad[i].text);
    expect(f, "import friction --mapping map.yaml --db lab.db bad.csv", 1, "", bad[i].names);
    assert_false(exists("lab.db"));
  }
  put("bad.yaml", "colour: red\n");
  expect(f, "import friction --mapping bad.yaml --db lab.db table.csv", 1, "",
         "bad.yaml:1: unknown key 'colour'");
  expect(f, "import friction --mapping none.yaml --db lab.db table.csv", 1, "", "none.yaml");
  expect(f, "import friction --mapping map.yaml --db lab.db none.csv", 1, "", "none.csv");
  expect(f, "import friction --db lab.db table.csv", 2, "", "--mapping is required");
  expect(f, "import colour --mapping map.yaml --db lab.db table.csv", 2, "",
         "'colour': friction, release, incline, trace, permeability, stretch,");
  assert_false(exists("lab.db"));
}

static void conflicts_and_holes_are_said(void **state) {
  fixture *f = *state;
  put("odd.csv",
      HEADER "Twill,Foam,0,3,97,0.622,0.500\nTwill,Foam,45,3,97,,\nTwill,Foam,90,3,97,0.622,0.400\n");
  expect(f, "import friction --mapping map.yaml --db lab.db odd.csv", 0, "2 points",
         "1 row was kept whose reading and coefficient disagree, first odd.csv:4: mu = 0.4");
  assert_non_null(strstr(f->r.err, "1 hole was skipped"));
  char path[400];
  cb_store *s;
  cb_event *events;
  size_t n;
  (void)cbt_path("lab.db", path);
  assert_ok(cb_store_open(path, CB_STORE_READ, &s, err));
  assert_ok(cb_store_events(s, 1, &events, &n, err));
  assert_int_equal(n, 2);
  assert_string_equal(events[0].kind, "hole");
  assert_string_equal(events[0].text, "Twill on Foam, 45 deg, 97 g added: not measured");
  assert_string_equal(events[1].kind, "import");
  assert_non_null(strstr(events[1].text, "odd.csv:4"));
  free(events);
  assert_ok(cb_store_close(s, err));
}

/* 0, and what is as good as 0: no run, and no number that is none. */
static void no_friction_is_refused(void **state) {
  fixture *f = *state;
  static const char *const none[] = {"0.000", "1e-300", "1e-12"};
  char text[300];
  for (size_t i = 0; i < 3; i++) {
    (void)snprintf(text, sizeof text, HEADER "Twill,Foam,0,3,97,0.5,0.5\nTwill,Foam,90,3,97,%s,%s\n", none[i],
                   none[i]);
    put("zero.csv", text);
    expect(
        f, "import friction --mapping map.yaml --db lab.db zero.csv", 1, "",
        "under 0.980665 N: it must be > 0 (at least 1e-06 of the load); an empty cell says that it was not "
        "measured");
  }
  put("zero.csv", HEADER "Twill,Foam,0,3,97,0.5,0.5\nTwill,Foam,90,3,97,1e-400,1e-400\n");
  expect(f, "import friction --mapping map.yaml --db lab.db zero.csv", 1, "",
         "= '1e-400': too small for a double");
  assert_false(exists("lab.db"));
}

/* 0.4 N at 0 degrees, 0.004 N at 45 and 90. */
static void what_no_tensor_has_is_a_negative_verdict(void **state) {
  fixture *f = *state;
  put("odd.csv", HEADER "Twill,Foam,0,3,97,,0.4\nTwill,Foam,45,3,97,,0.004\nTwill,Foam,90,3,97,,0.004\n");
  expect(f, "import friction --mapping map.yaml --db lab.db odd.csv", 0, "3 points", "");
  expect(f, "fit friction " PAIR, 3, "", "no friction tensor fits the directions: the nearest one has ");
  expect(f, "fit friction --json " PAIR, 3, "where 0.392 N was measured", "no law was stored");
  expect(f, "fit friction --db lab.db", 3, "Twill on Foam: no friction tensor fits", "");
  expect(f, "predict friction " PAIR " --angle-deg 0 --normal-force-N 2", 1, "", "no friction tensor fits");
}

/* ---- raw samples: reduced on the way ---- */

/* A pull of 0.4 N under 1 N as the recorder would leave it. */
static void store_pull(cb_store *s, cb_run run) {
  enum { N = 1400 };
  static double t[N], force[N], position[N];
  for (int i = 0; i < N; i++) {
    t[i] = i / 200.0;
    double x = fmin(fmax(0, t[i] - 1) * 0.01, 0.05);
    force[i] = run.direction * (x <= 0.001 ? 0 : x <= 0.003 ? 0.5 * (x - 0.001) / 0.002 : 0.4) / 2;
    position[i] = 0.1 + run.direction * x;
  }
  assert_ok(cb_store_run_put(s, &run, err));
  assert_ok(cb_store_chunk_put(s, run.id, CB_CHANNEL_FORCE, 0, N, t, force, err));
  assert_ok(cb_store_chunk_put(s, run.id, CB_CHANNEL_POSITION, 0, N, t, position, err));
  assert_ok(cb_store_run_finish(s, run.id, CB_RUN_DONE, "", err));
}

static void make_raw(cb_origin origin) {
  char path[400];
  cb_store *s;
  cb_run run = {.angle_deg = 0,
                .normal_force_N = 1,
                .contact_area_m2 = 0.005,
                .speed_m_per_s = 0.01,
                .travel_m = 0.05,
                .rate_Hz = 200,
                .origin = origin,
                .source = "bench"};
  cb_campaign c = {.name = "raw",
                   .kind = CB_CAMPAIGN_FRICTION,
                   .plan_text = "",
                   .temperature_degC = NAN,
                   .humidity_percent = NAN,
                   .origin = origin};
  cb_calibration cal = {.unit = "mV/V",
                        .slope_N_per_unit = 2,
                        .u_rel = 0.003,
                        .certificate = "W-1",
                        .valid_from = "2026-01-01"};
  (void)cbt_path("lab.db", path);
  assert_ok(cb_store_open(path, CB_STORE_WRITE, &s, err));
  assert_ok(cb_store_material_ensure(s, CB_CLOTH, "Twill", origin, &run.cloth_id, err));
  assert_ok(cb_store_material_ensure(s, CB_BODY, "Foam", origin, &run.body_id, err));
  assert_ok(cb_store_calibration_ensure(s, &cal, err));
  assert_ok(cb_store_campaign_put(s, &c, err));
  run.campaign_id = c.id;
  run.calibration_id = cal.id;
  for (int i = 0; i < 4; i++) {
    run.repeat = 1 + i / 2;
    run.direction = i % 2 ? -1 : 1;
    store_pull(s, run);
  }
  assert_ok(cb_store_close(s, err));
}

static void raw_runs_are_reduced(void **state) {
  fixture *f = *state;
  make_raw(CB_VIRTUAL);
  /* Reading only: reduced in memory. */
  json_t *doc = expect_json(f, "predict friction --json --angle-deg 0 --normal-force-N 1 " PAIR);
  assert_near(jp_number(doc, "force_N"), 0.4, 1e-9);
  assert_string_equal(json_string_value(json_object_get(doc, "origin")), "virtual");
  json_decref(doc);
  expect(f, "fit friction --details " PAIR, 0, "static friction, 4 points",
         "4 runs were reduced to friction points");
  doc = expect_json(f, "fit friction --json " PAIR);
  assert_string_equal(f->r.err, "");
  assert_near(jp_number(json_array_get(json_object_get(doc, "f00"), 0), "force_N"), 0.4, 1e-9);
  /* Peak: the highest reading lies at most one sample below 0.5 N. */
  double peak =
      jp_number(json_array_get(json_object_get(json_object_get(doc, "static"), "f00"), 0), "force_N");
  assert_near(peak, 0.5 * (1 - 0.5 * 0.01 / 200 / 0.002), 0.25 * 0.01 / 200 / 0.002 + 1e-9);
  json_decref(doc);
  expect(f, "predict friction --kind static --angle-deg 0 --normal-force-N 1 " PAIR, 0, "static friction",
         "");
}

static void origins_are_not_mixed(void **state) {
  fixture *f = *state;
  expect(f, IMPORT, 0, "imported", "");
  make_raw(CB_VIRTUAL);
  expect(f, "fit friction " PAIR, 1, "", "is imported and run 13 is virtual");
  assert_non_null(strstr(f->r.err, "--origin"));
  expect(f, "fit friction --origin imported " PAIR, 0, "Twill on Foam, imported", "12 of 16 runs: imported");
  expect(f, "fit friction --origin virtual " PAIR, 0, "Twill on Foam, virtual", "4 of 16 runs: virtual");
}

int main(void) {
#define T(test) cmocka_unit_test_setup_teardown(test, set_up, cbt_state_tear_down)
  const struct CMUnitTest tests[] = {
      T(import_fit_predict),
      T(doubtful_runs_are_named),
      T(the_card_knows_the_exponent_as_the_fit_does),
      T(the_list_has_campaigns_laws_and_points),
      T(the_campaign_is_named),
      T(pooled_lots_are_said),
      T(runs_are_selected),
      T(lots_that_differ_are_said),
      T(predict_covers_every_argument),
      T(unknown_names_are_told),
      T(the_same_table_is_refused),
      T(bad_tables_leave_nothing),
      T(conflicts_and_holes_are_said),
      T(no_friction_is_refused),
      T(what_no_tensor_has_is_a_negative_verdict),
      T(raw_runs_are_reduced),
      T(origins_are_not_mixed),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
