/* SIGKILL at any moment of writing: the file stays whole, and every sample whose commit was acknowledged is
 * there. A child writes runs as the recorder does (tails, chunks, ends) and acknowledges each commit on a
 * pipe; then it is killed, and the file is looked at. 20 kills; CB_SLOW=1: 1000. (The whole program is killed
 * in test_daq_kill.c.) */
#include <poll.h>
#include <signal.h>

#include "cb_rng.h"
#include "cb_time.h"
#include "storelab.h"

#define KILLS_PER_FILE 25
#define LARGEST 20000
#define N_CHANNELS 3

/* What was committed when it was sent; small enough for a pipe to take it whole. */
typedef struct acknowledgement {
  int64_t run_id, n[N_CHANNELS];
  bool ended;
} acknowledgement;

static double time_of(int64_t i) { return (double)(i * 100) / 1e6; }
static double value_of(int64_t i, int channel) { return (double)((i * 7919 + 13 * channel) % 50021) / 10; }

/* ---- the child ---- */

#define CHILD_TRY(call) \
  if ((call) != CB_OK) _exit(3)

static void append(cb_store *s, acknowledgement *a, int channel, int64_t n) {
  static double t[LARGEST], v[LARGEST];
  for (int64_t i = 0; i < n; i++) {
    t[i] = time_of(a->n[channel] + i);
    v[i] = value_of(a->n[channel] + i, channel);
  }
  CHILD_TRY(cb_store_samples_append(s, a->run_id, (cb_channel)channel, a->n[channel], (size_t)n, t, v, NULL));
  a->n[channel] += n;
}

static void begin_run(store_lab *l, acknowledgement *a) {
  cb_run run = l->like;
  run.status = CB_RUN_RUNNING;
  CHILD_TRY(cb_store_run_put(l->store, &run, NULL));
  *a = (acknowledgement){.run_id = run.id};
}

static void write_until_killed(store_lab *l, int pipe, uint64_t seed) {
  cb_rng rng;
  acknowledgement a;
  cb_rng_init(&rng, seed, 1);
  CHILD_TRY(cb_store_open(l->db, CB_STORE_WRITE, &l->store, NULL));
  begin_run(l, &a);
  for (;;) {
    CHILD_TRY(cb_store_begin(l->store, NULL));
    for (int c = 0; c < N_CHANNELS; c++)
      append(l->store, &a, c, (int64_t)(cb_rng_uniform(&rng) < 0.1 ? LARGEST : 4000 * cb_rng_uniform(&rng)));
    CHILD_TRY(cb_store_commit(l->store, NULL));
    a.ended = cb_rng_uniform(&rng) < 0.1;
    if (a.ended) CHILD_TRY(cb_store_run_finish(l->store, a.run_id, CB_RUN_DONE, "", NULL));
    if (write(pipe, &a, sizeof a) != sizeof a) _exit(4);
    if (a.ended) begin_run(l, &a);
  }
}

/* ---- the parent ---- */

static void expect_samples(const store_lab *l, const acknowledgement *a) {
  for (int c = 0; c < N_CHANNELS; c++) {
    cb_series s;
    assert_ok(cb_store_samples(l->store, a->run_id, (cb_channel)c, &s, err));
    if ((int64_t)s.n < a->n[c])
      fail_msg("run %lld: %lld samples were acknowledged, %zu are there", (long long)a->run_id,
               (long long)a->n[c], s.n);
    for (size_t i = 0; i < s.n; i++)
      assert_true(s.t_s[i] == time_of((int64_t)i) && s.v[i] == value_of((int64_t)i, c));
    cb_series_clear(&s);
  }
}

/* Reads until the pipe is closed; the last word on each run counts. Returns how many samples were
 * acknowledged. */
static int64_t expect_acknowledged(const store_lab *l, int pipe) {
  acknowledgement a, last = {0};
  int64_t all = 0;
  bool more = true;
  while (more) {
    more = read(pipe, &a, sizeof a) == sizeof a;
    if (last.run_id && (!more || a.run_id != last.run_id)) {
      cb_run run;
      expect_samples(l, &last);
      assert_ok(cb_store_run_get(l->store, last.run_id, &run, err));
      if (last.ended) assert_int_equal(run.status, CB_RUN_DONE);
      for (int c = 0; c < N_CHANNELS; c++) all += last.n[c];
    }
    last = a;
  }
  return all;
}

/* Two of three writers are killed after their first commit, the third at any moment. *commit_s: how long the
 * last first commit took on this machine, under its present load; 0: none yet. */
