/* Whole files: nothing half-written, clear sentences. */
#include <fcntl.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#include "cb_out.h"
#include "cbtest.h"

static void writes_replace_or_leave(void **state) {
  (void)state;
  char dir[256], path[300], *text;
  size_t n;
  cbt_scratch(dir);
  (void)snprintf(path, sizeof path, "%s/a.txt", dir);
  cbt_write(path, "one");
  cbt_write(path, "two and more");
  assert_ok(cb_file_read(path, 100, &text, &n, err));
  assert_true(n == 12 && strcmp(text, "two and more") == 0);
  free(text);
  assert_fails(CB_E_RANGE, "larger than the allowed 5 bytes", cb_file_read(path, 5, &text, &n, err));
  assert_null(text);
  assert_fails(CB_E_IO, "is a folder: a regular file was wanted", cb_file_read(dir, 100, &text, &n, err));
  assert_fails(CB_E_IO, "/no/such.csv: cannot be opened", cb_file_read("/no/such.csv", 100, &text, &n, err));
  /* The target is a folder: rename fails, and neither the folder nor a temporary file is left changed. */
  assert_int_equal(mkdir(strcat(strcpy(path, dir), "/folder"), 0777), 0);
  assert_fails(CB_E_IO, "/folder: cannot be written", cb_file_write(path, "x", 1, err));
  char command[600];
  (void)snprintf(command, sizeof command, "test \"$(ls -A '%s' | tr '\\n' ' ')\" = 'a.txt folder '", dir);
  assert_int_equal(system(command), 0);
  cbt_remove(dir);
}

static void folders_are_made_with_their_parents(void **state) {
  (void)state;
  char dir[256], path[400];
  struct stat info;
  cbt_scratch(dir);
  (void)snprintf(path, sizeof path, "%s/a/b/c", dir);
  assert_ok(cb_dir_make(path, err));
  assert_ok(cb_dir_make(path, err));
  assert_true(stat(path, &info) == 0 && S_ISDIR(info.st_mode));
  (void)snprintf(path, sizeof path, "%s/file", dir);
  cbt_write(path, "");
  assert_fails(CB_E_IO, "a file of that name exists", cb_dir_make(path, err));
  assert_fails(CB_E_IO, "the folder cannot be made", cb_dir_make(strcat(path, "/x"), err));
  assert_fails(CB_E_IO, "not a usable folder name", cb_dir_make("", err));
  cbt_remove(dir);
}

/* ---- what is no regular file ---- */

static void make_socket(const char *path) {
  struct sockaddr_un a = {.sun_family = AF_UNIX};
  int fd = socket(AF_UNIX, SOCK_STREAM, 0);
  (void)snprintf(a.sun_path, sizeof a.sun_path, "%.100s", path);
  assert_true(fd >= 0 && bind(fd, (struct sockaddr *)&a, sizeof a) == 0);
  close(fd);
}

/* alarm() ends a test that waits for somebody to write into the pipe. */
static void only_regular_files_are_read_and_at_once(void **state) {
  (void)state;
  char path[400], *text;
  size_t n;
  int ends[2];
  (void)alarm(CBT_HANG_S);
  assert_int_equal(mkfifo(cbt_path("pipe", path), 0666), 0);
  assert_fails(CB_E_IO, "pipe: is a pipe: a regular file was wanted",
               cb_file_read(path, 100, &text, &n, err));
  assert_null(text);
  make_socket(cbt_path("socket", path));
  assert_fails(CB_E_IO, "socket: is a socket", cb_file_read(path, 100, &text, &n, err));
  assert_fails(CB_E_IO, "/dev/zero: is a device: a regular file was wanted",
               cb_file_read("/dev/zero", 100, &text, &n, err));
  assert_fails(CB_E_IO, "is a folder: a regular file was wanted",
               cb_file_read(cbt_folder, 100, &text, &n, err));
  /* What a shell's <(command) gives. */
  assert_int_equal(pipe(ends), 0);
  (void)snprintf(path, sizeof path, "/dev/fd/%d", ends[0]);
  assert_fails(CB_E_IO, "is a pipe: a regular file was wanted", cb_file_read(path, 100, &text, &n, err));
  close(ends[0]);
  close(ends[1]);
  cbt_write(cbt_path("a.txt", path), "one");
  assert_int_equal(symlink(path, cbt_path("link", (char[400]){0})), 0);
  char *through = cbt_read(cbt_path("link", path));
  assert_string_equal(through, "one");
  free(through);
  (void)alarm(0);
}

static void sizes_are_held_to_the_byte(void **state) {
  (void)state;
  char path[400], *text;
  size_t n;
  for (size_t size = 0; size < 9000; size += size < 10 ? 1 : 997) {
    char *data = calloc(1, size + 1);
    memset(data, 'x', size);
    assert_ok(cb_file_write(cbt_path("sized", path), data, size, err));
    assert_ok(cb_file_read(path, size, &text, &n, err));
    assert_true(n == size && memcmp(text, data, size + 1) == 0);
    free(text);
    if (size > 0)
      assert_fails(CB_E_RANGE, "larger than the allowed", cb_file_read(path, size - 1, &text, &n, err));
    free(data);
  }
  /* A file that does not tell its size beforehand. */
  assert_ok(cb_file_read("/proc/self/status", 1 << 20, &text, &n, err));
  assert_true(n > 100 && strlen(text) == n);
  free(text);
}

