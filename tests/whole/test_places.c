/* Places where nothing can be written: a read-only folder and a disk that fills. One sentence, exit 1,
 * nothing half-written. Made with a small tmpfs in a user and mount namespace of the test's own; skipped,
 * saying so, where that is not allowed. */
#include "cbtest.h"

static int no_namespaces(void) {
  if (system("unshare -rm sh -c 'mount -t tmpfs none /mnt' 2>/dev/null") == 0) return 0;
  print_message("skipped: mount namespaces are not allowed here\n");
  return 1;
}

/* Runs a shell script with DIR/disk as a tmpfs of `size`, $cb as the program; the streams of its last command
 * are .out and .err. */
static int with_disk(const char *size, const char *script, char *err, size_t n) {
  char command[4096], path[300];
  (void)snprintf(command, sizeof command,
                 "cd '%s' && mkdir -p disk && cb='%s' src='%s' unshare -rm sh -c 'mount -t tmpfs -o size=%s "
                 "none disk || exit 99\n%s' >.out 2>.err",
                 cbt_folder, CB_EXE, CB_SOURCE_DIR, size, script);
  int status = system(command);
  (void)snprintf(path, sizeof path, "%s/.err", cbt_folder);
  FILE *f = fopen(path, "rb");
  size_t got = f ? fread(err, 1, n - 1, f) : 0;
  err[got] = '\0';
  if (f) fclose(f);
  return WEXITSTATUS(status);
}

/* A table of the published form, far larger than the disk. */
static void write_table(int rows) {
  char path[300];
  (void)snprintf(path, sizeof path, "%s/big.csv", cbt_folder);
  FILE *f = fopen(path, "w");
  assert_non_null(f);
  fprintf(f, "table,body,cloth,angle_deg,added_mass_g,cart_mass_g,s_mV_per_V,mu\n");
  for (int i = 0; i < rows; i++) fprintf(f, "2,Foam,Twill,%d,%d,3.0,0.5,\n", 45 * (i % 3), 10 + i);
  assert_int_equal(fclose(f), 0);
}

static void a_disk_that_fills_during_an_import(void **state) {
  (void)state;
  char err[4096];
  if (no_namespaces()) skip();
  write_table(5000);
  int code = with_disk("1100k",
                       "$cb db init --db disk/lab.db || exit 98\n"
                       "$cb import friction --mapping $src/rigs/import/chen2013_loads.yaml big.csv --db "
                       "disk/lab.db && exit 97\n"
                       "[ $? = 1 ] || exit 96\n"
                       "$cb db check --db disk/lab.db || exit 95\n"
                       "[ -z \"$($cb db ls --db disk/lab.db)\" ] || exit 94",
                       err, sizeof err);
  if (code != 0) fail_msg("exit %d: %s", code, err);
  if (!strstr(err, "the disk is full, nothing of this step was written"))
    fail_msg("'%s' does not say that the disk is full", err);
}

static void a_disk_too_small_for_a_database(void **state) {
  (void)state;
  char err[4096];
  if (no_namespaces()) skip();
  int code =
      with_disk("16k", "$cb db init --db disk/lab.db && exit 97\n[ $? = 1 ] && [ -z \"$(ls -A disk)\" ]", err,
                sizeof err);
  if (code != 0) fail_msg("exit %d: %s", code, err);
  if (!strstr(err, "disk/lab.db: ")) fail_msg("'%s' names no place", err);
}

/* The first write is the program's own mark, before a stage is opened. */
static void a_campaign_on_a_full_disk_moves_nothing(void **state) {
  (void)state;
  char err[4096];
  if (no_namespaces()) skip();
  int code = with_disk("2m",
                       "$cb db init --db disk/lab.db --quiet || exit 98\n"
                       "dd if=/dev/zero of=disk/fill bs=4k 2>/dev/null && exit 97\n"
                       "$cb run $src/rigs/campaign-small.yaml --rig $src/rigs/virtual.yaml --yes --db "
                       "disk/lab.db && exit 96\n[ $? = 1 ] || exit 95\n"
                       "rm disk/fill\n[ -z \"$($cb db ls --db disk/lab.db)\" ] || exit 94",
                       err, sizeof err);
  if (code != 0) fail_msg("exit %d: %s", code, err);
  if (!strstr(err, "the disk is full") || strstr(err, "stage")) fail_msg("'%s'", err);
}

/* A reader needs no room. */
static void a_full_disk_is_read(void **state) {
  (void)state;
  char err[4096];
  if (no_namespaces()) skip();
  int code = with_disk("2m",
                       "$cb db init --db disk/lab.db --quiet || exit 98\n"
                       "dd if=/dev/zero of=disk/fill bs=4k 2>/dev/null && exit 97\n"
                       "$cb db check --db disk/lab.db || exit 96",
                       err, sizeof err);
  if (code != 0) fail_msg("exit %d: %s", code, err);
}

static void a_read_only_folder(void **state) {
  (void)state;
  char err[4096];
  if (no_namespaces()) skip();
  int code = with_disk("2m",
                       "$cb db init --db disk/lab.db || exit 98\nmount -o remount,ro disk || exit 97\n"
                       "$cb db check --db disk/lab.db || exit 96\n"
                       "$cb db init --db disk/new.db && exit 95\n[ $? = 1 ] || exit 94\n"
                       "$cb db init --db disk/lab.db && exit 93\n[ $? = 1 ]",
                       err, sizeof err);
  if (code != 0) fail_msg("exit %d: %s", code, err);
  if (!strstr(err, "disk/new.db: cannot be opened: the folder does not exist or is read-only"))
    fail_msg("'%s'", err);
  if (!strstr(err, "disk/lab.db: cannot be opened: the folder does not exist or is read-only"))
    fail_msg("'%s'", err);
}

int main(void) {
#define T(f) cmocka_unit_test_setup_teardown(f, cbt_folder_set_up, cbt_folder_tear_down)
  const struct CMUnitTest tests[] = {
      T(a_disk_that_fills_during_an_import), T(a_disk_too_small_for_a_database),
      T(a_campaign_on_a_full_disk_moves_nothing), T(a_full_disk_is_read), T(a_read_only_folder)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
