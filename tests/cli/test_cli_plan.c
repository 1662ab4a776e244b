/* plan as a person meets it: from no database to enough, and what it refuses. */
#include <jansson.h>

#include "cbtest.h"
#include "daq_campaign.h"
#include "jsonpage.h"

static const char rig_text[] =
    "name: bench\n"
    "stage: {driver: zaber-ascii, port: /dev/null, microstep_um: 0.2, limit_min_mm: 0, limit_max_mm: 100, "
    "max_speed_mm_per_s: 50,\n"
    "  acceleration_mm_per_s2: 500, start_mm: 20}\n"
    "force: {driver: line, port: /dev/zero, unit: N, rate_Hz: 400, overload_N: 8}\n"
    "calibration: {slope_N_per_unit: 1, u_rel: 0.002, resolution: 0.0001, certificate: c, valid_from: "
    "2026-01-01}\n"
    "bench: {cart_mass_g: 3, u_mass_g: 0.05, contact_area_cm2: 50, link_stiffness_N_per_m: 500, "
    "link_slack_mm: 2, link_damping_Ns_per_m: 8,\n"
    "  gravity_m_per_s2: 9.80665, u_angle_deg: 0.5}\n";
static const char frame_text[] =
    "name: \"a \\\"frame\\\"\"\nkind: friction\ncloth: Twill\nbody: Foam\nangles_deg: [0, 30, 45, 60, 90]\n"
    "added_masses_g: [97, 197, 297]\nrepeats: 1\ndirections: forward\nspeed_mm_per_s: 10\ntravel_mm: 25\n"
    "zero_s: 1\noperator: Ada\ncloth_side: face\nspecimen_area_cm2: 200\nhumidity_percent: 65\n";
static const char mapping[] =
    "columns: {cloth: cloth, body: body, angle_deg: angle, cart_mass_g: cart, added_mass_g: added, reading: "
    "mV, friction_coefficient: mu}\n"
    "calibration: {reading_unit: mV/V, reading: 2.488, mass_g: 200, u_rel: 0.002}\n"
    "gravity_m_per_s2: 9.80665\ncontact_area_cm2: 50\nspeed_mm_per_s: 10\nfriction_coefficient_decimals: "
    "3\nkind: kinetic\nsource: "
    "invented for a test\n";
#define HEADER "cloth,body,angle,cart,added,mV,mu\n"
/* Three directions three times under 197 g, by about 1 %. */
#define DIRECTIONS                                                                                      \
  "Twill,Foam,0,3,197,1.244,0.500\nTwill,Foam,0,3,197,1.256,0.505\nTwill,Foam,0,3,197,1.232,0.495\n"    \
  "Twill,Foam,45,3,197,1.120,0.450\nTwill,Foam,45,3,197,1.132,0.455\nTwill,Foam,45,3,197,1.107,0.445\n" \
  "Twill,Foam,90,3,197,0.995,0.400\nTwill,Foam,90,3,197,1.008,0.405\nTwill,Foam,90,3,197,0.983,0.395\n"
#define SWEEP                                                                                       \
  "Twill,Foam,0,3,97,0.622,0.500\nTwill,Foam,45,3,97,0.560,0.450\nTwill,Foam,90,3,97,0.498,0.400\n" \
  "Twill,Foam,0,3,297,1.866,0.500\nTwill,Foam,45,3,297,1.679,0.450\nTwill,Foam,90,3,297,1.493,0.400\n"

static void put(const char *name, const char *text) {
  char path[400];
  cbt_write(cbt_path(name, path), text);
}

static int set_up(void **state) {
  *state = calloc(1, sizeof(cbt_result));
  cbt_folder_set_up(state);
  put("rig.yaml", rig_text);
  put("frame.yaml", frame_text);
  put("map.yaml", mapping);
  return 0;
}

static int tear_down(void **state) {
  cbt_folder_tear_down(state);
  free(*state);
  return 0;
}

static void expect(cbt_result *r, const char *args, int code, const char *out, const char *err) {
  cbt_run(r, cbt_folder, args);
  if (r->code != code) fail_msg("%s: exit %d, %d was wanted: %s", args, r->code, code, r->err);
  if (out[0] ? !strstr(r->out, out) : r->out[0])
    fail_msg("%s: stdout is '%s', '%s' was wanted", args, r->out, out);
  if (err[0] ? !strstr(r->err, err) : r->err[0])
    fail_msg("%s: stderr is '%s', '%s' was wanted", args, r->err, err);
}

