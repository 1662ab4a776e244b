/* clothbench rig init: for every two drivers that can stand together, a file that loads and says what was
 * asked for. */
#include <string.h>

#include "cb_rig.h"
#include "clitest.h"

static void every_pair_of_drivers(void **state) {
  (void)state;
  for (int stage = 0; cb_stage_driver_names[stage]; stage++)
    for (int force = 0; cb_force_driver_names[force]; force++) {
      char words[300], path[400], name[60];
      cb_rig rig;
      const bool stand = force == CB_FORCE_MARK10_ESM, fits = !stand || stage == CB_STAGE_MARK10_ESM;
      (void)snprintf(name, sizeof name, "%d-%d.yaml", stage, force);
      (void)snprintf(words, sizeof words,
                     "rig init %s --stage %s --force %s --stage-port /dev/ttyS8 --force-port %s", name,
                     cb_stage_driver_names[stage], cb_force_driver_names[force],
                     stand ? "/dev/ttyS8" : "/dev/ttyS9");
      clit_run(words, fits ? 0 : 2);
      if (!fits) continue;
      assert_ok(cb_rig_load(cbt_path(name, path), &rig, err));
      assert_int_equal(rig.stage.driver, stage);
      assert_int_equal(rig.force.driver, force);
      assert_string_equal(rig.stage.port, "/dev/ttyS8");
      assert_true(rig.force.overload_N > 0 && rig.stage.limit_max_m > rig.stage.limit_min_m);
      cb_rig_clear(&rig);
    }
}

static void what_makes_no_sense_is_refused(void **state) {
  (void)state;
#define INIT "rig init a.yaml --stage zaber-ascii --force line --stage-port /dev/ttyS8 "
  clit_expect(
      "rig init a.yaml --force line", 2, "",
      "--stage: one of zaber-ascii, grbl, mark10-esm, smc100, lines, process, thorlabs-apt was wanted");
  clit_expect("rig init a.yaml --stage zaber --force line", 2, "", "did you mean 'zaber-ascii'?");
  clit_expect("rig init a.yaml --stage grbl --force lien", 2, "", "did you mean 'line'?");
  clit_expect(INIT "--force-port /dev/ttyS8", 2, "", "is the stage's port already");
  clit_expect(INIT "--force-port 'a\"b'", 1, "", "a.yaml:");
  clit_expect("rig init", 2, "", "an argument is missing");
  clit_run(INIT "--force-port /dev/ttyS9", 0);
  clit_expect(INIT "--force-port /dev/ttyS9", 2, "", "a.yaml exists already: a new name was wanted");
}

int main(void) {
#define T(f) cmocka_unit_test_setup_teardown(f, cbt_folder_set_up, cbt_folder_tear_down)
  const struct CMUnitTest tests[] = {T(every_pair_of_drivers), T(what_makes_no_sense_is_refused)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
