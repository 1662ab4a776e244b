/* The campaign file: what it says, in which order the runs come, and every rule with its sentence. */
#include "cbtest.h"

#include "cb_store.h"
#include "daq_campaign_impl.h"

static const char good[] =
    "name: a\n"                   /* 1 */
    "kind: friction\n"            /* 2 */
    "cloth: Twill\n"              /* 3 */
    "body: Foam\n"                /* 4 */
    "angles_deg: [0, 45, 90]\n"   /* 5 */
    "added_masses_g: [10, 200]\n" /* 6 */
    "repeats: 2\n"                /* 7 */
    "directions: both\n"          /* 8 */
    "speed_mm_per_s: 10\n"        /* 9 */
    "travel_mm: 25\n"             /* 10 */
    "zero_s: 1\n";                /* 11 */

/* start 20 mm, limits 0 to 100 mm, play 2 mm, overload 8 N at 500 N/m: back off up to 18 mm. */
static cb_rig a_rig(void) {
  return (cb_rig){.stage = {.limit_max_m = 0.1, .start_m = 0.02, .max_speed_m_per_s = 0.05},
                  .force = {.rate_Hz = 200, .overload_N = 8},
                  .bench = {.link_slack_m = 0.002, .link_stiffness_N_per_m = 500}};
}

static void as_written(void **state) {
  (void)state;
  cb_rig rig = a_rig();
  daq_campaign c;
  char text[1024];
  (void)snprintf(text, sizeof text, "%soperator: Ada\ntemperature_degC: 20.5\n", good);
  assert_ok(daq_campaign_parse(text, "c.yaml", &rig, &c, err));
  assert_string_equal(c.name, "a");
  assert_int_equal(c.kind, CB_CAMPAIGN_FRICTION);
  assert_string_equal(c.cloth, "Twill");
  assert_string_equal(c.body, "Foam");
  assert_string_equal(c.operator_name, "Ada");
  assert_near(c.added_masses_kg.v[1], 0.2, 1e-15);
  assert_near(c.speed_m_per_s, 0.01, 1e-15);
  assert_near(c.travel_m, 0.025, 1e-15);
  assert_near(c.conditions.temperature_degC, 20.5, 0);
  assert_true(isnan(c.conditions.humidity_percent));
  assert_string_equal(c.text, text);
  daq_campaign_clear(&c);
}

/* Written, it reads back as the same campaign, key by key. */
static void written_and_read(void **state) {
  (void)state;
  static const char more[] =
      "grid: pairs\norder: cells\nbody_angles_deg: [0, 90]\noperator: \"A \\\"B\\\"\"\ncloth_lot: roll "
      "7\ncloth_side: "
      "back\nspecimen_area_cm2: 200\n";
  cb_rig rig = a_rig();
  daq_campaign c, got;
  char text[1024], path[400];
  const char *const pairs[][2] = {{"[0, 45, 90]", "[0.1, 45]"}};
  char *start = cbt_replace(good, pairs, 1);
  (void)snprintf(text, sizeof text, "%s%s", start, more);
  free(start);
  (void)cbt_folder_set_up(state);
  assert_ok(daq_campaign_parse(text, "c.yaml", &rig, &c, err));
  assert_ok(daq_campaign_write(cbt_path("w.yaml", path), &c, "A remark.", err));
  assert_ok(daq_campaign_load(path, &rig, &got, err));
  assert_memory_equal(got.text, "# A remark.\n", 12);
  assert_string_equal(got.operator_name, "A \"B\"");
  assert_true(got.grid == DAQ_GRID_PAIRS && got.order == DAQ_CELLS && got.repeats == 2 &&
              got.directions == DAQ_BOTH && got.angles_deg.v[0] == 0.1);
  assert_memory_equal(&got.angles_deg, &c.angles_deg, sizeof c.angles_deg);
  assert_memory_equal(&got.body_angles_deg, &c.body_angles_deg, sizeof c.body_angles_deg);
  assert_memory_equal(&got.added_masses_kg, &c.added_masses_kg, sizeof c.added_masses_kg);
  assert_true(got.speed_m_per_s == c.speed_m_per_s && got.travel_m == c.travel_m && got.zero_s == c.zero_s);
  assert_string_equal(got.conditions.cloth_lot, "roll 7");
  assert_true(got.conditions.cloth_side == CB_SIDE_BACK &&
              got.conditions.specimen_area_m2 == c.conditions.specimen_area_m2);
  daq_campaign_clear(&c);
  daq_campaign_clear(&got);
  (void)cbt_folder_tear_down(state);
}

