/* An installed program reads the files that were installed with it, not those of the source tree. */
#include "cbtest.h"

static void run_shell(const char *fmt, ...) CB_PRINTF(1, 2);
static void run_shell(const char *fmt, ...) {
  char command[4000];
  va_list args;
  va_start(args, fmt);
  (void)vsnprintf(command, sizeof command, fmt, args);
  va_end(args);
  if (system(command) != 0) fail_msg("failed: %s", command);
}

static void files_beside_the_program_are_read(void **state) {
  (void)state;
  char command[2000];
  run_shell("cmake --install '%s' --prefix '%s/prefix' >/dev/null", CB_BUILD_DIR, cbt_folder);
  run_shell(
      "test -s '%s/prefix/share/clothbench/materials.db' -a -s '%s/prefix/share/clothbench/scenes/drop.yaml'",
      cbt_folder, cbt_folder);
  run_shell("echo 'name: [' >'%s/prefix/share/clothbench/rigs/virtual.yaml'", cbt_folder);
  (void)snprintf(command, sizeof command, "cd '%s' && prefix/bin/clothbench demo >/dev/null 2>said",
                 cbt_folder);
  assert_int_not_equal(system(command), 0);
  char *said = cbt_read(cbt_path("said", command));
  if (!strstr(said, "prefix/share/clothbench/rigs/virtual.yaml")) fail_msg("%s", said);
  free(said);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(files_beside_the_program_are_read)};
  return cmocka_run_group_tests(tests, cbt_folder_set_up, cbt_folder_tear_down);
}
