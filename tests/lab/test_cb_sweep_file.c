/* The file of a sweep: rows that stay, one writer, and merging in any order, any number of times. */
#include "cb_sweep_file.h"

#include <sys/stat.h>

#include "cbtest.h"

#define N 60

static const char *const columns[] = {"gamma_x", "cloth", "tip", "order"};
static const cb_sweep_head head = {"a plan's text", N, columns, 2, 2};

static void put(cb_sweep_file *f, int i, bool failed, double tip) {
  char gamma[32];
  (void)snprintf(gamma, sizeof gamma, "%d.5", i);
  const char *variable[] = {gamma, i % 2 ? "denim" : "3e99"};
  const double figure[] = {failed ? NAN : tip, i};
  const cb_sweep_row row = {i,        failed, failed ? 1 : 0, failed ? "it broke" : "",
                            0.25 * i, "host", variable,       figure};
  assert_ok(cb_sweep_add(f, &row, err));
}

/* Every third case from `from`; case 7 failed, if it is one of them. */
static void make_shard(const char *name, int from) {
  char path[400];
  cb_sweep_file *f;
  assert_ok(cb_sweep_open(cbt_path(name, path), &head, &f, err));
  for (int i = from; i < N; i += 3) put(f, i, i == 7, 0.1 * i);
  cb_sweep_close(f);
}

static void hash_of(const char *name, char hash[33]) {
  char path[400];
  cb_sweep_file *f;
  assert_ok(cb_sweep_read(cbt_path(name, path), &head, &f, err));
  assert_ok(cb_sweep_hash(f, hash, err));
  cb_sweep_close(f);
}

static void merge_all(const char *into, const char *const *from, int n) {
  char path[400], other[400];
  cb_sweep_file *f;
  assert_ok(cb_sweep_open(cbt_path(into, path), &head, &f, err));
  for (int i = 0; i < n; i++) {
    cb_sweep_counts c;
    assert_ok(cb_sweep_merge(f, cbt_path(from[i], other), &c, err));
    assert_int_equal(c.differ, 0);
    assert_int_equal(c.taken + c.known, N / 3);
  }
  cb_sweep_close(f);
}

static void order_and_repetition_change_nothing(void **state) {
  (void)state;
  char a[33], b[33], path[400];
  char said[N];
  make_shard("s0", 0);
  make_shard("s1", 1);
  make_shard("s2", 2);
  merge_all("one", (const char *const[]){"s0", "s1", "s2"}, 3);
  merge_all("two", (const char *const[]){"s2", "s0", "s2", "s1", "s0"}, 5);
  hash_of("one", a);
  hash_of("two", b);
  assert_string_equal(a, b);
  cb_sweep_file *f;
  cb_sweep_sums sums;
  cb_sweep_failure *list;
  size_t n;
  double tip[N];
  assert_ok(cb_sweep_read(cbt_path("two", path), &head, &f, err));
  memset(said, ' ', sizeof said);
  assert_ok(cb_sweep_states(f, said, err));
  for (int i = 0; i < N; i++) assert_int_equal(said[i], i == 7 ? 'f' : 'd');
  assert_ok(cb_sweep_sum(f, &sums, err));
  assert_int_equal(sums.done, N - 1);
  assert_int_equal(sums.failed, 1);
  assert_near(sums.seconds, 0.25 * N * (N - 1) / 2, 1e-9);
  assert_ok(cb_sweep_failures(f, &list, &n, err));
  assert_int_equal(n, 1);
  assert_string_equal(list[0].sentence, "it broke");
  assert_int_equal(list[0].first, 7);
  free(list);
  assert_ok(cb_sweep_column(f, "tip", tip, err));
  for (int i = 0; i < N; i++) assert_true(i == 7 ? isnan(tip[i]) : tip[i] == 0.1 * i);
  assert_fails(CB_E_NOTFOUND, "there are gamma_x, cloth, tip, order", cb_sweep_column(f, "top", tip, err));
  cb_sweep_close(f);
}

/* A case that failed gives way to one that is done; a result never gives way. */
static void done_wins_and_results_stay(void **state) {
  (void)state;
  char path[400], other[400];
  cb_sweep_file *f;
  cb_sweep_counts c;
  double tip[N];
  assert_ok(cb_sweep_open(cbt_path("better", path), &head, &f, err));
  put(f, 7, false, 0.7);
  put(f, 8, false, 99); /* another result than s2 has */
  cb_sweep_close(f);
  assert_ok(cb_sweep_open(cbt_path("three", path), &head, &f, err));
  assert_ok(cb_sweep_merge(f, cbt_path("s1", other), &c, err));
  assert_ok(cb_sweep_merge(f, cbt_path("s2", other), &c, err));
  assert_ok(cb_sweep_merge(f, cbt_path("better", other), &c, err));
  assert_int_equal(c.taken, 1);
  assert_int_equal(c.differ, 1);
  assert_int_equal(c.first, 8);
  assert_ok(cb_sweep_merge(f, cbt_path("s1", other), &c, err)); /* a failure comes again */
  assert_int_equal(c.taken, 0);
  assert_ok(cb_sweep_column(f, "tip", tip, err));
  assert_true(tip[7] == 0.7 && tip[8] == 0.1 * 8);
  cb_sweep_close(f);
}

