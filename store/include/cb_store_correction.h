/* What people say of runs afterwards. A correction is a row of its own, signed by a person. Nothing else
 * changes: a voided run keeps its samples, points and the laws that rest on it, and can be taken back into
 * use.
 *
 * A run is voided if the newest of its `void` and `unvoid` rows is a `void`. Its status reads CB_RUN_VOIDED
 * then, so that no fit, figure or verdict takes it for a finished one. */
#ifndef CB_STORE_CORRECTION_H
#define CB_STORE_CORRECTION_H

#include "cb_store.h"

typedef enum cb_correction_kind {
  CB_CORRECTION_VOID,
  CB_CORRECTION_UNVOID,
  CB_CORRECTION_NOTE
} cb_correction_kind;
extern const char *const cb_correction_kind_names[]; /* "void", "unvoid", "note", NULL */

typedef struct cb_correction {
  int64_t id, run_id;
  cb_correction_kind kind;
  char reason[512], operator_name[64]; /* not empty; of a note, reason is its text */
  char created_at[32];
} cb_correction;

/* Inserts a correction and sets its id and created_at. Errors: CB_E_NOTFOUND without such a run; CB_E_RANGE
 * if a run that is not done is voided, or one that is not voided is taken back. */
CB_CHECKED cb_status cb_store_correction_put(cb_store *s, cb_correction *c, cb_err *err);

/* Lists the corrections of a run, or all, by time. The caller frees *list. */
CB_CHECKED cb_status cb_store_corrections(cb_store *s, int64_t run_id /* 0: all */, cb_correction **list,
                                          size_t *n, cb_err *err);

#endif