static void measure(cbt_result *r, const char *rows) {
  put("table.csv", rows);
  expect(r, "import friction --mapping map.yaml --db lab.db table.csv", 0, "imported", "");
}

#define PLAN "plan frame.yaml --rig rig.yaml --db lab.db "

/* The file that was written, as run would read it. */
static void read_next(daq_campaign *c) {
  char path[400];
  cb_rig rig;
  assert_ok(cb_rig_load(cbt_path("rig.yaml", path), &rig, err));
  assert_ok(daq_campaign_load(cbt_path("next.yaml", path), &rig, c, err));
  cb_rig_clear(&rig);
}

static void from_nothing_to_enough(void **state) {
  cbt_result *r = *state;
  daq_campaign c;
  expect(r, PLAN "--out next.yaml", 0, "0 runs so far: the directions are compared",
         "'clothbench run next.yaml --rig rig.yaml --db lab.db'");
  read_next(&c);
  assert_string_equal(c.name, "a \"frame\"");
  assert_string_equal(c.operator_name, "Ada");
  assert_int_equal(c.conditions.cloth_side, CB_SIDE_FACE);
  assert_near(c.conditions.specimen_area_m2, 0.02, 1e-12);
  assert_near(c.conditions.humidity_percent, 65, 0);
  assert_true(isnan(c.conditions.temperature_degC));
  assert_int_equal(daq_campaign_cells(&c), 9);
  const double angles[9] = {0, 0, 45, 45, 90, 90, 90, 45, 0}; /* and back */
  for (size_t i = 0; i < 9; i++) {
    assert_near(daq_campaign_cell(&c, i).angle_deg, angles[i], 0);
    assert_near(daq_campaign_cell(&c, i).added_mass_kg, 0.197, 1e-15);
  }
  daq_campaign_clear(&c);
  measure(r, HEADER DIRECTIONS);
  expect(r, PLAN "--out next.yaml --target-percent 0.5", 0, "9 runs so far: the load is swept", "next.yaml");
  read_next(&c);
  assert_int_equal(daq_campaign_cells(&c), 6);
  assert_near(daq_campaign_cell(&c, 3).angle_deg, 45, 0);
  assert_near(daq_campaign_cell(&c, 3).added_mass_kg, 0.297, 1e-15);
  daq_campaign_clear(&c);
  measure(r, HEADER SWEEP);
  cbt_run(r, cbt_folder, PLAN "--out next.yaml --target-percent 0.4 --pulls 2 --json");
  assert_int_equal(r->code, 0);
  jp_expect_text("plan", r->out);
  if (!strstr(r->out, "\"refine\"")) fail_msg("%s", r->out);
  read_next(&c);
  assert_true(daq_campaign_cells(&c) <= 2);
  daq_campaign_clear(&c);
  expect(r, PLAN "--target-percent 5 --out no.yaml", 3, "enough", "");
  expect(r, PLAN "--target-percent 0.1", 3, "no run takes it below 0.2", "");
}

static void what_it_refuses(void **state) {
  cbt_result *r = *state;
  expect(r, "plan frame.yaml", 2, "", "--rig is required");
  expect(r, "plan --rig rig.yaml", 2, "", "FRAME.yaml --rig RIG.yaml");
  expect(r, "plan nowhere.yaml --rig rig.yaml", 1, "", "nowhere.yaml");
  expect(r, PLAN "--pulls 0", 2, "", "--pulls = 0");
  expect(r, PLAN "--from-N 3 --to-N 1", 1, "", "from 3 to 1 N");
  expect(r, PLAN "--out nowhere/next.yaml", 1, "", "nowhere/next.yaml");
  put("slide.yaml",
      "name: a\nkind: slide\ncloth: T\nbody: F\nangles_deg: [0]\nadded_masses_g: [97]\nrepeats: "
      "1\ndirections: forward\n"
      "speed_mm_per_s: 10\ntravel_mm: 25\nzero_s: 1\n");
  expect(r, "plan slide.yaml --rig rig.yaml", 1, "", "slide.yaml: a campaign of kind friction");
  put("pairs.yaml",
      "name: a\nkind: friction\ncloth: T\nbody: F\ngrid: pairs\nangles_deg: [0]\nadded_masses_g: "
      "[97]\nrepeats: 1\ndirections: forward\n"
      "speed_mm_per_s: 10\ntravel_mm: 25\nzero_s: 1\n");
  expect(r, "plan pairs.yaml --rig rig.yaml", 1, "", "grid = pairs: every angle under every mass was wanted");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(from_nothing_to_enough, set_up, tear_down),
      cmocka_unit_test_setup_teardown(what_it_refuses, set_up, tear_down)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
