/* Where a database lies: it is read where nothing may be written, with its log and without; and a copy that
 * lacks its log says so. */
#include <grp.h>
#include <signal.h>
#include <sys/stat.h>

#include "cb_store_file.h"
#include "cb_store_impl.h"
#include "storelab.h"
#include "storetest.h"

/* ---- one who may only read ---- */

#define NOBODY 65534

/* Runs as one for whom rights count: root may do everything. Returns the exit status. */
static int as_reader(int (*act)(const char *db), const char *db) {
  int status;
  const pid_t pid = fork();
  assert_true(pid >= 0);
  if (pid == 0) {
    if (geteuid() == 0 && (setgroups(0, NULL) != 0 || setgid(NOBODY) != 0 || setuid(NOBODY) != 0)) _exit(90);
    _exit(act(db));
  }
  assert_int_equal(waitpid(pid, &status, 0), pid);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* How many materials there are, and the check. */
static int count_materials(const char *db) {
  cb_store *s;
  cb_material *list = NULL;
  size_t n = 80;
  cb_err err = {""};
  if (cb_store_open(db, CB_STORE_READ, &s, &err) != CB_OK || cb_store_check(s, NULL, &err) != CB_OK ||
      cb_store_materials(s, &list, &n, &err) != CB_OK || cb_store_close(s, &err) != CB_OK) {
    print_message("%s\n", err.msg);
    return 80;
  }
  free(list);
  return (int)n;
}

static void put_material(cb_store *s, const char *name) {
  int64_t id;
  s->trusts_names = true;
  assert_ok(cb_store_material_ensure(s, CB_CLOTH, name, CB_MEASURED, &id, err));
}

/* A file with one material, and a log with another one, of a writer that was killed. */
static void leave_log(const char *db) {
  cb_store *s;
  int status;
  assert_ok(cb_store_open(db, CB_STORE_WRITE, &s, err));
  put_material(s, "Twill");
  assert_ok(cb_store_close(s, err));
  const pid_t pid = fork();
  assert_true(pid >= 0);
  if (pid == 0) {
    int64_t id;
    if (cb_store_open(db, CB_STORE_WRITE, &s, NULL) != CB_OK) _exit(1);
    s->trusts_names = true;
    if (cb_store_material_ensure(s, CB_CLOTH, "Satin", CB_MEASURED, &id, NULL) != CB_OK) _exit(2);
    (void)kill(getpid(), SIGKILL);
  }
  assert_int_equal(waitpid(pid, &status, 0), pid);
  assert_true(WIFSIGNALED(status));
}

/* Shuts the folder's files, then the folder. */
static void shut(const char *folder, int files, int self) {
  char command[500];
  (void)snprintf(command, sizeof command, "chmod %o '%s'/* && chmod %o '%s'", files, folder, self, folder);
  assert_int_equal(system(command), 0);
}

static void list_folder(const char *folder, char out[400]) {
  char command[400];
  (void)snprintf(command, sizeof command, "ls -lA --time-style=full-iso '%s'", folder);
  FILE *p = popen(command, "r");
  assert_non_null(p);
  out[fread(out, 1, 399, p)] = '\0';
  assert_int_equal(pclose(p), 0);
}

static void expect_materials(const char *folder, const char *db, int n) {
  char before[400], after[400];
  list_folder(folder, before);
  assert_int_equal(as_reader(count_materials, db), n);
  list_folder(folder, after);
  assert_string_equal(before, after);
}

/* The folder and the file may be shut, the log may be there, with and without the lock file. */
static void it_is_read_where_nothing_may_be_written(void **state) {
  (void)state;
  static const struct {
    const char *name; /* what SQLite could take for a part of a URI */
    bool log, lock;
    int files, folder, materials;
  } cases[] = {{"lab.db", false, false, 0444, 0555, 1}, {"lab 50%25?x#y.db", false, false, 0444, 0555, 1},
               {"lab.db", false, false, 0666, 0555, 1}, {"lab.db", false, false, 0444, 0777, 1},
               {"lab.db", true, true, 0444, 0555, 2},   {"lab.db", true, false, 0444, 0555, 2},
               {"lab?.db", true, false, 0444, 0555, 2}, {"lab.db", true, false, 0444, 0777, 2}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    char folder[256], db[320], other[330];
    cbt_scratch(folder);
    (void)snprintf(db, sizeof db, "%s/%s", folder, cases[i].name);
    leave_log(db);
    (void)snprintf(other, sizeof other, "%s-shm", db);
    if (!cases[i].lock) assert_int_equal(unlink(other), 0);
    (void)snprintf(other, sizeof other, "%s-wal", db);
    if (!cases[i].log) assert_int_equal(unlink(other), 0);
    /* What is left is whole: this file was closed in good order. */
    if (!cases[i].log) {
      cb_store *s;
      assert_ok(cb_store_open(db, CB_STORE_TAKE, &s, err));
      assert_ok(cb_store_close(s, err));
    }
    shut(folder, cases[i].files, cases[i].folder);
    expect_materials(folder, db, cases[i].materials);
    shut(folder, 0666, 0777);
    cbt_remove(folder);
  }
}

static int fails_to_open(const char *db) {
  cb_store *s;
  cb_err err = {""};
  const cb_status st = cb_store_open(db, CB_STORE_READ, &s, &err);
  return st == CB_E_DB && strstr(err.msg, "cannot be opened: Permission denied") ? 0 : 1;
}

static void one_that_may_not_be_read_says_so(void **state) {
  store_fixture *f = *state;
  assert_int_equal(chmod(cbt_folder, 0755), 0);
  assert_int_equal(chmod(f->db, 0), 0);
  assert_int_equal(as_reader(fails_to_open, f->db), 0);
}

/* ---- a writer that comes meanwhile ---- */

static int go_on[2], is_open[2];

static int read_before_and_after(const char *db) {
  cb_store *s;
  cb_material *list;
  size_t n;
  cb_err err = {""};
  char c;
  if (cb_store_open(db, CB_STORE_READ, &s, &err) != CB_OK) return 1;
  if (cb_store_materials(s, &list, &n, &err) != CB_OK) return 2;
  free(list);
  if (write(is_open[1], "x", 1) != 1 || read(go_on[0], &c, 1) != 1) return 3;
  if (cb_store_materials(s, &list, &n, &err) == CB_OK) return 4;
  return strstr(err.msg, "was written by another program while it was read: read it again") ? 0 : 5;
}

static void what_changes_meanwhile_is_refused(void **state) {
  (void)state;
  char db[400], c;
  cb_store *s;
  int status;
  assert_ok(cb_store_open(cbt_path("lab.db", db), CB_STORE_WRITE, &s, err));
  put_material(s, "Twill");
  assert_ok(cb_store_close(s, err));
  shut(cbt_folder, 0444, 0555);
  assert_int_equal(pipe(go_on), 0);
  assert_int_equal(pipe(is_open), 0);
  const pid_t pid = fork();
  assert_true(pid >= 0);
  if (pid == 0) {
    assert_int_equal(close(is_open[0]), 0);
    _exit(as_reader(read_before_and_after, db));
  }
  (void)close(is_open[1]);
  if (read(is_open[0], &c, 1) == 1) {
    shut(cbt_folder, 0644, 0755);
    assert_ok(cb_store_open(db, CB_STORE_WRITE, &s, err));
    put_material(s, "Satin");
    assert_ok(cb_store_close(s, err));
  }
  assert_int_equal(write(go_on[1], "x", 1), 1);
  assert_int_equal(waitpid(pid, &status, 0), pid);
  assert_int_equal(status, 0);
  (void)close(is_open[0]), (void)close(go_on[0]), (void)close(go_on[1]);
}

/* ---- a copy without its log ---- */

static void copy_alone(const char *from, const char *to) {
  size_t n;
  char *bytes;
  assert_ok(cb_file_read(from, 1 << 30, &bytes, &n, err));
  (void)unlink(to); /* never over a database */
  FILE *f = fopen(to, "wb");
  assert_true(f && fwrite(bytes, 1, n, f) == n && fclose(f) == 0);
  free(bytes);
}

static void expect_incomplete(const char *db) {
  cb_store *s;
  assert_fails(CB_E_DB, "is a copy without its log (-wal)", cb_store_open(db, CB_STORE_READ, &s, err));
  assert_fails(CB_E_DB, "'clothbench db init --db ", cb_store_open(db, CB_STORE_WRITE, &s, err));
}

static void expect_whole(const char *db) {
  cb_store *s;
  assert_ok(cb_store_open(db, CB_STORE_READ, &s, err));
  assert_ok(cb_store_check(s, NULL, err));
  assert_ok(cb_store_close(s, err));
}

static void a_copy_without_its_log_says_so(void **state) {
  store_fixture *f = *state;
  char copy[400];
  cb_store *s;
  (void)cbt_path("copy.db", copy);
  put_material(f->s, "Twill");
  copy_alone(f->db, copy);
  expect_incomplete(copy);
  expect_whole(f->db);
  assert_ok(cb_store_open(copy, CB_STORE_TAKE, &s, err));
  assert_ok(cb_store_close(s, err));
  expect_whole(copy);
  assert_ok(cb_store_close(f->s, err));
  copy_alone(f->db, copy);
  expect_whole(copy);
  assert_ok(cb_store_open(f->db, CB_STORE_WRITE, &f->s, err));
}

/* SQLite takes the log into the file now and then; the copy lacks what came later all the same. */
static void a_long_campaign_marks_its_file_again(void **state) {
  store_lab *l = *state;
  char copy[400], log[400];
  struct stat file;
  (void)snprintf(copy, sizeof copy, "%s/copy.db", l->folder);
  (void)snprintf(log, sizeof log, "%s-wal", l->db);
  assert_int_equal(stat(l->db, &file), 0);
  const off_t at_first = file.st_size;
  for (unsigned i = 0; i < 40; i++) {
    (void)store_lab_run(l, i, 100000, CB_RUN_DONE);
    copy_alone(l->db, copy);
    expect_incomplete(copy);
  }
  assert_int_equal(stat(l->db, &file), 0);
  assert_true(file.st_size > 4 * at_first); /* the log went in */
  assert_int_equal(stat(log, &file), 0);
  assert_true(file.st_size < 16 << 20); /* and was used again */
  assert_int_equal(unlink(copy), 0);
  expect_whole(l->db);
}

/* Neither a killed writer nor one that was killed while it set the mark makes an alarm. */
static void a_killed_writer_is_no_alarm(void **state) {
  (void)state;
  char db[400];
  leave_log(cbt_path("lab.db", db));
  expect_whole(db);
  expect_whole(db);
  leave_log(cbt_path("other.db", db));
  const pid_t pid = fork();
  assert_true(pid >= 0);
  if (pid == 0) {
    sqlite3 *h;
    if (sqlite3_open(db, &h) != SQLITE_OK) _exit(1);
    (void)sqlite3_exec(h, "UPDATE meta SET value = '2026-01-01' WHERE key = 'in_use'", NULL, NULL, NULL);
    _exit(sqlite3_changes(h) == 1 && sqlite3_wal_checkpoint(h, "main") == SQLITE_OK ? 0 : 2);
  }
  int status;
  assert_int_equal(waitpid(pid, &status, 0), pid);
  assert_int_equal(status, 0);
  for (int i = 0; i < 2; i++) {
    cb_store *s;
    assert_ok(cb_store_open(db, CB_STORE_READ, &s, err));
    assert_ok(cb_store_close(s, err));
  }
}

static void a_backup_of_that_moment_is_whole(void **state) {
  store_fixture *f = *state;
  char copy[400];
  cb_store *s;
  const cb_backup_options opt = cb_backup_options_default();
  assert_ok(cb_store_open(f->db, CB_STORE_READ, &s, err));
  /* by the program's own connection, whose seals follow */
  assert_int_equal(
      sqlite3_exec(f->s->db, "UPDATE meta SET value = '2026-01-01' WHERE key = 'in_use'", NULL, NULL, NULL),
      SQLITE_OK);
  assert_ok(cb_store_backup(s, cbt_path("copy.db", copy), &opt, NULL, err));
  assert_ok(cb_store_close(s, err));
  expect_whole(copy);
}

static int folder_tear_down(void **state) {
  shut(cbt_folder, 0666, 0777);
  return cbt_folder_tear_down(state);
}

int main(void) {
#define T(f) cmocka_unit_test_setup_teardown(f, cbt_folder_set_up, folder_tear_down)
  const struct CMUnitTest tests[] = {cmocka_unit_test(it_is_read_where_nothing_may_be_written),
                                     STORE_TEST(one_that_may_not_be_read_says_so),
                                     T(what_changes_meanwhile_is_refused),
                                     STORE_TEST(a_copy_without_its_log_says_so),
                                     cmocka_unit_test_setup_teardown(a_long_campaign_marks_its_file_again,
                                                                     store_lab_set_up, store_lab_tear_down),
                                     T(a_killed_writer_is_no_alarm),
                                     STORE_TEST(a_backup_of_that_moment_is_whole)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
