/* A backup is the file as it was at one moment, whole, whoever writes meanwhile; and what does not come to
 * its end leaves nothing. */
#include <pthread.h>
#include <stdatomic.h>

#include "cb_store_file.h"
#include "cb_time.h"
#include "storelab.h"
#include "jsonpage.h"

static const cb_backup_options quick = {.pause = 0};

static void the_copy_holds_everything(void **state) {
  store_lab *l = *state;
  char copy[320];
  cb_store *s;
  cb_store_tally of_copy, of_original;
  (void)snprintf(copy, sizeof copy, "%s/copy.db", l->folder);
  int64_t run = store_lab_run(l, 1, 20000, CB_RUN_DONE);
  assert_ok(cb_store_backup(l->store, copy, &quick, &of_copy, err));
  assert_ok(cb_store_check(l->store, &of_original, err));
  assert_memory_equal(&of_copy, &of_original, sizeof of_copy);
  assert_ok(cb_store_open(copy, CB_STORE_WRITE, &s, err));
  cb_series a, b;
  assert_ok(cb_store_samples(l->store, run, CB_CHANNEL_FORCE, &a, err));
  assert_ok(cb_store_samples(s, run, CB_CHANNEL_FORCE, &b, err));
  assert_true(a.n == 20000 && b.n == 20000);
  assert_memory_equal(a.v, b.v, a.n * sizeof *a.v);
  cb_series_clear(&a), cb_series_clear(&b);
  assert_ok(cb_store_close(s, err));
  assert_fails(CB_E_IO, "copy.db: exists already, a new file was wanted",
               cb_store_backup(l->store, copy, &quick, NULL, err));
  store_lab_expect_only(l, "copy.db lab.db");
}

/* ---- a campaign goes on ---- */

typedef struct writer {
  store_lab *lab;
  atomic_bool stop;
  atomic_int commits;
  double longest_s;
} writer;

static void *write_on(void *context) {
  writer *w = context;
  cb_store *s = NULL;
  double t[500], v[500];
  (void)!cb_store_open(w->lab->db, CB_STORE_WRITE, &s, NULL);
  int64_t next = 0;
  while (s && !atomic_load(&w->stop)) {
    for (int i = 0; i < 500; i++) t[i] = (double)(next + i) / 1e3, v[i] = (double)((next + i) % 4096);
    double began_s = cb_now_monotonic_s();
    if (cb_store_samples_append(s, w->lab->run_id, CB_CHANNEL_FORCE, next, 500, t, v, NULL) != CB_OK) break;
    w->longest_s = fmax(w->longest_s, cb_now_monotonic_s() - began_s);
    next += 500;
    atomic_fetch_add(&w->commits, 1);
    cb_sleep_s(0.002);
  }
  (void)cb_store_close(s, NULL);
  return NULL;
}

typedef struct watch {
  writer *w;
  int commits_seen, calls;
  double last;
} watch;

/* Gives the writer the time for at least one commit between any two pieces. */
static bool on_piece(void *context, double done) {
  watch *k = context;
  assert_true(done >= k->last && done <= 1);
  k->last = done;
  int before = atomic_load(&k->w->commits);
  double until_s = cb_now_monotonic_s() + CBT_HANG_S;
  while (done < 0.69 && atomic_load(&k->w->commits) == before && cb_now_monotonic_s() < until_s)
    cb_sleep_s(0.001);
  k->commits_seen = atomic_load(&k->w->commits);
  k->calls++;
  return true;
}

static void a_writer_goes_on_meanwhile(void **state) {
  store_lab *l = *state;
  char copy[320];
  pthread_t thread;
  writer w = {.lab = l};
  watch k = {.w = &w};
  cb_backup_options opt = {.pause = 0.5, .progress = on_piece, .context = &k};
  cb_store_tally tally;
  (void)snprintf(copy, sizeof copy, "%s/copy.db", l->folder);
  (void)store_lab_run(l, 1, 4000000, CB_RUN_DONE); /* several pieces of 2 MiB */
  l->run_id = store_lab_run(l, 2, 0, CB_RUN_RUNNING);
  assert_int_equal(pthread_create(&thread, NULL, write_on, &w), 0);
  while (atomic_load(&w.commits) < 3) cb_sleep_s(0.001);
  int before = atomic_load(&w.commits);
  assert_ok(cb_store_backup(l->store, copy, &opt, &tally, err));
  atomic_store(&w.stop, true);
  pthread_join(thread, NULL);
  print_message("%d pieces, %d commits meanwhile, the longest took %.0f ms\n", k.calls,
                k.commits_seen - before, 1e3 * w.longest_s);
  /* One moment: all of the finished run, and of the other one what was there when the copy began. */
  assert_true(k.calls >= 3 && k.last == 1 && k.commits_seen > before + 1);
  assert_true(tally.n_samples >= 4000000 + 500 * (uint64_t)before &&
              tally.n_samples <= 4000000 + 500 * (uint64_t)(before + 1));
  assert_ok(cb_store_check(l->store, NULL, err));
}

