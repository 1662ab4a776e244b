/* Commands that compute for long, stopped on their way: `sim` leaves a checkpoint from which it goes on to
 * the same files, byte for byte, whatever model plays; `validate all` and `validate drape` tell what they had
 * finished. */
#include "daqtest.h"

#include "clitest.h"
#include "progtest.h"

#include <dirent.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>

#define CLOTH                                                                                      \
  "material: {areal_density_g_per_m2: 150, stretch_warp_N_per_m: 500, stretch_weft_N_per_m: 500, " \
  "shear_N_per_m: 50,\n"                                                                           \
  "    bend_warp_uN_m: 20, bend_weft_uN_m: 20, damping_ms: 2}\n"

/* Cloth on a ball that turns, onto the ground. */
#define DROP                                                                                               \
  "name: whole\n"                                                                                          \
  "sheet: {shape: disc, radius_mm: 60, vertices: 80, at_mm: [0, 0, 32]}\n" CLOTH                           \
  "bodies: [{shape: sphere, radius_mm: 28, friction: 0.3, motion: [{until_s: 0.1, spin_deg_per_s: [0, 0, " \
  "300]}]}, {shape: plane}]\n"                                                                             \
  "output: {every_ms: 20, obj: true, probes: [{name: rim, at_mm: [60, 0, 30]}]}\n"

/* A soft body in its case, with air, under a ball that comes down. */
#define PILLOW                                                                                            \
  "name: whole\n" CLOTH                                                                                   \
  "layers:\n  - {shape: pillow, length_mm: 100, cell_mm: 30, at_mm: [0, 0, 32], density_kg_per_m3: 30, "  \
  "young_kPa: 20,\n"                                                                                      \
  "     poisson: 0.3, friction: 0.3, friction_on_bodies: 0.3, case: {vertices: 150}, air: {over_Pa: 20, " \
  "permeability_mm_per_s: 50}}\n"                                                                         \
  "  - {shape: ball, length_mm: 30, vertices: 60, rigid: true, friction: 0.3, at_mm: [0, 0, 110],\n"      \
  "     motion: [{until_s: 1, velocity_mm_per_s: [0, 0, -300]}]}\n"                                       \
  "bodies: [{shape: plane, friction: 0.3}]\noutput: {every_ms: 20}\n"

/* So many steps that it is still at it when the first frames are there. */
#define CURTAIN                                                                                   \
  "name: whole\nsheet: {shape: rectangle, length_mm: 600, width_mm: 600}\n"                       \
  "material: {areal_density_g_per_m2: 150, thickness_mm: 2}\n"                                    \
  "curtain:\n  {columns: 12, nodes: 16, segments: 6, hung_width_mm: 300,\n"                       \
  "  wind: {speed_m_per_s: 4, turbulence: 1, centre_mm: [150, -500, -300]}}\n"                    \
  "output: {every_ms: 4000, probes: [{name: hem, at_mm: [0, 0, -600]}], picture: {width_px: 64, " \
  "height_px: 64}}\n"

static const struct {
  const char *name, *text;
  int number;
} scenes[] = {
    {"whole", DROP "time: {duration_s: 0.14, step_ms: 1}\n", SIGINT},
    {"adaptive and of second order",
     DROP "time: {duration_s: 0.14, step_ms: 5, scheme: bdf2, adaptive: true}\n", SIGTERM},
    {"layers", PILLOW "time: {duration_s: 0.1, step_ms: 2}\n", SIGXCPU},
    {"another model", CURTAIN "time: {duration_s: 40, step_ms: 2}\n", SIGINT},
};
#define N_SCENES (sizeof scenes / sizeof scenes[0])

/* ---- folders ---- */

static void expect_same_file(const char *name) {
  char path[2][400], *text[2], in[2][300];
  size_t n[2];
  (void)snprintf(in[0], sizeof in[0], "one/%s", name);
  (void)snprintf(in[1], sizeof in[1], "parts/%s", name);
  for (int i = 0; i < 2; i++)
    assert_ok(cb_file_read(cbt_path(in[i], path[i]), 1 << 26, &text[i], &n[i], err));
  if (n[0] != n[1] || memcmp(text[0], text[1], n[0]) != 0) fail_msg("%s and %s differ", in[0], in[1]);
  free(text[0]);
  free(text[1]);
}

