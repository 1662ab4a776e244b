/* Whole database files: a backup during measurements, and the merge of two files. */
#ifndef CB_STORE_FILE_H
#define CB_STORE_FILE_H

#include "cb_store.h"

/* Whether a store that reads has a copy of the file in memory, as the file has an older schema. */
bool cb_store_is_copy(const cb_store *s);

/* ---- backup ---- */
typedef struct cb_backup_options {
  /* Rest after each piece, as a multiple of the time it took. 1 leaves half of the disk's time to a running
   * campaign. */
  double pause;
  /* Called after each piece with the share done, 0 to 1, of copying and verifying together. Returning false
   * stops the backup. May be NULL. */
  bool (*progress)(void *context, double done);
  void *context;
} cb_backup_options;
/* Returns: pause 1, no progress. */
cb_backup_options cb_backup_options_default(void);

/* Copies the file, as it is now, to a new file `path` with SQLite's backup interface. Other programs may go
 * on writing; what they write from now on is not in the copy. The copy is written as PATH.part, verified
 * (cb_store_check), flushed, and only then renamed. On failure nothing is left of it. tally receives the
 * counts of the copy and may be NULL.
 * Errors: CB_E_IO if path or PATH.part exists or cannot be made; CB_E_STOPPED by `progress`; CB_E_DB,
 * CB_E_NOMEM. */
CB_CHECKED cb_status cb_store_backup(cb_store *s, const char *path, const cb_backup_options *opt,
                                     cb_store_tally *tally, cb_err *err);

/* ---- merge ---- */
typedef struct cb_merge_counts {
  size_t taken;     /* rows that this file did not have */
  size_t known;     /* rows that this file had */
  size_t left_out;  /* rows that depend on a conflict, and unfinished runs with their rows */
  size_t conflicts; /* rows whose content differs in the two files */
} cb_merge_counts;

typedef struct cb_merge_result {
  cb_merge_counts materials, rigs, calibrations, campaigns, runs, events, points, laws, validations, tests,
      specimens;
  cb_merge_counts all; /* the sum of all */
  uint64_t samples_taken;
} cb_merge_result;

/* Adds the rows of the file `other` that s does not have, in one transaction. docs/reference/database.md says
 * which rows count as the same. `other` is opened for reading and checked first (cb_store_check). A conflict
 * is no error: `conflict`, which may be NULL, is called with one sentence. Rows in conflict stay as they are
 * in s, and rows that depend on them are left out. Errors: CB_E_ARG if other is s itself, those of
 * cb_store_open and cb_store_check, CB_E_DB. s is then unchanged. */
CB_CHECKED cb_status cb_store_merge(cb_store *s, const char *other,
                                    void (*conflict)(void *context, const char *sentence), void *context,
                                    cb_merge_result *result, cb_err *err);

#endif
