/* Laws of cloth on cloth in the store (cb_self_friction_law.h has what they say). Append-only. */
#ifndef CB_STORE_SELF_FRICTION_H
#define CB_STORE_SELF_FRICTION_H

#include "cb_store.h"

typedef struct cb_self_friction_row {
  int64_t id, cloth_id, body_id;
  char cloth[64], body[64]; /* their names; put leaves them alone */
  char form[32];            /* the rule: "mean", "product" */
  cb_origin origin;
  char *result_json; /* owned by the caller of put; from list: cb_self_friction_rows_free */
  char method[160];
  char created_at[32];
} cb_self_friction_row;

/* Sets row->id, created_at. */
CB_CHECKED cb_status cb_store_self_friction_put(cb_store *s, cb_self_friction_row *row, const int64_t *point_ids, size_t n_points,
                                                cb_err *err);
/* The newest of each pair, by names; cloth_id, body_id 0: of all. */
CB_CHECKED cb_status cb_store_self_friction_list(cb_store *s, int64_t cloth_id, int64_t body_id, cb_self_friction_row **list, size_t *n,
                                                 cb_err *err);
void cb_self_friction_rows_free(cb_self_friction_row *list, size_t n);
/* The runs whose points went into a law, by id. */
CB_CHECKED cb_status cb_store_self_friction_runs(cb_store *s, int64_t law_id, cb_run **list, size_t *n, cb_err *err);

#endif
