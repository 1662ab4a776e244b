/* Every option that writes, against everything that it must not write over. */
#include <glob.h>
#include <sqlite3.h>
#include <sys/stat.h>

#include "clitest.h"

static const char scene[] =
    "name: small\n"
    "sheet: {shape: disc, radius_mm: 60, vertices: 40, at_mm: [0, 0, 30]}\n"
    "material: {areal_density_g_per_m2: 150, stretch_warp_N_per_m: 500, stretch_weft_N_per_m: 500, "
    "shear_N_per_m: 50,\n"
    "    bend_warp_uN_m: 20, bend_weft_uN_m: 20, damping_ms: 2}\n"
    "time: {duration_s: 0.01, step_ms: 5}\n"
    "output: {every_ms: 5, obj: true}\n";
static const char rig[] =
    "name: bench\n"
    "stage: {driver: zaber-ascii, port: /dev/null, microstep_um: 0.2, limit_min_mm: 0, limit_max_mm: 100, "
    "max_speed_mm_per_s: 50,\n"
    "  acceleration_mm_per_s2: 500, start_mm: 20}\n"
    "force: {driver: line, port: /dev/zero, unit: N, rate_Hz: 400, overload_N: 8}\n"
    "calibration: {slope_N_per_unit: 1, u_rel: 0.002, resolution: 0.0001, certificate: c, valid_from: "
    "2026-01-01}\n"
    "bench: {cart_mass_g: 3, u_mass_g: 0.05, contact_area_cm2: 50, link_stiffness_N_per_m: 500, "
    "link_slack_mm: 2,\n"
    "  gravity_m_per_s2: 9.80665, u_angle_deg: 0.5}\n";
static const char frame[] =
    "name: f\nkind: friction\ncloth: Twill\nbody: Foam\nangles_deg: [0, 45, 90]\nadded_masses_g: [97, "
    "197]\nrepeats: 1\n"
    "directions: forward\nspeed_mm_per_s: 10\ntravel_mm: 25\nzero_s: 1\n";
static const char limits[] = "spec:\n  - {kind: kinetic, angle_deg: 0, normal_force_N: 0.981, at_most: 1}\n";
static const char mapping[] =
    "columns: {cloth: cloth, body: body, angle_deg: angle, cart_mass_g: cart, added_mass_g: added, reading: "
    "mV,"
    " friction_coefficient: mu}\n"
    "calibration: {reading_unit: mV/V, reading: 2.488, mass_g: 200, u_rel: 0.002}\n"
    "gravity_m_per_s2: 9.80665\ncontact_area_cm2: 50\nspeed_mm_per_s: 10\nfriction_coefficient_decimals: "
    "3\nkind: kinetic\nsource: s\n";
static const char table[] =
    "cloth,body,angle,cart,added,mV,mu\n"
    "Twill,Foam,0,3,97,0.622,0.500\nTwill,Foam,45,3,97,0.560,0.450\nTwill,Foam,90,3,97,0.498,0.400\n"
    "Twill,Foam,0,3,197,1.244,0.500\nTwill,Foam,45,3,197,1.120,0.450\nTwill,Foam,90,3,197,0.995,0.400\n";
/* A virtual rig's file is long; the log is opened before the ports are. */
static const char faults[] = "seed: 1\nfaults: []\n";

