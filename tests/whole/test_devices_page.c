/* docs/reference/devices.md and read-outs.md: every snippet in a ```yaml block is a rig file's, word for
 * word. */
#include <stdbool.h>

#include "cb_rig.h"
#include "cbtest.h"

/* What the snippets leave out. */
static const char bench[] =
    "bench: {cart_mass_g: 100, u_mass_g: 0.05, contact_area_cm2: 50, link_stiffness_N_per_m: 500, "
    "link_slack_mm: 2, u_angle_deg: 0.5}\n";
static const char stage[] =
    "stage: {driver: zaber-ascii, port: /dev/ttyUSB7, microstep_um: 0.2, limit_min_mm: 0, limit_max_mm: 100, "
    "max_speed_mm_per_s: 50,"
    " acceleration_mm_per_s2: 500, start_mm: 20}\n";
static const char force[] =
    "force: {driver: line, port: /dev/ttyUSB8, unit: N, rate_Hz: 200, overload_N: 8}\n";
static const char comedi[] = "comedi: {channels: [{quantity: force, channel: 0, scale: 1}]}\n";

static void check(const char *snippet) {
  char text[4096];
  cb_rig rig;
  bool wants_comedi = strstr(snippet, "driver: comedi") && !strstr(snippet, "\ncomedi:");
  (void)snprintf(text, sizeof text, "name: page\n%s%s%s%s%s", snippet, strstr(snippet, "stage:") ? "" : stage,
                 strstr(snippet, "force:") ? "" : force, wants_comedi ? comedi : "", bench);
  cb_err err = {""};
  if (cb_rig_parse(text, "snippet", &rig, &err) != CB_OK) fail_msg("%s\n%s", err.msg, text);
  cb_rig_clear(&rig);
}

/* Returns how many snippets the page has. */
static int check_page(const char *path) {
  char *page = cbt_read(path);
  int found = 0;
  for (char *at = page; (at = strstr(at, "```yaml\n")); found++) {
    char *begin = at + 8, *end = strstr(begin, "```");
    assert_non_null(end);
    *end = '\0';
    check(begin);
    at = end + 3;
  }
  free(page);
  return found;
}

static void snippets(void **state) {
  (void)state;
  assert_int_equal(check_page(CB_SOURCE_DIR "/docs/reference/stage-apt.md"), 1);
  assert_int_equal(check_page(CB_SOURCE_DIR "/docs/reference/devices.md"), 4);   /* stages */
  assert_int_equal(check_page(CB_SOURCE_DIR "/docs/reference/read-outs.md"), 5); /* of the force */
  assert_int_equal(check_page(CB_SOURCE_DIR "/docs/reference/read-outs-asked.md"), 3);
  assert_int_equal(check_page(CB_SOURCE_DIR "/docs/reference/processes.md"), 1);
  assert_int_equal(check_page(CB_SOURCE_DIR "/docs/reference/stage-modbus.md"), 1);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(snippets)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
