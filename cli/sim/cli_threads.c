#include "cli_threads.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Turns of a waiting thread's loop before it sleeps: docs/method/threads.md, "Threads that wait". */
#define SPINS "1000"
#define SWEEP_KERNELS "Nehalem"

static bool computes(const char *command) {
  static const char *const all[] = {"sim", "validate", "fit", "demo", "sweep"};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    if (strcmp(command, all[i]) == 0) return true;
  return false;
}

/* A case has one thread, and the kernels of OpenBLAS that every x86-64 processor since 2008 has: a case has
 * the same bits wherever it runs (docs/method/simulation.md). */
static void prepare_sweep(char **argv, const char *threads) {
  const char *kernels = getenv("OPENBLAS_CORETYPE");
  if (threads && strcmp(threads, "1") == 0 && kernels && strcmp(kernels, SWEEP_KERNELS) == 0) return;
  if (setenv("OMP_NUM_THREADS", "1", 1) != 0 || setenv("OPENBLAS_CORETYPE", SWEEP_KERNELS, 1) != 0) return;
  (void)execv("/proc/self/exe", argv);
}

/* libgomp reads its environment before main begins: the only way to tell it is to begin again. */
void cli_threads_prepare(char **argv) {
  const char *threads = getenv("OMP_NUM_THREADS");
  if (!argv[0] || !argv[1] || !computes(argv[1])) return;
  if (strcmp(argv[1], "sweep") == 0) {
    prepare_sweep(argv, threads);
    return;
  }
  if (getenv("GOMP_SPINCOUNT") || getenv("OMP_WAIT_POLICY") || (threads && strcmp(threads, "1") == 0)) return;
  if (setenv("GOMP_SPINCOUNT", SPINS, 1) != 0) return;
  (void)execv("/proc/self/exe", argv);
  (void)unsetenv("GOMP_SPINCOUNT"); /* it goes on as it is, and spins */
}
