/* Parts of `clothbench sweep`. */
#ifndef CLI_SWEEP_H
#define CLI_SWEEP_H

#include "swp_home.h"

/* As it was typed. */
typedef struct cli_sweep {
  const char *plan, *folder;               /* folder NULL: the plan's name */
  const char *shard, *partition, *account; /* shard: "K/N" */
  const char *of, *over, *figure;          /* indices, plot */
  const char *csv;                         /* indices; gather */
  double jobs, tasks, minutes;             /* 0: not given */
  bool local, dry_run, json;
} cli_sweep;

/* Plays a command of a case, in its own process: a swp_play. Ends --quiet. */
int cli_sweep_play(int argc, char **argv);

/* Checks the cases k - 1, k - 1 + n, ... by the parser of their command and, for `sim`, the reader of scenes.
 * Nothing is computed. Errors: CB_E_RANGE with the first case that is refused, and why. */
CB_CHECKED cb_status cli_sweep_check(const swp_plan *plan, int k, int n, cb_err *err);

/* sweep PLAN.yaml alone: checks, plays three probes, and tells what the whole costs. Returns a cli_exit. */
int cli_sweep_estimate(const cli_sweep *q);
/* --local, --shard, --slurm. */
int cli_sweep_run(const cli_sweep *q);
int cli_sweep_submit(const cli_sweep *q);
/* sweep status | gather | retry | indices | plot FOLDER. */
int cli_sweep_status(const cli_sweep *q);
int cli_sweep_gather(const cli_sweep *q);
int cli_sweep_retry(const cli_sweep *q);
int cli_sweep_indices(const cli_sweep *q);
int cli_sweep_plot(const cli_sweep *q);

/* A swp_bad_file: says the sentence. */
void cli_sweep_say_bad(void *context, const char *sentence);

#endif
