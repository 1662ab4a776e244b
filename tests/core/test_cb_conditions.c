/* The limits of ISO 139, and conditions and evaluations in the store. */
#include "cbtest.h"

#include "cb_conditions.h"
#include "cb_store.h"

static void limits(void **state) {
  (void)state;
  static const struct {
    int atmosphere;
    double temperature_degC, humidity_percent;
    const char *sentence; /* "": inside */
  } cases[] = {
      {CB_ISO139_STANDARD, 20, 65, ""},
      {CB_ISO139_STANDARD, 22.0, 69.0, ""},
      {CB_ISO139_STANDARD, 18.0, 61.0, ""},
      {CB_ISO139_STANDARD, 22.1, 65, "22.1 degC is outside 20.0 +- 2.0 degC (ISO 139 standard atmosphere)"},
      {CB_ISO139_STANDARD, 17.9, 60.9,
       "17.9 degC is outside 20.0 +- 2.0 degC, 60.9 % relative humidity is outside 65.0 +- 4.0 % (ISO 139 "
       "standard atmosphere)"},
      {CB_ISO139_ALTERNATIVE, 25, 54, ""},
      {CB_ISO139_ALTERNATIVE, 20, 65,
       "20 degC is outside 23.0 +- 2.0 degC, 65 % relative humidity is outside 50.0 +- 4.0 % (ISO 139 "
       "alternative atmosphere)"},
      {CB_ISO139_STANDARD, NAN, 70,
       "70 % relative humidity is outside 65.0 +- 4.0 % (ISO 139 standard atmosphere)"},
      {CB_ISO139_STANDARD, NAN, NAN, ""},
      {CB_ATMOSPHERE_NONE, 35, 20, ""},
      {-1, 35, 20, ""},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    char out[200];
    cb_conditions c = cb_conditions_unknown();
    c.atmosphere = cases[i].atmosphere;
    c.temperature_degC = cases[i].temperature_degC;
    c.humidity_percent = cases[i].humidity_percent;
    assert_int_equal(cb_conditions_outside(&c, out), cases[i].sentence[0] != '\0');
    assert_string_equal(out, cases[i].sentence);
  }
}

static void in_the_store(void **state) {
  (void)state;
  char path[300], preset[32], *text;
  cb_store *s;
  cb_conditions got, c = {.atmosphere = CB_ISO139_ALTERNATIVE,
                          .conditioning_h = 24,
                          .cloth_lot = "roll 7",
                          .cloth_side = CB_SIDE_BACK,
                          .body_specimen = "foam #2",
                          .specimen_area_m2 = 0.008,
                          .wash_state = "5 x 40 degC",
                          .note = "by the window"};
  cb_campaign bare = {.name = "a",
                      .kind = CB_CAMPAIGN_FRICTION,
                      .plan_text = (char *)(uintptr_t) "p",
                      .temperature_degC = 21,
                      .humidity_percent = NAN},
              full = bare;
  (void)snprintf(path, sizeof path, "%s/c.db", cbt_folder);
  assert_ok(cb_store_open(path, CB_STORE_WRITE, &s, err));
  assert_ok(cb_store_campaign_put(s, &bare, err));
  assert_ok(cb_store_campaign_put(s, &full, err));
  assert_ok(cb_store_conditions_put(s, full.id, "iso-8295", &c, err));
  assert_ok(cb_store_conditions_get(s, full.id, preset, &got, err));
  assert_string_equal(preset, "iso-8295");
  assert_near(got.temperature_degC, 21, 0); /* from the campaign's own row */
  assert_true(isnan(got.humidity_percent));
  assert_int_equal(got.atmosphere, CB_ISO139_ALTERNATIVE);
  assert_near(got.conditioning_h, 24, 0);
  assert_string_equal(got.cloth_lot, "roll 7");
  assert_int_equal(got.cloth_side, CB_SIDE_BACK);
  assert_string_equal(got.body_specimen, "foam #2");
  assert_near(got.specimen_area_m2, 0.008, 0);
  assert_string_equal(got.wash_state, "5 x 40 degC");
  assert_string_equal(got.note, "by the window");
  /* A campaign without a row of conditions: nothing is known but what its own row says. */
  assert_ok(cb_store_conditions_get(s, bare.id, preset, &got, err));
  assert_string_equal(preset, "custom");
  assert_near(got.temperature_degC, 21, 0);
  assert_int_equal(got.atmosphere, -1);
  assert_int_equal(got.cloth_side, -1);
  assert_true(isnan(got.conditioning_h) && isnan(got.specimen_area_m2));
  assert_string_equal(got.cloth_lot, "");
  /* Once, and for campaigns that are there. */
  assert_fails(CB_E_DB, "conditioning", cb_store_conditions_put(s, full.id, "custom", &c, err));
  assert_fails(CB_E_NOTFOUND, "no campaign 9", cb_store_conditions_get(s, 9, preset, &got, err));

  assert_fails(CB_E_NOTFOUND, "was not evaluated", cb_store_standard_find(s, full.id, &text, err));
  assert_ok(cb_store_standard_put(s, full.id, "iso-8295", "{\"a\":1}", err));
  assert_ok(cb_store_standard_put(s, full.id, "iso-8295", "{\"a\":2}", err));
  assert_ok(cb_store_standard_find(s, full.id, &text, err));
  assert_string_equal(text, "{\"a\":2}");
  free(text);
  assert_ok(cb_store_check(s, NULL, err));
  assert_ok(cb_store_close(s, err));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(limits), cmocka_unit_test(in_the_store)};
  return cmocka_run_group_tests(tests, cbt_folder_set_up, cbt_folder_tear_down);
}