/* One row per option that writes a file. command has one %s. */
static const struct writer {
  const char *source, *option, *command;
  const char *input; /* a file that it reads; NULL: none but the database */
  bool dash;         /* "-" is standard output */
} writers[] = {
    {"cmd_export.c", "out", "export material Twill --format json --db lab.db --out %s", NULL, true},
    {"cmd_export.c", "out", "export points --db lab.db --out %s", NULL, true},
    {"cmd_plot.c", "out", "plot a --db lab.db --out %s", NULL, false},
    {"cmd_plan.c", "out", "plan frame.yaml --rig rig.yaml --db lab.db --out %s", "frame.yaml", false},
    {"cmd_rig.c", "fault-log", "rig emulate rig.yaml --faults faults.yaml --fault-log %s", "faults.yaml",
     false},
    {"cmd_compare.c", "figure",
     "compare --cloth Twill --body Foam --campaign 1 --other-campaign 2 --db lab.db --figure %s", NULL,
     false},
    {"cmd_chart.c", "certificate",
     "chart --cloth Twill --body Foam --by campaign --db lab.db --spec limits.yaml --certificate %s",
     "limits.yaml", false},
    {"cmd_chart.c", "figure", "chart --cloth Twill --body Foam --by campaign --db lab.db --figure %s", NULL,
     false},
    {"cli_validate_sled.c", "figure", "validate sled --db lab.db --cloth Twill --body Foam --figure %s", NULL,
     false},
    {"cli_validate_drape.c", "figure", "validate drape --db lab.db --cloth Twill --figure %s", NULL, false},
    {"cli_validate_drape.c", "view", "validate drape --db lab.db --cloth Twill --view %s", NULL, false},
    {"cli_predict_drape.c", "figure", "predict drape --db lab.db --cloth Twill --figure %s", NULL, false},
    {"cli_validate_tension.c", "figure", "validate strip-tension --figure %s", NULL, false},
    {"cmd_sweep.c", "figure", "sweep plot drapes --of a --over b --figure %s", NULL, false},
    {"cmd_sweep.c", "csv", "sweep gather drapes --csv %s", NULL, false},
};
#define N_WRITERS (sizeof writers / sizeof writers[0])

/* One row per option that writes into a folder. */
static const struct writer folders[] = {
    {"cmd_report.c", "out", "report --db lab.db --out %s", NULL, false},
    {"cmd_sim.c", "out", "sim scene.yaml --out %s", NULL, false},
    {"cmd_demo.c", "out", "demo --out %s", NULL, false},
    {"cmd_sweep.c", "out", "sweep plan.yaml --out %s --local", NULL, false},
    {"cli_validate_export.c", "keep", "validate export --areal-mass-g-m2 150 --experiments fall --keep %s",
     NULL, false},
    {"cmd_rig.c", "link-dir", "rig emulate rig.yaml --link-dir %s", NULL, false},
};
#define N_FOLDERS (sizeof folders / sizeof folders[0])

static void shell(const char *command) {
  char all[1200];
  (void)snprintf(all, sizeof all, "cd '%s' && %s", cbt_folder, command);
  if (system(all) != 0) fail_msg("%s", all);
}

static int set_up(void **state) {
  (void)cbt_folder_set_up(state);
  clit_put("scene.yaml", scene);
  clit_put("rig.yaml", rig);
  clit_put("frame.yaml", frame);
  clit_put("limits.yaml", limits);
  clit_put("map.yaml", mapping);
  clit_put("table.csv", table);
  clit_put("faults.yaml", faults);
  clit_expect("import friction --mapping map.yaml --db lab.db table.csv", 0, "6 points", "");
  clit_expect("fit friction --cloth Twill --body Foam --db lab.db", 0, "Twill on Foam", "");
  /* Names that end as a figure's must. */
  shell(
      "ln -s /dev/full device.svg && mkfifo pipe.svg && mkdir folder.svg && cp lab.db database.svg && ln -s "
      "database.svg link-db.svg &&"
      " ln database.svg hard-db.svg && ln -s nothing-here dangling.svg && cp lab.db x && echo log >x-wal && "
      "ln -s x-wal wal.svg");
  return 0;
}

static void run_with(const struct writer *w, const char *target) {
  char args[300];
  (void)snprintf(args, sizeof args, w->command, target);
  cbt_run(&clit_last, cbt_folder, args);
}

static void refused(const struct writer *w, const char *target, int code, const char *sentence) {
  run_with(w, target);
  if (clit_last.code != code)
    fail_msg("%s --%s %s: exit %d, %d was wanted: %s", w->source, w->option, target, clit_last.code, code,
             clit_last.err);
  if (!strstr(clit_last.err, sentence))
    fail_msg("%s --%s %s: '%s' was wanted: %s", w->source, w->option, target, sentence, clit_last.err);
}

static void expect_same(const char *a, const char *b) {
  char path[400], *text[2];
  size_t n[2];
  const char *name[] = {a, b};
  for (int i = 0; i < 2; i++) assert_ok(cb_file_read(cbt_path(name[i], path), 1 << 26, &text[i], &n[i], err));
  if (n[0] != n[1] || memcmp(text[0], text[1], n[0]) != 0) fail_msg("%s and %s differ", a, b);
  free(text[0]);
  free(text[1]);
}

