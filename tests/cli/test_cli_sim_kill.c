/* `sim` killed by SIGKILL at five random moments of one short scene of each of the seven models: --resume
 * goes on each time, and the run ends with the bytes of one that nobody disturbed: last frame, table of
 * values, checkpoint. */
#include "cbtest.h"

#include <signal.h>

#include "cb_rng.h"
#include "clitest.h"
#include "progtest.h"
#include "resume_scenes.h"

#define KILLS 5
#define OUTPUT                                                                                     \
  "output: {every_ms: 50, checkpoint_every_ms: 10, obj: true, ply: true, picture: {width_px: 64, " \
  "height_px: 64}"

/* The scene with frames and checkpoints on its way. */
static void put_scene(const char *text) {
  char whole[4000];
  const char *output = strstr(text, "output: {");
  const int n = output ? (int)(output - text) : (int)strlen(text);
  (void)snprintf(whole, sizeof whole, "%.*s" OUTPUT "%s%s", n, text, output ? ", " : "}\n",
                 output ? output + strlen("output: {") : "");
  clit_put("scene.yaml", whole);
}

static bool stands(const char *name) {
  char path[400];
  return access(cbt_path(name, path), F_OK) == 0;
}

/* Rows that are whole, the head among them. */
static int count_rows(const char *name) {
  char path[400], *text;
  size_t n;
  int rows = 0;
  if (cb_file_read(cbt_path(name, path), 1 << 24, &text, &n, NULL) != CB_OK) return 0;
  for (size_t i = 0; i < n; i++) rows += text[i] == '\n';
  free(text);
  return rows;
}

/* Starts it, or goes on, and kills it some moment after it has come to that row. False: it had ended by
   then. */
static bool kill_at_row(int row, cb_rng *rng) {
  const char *const first[] = {"sim", "scene.yaml", "--out", "parts", NULL};
  const char *const second[] = {"sim", "scene.yaml", "--out", "parts", "--resume", NULL};
  const double deadline_s = cb_now_monotonic_s() + CBT_HANG_S;
  int status;
  pid_t pid = prog_start(stands("parts/checkpoint.sim") ? second : first, -1, -1);
  while (count_rows("parts/values.csv") < row) {
    if (waitpid(pid, &status, WNOHANG) == pid) return false;
    if (cb_now_monotonic_s() > deadline_s) fail_msg("row %d did not come: %s", row, prog_words());
    cb_sleep_s(2e-4);
  }
  cb_sleep_s(5e-3 * cb_rng_uniform(rng));
  (void)kill(pid, SIGKILL);
  assert_int_equal(waitpid(pid, &status, 0), pid);
  return WIFSIGNALED(status);
}

static void expect_same_file(const char *name) {
  char in[2][300], path[400], *text[2];
  size_t n[2];
  (void)snprintf(in[0], sizeof in[0], "one/%s", name);
  (void)snprintf(in[1], sizeof in[1], "parts/%s", name);
  for (int i = 0; i < 2; i++) assert_ok(cb_file_read(cbt_path(in[i], path), 1 << 26, &text[i], &n[i], err));
  if (n[0] != n[1] || memcmp(text[0], text[1], n[0]) != 0) fail_msg("%s and %s differ", in[0], in[1]);
  free(text[0]);
  free(text[1]);
}

static void expect_same_end(int last_frame) {
  static const char *const ending[] = {"vtp", "obj", "ply", "png"};
  char name[64];
  for (size_t k = 0; k < sizeof ending / sizeof ending[0]; k++) {
    (void)snprintf(name, sizeof name, "frame_%05d.%s", last_frame, ending[k]);
    expect_same_file(name);
  }
  expect_same_file("values.csv");
  expect_same_file("checkpoint.sim");
  expect_same_file("frames.pvd");
}

static int by_size(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

static void survives(const resume_scene *scene, cb_rng *rng) {
  int row[KILLS], killed = 0;
  put_scene(scene->text);
  json_t *doc = clit_json("sim scene.yaml --out one --json", 0, NULL);
  const int rows = (int)clit_number(doc, "steps") + 2, last_frame = (int)clit_number(doc, "frames") - 1;
  assert_string_equal(json_string_value(json_object_get(doc, "model")), scene->name);
  assert_true(json_object_size(json_object_get(doc, "end")) >= 6);
  assert_true(clit_number(doc, "steps_with_parts") >= clit_number(doc, "steps"));
  assert_true(clit_number(doc, "parts_taken_back") >= 0);
  json_decref(doc);
  assert_int_equal(count_rows("one/values.csv"), rows);
  for (int k = 0; k < KILLS; k++) row[k] = 1 + (int)(cb_rng_uniform(rng) * (rows - 2));
  qsort(row, KILLS, sizeof *row, by_size);
  for (int k = 0; k < KILLS; k++) killed += kill_at_row(row[k], rng);
  print_message("%s: killed %d times, at rows %d, %d, %d, %d, %d of %d\n", scene->name, killed, row[0],
                row[1], row[2], row[3], row[4], rows);
  assert_true(killed >= 1);
  clit_run(
      stands("parts/checkpoint.sim") ? "sim scene.yaml --out parts --resume" : "sim scene.yaml --out parts",
      0);
  expect_same_end(last_frame);
}

static void every_model_survives(void **state) {
  const uint64_t seed = (uint64_t)(cb_now_monotonic_s() * 1e6);
  cb_rng rng;
  cb_rng_init(&rng, seed, 0);
  print_message("seed %llu\n", (unsigned long long)seed);
  for (size_t i = 0; i < RESUME_SCENES; i++) {
    cbt_folder_set_up(state);
    survives(&resume_scenes[i], &rng);
    cbt_folder_tear_down(state);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_model_survives)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
