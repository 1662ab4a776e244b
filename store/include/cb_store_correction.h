/* What people say of runs and materials afterwards. A correction is a row of its own, signed by a person.
 * Nothing else changes: a voided run keeps its samples, points and the laws that rest on it, and can be taken
 * back into use; an amended run keeps what was typed.
 *
 * A run is voided if the newest of its `void` and `unvoid` rows is a `void`. Its status reads CB_RUN_VOIDED
 * then, so that no fit, figure or verdict takes it for a finished one. Every reader of runs gets the amended
 * conditions. An amended mass scales the normal force, unless that force was amended itself. */
#ifndef CB_STORE_CORRECTION_H
#define CB_STORE_CORRECTION_H

#include "cb_store.h"

typedef enum cb_correction_kind {
  CB_CORRECTION_VOID,
  CB_CORRECTION_UNVOID,
  CB_CORRECTION_NOTE,
  CB_CORRECTION_AMEND
} cb_correction_kind;
extern const char *const cb_correction_kind_names[]; /* "void", "unvoid", "note", "amend", NULL */
/* What can be amended: "cloth", "body", "angle_deg", "added_mass_kg" ..., "verdict", NULL. */
extern const char *const cb_correction_fields[];

/* What a person says of the verdict on a pull: the value of an amended "verdict". */
typedef enum cb_verdict {
  CB_VERDICT_VALID,
  CB_VERDICT_DOUBTFUL,
  CB_VERDICT_INVALID,
  CB_VERDICT_FOUND /* what the program finds: takes back what was said before */
} cb_verdict;
extern const char *const cb_verdict_names[]; /* "valid", "doubtful", "invalid", "found", NULL */

typedef struct cb_correction {
  int64_t id, run_id;
  cb_correction_kind kind;
  char field[24];                      /* of an amendment, else "" */
  double value;                        /* of a condition, else NAN */
  int64_t material_id;                 /* of "cloth" or "body", else 0 */
  char was[64], is[64];                /* of an amendment that was read: before and after it, as text */
  char reason[512], operator_name[64]; /* not empty; of a note, reason is its text */
  char created_at[32];
} cb_correction;

/* Inserts a correction and sets its id and created_at. Errors: CB_E_NOTFOUND without such a run; CB_E_RANGE
 * if a run that is not done is voided, one that is not voided is taken back, or the value cannot be. */
CB_CHECKED cb_status cb_store_correction_put(cb_store *s, cb_correction *c, cb_err *err);

/* Lists the corrections of a run, or all, by time. The caller frees *list. */
CB_CHECKED cb_status cb_store_corrections(cb_store *s, int64_t run_id /* 0: all */, cb_correction **list,
                                          size_t *n, cb_err *err);

/* Says how many runs of the pair that are in use have an amended condition; a verdict is none. */
CB_CHECKED cb_status cb_store_amended(cb_store *s, int64_t cloth_id, int64_t body_id, size_t *n, cb_err *err);

/* What a person says of the name of a cloth or body. */
typedef struct cb_naming {
  cb_material_kind kind;
  const char *name;  /* a name it has */
  const char *other; /* rename: the new one; alias: what it means; not read otherwise */
  const char *reason, *operator_name;
} cb_naming;

/* Gives the material another name. It is still found by the old one. Errors: CB_E_NOTFOUND; CB_E_RANGE if
 * another material has the new name. */
CB_CHECKED cb_status cb_store_rename(cb_store *s, const cb_naming *n, cb_err *err);

/* Says that `name` means the material `other`. If there is a material `name`, all its rows count as rows of
 * `other` from now on (*joined). Errors: CB_E_NOTFOUND without `other`; CB_E_RANGE if it is that already. */
CB_CHECKED cb_status cb_store_alias(cb_store *s, const cb_naming *n, bool *joined, cb_err *err);

/* Takes the material `name` out of the one that it was joined with. Errors: CB_E_NOTFOUND; CB_E_RANGE if it
 * was not. */
CB_CHECKED cb_status cb_store_unalias(cb_store *s, const cb_naming *n, cb_err *err);

#endif
