/* Laws of cloth on cloth in the store (cb_self_friction_law.h). Rows are only appended.
 * Errors of all functions: see cb_store.h. */
#ifndef CB_STORE_SELF_FRICTION_H
#define CB_STORE_SELF_FRICTION_H

#include <jansson.h>

#include "cb_self_friction_law.h"
#include "cb_store.h"

typedef struct cb_self_friction_row {
  int64_t id, cloth_id, body_id;
  char cloth[64], body[64]; /* names; put ignores them */
  char form[32];            /* the rule: "mean", "product" */
  cb_origin origin;
  char *result_json; /* put: stays the caller's; in lists: owned by the list */
  char method[160];
  char created_at[32];
} cb_self_friction_row;

/* Inserts a law with the friction points behind it, in one transaction, and sets row->id and created_at. */
CB_CHECKED cb_status cb_store_self_friction_put(cb_store *s, cb_self_friction_row *row,
                                                const int64_t *point_ids, size_t n_points, cb_err *err);
/* Lists the newest law of each pair, ordered by names. cloth_id and body_id select; 0 selects all. The caller
 * frees the list with cb_self_friction_rows_free. */
CB_CHECKED cb_status cb_store_self_friction_list(cb_store *s, int64_t cloth_id, int64_t body_id,
                                                 cb_self_friction_row **list, size_t *n, cb_err *err);
void cb_self_friction_rows_free(cb_self_friction_row *list, size_t n);
/* Finds the newest row of a pair. On success the caller frees row->result_json.
 * Errors: CB_E_NOTFOUND names the command that makes one. */
CB_CHECKED cb_status cb_store_self_friction_newest(cb_store *s, const char *cloth, const char *body,
                                                   cb_self_friction_row *row, cb_err *err);
/* Returns the law as a document, which the caller frees; NULL: no memory. */
json_t *cb_self_friction_json(const cb_self_friction_law *law);
/* Reads a law from its row, and checks it. Sets id, origin and names from the row.
 * Errors: CB_E_PARSE; those of the check. */
CB_CHECKED cb_status cb_self_friction_parse(const cb_self_friction_row *row, cb_self_friction_law *law,
                                            cb_err *err);
/* Lists the runs whose points went into a law, by id. */
CB_CHECKED cb_status cb_store_self_friction_runs(cb_store *s, int64_t law_id, cb_run **list, size_t *n,
                                                 cb_err *err);

#endif
