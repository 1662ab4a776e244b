/* How many threads a scene gets, by its size and by what other programs leave. */
#include <omp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cb_threads.h"
#include "cbtest.h"

static void test_threads_by_size(void **state) {
  (void)state;
  const int before = omp_get_max_threads();
  const char *told = getenv("OMP_NUM_THREADS");
  char kept[32] = "";
  (void)snprintf(kept, sizeof kept, "%s", told ? told : "");
  (void)unsetenv("OMP_NUM_THREADS");
  const int vertices[] = {10, 2 * CB_VERTICES_PER_THREAD, 10 * CB_VERTICES_PER_THREAD}, wanted[] = {1, 2, 4};
  for (int k = 0; k < 3; k++) {
    omp_set_num_threads(4);
    cb_threads_fit(vertices[k]);
    assert_int_equal(omp_get_max_threads(), wanted[k]);
    assert_int_equal(cb_threads_within(3), wanted[k] < 3 ? wanted[k] : 3);
  }
  (void)setenv("OMP_NUM_THREADS", "4", 1);
  cb_threads_fit(10);
  assert_int_equal(omp_get_max_threads(), 4);
  if (kept[0]) (void)setenv("OMP_NUM_THREADS", kept, 1);
  omp_set_num_threads(before);
}

/* Begins a program that computes and does nothing else, until it is killed. */
static pid_t begin_busy(void) {
  const pid_t pid = fork();
  assert_true(pid >= 0);
  if (pid == 0) {
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    for (volatile unsigned k = 0;; k++) continue;
  }
  return pid;
}

/* With a busy program on each processor, one thread is left. With OMP_NUM_THREADS nothing changes. */
static void test_threads_beside_programs(void **state) {
  (void)state;
  const int before = omp_get_max_threads(), processors = omp_get_num_procs();
  const char *told = getenv("OMP_NUM_THREADS");
  char kept[32] = "";
  (void)snprintf(kept, sizeof kept, "%s", told ? told : "");
  pid_t busy[256];
  const int n = processors < 256 ? processors : 256;
  for (int k = 0; k < n; k++) busy[k] = begin_busy();
  for (int obeyed = 0; obeyed < 2; obeyed++) {
    if (obeyed) (void)setenv("OMP_NUM_THREADS", "2", 1);
    if (!obeyed) (void)unsetenv("OMP_NUM_THREADS");
    omp_set_num_threads(2);
    cb_threads_share share = {0};
    const double begin_s = omp_get_wtime();
    while (omp_get_wtime() - begin_s < 2) {
      (void)usleep(50000);
      cb_threads_leave(&share);
    }
    assert_int_equal(omp_get_max_threads(), obeyed ? 2 : 1);
  }
  for (int k = 0; k < n; k++) {
    assert_int_equal(kill(busy[k], SIGKILL), 0);
    assert_int_equal(waitpid(busy[k], NULL, 0), busy[k]);
  }
  if (kept[0]) (void)setenv("OMP_NUM_THREADS", kept, 1);
  if (!kept[0]) (void)unsetenv("OMP_NUM_THREADS");
  omp_set_num_threads(before);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_threads_by_size),

                                     cmocka_unit_test(test_threads_beside_programs)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
