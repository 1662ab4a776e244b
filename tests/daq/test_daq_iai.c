/* The drive of docs/reference/stage-modbus.md, against a controller that knows the manual alone. */
#include "forcetest.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "daq_bench.h"

static const cb_stop never;

typedef struct controller {
  pid_t id;
  FILE *tell, *says;
  cb_rig rig;
  daq_bench bench;
} controller;

static int set_up(void **state) {
  char command[2400];
  assert_int_equal(cbt_folder_set_up(state), 0);
  (void)snprintf(command, sizeof command,
                 "mkdir %s/clothbench && touch %s/clothbench/__init__.py && cp '" CB_SOURCE_DIR
                 "/api/python/clothbench/bench.py' '" CB_SOURCE_DIR
                 "/api/python/clothbench/modbus.py' '" CB_SOURCE_DIR
                 "/api/python/clothbench/iai.py' %s/clothbench",
                 cbt_folder, cbt_folder, cbt_folder);
  assert_int_equal(system(command), 0);
  char *page = cbt_read(CB_SOURCE_DIR "/docs/reference/stage-modbus.md"), *at = strstr(page, "```yaml\n");
  char text[4096];
  assert_non_null(at);
  *strstr(at + 8, "```") = '\0';
  (void)snprintf(text, sizeof text,
                 "name: page\n%sforce: {driver: process, port: 'python3 cell.py', unit: N, rate_Hz: 500, "
                 "overload_N: 8}\ncalibration: {slope_N_per_unit: 1, u_rel: 0.002, resolution: 0.0001}\n"
                 "bench: {cart_mass_g: 100, u_mass_g: 0.05, contact_area_cm2: 50, "
                 "link_stiffness_N_per_m: 500, link_slack_mm: 2, u_angle_deg: 0.5}\n",
                 at + 8);
  free(page);
  assert_int_equal(chdir(cbt_folder), 0);
  cbt_write("rig.yaml", text);
  cbt_write("cell.py",
            "from clothbench.bench import ReadOut\n\nclass Cell(ReadOut):\n    rate_Hz = 500\n"
            "    def read(self):\n        return 0.25\n\nCell().serve()\n");
  return setenv("PYTHONDONTWRITEBYTECODE", "1", 1);
}

static int tear_down(void **state) { return chdir(CB_SOURCE_DIR) + cbt_folder_tear_down(state); }

static void begin(controller *c, const char *mishaps, const char *program) {
  int to[2], from[2];
  char ready[80];
  assert_int_equal(pipe(to) + pipe(from), 0);
  c->id = fork();
  if (c->id == 0) {
    (void)dup2(to[0], 0);
    (void)dup2(from[1], 1);
    (void)close(to[1]);
    (void)execlp("python3", "python3", CB_SOURCE_DIR "/tests/daq/iai_controller.py", "iai", mishaps,
                 (char *)NULL);
    _exit(127);
  }
  (void)close(to[0]);
  (void)close(from[1]);
  c->tell = fdopen(to[1], "w");
  c->says = fdopen(from[0], "r");
  assert_non_null(fgets(ready, sizeof ready, c->says));
  assert_ok(cb_rig_load("rig.yaml", &c->rig, err));
  (void)strcpy(c->rig.stage.port, program);
  (void)strcpy(c->rig.stage.stop_command, "touch stopped");
  (void)remove("stopped");
  assert_ok(daq_bench_open(&c->bench, &c->rig, c->rig.stage.port, c->rig.force.port, &never, err));
}

/* What the controller did, in words. */
static void end(controller *c, char *did, size_t size) {
  daq_bench_close(&c->bench);
  (void)fputs("end\n", c->tell);
  (void)fclose(c->tell);
  assert_int_equal(waitpid(c->id, NULL, 0), c->id);
  did[fread(did, 1, size - 1, c->says)] = '\0';
  (void)fclose(c->says);
  cb_rig_clear(&c->rig);
}

