#include "cb_store_count.h"

#include <stdlib.h>

#include "cb_run_row.h"

#define RUNS_BEHIND(inputs)                                \
  "SELECT i.law_id, count(DISTINCT p.run_id) FROM " inputs \
  " i JOIN friction_point p ON p.id = "                    \
  "i.point_id GROUP BY 1"
#define RUNS_OF_CAMPAIGNS(where) "SELECT r.campaign_id, count(*) FROM run r" where " GROUP BY 1"

static const char *const questions[] = {
    [CB_COUNT_MATERIAL_TESTS] = "SELECT " CBS_IS("material_id") ", count(*) FROM material_test GROUP BY 1",
    [CB_COUNT_MATERIAL_DRAPES] =
        "SELECT " CBS_IS("material_id") ", count(*) FROM drape_measurement GROUP BY 1",
    [CB_COUNT_LAW_TESTS] = "SELECT law_id, count(*) FROM material_law_input GROUP BY 1",
    [CB_COUNT_FRICTION_RUNS] = RUNS_BEHIND("friction_law_input"),
    [CB_COUNT_SELF_FRICTION_RUNS] = RUNS_BEHIND("self_friction_law_input"),
    [CB_COUNT_CAMPAIGN_RUNS] = RUNS_OF_CAMPAIGNS(""),
    [CB_COUNT_CAMPAIGN_DONE] = RUNS_OF_CAMPAIGNS(" WHERE r.status = 'done' AND NOT " CB_RUN_IS_VOIDED),
    [CB_COUNT_CAMPAIGN_VOIDED] = RUNS_OF_CAMPAIGNS(" WHERE " CB_RUN_IS_VOIDED),
    [CB_COUNT_CAMPAIGN_FLAGGED] = RUNS_OF_CAMPAIGNS(" WHERE r.flags <> ''"),
};

static void read_count(sqlite3_stmt *q, void *item) {
  *(cb_count *)item = (cb_count){sqlite3_column_int64(q, 0), (size_t)sqlite3_column_int64(q, 1)};
}

static int compare_ids(const void *a, const void *b) {
  const int64_t x = ((const cb_count *)a)->id, y = ((const cb_count *)b)->id;
  return (x > y) - (x < y);
}

cb_status cb_store_counts(cb_store *s, cb_count_of of, cb_count **list, size_t *n, cb_err *err) {
  CB_TRY(cbs_list(s, read_count, sizeof **list, (void **)list, n, err, questions[of], ""));
  if (*n > 0) qsort(*list, *n, sizeof **list, compare_ids);
  return CB_OK;
}

size_t cb_count_find(const cb_count *list, size_t n, int64_t id) {
  const cb_count wanted = {.id = id};
  const cb_count *found = n > 0 ? bsearch(&wanted, list, n, sizeof *list, compare_ids) : NULL;
  return found ? found->n : 0;
}
