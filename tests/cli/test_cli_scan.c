/* A scanner at the questions of `run init`: a keyboard that types a label faster than anybody, and ends it by
 * a carriage return, a line feed or a tab. The terminal is as a shell leaves it. */
#include "daqtest.h"
#include "clitest.h"
#include "progtest.h"

#include <poll.h>

#define BARCODE "4006381333931"

static dt_pty terminal;
static char said[20000];
static size_t n_said, n_read;

static void open_terminal(void) {
  struct termios t;
  dt_pty_open(&terminal);
  assert_int_equal(tcgetattr(terminal.slave, &t), 0);
  t.c_iflag = ICRNL;
  t.c_lflag = ICANON;
  assert_int_equal(tcsetattr(terminal.slave, TCSANOW, &t), 0);
  n_said = n_read = 0;
}

static void await(const char *wanted) {
  const double until_s = cb_now_monotonic_s() + CBT_HANG_S;
  for (;;) {
    struct pollfd f = {.fd = terminal.master, .events = POLLIN};
    said[n_said] = '\0';
    const char *at = strstr(said + n_read, wanted);
    if (at) n_read = (size_t)(at - said) + strlen(wanted);
    if (at) return;
    if (cb_now_monotonic_s() > until_s) fail_msg("'%s' was not said, but: %s", wanted, said + n_read);
    if (poll(&f, 1, 100) <= 0) continue;
    const ssize_t n = read(terminal.master, said + n_said, sizeof said - 1 - n_said);
    if (n > 0) n_said += (size_t)n;
  }
}

/* A cloth with a specimen; a body with a barcode. mark: what its label says. */
static void put_database(char mark[9]) {
  clit_run("material set Twill --thickness-mm 0.4 --source us --db lab.db", 0);
  clit_run("material set Foam --kind body --thickness-mm 5 --source us --db lab.db", 0);
  clit_run("db alias " BARCODE " Foam --reason \"its barcode\" --operator Ada --db lab.db", 0);
  clit_run("db specimen add S1 --cloth Twill --operator Ada --db lab.db", 0);
  clit_run("db ls specimens --db lab.db", 0);
  assert_int_equal(sscanf(clit_last.out, "specimen %8s", mark), 1);
}

static const char *const run_init[] = {"run",        "init", "plan.yaml", "--rig",
                                       "bench.yaml", "--db", "lab.db",    NULL};

static void expect_draft(const char *wanted) {
  char *text = clit_get("plan.yaml.draft");
  if (!strstr(text, wanted)) fail_msg("'%s' was wanted: %s", wanted, text);
  free(text);
}

static void labels_choose(void **state) {
  (void)state;
  static const char *const ends[] = {"\r", "\n", "\t"};
  char mark[9], line[120], *rig = cbt_read(CB_SOURCE_DIR "/rigs/virtual.yaml");
  put_database(mark);
  clit_put("bench.yaml", rig);
  free(rig);
  for (int i = 0; i < 3; i++) {
    open_terminal();
    const pid_t pid = prog_start(run_init, terminal.slave, terminal.slave);
    await("Rig file of this bench (Enter: bench.yaml): ");
    dt_send(&terminal, "\n");
    await("Cloth that is measured: ");
    (void)snprintf(line, sizeof line, "0BADC0DE%s", ends[i]);
    dt_send(&terminal, line);
    await("has the code '0BADC0DE'");
    await("Cloth that is measured: ");
    (void)snprintf(line, sizeof line, "%s%s", mark, ends[i]);
    dt_send(&terminal, line);
    await("Specimen of that cloth (Enter: stays S1): ");
    /* Faster than the questions come. */
    (void)snprintf(line, sizeof line, "%s%s" BARCODE "%s", mark, ends[i], ends[i]);
    dt_send(&terminal, line);
    await("Body that slides on it: ");
    await("Test standard to follow");
    dt_send(&terminal, "q\n");
    assert_int_equal(prog_end(pid), 1);
    expect_draft("cloth: \"Twill\"\n");
    (void)snprintf(line, sizeof line, "specimen: \"%s\"\nbody: \"Foam\"\n", mark);
    expect_draft(line);
    /* The terminal is as it was. */
    struct termios t;
    assert_int_equal(tcgetattr(terminal.slave, &t), 0);
    assert_int_equal(t.c_cc[VEOL], _POSIX_VDISABLE);
    dt_pty_close(&terminal);
    clit_run("db check --db lab.db", 0);
    char path[400];
    assert_int_equal(unlink(cbt_path("plan.yaml.draft", path)), 0);
  }
}

/* The specimen of another cloth, and one that is not there. */
static void wrong_specimens(void **state) {
  (void)state;
  char mark[9], *rig = cbt_read(CB_SOURCE_DIR "/rigs/virtual.yaml");
  put_database(mark);
  clit_put("bench.yaml", rig);
  free(rig);
  clit_run("material set Satin --thickness-mm 0.2 --source us --db lab.db", 0);
  open_terminal();
  const pid_t pid = prog_start(run_init, terminal.slave, terminal.slave);
  await("bench.yaml): ");
  dt_send(&terminal, "\n");
  await("measured: ");
  dt_send(&terminal, "Satin\t");
  await("Specimen of that cloth: ");
  dt_send(&terminal, "S1\t");
  await("specimen 'S1' (");
  await("is of cloth 'Twill': the campaign says 'Satin'");
  await("Specimen of that cloth: ");
  dt_send(&terminal, "S9\t");
  await("no specimen 'S9'");
  await("Specimen of that cloth: ");
  dt_send(&terminal, "\n");
  await("Body that slides on it: ");
  dt_send(&terminal, "q\n");
  assert_int_equal(prog_end(pid), 1);
  dt_pty_close(&terminal);
  expect_draft("cloth: \"Satin\"\nspecimen: \"\"\n");
}

int main(void) {
#define T(f) cmocka_unit_test_setup_teardown(f, cbt_folder_set_up, cbt_folder_tear_down)
  const struct CMUnitTest tests[] = {T(labels_choose), T(wrong_specimens)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
