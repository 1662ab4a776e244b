/* Tables with a mapping: numbers, holes, conflicts, and every kind of bad input. */
#include "cb_num.h"
#include "cbtest.h"
#include "fit_import.h"

static const char mapping[] =
    "columns: {cloth: fabric, body: partner, angle_deg: deg, cart_mass_g: cart, added_mass_g: added, "
    "reading: mV, repeat: no,"
    " friction_coefficient: mu}\n"
    "calibration: {reading_unit: mV/V, reading: 2.5, mass_g: 200, u_rel: 0.002}\n"
    "gravity_m_per_s2: 9.81\ncontact_area_cm2: 50\nspeed_mm_per_s: 10\nfriction_coefficient_decimals: "
    "3\nkind: kinetic\nsource: 'nobody, "
    "2026'\n";
#define HEADER "fabric,partner,deg,no,cart,added,mV,mu\n"

typedef struct fixture {
  char map[400], csv[400];
} fixture;

static int set_up(void **state) {
  fixture *f = calloc(1, sizeof *f);
  cbt_folder_set_up(state);
  (void)cbt_path("map.yaml", f->map);
  (void)cbt_path("table.csv", f->csv);
  cbt_write(f->map, mapping);
  *state = f;
  return 0;
}

static void numbers(void **state) {
  fixture *f = *state;
  fit_import im;
  /* 0.650 mV/V of (200 g 9.81 / 2.5) = 0.7848 N per mV/V is 0.51012 N; mu = 0.50485 prints as 0.505. */
  cbt_write(f->csv, HEADER "Twill,Foam,45,2,3.0,100,0.650,0.505\nTwill,Foam,90,1,3.0,100,0.65,\n");
  assert_ok(fit_import_read(f->map, f->csv, &im, err));
  assert_int_equal(im.n_rows, 2);
  assert_int_equal(im.n_conflicts, 0);
  const cb_run *r = &im.rows[0].run;
  assert_near(r->normal_force_N, 0.103 * 9.81, 1e-12);
  assert_near(r->u_normal_force_N, 1e-4 / sqrt(12) * 9.81, 1e-12);
  assert_near(r->contact_area_m2, 0.005, 1e-15);
  assert_near(r->speed_m_per_s, 0.01, 1e-15);
  assert_int_equal(r->repeat, 2);
  assert_int_equal(r->origin, CB_IMPORTED);
  assert_string_equal(r->source, "table.csv:2");
  assert_near(im.rows[0].point.kinetic_N, 0.505 * 0.103 * 9.81, 1e-12);
  assert_near(im.rows[0].point.u_kinetic_N, 1e-3 / sqrt(12) * 0.103 * 9.81, 1e-12);
  assert_true(isnan(im.rows[0].point.static_N));
  /* No coefficient: the reading, whose digit is that of the longest one. */
  assert_near(im.rows[1].point.kinetic_N, 0.65 * 0.7848, 1e-12);
  assert_near(im.rows[1].point.u_kinetic_N, 1e-3 / sqrt(12) * 0.7848, 1e-12);
  assert_true(isnan(im.rows[1].point.mu_reported));
  assert_near(im.calibration.slope_N_per_unit, 0.7848, 1e-12);
  assert_string_equal(im.calibration.certificate, "nobody, 2026");
  assert_true(isnan(r->body_angle_deg)); /* no column says it */
  fit_import_clear(&im);
}

/* An empty cell is a body without directions; repeats are counted per angle of the body. */
static void both_angles(void **state) {
  fixture *f = *state;
  fit_import im;
  static const char *const change[][2] = {{"angle_deg: deg, ", "angle_deg: deg, body_angle_deg: below, "},
                                          {" repeat: no,", ""}};
  char *map = cbt_replace(mapping, change, 2);
  cbt_write(f->map, map);
  free(map);
  cbt_write(f->csv,
            "fabric,partner,deg,below,cart,added,mV,mu\nTwill,Twill,0,45,3.0,100,0.650,0.505\nTwill,Twill,0,"
            "90,3.0,100,0.650,0.505\n"
            "Twill,Twill,0,45,3.0,100,0.650,0.505\nTwill,Foam,0,,3.0,100,0.650,0.505\n");
  assert_ok(fit_import_read(f->map, f->csv, &im, err));
  assert_int_equal(im.n_rows, 4);
  const double angles_deg[] = {45, 90, 45};
  const int repeats[] = {1, 1, 2, 1};
  for (int i = 0; i < 3; i++) assert_near(im.rows[i].run.body_angle_deg, angles_deg[i], 0);
  assert_true(isnan(im.rows[3].run.body_angle_deg));
  for (int i = 0; i < 4; i++) assert_int_equal(im.rows[i].run.repeat, repeats[i]);
  fit_import_clear(&im);
  cbt_write(f->csv, "fabric,partner,deg,below,cart,added,mV,mu\nTwill,Twill,0,400,3.0,100,0.650,0.505\n");
  assert_fails(CB_E_RANGE, "table.csv:2: below = 400", fit_import_read(f->map, f->csv, &im, err));
  fit_import_clear(&im);
  cbt_write(f->csv, "fabric,partner,deg,cart,added,mV,mu\nTwill,Twill,0,3.0,100,0.650,0.505\n");
  assert_fails(CB_E_NOTFOUND, "no column 'below'", fit_import_read(f->map, f->csv, &im, err));
  fit_import_clear(&im);
}

