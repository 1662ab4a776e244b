#include <stdlib.h>

#include "cb_store_count.h"
#include "cb_store_query.h"
#include "lab_alarm.h"
#include "lab_contents.h"
#include "law.h"

#define VOIDED                                                                                             \
  "SELECT run_id FROM (SELECT run_id, kind, max(created_at || printf('%012d', id)) FROM correction WHERE " \
  "kind IN ('void', 'unvoid') GROUP BY run_id) WHERE kind = 'void'"
#define IS(column) "(SELECT m.is_id FROM material_now m WHERE m.id = " column ")"

#define CALIBRATIONS_DUE                                                                                     \
  "SELECT id AS calibration, (SELECT name FROM rig WHERE id = rig_id) AS rig, cell, certificate, "           \
  "valid_until FROM "                                                                                        \
  "calibration c WHERE kind <> 'imported' AND valid_until <> '' AND valid_until <= date('now', '+30 days') " \
  "AND NOT "                                                                                                 \
  "EXISTS(SELECT 1 FROM calibration n WHERE n.id > c.id AND n.cell = c.cell AND (ifnull(n.valid_until, '') " \
  "= '' OR "                                                                                                 \
  "n.valid_until > c.valid_until)) ORDER BY valid_until"
const char lab_calibrations_due[] = CALIBRATIONS_DUE;

const char *const lab_summary_lists[LAB_SUMMARY_LISTS] = {
    "totals", "runs", "laws", "laws_due", "calibrations_due", "campaigns_due", "alarms_due"};
#define COUNT(of, from) "SELECT '" of "' AS of, count(*) AS n FROM " from
static const char *const questions[LAB_SUMMARY_LISTS] = {
    COUNT("cloths", "material_now WHERE is_id = id AND kind = 'cloth'") " UNION ALL " COUNT(
        "bodies", "material_now WHERE is_id = id AND kind = 'body'") " UNION ALL " COUNT("specimens", "specimen")
    " UNION ALL " COUNT("campaigns", "campaign") " UNION ALL " COUNT("runs", "run"),
    "SELECT CASE WHEN id IN (" VOIDED ") THEN 'voided' ELSE status END AS of, count(*) AS n FROM run GROUP BY 1"
    " UNION ALL SELECT 'flagged', count(*) FROM run WHERE flags <> '' HAVING count(*) > 0",
    "SELECT law AS of, count(*) AS n FROM (SELECT DISTINCT 'friction' AS law, " IS("cloth_id") ", " IS("body_id") ", "
    "kind FROM friction_law UNION ALL SELECT DISTINCT 'self-friction', " IS("cloth_id") ", " IS("body_id") ", '' FROM "
    "self_friction_law UNION ALL SELECT DISTINCT kind, " IS("material_id") ", '', '' FROM material_law) GROUP BY 1",
    NULL, /* laws_due */
    "SELECT calibration || ' of cell ' || cell || ' on ' || substr(valid_until, 1, 10) AS of FROM (" CALIBRATIONS_DUE
    ")",
    "SELECT id || ' ' || name AS of FROM campaign WHERE finished_at IS NULL ORDER BY id DESC",
    "SELECT 'run ' || run_id || ' ' || group_concat(chart, ' ') AS of FROM (" LAB_ALARMS_DUE ") GROUP BY run_id "
    "ORDER BY run_id DESC"};

static cb_status list_rows(cb_store *s, const char *sql, json_t *list, cb_err *err) {
  json_t *answer, *row;
  size_t i;
  CB_TRY(cb_store_query(s, sql, NULL, 0, &answer, err));
  json_array_foreach(json_object_get(answer, "rows"), i, row)(void) json_array_append_new(
      list, json_pack("{s:O, s:O*}", "of", json_array_get(row, 0), "n", json_array_get(row, 1)));
  json_decref(answer);
  return CB_OK;
}

static cb_status list_stale(cb_store *s, json_t *list, cb_err *err) {
  cb_count *counts;
  size_t n;
  char ref[LAW_REF];
  CB_TRY(cb_store_counts(s, CB_COUNT_LAWS_STALE, 0, &counts, &n, err));
  for (size_t i = 0; i < n; i++)
    (void)json_array_append_new(list, json_pack("{s:s, s:I}", "of", law_ref("friction", counts[i].id, ref),
                                                "n", (json_int_t)counts[i].n));
  free(counts);
  return CB_OK;
}

cb_status lab_summary_read(cb_store *s, json_t **out, cb_err *err) {
  cb_status st = CB_OK;
  *out = json_object();
  for (int k = 0; k < LAB_SUMMARY_LISTS && st == CB_OK; k++) {
    json_t *list = json_array();
    (void)json_object_set_new(*out, lab_summary_lists[k], list);
    st = questions[k] ? list_rows(s, questions[k], list, err) : list_stale(s, list, err);
  }
  if (st == CB_OK) return CB_OK;
  json_decref(*out);
  *out = NULL;
  return st;
}
