/* Plays cases of a plan, each in a process of its own, several beside each other. A case that crashes or
 * fails is a row with its sentence and ends nothing else. */
#ifndef SWP_RUN_H
#define SWP_RUN_H

#include "swp_plan.h"

/* A command of clothbench: argv[0] is its name. Prints its result on stdout and sentences on stderr; returns
 * the exit code. It runs in a child process. */
typedef int (*swp_play)(int argc, char **argv);

/* What became of a case. */
typedef struct swp_outcome {
  int index;
  bool failed; /* neither exit code 0 nor 3, or a figure is not there */
  int exit_code;
  char sentence[400];             /* why it failed; else "" */
  double seconds;                 /* by the clock */
  double figure[SWP_FIGURES_MAX]; /* NAN: null in the document, or failed */
} swp_outcome;

#endif
