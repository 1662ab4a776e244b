/* Programs in place of devices: those of docs/reference/processes.md as they stand there, and what they may
 * do wrong in the middle of a move. */
#include "forcetest.h"

#include <sys/stat.h>
#include <unistd.h>

#include "daq_bench.h"
#include "daq_process.h"

static const cb_stop never;

/* The n-th block of a kind on the page, into a file of the test's folder. */
static void extract(const char *kind, int n, const char *name, const char *before, const char *after) {
  char path[400], fence[32], *page = cbt_read(CB_SOURCE_DIR "/docs/reference/processes.md"), *at = page;
  (void)snprintf(fence, sizeof fence, "```%s\n", kind);
  for (int i = 0; i <= n; i++) {
    at = strstr(at, fence);
    assert_non_null(at);
    at += strlen(fence);
  }
  *strstr(at, "```") = '\0';
  char text[8192];
  (void)snprintf(text, sizeof text, "%s%s%s", before, at, after);
  cbt_write(cbt_path(name, path), text);
  free(page);
}

static int set_up(void **state) {
  char path[400], command[1200];
  assert_int_equal(cbt_folder_set_up(state), 0);
  assert_int_equal(mkdir(cbt_path("clothbench", path), 0700), 0);
  (void)snprintf(command, sizeof command,
                 "touch %s/__init__.py && cp '" CB_SOURCE_DIR "/api/python/clothbench/bench.py' %s", path,
                 path);
  assert_int_equal(system(command), 0);
  extract("python", 0, "my_stage.py", "", "");
  extract("python", 1, "my_cell.py", "", "");
  extract("yaml", 0, "rig.yaml", "name: page\n",
          "bench: {cart_mass_g: 100, u_mass_g: 0.05, contact_area_cm2: 50, link_stiffness_N_per_m: 500, "
          "link_slack_mm: 2, u_angle_deg: 0.5}\n");
  assert_int_equal(chdir(cbt_folder), 0);
  return setenv("PYTHONDONTWRITEBYTECODE", "1", 1);
}

static int tear_down(void **state) { return chdir(CB_SOURCE_DIR) + cbt_folder_tear_down(state); }

static bool exists(const char *name) { return access(name, F_OK) == 0; }

/* Its stage and its read-out as on the page, or others. */
static void load(cb_rig *rig, const char *stage, const char *cell) {
  assert_ok(cb_rig_load("rig.yaml", rig, err));
  (void)snprintf(rig->stage.port, sizeof rig->stage.port, "python3 %s", stage);
  (void)snprintf(rig->force.port, sizeof rig->force.port, "python3 %s", cell);
  (void)remove("stopped");
  (void)remove("told");
}

static void moves(void **state) {
  (void)state;
  cb_rig rig;
  daq_bench b;
  daq_reading r[64];
  double mean;
  load(&rig, "my_stage.py", "my_cell.py");
  assert_ok(daq_bench_open(&b, &rig, rig.stage.port, rig.force.port, &never, err));
  assert_string_equal(b.stage.identity, "stage played stage");
  assert_ok(daq_bench_home(&b, err));
  assert_ok(daq_bench_move(&b, 5e-3, 20e-3, err));
  assert_near(b.position_m, 5e-3, 1e-9);
  assert_ok(daq_bench_rest(&b, 0.05, &mean, err));
  assert_near(mean, 0.25, 1e-12);
  /* 10 kHz, no reading lost: the program counts what is due. */
  const double began_s = cb_now_monotonic_s();
  size_t n = 0, got;
  while (cb_now_monotonic_s() < began_s + 1) {
    assert_ok(daq_force_read_many(&b.force, r, 64, &got, err));
    n += got;
    if (got == 0) cb_sleep_s(0.001);
  }
  print_message("%zu readings in %.3f s\n", n, cb_now_monotonic_s() - began_s);
  assert_true(n > 9000 && n < 11000 && b.force.n_unreadable == 0);
  daq_bench_close(&b);
  assert_false(exists("stopped"));
  cb_rig_clear(&rig);
}

/* The page's stage, which does something else once it has passed 5 mm. */
static void write_bad(const char *name, const char *misdeed) {
  char text[1000];
  (void)snprintf(text, sizeof text,
                 "import os, time\nfrom my_stage import MyStage\n\nclass Bad(MyStage):\n"
                 "    def stop(self):\n        super().stop()\n        open('told', 'w').close()\n"
                 "    def _answer(self, words):\n        if words[0] == 'state' and self.position_mm() > 5:\n"
                 "            %s\n        return super()._answer(words)\n\nBad().serve()\n",
                 misdeed);
  cbt_write(name, text);
}

static void misdeed(const char *does, const char *cell, const char *sentence, double most_s) {
  cb_rig rig;
  daq_bench b;
  cb_err why = {""};
  char halt[DAQ_HALT_TEXT];
  write_bad("bad.py", does);
  load(&rig, "bad.py", cell);
  assert_ok(daq_bench_open(&b, &rig, rig.stage.port, rig.force.port, &never, err));
  assert_false(exists("stopped"));
  const double began_s = cb_now_monotonic_s();
  assert_int_not_equal(daq_bench_move(&b, 50e-3, 20e-3, &why), CB_OK);
  const double took_s = cb_now_monotonic_s() - began_s - 0.25; /* when it passed 5 mm */
  print_message("%s: %.2f s later: %s\n", does, took_s, why.msg);
  if (!strstr(why.msg, sentence)) fail_msg("'%s', without '%s'", why.msg, sentence);
  assert_true(exists("stopped"));
  assert_true(took_s < most_s * cbt_patience());
  assert_false(b.may_move);
  assert_true(daq_bench_halt(&b, halt));
  daq_bench_close(&b);
  cb_rig_clear(&rig);
}