/* "0.505" cut to "0.50" still makes a number and a full row; the missing end of the line tells. */
static void a_cut_inside_the_last_number(void **state) {
  fixture *f = *state;
  fit_import im;
  cbt_write(f->csv, HEADER "Twill,Foam,45,1,3.0,100,0.650,0.505\nTwill,Foam,45,2,3.0,100,0.650,0.50");
  assert_fails(CB_E_PARSE, "table.csv:3: '0.50': the file ends here, without a line end",
               fit_import_read(f->map, f->csv, &im, err));
  fit_import_clear(&im);
  cbt_write(f->csv, HEADER "Twill,Foam,45,1,3.0,100,0.650,0.505\nTwill,Foam,45,2,3.0,100,0.650,0.505");
  assert_ok(fit_import_read(f->map, f->csv, &im, err));
  fit_import_clear(&im);
}

static void holes_and_conflicts(void **state) {
  fixture *f = *state;
  fit_import im;
  cbt_write(f->csv, HEADER
            "Twill,Foam,0,1,3.0,100,0.650,0.505\nTwill,Foam,45,1,3.0,100,,NA\nTwill,Foam,90,1,3.0,100,0.650,"
            "0.515\n");
  assert_ok(fit_import_read(f->map, f->csv, &im, err));
  assert_int_equal(im.n_rows, 2);
  assert_int_equal(im.n_holes, 1);
  assert_int_equal(im.n_conflicts, 1);
  assert_non_null(strstr(im.first_conflict, "table.csv:4: mu = 0.515"));
  fit_import_clear(&im);
}

static void optional_columns_may_be_absent(void **state) {
  fixture *f = *state;
  fit_import im;
  cbt_write(f->csv,
            "fabric;partner;deg;cart;added;mV\nTwill;Foam;0;3.0;100;0.65\nTwill;Foam;45;3.0;100;0.66\nTwill;"
            "Foam;0;3.0;100;0.64\n");
  assert_ok(fit_import_read(f->map, f->csv, &im, err));
  assert_int_equal(im.n_rows, 3);
  assert_int_equal(im.rows[0].run.repeat, 1);
  assert_int_equal(im.rows[1].run.repeat, 1);
  assert_int_equal(im.rows[2].run.repeat, 2); /* in order of appearance */
  fit_import_clear(&im);
}

static void fingerprint_is_of_the_bytes(void **state) {
  fixture *f = *state;
  fit_import a, b;
  cbt_write(f->csv, HEADER "Twill,Foam,0,1,3.0,100,0.650,0.505\n");
  assert_ok(fit_import_read(f->map, f->csv, &a, err));
  assert_ok(fit_import_read(f->map, f->csv, &b, err));
  assert_string_equal(a.fingerprint, b.fingerprint);
  fit_import_clear(&b);
  cbt_write(f->csv, HEADER "Twill,Foam,0,1,3.0,100,0.650,0.506\n");
  assert_ok(fit_import_read(f->map, f->csv, &b, err));
  assert_string_not_equal(a.fingerprint, b.fingerprint);
  fit_import_clear(&a);
  fit_import_clear(&b);
}

