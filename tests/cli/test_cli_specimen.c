/* Specimens: rows that nothing overwrites, found by name and by mark; a run knows its own; the same
 * selections for fit, plot and report. */
#include <math.h>
#include <stdlib.h>

#include "cb_store_specimen.h"
#include "clitest.h"
#include "storetest.h"

#define RIG CB_SOURCE_DIR "/rigs/virtual.yaml"

static void add_specimens(void) {
  clit_expect(
      "db specimen add S1 --cloth Twill --lot B --side face --cut weft --washes 3 --operator Mia "
      "--db lab.db",
      0, "Twill, lot B, face, cut weft, 3 washes", "");
  clit_run("db specimen add S2 --cloth Twill --lot C --cut 30 --operator Mia --db lab.db", 0);
}

static cb_specimen find(const char *name) {
  char path[400];
  cb_store *s;
  cb_specimen p;
  assert_ok(cb_store_open(cbt_path("lab.db", path), CB_STORE_READ, &s, err));
  assert_ok(cb_store_specimen_find(s, name, &p, err));
  assert_ok(cb_store_close(s, err));
  return p;
}

static void a_specimen_has_a_log(void **state) {
  (void)state;
  add_specimens();
  clit_expect("db specimen condition S1 --note \"20 C, 65 % RH, 24 h\" --operator Ada --db lab.db", 0,
              "specimen 'S1' is conditioned: 20 C", "");
  const cb_specimen before = find("S1");
  assert_int_equal(before.washes, 3);
  clit_run("db specimen wash S1 --note \"ISO 6330, 4N\" --db lab.db", 0);
  const cb_specimen p = find("S1");
  assert_true(p.washes == 4 && p.cut_deg == 90 && p.side == CB_SIDE_FACE);
  assert_string_equal(p.lot, "B");
  char words[64];
  (void)snprintf(words, sizeof words, "db show %s --json --db lab.db", p.mark);
  json_t *doc = clit_json(words, 0, "db show SPECIMEN");
  assert_string_equal(json_string_value(json_object_get(doc, "specimen")), "S1");
  const json_t *first = json_array_get(json_object_get(doc, "log"), 0);
  assert_string_equal(json_string_value(json_object_get(first, "operator")), "Ada");
  json_decref(doc);
  clit_expect("db ls --db lab.db", 0, p.mark, "");
  clit_expect("db query \"select specimen, washes, conditioned from v_specimen\" --db lab.db", 0,
              "S1             4  20 C, 65 % RH, 24 h", "");
}

static void what_is_wrong_is_one_sentence(void **state) {
  (void)state;
  add_specimens();
  clit_expect("db specimen add S1 --cloth Twill --db lab.db", 1, "", "there is a specimen 'S1'");
  clit_expect("db specimen add S3 --cloth Twill --cut up --db lab.db", 2, "", "warp, weft, bias or degrees");
  clit_expect("db specimen add S3 --cloth Twill --washes 1.5 --db lab.db", 2, "", "a whole number");
  clit_expect("db specimen add S3 --cloth Twill --side top --db lab.db", 2, "", "face or back");
  clit_expect("db specimen add S3 --db lab.db", 2, "", "--cloth NAME was wanted");
  clit_expect("db specimen condition S1 --db lab.db", 2, "", "--note TEXT was wanted");
  clit_expect("db specimen condition S9 --note aired --db lab.db", 1, "", "no specimen 'S9'; ");
  clit_expect("db specimen weigh S1 --db lab.db", 2, "", "add NAME, condition NAME or wash NAME was wanted");
  char path[400];
  store_exec(cbt_path("lab.db", path), "DELETE FROM specimen", "append-only");
  store_exec(path, "UPDATE specimen_log SET text = 'x'; UPDATE specimen SET lot = 'x'", "append-only");
}

static void put_campaign(const char *file, const char *cloth, const char *specimen) {
  char text[600];
  (void)snprintf(text, sizeof text,
                 "name: %s\nkind: friction\ncloth: %s\nspecimen: %s\nbody: Foam\nangles_deg: [0, 90]\n"
                 "added_masses_g: [50, 200]\nrepeats: 1\ndirections: both\nspeed_mm_per_s: 10\n"
                 "travel_mm: 15\nzero_s: 0.5\n",
                 specimen, cloth, specimen);
  clit_put(file, text);
}

