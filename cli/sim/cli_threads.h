/* Waiting threads of OpenMP in commands that compute. */
#ifndef CLI_THREADS_H
#define CLI_THREADS_H

#include <stdbool.h>

/* Limits how long threads spin while they wait, so that they leave a busy machine to others
 * (docs/method/threads.md, "Threads that wait"). Call it first in main: it starts the program again
 * with a small GOMP_SPINCOUNT. It returns without effect if the command does not compute, if the user has set
 * GOMP_SPINCOUNT, OMP_WAIT_POLICY or OMP_NUM_THREADS=1, or if the restart fails. */
void cli_threads_prepare(char **argv);

#endif
