/* on_failure of the rig file: somebody is told why a campaign broke off, and nothing waits for that. */
#include <signal.h>

#include "clitest.h"
#include "progtest.h"

#define RUN "run plan.yaml --rig rig.yaml --db lab.db --yes "

/* A mail program's stand-in. */
static const char mailer[] =
    "#!/bin/sh\n(env | grep ^CLOTHBENCH_ | sort; echo \"input: $(cat)\") > told.part\nmv told.part told\n"
    "echo 'mail was sent'\n";

static void put_plan(const char *masses) {
  char text[400];
  (void)snprintf(text, sizeof text,
                 "name: floor\nkind: friction\ncloth: Demo Twill\nbody: Demo Foam\nangles_deg: [0]\n"
                 "added_masses_g: [%s]\nrepeats: 1\ndirections: forward\nspeed_mm_per_s: 10\ntravel_mm: 15\n"
                 "zero_s: 0.5\n",
                 masses);
  clit_put("plan.yaml", text);
}

/* The virtual bench, with a command; at 300 g its guard trips. */
static void put_rig(const char *command, double time_scale) {
  char path[400], *text = NULL, more[400], *at;
  size_t n;
  assert_ok(cb_file_read(CB_SOURCE_DIR "/rigs/virtual.yaml", 1 << 16, &text, &n, err));
  assert_non_null(at = strstr(text, "overload_N: 8"));
  memcpy(at, "overload_N: 2", 13);
  assert_non_null(at = strstr(text, "time_scale: 40"));
  (void)snprintf(more, sizeof more, "%.0f", time_scale);
  memcpy(at, "time_scale: ", 12);
  memset(at + 12, ' ', 2);
  memcpy(at + 12, more, strlen(more));
  (void)snprintf(more, sizeof more, "\non_failure: \"%s\"\n", command);
  FILE *f = fopen(cbt_path("rig.yaml", path), "w");
  assert_non_null(f);
  assert_true(fputs(text, f) >= 0 && fputs(more, f) >= 0);
  assert_int_equal(fclose(f), 0);
  free(text);
}

static void expect_in(const char *file, const char *wanted) {
  char *text = clit_get(file);
  if (!strstr(text, wanted)) fail_msg("%s: '%s' was wanted: %s", file, wanted, text);
  free(text);
}

static bool is_there(const char *file) {
  char path[400];
  return access(cbt_path(file, path), F_OK) == 0;
}

static void somebody_is_told(void **state) {
  (void)state;
  clit_put("mail.sh", mailer);
  put_plan("300");
  put_rig("sh ./mail.sh", 40);
  clit_run(RUN, 1);
  assert_non_null(strstr(clit_last.err, "run at 0 deg with 300 g, repeat 1, forward: "));
  assert_null(strstr(clit_last.err, "on_failure"));
  for (int i = 0; i < 1000 && !is_there("told"); i++) cb_sleep_s(0.01);
  static const char *const facts[] = {"CLOTHBENCH_CAMPAIGN=1\n",
                                      "CLOTHBENCH_CAMPAIGN_NAME=floor\n",
                                      "CLOTHBENCH_DB=lab.db\n",
                                      "CLOTHBENCH_NEXT=look at the bench; 'clothbench run' with the "
                                      "campaign's file and --resume goes on\n",
                                      "CLOTHBENCH_REASON=run at 0 deg with 300 g, repeat 1, forward: ",
                                      "CLOTHBENCH_RIG=virtual-bench\n",
                                      "CLOTHBENCH_RUNS_DONE=0\n",
                                      "CLOTHBENCH_STAGE=the stage was told to stop\n",
                                      "input: \n"};
  for (size_t i = 0; i < sizeof facts / sizeof facts[0]; i++) expect_in("told", facts[i]);
  expect_in("lab.db-on-failure.log", "mail was sent\n");
  clit_expect("db query \"SELECT text FROM event WHERE kind = 'on-failure'\" --db lab.db", 0, "sh ./mail.sh",
              "");
  clit_run("db check --db lab.db", 0);
}

/* A campaign that comes to its end is no failure. */
static void nobody_is_told(void **state) {
  (void)state;
  clit_put("mail.sh", mailer);
  put_plan("50");
  put_rig("sh ./mail.sh", 40);
  clit_run(RUN, 0);
  assert_false(is_there("told"));
}

static void it_hangs(void **state) {
  (void)state;
  put_plan("300");
  put_rig("touch begun; sleep 20", 40);
  const double began_s = cb_now_monotonic_s();
  clit_run(RUN, 1);
  assert_true(cb_now_monotonic_s() - began_s < 6 * cbt_patience());
  assert_true(is_there("begun"));
  assert_null(strstr(clit_last.err, "on_failure"));
}

static void it_is_not_there(void **state) {
  (void)state;
  put_plan("300");
  put_rig("no-such-mailer", 40);
  clit_run(RUN, 1);
  assert_non_null(strstr(clit_last.err,
                         "on_failure: 'no-such-mailer': exit code 127, 0 was wanted: "
                         "lab.db-on-failure.log has what it said\n"));
  expect_in("lab.db-on-failure.log", "no-such-mailer");
}

/* Ctrl-C is somebody's own; another signal is not. */
static void a_signal(void **state) {
  (void)state;
  static const char *const words[] = {"run", "plan.yaml", "--rig", "rig.yaml", "--db", "lab.db", NULL};
  static const int signals[] = {SIGINT, SIGTERM};
  clit_put("mail.sh", mailer);
  put_plan("50");
  put_rig("sh ./mail.sh", 1);
  for (int i = 0; i < 2; i++) {
    const pid_t pid = prog_start(words, -1, -1);
    for (int k = 0; k < 3000 && !is_there("lab.db-running"); k++) cb_sleep_s(0.01);
    cb_sleep_s(0.5);
    (void)kill(pid, signals[i]);
    assert_int_equal(prog_end(pid), 1);
    for (int k = 0; k < (i ? 1000 : 50) && !is_there("told"); k++) cb_sleep_s(0.01);
    assert_int_equal(is_there("told"), i);
  }
  expect_in("told", "stopped by SIGTERM");
}

/* A rig that cannot be opened is told before there is a campaign. */
static void no_campaign(void **state) {
  (void)state;
  char path[400], *text = NULL;
  const char *port = "port: /nowher";
  size_t n;
  clit_put("mail.sh", mailer);
  put_plan("50");
  put_rig("sh ./mail.sh", 40);
  assert_ok(cb_file_read(cbt_path("rig.yaml", path), 1 << 16, &text, &n, err));
  for (char *at = text; (at = strstr(at, "port: virtual"));)
    memcpy(at, port, 13), port = "port: /nowhat", at++;
  clit_put("rig.yaml", text);
  free(text);
  clit_run(RUN, 1);
  for (int i = 0; i < 1000 && !is_there("told"); i++) cb_sleep_s(0.01);
  expect_in("told", "CLOTHBENCH_CAMPAIGN=\n");
  expect_in("told", "with the campaign's file begins it\n");
}

int main(void) {
#define T(f) cmocka_unit_test_setup_teardown(f, cbt_folder_set_up, cbt_folder_tear_down)
  const struct CMUnitTest tests[] = {T(somebody_is_told), T(nobody_is_told), T(it_hangs),
                                     T(it_is_not_there),  T(a_signal),       T(no_campaign)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
