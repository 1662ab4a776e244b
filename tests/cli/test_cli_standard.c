/* fit standard where the campaign departs from its standard, or has none; db show and the report of its
 * conditions. */
#include "bench_fixture.h"

/* Two pulls of 30 mm, where ISO 8295 wants three specimens and 60 mm of sliding; and a campaign without a
 * preset. */
static int set_up(void **state) {
  static bench b;
  char path[300];
  const cb_conditions c = {.temperature_degC = NAN,
                           .humidity_percent = NAN,
                           .atmosphere = CB_ISO139_STANDARD,
                           .conditioning_h = 24,
                           .cloth_lot = "roll <7>",
                           .cloth_side = CB_SIDE_BACK,
                           .specimen_area_m2 = NAN,
                           .note = "by the window"};
  (void)cbt_folder_set_up(state);
  (void)snprintf(path, sizeof path, "%s/lab.db", cbt_folder);
  bench_open(&b, path, "Film", "Sled", 3);
  bench_campaign(&b, CB_CAMPAIGN_FRICTION, "short");
  assert_ok(cb_store_conditions_put(b.store, b.like.campaign_id, "iso-8295", &c, err));
  for (int repeat = 1; repeat <= 2; repeat++) (void)bench_pull(&b, CB_RUN_PULL, 0, 0.187, repeat, 1, 1);
  bench_campaign(&b, CB_CAMPAIGN_FRICTION, "plain");
  (void)bench_pull(&b, CB_RUN_PULL, 0, 0.187, 1, 1, 1);
  bench_close(&b);
  return 0;
}

static void departs(void **state) {
  (void)state;
  static cbt_result r;
  cbt_run(&r, cbt_folder, "fit standard 1 --db lab.db");
  assert_int_equal(r.code, 3);
  assert_string_equal(r.err, "");
  assert_non_null(strstr(r.out, "the pull is too short for the standard's way of sliding\n"));
  assert_non_null(strstr(r.out, "\ndeviation: 0 specimens at 0 deg, ISO 8295 says at least 3\n"));
  cbt_run(&r, cbt_folder, "fit standard 1 --db lab.db --json");
  assert_int_equal(r.code, 3);
  assert_non_null(strstr(r.out, "\"kinetic_mu\": null"));
}

static void has_none(void **state) {
  (void)state;
  static cbt_result r;
  cbt_run(&r, cbt_folder, "fit standard 2 --db lab.db");
  assert_int_equal(r.code, 1);
  assert_string_equal(r.out, "");
  assert_string_equal(r.err,
                      "clothbench fit: lab.db: campaign 2 was measured with 'preset: custom', which has no "
                      "evaluation of its own: "
                      "'clothbench fit friction' reads it\n");
  cbt_run(&r, cbt_folder, "fit standard --db lab.db");
  assert_int_equal(r.code, 2);
}

/* The fixture's air is 21.5 degC and 48 %, for which 65 % was aimed at. */
static void is_shown(void **state) {
  (void)state;
  static cbt_result r;
  char path[400];
  cbt_run(&r, cbt_folder, "db show 1 --db lab.db");
  assert_int_equal(r.code, 0);
  assert_non_null(strstr(r.out, "campaign 1 short\n"));
  assert_non_null(strstr(
      r.out,
      "  deviation      48 % relative humidity is outside 65.0 +- 4.0 % (ISO 139 standard atmosphere)\n"));
  assert_non_null(
      strstr(r.out, "  cloth lot      roll <7>\n  cloth side     back\n  note           by the window\n"));
  cbt_run(&r, cbt_folder, "db show 7 --db lab.db");
  assert_int_equal(r.code, 1);
  cbt_run(&r, cbt_folder, "report --campaign 1 --db lab.db --out pages");
  assert_int_equal(r.code, 0);
  char *page = cbt_read(cbt_path("pages/campaign-1-short.html", path));
  assert_non_null(strstr(page, "<dt>Preset</dt><dd>iso-8295</dd>"));
  assert_non_null(strstr(page, "; atmosphere: iso139-standard; conditioned for 24 h</dd>"));
  assert_non_null(strstr(page, "<dt>Deviation</dt><dd>48 % relative humidity is outside 65.0 +- 4.0 %"));
  assert_non_null(strstr(page, "<dt>Cloth lot</dt><dd>roll &lt;7&gt;</dd>"));
  assert_non_null(strstr(page, "<h2>By ISO 8295</h2>"));
  assert_non_null(strstr(page, "Deviation: 0 specimens at 0 deg, ISO 8295 says at least 3"));
  free(page);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(departs), cmocka_unit_test(has_none),
                                     cmocka_unit_test(is_shown)};
  return cmocka_run_group_tests(tests, set_up, cbt_folder_tear_down);
}
