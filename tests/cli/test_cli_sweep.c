/* `sweep` as people and Slurm run it: the same results from one process or from shards; kill -9 at any moment
 * loses nothing and plays nothing twice. */
#include "clitest.h"
#include "progtest.h"

#include <glob.h>
#include <signal.h>

#define CASES 300

static const char plan[] =
    "name: strips\ncommand: validate cantilever --gamma {gamma} --cells 4\ndesign: lhs\ncases: 300\n"
    "vary:\n  - {name: gamma, from: 0.5, to: 50, scale: log}\n"
    "keep:\n  - {name: tip, path: h_over_w}\n  - {name: iterations, path: iterations}\n";

static void hash_of(const char *folder, char hash[64]) {
  char args[300];
  (void)snprintf(args, sizeof args, "sweep gather %s --json", folder);
  json_t *doc = clit_json(args, 0, "sweep gather");
  assert_true(clit_number(doc, "done") == CASES);
  assert_true(clit_number(doc, "differ") == 0);
  (void)snprintf(hash, 64, "%s", json_string_value(json_object_get(doc, "hash")));
  json_decref(doc);
}

static char wanted[64]; /* hash of the whole sweep, played in one go */

static void shards_have_the_bits_of_one_process(void **state) {
  (void)state;
  char hash[64];
  clit_put("plan.yaml", plan);
  json_decref(clit_json("sweep plan.yaml --json", 0, "sweep PLAN"));
  json_decref(clit_json("sweep plan.yaml --local --json", 0, "sweep PLAN --local"));
  hash_of("strips", wanted);
  clit_expect("sweep plan.yaml --out shards --shard 2/3", 0, "100 cases played", "");
  json_t *doc = clit_json("sweep status shards --json", 0, "sweep status");
  assert_true(clit_number(doc, "done") == 100 && clit_number(doc, "missing") == 200);
  json_decref(doc);
  clit_expect("sweep plan.yaml --out shards --shard 1/3", 0, "100 cases played", "");
  clit_expect("sweep plan.yaml --out shards --shard 3/3", 0, "100 cases played", "");
  hash_of("shards", hash);
  assert_string_equal(hash, wanted);
  hash_of("shards", hash); /* a second time */
  assert_string_equal(hash, wanted);
  clit_expect("sweep plan.yaml --out shards --local", 0, "0 cases played, 0 of them failed; 300 were there",
              "");
}

static int done_of(const char *folder) {
  char args[300];
  (void)snprintf(args, sizeof args, "sweep status %s --json", folder);
  json_t *doc = clit_json(args, 0, NULL);
  const int n = (int)clit_number(doc, "done");
  json_decref(doc);
  return n;
}

static void kill_9_loses_nothing_and_repeats_nothing(void **state) {
  (void)state;
  static const char *const words[] = {"sweep", "plan.yaml", "--out", "killed", "--local", NULL};
  char hash[64], path[400];
  int before = 0;
  srand(1);
  for (int i = 0; i < 20; i++) {
    const pid_t pid = prog_start(words, -1, -1);
    cb_sleep_s(0.02 + 0.15 * rand() / RAND_MAX);
    assert_int_equal(kill(pid, SIGKILL), 0);
    assert_int_equal(waitpid(pid, NULL, 0), pid);
    if (access(cbt_path("killed/plan.yaml", path), F_OK) != 0) continue; /* too early for any row */
    const int now = done_of("killed");
    assert_true(now >= before);
    before = now;
  }
  json_t *doc = clit_json("sweep plan.yaml --out killed --local --json", 0, "sweep PLAN --local");
  assert_int_equal(clit_number(doc, "there"), before);
  assert_int_equal(clit_number(doc, "done"), CASES - before);
  json_decref(doc);
  hash_of("killed", hash);
  assert_string_equal(hash, wanted);
}

/* As Slurm does, which plays a task again on another node. */
static void a_killed_shard_goes_on(void **state) {
  (void)state;
  static const char *const words[] = {"sweep", "plan.yaml", "--out", "killed_shards", "--shard", "1/2", NULL};
  char hash[64], path[400];
  int before = 0;
  for (int i = 0; i < 20; i++) {
    const pid_t pid = prog_start(words, -1, -1);
    cb_sleep_s(0.01 + 0.05 * rand() / RAND_MAX);
    assert_int_equal(kill(pid, SIGKILL), 0);
    assert_int_equal(waitpid(pid, NULL, 0), pid);
    if (access(cbt_path("killed_shards/plan.yaml", path), F_OK) != 0) continue;
    const int now = done_of("killed_shards");
    assert_true(now >= before);
    before = now;
  }
  print_message("%d of %d cases done by shards that were killed\n", before, CASES / 2);
  json_t *doc = clit_json("sweep plan.yaml --out killed_shards --shard 1/2 --json", 0, NULL);
  assert_int_equal(clit_number(doc, "there"), before);
  assert_int_equal(clit_number(doc, "done"), CASES / 2 - before);
  json_decref(doc);
  clit_run("sweep plan.yaml --out killed_shards --shard 2/2", 0);
  hash_of("killed_shards", hash);
  assert_string_equal(hash, wanted);
}

