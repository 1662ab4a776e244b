/* Plays cases of a plan, each in a process of its own, several beside each other. A case that crashes or
 * fails is a row with its sentence and ends nothing else. */
#ifndef SWP_RUN_H
#define SWP_RUN_H

#include "cb_stop.h"
#include "swp_plan.h"

/* A command of clothbench: argv[0] is its name. Prints its result on stdout and sentences on stderr; returns
 * the exit code. It runs in a child process. */
typedef int swp_play(int argc, char **argv);

/* What became of a case. */
typedef struct swp_outcome {
  int index;
  bool failed; /* neither exit code 0 nor 3, or a figure is not there */
  int exit_code;
  char sentence[400];             /* why it failed; else "" */
  double seconds;                 /* by the clock */
  double figure[SWP_FIGURES_MAX]; /* NAN: null in the document, or failed */
} swp_outcome;

typedef struct swp_work {
  const swp_plan *plan;
  swp_play *play;
  const int *cases; /* which, in the order in which they begin */
  int n_cases;
  int jobs;         /* cases beside each other, >= 1 */
  const char *keep; /* folder for the folders of the cases, if the plan keeps files */
  const cb_stop *stop;
  /* Takes an outcome, in the order in which cases end; an error ends the run. */
  cb_status (*take)(void *context, const swp_outcome *outcome, cb_err *err);
  void *context;
} swp_work;

/* The process must not have started threads. What is under way when the run ends early is killed and not
 * taken. Errors: CB_E_STOPPED once stop is set; CB_E_IO if a process or folder cannot be made; CB_E_NOMEM;
 * those of take. */
CB_CHECKED cb_status swp_run(const swp_work *work, cb_err *err);

/* The exact sentence a case would fail with, from what it printed. Parts of swp_run, for tests.
 * status: as from waitpid. */
void swp_outcome_read(const swp_plan *plan, int status, const char *printed, const char *said,
                      swp_outcome *out);

#endif
