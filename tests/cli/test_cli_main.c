/* The front of the command line: help, version, unknown words; and the db commands. Exact exit code, both
 * streams. */
#include "cb_store.h"
#include "cbtest.h"

static void expect(const char *arguments, int code, const char *out, const char *err) {
  static cbt_result r;
  cbt_run(&r, cbt_folder, arguments);
  if (r.code != code)
    fail_msg("clothbench %s: exit %d, %d was wanted\nstdout: %s\nstderr: %s", arguments, r.code, code, r.out,
             r.err);
  if (out[0] ? !strstr(r.out, out) : r.out[0] != '\0')
    fail_msg("clothbench %s: stdout is '%s', '%s' was wanted", arguments, r.out, out);
  if (err[0] ? !strstr(r.err, err) : r.err[0] != '\0')
    fail_msg("clothbench %s: stderr is '%s', '%s' was wanted", arguments, r.err, err);
}

static void help_and_unknown_words(void **state) {
  (void)state;
  expect("", 2, "", "usage: clothbench COMMAND");
  expect("--help", 0, "usage: clothbench COMMAND", "");
  expect("--version", 0, "clothbench 0.", "");
  expect("brew", 2, "", "no command 'brew'");
  expect("db --help", 0, "usage: clothbench db init", "");
  expect("-h", 0, "usage: clothbench COMMAND", "");
  expect("db -h", 0, "usage: clothbench db init", "");
  expect("db init --db q.db", 0, "", "clothbench db: q.db is ready");
  expect("db init --db q.db --quiet", 0, "", "");
  expect("db show Nobody --db q.db --quiet", 1, "", "Nobody");
  expect("--quiet db void --db q.db", 2, "", "the number of a run was wanted, such as: db void 12");
  expect("rig --help", 0,
         "[--fault-log FILE]\n       clothbench rig check RIG.yaml [--db FILE] [--yes] [--json]\n", "");
  expect("rig check --help", 0, "usage: clothbench rig check RIG.yaml [--db FILE] [--yes] [--json]\n", "");
  expect("db --bd x", 2, "", "clothbench db: unknown option '--bd'");
  expect("db init --db", 2, "", "--db wants a value");
  expect("db dance", 2, "", "'dance' with 0 arguments: init, check");
  expect("db", 2, "", "an argument is missing");
  expect("db ls b c d", 2, "", "'ls' with 3 arguments: init, check");
  expect("predict friction --cloth A --body B --angle-deg north --normal-force-N 1", 2, "",
         "--angle-deg = 'north': must be a finite decimal number");
}

static void help_of_every_command(void **state) {
  (void)state;
  static cbt_result r;
  size_t n = 0;
  cbt_run(&r, cbt_folder, "--help");
  assert_int_equal(r.code, 0);
  /* A line of two blanks and a word is a command. */
  for (const char *line = strstr(r.out, "\n  "); line; line = strstr(line + 1, "\n  ")) {
    char name[32], arguments[64];
    assert_int_equal(sscanf(line, " %31s", name), 1);
    (void)snprintf(arguments, sizeof arguments, "%s --help", name);
    expect(arguments, 0, "usage: clothbench ", "");
    n++;
  }
  assert_true(n >= 15);
}

/* The kinds of a command that has some, of its --help: two blanks and a word at the left. */
static size_t kinds_of(const char *help, char names[][32], size_t max) {
  size_t n = 0;
  const char *end = strstr(help, "\n\n");
  for (const char *line = strstr(help, "\n  "); line && n < max && (!end || line < end);
       line = strstr(line + 1, "\n  ")) {
    if (line[3] == ' ' || line[3] == '-') continue;
    assert_int_equal(sscanf(line, " %31s", names[n]), 1);
    n++;
  }
  return n;
}

/* What the help of a command with kinds says holds the help of each of them, line by line. */
static void help_of_a_command_has_every_kinds_options(void **state) {
  (void)state;
  static const struct {
    const char *command;
    size_t kinds; /* at least */
  } commands[] = {{"fit", 8}, {"predict", 5}, {"validate", 12}, {"import", 9}};
  static cbt_result all, one;
  for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
    char names[32][32], arguments[100];
    (void)snprintf(arguments, sizeof arguments, "%s --help", commands[i].command);
    cbt_run(&all, cbt_folder, arguments);
    size_t n = kinds_of(all.out, names, 32);
    assert_true(n >= commands[i].kinds);
    for (size_t k = 0; k < n; k++) {
      (void)snprintf(arguments, sizeof arguments, "%s %s --help", commands[i].command, names[k]);
      cbt_run(&one, cbt_folder, arguments);
      assert_int_equal(one.code, 0);
      assert_string_equal(one.err, "");
      for (char *rest = one.out, *line; (line = strtok_r(rest, "\n", &rest));)
        if (!strstr(line, "--help") && !strstr(all.out, line))
          fail_msg("'%s --help' does not say '%s'", commands[i].command, line);
    }
  }
}

