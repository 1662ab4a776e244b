/* Presets: what they fill in, what they refuse and with which sentence. */
#include "cbtest.h"

#include "daq_campaign_impl.h"

#define HEAD "name: a\nkind: friction\ncloth: C\nbody: B\n"

/* A 200 g sled of 40.3 cm2 on a long stage; play 2 mm, backing off up to 10 mm. */
static cb_rig long_rig(void) {
  return (cb_rig){.stage = {.limit_max_m = 0.3, .start_m = 0.02, .max_speed_m_per_s = 0.05},
                  .force = {.rate_Hz = 200, .overload_N = 8},
                  .bench = {.cart_mass_kg = 0.2,
                            .contact_area_m2 = 40.3e-4,
                            .link_slack_m = 0.002,
                            .link_stiffness_N_per_m = 1000}};
}

static daq_campaign load(const cb_rig *rig, const char *text) {
  daq_campaign c;
  assert_ok(daq_campaign_parse(text, "c.yaml", rig, &c, err));
  return c;
}

static void fills_in(void **state) {
  (void)state;
  cb_rig rig = long_rig();
  daq_campaign c = load(&rig, HEAD "preset: astm-d1894\nangles_deg: [0]\nzero_s: 1\n");
  assert_string_equal(cb_standard_names[c.preset], "astm-d1894");
  assert_near(c.speed_m_per_s, 0.0025, 1e-15);
  assert_near(c.travel_m, 0.144, 1e-12); /* 130 mm + twice the play of 2 mm + 10 mm */
  assert_int_equal(c.repeats, 5);
  assert_int_equal(c.directions, DAQ_FORWARD);
  assert_int_equal(c.added_masses_kg.n, 1);
  assert_near(c.added_masses_kg.v[0], 0, 0);
  assert_true(c.fresh_specimens);
  daq_campaign_clear(&c);

  rig.bench.cart_mass_kg = 0.05; /* the rest of the sled lies on the cart */
  c = load(&rig, HEAD "preset: iso-8295\nangles_deg: [0, 90]\n");
  assert_near(c.speed_m_per_s, 0.1 / 60, 1e-15);
  assert_near(c.travel_m, 0.074, 1e-12);
  assert_near(c.zero_s, 15, 0);
  assert_int_equal(c.repeats, 3);
  assert_near(c.added_masses_kg.v[0], 0.15, 1e-12);
  daq_campaign_clear(&c);

  rig.bench.contact_area_m2 = 50e-4;
  c = load(&rig, HEAD "preset: chen-2013\ntravel_mm: 25\nzero_s: 1\n");
  assert_int_equal(c.angles_deg.n, 3);
  assert_near(c.angles_deg.v[1], 45, 0);
  assert_int_equal(c.added_masses_kg.n, 6);
  assert_near(c.added_masses_kg.v[5], 0.3, 1e-15);
  assert_near(c.speed_m_per_s, 0.01, 0);
  assert_int_equal(c.repeats, 3);
  assert_false(c.fresh_specimens);
  daq_campaign_clear(&c);
}

/* What the standard allows may be said: other values inside its tolerance, more specimens, a longer way. */
static void what_it_allows(void **state) {
  (void)state;
  cb_rig rig = long_rig();
  daq_campaign c =
      load(&rig, HEAD
           "preset: astm-d1894\nangles_deg: [0]\nzero_s: 1\nspeed_mm_per_s: 3\nrepeats: 10\ntravel_mm: 150\n"
           "added_masses_g: [5]\ndirections: backward\n");
  assert_near(c.speed_m_per_s, 0.003, 1e-15);
  assert_int_equal(c.repeats, 10);
  daq_campaign_clear(&c);
  c = load(&rig, HEAD
           "preset: custom\nangles_deg: [0]\nadded_masses_g: [50]\nrepeats: 1\ndirections: "
           "both\nspeed_mm_per_s: 7\ntravel_mm: "
           "30\nzero_s: 1\n");
  assert_int_equal(c.preset, 0);
  daq_campaign_clear(&c);
}

