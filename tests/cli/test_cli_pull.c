/* `db pull`: another machine's database comes over ssh and rsync, only what is new of it, and again after an
 * interruption. The wire is a program `ssh` of the test's own, which runs what it is given on this machine;
 * rsync and the rest are real. */
#include "clitest.h"

#include <sys/stat.h>

static bool have_rsync(void) {
  if (system("command -v rsync >/dev/null") == 0) return true;
  print_message("skipped: no rsync here\n");
  return false;
}

#define MAPPING                                                                                              \
  "kind: friction\nsource: us\ncolumns:\n  cloth: {column: c}\n  body: {column: b}\n"                        \
  "  direction: {column: deg, unit: deg}\n  normal_force: {column: N, unit: N}\n  force: {column: F, unit: " \
  "N}\n"

static void import_runs(const char *db, int n, double scale) {
  char text[4000] = "c,b,deg,N,F\n", words[200];
  for (int i = 0; i < n; i++)
    (void)snprintf(text + strlen(text), 60, "Serge,Steel,%d,%d,%.4f\n", 45 * (i % 3), 1 + i % 5,
                   scale * (1 + i % 5));
  clit_put("runs.csv", text);
  (void)snprintf(words, sizeof words, "import friction --mapping map.yaml runs.csv --db %s", db);
  clit_run(words, 0);
}

/* Two folders as two machines: `here` is the test's, `far away` has a blank in its name. */
static int set_up(void **state) {
  char path[400], command[1200], old[4096];
  cbt_folder_set_up(state);
  assert_int_equal(mkdir(cbt_path("bin", path), 0755), 0);
  clit_put("bin/ssh",
           "#!/bin/sh\n[ -z \"$BROKEN\" ] || exit 255\necho \"$@\" >>\"$(dirname \"$0\")/said\"\n"
           "[ \"$1\" != -- ] || shift\nshift\nexec sh -c \"$*\"\n");
  (void)snprintf(command, sizeof command,
                 "chmod +x '%s/bin/ssh' && ln -s '%s' '%s/bin/clothbench' && mkdir '%s/far away'", cbt_folder,
                 CB_EXE, cbt_folder, cbt_folder);
  assert_int_equal(system(command), 0);
  (void)snprintf(old, sizeof old, "%s/bin:%s", cbt_folder, getenv("PATH"));
  assert_int_equal(setenv("PATH", old, 1), 0);
  clit_put("map.yaml", MAPPING);
  clit_run("db init --db here.db", 0);
  return 0;
}

static double taken(const char *source, const char *what, int code) {
  char words[600];
  (void)snprintf(words, sizeof words, "db pull '%s' --db here.db --json", source);
  json_t *doc = clit_json(words, code, "db merge");
  const double n = clit_number(json_object_get(doc, what), "taken");
  json_decref(doc);
  return n;
}

static void only_what_is_new_is_taken(void **state) {
  (void)state;
  char source[400], path[400];
  if (!have_rsync()) return;
  (void)snprintf(source, sizeof source, "lab2:%s/far away/lab.db", cbt_folder);
  import_runs("'far away/lab.db'", 30, 0.3);
  assert_true(taken(source, "runs", 0) == 30);
  assert_true(taken(source, "runs", 0) == 0);
  import_runs("'far away/lab.db'", 10, 0.4);
  assert_true(taken(source, "runs", 0) == 10);
  assert_true(taken(source, "runs", 0) == 0);
  clit_expect("db check --db here.db", 0, "40 runs", "");
  assert_int_equal(access(cbt_path("here.db.pulled", path), F_OK), 0);
}

/* A half copy, as a killed transfer leaves it, is completed. */
static void an_interrupted_transfer_goes_on(void **state) {
  (void)state;
  char source[400], command[900];
  if (!have_rsync()) return;
  (void)snprintf(source, sizeof source, "lab2:%s/far away/lab.db", cbt_folder);
  (void)snprintf(command, sizeof command,
                 "for f in '%s'/here.db.pulled/*; do truncate -s 100000 \"$f\"; done", cbt_folder);
  assert_int_equal(system(command), 0);
  import_runs("'far away/lab.db'", 5, 0.5);
  assert_true(taken(source, "runs", 0) == 5);
}

static void what_fails_is_told(void **state) {
  (void)state;
  if (!have_rsync()) return;
  clit_expect("db pull lab.db --db here.db", 2, "", "HOST:PATH was wanted");
  clit_expect("db pull ./a:b.db --db here.db", 2, "", "HOST:PATH was wanted");
  static const char *const options[] = {"-oProxyCommand=x:y", "user@-oX:/p", "@-oX:/p",   "a@b@-oX:/p",
                                        "user@:/p",           ":/p",         "'$(x)':/p", "'a b':/p",
                                        "host::module/lab",   "host:-rf",    "'h;x':/p",  "h:"};
  for (size_t i = 0; i < sizeof options / sizeof options[0]; i++) {
    char words[100];
    (void)snprintf(words, sizeof words, "db pull %s --db here.db", options[i]);
    clit_expect(words, 2, "", "HOST:PATH was wanted");
  }
  clit_expect("db pull lab2:/nowhere/lab.db --db here.db", 1, "", "'ssh' failed");
  assert_int_equal(setenv("BROKEN", "1", 1), 0);
  clit_expect("db pull lab2:/tmp/lab.db --db here.db", 1, "", "'ssh' failed (exit status 255)");
  assert_int_equal(unsetenv("BROKEN"), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(only_what_is_new_is_taken),
      cmocka_unit_test(an_interrupted_transfer_goes_on),
      cmocka_unit_test(what_fails_is_told),
  };
  return cmocka_run_group_tests(tests, set_up, cbt_folder_tear_down);
}