static void a_database_from_nothing(void **state) {
  (void)state;
  expect("db init --db lab.db", 0, "", "lab.db is ready (schema ");
  expect("db check --db lab.db", 0,
         "lab.db: whole; integrity, schema, seals, ranges, references and origins verified", "");
  expect("db ls --db lab.db", 0, "", "");
  expect("db show Twill --db lab.db", 1, "", "no cloth named 'Twill'");
  expect("db check --db none.db", 1, "", "clothbench db: none.db: no such database");
  expect("db check", 1, "", "materials.db: no such database");
  expect("db init --db no/folder/lab.db", 1, "", "cannot be opened: the folder does not exist");
}

static void the_environment_names_the_database(void **state) {
  (void)state;
  setenv("CLOTHBENCH_DB", "other.db", 1);
  expect("db init", 0, "", "other.db is ready");
  setenv("CLOTHBENCH_DB", ":memory:", 1);
  expect("db ls", 2, "", "$CLOTHBENCH_DB: :memory:: is no name of a file");
  unsetenv("CLOTHBENCH_DB");
}

/* Nothing moves, and nothing is made, for a database that could not keep anything. */
#define SMALL_RUN \
  "run '" CB_SOURCE_DIR "/rigs/campaign-small.yaml' --rig '" CB_SOURCE_DIR "/rigs/virtual.yaml' --yes --db "

static void a_database_is_a_file(void **state) {
  (void)state;
  static const char *const names[] = {"\"$UNSET\"", ":memory:", "'file:lab.db?mode=memory'",
                                      "sqlite://lab.db"};
  static const char *const commands[] = {SMALL_RUN,
                                         "run x.yaml --rig y.yaml --dry-run --db=",
                                         "db init --db ",
                                         "plan x.yaml --rig y.yaml --db ",
                                         "serve --db ",
                                         "import friction t.csv --mapping m.yaml --db ",
                                         "sim scene.yaml --db "};
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
    for (size_t k = 0; k < sizeof commands / sizeof commands[0]; k++) {
      char line[600];
      (void)snprintf(line, sizeof line, "%s%s", commands[k], names[i]);
      expect(line, 2, "", "of a file was wanted");
    }
  expect("db init --db lab.db --quiet", 0, "", "");
  expect("db merge :memory: --db lab.db", 2, "", "of a file was wanted");
  expect("db backup 'file:copy.db' --db lab.db", 2, "", "of a file was wanted");
  expect(SMALL_RUN ".", 1, "", ".: is a folder: a regular file was wanted");
  expect(SMALL_RUN "/dev/null", 1, "", "/dev/null: is a device: a regular file was wanted");
}

static void damage_is_found(void **state) {
  (void)state;
  expect("db init --db lab.db", 0, "", "ready");
  char command[600];
  (void)snprintf(
      command, sizeof command,
      "cd '%s' && printf 'xxxxxxxxxxxxxxxxxxxxxxxx' | dd of=lab.db bs=1 seek=4096 conv=notrunc 2>/dev/null",
      cbt_folder);
  assert_int_equal(system(command), 0);
  expect("db check --db lab.db", 1, "", "lab.db");
}

static void a_full_standard_output_is_an_error(void **state) {
  (void)state;
  expect("--help >/dev/full; exit $?", 1, "", "");
}

/* As head does that has its lines. */
static void a_reader_that_left_is_no_error(void **state) {
  (void)state;
  expect("db --help | :; exit 0", 0, "", "");
}

int main(void) {
#define T(f) cmocka_unit_test_setup_teardown(f, cbt_folder_set_up, cbt_folder_tear_down)
  const struct CMUnitTest tests[] = {T(help_and_unknown_words),
                                     T(help_of_every_command),
                                     T(help_of_a_command_has_every_kinds_options),
                                     T(a_database_from_nothing),
                                     T(the_environment_names_the_database),
                                     T(a_database_is_a_file),
                                     T(damage_is_found),
                                     T(a_full_standard_output_is_an_error),
                                     T(a_reader_that_left_is_no_error)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