static void a_stage_that_fails(void **state) {
  (void)state;
  misdeed("time.sleep(60)", "my_cell.py", "no answer to 'state' within 0.5 s", 1);
  misdeed("os.kill(os.getpid(), 19)", "my_cell.py", "no answer to 'state' within 0.5 s", 1);
  misdeed("os._exit(3)", "my_cell.py", "its process has ended", 0.5);
  misdeed("raise ValueError('x')", "my_cell.py", "its process has ended", 0.5);
  misdeed("return 'position \\x01nonsense\\n' * 1000", "my_cell.py", "no answer to", 1);
}

/* The guard does not wait for the stage's answer; the stop does, once. */
static void overload_while_it_hangs(void **state) {
  (void)state;
  cbt_write(
      "heavy.py",
      "import os\nfrom my_cell import MyCell\n\nclass Heavy(MyCell):\n    rate_Hz = 500\n"
      "    def read(self):\n        return 9 if os.path.exists('hangs') else 0.25\n\nHeavy().serve()\n");
  misdeed("open('hangs', 'w').close() or time.sleep(60)", "heavy.py", "at most 8 N", 1);
}

/* Without a stop that works nobody says that it stands. */
static void no_way_to_stop_it(void **state) {
  (void)state;
  cb_rig rig;
  daq_bench b;
  cb_err why = {""};
  char halt[DAQ_HALT_TEXT];
  write_bad("bad.py", "os._exit(3)");
  load(&rig, "bad.py", "my_cell.py");
  (void)strcpy(rig.stage.stop_command, "exit 7");
  assert_ok(daq_bench_open(&b, &rig, rig.stage.port, rig.force.port, &never, err));
  assert_int_not_equal(daq_bench_move(&b, 50e-3, 20e-3, &why), CB_OK);
  assert_true(b.may_move);
  assert_false(daq_bench_halt(&b, halt));
  assert_non_null(
      strstr(halt, "may still move: look at it before anything else ('exit 7': exit code 7, 0 was wanted)"));
  daq_bench_close(&b);
  cb_rig_clear(&rig);
  assert_fails(CB_E_TIMEOUT, "'sleep 60': was killed, as it did not end within 0.05 s",
               daq_process_run("sleep 60", 0.05, err));
}

/* One that nobody waits for. */
static void sent_on_an_errand(void **state) {
  (void)state;
  const char *argv[] = {"timeout", "-k", "1", "0.3", "/bin/sh", "-c", "echo a fact >> told; exec sleep 60",
                        NULL};
  const double began_s = cb_now_monotonic_s();
  assert_ok(daq_process_send(argv, "tell", 0, err));
  assert_true(cb_now_monotonic_s() - began_s < 0.2 * cbt_patience());
  assert_fails(CB_E_DEVICE, "'tell': exit code 124, 0 was wanted", daq_process_send(argv, "tell", 60, err));
  char *text = cbt_read("told");
  assert_non_null(strstr(text, "a fact\n"));
  free(text);
  argv[0] = "no-such-program";
  assert_fails(CB_E_IO, "'tell': cannot be started: No such file or directory",
               daq_process_send(argv, "tell", 0, err));
}

/* The stage's own program stops it. */
static void a_read_out_that_fails(void **state) {
  (void)state;
  static const char *const cases[][2] = {{"time.sleep(60)", "lost stream"},
                                         {"os._exit(3)", "its process has ended"},
                                         {"return float('inf')", "overload"},
                                         {"return 9", "N, at most 8 N"}};
  for (int i = 0; i < 4; i++) {
    cb_rig rig;
    daq_bench b;
    cb_err why = {""};
    char text[400];
    (void)snprintf(
        text, sizeof text,
        "import os, time\nfrom my_cell import MyCell\nbegan = time.monotonic()\n\nclass Bad(MyCell):\n"
        "    def read(self):\n        if time.monotonic() > began + 1:\n            %s\n"
        "        return 0.25\n\nBad().serve()\n",
        cases[i][0]);
    cbt_write("cell.py", text);
    write_bad("bad.py", "pass");
    load(&rig, "bad.py", "cell.py");
    assert_ok(daq_bench_open(&b, &rig, rig.stage.port, rig.force.port, &never, err));
    assert_int_not_equal(daq_bench_move(&b, 99e-3, 10e-3, &why), CB_OK);
    if (!strstr(why.msg, cases[i][1])) fail_msg("'%s', without '%s'", why.msg, cases[i][1]);
    assert_true(exists("told") && !exists("stopped") && !b.may_move);
    daq_bench_close(&b);
    cb_rig_clear(&rig);
  }
}

/* The host is gone: the input ends. */
static void the_host_is_killed(void **state) {
  (void)state;
  write_bad("bad.py", "pass");
  (void)remove("told");
  assert_int_equal(system("printf 'hello\\nmove 30 10\\nfly\\nposition\\n' | python3 bad.py > out"), 0);
  assert_true(exists("told"));
  char *out = cbt_read("out");
  static const char wanted[] = "stage played stage\ncommand ok\ncommand refused\nposition 0.";
  assert_memory_equal(out, wanted, sizeof wanted - 1);
  free(out);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(moves),
                                     cmocka_unit_test(a_stage_that_fails),
                                     cmocka_unit_test(overload_while_it_hangs),
                                     cmocka_unit_test(no_way_to_stop_it),
                                     cmocka_unit_test(sent_on_an_errand),
                                     cmocka_unit_test(a_read_out_that_fails),
                                     cmocka_unit_test(the_host_is_killed)};
  if (system("command -v python3 > /dev/null") != 0) {
    print_message("test_daq_process: skipped, python3 is not here\n");
    return 0;
  }
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
