/* A technician without an editor, at a terminal of 80 columns: questions in place of files, up to a law. */
#include "dialoguetest.h"

#include "cb_rig.h"

#define RIG "bench.yaml"
static const char *const run_init[] = {"run", "init", "wool.yaml", "--db", "lab.db", NULL};

static bool exists(const char *name) {
  char path[400];
  return access(cbt_path(name, path), F_OK) == 0;
}

/* Left at every kind of end, each answer is there again, and no half of a file ever is. */
static void left_and_taken_up(void **state) {
  (void)state;
  begin(run_init);
  answer("Rig file of this bench: ", "?");
  await(
      "'clothbench rig init' makes one. Wanted: a text of at most 255 bytes, such as rig.yaml. Enter alone "
      "is no answer. b: the question before; q: leaves");
  answer("Rig file of this bench: ", "b");
  answer("this is the first question Rig file of this bench: ", "");
  answer("rig: an answer was wanted, such as rig.yaml Rig file of this bench: ", "none.yaml");
  answer("none.yaml: cannot be opened: No such file or directory Rig file of this bench: ", RIG);
  answer("Cloth that is measured: ", "Demo \"Twill\"");
  answer("Body that slides on it: ", "q");
  await("stopped at a question: wool.yaml.draft keeps the answers; 'clothbench run init wool.yaml' goes on");
  end(1);
  assert_true(exists("wool.yaml.draft") && !exists("wool.yaml"));
  begin(run_init);
  answer("wool.yaml.draft has answers of an earlier start: go on with them (yes | no) (Enter: yes): ", "");
  answer("Body that slides on it: ", "b");
  answer("Cloth that is measured (Enter: stays Demo \"Twill\"): ", "Demo Twill");
  await("Body that slides on it: ");
  dt_pty_unplug(&d.terminal); /* the end of the input */
  assert_int_equal(prog_end(d.pid), 1);
  assert_false(exists("wool.yaml"));
  begin(run_init);
  answer("go on with them (yes | no) (Enter: yes): ", "maybe");
  answer("answer = 'maybe': must be one of (yes | no)", "no");
  answer("Rig file of this bench: ", "q");
  end(1);
  free(clit_get("wool.yaml.draft"));
}

/* The rig, the standard and the answers before are asked at once, not when the file is read. */
static void what_cannot_be(void **state) {
  (void)state;
  begin((const char *const[]){"run", "init", "wool.yaml", "--rig", RIG, NULL});
  answer("Rig file of this bench (Enter: ", "");
  answer("measured: ", "Demo Twill");
  answer("slides on it: ", "Demo Foam");
  answer("standard to follow ", "astm-d1894");
  answer("contact_area_cm2 of the rig = 50: ASTM D1894 says", "chen");
  answer("in the cloth [deg]: ", "0, 30");
  answer("angles_deg: Chen", "");
  answer("one load each [g]: ", "b");
  answer("in the cloth [deg]: ", "b");
  answer(
      "standard to follow (custom | astm-d1894 | iso-8295 | tappi-t549 | kes-fb4 | chen-2013) (Enter: stays "
      "chen-2013): ",
      "custom");
  answer("in the cloth [deg] ", "0, 0");
  answer("angles_deg: 0 stands twice", "0 45 90");
  answer("one load each [g] (Enter: 50, 100, 200, 500): ", "0.05, 0.2 kg");
  answer("Ways of the stage ", "");
  answer("+- at 95 % [%]: ", "2.5");
  answer("2 repeats come to 2 % at 95 %: repeats scatter by 2 % (taken, as the pair is not known)", "");
  answer("Speed of the stage [mm/s] (Enter: 10): ", "6 m/min");
  answer("a number in mm/s was wanted, or in one of m/s, mm/s, cm/s", "100 mm/s");
  answer("speed_mm_per_s = 100: the rig allows at most 50", "1 cm/s");
  answer("Travel of one pull [mm] (Enter: 30): ", "80");
  answer("travel_mm = 80: from start_mm = 20 of the rig it leads to", "15");
  answer("Rest before each pull [s] ", "");
  answer("Who measures ", "Ada");
  answer("wool.yaml is written: 24 pulls, about 2 min without the steps by hand Run it now ", "no");
  end(0);
  assert_false(exists("wool.yaml.draft"));
  char *text = clit_get("wool.yaml");
  assert_string_equal(text,
                      "# Written by 'clothbench run init'.\n# Wanted: coefficients within +- 2.5 % at 95 %.\n"
                      "name: \"wool\"\nkind: friction\ncloth: \"Demo Twill\"\nbody: \"Demo Foam\"\n"
                      "preset: custom\nangles_deg: [0, 45, 90]\nadded_masses_g: [50, 200]\n"
                      "directions: both\nrepeats: 2\nspeed_mm_per_s: 10\ntravel_mm: 15\nzero_s: 0.5\n"
                      "operator: \"Ada\"\n");
  free(text);
  clit_expect("run init wool.yaml", 2, "", "standard input is no terminal");
  begin(run_init);
  await("wool.yaml exists already: a new name was wanted");
  end(2);
}

