/* Rig files: a good one, every cross rule, and the closed form of the ground truth. */
#include <dirent.h>

#include "cb_num.h"
#include "cb_rig.h"
#include "cbtest.h"

static const char good[] =
    "name: bench\n"
    "stage: {driver: zaber-ascii, port: virtual, microstep_um: 0.2, limit_min_mm: 0, limit_max_mm: 100, "
    "max_speed_mm_per_s: 50,"
    " acceleration_mm_per_s2: 500, start_mm: 20}\n"
    "force: {driver: line, port: virtual, unit: N, rate_Hz: 200, overload_N: 8}\n"
    "calibration: {slope_N_per_unit: 1, u_rel: 0.002, resolution: 0.0001}\n"
    "bench: {cart_mass_g: 13, u_mass_g: 0.05, contact_area_cm2: 50, link_stiffness_N_per_m: 2000, "
    "link_slack_mm: 2, u_angle_deg: 0.5}\n"
    "virtual: {time_scale: 40, quantum: 0.0001, truth: {c00: 0.6, c01: 0.02, c11: 0.45, n00: 0.9, n01: 0.95, "
    "n11: 0.93, static_excess: "
    "0.25}}\n";

static void a_good_file_in_si(void **state) {
  (void)state;
  cb_rig r;
  assert_ok(cb_rig_parse(good, "bench.yaml", &r, err));
  assert_string_equal(r.name, "bench");
  assert_string_equal(r.text, good);
  assert_near(r.stage.microstep_m, 2e-7, 1e-22);
  assert_near(r.stage.start_m, 0.02, 1e-17);
  assert_near(r.bench.cart_mass_kg, 0.013, 1e-17);
  assert_near(r.bench.contact_area_m2, 0.005, 1e-17);
  assert_true(r.virt.present && r.virt.time_scale == 40 && r.stage.baud == 115200 && r.force.scale == 1);
  assert_true(r.bench.gravity_m_per_s2 == CB_STANDARD_GRAVITY_M_PER_S2);
  cb_rig_clear(&r);
}

