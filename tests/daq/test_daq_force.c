/* Every serial read-out against its own emulator, over a pseudo-terminal: two programs that share no code but
 * the rig file. */
#include "forcetest.h"

#include "daq_emulator.h"

static const char *const devices[][4] = {
    /* driver, unit, terminator, identity */
    {"line", "N", "cr", ""},
    {"futek-d500", "mV/V", "", ""},
    {"mark10-gcl", "lbf", "", "VIRTUAL;V1.00;CUR"},
    {"mt-sics", "g", "", "MT-SICS balance, serial number VIRTUAL"},
};

static void write_rig(const char *path, const char *const device[4]) {
  char driver[64], unit[64];
  const char *const pairs[][2] = {
      {"driver: line", driver},           {"unit: N", unit},
      {"noise_sd: 0.002", "noise_sd: 0"}, {"drift_per_s: 0.00002", "drift_per_s: 0"},
      {"rate_Hz: 400", "rate_Hz: 250"},   {"time_scale: 40", "time_scale: 4"}};
  (void)snprintf(driver, sizeof driver, "driver: %s\n  terminator: '%s'", device[0], device[2]);
  (void)snprintf(unit, sizeof unit, "unit: %s", device[1]);
  dt_rig_with(path, pairs, 6);
}

static void read_some(const cb_rig *rig, const char *port, const char *identity) {
  daq_force f;
  daq_reading r[100];
  assert_ok(daq_force_open(&f, rig, port, NULL, NULL, err));
  assert_string_equal(f.identity, identity);
  assert_int_equal(ft_collect(&f, r, 100), 100);
  for (size_t i = 0; i < 100; i++) {
    assert_near(r[i].value, rig->virt.zero, rig->virt.quantum);
    assert_true(r[i].raw == r[i].value && !r[i].overload && r[i].channel == CB_CHANNEL_FORCE);
  }
  assert_int_equal(f.n_unreadable, 0);
  daq_force_close(&f);
}

static void each_reads_its_zero(void **state) {
  (void)state;
  char path[400];
  (void)cbt_path("rig.yaml", path);
  for (size_t i = 0; i < sizeof devices / sizeof devices[0]; i++) {
    cb_rig rig;
    daq_emulator *e;
    write_rig(path, devices[i]);
    assert_ok(cb_rig_load(path, &rig, err));
    assert_ok(daq_emulator_start(CB_EXE, path, &e, err));
    read_some(&rig, daq_emulator_force_port(e), devices[i][3]);
    read_some(&rig, daq_emulator_force_port(e), devices[i][3]); /* whatever state the first program left it
                                                                   in */
    daq_emulator_stop(e);
    cb_rig_clear(&rig);
  }
}

static void lines_on_request(void **state) {
  (void)state;
  ft_emulated("driver: line\n  request: 'READ ALL'\n  terminator: lf", "", 0, "");
  ft_emulated("driver: line\n  request: '?'\n  start: 'MODE 1'\n  terminator: ';'", "", 0, "");
  ft_emulated("driver: line\n  start: GO\n  stop: HALT", "", 0, "");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(each_reads_its_zero),
                                     cmocka_unit_test(lines_on_request)};
  return cmocka_run_group_tests(tests, cbt_folder_set_up, cbt_folder_tear_down);
}
