/* The file of a sweep: one row per case that was played. It is a SQLite file of its own, apart from the
 * database of measurements: its columns are those of one plan. docs/reference/sweep-file.md describes it.
 *
 *   sweep_head   the plan, the program's version, the number of cases
 *   sweep        case_no, state ('done' or 'failed'), exit_code, sentence, seconds, host, then a column per
 *                variable and a column per figure of the plan
 *
 * Every row is committed as it comes, with a rollback journal. There is no write-ahead log, which a network
 * file system cannot hold. */
#ifndef CB_SWEEP_FILE_H
#define CB_SWEEP_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cb_err.h"

typedef struct cb_sweep_file cb_sweep_file;

/* What makes a file that of one sweep. The texts stay the caller's, for the life of the file. */
typedef struct cb_sweep_head {
  const char *plan;          /* its text */
  int n_cases;               /* 1 .. 10 million */
  const char *const *column; /* names of the variables, then of the figures */
  size_t n_variables, n_figures;
} cb_sweep_head;

typedef struct cb_sweep_row {
  int case_no;
  bool failed;
  int exit_code;
  const char *sentence; /* why it failed; else "" */
  double seconds;
  const char *host;
  const char *const *variable; /* as typed; a number becomes a number */
  const double *figure;        /* NAN becomes NULL */
} cb_sweep_row;

/* Opens the file of this sweep for writing, and makes it if it is not there. Another process that writes to
 * it is refused for as long as this one lives. The caller closes *out. Errors: CB_E_DB if it is damaged, or
 * the file of another sweep or plan; CB_E_TIMEOUT if another process writes to it; CB_E_NOMEM. */
CB_CHECKED cb_status cb_sweep_open(const char *path, const cb_sweep_head *head, cb_sweep_file **out,
                                   cb_err *err);
/* Opens a file for reading and checks it whole.
 * Errors: the same, and CB_E_DB if it is not there. */
CB_CHECKED cb_status cb_sweep_read(const char *path, const cb_sweep_head *head, cb_sweep_file **out,
                                   cb_err *err);
/* NULL is allowed. */
void cb_sweep_close(cb_sweep_file *f);

/* Adds a row, and commits. A case that is there stays as it is, unless it failed.
 * Errors: CB_E_DB. */
CB_CHECKED cb_status cb_sweep_add(cb_sweep_file *f, const cb_sweep_row *row, cb_err *err);

/* Marks the cases that are there: 'd' done, 'f' failed. state has head.n_cases bytes; other bytes stay, and a
 * 'd' stays a 'd'. */
CB_CHECKED cb_status cb_sweep_states(cb_sweep_file *f, char *state, cb_err *err);
/* Forgets the cases that failed, so that they are played again; *n is how many. */
CB_CHECKED cb_status cb_sweep_forget_failed(cb_sweep_file *f, int *n, cb_err *err);

typedef struct cb_sweep_counts {
  int taken, known; /* rows; known: the same row was there */
  int differ;       /* cases that were done here with another result; the row here stays */
  int first;        /* number of the first of those */
} cb_sweep_counts;
/* Takes over the rows of another file of this sweep in one transaction. Done before failed; else what is here
 * stays. Seconds and hosts are no results.
 * Errors: CB_E_DB if the other file is damaged or that of another plan; nothing of it is then taken. */
CB_CHECKED cb_status cb_sweep_merge(cb_sweep_file *f, const char *other, cb_sweep_counts *out, cb_err *err);

typedef struct cb_sweep_failure {
  char sentence[400];
  int n, first; /* cases with it; the first of them */
} cb_sweep_failure;
/* The sentences of failed cases, the most frequent first. The caller frees *list. */
CB_CHECKED cb_status cb_sweep_failures(cb_sweep_file *f, cb_sweep_failure **list, size_t *n, cb_err *err);

typedef struct cb_sweep_sums {
  int done, failed;
  double seconds; /* of all cases, added */
} cb_sweep_sums;
CB_CHECKED cb_status cb_sweep_sum(cb_sweep_file *f, cb_sweep_sums *out, cb_err *err);
/* One figure or variable of every case, NAN where it is not there or no number; values has head.n_cases.
 * Errors: CB_E_NOTFOUND, with the columns there are. */
CB_CHECKED cb_status cb_sweep_column(cb_sweep_file *f, const char *name, double *values, cb_err *err);
/* A hash of all results: numbers of cases, states, exit codes, sentences, variables and figures, in the
 * order of the cases. Two sweeps with the same hash have the same bits. */
CB_CHECKED cb_status cb_sweep_hash(cb_sweep_file *f, char out[33], cb_err *err);
/* Writes all rows as a CSV table (cb_out.h). */
CB_CHECKED cb_status cb_sweep_csv(cb_sweep_file *f, const char *path, cb_err *err);

#endif