/* One bad row or header; what the sentence must name. */
static void bad_tables(void **state) {
  fixture *f = *state;
  static const struct {
    const char *text, *names;
    cb_status st;
  } bad[] = {
      {"fabric,partner,deg,no,added,mV,mu\nTwill,Foam,0,1,100,0.6,0.5\n",
       "no column 'cart'; the columns are: fabric, partner", CB_E_NOTFOUND},
      {HEADER "Twill,Foam,0,1,3.0,100,nan,0.5\n", "table.csv:2: mV = 'nan'", CB_E_PARSE},
      {HEADER "Twill,Foam,0,1,3.0,100,inf,0.5\n", "mV = 'inf'", CB_E_PARSE},
      {HEADER "Twill,Foam,0,1,3.0,-100,0.65,0.5\n", "table.csv:2: added = -100: must be between 0",
       CB_E_RANGE},
      {HEADER "Twill,Foam,0,1,0,0,0.65,0.5\n", "cart + added = 0 g", CB_E_RANGE},
      {HEADER "Twill,Foam,361,1,3.0,100,0.65,0.5\n", "deg = 361", CB_E_RANGE},
      {HEADER "Twill,Foam,east,1,3.0,100,0.65,0.5\n", "deg = 'east'", CB_E_PARSE},
      {HEADER "Twill,Foam,0,1.5,3.0,100,0.65,0.5\n", "no = 1.5: a whole number", CB_E_PARSE},
      {HEADER "Twill,Foam,0,1,3.0,100,0.65,-0.5\n", "mu = -0.5", CB_E_RANGE},
      {HEADER ",Foam,0,1,3.0,100,0.65,0.5\n", "fabric = ''", CB_E_PARSE},
      {HEADER "Twill,Foam,0,1,,100,0.65,0.5\n", "cart = ''", CB_E_PARSE},
      {HEADER "Twill,Foam,0,1,3.0,100,0.65,0.5\nTwill,Foam,0,1,3.0", "table.csv:3: 5 cells", CB_E_PARSE},
      {HEADER "Twill,Foam,0,1,3.0,100,,\n", "nothing but holes in 1 row", CB_E_RANGE},
      {HEADER, "no data lines", CB_E_PARSE},
  };
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
    fit_import im;
    cbt_write(f->csv, bad[i].text);
    assert_fails(bad[i].st, bad[i].names, fit_import_read(f->map, f->csv, &im, err));
    fit_import_clear(&im);
  }
}

static void bad_mappings(void **state) {
  fixture *f = *state;
  static const struct {
    const char *find, *replace, *names;
    cb_status st;
  } bad[] = {
      {"kind: kinetic", "kind: kinetic\ncolour: blue", "unknown key 'colour'", CB_E_PARSE},
      {"kind: kinetic", "kind: static", "kind = 'static': must be kinetic", CB_E_PARSE},
      {"gravity_m_per_s2: 9.81\n", "", "'gravity_m_per_s2' is missing", CB_E_PARSE},
      {"gravity_m_per_s2: 9.81", "gravity_m_per_s2: 981", "gravity_m_per_s2 = 981", CB_E_RANGE},
      {"mV/V, reading: 2.5", "mV/V, reading: 0", "reading = 0", CB_E_RANGE},
      {"reading: mV, ", "", "'reading' is missing", CB_E_PARSE},
      {"cloth: fabric", "cloth: fabric, weft: x", "unknown key 'weft'", CB_E_PARSE},
      {"friction_coefficient_decimals: 3\n", "", "friction_coefficient_decimals", CB_E_PARSE},
  };
  cbt_write(f->csv, HEADER "Twill,Foam,0,1,3.0,100,0.65,0.505\n");
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
    char text[2048];
    const char *at = strstr(mapping, bad[i].find);
    fit_import im;
    assert_non_null(at);
    (void)snprintf(text, sizeof text, "%.*s%s%s", (int)(at - mapping), mapping, bad[i].replace,
                   at + strlen(bad[i].find));
    cbt_write(f->map, text);
    assert_fails(bad[i].st, bad[i].names, fit_import_read(f->map, f->csv, &im, err));
    fit_import_clear(&im);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(numbers, set_up, cbt_state_tear_down),
      cmocka_unit_test_setup_teardown(both_angles, set_up, cbt_state_tear_down),
      cmocka_unit_test_setup_teardown(holes_and_conflicts, set_up, cbt_state_tear_down),
      cmocka_unit_test_setup_teardown(a_cut_inside_the_last_number, set_up, cbt_state_tear_down),
      cmocka_unit_test_setup_teardown(optional_columns_may_be_absent, set_up, cbt_state_tear_down),
      cmocka_unit_test_setup_teardown(fingerprint_is_of_the_bytes, set_up, cbt_state_tear_down),
      cmocka_unit_test_setup_teardown(bad_tables, set_up, cbt_state_tear_down),
      cmocka_unit_test_setup_teardown(bad_mappings, set_up, cbt_state_tear_down),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