static void order_of_cells(void **state) {
  (void)state;
  cb_rig rig = a_rig();
  daq_campaign c;
  assert_ok(daq_campaign_parse(good, "c.yaml", &rig, &c, err));
  c.order = DAQ_CELLS;
  assert_int_equal(daq_campaign_cells(&c), 3 * 2 * 2 * 2);
  const double angles[] = {0, 45, 90}, masses[] = {0.01, 0.2};
  size_t i = 0;
  for (int a = 0; a < 3; a++)
    for (int m = 0; m < 2; m++)
      for (int r = 1; r <= 2; r++)
        for (int d = 1; d >= -1; d -= 2) {
          daq_cell cell = daq_campaign_cell(&c, i++);
          assert_near(cell.angle_deg, angles[a], 0);
          assert_near(cell.added_mass_kg, masses[m], 1e-15);
          assert_true(isnan(cell.body_angle_deg));
          assert_int_equal(cell.repeat, r);
          assert_int_equal(cell.direction, d);
        }
  c.directions = DAQ_BACKWARD;
  assert_int_equal(daq_campaign_cells(&c), 12);
  assert_int_equal(daq_campaign_cell(&c, 3).direction, -1);
  assert_int_equal(daq_campaign_cell(&c, 3).repeat, 2);
  daq_campaign_clear(&c);
}

/* The second pass comes back as the first went: the mean time of all cells is the same. */
static void order_of_passes(void **state) {
  (void)state;
  cb_rig rig = a_rig();
  daq_campaign c;
  size_t sum[3][2][2] = {{{0}}};
  assert_ok(daq_campaign_parse(good, "c.yaml", &rig, &c, err));
  c.order = DAQ_PASSES;
  for (size_t i = 0; i < daq_campaign_cells(&c); i++) {
    const daq_cell cell = daq_campaign_cell(&c, i);
    assert_int_equal(cell.repeat, i < 12 ? 1 : 2);
    assert_int_equal(cell.direction, i % 2 ? -1 : 1);
    sum[(int)(cell.angle_deg / 45)][cell.added_mass_kg > 0.1][i % 2] += i;
  }
  for (size_t i = 0; i < 12; i++) assert_int_equal(sum[i / 4][i / 2 % 2][i % 2], 22 + 2 * (i % 2));
  assert_near(daq_campaign_cell(&c, 11).angle_deg, 90, 0);
  assert_near(daq_campaign_cell(&c, 12).angle_deg, 90, 0);
  assert_near(daq_campaign_cell(&c, 12).added_mass_kg, 0.2, 1e-15);
  daq_campaign_clear(&c);
}

/* If nothing else is said: the last repeats of the first load are made at the end, on the way back. */
static void order_with_return(void **state) {
  (void)state;
  static const struct {
    int angle, load, repeat;
  } wanted[] = {{0, 0, 1},  {0, 1, 1},  {0, 1, 2},  {45, 0, 1}, {45, 1, 1}, {45, 1, 2},
                {90, 0, 1}, {90, 1, 1}, {90, 1, 2}, {90, 0, 2}, {45, 0, 2}, {0, 0, 2}};
  cb_rig rig = a_rig();
  daq_campaign c;
  assert_ok(daq_campaign_parse(good, "c.yaml", &rig, &c, err));
  assert_int_equal(c.order, DAQ_RETURN);
  for (size_t i = 0; i < 24; i++) {
    const daq_cell cell = daq_campaign_cell(&c, i);
    assert_near(cell.angle_deg, wanted[i / 2].angle, 0);
    assert_int_equal(cell.added_mass_kg > 0.1, wanted[i / 2].load);
    assert_int_equal(cell.repeat, wanted[i / 2].repeat);
    assert_int_equal(cell.direction, i % 2 ? -1 : 1);
  }
  daq_campaign_clear(&c);
}

