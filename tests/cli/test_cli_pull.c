/* `db pull`: another machine's database comes over ssh and rsync, only what is new of it, and again after an
 * interruption. The wire is a program `ssh` of the test's own, which runs what it is given on this machine;
 * rsync and the rest are real. */
#include "clitest.h"

#include <sys/stat.h>
#include <sys/wait.h>

#include "cb_text.h"
#include "cb_time.h"

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
           "[ \"$1\" != -- ] || shift\n[ \"$1\" != \"$OFFLINE\" ] || exit 255\nshift\nexec sh -c \"$*\"\n");
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

/* ---- timers: what the units of packaging/systemd run ---- */

static void shell(const char *words) {
  char command[900];
  (void)snprintf(command, sizeof command, "cd '%s' && %s", cbt_folder, words);
  assert_int_equal(system(command), 0);
}

/* Runs the command of a unit as its timer does; returns the exit code. */
static int run_unit(const char *unit) {
  char path[600], command[3000];
  (void)snprintf(path, sizeof path, "%s/packaging/systemd/%s", CB_SOURCE_DIR, unit);
  char *text = cbt_read(path), *start = strstr(text, "ExecStart=");
  assert_non_null(start);
  start += strlen("ExecStart=");
  (void)snprintf(command, sizeof command, "cd '%s' && %.*s >unit.out 2>unit.err", cbt_folder,
                 (int)strcspn(start, "\n"), start);
  free(text);
  const int status = system(command);
  assert_true(WIFEXITED(status));
  return WEXITSTATUS(status);
}

static size_t count_runs(const char *db, const char *what) {
  char words[300];
  (void)snprintf(words, sizeof words, "db query 'SELECT count(%s) AS n FROM run' --db %s --json", what, db);
  json_t *doc = clit_json(words, 0, "db query");
  const json_t *row = json_array_get(json_object_get(doc, "rows"), 0);
  const size_t n =
      (size_t)json_integer_value(json_is_array(row) ? json_array_get(row, 0) : json_object_get(row, "n"));
  json_decref(doc);
  return n;
}

#define RIGS 3

/* Every day each rig measures; the second is offline for a third of the days. */
static void nothing_is_lost_nor_twice(void **state) {
  (void)state;
  const int days = getenv("CB_SLOW") ? 30 : 6;
  char sources[1500] = "", db[100];
  size_t measured = 0;
  if (!have_rsync()) return;
  for (int r = 0; r < RIGS; r++)
    cb_text_add(sources, sizeof sources, " ", "rig%d:%s/rig%d.db", r, cbt_folder, r);
  clit_run("db init --db all.db", 0);
  assert_int_equal(setenv("CLOTHBENCH_DB", "all.db", 1) | setenv("CLOTHBENCH_PULL", sources, 1), 0);
  for (int day = 0; day < days; day++) {
    const bool offline = day >= days / 3 && day < 2 * days / 3;
    for (int r = 0; r < RIGS; r++) {
      const int n = 1 + (day + r) % 4;
      (void)snprintf(db, sizeof db, "rig%d.db", r);
      import_runs(db, n, 0.2 + 0.001 * day + 0.1 * r);
      measured += (size_t)n;
    }
    assert_int_equal(offline ? setenv("OFFLINE", "rig1", 1) : unsetenv("OFFLINE"), 0);
    assert_int_equal(run_unit("clothbench-pull@.service"), offline ? 1 : 0);
    if (offline) assert_true(count_runs("all.db", "*") < measured);
  }
  assert_int_equal(count_runs("all.db", "*"), measured);
  assert_int_equal(count_runs("all.db", "DISTINCT uuid"), measured);
  print_message("%d days of %d rigs: %zu runs, all of them once\n", days, RIGS, measured);
}

/* The newest copies stay, other files of the folder too; a copy takes the place of a lost database. */
static void backups_are_kept_and_restored(void **state) {
  (void)state;
  assert_int_equal(setenv("CLOTHBENCH_DB", "all.db", 1) | setenv("CLOTHBENCH_BACKUP", "copies", 1) |
                       setenv("CLOTHBENCH_KEEP", "2", 1),
                   0);
  import_runs("all.db", 3, 0.7);
  const size_t n = count_runs("all.db", "*");
  assert_int_equal(run_unit("clothbench-backup@.service"), 0);
  shell(
      "cd copies && touch all-2019-01-01T000000Z.db all-2020.db all-2018-01-01T000000Z.dbx "
      "other-2017-01-01T000000Z.db");
  cb_sleep_s(1.1); /* another second, another name */
  assert_int_equal(run_unit("clothbench-backup@.service"), 0);
  shell("[ $(ls copies | wc -l) = 5 ] && [ ! -e copies/all-2019-01-01T000000Z.db ]");
  shell("rm -f all.db all.db-wal all.db-shm && cp \"$(ls copies/all-20*Z.db | tail -1)\" all.db");
  assert_int_equal(count_runs("all.db", "*"), n);
  clit_expect("db check --db all.db", 0, "whole", "");
  clit_expect("db ls --keep 3 --db all.db", 2, "", "--keep belongs to backup");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(only_what_is_new_is_taken),
      cmocka_unit_test(an_interrupted_transfer_goes_on),
      cmocka_unit_test(what_fails_is_told),
      cmocka_unit_test(nothing_is_lost_nor_twice),
      cmocka_unit_test(backups_are_kept_and_restored),
  };
  return cmocka_run_group_tests(tests, set_up, cbt_folder_tear_down);
}
