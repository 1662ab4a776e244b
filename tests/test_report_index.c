/* The index of a database: every pair with its coefficient or its gap, every cloth with what is known of it.
 */
#include "clitest.h"

#define MAPPING                                                                       \
  "kind: friction\nsource: us\ncolumns:\n  cloth: {column: c}\n  body: {column: b}\n" \
  "  normal_force: {column: N, unit: N}\n  friction_coefficient: {column: mu, unit: \"1\"}\n"

static char *read_index(const char *folder) {
  char path[500], name[100], *text;
  size_t n;
  (void)snprintf(name, sizeof name, "%s/index.html", folder);
  assert_ok(cb_file_read(cbt_path(name, path), 1 << 22, &text, &n, err));
  return text;
}

static void expect_in(const char *page, const char *wanted) {
  if (!strstr(page, wanted)) fail_msg("the index lacks '%s'", wanted);
}

/* Ten cloths on five bodies: no gap in the matrix; the typed drape of a KES sheet; nothing that is not there.
 */
static void the_reference_has_its_matrix(void **state) {
  (void)state;
  clit_run("report --index --db " CB_SOURCE_DIR "/materials.db --out pages", 0);
  char *page = read_index("pages");
  expect_in(page, "reference database");
  expect_in(page, "101 cloths, 5 bodies, 917 runs, 50 friction laws");
  expect_in(page,
            "<td class=\"t\">Royal Target</td><td>1.071 \u00b1 0.027</td><td>0.5584 \u00b1 0.0090</td>");
  expect_in(page, "<td>0.223 (1)</td>");
  char *end = strstr(page, "<h2>Cloths</h2>");
  assert_non_null(end);
  *end = '\0';
  assert_null(strstr(page, "\u2013</td>"));
  assert_null(strstr(page, "<script"));
  free(page);
  clit_run("report --index --db " CB_SOURCE_DIR "/materials.db --out pages", 0); /* over itself */
}

static void gaps_and_newer_runs_are_seen(void **state) {
  (void)state;
  clit_put("map.yaml", MAPPING);
  clit_put("a.csv",
           "c,b,N,mu\nSerge,Steel,1,0.20\nSerge,Steel,2,0.20\nSerge,Steel,4,0.20\nVoile <b>,Brass,1,0.3\n");
  clit_run("import friction --mapping map.yaml a.csv --db lab.db", 0);
  clit_run("fit friction --cloth Serge --body Steel --db lab.db", 0);
  clit_run("report --index --db lab.db --out one", 0);
  char *page = read_index("one");
  expect_in(page, "<td class=\"t\">Serge</td><td class=\"note\">\u2013</td><td>0.2");
  expect_in(page, "Voile &lt;b&gt;");
  free(page);
  clit_put("b.csv", "c,b,N,mu\nSerge,Steel,8,0.19\nSerge,Brass,1,0.31\n");
  clit_run("import friction --mapping map.yaml b.csv --db lab.db", 0);
  clit_run("report --index --db lab.db --out two", 0);
  page = read_index("two");
  expect_in(page, "<span class=\"bad\">+1 runs</span>");
  expect_in(page, "<td class=\"note\">not fitted</td>");
  free(page);
}

static void verdicts_are_counted(void **state) {
  (void)state;
  clit_run("db merge " CB_SOURCE_DIR "/materials.db --db lab.db", 0);
  clit_run(
      "validate stack 'White Filti (nW11)' 'Flannel (W4)' --measured 'White Filti & Flannel (Combo D)' --db "
      "lab.db",
      0);
  clit_run("report --index --db lab.db --out pages", 0);
  char *page = read_index("pages");
  expect_in(page, "<span class=\"good\">1 pass</span>");
  expect_in(page, ", 1 verdict</p>");
  free(page);
}

static void wrong_usage(void **state) {
  (void)state;
  clit_run("report --index --all --db " CB_SOURCE_DIR "/materials.db --out pages", 2);
  clit_put("notes.txt", "mine");
  clit_run("report --index --db none.db --out pages", 1);
}

int main(void) {
#define T(f) cmocka_unit_test_setup_teardown(f, cbt_folder_set_up, cbt_folder_tear_down)
  const struct CMUnitTest tests[] = {T(the_reference_has_its_matrix), T(gaps_and_newer_runs_are_seen),
                                     T(verdicts_are_counted), T(wrong_usage)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