/* Whatever the order, every run is there once. */
static void every_run_once(void **state) {
  (void)state;
  cb_rig rig = a_rig();
  daq_campaign c;
  assert_ok(daq_campaign_parse(good, "c.yaml", &rig, &c, err));
  for (int order = DAQ_RETURN; order <= DAQ_CELLS; order++)
    for (c.repeats = 1; c.repeats < 5; c.repeats++)
      for (c.grid = DAQ_GRID_FULL; c.grid <= DAQ_GRID_PAIRS; c.grid++) {
        bool met[3][2][4][2] = {{{{false}}}};
        const size_t n = c.grid == DAQ_GRID_PAIRS ? 2 : 3; /* of the first two angles, then */
        cb_numlist angles = c.angles_deg;
        c.order = order, c.angles_deg.n = n;
        for (size_t i = 0; i < daq_campaign_cells(&c); i++) {
          const daq_cell cell = daq_campaign_cell(&c, i);
          bool *at =
              &met[(int)(cell.angle_deg / 45)][cell.added_mass_kg > 0.1][cell.repeat - 1][cell.direction > 0];
          assert_false(*at);
          *at = true;
        }
        c.angles_deg = angles;
      }
  daq_campaign_clear(&c);
}

static void pairs_of_angle_and_load(void **state) {
  (void)state;
  static const char text[] =
      "name: a\nkind: friction\ncloth: Twill\nbody: Foam\nangles_deg: [0, 0, 60, 120]\nadded_masses_g: [10, "
      "300, 300, 10]\n"
      "grid: pairs\nrepeats: 2\norder: cells\ndirections: both\nspeed_mm_per_s: 10\ntravel_mm: 25\nzero_s: "
      "1\n";
  const double angles[] = {0, 0, 60, 120}, masses[] = {0.01, 0.3, 0.3, 0.01};
  cb_rig rig = a_rig();
  daq_campaign c;
  assert_ok(daq_campaign_parse(text, "c.yaml", &rig, &c, err));
  assert_int_equal(daq_campaign_cells(&c), 4 * 2 * 2);
  for (size_t i = 0; i < 16; i++) {
    daq_cell cell = daq_campaign_cell(&c, i);
    assert_near(cell.angle_deg, angles[i / 4], 0);
    assert_near(cell.added_mass_kg, masses[i / 4], 1e-15);
    assert_int_equal(cell.repeat, (int)(i / 2 % 2) + 1);
    assert_int_equal(cell.direction, i % 2 ? -1 : 1);
  }
  daq_campaign_clear(&c);
}

/* The body's angles come between the cloth's and the loads; without them nobody looks. */
static void a_body_that_is_turned(void **state) {
  (void)state;
  static const char head[] = "name: a\nkind: friction\ncloth: Twill\nbody: Twill\nangles_deg: [0, 45, 90]\n",
                    tail[] =
                        "repeats: 1\ndirections: forward\nspeed_mm_per_s: 10\ntravel_mm: 25\nzero_s: 1\n";
  const double angles[] = {0, 45, 90}, bodies[] = {0, 60}, masses[] = {0.01, 0.2};
  char text[600];
  cb_rig rig = a_rig();
  daq_campaign c;
  (void)snprintf(text, sizeof text, "%sbody_angles_deg: [0, 60]\nadded_masses_g: [10, 200]\n%s", head, tail);
  assert_ok(daq_campaign_parse(text, "c.yaml", &rig, &c, err));
  assert_int_equal(daq_campaign_cells(&c), 12);
  for (size_t i = 0; i < 12; i++) {
    daq_cell cell = daq_campaign_cell(&c, i);
    assert_near(cell.angle_deg, angles[i / 4], 0);
    assert_near(cell.body_angle_deg, bodies[i / 2 % 2], 0);
    assert_near(cell.added_mass_kg, masses[i % 2], 1e-15);
  }
  daq_campaign_clear(&c);
  (void)snprintf(text, sizeof text,
                 "%sbody_angles_deg: [0, 60, 90]\ngrid: pairs\nadded_masses_g: [10, 10, 200]\n%s", head,
                 tail);
  assert_ok(daq_campaign_parse(text, "c.yaml", &rig, &c, err));
  assert_int_equal(daq_campaign_cells(&c), 3);
  assert_near(daq_campaign_cell(&c, 1).body_angle_deg, 60, 0);
  daq_campaign_clear(&c);
  (void)snprintf(text, sizeof text, "%sbody_angles_deg: [30]\ngrid: pairs\nadded_masses_g: [10, 10, 200]\n%s",
                 head, tail);
  assert_ok(daq_campaign_parse(text, "c.yaml", &rig, &c, err));
  assert_near(daq_campaign_cell(&c, 2).body_angle_deg, 30, 0);
  daq_campaign_clear(&c);
  (void)snprintf(text, sizeof text,
                 "%sbody_angles_deg: [0, 60]\ngrid: pairs\nadded_masses_g: [10, 10, 200]\n%s", head, tail);
  assert_fails(CB_E_RANGE,
               "c.yaml:7: grid = pairs: 3 angles and 2 of the body: none, one or as many were wanted",
               daq_campaign_parse(text, "c.yaml", &rig, &c, err));
  daq_campaign_clear(&c);
}