static void a_killed_gather_begins_again(void **state) {
  (void)state;
  static const char *const words[] = {"sweep", "gather", "killed", NULL};
  char hash[64], path[400];
  for (int i = 0; i < 20; i++) {
    (void)unlink(cbt_path("killed/results.db", path));
    const pid_t pid = prog_start(words, -1, -1);
    cb_sleep_s(0.03 * rand() / RAND_MAX);
    assert_int_equal(kill(pid, SIGKILL), 0);
    assert_int_equal(waitpid(pid, NULL, 0), pid);
    hash_of("killed", hash);
    assert_string_equal(hash, wanted);
  }
}

/* Starts the sweep and stops it once its plan is there: it listens by then. Returns its status. */
static int stop_sweep(void) {
  static const char *const words[] = {"sweep", "plan.yaml", "--out", "stopped", "--local", NULL};
  char path[400];
  int status;
  const pid_t pid = prog_start(words, -1, -1);
  (void)cbt_path("stopped/plan.yaml", path);
  while (access(path, F_OK) != 0 && waitpid(pid, &status, WNOHANG) == 0) cb_sleep_s(0.001);
  assert_int_equal(access(path, F_OK), 0);
  (void)kill(pid, SIGINT);
  (void)waitpid(pid, &status, 0);
  return status;
}

/* Ctrl-C ends at once; what has ended stays. A busy machine may let the sweep end before this test's turn. */
static void a_stop_keeps_what_has_ended(void **state) {
  (void)state;
  char hash[64], path[400];
  int status = 0;
  for (int i = 0; i < 5 && status == 0; i++) {
    cbt_remove(cbt_path("stopped", path));
    status = stop_sweep();
  }
  assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 1);
  prog_expect("stopped by");
  json_t *doc = clit_json("sweep status stopped --json", 0, "sweep status");
  assert_true(clit_number(doc, "failed") == 0);
  json_decref(doc);
  clit_run("sweep plan.yaml --out stopped --local", 0);
  hash_of("stopped", hash);
  assert_string_equal(hash, wanted);
}

static void failures_are_rows_with_a_sentence(void **state) {
  (void)state;
  clit_put(
      "bad.yaml",
      "name: bad\ncommand: validate cantilever --gamma {gamma} --mesh {mesh} --cells 4\ndesign: grid\nvary:\n"
      "  - {name: gamma, values: [1, 2]}\n  - {name: mesh, values: [right, wrong]}\n"
      "keep:\n  - {name: tip, path: h_over_w}\n");
  clit_expect("sweep bad.yaml", 3, "failed: ", "");
  clit_expect("sweep bad.yaml --local", 3, "4 cases played, 2 of them failed", "");
  json_t *doc = clit_json("sweep status bad --json", 0, "sweep status");
  assert_true(clit_number(doc, "failed") == 2);
  assert_int_equal(json_array_size(json_object_get(doc, "failures")), 1);
  json_decref(doc);
  clit_expect("sweep status bad", 0, "2 failed: ", "");
  clit_expect("sweep bad.yaml --local", 0, "0 cases played", "");
  json_decref(clit_json("sweep retry bad --json", 0, "sweep retry"));
  clit_expect("sweep bad.yaml --local --quiet", 3, "2 cases played, 2 of them failed; 2 were there", "");
  doc = clit_json("sweep status bad --json", 0, NULL);
  const json_t *failure = json_array_get(json_object_get(doc, "failures"), 0);
  assert_non_null(strstr(json_string_value(json_object_get(failure, "sentence")), "wrong"));
  json_decref(doc);
}

static void a_truncated_shard_is_named_and_the_rest_taken(void **state) {
  (void)state;
  char path[400];
  (void)unlink(cbt_path("shards/results.db", path));
  assert_int_equal(truncate(cbt_path("shards/shards/2-of-3.db", path), 5000), 0);
  json_t *doc = clit_json("sweep gather shards --json", 3, "sweep gather");
  assert_true(clit_number(doc, "left_out") == 1 && clit_number(doc, "done") == 200);
  json_decref(doc);
  assert_non_null(strstr(clit_last.err, "2-of-3.db"));
  clit_expect("sweep plan.yaml --out shards --shard 2/3", 1, "", "2-of-3.db");
}

