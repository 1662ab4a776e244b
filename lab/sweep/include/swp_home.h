/* The folder of a sweep, which holds all of it:
 *
 *   plan.yaml         The plan, with the scene and the list it names beside it.
 *   shards/2-of-8.db  The rows of every 8th case, from case 1: one file per writer (cb_sweep_file.h).
 *   results.db        All rows, once they are gathered.
 *   cases/0000017/    What a case wrote, if the plan keeps files.
 *   job.sh, log/      The job for Slurm, and what its tasks said. */
#ifndef SWP_HOME_H
#define SWP_HOME_H

#include <jansson.h>

#include "cb_stop.h"
#include "cb_sweep_file.h"
#include "swp_indices.h"
#include "swp_run.h"

#define SWP_HOME_BYTES 3800

typedef struct swp_home {
  char folder[SWP_HOME_BYTES];
  swp_plan plan;
  const char *column[SWP_VARIABLES_MAX + SWP_FIGURES_MAX];
  cb_sweep_head head;
} swp_home;

/* Makes the folder of a plan (NULL: the plan's name, in the present folder), or opens it if it holds this
 * very plan. The caller frees *out with swp_home_clear, also on failure.
 * Errors: as swp_plan_load; CB_E_RANGE if the folder holds another plan; CB_E_IO. */
CB_CHECKED cb_status swp_home_make(const char *plan, const char *folder, swp_home *out, cb_err *err);
/* Opens a folder that is there. */
CB_CHECKED cb_status swp_home_open(const char *folder, swp_home *out, cb_err *err);
void swp_home_clear(swp_home *home);

/* Is told the sentence of a file that is damaged or another plan's; the rest goes on. */
typedef void swp_bad_file(void *context, const char *sentence);

/* ---- play ---- */

/* What a run is: part k of n (1 <= k <= n), and how it shows. */
typedef struct swp_share {
  int k, n, jobs;
  swp_play play;
  const cb_stop *stop;
  bool waits; /* for another process that plays this part, as one on a node that Slurm has given up */
  void (*progress)(void *context, int done, int total);
  void *context;
} swp_share;
typedef struct swp_tally {
  int there, done, failed; /* cases of the part that were there before; played now */
} swp_tally;
/* Plays the cases of a part that no file has, and commits each as it ends.
 * Errors: as swp_run and cb_sweep_open. */
CB_CHECKED cb_status swp_home_play(const swp_home *home, const swp_share *share, swp_tally *tally,
                                   cb_err *err);

/* Writes job.sh: an array of tasks, each of which plays a part. A task that Slurm puts on another node goes
 * on where it was. The nodes see the folder and this program under the same paths. home->folder becomes an
 * absolute path.
 * Errors: CB_E_IO, CB_E_NOMEM. */
CB_CHECKED cb_status swp_home_write_job(swp_home *home, const swp_slurm *slurm, int tasks, cb_err *err);
/* Returns the text of job.sh, which the caller frees.
 * Errors: CB_E_IO. */
CB_CHECKED cb_status swp_home_read_job(const swp_home *home, char **text, cb_err *err);
/* Gives job.sh to sbatch; `job` gets its number.
 * Errors: CB_E_IO if there is no sbatch, or it takes no job. */
CB_CHECKED cb_status swp_home_submit(const swp_home *home, char job[64], cb_err *err);

/* ---- tell ---- */

/* How a sweep stands. */
typedef struct swp_standing {
  int done, failed, missing;
  cb_sweep_failure *failure; /* owned; sentences of failures, the most frequent first */
  size_t n_failures;
} swp_standing;
/* Counts the cases in all files. The caller frees out->failure, also on failure. */
CB_CHECKED cb_status swp_home_standing(const swp_home *home, swp_bad_file *bad, void *context,
                                       swp_standing *out, cb_err *err);

typedef struct swp_gathered {
  int files, bad;
  cb_sweep_counts rows;
  cb_sweep_sums sums; /* of results.db, when all is in */
  char hash[33];
} swp_gathered;
/* Gathers all shards into results.db, and writes its rows as a table (csv NULL: none). Any number of times,
 * in any order: the result is the same. */
CB_CHECKED cb_status swp_home_gather(const swp_home *home, const char *csv, swp_bad_file *bad, void *context,
                                     swp_gathered *out, cb_err *err);
/* Forgets the cases that failed, in all files, so that the next run plays them again. */
CB_CHECKED cb_status swp_home_forget_failed(const swp_home *home, int *n, cb_err *err);

typedef struct swp_sensitivity {
  swp_index index[SWP_VARIABLES_MAX];
  int n_rows;
  double mean, sd; /* of the figure */
} swp_sensitivity;
/* Indices of a figure from results.db.
 * Errors: as swp_indices; CB_E_NOTFOUND if there is no such figure; CB_E_DB. */
CB_CHECKED cb_status swp_home_indices(const swp_home *home, const char *figure, swp_sensitivity *out,
                                      cb_err *err);

/* Fills values[n_cases] with a variable or figure from results.db; NAN: not there.
 * Errors: CB_E_NOTFOUND if there is no such column; CB_E_DB. */
CB_CHECKED cb_status swp_home_column(const swp_home *home, const char *name, double *values, cb_err *err);

/* ---- as JSON documents (docs/reference/json/sim.md); the caller owns them; NULL: no memory ---- */

json_t *swp_standing_json(const swp_home *home, const swp_standing *s);
json_t *swp_gathered_json(const swp_home *home, const swp_gathered *g);
json_t *swp_sensitivity_json(const swp_home *home, const char *figure, const swp_sensitivity *s);
json_t *swp_tally_json(const swp_home *home, const swp_tally *t);

#endif
