/* import trace, fit trace, plot run: a tribometer's log of known truth, and the three real logs (skipped
 * where they are not at hand). */
#include "cb_num.h"
#include "cb_rng.h"
#include "clitest.h"

#define LOGS CBT_DATA "/force_traces/"
#define IMPORT "import trace --db lab.db --mapping "
#define RIGS CB_SOURCE_DIR "/rigs/import/"
#define DRIVE                                                                                     \
  "'" LOGS "drive_loadcell_volts.csv' --motion-mapping " RIGS "drive_motion.yaml --motion '" LOGS \
  "drive_servo_speed.csv'"

static const char *text(const json_t *doc, const char *key) {
  const char *t = json_string_value(json_object_get(doc, key));
  if (!t) fail_msg("%s is no text", key);
  return t;
}

static const char tribometer_map[] =
    "kind: trace\nmethod: reciprocating ball\nsource: invented for a test\nskip_lines: 4\nseparator: "
    "\"\\t\"\ncolumns:\n"
    "  cloth: {value: Twill}\n  body: {value: Foam}\n  area: {value: 1, unit: cm2}\n  time: {column: Time, "
    "unit: s}\n"
    "  position: {column: X, unit: mm}\n  force: {column: Fx, unit: mN, u_rel: 0.005}\n  normal_force: "
    "{column: Fz, unit: N}\n";

/* 12 strokes of 10 mm at 5 mm/s, 200 readings a second: 3 N of friction under 10 N, stick-slip of 0.4 N every
 * 0.5 mm, a zero of 0.7 N that drifts by 0.2 N over the record. */
static void write_tribometer(const char *path) {
  FILE *f = fopen(path, "w");
  cb_rng rng;
  cb_rng_init(&rng, 1, 1);
  assert_non_null(f);
  fprintf(f, "Tribo \"5000\" v2\nOperator\tA. B.\nDate\t2026-03-01\n\nTime\tCycle\tX\tFx\tFz\tCOF\n");
  for (int i = 0; i < 4800; i++) {
    double t = i / 200.0, phase = fmod(t, 4), x = phase < 2 ? 5 * phase : 5 * (4 - phase),
           way = fmod(5 * t, 10);
    double turned = fmin(1, way / 0.2), saw = 0.4 * (fmod(way, 0.5) / 0.5 - 0.5);
    double force = (phase < 2 ? 1 : -1) * (3 * (2 * turned - 1) + saw) + 0.7 + 0.2 * (t - 12) / 24 +
                   0.005 * cb_rng_normal(&rng);
    fprintf(f, "%.3f\t%d\t%.4f\t%.1f\t%.3f\t%.4f\n", t, 1 + i / 800, x, 1e3 * force,
            10 + 0.01 * cb_rng_normal(&rng), force / 10);
  }
  assert_int_equal(fclose(f), 0);
}