static size_t count_files(const char *folder, void (*visit)(const char *)) {
  char path[400];
  size_t n = 0;
  DIR *d = opendir(cbt_path(folder, path));
  assert_non_null(d);
  for (struct dirent *e = readdir(d); e; e = readdir(d)) {
    if (e->d_name[0] == '.') continue;
    if (visit) visit(e->d_name);
    n++;
  }
  closedir(d);
  return n;
}

/* ---- sim ---- */

static void await_file(const char *name, pid_t pid) {
  char path[400];
  double deadline_s = cb_now_monotonic_s() + CBT_HANG_S;
  (void)cbt_path(name, path);
  while (access(path, F_OK) != 0) {
    if (waitpid(pid, NULL, WNOHANG) != 0 || cb_now_monotonic_s() > deadline_s)
      fail_msg("%s did not come: %s", name, prog_words());
    cb_sleep_s(0.002);
  }
}

static void stop_with(const char *const words[], const char *seen, int number) {
  pid_t pid = prog_start(words, -1, -1);
  await_file(seen, pid);
  kill(pid, number);
  assert_int_equal(prog_end(pid), 1);
}

/* Twice on its way, and then to the end. */
static void resumes(size_t i) {
  const char *const first[] = {"sim", "scene.yaml", "--out", "parts", NULL};
  const char *const second[] = {"sim", "scene.yaml", "--out", "parts", "--resume", NULL};
  print_message("%s\n", scenes[i].name);
  clit_put("scene.yaml", scenes[i].text);
  clit_run("sim scene.yaml --out one", 0);
  stop_with(first, "parts/frame_00001.vtp", scenes[i].number);
  prog_expect(
      "clothbench sim: stops after this step and writes its checkpoint; once more ends it there and then\n");
  prog_expect("clothbench sim: stopped by ");
  prog_expect(": --resume goes on from parts/checkpoint.sim\n");
  stop_with(second, "parts/frame_00003.vtp", scenes[i].number);
  prog_expect(": --resume goes on from parts/checkpoint.sim\n");
  clit_run("sim scene.yaml --out parts --resume", 0);
  assert_int_equal(count_files("one", expect_same_file), count_files("parts", NULL));
}

static void every_scene_resumes(void **state) {
  for (size_t i = 0; i < N_SCENES; i++) {
    cbt_folder_set_up(state);
    resumes(i);
    cbt_folder_tear_down(state);
  }
}

/* Its processor time is up (ulimit -t, both ends at once): a checkpoint, too. */
static void processor_time_is_up(void **state) {
  (void)state;
  struct rlimit before, l;
  const char *const words[] = {"sim", "long.yaml", "--out", "long", NULL};
  char path[400];
  clit_put("long.yaml", DROP "time: {duration_s: 1000, step_ms: 1}\n");
  assert_int_equal(getrlimit(RLIMIT_CPU, &before), 0);
  pid_t pid = fork(); /* a hard limit cannot be taken back */
  assert_true(pid >= 0);
  if (pid == 0) {
    l = (struct rlimit){.rlim_cur = 2, .rlim_max = 2};
    if (setrlimit(RLIMIT_CPU, &l) != 0) _exit(125);
    pid_t own = prog_start(words, -1, -1);
    int status;
    _exit(waitpid(own, &status, 0) == own && WIFEXITED(status) ? WEXITSTATUS(status) : 126);
  }
  assert_int_equal(prog_end(pid), 1);
  prog_expect("clothbench sim: stopped by SIGXCPU (CPU time limit exceeded) after step ");
  assert_int_equal(access(cbt_path("long/checkpoint.sim", path), F_OK), 0);
}

static void without_room_for_a_checkpoint(void **state) {
  (void)state;
  char path[400];
  const char *const words[] = {"sim", "long.yaml", "--out", "full", NULL};
  clit_put("long.yaml", DROP "time: {duration_s: 1000, step_ms: 1}\n");
  pid_t pid = prog_start(words, -1, -1);
  await_file("full/frame_00001.vtp", pid);
  assert_int_equal(mkdir(cbt_path("full/checkpoint.sim", path), 0700), 0); /* what stands in its way */
  kill(pid, SIGINT);
  assert_int_equal(prog_end(pid), 1);
  prog_expect("its checkpoint was not written: ");
  assert_false(prog_said("--resume"));
}

