#include "cb_store_count.h"

#include <stdlib.h>

#include "cb_run_row.h"

/* A run goes into a law with one point. */
#define RUNS_BEHIND(inputs) "SELECT law_id, count(*) FROM " inputs " WHERE law_id >= ?1 GROUP BY 1"
#define RUNS_OF_CAMPAIGNS(and) \
  "SELECT r.campaign_id, count(*) FROM run r WHERE r.campaign_id >= ?1" and " GROUP BY 1"
#define OF_MATERIALS(table) \
  "SELECT " CBS_IS("material_id") ", count(*) FROM " table " WHERE material_id >= ?1 GROUP BY 1"

/* As cb_store_law_stale, of the newest laws together: runs of which nobody said anything by their row; those
 * that were voided or amended (`said`) as they are now; and those behind a law that were since, found by the
 * pair that they are of or were. */
#define LACKS_RUN                                                                                        \
  " r.kind = 'pull' AND r.status = 'done' AND (n.first IS NULL OR r.body_angle_deg IS n.angle) AND NOT " \
  "EXISTS("                                                                                              \
  "SELECT 1 FROM friction_law_input i WHERE i.law_id = n.id AND i.point_id = (SELECT p.id FROM "         \
  "friction_point p"                                                                                     \
  " WHERE p.run_id = r.id ORDER BY p.id DESC LIMIT 1)) GROUP BY n.id"
static const char laws_stale[] =
    "WITH a AS MATERIALIZED (SELECT id, is_id FROM material_now),"
    " newest AS MATERIALIZED (SELECT max(l.id) AS id, c.is_id AS cloth, b.is_id AS body FROM friction_law l "
    "JOIN a"
    "  c ON c.id = l.cloth_id JOIN a b ON b.id = l.body_id GROUP BY c.is_id, b.is_id, l.kind),"
    /* even: as many runs as the law has points. Where nobody said anything and no run was reduced again, they
     * are the same ones. */
    " plain AS MATERIALIZED (SELECT NOT EXISTS(SELECT 1 FROM correction WHERE kind <> 'note') AND NOT "
    "EXISTS(SELECT 1"
    "  FROM material_name WHERE kind = 'same') AND NOT EXISTS(SELECT 1 FROM friction_point GROUP BY run_id "
    "HAVING"
    "  count(*) > 1) AS yes),"
    " n AS MATERIALIZED (SELECT w.*, f.id AS first, f.body_angle_deg AS angle, (SELECT count(*) FROM run r "
    "WHERE"
    "  r.cloth_id = w.cloth AND r.body_id = w.body AND r.kind = 'pull' AND r.status = 'done' AND "
    "r.body_angle_deg IS"
    "  f.body_angle_deg) = (SELECT count(*) FROM friction_law_input i WHERE i.law_id = w.id) AS even FROM "
    "newest w LEFT"
    "  JOIN run f ON f.id = (SELECT p.run_id FROM friction_law_input i JOIN friction_point p ON p.id = "
    "i.point_id WHERE"
    "  i.law_id = w.id LIMIT 1)),"
    " said AS MATERIALIZED (SELECT r.id, r.cloth_id AS cloth, r.body_id AS body, r.kind, r.status, "
    "r.body_angle_deg"
    "  FROM run_now r WHERE r.id IN (SELECT run_id FROM correction WHERE kind <> 'note')),"
    " pair AS MATERIALIZED (SELECT id, cloth, body FROM said UNION SELECT r.id, c.is_id, b.is_id FROM said "
    "JOIN run r"
    "  ON r.id = said.id JOIN a c ON c.id = r.cloth_id JOIN a b ON b.id = r.body_id)"
    " SELECT id, sum(k) FROM (SELECT n.id, count(*) AS k FROM n JOIN a c ON c.is_id = n.cloth JOIN a b ON "
    "b.is_id ="
    "  n.body JOIN run r ON r.cloth_id = c.id AND r.body_id = b.id WHERE NOT (n.even AND (SELECT yes FROM "
    "plain)) AND"
    "  r.id NOT IN (SELECT id FROM said) AND" LACKS_RUN
    " UNION ALL SELECT n.id, count(*) FROM said r CROSS JOIN n ON n.cloth = r.cloth AND n.body = r.body "
    "WHERE NOT " CB_RUN_IS_VOIDED " AND" LACKS_RUN
    " UNION ALL SELECT n.id, count(*) FROM pair r CROSS JOIN n ON n.cloth = r.cloth AND n.body = r.body "
    "CROSS JOIN"
    "  friction_point p ON p.run_id = r.id CROSS JOIN friction_law_input i ON i.law_id = n.id AND i.point_id "
    "= p.id"
    "  CROSS JOIN friction_law l ON l.id = n.id WHERE " CB_RUN_IS_VOIDED
    " OR EXISTS(SELECT 1 FROM correction x WHERE"
    "  x.run_id = r.id AND x.kind = 'amend' AND x.created_at >= l.created_at) GROUP BY n.id)"
    " WHERE id >= ?1 GROUP BY id";

static const char *const questions[] = {
    [CB_COUNT_MATERIAL_TESTS] = OF_MATERIALS("material_test"),
    [CB_COUNT_MATERIAL_DRAPES] = OF_MATERIALS("drape_measurement"),
    [CB_COUNT_LAW_TESTS] = RUNS_BEHIND("material_law_input"),
    [CB_COUNT_FRICTION_RUNS] = RUNS_BEHIND("friction_law_input"),
    [CB_COUNT_SELF_FRICTION_RUNS] = RUNS_BEHIND("self_friction_law_input"),
    [CB_COUNT_CAMPAIGN_RUNS] = RUNS_OF_CAMPAIGNS(""),
    [CB_COUNT_CAMPAIGN_DONE] = RUNS_OF_CAMPAIGNS(" AND r.status = 'done' AND NOT " CB_RUN_IS_VOIDED),
    [CB_COUNT_CAMPAIGN_VOIDED] = RUNS_OF_CAMPAIGNS(" AND " CB_RUN_IS_VOIDED),
    [CB_COUNT_CAMPAIGN_FLAGGED] = RUNS_OF_CAMPAIGNS(" AND r.flags <> ''"),
    [CB_COUNT_LAWS_STALE] = laws_stale,
};

static void read_count(sqlite3_stmt *q, void *item) {
  *(cb_count *)item = (cb_count){sqlite3_column_int64(q, 0), (size_t)sqlite3_column_int64(q, 1)};
}

static int compare_ids(const void *a, const void *b) {
  const int64_t x = ((const cb_count *)a)->id, y = ((const cb_count *)b)->id;
  return (x > y) - (x < y);
}

cb_status cb_store_counts(cb_store *s, cb_count_of of, int64_t from_id, cb_count **list, size_t *n,
                          cb_err *err) {
  CB_TRY(cbs_list(s, read_count, sizeof **list, (void **)list, n, err, questions[of], "i", from_id));
  if (*n > 0) qsort(*list, *n, sizeof **list, compare_ids);
  return CB_OK;
}

size_t cb_count_find(const cb_count *list, size_t n, int64_t id) {
  const cb_count wanted = {.id = id};
  const cb_count *found = n > 0 ? bsearch(&wanted, list, n, sizeof *list, compare_ids) : NULL;
  return found ? found->n : 0;
}
