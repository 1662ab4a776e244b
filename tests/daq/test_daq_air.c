/* A sensor of the air in a folder that looks like sysfs: read, and kept with every run of a campaign. */
#include "daqtest.h"

#include <math.h>
#include <sys/stat.h>

#include "cb_store.h"
#include "daq_air.h"

static char folder[400];

static void put(const char *name, const char *text) {
  char path[512];
  (void)snprintf(path, sizeof path, "%s/%s", folder, name);
  if (text)
    cbt_write(path, text);
  else
    (void)remove(path);
}

static cb_status read_it(double *t, double *rh, cb_err *err) {
  cb_conditions c = cb_conditions_unknown();
  const cb_status st = daq_air_fill(folder, &c, err);
  *t = c.temperature_degC;
  *rh = c.humidity_percent;
  return st;
}

static int set_up(void **state) {
  assert_int_equal(cbt_folder_set_up(state), 0);
  return mkdir(cbt_path("sensor", folder), 0700);
}

static void files(void **state) {
  (void)state;
  double t, rh;
  assert_fails(CB_E_DEVICE, "no sensor of the air is there", read_it(&t, &rh, err));
  put("in_temp_input", "21480\n"); /* a BME280 */
  put("in_humidityrelative_input", "47250.000000\n");
  assert_ok(read_it(&t, &rh, err));
  assert_true(t == 21.48 && rh == 47.25);
  cb_conditions c = cb_conditions_unknown();
  c.humidity_percent = 50; /* somebody said so */
  assert_ok(daq_air_fill("", &c, err));
  assert_true(isnan(c.temperature_degC));
  assert_ok(daq_air_fill(folder, &c, err));
  assert_true(c.temperature_degC == 21.48 && c.humidity_percent == 50);
  put("in_temp_input", NULL);
  put("in_humidityrelative_input", NULL);
  put("temp1_input", "-1500\n"); /* a thermometer of hwmon */
  assert_ok(read_it(&t, &rh, err));
  assert_true(t == -1.5 && isnan(rh));
  put("humidity1_input", "104000\n");
  assert_fails(CB_E_RANGE, "104 is outside 0 to 100", read_it(&t, &rh, err));
  put("humidity1_input", "wet\n");
  assert_fails(CB_E_PARSE, "humidity1_input", read_it(&t, &rh, err));
  put("humidity1_input", NULL);
  put("temp1_input", NULL);
  char path[512];
  (void)snprintf(path, sizeof path, "%s/temp1_input", folder);
  assert_int_equal(mkdir(path, 0700), 0); /* as a sensor that was pulled off: it opens, and cannot be read */
  assert_fails(CB_E_DEVICE, "cannot be read", read_it(&t, &rh, err));
}

static void campaign(void **state) {
  (void)state;
  static cbt_result r;
  char words[900], path[400], air[500];
  const char *const change[][2] = {{"bench: {", air}};
  cb_store *s;
  cb_event *events;
  size_t n, found = 0;
  put("temp1_input", "20500\n");
  put("humidity1_input", "64000\n");
  (void)snprintf(air, sizeof air, "bench: {air: '%s', ", folder);
  dt_rig_with(cbt_path("rig.yaml", path), change, 1);
  (void)snprintf(words, sizeof words, "run '" CB_SOURCE_DIR "/rigs/campaign-small.yaml' --rig '%s' --db t.db",
                 path);
  cbt_run(&r, cbt_folder, words);
  if (r.code != 0) fail_msg("exit %d, %s", r.code, r.err);
  assert_ok(cb_store_open(cbt_path("t.db", path), CB_STORE_READ, &s, err));
  assert_ok(cb_store_events(s, 1, &events, &n, err));
  for (size_t i = 0; i < n; i++) {
    if (strcmp(events[i].kind, "air") != 0) continue;
    assert_string_equal(events[i].text, "20.5 degC, 64 %");
    assert_true(events[i].run_id > 0 && events[i].at[0]);
    found++;
  }
  assert_true(found >= 8); /* runs of this campaign; one that is made again is one more */
  free(events);
  assert_ok(cb_store_close(s, err));
  cbt_run(&r, cbt_folder, "db show 1 --db t.db");
  assert_non_null(strstr(r.out, "20.5"));
  put("temp1_input", "hot\n");
  cbt_run(&r, cbt_folder, words);
  assert_int_equal(r.code, 1);
  assert_non_null(strstr(r.err, "temp1_input"));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test_setup_teardown(files, set_up, cbt_folder_tear_down),
                                     cmocka_unit_test_setup_teardown(campaign, set_up, cbt_folder_tear_down)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