/* Everything that set_up made is as it was, and no part of a file lies about. */
static void expect_untouched(void) {
  expect_same("database.svg", "lab.db");
  shell(
      "test -L device.svg && test -p pipe.svg && test -d folder.svg && test -L link-db.svg && test -L "
      "dangling.svg && test ! -e "
      "nothing-here"
      " && test database.svg -ef hard-db.svg && test \"$(cat x-wal)\" = log && test -c /dev/full && ! ls | "
      "grep tmp");
}

static void files_go_over_regular_files_only(void **state) {
  (void)state;
  for (size_t i = 0; i < N_WRITERS; i++) {
    const struct writer *w = &writers[i];
    refused(w, "device.svg", 1, "is a device: a regular file was wanted");
    refused(w, "pipe.svg", 1, "is a pipe: a regular file was wanted");
    refused(w, "folder.svg", 1, "is a folder: a regular file was wanted");
    refused(w, "dangling.svg", 1, "is a link to nothing");
    refused(w, "no/such/folder/a.svg", 1, "cannot be written: No such file or directory");
    expect_untouched();
  }
}

static void files_never_go_over_a_database(void **state) {
  (void)state;
  static const char *const names[] = {"database.svg", "link-db.svg", "hard-db.svg",
                                      "./folder.svg/../database.svg"};
  for (size_t i = 0; i < N_WRITERS; i++) {
    for (size_t k = 0; k < sizeof names / sizeof names[0]; k++)
      refused(&writers[i], names[k], 1, "a database stands there");
    refused(&writers[i], "wal.svg", 1, "it belongs to the database");
    expect_untouched();
  }
}

static void files_never_go_over_an_input(void **state) {
  (void)state;
  char command[200];
  for (size_t i = 0; i < N_WRITERS; i++) {
    if (!writers[i].input) continue;
    (void)snprintf(command, sizeof command, "cp %s copy && ln -f %s hard.svg && ln -sf %s soft.svg",
                   writers[i].input, writers[i].input, writers[i].input);
    shell(command);
    refused(&writers[i], writers[i].input, 1, "which this command reads");
    refused(&writers[i], "hard.svg", 1, "which this command reads");
    refused(&writers[i], "soft.svg", 1, "which this command reads");
    expect_same("copy", writers[i].input);
    shell("rm hard.svg soft.svg copy");
  }
}

static void a_dash_is_standard_output_or_refused(void **state) {
  (void)state;
  for (size_t i = 0; i < N_WRITERS; i++)
    if (!writers[i].dash) refused(&writers[i], "-", 2, "-: cannot be standard output, a name was wanted");
  for (size_t i = 0; i < N_FOLDERS; i++)
    refused(&folders[i], "-", 2, "-: cannot be standard output, a name was wanted");
  clit_expect("db backup - --db lab.db", 2, "", "cannot be standard output");
  clit_expect("db text - --db lab.db", 2, "", "cannot be standard output");
  clit_expect("db build x - --db lab.db", 2, "", "cannot be standard output");
  shell("test ! -e ./-");
  clit_expect("export material Twill --format json --db lab.db --out twill.json", 0, "",
              "twill.json: not in this file");
  char *file = clit_get("twill.json");
  clit_expect("export material Twill --format json --db lab.db --out -", 0, file, "-: not in this file");
  free(file);
}

static void a_link_is_followed_and_stays(void **state) {
  (void)state;
  shell("echo old >old.json && ln -s old.json link.json");
  clit_expect("export material Twill --format json --db lab.db --out link.json", 0, "", "not in this file");
  shell("test -L link.json && grep -q clothbench-material old.json");
}

