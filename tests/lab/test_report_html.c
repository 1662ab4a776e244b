/* Report and figures of a small virtual lab whose names try to break out. */
#include <sys/stat.h>

#include "bench_fixture.h"

#define CLOTH "<b>twill</b> & 'co'"
#define CLOTH_HTML "&lt;b&gt;twill&lt;/b&gt; &amp; &#39;co&#39;"
#define FIT "fit friction --cloth \"" CLOTH "\" --body 'pad `id`' --db lab.db"

static int set_up(void **state) {
  char db[400];
  bench b;
  cbt_result r;
  cbt_folder_set_up(state);
  (void)cbt_path("lab.db", db);
  bench_open(&b, db, CLOTH, "pad `id`", 5);
  bench_pulls(&b);
  cb_run bad = b.like;
  bad.direction = bad.repeat = 1;
  assert_ok(cb_store_run_put(b.store, &bad, err));
  assert_ok(cb_store_run_finish(b.store, bad.id, CB_RUN_FAILED, "force above 8 N <stopped>", err));
  assert_ok(cb_store_event_put(b.store, b.like.campaign_id, bad.id, 1.25, "overload", "guard & stop", err));
  bench_campaign(&b, CB_CAMPAIGN_SLIDE, "slides");
  (void)bench_pull(&b, CB_RUN_SLIDE, 30, 0.15, 1, 1, 1);
  bench_close(&b);
  cbt_run(&r, cbt_folder, FIT);
  if (r.code != 0) fail_msg("fit: %s", r.err);
  cbt_run(&r, cbt_folder, "validate slide --db lab.db");
  assert_true(r.code == 0 || r.code == 3);
  return 0;
}

static char *page(const char *name) {
  char path[400];
  return cbt_read(cbt_path(name, path));
}

static size_t count(const char *text, const char *what) {
  size_t n = 0;
  for (const char *at = text; (at = strstr(at, what)); at += strlen(what)) n++;
  return n;
}

static void test_page(void **state) {
  (void)state;
  cbt_result r;
  cbt_run(&r, cbt_folder, "report --db lab.db --out out");
  assert_int_equal(r.code, 0);
  assert_string_equal(r.out, "out/campaign-1-pulls-more.html\n");
  assert_string_equal(r.err,
                      "clothbench report: campaign 1 'pulls & more' is the newest friction campaign; "
                      "--campaign ID or --all shows the other of 2\n");
  char *text = page("out/campaign-1-pulls-more.html");
  static const char *const wanted[] = {"<div class=\"banner\" role=\"note\"><b>VIRTUAL DATA.</b>",
                                       CLOTH_HTML,
                                       "pad `id`",
                                       "A. Tester &lt;lab&gt;",
                                       "21.5 \u00b0C, 48 % relative humidity",
                                       "F-2026-7 &lt;weights&gt;",
                                       "27 done, 1 failed",
                                       "force above 8 N &lt;stopped&gt;",
                                       "guard &amp; stop",
                                       "anisotropic",
                                       "Kinetic law",
                                       "Runner-up by Akaike's criterion: ",
                                       "Static law",
                                       "Statistical tests",
                                       "Prediction and measurement",
                                       "kinetic plateau [N]",
                                       "relative standard uncertainty 0.2 %",
                                       "clothbench ",
                                       "database lab.db"};
  for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++)
    if (!strstr(text, wanted[i])) fail_msg("the page lacks '%s'", wanted[i]);
  assert_null(strstr(text, "<b>twill"));
  assert_null(strstr(text, "<script"));
  assert_null(strstr(text, "http")); /* self-contained */
  /* Figures: kinetic and static over load, polar, directions, three directions of pulls, one slide. */
  assert_int_equal(count(text, "data:image/svg+xml;base64,"), 8);
  assert_int_equal(count(text, "<tr><td>") >= 28, 1);
  assert_int_equal(count(text, "<table"), count(text, "</table>"));
  assert_int_equal(count(text, "<section"), count(text, "</section>"));
  free(text);
}

static void test_same_bytes(void **state) {
  (void)state;
  cbt_result r;
  cbt_run(&r, cbt_folder, "report --all --db lab.db --out one");
  assert_int_equal(r.code, 0);
  assert_string_equal(r.out,
                      "one/campaign-1-pulls-more.html\none/campaign-2-slides.html\n"
                      "one/pair-1-2-b-twill-b-co-on-pad-id.html\none/cloth-1-b-twill-b-co.html\n"
                      "one/index.html\n");
  cbt_run(&r, cbt_folder, "report --all --db lab.db --out two");
  char command[700];
  (void)snprintf(command, sizeof command, "diff -r '%s/one' '%s/two' >/dev/null", cbt_folder, cbt_folder);
  assert_int_equal(system(command), 0);
}

