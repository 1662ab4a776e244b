/* Specimens: pieces that were cut from a lot or roll of a cloth, and what was done to each since. A specimen
 * and every entry of its log are rows of their own, signed by a person; nothing is overwritten.
 *
 * A specimen is named by whoever cut it. Its mark, eight letters and digits of its uuid, stands on its label.
 * Every function that wants a name takes the mark as well.
 * Errors of all functions: see cb_store.h. */
#ifndef CB_STORE_SPECIMEN_H
#define CB_STORE_SPECIMEN_H

#include "cb_store.h"

#define CB_SPECIMEN_MARK 9 /* bytes, with the NUL */

typedef struct cb_specimen {
  int64_t id;
  char uuid[37], mark[CB_SPECIMEN_MARK];
  char name[64];
  int64_t cloth_id;
  char cloth[64]; /* its name now; read only */
  char lot[64];   /* or roll; "": not recorded */
  int side;       /* cb_side that slides; -1: not recorded */
  double cut_deg; /* of its long side, 0 = warp, 90 = weft; NAN: not recorded */
  int washes;     /* when it was cut, and since; -1: not recorded */
  char note[256];
  char operator_name[64], created_at[32]; /* who added it, when */
} cb_specimen;

/* "iso139-standard for 24 h", or a wash. */
typedef enum cb_specimen_event { CB_SPECIMEN_CONDITION, CB_SPECIMEN_WASH } cb_specimen_event;
extern const char *const cb_specimen_event_names[]; /* "condition", "wash", NULL */

typedef struct cb_specimen_entry {
  cb_specimen_event kind;
  char text[512];
  char operator_name[64], created_at[32];
} cb_specimen_entry;

/* Inserts a specimen and sets its id, uuid, mark and created_at; washes are those before it was cut. Errors:
 * CB_E_RANGE if a specimen has that name or mark, or if nobody signs. */
CB_CHECKED cb_status cb_store_specimen_put(cb_store *s, cb_specimen *p, cb_err *err);

/* Finds a specimen by name or mark. Errors: CB_E_NOTFOUND; the sentence says which one was probably meant.
 * CB_E_RANGE if several have the name (after a merge): the sentence lists their marks. */
CB_CHECKED cb_status cb_store_specimen_find(cb_store *s, const char *name, cb_specimen *p, cb_err *err);
/* Lists all specimens by id. */
CB_CHECKED cb_status cb_store_specimens(cb_store *s, cb_specimen **list, size_t *n, cb_err *err);

/* Adds an entry to the log and sets its created_at. */
CB_CHECKED cb_status cb_store_specimen_log(cb_store *s, int64_t specimen_id, cb_specimen_entry *e,
                                           cb_err *err);
/* Lists the entries of a specimen by time. */
CB_CHECKED cb_status cb_store_specimen_entries(cb_store *s, int64_t specimen_id, cb_specimen_entry **list,
                                               size_t *n, cb_err *err);

#endif
