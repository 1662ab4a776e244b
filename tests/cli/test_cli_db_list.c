/* db ls: every entry once, under a number of its own, and a sum; a screen gets a part, a file or pipe all of
 * it. */
#include "daqtest.h"
#include "clitest.h"
#include "progtest.h"

#define MAPPING                                                                                              \
  "kind: friction\nsource: us\ncolumns:\n  cloth: {column: c}\n  body: {column: b}\n"                        \
  "  direction: {column: deg, unit: deg}\n  normal_force: {column: N, unit: N}\n  force: {column: F, unit: " \
  "N}\n"

enum { CLOTHS = 60 };

/* A pull of each of sixty cloths, and a law of one. */
static void fill(void) {
  static char rows[4000];
  size_t n = (size_t)snprintf(rows, sizeof rows, "c,b,deg,N,F\n");
  for (int i = 0; i < CLOTHS; i++)
    n +=
        (size_t)snprintf(rows + n, sizeof rows - n, "Cloth %c%c,Steel,0,1,0.2\n", 'A' + i / 10, 'a' + i % 10);
  n += (size_t)snprintf(rows + n, sizeof rows - n,
                        "Cloth Aa,Steel,0,2,0.39\nCloth Aa,Steel,90,1,0.21\nCloth Aa,Steel,90,2,0.42\n");
  clit_put("map.yaml", MAPPING);
  clit_put("rows.csv", rows);
  clit_run("import friction --mapping map.yaml rows.csv --new --db a.db", 0);
  clit_run("fit friction --cloth \"Cloth Aa\" --body Steel --db a.db", 0);
  clit_run("db void 3 slipped --operator Mia --db a.db", 0);
}

static int count(const char *text, const char *words) {
  int n = 0;
  for (const char *at = text; (at = strstr(at, words)); at++) n++;
  return n;
}

static const char sum[] =
    "in all    60 cloths, 1 body, 1 campaign, 1 law; 63 runs, 62 done, 0 flagged, 1 voided, 0 not done\n";

static void a_pipe_gets_all(void **state) {
  (void)state;
  fill();
  clit_expect("db ls --db a.db", 0, sum, "");
  assert_int_equal(count(clit_last.out, "\ncloth ") + 1, CLOTHS);
  assert_int_equal(count(clit_last.out, "\nlaw       friction 1       Cloth Aa on Steel, kinetic, "), 1);
  assert_null(strstr(clit_last.out, "more"));
}

/* What the program writes on a terminal that is its standard output. */
static void show(const char *const words[], char *out, size_t size) {
  dt_pty t;
  size_t n = 0;
  int status;
  dt_pty_open(&t);
  pid_t pid = prog_start_to(words, -1, t.slave, -1);
  bool ended = false;
  for (;;) {
    struct pollfd p = {.fd = t.master, .events = POLLIN};
    ssize_t got = poll(&p, 1, 100) > 0 ? read(t.master, out + n, size - 1 - n) : 0;
    n += got > 0 ? (size_t)got : 0;
    if (ended && got <= 0) break;
    ended = ended || waitpid(pid, &status, WNOHANG) == pid;
  }
  out[n] = '\0';
  assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  dt_pty_close(&t);
}

static void a_screen_gets_a_part(void **state) {
  (void)state;
  static char text[20000];
  const char *const part[] = {"db", "ls", "--db", "a.db", NULL}, *const all[] = {"db",   "ls",   "--all",
                                                                                 "--db", "a.db", NULL};
  fill();
  show(part, text, sizeof text);
  assert_int_equal(count(text, "cloth     Cloth"), 8);
  assert_non_null(strstr(text, "and 52 more cloths"));
  assert_non_null(strstr(text, "in all    60 cloths, 1 body, "));
  assert_non_null(strstr(text, "--all shows every line"));
  show(all, text, sizeof text);
  assert_int_equal(count(text, "cloth     Cloth"), CLOTHS);
  assert_null(strstr(text, "more"));
}

int main(void) {
#define T(f) cmocka_unit_test_setup_teardown(f, cbt_folder_set_up, cbt_folder_tear_down)
  const struct CMUnitTest tests[] = {T(a_pipe_gets_all), T(a_screen_gets_a_part)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