#define D1894 HEAD "preset: astm-d1894\nangles_deg: [0]\nzero_s: 1\n"

static void refuses(void **state) {
  (void)state;
  static const struct {
    const char *text, *sentence;
    double cart_kg, area_m2;
  } wrong[] = {
      {D1894 "speed_mm_per_s: 10\n",
       "c.yaml:8: speed_mm_per_s = 10: ASTM D1894 says 2.5 (2 to 3) ('preset: custom' would say nothing)",
       0.2, 40.3e-4},
      {D1894 "repeats: 3\n", "c.yaml:8: repeats (specimens) = 3: ASTM D1894 says at least 5", 0.2, 40.3e-4},
      {D1894 "directions: both\n",
       "c.yaml:8: directions = both: ASTM D1894 pulls every specimen once, in one direction", 0.2, 40.3e-4},
      {D1894 "travel_mm: 100\n",
       "c.yaml:8: travel_mm = 100: ASTM D1894 averages over 130 mm of sliding, with the play of the link at "
       "least 134 mm are needed",
       0.2, 40.3e-4},
      {D1894 "added_masses_g: [0, 50]\n",
       "c.yaml:8: the sled, cart_mass_g of the rig and added mass, = 250: ASTM D1894 says 200 (195 to 205)",
       0.2, 40.3e-4},
      {D1894,
       "c.yaml:5: the sled, cart_mass_g of the rig and added mass, = 250: ASTM D1894 says 200 (195 to 205)",
       0.25, 40.3e-4},
      {D1894, "c.yaml:5: contact_area_cm2 of the rig = 50: ASTM D1894 says 40.32 (38.31 to 42.34)", 0.2,
       50e-4},
      {HEAD "preset: iso-8295\nangles_deg: [0]\nzero_s: 5\n",
       "c.yaml:7: zero_s = 5: ISO 8295 says that the surfaces touch for 15 s before the pull", 0.2, 40e-4},
      {HEAD "preset: chen-2013\nangles_deg: [0, 90]\ntravel_mm: 25\nzero_s: 1\n",
       "c.yaml:6: angles_deg: Chen, Feng, Wang 2013 says [0, 45, 90]", 0.013, 50e-4},
      {HEAD "preset: chen-2013\ntravel_mm: 25\nzero_s: 1\nadded_masses_g: [10, 20]\n",
       "c.yaml:8: added_masses_g: Chen, Feng, Wang 2013 says [10, 25, 50, 100, 200, 300]", 0.013, 50e-4},
      {HEAD "preset: chen-2013\nzero_s: 1\n", "c.yaml:1: the key 'travel_mm' is missing", 0.013, 50e-4},
      {HEAD "preset: din-1\n",
       "c.yaml:5: preset = 'din-1': must be custom | astm-d1894 | iso-8295 | tappi-t549 | kes-fb4 | "
       "chen-2013",
       0.2, 40e-4},
      {"name: a\nkind: slide\ncloth: C\nbody: B\npreset: astm-d1894\nangles_deg: [0]\nzero_s: 1\n",
       "c.yaml:2: kind: the preset astm-d1894 measures friction", 0.2, 40e-4},
      {HEAD "angles_deg: [0]\nadded_masses_g: [0]\nrepeats: 1\nspeed_mm_per_s: 7\ntravel_mm: 30\nzero_s: 1\n",
       "c.yaml:1: the key 'directions' is missing", 0.2, 40e-4},
  };
  for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
    cb_rig rig = long_rig();
    daq_campaign c;
    rig.bench.cart_mass_kg = wrong[i].cart_kg;
    rig.bench.contact_area_m2 = wrong[i].area_m2;
    cb_err got = {""};
    cb_status st = daq_campaign_parse(wrong[i].text, "c.yaml", &rig, &c, &got);
    if (st == CB_OK || strncmp(got.msg, wrong[i].sentence, strlen(wrong[i].sentence)) != 0)
      fail_msg("case %zu: %d '%s'", i, st, got.msg);
    daq_campaign_clear(&c);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(fills_in), cmocka_unit_test(what_it_allows),
                                     cmocka_unit_test(refuses)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