static void what_cannot_be_is_refused(void **state) {
  (void)state;
  clit_put("high.yaml",
           "name: high\ncommand: validate cantilever --gamma {gamma}\ndesign: sobol\ncases: 9\nvary:\n"
           "  - {name: gamma, from: 1, to: 1e9}\nkeep:\n  - {name: tip, path: h_over_w}\n");
  clit_expect("sweep high.yaml --local", 1, "", "--gamma");
  clit_expect("sweep high.yaml --local --quiet", 1, "", "--gamma");
  clit_put("other.yaml",
           "name: strips\ncommand: db init --db {gamma}\ndesign: sobol\ncases: 9\nvary:\n"
           "  - {name: gamma, from: 1, to: 2}\nkeep:\n  - {name: tip, path: h_over_w}\n");
  clit_expect("sweep other.yaml --local", 1, "", "holds another plan");
  clit_expect("sweep other.yaml", 1, "", "sim, validate, predict or fit was wanted");
  clit_expect("sweep plan.yaml --shard 4/3", 2, "", "1 <= K <= N");
  clit_expect("sweep plan.yaml --local --slurm 2", 2, "", "one of --local, --shard and --slurm");
  clit_expect("sweep plan.yaml --dry-run", 2, "", "belong to --slurm");
  clit_expect("sweep wait strips", 2, "", "status, gather, retry, indices or plot");
  clit_expect("sweep status nowhere", 1, "", "no plan.yaml");
  clit_expect("sweep indices strips --of tip", 1, "", "design: indices was wanted");
}

static void a_scene_is_filled_in(void **state) {
  (void)state;
  clit_put(
      "fall.yaml",
      "name: fall\nsheet: {shape: rectangle, length_mm: 100, width_mm: 100, vertices: 50, at_mm: [0, 0, 9]}\n"
      "material: {areal_density_g_per_m2: {w_g_per_m2}, thickness_mm: 1, stretch_warp_N_per_m: 500, "
      "stretch_weft_N_per_m: 500, shear_N_per_m: 50, bend_warp_uN_m: 20, bend_weft_uN_m: 20}\n"
      "time: {duration_s: 0.02, step_ms: 5}\n");
  clit_put("falls.yaml",
           "name: falls\ncommand: sim {scene} --out {folder}\nscene: fall.yaml\ndesign: grid\nkeep_files: "
           "true\nvary:\n"
           "  - {name: w_g_per_m2, values: [100, 200]}\nkeep:\n  - {name: steps, path: steps}\n");
  clit_run("sweep falls.yaml --local", 0);
  char *scene = clit_get("falls/cases/0000001/scene.yaml");
  assert_non_null(strstr(scene, "areal_density_g_per_m2: 200"));
  free(scene);
  char path[400];
  assert_int_equal(access(cbt_path("falls/cases/0000001/view.html", path), F_OK), 0);
}

static void columns_are_drawn(void **state) {
  (void)state;
  clit_expect("sweep plot strips --of tip --over gamma --figure tip.svg", 0, "", "");
  char *svg = clit_get("tip.svg");
  assert_non_null(strstr(svg, "SIMULATED DATA"));
  free(svg);
  clit_expect("sweep plot strips --of tip --over gama --figure tip.svg", 1, "",
              "no column 'gama': there are gamma, tip");
  clit_expect("sweep plot strips --of tip", 2, "", "--over VARIABLE");
  clit_expect("sweep gather strips --over gamma", 2, "", "belong to sweep plot");
}

static void a_job_for_slurm_is_written(void **state) {
  (void)state;
  clit_run("sweep plan.yaml --out job --slurm 7 --partition short --minutes 30 --dry-run", 0);
  static const char *const lines[] = {"#SBATCH --array=1-7\n", "#SBATCH --requeue\n",
                                      "#SBATCH --partition=short\n", "#SBATCH --time=30\n",
                                      "--shard \"$SLURM_ARRAY_TASK_ID\"/7"};
  for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++)
    if (!strstr(clit_last.out, lines[i])) fail_msg("no '%s' in %s", lines[i], clit_last.out);
}

/* Up to the command, a line is Slurm's, a remark, or where the words go; Slurm's have no sign of a shell's.
 */