/* What stands where a page, a frame or a checkpoint goes. A run replaces nothing that is not of its scene. */
static void files_of_folders_are_held_to_the_same(void **state) {
  (void)state;
  char *page;
  clit_expect("report --db lab.db --out pages", 0, "pages/campaign-1", "");
  page = strdup(clit_last.out);
  page[strcspn(page, "\n")] = '\0';
  char command[600];
  static const struct {
    const char *make, *sentence;
  } bad[] = {{"mkfifo", "is a pipe"},
             {"ln -s /dev/full", "is a device"},
             {"cp lab.db", "a database stands there"},
             {"mkdir", "is a folder"}};
  static const char *const files[] = {"checkpoint.sim", "frame_00000.obj", "values.csv", "materials.json"};
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
    (void)snprintf(command, sizeof command, "rm -rf '%s' && %s '%s'", page, bad[i].make, page);
    shell(command);
    refused(&folders[0], "pages", 1, bad[i].sentence);
    for (size_t k = 0; k < sizeof files / sizeof files[0]; k++) {
      (void)snprintf(command, sizeof command, "rm -rf played && mkdir played && %s played/%s", bad[i].make,
                     files[k]);
      shell(command);
      refused(&folders[1], "played", 1, "no run of this scene made it");
    }
  }
  free(page);
}

/* A scene that lies where the run writes, by its own name or another. */
static void a_run_does_not_write_over_its_scene(void **state) {
  (void)state;
  shell("rm -rf played && mkdir played && cp scene.yaml played/values.csv");
  clit_expect("sim played/values.csv --out played", 1, "", "which this command reads");
  shell("rm -rf played && mkdir played && ln scene.yaml played/frame_00001.obj");
  clit_expect("sim scene.yaml --out played", 1, "", "which this command reads");
  shell("rm -rf played && mkdir played && cp scene.yaml played/scene.yaml");
  clit_expect("sim played/scene.yaml --out played --json", 0, "small", "");
}

static size_t count_in(const char *path, const char *text) {
  size_t n = 0;
  char *source = cbt_read(path);
  for (char *at = source; (at = strstr(at, text)); at++) n++;
  free(source);
  return n;
}

static const char *name_of(const char *path) { return strrchr(path, '/') + 1; }

/* An option that writes and is not above has not been thought of. */
static void the_tables_above_are_complete(void **state) {
  (void)state;
  glob_t sources;
  size_t n_files = 0, n_folders = 0, found[N_WRITERS] = {0};
  static const char *const words[] = {"\"out\", CLI_TEXT", "\"figure\", CLI_TEXT", "-log\", CLI_TEXT",
                                      "\"film\", CLI_TEXT", "fopen("};
  assert_int_equal(glob(CB_SOURCE_DIR "/cli/*.c", 0, NULL, &sources), 0);
  assert_int_equal(glob(CB_SOURCE_DIR "/cli/*/*.c", GLOB_APPEND, NULL, &sources), 0);
  for (size_t k = 0; k < sources.gl_pathc; k++) {
    const char *path = sources.gl_pathv[k];
    for (size_t i = 0; i < N_WRITERS; i++)
      if (strcmp(name_of(path), writers[i].source) == 0) found[i] = count_in(path, writers[i].option);
    if (strncmp(name_of(path), "cli.", 4) == 0) continue;
    n_files += count_in(path, ", CLI_OUT_FILE,") + count_in(path, ", CLI_OUT_ANY,");
    n_folders += count_in(path, ", CLI_OUT_FOLDER,");
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
      if (count_in(path, words[i]) > 0) fail_msg("%s: %s: writes past cb_out.h?", path, words[i]);
  }
  globfree(&sources);
  assert_int_equal(n_files, N_WRITERS - 1); /* export has one option for two kinds */
  assert_int_equal(n_folders, N_FOLDERS);
  for (size_t i = 0; i < N_WRITERS; i++)
    if (found[i] == 0) fail_msg("%s has no %s", writers[i].source, writers[i].option);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(files_go_over_regular_files_only),
      cmocka_unit_test(files_never_go_over_a_database),
      cmocka_unit_test(files_never_go_over_an_input),
      cmocka_unit_test(a_dash_is_standard_output_or_refused),
      cmocka_unit_test(a_link_is_followed_and_stays),
      cmocka_unit_test(files_of_folders_are_held_to_the_same),
      cmocka_unit_test(a_run_does_not_write_over_its_scene),
      cmocka_unit_test(the_tables_above_are_complete),
  };
  return cmocka_run_group_tests(tests, set_up, cbt_folder_tear_down);
}