static void tribometer(void **state) {
  (void)state;
  char path[300];
  clit_put("map.yaml", tribometer_map);
  (void)snprintf(path, sizeof path, "%s/log.txt", cbt_folder);
  write_tribometer(path);
  json_t *doc = clit_json(IMPORT "map.yaml log.txt --json", 0, "import trace");
  assert_true(clit_number(doc, "force_samples") == 4800 && clit_number(doc, "run_id") == 1 &&
              clit_number(doc, "holes") == 0);
  assert_near(clit_number(doc, "rate_Hz"), 200, 1e-6);
  assert_string_equal(text(doc, "flags"), "");
  json_decref(doc);
  doc = clit_json("fit trace --run 1 --db lab.db --json", 0, "fit trace");
  const json_t *cycle = json_object_get(doc, "cycle"),
               *stroke = json_array_get(json_object_get(doc, "strokes"), 5);
  assert_true(clit_number(cycle, "forward") == 6 && clit_number(cycle, "backward") == 6);
  /* 20 readings a tooth begin at its foot and never see its top: their mean is 0.4 / 40 below 3 N. A window
   * holds some 13 teeth, one of them cut: 0.4 / (8 * 13) at most. */
  assert_near(clit_number(doc, "kinetic_N"), 2.99, 0.4 / (8 * 13));
  assert_near(clit_number(doc, "zero_N"), 0.7, 0.005);
  assert_near(clit_number(cycle, "zero_drift_N"), 0.2, 3 * clit_number(cycle, "u_zero_drift_N"));
  assert_near(clit_number(doc, "mu"), 0.299, 0.0005);
  /* one line in 20 crosses the fall */
  assert_near(clit_number(cycle, "mmd"), 0.4 / 4 / 10 * 19 / 20, 0.0002);
  assert_string_equal(text(stroke, "verdict"), "flat");
  const json_t *slip = json_object_get(stroke, "stick_slip");
  assert_string_equal(text(slip, "outcome"), "regular stick-slip");
  assert_near(clit_number(slip, "peaks_per_mm"), 2, 0.02);
  assert_near(clit_number(slip, "frequency_Hz"), 10, 0.1);
  assert_near(clit_number(slip, "amplitude_N"), 0.4, 0.03);
  json_decref(doc);
  clit_expect("fit trace --run 1 --db lab.db", 0, "strokes              6 forward, 6 backward", "");
  clit_expect("fit friction --cloth Twill --body Foam --db lab.db", 0, "10 N       0 deg  0.29",
              "1 run was reduced");
  clit_expect("db show 1 --db lab.db", 0, "run 1      pull  0 deg, load 10 N, kinetic 2.9", "");
  clit_expect("plot run 1 --db lab.db --out r.svg", 0, "r.svg", "");
  clit_expect("db check --db lab.db", 0, "whole", "");
  clit_expect(IMPORT "map.yaml log.txt", 1, "", "log.txt: this very file was imported into lab.db on");
}

static void wrong_usage(void **state) {
  (void)state;
  clit_expect(IMPORT "map.yaml log.txt --motion x.csv", 2, "",
              "--motion and --motion-mapping belong together");
  clit_expect("import friction --mapping m --motion x --motion-mapping y f.csv", 2, "",
              "and to 'import trace'");
  clit_expect(IMPORT "no.yaml log.txt", 1, "", "no.yaml");
  clit_expect("fit trace --db lab.db", 2, "", "--run");
  clit_expect("db init --db lab.db", 0, "", "is ready");
  clit_expect("fit trace --run 7 --db lab.db", 1, "", "lab.db: no run 7");
}

/* Rest, 0.24 s of acceleration to 0.66 m/s, as much of braking: two devices, two clocks, no stretch of even
 * sliding. */
static void real_drive(void **state) {
  (void)state;
  if (cbt_absent(LOGS "drive_loadcell_volts.csv")) return;
  json_t *doc = clit_json(IMPORT RIGS "drive_force.yaml --json " DRIVE, 0, "import trace");
  assert_true(clit_number(doc, "force_samples") == 1078 && clit_number(doc, "motion_samples") == 1024);
  assert_near(clit_number(doc, "rate_Hz"), 2000, 1e-6);
  assert_string_equal(text(doc, "flags"), "area-unknown load-unknown");
  /* The displacement sensor on the force's clock and the speed on the other, integrated, are one straight
   * line to 0.04 %. */
  const json_t *clocks = json_object_get(doc, "clocks");
  assert_near(clit_number(clocks, "offset_s"), -0.006, 0.0005);
  assert_true(clit_number(clocks, "u_offset_s") < 0.0003 && clit_number(clocks, "correlation") > 0.999999);
  json_decref(doc);
  /* It speeds up and brakes: no pull of sliding, and not named so for one reason only. */
  doc = clit_json("fit trace --run 1 --db lab.db --json", 3, "fit trace");
  assert_string_equal(text(doc, "validity"), "invalid");
  const json_t *faults = json_object_get(doc, "faults");
  assert_int_equal(json_array_size(faults), 3);
  assert_string_equal(text(json_array_get(faults, 0), "fault"), "speed");
  assert_string_equal(text(json_array_get(faults, 1), "fault"), "no-force");
  assert_string_equal(text(json_array_get(faults, 2), "fault"), "step");
  assert_true(json_is_null(json_object_get(doc, "kinetic_N")) &&
              json_is_null(json_object_get(doc, "static_N")));
  const json_t *plateau = json_object_get(doc, "plateau");
  assert_string_equal(text(plateau, "verdict"), "the force changes its level");
  assert_near(clit_number(plateau, "step_N"), -137, 10);
  assert_near(clit_number(plateau, "step_at_m"), 0.08, 0.004); /* where it begins to brake */
  assert_true(clit_number(plateau, "step_p") < 1e-6 && clit_number(plateau, "u_mean_N") > 10);
  json_decref(doc);
  clit_expect("fit friction --cloth 'drive carriage' --body 'drive rail' --db lab.db", 1, "",
              "with a known load");
}

