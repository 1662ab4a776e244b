/* `rig live`: values in a pipe, without a motion. */
#include "daqtest.h"

#include <math.h>
#include <signal.h>

#include "clitest.h"
#include "daq_emulator.h"
#include "persontest.h"
#include "wiretap.h"

/* A virtual rig whose time is the clock's, and a tap on the wire to its stage. */
typedef struct bench {
  daq_emulator *e;
  wiretap tap;
  person p;
} bench;

static void start_rig(bench *b, const char *const pairs[][2], size_t n) {
  char path[400];
  const char *all[8][2] = {{"time_scale: 40", "time_scale: 1"}};
  assert_true(n <= 7);
  for (size_t i = 0; i < n; i++) memcpy(all[i + 1], pairs[i], sizeof all[0]);
  dt_rig_with(cbt_path("played.yaml", path), (const char *const(*)[2])all, n + 1);
  assert_ok(daq_emulator_start(CB_EXE, path, &b->e, err));
  wiretap_open(&b->tap, daq_emulator_stage_port(b->e));
  dt_rig_on(cbt_path("wired.yaml", path), b->tap.host.name, daq_emulator_force_port(b->e),
            (const char *const(*)[2])all, n + 1);
}

static int set_up(void **state) {
  bench *b = calloc(1, sizeof *b);
  assert_non_null(b);
  (void)signal(SIGPIPE, SIG_IGN);
  cbt_folder_set_up(NULL);
  *state = b;
  return 0;
}

static int tear_down(void **state) {
  bench *b = *state;
  wiretap_close(&b->tap);
  daq_emulator_stop(b->e);
  free(b);
  return cbt_folder_tear_down(NULL);
}

/* ---- values ---- */

/* The row's cells as numbers; NAN: empty. */
static size_t read_row(const char *line, double cell[16]) {
  size_t n = 0;
  for (const char *at = line; n < 16; at++) {
    char *end;
    cell[n] = strtod(at, &end);
    if (end == at) cell[n] = NAN;
    n++;
    at = end;
    if (*at != ',') break;
  }
  return n;
}

/* Noise, digit, zero and rate are what the rig file plays. */
static void table_in_a_pipe(void **state) {
  bench *b = *state;
  double cell[16];
  bool stopped;
  start_rig(b, NULL, 0);
  clit_run("rig live wired.yaml --csv --seconds 3.5", 0);
  clit_says("rig live", "stderr", clit_last.err,
            "clothbench rig: no terminal: one line per second, and no key is read; nothing moves");
  char *line = strtok(clit_last.out, "\n");
  assert_string_equal(line, "t_s,reading,force_N,mean_N,sd_N,digit_N,readings,rate_Hz,position_m");
  size_t rows = 0;
  while ((line = strtok(NULL, "\n"))) {
    rows++;
    assert_int_equal(read_row(line, cell), 9);
    assert_near(cell[3], 0.05, 5 * 0.002 / sqrt(400) + 1e-4); /* the zero, and its drift */
    assert_true(cell[4] > 0.8 * 0.002 && cell[4] < 1.2 * 0.002);
    assert_near(cell[5], 1e-4, 1e-9);
    assert_near(cell[7], 400, 40 * cbt_patience());
  }
  assert_int_equal(rows, 4);
  assert_int_equal(wiretap_moves(&b->tap, &stopped), 0);
}

/* Arrows and homing, typed into a pipe: nobody reads them. */
static void never_moves_from_a_pipe(void **state) {
  bench *b = *state;
  const char *const words[] = {"rig", "live", "wired.yaml", "--seconds", "2", NULL};
  int keys[2];
  start_rig(b, NULL, 0);
  assert_int_equal(pipe(keys), 0);
  pid_t pid = prog_start(words, keys[0], -1);
  close(keys[0]);
  for (int i = 0; i < 40; i++) {
    (void)!write(keys[1], "hhh\033[C\033[C\033[D", 12);
    cb_sleep_s(0.03);
  }
  close(keys[1]);
  assert_int_equal(prog_end(pid), 0);
  assert_int_equal(wiretap_moves(&b->tap, NULL), 0);
}

/* Without a calibration: the read-out's unit. */
static void without_newtons(void **state) {
  bench *b = *state;
  static const char *const none[][2] = {
      {"calibration: {slope_N_per_unit: 1, u_rel: 0.002, resolution: 0.0001, certificate: \"virtual\", "
       "valid_from: 2026-01-01}\n",
       ""},
      {"unit: N", "unit: mV/V"},
      {"  seed: 1\n", "  seed: 1\n  slope_N_per_unit: 1\n"}};
  start_rig(b, none, 3);
  clit_expect("rig live wired.yaml --seconds 0.5", 0, " mV/V (", "nothing moves");
  clit_expect("rig live wired.yaml --seconds 0.5 --csv", 0, ",,,,,", "nothing moves");
}

/* The first one has the ports. */
static void one_at_a_time(void **state) {
  bench *b = *state;
  const char *const words[] = {"rig", "live", "wired.yaml", NULL};
  char path[400];
  start_rig(b, NULL, 0);
  int out = open(cbt_path("lines", path), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  pid_t pid = prog_start_to(words, -1, out, -1);
  for (int i = 0; lseek(out, 0, SEEK_END) <= 0 && i < 1000; i++) cb_sleep_s(0.01);
  cbt_run(&clit_last, cbt_folder, "rig live wired.yaml --seconds 1");
  assert_int_equal(clit_last.code, 1);
  clit_says("the second one", "stderr", clit_last.err, "in use");
  kill(pid, SIGTERM);
  assert_int_equal(prog_end(pid), 0);
  close(out);
}

static void wrong_usage(void **state) {
  (void)state;
  clit_expect("rig live", 2, "", "rig live RIG.yaml");
  clit_expect("rig live none.yaml", 1, "", "none.yaml");
  clit_expect("rig live a.yaml --seconds 0", 2, "", "--seconds");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(table_in_a_pipe),
      TEST(never_moves_from_a_pipe),
      TEST(without_newtons),
      TEST(one_at_a_time),
      cmocka_unit_test_setup_teardown(wrong_usage, cbt_folder_set_up, cbt_folder_tear_down),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