/* ---- what does not come to its end ---- */

static bool stop_at(void *context, double done) { return done < *(const double *)context; }

static void stopped_leaves_nothing(void **state) {
  store_lab *l = *state;
  char copy[320];
  (void)snprintf(copy, sizeof copy, "%s/copy.db", l->folder);
  (void)store_lab_run(l, 1, 4000000, CB_RUN_DONE);
  for (double when = 0.01; when < 1; when += 0.3) {
    cb_backup_options opt = {.pause = 0, .progress = stop_at, .context = &when};
    cb_err e = {""};
    cb_status st = cb_store_backup(l->store, copy, &opt, NULL, &e);
    /* The last quarter is the check of the copy, which may be done before it is asked again. */
    if (when < 0.7) assert_int_equal(st, CB_E_STOPPED);
    if (st == CB_OK)
      unlink(copy);
    else
      assert_non_null(strstr(e.msg, "nothing is left of it"));
    store_lab_expect_only(l, "lab.db");
  }
}

static void a_damaged_file_is_not_copied(void **state) {
  store_lab *l = *state;
  char copy[320];
  (void)snprintf(copy, sizeof copy, "%s/copy.db", l->folder);
  (void)store_lab_run(l, 1, 100, CB_RUN_DONE);
  store_edit_and_reseal(l->db, "UPDATE sample_chunk SET crc32 = 1");
  assert_fails(CB_E_DB, "the copy is not whole, nothing is left of it",
               cb_store_backup(l->store, copy, &quick, NULL, err));
  store_lab_expect_only(l, "lab.db");
}

static void bad_places_are_refused(void **state) {
  store_lab *l = *state;
  char path[320];
  (void)snprintf(path, sizeof path, "%s/no/copy.db", l->folder);
  assert_fails(CB_E_IO, "cannot be made: No such file", cb_store_backup(l->store, path, &quick, NULL, err));
  (void)snprintf(path, sizeof path, "%s/copy.db.part", l->folder);
  cbt_write(path, "");
  path[strlen(path) - 5] = '\0';
  assert_fails(CB_E_IO, "copy.db.part: exists already", cb_store_backup(l->store, path, &quick, NULL, err));
}

static void on_the_command_line(void **state) {
  store_lab *l = *state;
  static cbt_result r;
  (void)store_lab_run(l, 1, 1000, CB_RUN_DONE);
  cbt_run(&r, l->folder, "db backup copy.db --db lab.db");
  assert_int_equal(r.code, 0);
  assert_string_equal(r.err, "");
  assert_non_null(strstr(r.out,
                         "copy.db: whole; integrity, schema, seals, ranges, references and origins "
                         "verified\n  1 run, 1 channel, 1000 samples in 1 chunk"));
  cbt_run(&r, l->folder, "db backup copy.db --db lab.db");
  assert_int_equal(r.code, 1);
  assert_string_equal(r.err, "clothbench db: copy.db: exists already, a new file was wanted\n");
  cbt_run(&r, l->folder, "db check --json --db copy.db");
  assert_int_equal(r.code, 0);
  assert_non_null(strstr(r.out, "\"samples\": 1000"));
  jp_expect_text("db check", r.out);
}

int main(void) {
#define T(f) cmocka_unit_test_setup_teardown(f, store_lab_set_up, store_lab_tear_down)
  const struct CMUnitTest tests[] = {T(the_copy_holds_everything), T(a_writer_goes_on_meanwhile),
                                     T(stopped_leaves_nothing),    T(a_damaged_file_is_not_copied),
                                     T(bad_places_are_refused),    T(on_the_command_line)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