static void test_refusals(void **state) {
  (void)state;
  cbt_result r;
  cbt_run(&r, cbt_folder, "report --db lab.db --campaign 77 --out out");
  assert_int_equal(r.code, 1);
  assert_string_equal(r.err, "clothbench report: lab.db: no campaign 77\n");
  cbt_run(&r, cbt_folder, "report --db lab.db --campaign 1 --all --out out");
  assert_int_equal(r.code, 2);
  cbt_run(&r, cbt_folder, "report --db lab.db");
  assert_int_equal(r.code, 2);
  cbt_run(&r, cbt_folder, "report --db none.db --out out");
  assert_int_equal(r.code, 1);
}

static void in_folder(const char *command_line, int code, const char *err_text) {
  cbt_result r;
  cbt_run(&r, cbt_folder, command_line);
  if (r.code != code) fail_msg("%s: exit %d: %s", command_line, r.code, r.err);
  assert_string_equal(r.err, err_text);
}

/* Pages go where pages are, where nothing is, or beside the database; never among files of others. */
static void test_folders(void **state) {
  (void)state;
  char path[400];
  assert_int_equal(mkdir(cbt_path("sources", path), 0777), 0);
  cbt_write(cbt_path("sources/campaign-page.html", path), "");
  in_folder("report --db lab.db --campaign 1 --out sources", 1,
            "clothbench report: sources: the folder holds files that are no report, such as "
            "'campaign-page.html': a new folder, an empty one "
            "or that of an earlier report was wanted\n");
  assert_int_equal(access(cbt_path("sources/campaign-1-pulls-more.html", path), F_OK), -1);
  in_folder("report --db lab.db --campaign 1 --out sources/campaign-page.html", 1,
            "clothbench report: sources/campaign-page.html: the folder cannot be read: Not a directory\n");
  assert_int_equal(mkdir(cbt_path("empty", path), 0777), 0);
  in_folder("report --db lab.db --campaign 1 --out empty", 0, "");
  cbt_write(cbt_path("empty/notes.txt", path), "");
  in_folder("report --db lab.db --campaign 2 --out empty", 0, "");
  in_folder("report --db lab.db --campaign 1 --out .", 0, "");
  in_folder("report --db lab.db --campaign 1 --out new/folder", 0, "");
}

static void test_figures(void **state) {
  (void)state;
  cbt_result r;
  for (char f = 'a'; f <= 'f'; f++) {
    char command[100], name[16];
    (void)snprintf(command, sizeof command, "plot %c --db lab.db --out %c.svg", f, f);
    (void)snprintf(name, sizeof name, "%c.svg", f);
    cbt_run(&r, cbt_folder, command);
    if (r.code != 0) fail_msg("figure %c: %s", f, r.err);
    char *svg = page(name);
    assert_non_null(strstr(svg, "VIRTUAL DATA"));
    assert_non_null(strstr(svg, "[N]"));
    free(svg);
  }
  cbt_run(&r, cbt_folder, "plot d --db lab.db --cloth silk --out x.svg");
  assert_int_equal(r.code, 1);
  assert_non_null(strstr(r.err, "silk"));
  cbt_run(&r, cbt_folder, "plot g --db lab.db --out x.svg");
  assert_int_equal(r.code, 2);
  cbt_run(&r, cbt_folder, "plot a --db lab.db --out x.bmp");
  assert_int_equal(r.code, 1);
  assert_int_equal(access("x.bmp", F_OK), -1);
}

/* An empty laboratory: each figure says what it lacks, nothing is written. */
static void test_nothing_to_show(void **state) {
  (void)state;
  char db[400];
  cb_store *s;
  cbt_result r;
  (void)cbt_path("empty.db", db);
  assert_ok(cb_store_open(db, CB_STORE_WRITE, &s, err));
  assert_ok(cb_store_close(s, err));
  for (char f = 'a'; f <= 'f'; f++) {
    char command[100], path[400];
    (void)snprintf(command, sizeof command, "plot %c --db empty.db --out empty-%c.svg", f, f);
    (void)snprintf(path, sizeof path, "%s/empty-%c.svg", cbt_folder, f);
    cbt_run(&r, cbt_folder, command);
    assert_int_equal(r.code, 1);
    assert_non_null(strstr(r.err, "empty.db holds n"));
    assert_int_equal(access(path, F_OK), -1);
  }
  cbt_run(&r, cbt_folder, "report --db empty.db --out out");
  assert_int_equal(r.code, 1);
  assert_non_null(strstr(r.err, "there are no campaigns"));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_page),     cmocka_unit_test(test_same_bytes),
                                     cmocka_unit_test(test_refusals), cmocka_unit_test(test_folders),
                                     cmocka_unit_test(test_figures),  cmocka_unit_test(test_nothing_to_show)};
  return cmocka_run_group_tests(tests, set_up, cbt_folder_tear_down);
}