static void wait_for_the_end(int pipe, uint64_t seed, double share, double *commit_s) {
  const double began_s = cb_now_monotonic_s();
  if (seed % 3 != 0 || *commit_s == 0) {
    assert_int_equal(poll(&(struct pollfd){.fd = pipe, .events = POLLIN}, 1, -1), 1);
    *commit_s = cb_now_monotonic_s() - began_s;
  }
  cb_sleep_s(share * *commit_s);
}

static int64_t kill_once(store_lab *l, uint64_t seed, double share, double *commit_s) {
  int ends[2], status;
  cb_store_tally before, after;
  size_t n;
  assert_int_equal(pipe(ends), 0);
  pid_t pid = fork();
  assert_true(pid >= 0);
  if (pid == 0) {
    close(ends[0]);
    write_until_killed(l, ends[1], seed);
  }
  close(ends[1]);
  wait_for_the_end(ends[0], seed, share, commit_s);
  kill(pid, SIGKILL);
  assert_int_equal(waitpid(pid, &status, 0), pid);
  if (!WIFSIGNALED(status)) fail_msg("the writer failed by itself: exit %d", WEXITSTATUS(status));
  assert_ok(cb_store_open(l->db, CB_STORE_WRITE, &l->store, err));
  assert_ok(cb_store_check(l->store, &before, err));
  int64_t acknowledged = expect_acknowledged(l, ends[0]);
  /* What a resumed campaign does: the tails are packed, and nothing is lost by that either. */
  assert_ok(cb_store_runs_interrupt(l->store, l->like.campaign_id, &n, err));
  assert_ok(cb_store_check(l->store, &after, err));
  assert_true(n <= 1 && after.n_tails == 0 && after.n_samples == before.n_samples);
  assert_ok(cb_store_close(l->store, err));
  close(ends[0]);
  return acknowledged;
}

static void new_file(store_lab *l) {
  (void)unlink(l->db);
  assert_ok(cb_store_open(l->db, CB_STORE_WRITE, &l->store, err));
  store_lab_fill(l);
  assert_ok(cb_store_close(l->store, err));
  l->store = NULL;
}

static void nothing_acknowledged_is_lost(void **state) {
  (void)state;
  static store_lab l;
  const char *slow = getenv("CB_SLOW");
  int kills = slow && slow[0] ? 1000 : 20, hit = 0;
  int64_t acknowledged = 0;
  double commit_s = 0;
  cb_rng rng;
  cb_rng_init(&rng, 2026, 11);
  cbt_scratch(l.folder);
  (void)snprintf(l.db, sizeof l.db, "%s/lab.db", l.folder);
  for (int i = 0; i < kills; i++) {
    if (i % KILLS_PER_FILE == 0) new_file(&l);
    int64_t n = kill_once(&l, (uint64_t)i, 2 * cb_rng_uniform(&rng), &commit_s);
    acknowledged += n;
    hit += n > 0;
  }
  print_message("%d kills, %d of them after a commit; %lld samples acknowledged, 0 lost, 0 files damaged\n",
                kills, hit, (long long)acknowledged);
  assert_true(3 * hit > kills);
  cbt_remove(l.folder);
}

/* Killed while the file itself is made: it is new, or it has its schema; never a file that cannot be
 * opened. */
static void killed_while_the_file_is_made(void **state) {
  (void)state;
  static store_lab l;
  const char *slow = getenv("CB_SLOW");
  int kills = slow && slow[0] ? 200 : 10;
  cb_rng rng;
  cb_rng_init(&rng, 2026, 12);
  cbt_scratch(l.folder);
  (void)snprintf(l.db, sizeof l.db, "%s/lab.db", l.folder);
  for (int i = 0; i < kills; i++) {
    pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) _exit(cb_store_open(l.db, CB_STORE_WRITE, &l.store, NULL) != CB_OK);
    cb_sleep_s(0.02 * cb_rng_uniform(&rng));
    kill(pid, SIGKILL);
    assert_int_equal(waitpid(pid, NULL, 0), pid);
    assert_ok(cb_store_open(l.db, CB_STORE_WRITE, &l.store, err));
    assert_ok(cb_store_check(l.store, NULL, err));
    assert_ok(cb_store_close(l.store, err));
    assert_int_equal(unlink(l.db), 0);
  }
  cbt_remove(l.folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(nothing_acknowledged_is_lost),
                                     cmocka_unit_test(killed_while_the_file_is_made)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