static void as_in_the_manual(void **state) {
  (void)state;
  cbt_write("examples.py",
            "from clothbench.modbus import crc\n"
            "for line in ['0105042CFF004CC3', '0105040AFF00AD08', '01050417FF003D0E', '0105041700007CFE',\n"
            "             '0105041D00005CFC', '01060D030001BAA6', '011099070002DE95', '0110990000092E93',\n"
            "             '011099000009120000138800 0007D000002710001E00B20006C377',\n"
            "             '0110990000091200 0003E80000000A00002710001E00000008F3A0']:\n"
            "    b = bytes.fromhex(line)\n    assert crc(b[:-2]) == b[-2:], line\n");
  assert_int_equal(system("python3 examples.py"), 0);
}

static void moves(void **state) {
  (void)state;
  controller c;
  char did[4000];
  begin(&c, "0", "python3 -m clothbench.iai iai");
  assert_string_equal(c.bench.stage.identity, "stage IAI, axis 0");
  assert_fails(CB_E_DEVICE, "refuses 'move", daq_bench_move(&c.bench, 5e-3, 20e-3, err));
  assert_ok(daq_bench_home(&c.bench, err));
  assert_near(c.bench.position_m, 0, 1e-9);
  assert_ok(daq_bench_move(&c.bench, 12.34e-3, 40e-3, err));
  assert_near(c.bench.position_m, 12.34e-3, 1e-9);
  end(&c, did, sizeof did);
  assert_non_null(strstr(did, "to 12.34 at 40\n"));
  assert_false(access("stopped", F_OK) == 0);
}

/* Each move ends where it was told to, whatever became of the answers. CB_MISHAPS: how many moves. */
static void mishaps(void **state) {
  (void)state;
  controller c;
  char did[60000], *last = did;
  const int n = getenv("CB_MISHAPS") ? atoi(getenv("CB_MISHAPS")) : 4;
  begin(&c, "50", "python3 -c 'from clothbench.iai import *; Line.tries = 6; Iai(Line(\"iai\")).serve()'");
  c.rig.stage.reply_timeout_s = 2;
  assert_ok(daq_bench_home(&c.bench, err));
  for (int i = 0; i < n; i++) {
    const double to_m = (i % 2 ? 1 : 4) * 1e-3;
    assert_ok(daq_bench_move(&c.bench, to_m, 20e-3, err));
    assert_near(c.bench.position_m, to_m, 1e-9);
  }
  end(&c, did, sizeof did);
  for (char *at = did; (at = strstr(at, "stops at ")); at++) last = at;
  print_message("%d moves; the drive %.*s", n, (int)strcspn(last, "\n") + 1, last);
}

static void misdeed(const char *word, const char *sentence) {
  controller c;
  cb_err why = {""};
  char did[4000];
  begin(&c, "0", "python3 -m clothbench.iai iai 2> said");
  assert_ok(daq_bench_home(&c.bench, err));
  assert_ok(daq_bench_move(&c.bench, 2e-3, 20e-3, err));
  fprintf(c.tell, "%s 5\n", word);
  (void)fflush(c.tell);
  assert_int_not_equal(daq_bench_move(&c.bench, 60e-3, 20e-3, &why), CB_OK);
  assert_true(access("stopped", F_OK) == 0);
  end(&c, did, sizeof did);
  char *said = cbt_read("said");
  if (!strstr(said, sentence)) fail_msg("'%s': '%s', without '%s'", word, said, sentence);
  free(said);
}

static void what_ends_a_move(void **state) {
  (void)state;
  misdeed("alarm", "alarm 0C0h");
  misdeed("power", "lost its reference");
  misdeed("unplug", "OSError");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(as_in_the_manual), cmocka_unit_test(moves),
                                     cmocka_unit_test(mishaps), cmocka_unit_test(what_ends_a_move)};
  if (system("command -v python3 > /dev/null") != 0) {
    print_message("test_daq_iai: skipped, python3 is not here\n");
    return 0;
  }
  (void)signal(SIGPIPE, SIG_IGN); /* who is unplugged hears nothing */
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