static void too_many_open_files_are_called_that(void **state) {
  (void)state;
  struct rlimit old, few;
  char path[400], *text;
  size_t n;
  cbt_write(cbt_path("a.txt", path), "one");
  assert_int_equal(getrlimit(RLIMIT_NOFILE, &old), 0);
  few = (struct rlimit){.rlim_cur = 3, .rlim_max = old.rlim_max};
  assert_int_equal(setrlimit(RLIMIT_NOFILE, &few), 0);
  cb_err e[2] = {{""}, {""}};
  cb_status st[2] = {cb_file_read(path, 100, &text, &n, &e[0]), cb_file_write(path, "two", 3, &e[1])};
  assert_int_equal(setrlimit(RLIMIT_NOFILE, &old), 0);
  for (int i = 0; i < 2; i++) {
    assert_int_equal(st[i], CB_E_IO);
    assert_non_null(strstr(e[i].msg, "Too many open files"));
  }
}

/* ---- no half of a file ---- */

static void expect_only(const char *names) {
  char command[700];
  (void)snprintf(command, sizeof command, "test \"$(ls -A '%s' | tr '\\n' ' ')\" = '%s'", cbt_folder, names);
  if (system(command) != 0) fail_msg("other files than %s are there", names);
}

static int fresh_folder(void **state) { return cbt_folder_set_up(state); }

/* Where files may not grow beyond 4096 bytes. */
static void a_file_that_cannot_be_finished_leaves_the_old_one(void **state) {
  (void)state;
  struct rlimit old, small;
  static char big[20000];
  char path[400];
  cb_err e = {""};
  cbt_write(cbt_path("a.txt", path), "old");
  void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);
  assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
  small = (struct rlimit){.rlim_cur = 4096, .rlim_max = old.rlim_max};
  assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
  cb_status st = cb_file_write(path, big, sizeof big, &e);
  assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
  (void)signal(SIGXFSZ, handler);
  assert_int_equal(st, CB_E_IO);
  assert_non_null(strstr(e.msg, "a.txt: cannot be written: File too large"));
  char *text = cbt_read(path);
  assert_string_equal(text, "old");
  free(text);
  expect_only("a.txt ");
}

/* On a file system of 64 KiB, where it may be mounted. */
static void a_full_disk_leaves_the_old_file(void **state) {
  (void)state;
  static char big[200000];
  char path[400];
  if (mount("tmpfs", cbt_folder, "tmpfs", 0, "size=64k") != 0) {
    print_message("skipped: no file system can be mounted here\n");
    return;
  }
  cbt_write(cbt_path("a.txt", path), "old");
  cb_err e = {""};
  cb_status st = cb_file_write(path, big, sizeof big, &e);
  char *text = cbt_read(path);
  expect_only("a.txt ");
  assert_int_equal(umount(cbt_folder), 0);
  assert_int_equal(st, CB_E_IO);
  assert_non_null(strstr(e.msg, "No space left on device"));
  assert_string_equal(text, "old");
  free(text);
}

/* Somebody else's link of the name that the part will have leads nowhere. */
static void a_part_is_never_written_through_a_link(void **state) {
  (void)state;
  char path[400], part[500], victim[400];
  cbt_write(cbt_path("victim", victim), "theirs");
  (void)snprintf(part, sizeof part, "%s.tmp%ld", cbt_path("a.txt", path), (long)getpid());
  assert_int_equal(symlink(victim, part), 0);
  cbt_write(path, "ours");
  char *text = cbt_read(victim);
  assert_string_equal(text, "theirs");
  free(text);
  expect_only("a.txt victim ");
}

static void a_log_grows_over_regular_files_only(void **state) {
  (void)state;
  char path[400];
  FILE *f = NULL;
  cbt_write(cbt_path("log", path), "an older and longer log");
  assert_ok(cb_out_grow(path, &f, err));
  assert_true(fputs("new", f) >= 0 && fflush(f) == 0);
  char *text = cbt_read(path);
  assert_string_equal(text, "new");
  free(text);
  assert_int_equal(fclose(f), 0);
  cbt_write(path, "SQLite format 3");
  assert_ok(cb_out_check(path, err)); /* without its NUL it is a text */
  FILE *db = fopen(path, "wb");
  assert_true(db && fwrite("SQLite format 3\0and more", 24, 1, db) == 1 && fclose(db) == 0);
  assert_fails(CB_E_IO, "a database stands there", cb_out_grow(path, &f, err));
  assert_null(f);
  assert_fails(CB_E_IO, "a database stands there", cb_file_write(path, "x", 1, err));
  assert_fails(CB_E_IO, "is empty, a file name was wanted", cb_file_write("", "x", 1, err));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(writes_replace_or_leave),
                                     cmocka_unit_test(folders_are_made_with_their_parents),
#define IN_FOLDER(f) cmocka_unit_test_setup_teardown(f, fresh_folder, cbt_folder_tear_down)
                                     IN_FOLDER(only_regular_files_are_read_and_at_once),
                                     IN_FOLDER(sizes_are_held_to_the_byte),
                                     IN_FOLDER(too_many_open_files_are_called_that),
                                     IN_FOLDER(a_file_that_cannot_be_finished_leaves_the_old_one),
                                     IN_FOLDER(a_full_disk_leaves_the_old_file),
                                     IN_FOLDER(a_part_is_never_written_through_a_link),
                                     IN_FOLDER(a_log_grows_over_regular_files_only)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