/* A campaign of one specimen: mu 0.4 and 0.5 along the axes under two loads, twice. */
static void put_runs(cb_store *s, const char *name, const char *lot, double factor) {
  cb_specimen p;
  cb_run run = store_make_run(s, CB_MEASURED);
  cb_conditions c = cb_conditions_unknown();
  (void)snprintf(c.cloth_lot, sizeof c.cloth_lot, "%s", lot);
  assert_ok(cb_store_specimen_find(s, name, &p, err));
  assert_ok(cb_store_conditions_put(s, run.campaign_id, "custom", &c, err));
  assert_ok(cb_store_run_finish(s, run.id, CB_RUN_FAILED, "only its campaign is wanted", err));
  for (int i = 0; i < 8; i++) {
    run.specimen_id = p.id;
    run.cloth_id = p.cloth_id;
    run.rig_id = 0;
    run.angle_deg = i % 2 ? 90 : 0;
    run.normal_force_N = i / 2 % 2 ? 4 : 1;
    run.repeat = 1 + i / 4;
    assert_ok(cb_store_run_put(s, &run, err));
    const double N = run.normal_force_N * factor * (1 + 0.002 * (i * 5 % 7 - 3));
    cb_friction_point f = {.run_id = run.id,
                           .kinetic_N = N * (i % 2 ? 0.5 : 0.4),
                           .u_kinetic_N = 1e-3,
                           .static_N = NAN,
                           .u_static_N = NAN,
                           .mu_reported = NAN,
                           .n_eff = 100};
    assert_ok(cb_store_run_finish(s, run.id, CB_RUN_DONE, "", err));
    assert_ok(cb_store_point_put(s, &f, err));
  }
}

static void run_campaigns(void) {
  char path[400];
  cb_store *s;
  assert_ok(cb_store_open(cbt_path("lab.db", path), CB_STORE_WRITE, &s, err));
  put_runs(s, "S1", "B", 1);
  put_runs(s, find("S2").mark, "C", 1.02);
  assert_ok(cb_store_close(s, err));
}

/* What the campaign says of its specimen must be true before anything moves. */
static void a_campaign_names_its_specimen(void **state) {
  (void)state;
  add_specimens();
  put_campaign("bad.yaml", "Serge", "S1");
  clit_expect("run bad.yaml --rig " RIG " --db lab.db", 1, "",
              "is of cloth 'Twill': the campaign says 'Serge'");
  put_campaign("bad.yaml", "Twill", find("S2").mark);
  clit_run("run bad.yaml --rig " RIG " --db lab.db --dry-run", 0);
  put_campaign("bad.yaml", "Twill", "Sx1");
  clit_expect("run bad.yaml --rig " RIG " --db lab.db", 1, "", "no specimen 'Sx1': did you mean 'S1'?");
  clit_put("batch.yaml",
           "name: b\nkind: friction\ncloths: [{name: Twill, specimen: S1}, {name: Twill, lot: C, specimen: "
           "S2}]\nbody: Foam\nangles_deg: [0]\nadded_masses_g: [50]\nrepeats: 1\ndirections: both\n"
           "speed_mm_per_s: 10\ntravel_mm: 15\nzero_s: 0.5\n");
  clit_expect("run batch.yaml --rig " RIG " --db lab.db --dry-run", 0,
              "Twill, lot C, specimen S2 on Foam: 2 runs", "");
  clit_run("run batch.yaml --rig " RIG " --db lab.db", 0);
  clit_expect("db query \"select distinct specimen, lot from v_run\" --db lab.db", 0, "S2        C", "");
  clit_expect("db query \"select count(*) as n from v_run where operator = ''\" --db lab.db", 0, "0\n1 row",
              "");
  clit_run("db check --db lab.db", 0);
}

static void fit_plot_and_report_select_alike(void **state) {
  (void)state;
  char path[400], *page;
  add_specimens();
  run_campaigns();
  clit_expect("fit friction --cloth Twill --body Foam --specimen S2 --db lab.db", 0, "Twill on Foam",
              "fit: 8 of 16 runs: specimen S2");
  clit_expect("fit friction --cloth Twill --body Foam --lot B --until 2019 --db lab.db", 1, "",
              "none of 16 finished runs is selected: lot B, until 2019\n");
  clit_run("fit friction --db lab.db", 0);
  clit_expect("plot mu --cloth Twill --body Foam --lot C --db lab.db --out all.csv", 0, "all.csv",
              "plot: 8 of 16 runs: lot C");
  clit_run("plot mu --cloth Twill --body Foam --campaign 2 --db lab.db --out two.csv", 0);
  char *lot = clit_get("all.csv"), *campaign = clit_get("two.csv");
  assert_string_equal(lot, campaign);
  free(campaign);
  clit_run("plot mu --cloth Twill --body Foam --db lab.db --out two.csv", 0);
  campaign = clit_get("two.csv");
  assert_true(strlen(campaign) > strlen(lot));
  free(campaign);
  free(lot);
  clit_expect("plot drape --cloth Twill --lot C --db lab.db --out x.svg", 2, "", "shows no runs");
  clit_expect("report --cloth Twill --specimen S1 --db lab.db --out pages", 0, "pages/cloth-1-twill.html",
              "report: 8 of 16 runs: specimen S1");
  page = cbt_read(cbt_path("pages/cloth-1-twill.html", path));
  assert_non_null(strstr(page, "<b>8 of 16 runs:</b> specimen S1"));
  free(page);
  clit_expect("report --lot C --db lab.db --out pages", 0, "pages/campaign-2-", "8 of 16 runs: lot C");
  clit_expect("report --all --lot C --db lab.db --out pages", 2, "", "a selection has no meaning");
}

