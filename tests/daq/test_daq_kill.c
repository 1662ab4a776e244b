/* kill -9 in the middle of a campaign, again and again: the database stays whole, at most the last 250 ms of
 * the wall clock are missing, the virtual rig does not outlive its host, and --resume brings the campaign to
 * its end. CB_SLOW=1: 20 kills instead of 5. */
#include "daqtest.h"
#include "progtest.h"

#include <dirent.h>
#include <signal.h>

#include "cb_rng.h"
#include "cb_store.h"
#include "cb_time.h"

#define LOST_S 0.25
#define TIME_SCALE 2.0 /* of rigs/virtual-slow.yaml */

static const char plan[] =
    "name: killed\nkind: friction\ncloth: C\nbody: B\nangles_deg: [0, 90]\nadded_masses_g: [50]\nrepeats: "
    "10\ndirections: "
    "both\nspeed_mm_per_s: 10\n"
    "travel_mm: 10\nzero_s: 0.5\n";

static char db[400], rig[400], campaign[400];

static pid_t start(bool resume) {
  const char *const words[] = {"run", campaign, "--rig", rig, "--db", db, resume ? "--resume" : NULL, NULL};
  return prog_start(words, -1, -1);
}

/* The newest run that is under way, and the run time of its last stored force sample; 0 if there is none. */
static int64_t look(double *last_s) {
  cb_store *s = NULL;
  cb_run *runs = NULL;
  cb_series series = {0};
  cb_run_filter f = cb_run_filter_all();
  size_t n = 0;
  f.status = CB_RUN_RUNNING;
  int64_t id = 0;
  bool found = cb_store_open(db, CB_STORE_READ, &s, NULL) == CB_OK &&
               cb_store_runs(s, &f, &runs, &n, NULL) == CB_OK && n > 0 &&
               cb_store_samples(s, runs[n - 1].id, CB_CHANNEL_FORCE, &series, NULL) == CB_OK && series.n > 0;
  if (found) *last_s = series.t_s[series.n - 1];
  if (found) id = runs[n - 1].id;
  cb_series_clear(&series);
  free(runs);
  (void)cb_store_close(s, NULL);
  return id;
}

/* Watches the database from outside until `for_s` after samples were seen. Nothing is stored before it was
 * measured, so the run cannot have begun later than any (now - last stored run time): the earliest such
 * moment is when it began, to within the few milliseconds of the fastest transaction. A new run starts the
 * estimate anew; cut_id, cut off by the kill before, does not count. */
static double watch(int64_t cut_id, double for_s, int64_t *id) {
  double began_s = INFINITY, last_s, until_s = cb_now_monotonic_s() + CBT_HANG_S;
  *id = 0;
  while (cb_now_monotonic_s() < until_s) {
    int64_t now_id = look(&last_s);
    if (now_id && now_id != cut_id) {
      if (!*id) until_s = cb_now_monotonic_s() + for_s;
      if (*id != now_id) began_s = INFINITY;
      *id = now_id;
      began_s = fmin(began_s, cb_now_monotonic_s() - last_s / TIME_SCALE);
    }
    cb_sleep_s(0.005);
  }
  if (!*id) fail_msg("no sample was stored within %d s; the program says: %s", CBT_HANG_S, prog_words());
  return began_s;
}

/* Is a process still there that was started with our rig file? */
static bool rig_process_left(void) {
  bool left = false;
  DIR *proc = opendir("/proc");
  assert_non_null(proc);
  for (struct dirent *e = readdir(proc); e; e = readdir(proc)) {
    char path[300], line[1024];
    (void)snprintf(path, sizeof path, "/proc/%s/cmdline", e->d_name);
    FILE *f = e->d_name[0] >= '1' && e->d_name[0] <= '9' ? fopen(path, "rb") : NULL;
    if (!f) continue;
    size_t n = fread(line, 1, sizeof line - 1, f);
    fclose(f);
    for (size_t i = 0; i + 1 < n; i++)
      if (line[i] == '\0') line[i] = ' ';
    line[n] = '\0';
    if (strstr(line, rig)) left = true;
  }
  closedir(proc);
  return left;
}