/* The same angle and mass may come again where the body lies otherwise. */
static void pairs_with_the_body_turned(void **state) {
  (void)state;
  static const char text[] =
      "name: a\nkind: friction\ncloth: Twill\nbody: Twill\nangles_deg: [0, 0]\nadded_masses_g: [10, "
      "10]\nbody_angles_deg: [%s]\n"
      "grid: pairs\nrepeats: 1\ndirections: forward\nspeed_mm_per_s: 10\ntravel_mm: 25\nzero_s: 1\n";
  char filled[600];
  cb_rig rig = a_rig();
  daq_campaign c;
  (void)snprintf(filled, sizeof filled, text, "0, 90");
  assert_ok(daq_campaign_parse(filled, "c.yaml", &rig, &c, err));
  daq_campaign_clear(&c);
  (void)snprintf(filled, sizeof filled, text, "90, 90");
  assert_fails(CB_E_RANGE, "0 deg with 10 g stands twice",
               daq_campaign_parse(filled, "c.yaml", &rig, &c, err));
  daq_campaign_clear(&c);
}

/* good with one line replaced. */
static void with_line(char *out, size_t size, int number, const char *line) {
  const char *at = good;
  for (int i = 1; i < number; i++) at = strchr(at, '\n') + 1;
  (void)snprintf(out, size, "%.*s%s%s", (int)(at - good), good, line, strchr(at, '\n'));
}

static void rules(void **state) {
  (void)state;
  static const struct {
    int line;
    const char *text;
    cb_status status;
    const char *sentence;
  } wrong[] = {
      {1, "nam: a", CB_E_PARSE, "c.yaml:1: unknown key 'nam'"},
      {1, "name: ''", CB_E_PARSE, "c.yaml:1: name = '': must not be empty"},
      {2, "kind: drape", CB_E_PARSE, "c.yaml:2: kind = 'drape': must be friction | slide"},
      {2, "kind: import", CB_E_PARSE, "must be friction | slide"},
      {3, "cloth: [a]", CB_E_PARSE, "c.yaml:3: cloth"},
      {5, "angles_deg: []", CB_E_PARSE, "c.yaml:5: angles_deg"},
      {5, "angles_deg: [0, 45, 0.0]", CB_E_RANGE, "c.yaml:5: angles_deg: 0.0 stands twice"},
      {5, "angles_deg: [0, 200]", CB_E_RANGE, "c.yaml:5: angles_deg = 200"},
      {5, "angles_deg: [0, nan]", CB_E_PARSE, "c.yaml:5: angles_deg = 'nan'"},
      {5, "angles_deg: [0]\nbody_angles_deg: [0, 45, 0]", CB_E_RANGE,
       "c.yaml:6: body_angles_deg: 0 stands twice"},
      {5, "angles_deg: [0]\nbody_angles_deg: [200]", CB_E_RANGE, "c.yaml:6: body_angles_deg = 200"},
      {6, "added_masses_g: [-1]", CB_E_RANGE, "c.yaml:6: added_masses_g = -1"},
      {6, "added_masses_g: [10, 10]", CB_E_RANGE, "stands twice"},
      {7, "repeats: 2\ngrid: some", CB_E_PARSE, "c.yaml:8: grid = 'some': must be full | pairs"},
      {7, "repeats: 2\ngrid: pairs", CB_E_RANGE,
       "c.yaml:8: grid = pairs: 3 angles and 2 masses: as many of one as of the other"},
      {7, "repeats: 0", CB_E_RANGE, "c.yaml:7: repeats = 0"},
      {7, "repeats: 1.5", CB_E_PARSE, "c.yaml:7: repeats = '1.5'"},
      {8, "directions: up", CB_E_PARSE, "must be forward | backward | both"},
      {9, "speed_mm_per_s: 60", CB_E_RANGE, "c.yaml:9: speed_mm_per_s = 60: the rig allows at most 50"},
      {9, "speed_mm_per_s: 0", CB_E_RANGE, "c.yaml:9: speed_mm_per_s = 0"},
      {10, "travel_mm: 4", CB_E_RANGE,
       "c.yaml:10: travel_mm = 4: must be more than twice the link's play of 2 mm"},
      {10, "travel_mm: 62.1", CB_E_RANGE,
       "c.yaml:10: travel_mm = 62.1: from start_mm = 20 of the rig it leads to 100.1 mm with room to back "
       "off, but limit_max_mm = 100"},
      {11, "zero_s: 0.1\nhumidity_percent: 101", CB_E_RANGE, "c.yaml:12: humidity_percent = 101"},
      {11, "travel_mm: 20", CB_E_PARSE, "stands twice"},
  };
  cb_rig rig = a_rig();
  char *at, twice[1024];
  daq_campaign same;
  with_line(twice, sizeof twice, 5, "grid: pairs\nangles_deg: [7, 7]");
  at = strstr(twice, "[10, 200]");
  memcpy(at, "[99,  99]", 9);
  assert_fails(CB_E_RANGE, "c.yaml:5: grid = pairs: 7 deg with 99 g stands twice",
               daq_campaign_parse(twice, "c.yaml", &rig, &same, err));
  daq_campaign_clear(&same);
  for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
    char text[1024];
    daq_campaign c;
    with_line(text, sizeof text, wrong[i].line, wrong[i].text);
    assert_fails(wrong[i].status, wrong[i].sentence, daq_campaign_parse(text, "c.yaml", &rig, &c, err));
    daq_campaign_clear(&c);
  }
}

