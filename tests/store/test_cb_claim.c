/* Who measures a campaign: a claim lives exactly as long as its process. */
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cb_claim.h"
#include "cb_time.h"
#include "cbtest.h"

static char db[400], running[420];

static int set_up(void **state) {
  cbt_folder_set_up(state);
  cbt_write(cbt_path("a.db", db), "a database");
  (void)snprintf(running, sizeof running, "%s-running", db);
  return 0;
}

static void one_at_a_time(void **state) {
  (void)state;
  cb_claim first, second, other;
  char who[CB_CLAIM_WHO], wanted[64];
  (void)snprintf(wanted, sizeof wanted, "campaign 7 is being measured by process %ld of ", (long)getpid());
  assert_false(cb_claim_holder(db, 7, who));
  assert_string_equal(who, "");
  assert_ok(cb_claim_take(db, 7, &first, err));
  assert_fails(CB_E_DB, wanted, cb_claim_take(db, 7, &second, err));
  assert_true(cb_claim_holder(db, 7, who));
  assert_non_null(strstr(wanted, "process "));
  assert_int_equal(strncmp(who, strstr(wanted, "process "), strlen(strstr(wanted, "process "))), 0);
  assert_false(cb_claim_holder(db, 8, who));
  assert_ok(cb_claim_take(db, 8, &other, err));
  cb_claim_release(&first);
  assert_false(cb_claim_holder(db, 7, who));
  assert_true(cb_claim_holder(db, 8, who));
  assert_ok(cb_claim_take(db, 7, &second, err));
  cb_claim_release(&second);
  assert_int_equal(access(running, F_OK), 0);
  cb_claim_release(&other);
  assert_int_not_equal(access(running, F_OK), 0); /* nothing is left behind */
  cb_claim_release(&other);
}

/* By another name, the file is the same. */
static void another_name(void **state) {
  (void)state;
  cb_claim first, second;
  char link[400];
  assert_int_equal(symlink("a.db", cbt_path("b.db", link)), 0);
  assert_ok(cb_claim_take(db, 1, &first, err));
  assert_fails(CB_E_DB, "is being measured by", cb_claim_take(link, 1, &second, err));
  cb_claim_release(&first);
}

static pid_t claim_in_child(int64_t campaign_id) {
  int ends[2];
  char c;
  assert_int_equal(pipe(ends), 0);
  pid_t pid = fork();
  assert_true(pid >= 0);
  if (pid == 0) {
    cb_claim claim;
    if (cb_claim_take(db, campaign_id, &claim, NULL) != CB_OK || write(ends[1], "", 1) != 1) _exit(1);
    for (;;) pause();
  }
  close(ends[1]);
  assert_int_equal(read(ends[0], &c, 1), 1);
  close(ends[0]);
  return pid;
}

/* A process that is stopped lives; one that was killed has left its file and no lock. */
static void killed(void **state) {
  (void)state;
  cb_claim claim;
  char who[CB_CLAIM_WHO];
  pid_t pid = claim_in_child(3);
  assert_int_equal(kill(pid, SIGSTOP), 0);
  assert_fails(CB_E_DB, "campaign 3 is being measured by", cb_claim_take(db, 3, &claim, err));
  assert_int_equal(kill(pid, SIGKILL), 0);
  assert_int_equal(waitpid(pid, NULL, 0), pid);
  assert_int_equal(access(running, F_OK), 0);
  assert_false(cb_claim_holder(db, 3, who));
  assert_ok(cb_claim_take(db, 3, &claim, err));
  cb_claim_release(&claim);
  assert_int_not_equal(access(running, F_OK), 0);
}

/* A laboratory's database is the group's, and so is its lock, whatever the umask of who makes it. */
static void permissions(void **state) {
  (void)state;
  struct stat info;
  cb_claim claim;
  mode_t before = umask(077);
  assert_int_equal(chmod(db, 0664), 0);
  assert_ok(cb_claim_take(db, 1, &claim, err));
  (void)umask(before);
  assert_int_equal(stat(running, &info), 0);
  assert_int_equal(info.st_mode & 0777, 0664);
  cb_claim_release(&claim);
}

static void no_folder(void **state) {
  (void)state;
  cb_claim claim;
  assert_fails(CB_E_IO, "cannot be opened", cb_claim_take("/nowhere/a.db", 1, &claim, err));
  assert_int_equal(claim.campaign_id, 0);
}

int main(void) {
#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, cbt_folder_tear_down)
  const struct CMUnitTest tests[] = {TEST(one_at_a_time), TEST(another_name), TEST(killed), TEST(permissions),
                                     TEST(no_folder)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