static void cross_rules(void **state) {
  (void)state;
  const struct {
    const char *from, *to, *sentence;
  } cases[] = {
      {"start_mm: 20", "start_mm: 120", "bench.yaml:2: start_mm = 120: must lie within the limits 0 to 100"},
      {"limit_max_mm: 100", "limit_max_mm: 0", "limit_min_mm = 0: must be below limit_max_mm = 0"},
      {"unit: N,", "unit: stone,", "bench.yaml:3: unit = 'stone': not a unit this program knows"},
      {"slope_N_per_unit: 1", "slope_N_per_unit: 0", "slope_N_per_unit = 0: every force would be zero"},
      {"c01: 0.02", "c01: 0.6", "c01^2 must be < c00 c11"},
      {"static_excess: 0.25", "static_excess: 0.25, body_rule: mean, body_cos2: 0.8, body_sin2: 0.6",
       "body_cos2 = 0.8, body_sin2 = 0.6: together below 1"},
      {"static_excess: 0.25", "static_excess: 0.25, body_cos2: 0.1",
       "body_rule: mean or product is wanted beside"},
      {"static_excess: 0.25", "static_excess: 0.25, body_rule: none",
       "body_rule = 'none': must be plain | mean | product"},
      {"static_excess: 0.25", "static_excess: 0.25, cos4: 0.8, sin4: 0.6",
       "cos4 = 0.8, sin4 = 0.6: together below 1"},
      {"n01: 0.95, ", "", "bench.yaml:6: the key 'n01' is missing"},
      {"static_excess: 0.25", "static_excess: 0.25, load_law: hertz",
       "n00: load_law: hertz has the exponent 2/3"},
      {"static_excess: 0.25", "static_excess: 0.25, load_law: langmuir",
       "the key 'saturation_N' is missing: load_law: langmuir needs it"},
      {"static_excess: 0.25", "static_excess: 0.25, load_law: kink, kink_N: 1",
       "the key 'kink_exponent_change' is missing: load_law: kink needs it"},
      {"static_excess: 0.25", "static_excess: 0.25, kink_N: 1",
       "kink_N: belongs to load_law: kink, this is 'power'"},
      {"static_excess: 0.25", "static_excess: 0.25, load_law: amontons",
       "load_law = 'amontons': must be power | hertz | langmuir | kink"},
      {"static_excess: 0.25", "static_excess: 0.25, dwell_log: -0.1",
       "dwell_log = -0.1: must be between 0 and 1"},
      {"start_mm: 20", "start_mm: 20, max_force_N: 0", "bench.yaml:2: max_force_N = 0: must be between"},
      {"link_slack_mm: 2", "link_slack_mm: 2, link_damping_Ns_per_m: -8",
       "bench.yaml:5: link_damping_Ns_per_m = -8: must be between"},
      {"cart_mass_g: 13", "cart_mass_g: -13", "bench.yaml:5: cart_mass_g = -13: must be between"},
      {"driver: line, port: virtual", "driver: line, port: /dev/ttyUSB1", "both are virtual or none"},
      {"virtual: {time_scale", "virtuel: {time_scale", "bench.yaml:6: unknown key 'virtuel'"},
      {"unit: N,", "unit: N, terminator: tab,",
       "terminator = 'tab': cr, lf, crlf or one printable character was wanted"},
      {"u_angle_deg: 0.5", "u_angle_deg: 0.5, u_line_pitch_deg: 1",
       "bench.yaml:5: u_line_pitch_deg, u_line_yaw_deg: both or neither"},
      {"rate_Hz: 200", "rate_Hz: .inf", "rate_Hz = '.inf': must be a finite decimal number"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    const char *const change[][2] = {{cases[i].from, cases[i].to}};
    char *text = cbt_replace(good, change, 1);
    cb_rig r;
    cb_err e;
    cb_status st = cb_rig_parse(text, "bench.yaml", &r, &e);
    cb_rig_clear(&r);
    assert_int_not_equal(st, CB_OK);
    free(text);
    if (!strstr(e.msg, cases[i].sentence)) fail_msg("'%s' lacks '%s'", e.msg, cases[i].sentence);
  }
  char text[2000];
  cb_rig r;
  const char *section = strstr(good, "virtual: {time");
  (void)snprintf(text, sizeof text, "%.*s", (int)(section - good), good);
  assert_fails(CB_E_PARSE, "needs a section 'virtual'", cb_rig_parse(text, "bench.yaml", &r, err));
  cb_rig_clear(&r);
}

static void the_truth_is_the_quadratic_form(void **state) {
  (void)state;
  cb_rig r;
  assert_ok(cb_rig_parse(good, "bench.yaml", &r, err));
  const cb_rig_truth *t = &r.virt.truth;
  assert_near(cb_rig_truth_kinetic(t, 0, 1, 0.01), 0.6, 1e-15);
  assert_near(cb_rig_truth_kinetic(t, 90 * CB_DEG, 1, 0.01), 0.45, 1e-15);
  assert_near(cb_rig_truth_kinetic(t, 45 * CB_DEG, 1, 0.01), 0.5 * (0.6 + 0.45) + 0.02, 1e-15);
  assert_near(cb_rig_truth_kinetic(t, 0, 2, 0.01), 0.6 * pow(2, 0.9), 1e-15);
  assert_near(cb_rig_truth_static(t, 0, 1), 0.75, 1e-15);
  assert_true(cb_rig_truth_kinetic(t, 0, 0, 0.01) == 0);
  cb_rig_clear(&r);
}

/* Every rig file that is shipped loads, and its name says whether it is virtual. */
static void shipped_rigs_load(void **state) {
  (void)state;
  DIR *d = opendir(CB_SOURCE_DIR "/rigs");
  int n = 0;
  assert_non_null(d);
  for (struct dirent *e; (e = readdir(d));) {
    char path[400];
    cb_rig r;
    bool bench = strncmp(e->d_name, "bench-", 6) == 0, played = strncmp(e->d_name, "virtual", 7) == 0;
    if (!(bench || played) || strcmp(e->d_name, "virtual-lab.yaml") == 0) continue; /* virtual instruments */
    (void)snprintf(path, sizeof path, CB_SOURCE_DIR "/rigs/%s", e->d_name);
    assert_ok(cb_rig_load(path, &r, err));
    assert_int_equal(r.virt.present, played);
    if (bench) assert_memory_equal(r.name, e->d_name, strlen(e->d_name) - strlen(".yaml"));
    cb_rig_clear(&r);
    n++;
  }
  closedir(d);
  assert_true(n >= 14);
}

/* Force and displacement of a board, beside a stage on a serial port and on a virtual rig. */
static void two_channels_of_a_board(void **state) {
  (void)state;
  static const char *const files[] = {"bench-zaber-comedi", "virtual-comedi"};
  for (int i = 0; i < 2; i++) {
    char path[400];
    cb_rig r;
    (void)snprintf(path, sizeof path, CB_SOURCE_DIR "/rigs/%s.yaml", files[i]);
    assert_ok(cb_rig_load(path, &r, err));
    const cb_comedi_channel *k = r.comedi.channel;
    assert_int_equal(r.stage.driver, CB_STAGE_ZABER_ASCII);
    assert_true(r.comedi.present && r.comedi.n == 2 && !r.comedi.polled);
    assert_true(k[0].quantity == CB_COMEDI_FORCE && k[0].channel == 0 && k[0].scale == 1);
    assert_true(k[1].quantity == CB_COMEDI_DISPLACEMENT && k[1].channel == 1 && k[1].scale == 0.01);
    cb_rig_clear(&r);
  }
}

static void a_virtual_board(void **state) {
  (void)state;
  static const char *const wrong[][2] = {
      {"{quantity: excitation, channel: 1}]",
       "quantity = 'excitation': a virtual rig has only force and displacement"},
      {"{quantity: displacement, channel: 1}], polled: true",
       "polled = true: the board of a virtual rig streams"},
  };
  for (int i = 0; i < 2; i++) {
    char section[300];
    const char *change[][2] = {{"driver: line", "driver: comedi"}, {"calibration:", section}};
    (void)snprintf(section, sizeof section,
                   "comedi: {channels: [{quantity: force, channel: 0}, %s}\ncalibration:", wrong[i][0]);
    char *text = cbt_replace(good, (const char *const(*)[2])change, 2);
    cb_rig r;
    assert_fails(CB_E_PARSE, wrong[i][1], cb_rig_parse(text, "bench.yaml", &r, err));
    cb_rig_clear(&r);
    free(text);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_good_file_in_si), cmocka_unit_test(cross_rules),
      cmocka_unit_test(shipped_rigs_load), cmocka_unit_test(two_channels_of_a_board),
      cmocka_unit_test(a_virtual_board),   cmocka_unit_test(the_truth_is_the_quadratic_form)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