static void expect_no_rig_process(void) {
  double deadline = cb_now_monotonic_s() + 3 * cbt_patience();
  while (rig_process_left())
    if (cb_now_monotonic_s() > deadline)
      fail_msg("the virtual rig outlives its host");
    else
      cb_sleep_s(0.02);
}

static void check_database(void) {
  cb_store *s;
  assert_ok(cb_store_open(db, CB_STORE_READ, &s, err));
  assert_ok(cb_store_check(s, NULL, err));
  assert_ok(cb_store_close(s, err));
}

/* *cut_id: of the run that the kill before cut off, and then of the one that this one does. */
static double kill_once(int64_t *cut_id, double for_s) {
  int status;
  double last_s;
  int64_t id;
  pid_t pid = start(access(db, F_OK) == 0);
  double began_s = watch(*cut_id, for_s, &id), killed_s = cb_now_monotonic_s();
  kill(pid, SIGKILL);
  assert_int_equal(waitpid(pid, &status, 0), pid);
  assert_true(WIFSIGNALED(status)); /* it had not come to its end before */
  check_database();
  expect_no_rig_process();
  *cut_id = look(&last_s);
  /* Between two runs, or before the new one's first transaction, there is nothing to measure by. */
  if (*cut_id != id) return NAN;
  return killed_s - began_s - last_s / TIME_SCALE;
}

static void killed_and_resumed(void **state) {
  (void)state;
  const char *slow = getenv("CB_SLOW");
  int kills = slow && slow[0] ? 20 : 5;
  cb_rng rng;
  cb_rng_init(&rng, 2026, 9);
  int64_t cut_id = 0;
  int measured = 0;
  for (int i = 0; i < kills; i++) {
    double lost_s = kill_once(&cut_id, 0.1 + 0.5 * cb_rng_uniform(&rng));
    print_message("kill %d: the last %.0f ms are missing\n", i + 1, 1e3 * lost_s);
    if (isnan(lost_s)) continue;
    assert_true(lost_s <= LOST_S * cbt_patience());
    measured++;
  }
  assert_true(2 * measured >= kills);
}

static void comes_to_its_end(void **state) {
  (void)state;
  static cbt_result r;
  char arguments[1400];
  cb_store *s;
  cb_run *runs;
  size_t n, done = 0;
  cb_run_filter f = cb_run_filter_all();
  (void)snprintf(arguments, sizeof arguments, "run '%s' --rig '%s/rigs/virtual.yaml' --db '%s' --resume",
                 campaign, CB_SOURCE_DIR, db);
  cbt_run(&r, cbt_folder, arguments);
  if (r.code != 0) fail_msg("--resume: exit %d: %s", r.code, r.err);
  assert_ok(cb_store_open(db, CB_STORE_READ, &s, err));
  assert_ok(cb_store_check(s, NULL, err));
  assert_ok(cb_store_runs(s, &f, &runs, &n, err));
  for (size_t i = 0; i < n; i++) {
    /* Nothing is left open, and nothing cut off passes as done. */
    assert_int_not_equal(runs[i].status, CB_RUN_RUNNING);
    assert_int_equal(runs[i].campaign_id, 1);
    done += runs[i].status == CB_RUN_DONE;
  }
  assert_int_equal(done, 40);
  assert_true(n > 40);
  free(runs);
  assert_ok(cb_store_close(s, err));
}

static int set_up(void **state) {
  cbt_folder_set_up(state);
  (void)cbt_path("t.db", db);
  /* A copy, so that its process can be told from those of other tests. */
  static const char *const pace[][2] = {{"time_scale: 2\n", "time_scale: 2\n"}};
  dt_rig_from("virtual-slow.yaml", cbt_path("rig.yaml", rig), pace, 1);
  cbt_write(cbt_path("campaign.yaml", campaign), plan);
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(killed_and_resumed),
                                     cmocka_unit_test(comes_to_its_end)};
  return cmocka_run_group_tests(tests, set_up, cbt_folder_tear_down);
}