static void expect_plain_lines(const char *script) {
  char copy[4000], *rest = copy, *line;
  (void)snprintf(copy, sizeof copy, "%s", script);
  while ((line = strtok_r(rest, "\n", &rest)) && strncmp(line, "exec ", 5) != 0)
    if (line[0] != '#' || (strncmp(line, "#SBATCH", 7) == 0 && strpbrk(line, "'\"`$\\;")) ||
        strstr(line, "--uid"))
      fail_msg("'%s' in %s", line, script);
}

/* Names of folders that mean something to a shell, to sbatch's lines and to Slurm's names of files. */
static void a_job_holds_any_folder(void **state) {
  (void)state;
  static const char *const names[] = {"it's",           "a b",   "a %j \\ %a", "$(touch PWNED)", "\"x\" # y",
                                      "`touch PWNED`;", "[a]*?", "\xc3\xa4"};
  char path[400], link[400], target[200], command[1500];
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
    (void)snprintf(target, sizeof target, "odd%s", names[i]);
    assert_int_equal(mkdir(cbt_path(target, path), 0755), 0);
    (void)unlink(cbt_path("lnk", link));
    assert_int_equal(symlink(path, link), 0);
    clit_run("sweep bad.yaml --out lnk/f --slurm 4 --dry-run", 0);
    expect_plain_lines(clit_last.out);
    (void)snprintf(command, sizeof command, "cd '%s' && SLURM_ARRAY_TASK_ID=1 sh lnk/f/job.sh", cbt_folder);
    assert_int_equal(WEXITSTATUS(system(command)), 0);
    assert_int_equal(access(cbt_path("lnk/f/shards/1-of-4.db", path), F_OK), 0);
    assert_int_equal(access(cbt_path("lnk/f/log/1.txt", path), F_OK), 0);
    assert_int_equal(access(cbt_path("PWNED", path), F_OK), -1);
    json_t *doc = clit_json("sweep gather lnk/f --json", 0, "sweep gather");
    assert_true(clit_number(doc, "done") == 1);
    json_decref(doc);
  }
  assert_int_equal(mkdir(cbt_path("a\n#SBATCH --uid=0\ntouch PWNED\n#", path), 0755), 0);
  (void)unlink(link);
  assert_int_equal(symlink(path, link), 0);
  clit_expect("sweep bad.yaml --out lnk/f --slurm 4 --dry-run", 1, "", "the folder's whole path = '/");
  assert_int_equal(access(cbt_path("lnk/f/job.sh", path), F_OK), -1);
  clit_expect("sweep bad.yaml --slurm 4 --dry-run --partition 'a b'", 1, "", "partition = 'a b': letters");
  clit_expect("sweep bad.yaml --slurm 4 --dry-run --account 'a#'", 1, "", "account = 'a#': letters");
  clit_expect(
      "sweep bad.yaml --slurm 4 --dry-run --account "
      "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
      1, "", "at most 63 bytes were wanted");
}

static void indices_are_told(void **state) {
  (void)state;
  clit_put(
      "matter.yaml",
      "name: matter\ncommand: validate cantilever --gamma {gamma} --seed {other} --mesh irregular --cells 4\n"
      "design: indices\ncases: 8\nvary:\n  - {name: gamma, from: 1, to: 10}\n"
      "  - {name: other, from: 1, to: 90, whole: true}\nkeep:\n  - {name: tip, path: h_over_w}\n");
  clit_run("sweep matter.yaml --local", 0);
  clit_run("sweep gather matter", 0);
  json_t *doc = clit_json("sweep indices matter --of tip --json", 0, "sweep indices");
  const json_t *list = json_object_get(doc, "variables");
  assert_true(clit_number(json_array_get(list, 0), "total") > 0.8);
  assert_true(clit_number(json_array_get(list, 1), "total") < 0.2);
  json_decref(doc);
  clit_expect("sweep indices matter --of tip", 0, "gamma", "");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(shards_have_the_bits_of_one_process),
      cmocka_unit_test(kill_9_loses_nothing_and_repeats_nothing),
      cmocka_unit_test(a_killed_shard_goes_on),
      cmocka_unit_test(a_killed_gather_begins_again),
      cmocka_unit_test(a_stop_keeps_what_has_ended),
      cmocka_unit_test(failures_are_rows_with_a_sentence),
      cmocka_unit_test(a_truncated_shard_is_named_and_the_rest_taken),
      cmocka_unit_test(what_cannot_be_is_refused),
      cmocka_unit_test(a_scene_is_filled_in),
      cmocka_unit_test(columns_are_drawn),
      cmocka_unit_test(a_job_for_slurm_is_written),
      cmocka_unit_test(a_job_holds_any_folder),
      cmocka_unit_test(indices_are_told),
  };
  return cmocka_run_group_tests(tests, cbt_folder_set_up, cbt_folder_tear_down);
}
