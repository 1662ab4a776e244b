/* Threads that wait for each other in the commands that compute. */
#ifndef CLI_THREADS_H
#define CLI_THREADS_H

#include <stdbool.h>

/* First of all in main: where the command computes and the user has said nothing of it (GOMP_SPINCOUNT,
 * OMP_WAIT_POLICY, or one thread by OMP_NUM_THREADS), begins the program again with a GOMP_SPINCOUNT so short
 * that threads which wait on a busy machine leave it to others. Returns where there is nothing to do, or it
 * cannot. */
void cli_threads_prepare(char **argv);

#endif
