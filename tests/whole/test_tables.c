/* Tables as laboratories have them, in tests/tables: import --guess takes each for what it is, or says what
 * is wrong. Beside each NAME stands NAME.expect: lines that the mapping or the message has, "refused" first
 * where no mapping is wanted. */
#include <dirent.h>

#include "clitest.h"

#define FOLDER CB_SOURCE_DIR "/tests/tables/"

/* Returns the line that is not there; NULL: all are. Cuts text. */
static const char *find_missing(char *text, bool refused) {
  const char *all[] = {clit_last.out, clit_last.err};
  char *rest = NULL;
  for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
    if (strcmp(line, "refused") == 0) continue;
    if (!(strstr(all[1], line) || (!refused && strstr(all[0], line)))) return line;
  }
  return NULL;
}

static void check_table(const char *name) {
  char path[700], words[800];
  (void)snprintf(path, sizeof path, FOLDER "%s.expect", name);
  char *expect = cbt_read(path);
  const bool refused = strncmp(expect, "refused\n", 8) == 0;
  (void)snprintf(words, sizeof words, "import --guess " FOLDER "%s", name);
  clit_run(words, refused ? 1 : 0);
  const char *missing = find_missing(expect, refused);
  if (missing) fail_msg("%s: '%s' was wanted in:\n%s%s", name, missing, clit_last.out, clit_last.err);
  free(expect);
}

static void each_table_is_taken_for_what_it_is(void **state) {
  (void)state;
  size_t n = 0;
  DIR *folder = opendir(FOLDER);
  assert_non_null(folder);
  for (const struct dirent *e; (e = readdir(folder)) != NULL;) {
    if (e->d_name[0] == '.' || strstr(e->d_name, ".expect")) continue;
    check_table(e->d_name);
    n++;
  }
  (void)closedir(folder);
  print_message("%zu tables\n", n);
  assert_true(n >= 40);
}

/* A sheet is imported as a text is. */
static void a_workbook_is_imported(void **state) {
  (void)state;
  clit_put("map.yaml",
           "kind: friction\nsource: own\nlast_line: 3\ncolumns:\n  cloth: {column: Probe}\n  body: {value: "
           "Steel}\n  mass: {column: Schlittenmasse (g), unit: g}\n  friction_coefficient: {column: "
           "\xc2\xb5k, unit: \"1\"}\n");
  clit_expect("import friction --mapping map.yaml " FOLDER "reibung.xlsx --db lab.db", 0,
              "2 points of 1 pair", "");
  clit_put("map.yaml",
           "kind: stretch\nsource: own\nsheet: Raw data\nskip_lines: 3\ncolumns:\n  material: {value: "
           "Denim}\n  strain: {column: Strain, unit: \"%\"}\n  force: {column: Load (N), unit: N}\n  "
           "length: {value: 200, unit: mm}\n  width: {value: 50, unit: mm}\n");
  clit_expect("import stretch --mapping map.yaml " FOLDER "strips.xlsx --db lab.db", 0, "with 4 points", "");
  clit_expect("import --guess " FOLDER "strips.xlsx --sheet \"Raw data\"", 0, "sheet: \"Raw data\"",
              "'stretch'");
  clit_expect("import --guess " FOLDER "mesur.csv --sheet Raw", 1, "", "of what is no workbook");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(each_table_is_taken_for_what_it_is),
                                     cmocka_unit_test(a_workbook_is_imported)};
  return cmocka_run_group_tests(tests, cbt_folder_set_up, cbt_folder_tear_down);
}
