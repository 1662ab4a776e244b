/* How many rows stand behind each thing of a database, in one question for all things. */
#ifndef CB_STORE_COUNT_H
#define CB_STORE_COUNT_H

#include "cb_store.h"

/* What is counted, by the id of what. */
typedef enum cb_count_of {
  CB_COUNT_MATERIAL_TESTS,     /* tests of a material */
  CB_COUNT_MATERIAL_DRAPES,    /* measured drapes of a material */
  CB_COUNT_LAW_TESTS,          /* tests that a law of stretch, bending ... was fitted to */
  CB_COUNT_FRICTION_RUNS,      /* runs that a friction law was fitted to */
  CB_COUNT_SELF_FRICTION_RUNS, /* runs that a law of cloth on itself was fitted to */
  CB_COUNT_CAMPAIGN_RUNS,      /* runs of a campaign ... */
  CB_COUNT_CAMPAIGN_DONE,      /* ... that were done, and are not voided */
  CB_COUNT_CAMPAIGN_VOIDED,
  CB_COUNT_CAMPAIGN_FLAGGED,
  CB_COUNT_LAWS_STALE, /* of the newest friction laws: what cb_store_law_stale counts */
} cb_count_of;

typedef struct cb_count {
  int64_t id;
  size_t n;
} cb_count;

/* Lists the counts that are not 0 of ids from from_id on, in the order of ids. The caller frees *list. Error:
 * CB_E_DB. */
CB_CHECKED cb_status cb_store_counts(cb_store *s, cb_count_of of, int64_t from_id, cb_count **list, size_t *n,
                                     cb_err *err);
/* Returns the count of an id in such a list. */
size_t cb_count_find(const cb_count *list, size_t n, int64_t id);

#endif