/* Of a real bench: the numbers proposed are the drivers'; one that cannot be is refused at its question. */
static void a_rig(void **state) {
  (void)state;
  const char *const words[] = {"rig", "init", "real.yaml", NULL};
  begin(words);
  answer("(real | virtual) (Enter: real): ", "");
  answer("Driver of the stage (", "zaber");
  answer("Port of the stage ", "/dev/ttyUSB7");
  answer("Driver of the read-out (", "mark10-esm");
  answer("the stage mark10-esm was wanted", "lien");
  answer("force = 'lien': must be one of (line |", "line");
  answer("Port of the read-out ", "/dev/ttyUSB7");
  answer("'/dev/ttyUSB7' is the stage's port already", "/dev/ttyUSB8");
  answer("Smallest step of the stage [um] (Enter: 0.1984375): ", "?");
  answer(
      "The data sheet has it. A wrong one moves too far. Wanted: a number from 0.0001 to 1000, in um unless "
      "a unit follows, such as 0.1984375. Enter takes 0.1984375.",
      "0.0005 mm");
  answer("Lower limit of the travel [mm] (Enter: 0): ", "10");
  answer("Upper limit of the travel [mm] (Enter: 100): ", "q");
  await("stopped at a question: real.yaml.draft keeps the answers; 'clothbench rig init real.yaml' goes on");
  end(1);
  assert_true(exists("real.yaml.draft") && !exists("real.yaml"));
  begin(words);
  answer("go on with them (yes | no) (Enter: yes): ", "");
  answer("Upper limit of the travel [mm] (Enter: 100): ", "0.3 m");
  answer("Highest speed of the stage [mm/s] (Enter: 50): ", "");
  answer("Start of every forward pull [mm] (Enter: 20): ", "5");
  answer("start_mm = 5: must lie within the limits", "30");
  answer("Unit of the reading (Enter: N): ", "pound");
  answer("unit = ", "mV/V");
  answer("Readings per second [Hz] ", "");
  answer("stops [N] (Enter: 8): ", "20");
  answer("Serial number of the load cell: ", "LC \"7\"");
  answer("Mass of the cart [g] (Enter: 13): ", "0.12 kg");
  for (int i = 0; i < 6; i++) answer(i == 5 ? "orientation [deg] " : "] (Enter: ", "");
  end(0);
  assert_false(exists("real.yaml.draft"));
  cb_rig rig;
  char path[400];
  assert_ok(cb_rig_load(cbt_path("real.yaml", path), &rig, err));
  assert_string_equal(rig.force.cell, "LC \"7\"");
  assert_string_equal(rig.force.unit, "mV/V");
  assert_near(rig.stage.microstep_m, 0.5e-6, 1e-18);
  assert_near(rig.stage.limit_max_m, 0.3, 1e-12);
  assert_near(rig.bench.cart_mass_kg, 0.12, 1e-12);
  assert_near(rig.bench.u_mass_kg, 0.05e-3, 1e-12);
  cb_rig_clear(&rig);
}

/* From nothing to a law. */
static void the_whole_day(void **state) {
  (void)state;
  char path[400];
  assert_int_equal(unlink(cbt_path(RIG, path)), 0);
  begin((const char *const[]){"rig", "init", RIG, NULL});
  answer("(real | virtual) (Enter: real): ", "virtual");
  end(0);
  begin(run_init);
  answer("Rig file of this bench: ", RIG);
  answer("measured: ", "Demo Twill");
  answer("slides on it: ", "Demo Foam");
  for (int i = 0; i < 5; i++)
    answer(i == 2 ? "[g] (Enter: 50, 100, 200, 500): " : ": ", i == 2 ? "50, 200" : "");
  answer("Repeats of every direction and load (Enter: 3): ", "2");
  for (int i = 0; i < 4; i++) answer(": ", "");
  answer("Run it now (yes | no) (Enter: yes): ", "y");
  await("campaign 1 'wool': 24 runs in");
  end(0);
  clit_expect("fit friction --db lab.db", 0, "Demo Twill on Demo Foam", "");
}

static int set_up(void **state) {
  const int st = cbt_folder_set_up(state);
  char *rig = cbt_read(CB_SOURCE_DIR "/rigs/virtual.yaml");
  clit_put(RIG, rig);
  free(rig);
  return st;
}

int main(void) {
#define T(f) cmocka_unit_test_setup_teardown(f, set_up, cbt_folder_tear_down)
  const struct CMUnitTest tests[] = {T(left_and_taken_up), T(what_cannot_be), T(a_rig), T(the_whole_day)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
