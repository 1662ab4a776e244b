/* Whole files: nothing half-written, clear sentences. */
#include <sys/stat.h>

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

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(writes_replace_or_leave), cmocka_unit_test(folders_are_made_with_their_parents)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
