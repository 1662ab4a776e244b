/* What a person is told before hands go near the rig: whole texts, because every sentence of them is
 * needed. */
#include "cbtest.h"

#include "daq_prompt.h"

static const cb_rig rig = {.stage = {.limit_max_m = 0.1, .max_speed_m_per_s = 0.05}};

static void homing(void **state) {
  (void)state;
  char text[DAQ_PROMPT_SIZE];
  daq_prompt_home(&rig, text);
  assert_string_equal(text,
                      "The stage stands still and will not move until you press Enter.\n"
                      "Take the cart off the link, and keep hands, tools and cloth out of the stage's way.\n"
                      "After Enter the stage homes: it travels to its zero, up to 100 mm away, at its homing "
                      "speed, up to 50 mm/s.");
}

static void placing(void **state) {
  (void)state;
  const daq_campaign plan = {.repeats = 5, .speed_m_per_s = 0.01, .travel_m = 0.025, .zero_s = 1};
  const daq_cell cell = {.angle_deg = 45, .added_mass_kg = 0.05, .repeat = 2, .direction = -1};
  daq_prompt p = {.rig = &rig,
                  .plan = &plan,
                  .cell = &cell,
                  .position_m = 0.045,
                  .link_force_N = -0.312,
                  .turn = true,
                  .weigh = true};
  char text[DAQ_PROMPT_SIZE];
  daq_prompt_place(&p, text);
  assert_string_equal(
      text,
      "The stage stands still at 45.0 mm and will not move until you press Enter.\n"
      "The link still pulls with 0.31 N: keep fingers out from between cart and stage, and slide the cart "
      "the way the link "
      "pulls until it hangs slack.\n"
      "Turn the sample to 45 deg (warp to pull).\n"
      "Put 50 g on the cart.\n"
      "Place the cart so that the link is slack and in its middle, then take your hands off.\n"
      "After Enter the stage rests for 1 s, then pulls backward (towards home) over 25 mm at 10 mm/s.");
}

static void another_specimen(void **state) {
  (void)state;
  const daq_campaign plan = {
      .repeats = 5, .speed_m_per_s = 0.0025, .travel_m = 0.144, .zero_s = 1, .fresh_specimens = true};
  const daq_cell cell = {.angle_deg = 0, .added_mass_kg = 0, .repeat = 2, .direction = 1};
  daq_prompt p = {.rig = &rig, .plan = &plan, .cell = &cell, .position_m = 0.02, .link_force_N = 0.01};
  char text[DAQ_PROMPT_SIZE];
  daq_prompt_place(&p, text);
  assert_string_equal(
      text,
      "The stage stands still at 20.0 mm and will not move until you press Enter.\n"
      "Mount specimen 2 of 5 at 0 deg (warp to pull).\n"
      "Leave 0 g on the cart.\n"
      "Place the cart so that the link is slack and in its middle, then take your hands off.\n"
      "After Enter the stage rests for 1 s, then pulls forward (away from home) over 144 mm at 2.5 mm/s.");
}

static void the_body_is_turned_too(void **state) {
  (void)state;
  const daq_campaign plan = {.repeats = 1, .speed_m_per_s = 0.01, .travel_m = 0.025, .zero_s = 1};
  const daq_cell cell = {.angle_deg = 45, .body_angle_deg = 90, .repeat = 1, .direction = 1};
  daq_prompt p = {.rig = &rig, .plan = &plan, .cell = &cell, .turn_body = true};
  char text[DAQ_PROMPT_SIZE];
  daq_prompt_place(&p, text);
  assert_non_null(
      strstr(text, "\nTurn the cloth of the body to 90 deg (its warp to pull).\nLeave 0 g on the cart.\n"));
  assert_null(strstr(text, "Turn the sample"));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(homing), cmocka_unit_test(placing),
                                     cmocka_unit_test(another_specimen),
                                     cmocka_unit_test(the_body_is_turned_too)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