static void damaged_and_foreign_files_are_refused(void **state) {
  (void)state;
  static const cb_sweep_head other_plan = {"another plan", N, columns, 2, 2};
  static const cb_sweep_head other_columns = {"a plan's text", N, columns, 2, 1};
  char path[400], cut[400], hash[33], after[33];
  struct stat info;
  cb_sweep_file *f;
  cb_sweep_counts c;
  char *bytes;
  size_t n;
  assert_ok(cb_file_read(cbt_path("s0", path), 1 << 24, &bytes, &n, err));
  assert_int_equal(stat(path, &info), 0);
  FILE *to = fopen(cbt_path("cut", cut), "wb");
  assert_non_null(to);
  assert_int_equal(fwrite(bytes, 1, n / 2, to), n / 2);
  assert_int_equal(fclose(to), 0);
  free(bytes);
  hash_of("one", hash);
  assert_ok(cb_sweep_open(cbt_path("one", path), &head, &f, err));
  assert_fails(CB_E_DB, "cut", cb_sweep_merge(f, cut, &c, err));
  cb_sweep_close(f);
  hash_of("one", after);
  assert_string_equal(hash, after);
  assert_fails(CB_E_DB, "another plan", cb_sweep_read(path, &other_plan, &f, err));
  assert_fails(CB_E_DB, "another plan", cb_sweep_read(path, &other_columns, &f, err));
  assert_fails(CB_E_DB, "no file of a sweep", cb_sweep_read(CB_SOURCE_DIR "/materials.db", &head, &f, err));
  assert_fails(CB_E_DB, "", cb_sweep_read(cbt_path("none", path), &head, &f, err));
  assert_int_not_equal(access(path, F_OK), 0);
}

/* The lock of a child that writes; it goes with the child. */
static void there_is_one_writer(void **state) {
  (void)state;
  char path[400];
  int ends[2];
  cb_sweep_file *f;
  assert_int_equal(pipe(ends), 0);
  const pid_t pid = fork();
  if (pid == 0) {
    if (cb_sweep_open(cbt_path("locked", path), &head, &f, NULL) != CB_OK) _exit(1);
    put(f, 3, false, 1);
    if (write(ends[1], "x", 1) != 1) _exit(1);
    for (;;) pause();
  }
  char x;
  assert_int_equal(read(ends[0], &x, 1), 1);
  assert_fails(CB_E_TIMEOUT, "another process plays these cases",
               cb_sweep_open(cbt_path("locked", path), &head, &f, err));
  assert_ok(cb_sweep_read(path, &head, &f, err)); /* a reader is let in */
  cb_sweep_close(f);
  assert_int_equal(kill(pid, 9), 0);
  assert_int_equal(waitpid(pid, NULL, 0), pid);
  assert_ok(cb_sweep_open(path, &head, &f, err));
  char said[N] = {0};
  assert_ok(cb_sweep_states(f, said, err));
  assert_int_equal(said[3], 'd');
  cb_sweep_close(f);
  (void)close(ends[0]);
  (void)close(ends[1]);
}

static void a_table_has_all_rows(void **state) {
  (void)state;
  char path[400], table[400];
  cb_sweep_file *f;
  assert_ok(cb_sweep_read(cbt_path("s1", path), &head, &f, err));
  assert_ok(cb_sweep_csv(f, cbt_path("t.csv", table), err));
  cb_sweep_close(f);
  char *text = cbt_read(table);
  assert_non_null(
      strstr(text,
             "case_no,state,exit_code,sentence,seconds,host,gamma_x,cloth,tip,order\n1,done,0,,0.25,"
             "host,1.5,denim,0.1,1\n"));
  assert_non_null(strstr(text, "\n7,failed,1,it broke,1.75,host,7.5,denim,,7\n"));
  free(text);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(order_and_repetition_change_nothing),
      cmocka_unit_test(done_wins_and_results_stay),
      cmocka_unit_test(damaged_and_foreign_files_are_refused),
      cmocka_unit_test(there_is_one_writer),
      cmocka_unit_test(a_table_has_all_rows),
  };
  return cmocka_run_group_tests(tests, cbt_folder_set_up, cbt_folder_tear_down);
}
