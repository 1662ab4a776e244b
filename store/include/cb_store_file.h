/* What is done with whole database files: a copy while measurements go on, and two labs' files made one. */
#ifndef CB_STORE_FILE_H
#define CB_STORE_FILE_H

#include "cb_store.h"

/* ---- backup ---------------------------------------------------------------------------------------------------- */
typedef struct cb_backup_options {
  double pause; /* rest after each piece, as a share of the time that it took: 1 leaves half of the disk to a running campaign */
  /* Called after each piece with the share that is done, 0 to 1, copying and verifying together; false ends with CB_E_STOPPED. May be
   * NULL. */
  bool (*progress)(void *context, double done);
  void *context;
} cb_backup_options;
cb_backup_options cb_backup_options_default(void);

/* Copies the file as it is at this moment to `path` with SQLite's backup API. Other programs may go on writing; what they write after
 * this moment is not in the copy. The copy grows under the name PATH.part, is verified (cb_store_check), flushed and only then gets its
 * name; on any failure nothing is left of it. A file that exists already is refused. tally (of the copy) may be NULL. */
CB_CHECKED cb_status cb_store_backup(cb_store *s, const char *path, const cb_backup_options *opt, cb_store_tally *tally, cb_err *err);

/* ---- merge ----------------------------------------------------------------------------------------------------- */
typedef struct cb_merge_counts {
  size_t taken;     /* rows that this file had not */
  size_t known;     /* rows that it had */
  size_t left_out;  /* rows that rest on a conflict, and runs under way with what belongs to them */
  size_t conflicts; /* rows that say something else here and there */
} cb_merge_counts;

typedef struct cb_merge_result {
  cb_merge_counts materials, rigs, calibrations, campaigns, runs, events, points, laws, validations, tests;
  cb_merge_counts all; /* the sum of those above */
  uint64_t samples_taken;
} cb_merge_result;

/* Takes over what the file `other` has and s has not, in one transaction; docs/database.md says what counts as the same. `other` is
 * opened for reading only and checked first. Conflicts do not fail: each calls `conflict` (may be NULL) with one sentence, and of what is
 * in conflict nothing is changed and nothing that rests on it is taken. CB_E_ARG: other is s itself. */
CB_CHECKED cb_status cb_store_merge(cb_store *s, const char *other, void (*conflict)(void *context, const char *sentence), void *context,
                                    cb_merge_result *result, cb_err *err);

#endif