/* Somebody who does not want to wait. */
static void second_one_ends_it(void **state) {
  (void)state;
  int status;
  const char *const words[] = {"sim", "long.yaml", "--out", "twice", NULL};
  clit_put("long.yaml", DROP "time: {duration_s: 1000, step_ms: 1}\n");
  pid_t pid = prog_start(words, -1, -1);
  await_file("twice/frame_00001.vtp", pid);
  kill(pid, SIGTERM);
  prog_await("stops after this step", 20);
  (void)kill(pid, SIGTERM);
  assert_int_equal(waitpid(pid, &status, 0), pid);
  assert_true(WIFSIGNALED(status) ? WTERMSIG(status) == SIGTERM : WEXITSTATUS(status) == 1);
}

/* ---- validate ---- */

/* A sentence that was broken for the terminal is one line again. */
static void join_lines(char *said) {
  char *to = said;
  for (const char *from = said; *from; from++) {
    const bool breaks = strncmp(from, "\n  ", 3) == 0;
    *to++ = breaks ? ' ' : *from;
    if (breaks) from += 2;
  }
  *to = '\0';
}

/* Started with the terminal as its standard error, on which it draws how far it is; ended by the signal once
 * that says so much. Returns what it wrote on standard output; caller frees. */
static char *stop_at_terminal(const char *const words[], const char *seen, int number, char *said,
                              size_t size) {
  char path[400];
  size_t n = 0;
  bool sent = false;
  int status, out = open(cbt_path(".out", path), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  dt_pty t;
  dt_pty_open(&t);
  pid_t pid = prog_start_to(words, -1, out, t.slave);
  double deadline_s = cb_now_monotonic_s() + CBT_HANG_S;
  while (waitpid(pid, &status, WNOHANG) == 0) {
    struct pollfd p = {.fd = t.master, .events = POLLIN};
    ssize_t got = poll(&p, 1, 20) > 0 ? read(t.master, said + n, size - 1 - n) : 0;
    n += got > 0 ? (size_t)got : 0;
    said[n] = '\0';
    if (!sent && strstr(said, seen)) sent = kill(pid, number) == 0;
    if (cb_now_monotonic_s() > deadline_s) fail_msg("not within %d s: %s", CBT_HANG_S, said);
  }
  while (poll(&(struct pollfd){.fd = t.master, .events = POLLIN}, 1, 20) > 0) {
    ssize_t got = read(t.master, said + n, size - 1 - n);
    if (got <= 0) break;
    n += (size_t)got;
  }
  said[n] = '\0';
  join_lines(said);
  assert_true(WIFEXITED(status));
  assert_int_equal(WEXITSTATUS(status), 1);
  close(out);
  dt_pty_close(&t);
  return clit_get(".out");
}

static void validate_all_tells_what_it_had(void **state) {
  (void)state;
  static char said[100000];
  const char *const words[] = {"validate", "all", NULL};
  char *table = stop_at_terminal(words, " 6 %", SIGINT, said, sizeof said);
  assert_non_null(strstr(table, "cantilever       H/W, gamma 0.1, equilateral, 255 vertices"));
  assert_null(strstr(table, "lateral-buckling"));
  assert_non_null(strstr(table, "\nverdict: none (1 of 18 experiments, "));
  assert_non_null(strstr(said, "clothbench validate: lateral-buckling: stopped by the operator"));
  assert_non_null(strstr(said, "the table has the 1 of 18 experiments that came to their end"));
  free(table);
}

static void validate_all_says_it_is_incomplete(void **state) {
  (void)state;
  static char said[100000];
  const char *const words[] = {"validate", "all", "--json", NULL};
  char *text = stop_at_terminal(words, " 6 %", SIGHUP, said, sizeof said);
  json_t *doc = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
  assert_non_null(doc);
  jp_expect("validate all", doc);
  assert_true(json_is_null(json_object_get(doc, "verdict")));
  assert_near(clit_number(doc, "experiments"), 18, 0);
  assert_near(clit_number(doc, "finished"), 1, 0);
  assert_int_equal(json_array_size(json_object_get(doc, "rows")), 17);
  json_decref(doc);
  free(text);
}

#define MANY_DRAPES                                                                     \
  "--areal-mass-g-m2 200 --stretch-warp-N-m 500 --stretch-weft-N-m 400 --shear-N-m 40 " \
  "--bend-warp-N-m 1e-5 --bend-weft-N-m 4e-6 --vertices 200 --seeds 1000"

/* Minutes pass: how far it is and what time remains stand on the terminal, in a line of their own. */
static void predict_drape_draws_how_far_it_is(void **state) {
  (void)state;
  static char said[100000];
  const char *words[32];
  char line[] = "predict drape " MANY_DRAPES;
  prog_cut(line, words);
  free(stop_at_terminal(words, " left  of the drapes", SIGINT, said, sizeof said));
  assert_non_null(strstr(said, "clothbench predict: [                    ]   0 %  of the drapes"));
  assert_non_null(strstr(said, "\nclothbench predict: stopped by the operator"));
  const char *refusal = strstr(said, " of 1000 drapes were made");
  assert_non_null(refusal);
  while (refusal > said && refusal[-1] != '\n') refusal--;
  assert_int_equal(strncmp(refusal, "clothbench predict: ", 20), 0);
}

/* More drapes than anybody waits for; the seeds are those of the drapes that were made. */
static void validate_drape_shows_what_it_had(void **state) {
  (void)state;
  const char *words[32];
  char line[] = "validate drape " MANY_DRAPES " --json";
  prog_cut(line, words);
  char path[400];
  int out = open(cbt_path(".out", path), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  pid_t pid = prog_start_to(words, -1, out, -1);
  cb_sleep_s(3); /* a drape takes a tenth of a second */
  kill(pid, SIGINT);
  assert_int_equal(prog_end(pid), 1);
  close(out);
  prog_expect("clothbench validate: stops after the drapes under way; once more ends it there and then\n");
  prog_expect(" of 1000 drapes were made and are shown\n");
  prog_expect("clothbench validate: stopped by the operator\n");
  json_t *doc = json_load_file(path, JSON_REJECT_DUPLICATES, NULL), *each = json_object_get(doc, "each");
  assert_non_null(doc);
  assert_true(json_is_null(json_object_get(doc, "verdict")));
  assert_near(clit_number(doc, "seeds_asked"), 1000, 0);
  assert_true(clit_number(doc, "seeds") >= 1);
  assert_near(clit_number(doc, "seeds"), (double)json_array_size(each), 0);
  assert_near(clit_number(json_array_get(each, 0), "seed"), 1, 0);
  json_decref(doc);
}

/* ---- demo ---- */

/* A campaign that somebody stopped is not gone on with, as one is that the computer was too late for. */
static void demo_ends(void **state) {
  (void)state;
  const char *const words[] = {"demo", "--out", "d", NULL};
  pid_t pid = prog_start(words, -1, -1);
  await_file("d/demo.db", pid);
  cb_sleep_s(0.5);
  kill(pid, SIGINT);
  assert_int_equal(prog_end(pid), 1);
  prog_expect("stopped by the operator\n");
  assert_false(prog_said("Going on with the campaign"));
  clit_run("db check --db d/demo.db", 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_scene_resumes),
      cmocka_unit_test_setup_teardown(validate_all_tells_what_it_had, cbt_folder_set_up,
                                      cbt_folder_tear_down),
      cmocka_unit_test_setup_teardown(validate_all_says_it_is_incomplete, cbt_folder_set_up,
                                      cbt_folder_tear_down),
      cmocka_unit_test_setup_teardown(predict_drape_draws_how_far_it_is, cbt_folder_set_up,
                                      cbt_folder_tear_down),
      cmocka_unit_test_setup_teardown(validate_drape_shows_what_it_had, cbt_folder_set_up,
                                      cbt_folder_tear_down),
      cmocka_unit_test_setup_teardown(processor_time_is_up, cbt_folder_set_up, cbt_folder_tear_down),
      cmocka_unit_test_setup_teardown(without_room_for_a_checkpoint, cbt_folder_set_up, cbt_folder_tear_down),
      cmocka_unit_test_setup_teardown(second_one_ends_it, cbt_folder_set_up, cbt_folder_tear_down),
      cmocka_unit_test_setup_teardown(demo_ends, cbt_folder_set_up, cbt_folder_tear_down)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