/* Without the displacement sensor the force itself must do: it follows the direction of motion, with an
 * uncertainty that covers the truth.
 */
static void real_drive_without_marker(void **state) {
  (void)state;
  char *map;
  size_t n;
  if (cbt_absent(LOGS "drive_loadcell_volts.csv")) return;
  assert_ok(cb_file_read(RIGS "drive_force.yaml", 1 << 16, &map, &n, err));
  char *marker = strstr(map, "  marker:");
  assert_non_null(marker);
  *marker = '\0';
  clit_put("map.yaml", map);
  free(map);
  clit_expect(IMPORT "map.yaml " DRIVE, 1, "",
              "their clocks cannot be compared (where both begin to move, it is another");
}

/* Neither times nor positions nor load: a friction force, a zero, and what cannot be told is null. */
static void real_hx711(void **state) {
  (void)state;
  if (cbt_absent(LOGS "hx711_forward_reverse.csv")) return;
  json_t *doc = clit_json(IMPORT RIGS "hx711_forward_reverse.yaml --json '" LOGS "hx711_forward_reverse.csv'",
                          0, "import trace");
  assert_true(clit_number(doc, "force_samples") == 190 && clit_number(doc, "labelled_strokes") == 2 &&
              json_is_null(json_object_get(doc, "rate_Hz")));
  assert_string_equal(text(doc, "flags"), "no-times area-unknown load-unknown");
  json_decref(doc);
  doc = clit_json("fit trace --run 1 --db lab.db --json", 0, "fit trace");
  /* By hand: readings 29 to 89 forward average 0.6325 lb, 35 to 90 backward -0.4365 lb: half the difference,
   * half the sum. */
  assert_near(clit_number(doc, "kinetic_N"), 0.5 * (0.6325 + 0.4365) * 4.4482216, 0.02);
  assert_near(clit_number(doc, "zero_N"), 0.5 * (0.6325 - 0.4365) * 4.4482216, 0.02);
  assert_true(clit_number(doc, "u_kinetic_N") > 0.02 && clit_number(doc, "u_kinetic_N") < 0.15);
  const json_t *stroke = json_array_get(json_object_get(doc, "strokes"), 0);
  assert_true(json_is_null(json_object_get(doc, "mu")) &&
              json_is_null(json_object_get(stroke, "slope_N_per_m")) &&
              json_is_null(json_object_get(json_object_get(doc, "cycle"), "zero_drift_N")));
  assert_near(clit_number(stroke, "slope_percent"), -19, 4);
  json_decref(doc);
  clit_expect("plot run 1 --db lab.db --out r.svg", 0, "r.svg", "");
}

int main(void) {
#define T(f) cmocka_unit_test_setup_teardown(f, cbt_folder_set_up, cbt_folder_tear_down)
  const struct CMUnitTest tests[] = {T(tribometer), T(wrong_usage), T(real_drive),
                                     T(real_drive_without_marker), T(real_hx711)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