static void rules_of_the_rig(void **state) {
  (void)state;
  char text[1024];
  daq_campaign c;
  cb_rig rig = a_rig();
  with_line(text, sizeof text, 8, "directions: forward\n# 80 mm from 20 is just inside");
  char *travel = strstr(text, "travel_mm: 25");
  memcpy(travel + 11, "80", 2);
  assert_ok(daq_campaign_parse(text, "c.yaml", &rig, &c, err));
  daq_campaign_clear(&c);
  rig.stage.start_m = 0.017;
  assert_fails(CB_E_RANGE, "start_mm = 17 must be at least 18 mm",
               daq_campaign_parse(good, "c.yaml", &rig, &c, err));
  daq_campaign_clear(&c);
  rig = a_rig();
  rig.force.rate_Hz = 9;
  assert_fails(CB_E_RANGE, "c.yaml:11: zero_s = 1: gives 9 readings at 9 Hz, at least 10 are needed",
               daq_campaign_parse(good, "c.yaml", &rig, &c, err));
  daq_campaign_clear(&c);
}

static void missing_and_shipped(void **state) {
  (void)state;
  daq_campaign c;
  cb_rig rig;
  static const char *const shipped[] = {"campaign-demo", "campaign-demo-slide", "campaign-small"};
  static const size_t runs[] = {108, 12, 8};
  assert_ok(cb_rig_load(CB_SOURCE_DIR "/rigs/virtual.yaml", &rig, err));
  assert_fails(CB_E_PARSE, "the keys 'kind', 'cloth', 'body' are missing",
               daq_campaign_parse("name: a\n", "c.yaml", &rig, &c, err));
  daq_campaign_clear(&c);
  assert_fails(CB_E_IO, "/nowhere.yaml", daq_campaign_load("/nowhere.yaml", &rig, &c, err));
  daq_campaign_clear(&c);
  for (int i = 0; i < 3; i++) {
    char path[300];
    (void)snprintf(path, sizeof path, CB_SOURCE_DIR "/rigs/%s.yaml", shipped[i]);
    assert_ok(daq_campaign_load(path, &rig, &c, err));
    assert_int_equal(daq_campaign_cells(&c), runs[i]);
    daq_campaign_clear(&c);
  }
  cb_rig_clear(&rig);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(as_written),
                                     cmocka_unit_test(written_and_read),
                                     cmocka_unit_test(order_of_cells),
                                     cmocka_unit_test(order_of_passes),
                                     cmocka_unit_test(order_with_return),
                                     cmocka_unit_test(every_run_once),
                                     cmocka_unit_test(pairs_of_angle_and_load),
                                     cmocka_unit_test(a_body_that_is_turned),
                                     cmocka_unit_test(pairs_with_the_body_turned),
                                     cmocka_unit_test(rules),
                                     cmocka_unit_test(rules_of_the_rig),
                                     cmocka_unit_test(missing_and_shipped)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