static void rows_follow_into_another_file(void **state) {
  (void)state;
  add_specimens();
  run_campaigns();
  const cb_specimen p = find("S1");
  clit_run("db specimen condition S1 --note aired --operator Mia --db lab.db", 0);
  clit_run("db specimen add S1 --cloth Serge --operator Ada --db other.db", 0);
  clit_expect("db merge lab.db --db other.db", 0, "specimens             2        0", "");
  clit_expect("db merge lab.db --db other.db", 0, "specimens             0        2", "");
  clit_run("db check --db other.db", 0);
  clit_expect("db specimen condition S1 --note aired --db other.db", 1, "",
              "2 specimens are called 'S1': one of their marks was wanted");
  char words[100];
  (void)snprintf(words, sizeof words, "db show %s --db other.db", p.mark);
  clit_expect(words, 0, "8, 8 done", "");
  clit_run("db backup copy.db --db other.db", 0);
  clit_run("db check --db copy.db", 0);
}

/* Two sheets; every mark is in a code that a reader reads. */
static void labels_can_be_read(void **state) {
  (void)state;
  char words[200], folder[400], command[1000];
  cb_specimen p[9];
  for (int i = 0; i < 9; i++) {
    char name[8];
    (void)snprintf(name, sizeof name, "N%d", i);
    (void)snprintf(words, sizeof words,
                   "db specimen add %s --cloth \"Twill & <Serge>\" --cut weft --operator Mia --db lab.db",
                   name);
    clit_run(words, 0);
    p[i] = find(name);
  }
  clit_expect("db labels sheet.svg --per-page 8 --db lab.db", 0, "sheet.svg\nsheet-2.svg\n", "");
  clit_expect("db labels sheet.svg --per-page 9 --db lab.db", 2, "", "8, 21, 24 or 40 were wanted");
  clit_expect("db labels sheet.png --db lab.db", 2, "", "ends in .svg");
  clit_expect("db labels one.svg N9 --db lab.db", 1, "", "no specimen 'N9'");
  char *svg = clit_get("sheet-2.svg");
  assert_non_null(strstr(svg, "Twill &amp; &lt;Serge&gt;"));
  assert_non_null(strstr(svg, "rotate(90 "));
  assert_non_null(strstr(svg, p[8].mark));
  free(svg);
  if (system("command -v zbarimg rsvg-convert >/dev/null") != 0) {
    print_message("zbarimg or rsvg-convert is not installed: no code is read\n");
    return;
  }
  (void)cbt_path("", folder);
  (void)snprintf(command, sizeof command,
                 "cd '%s' && rsvg-convert -d 200 -p 200 one.svg -o one.png && zbarimg -q --raw one.png > "
                 "read.txt 2>/dev/null",
                 folder);
  for (int i = 0; i < 9; i++) {
    (void)snprintf(words, sizeof words, "db labels one.svg N%d --per-page %d --db lab.db", i,
                   i % 2 ? 24 : 40);
    clit_run(words, 0);
    assert_int_equal(system(command), 0);
    char *read = clit_get("read.txt");
    assert_true(strncmp(read, p[i].mark, 8) == 0 && strlen(read) == 9);
    free(read);
  }
}

#define T(f) cmocka_unit_test_setup_teardown(f, cbt_folder_set_up, cbt_folder_tear_down)

int main(void) {
  const struct CMUnitTest tests[] = {
      T(a_specimen_has_a_log),          T(what_is_wrong_is_one_sentence),
      T(a_campaign_names_its_specimen), T(fit_plot_and_report_select_alike),
      T(rows_follow_into_another_file), T(labels_can_be_read),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
