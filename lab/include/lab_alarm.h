/* Alarms of control charts that are kept until somebody says what was done: notes on runs, signed. */
#ifndef LAB_ALARM_H
#define LAB_ALARM_H

#include "lab_chart.h"

#define LAB_ALARM "chart alarm: "
#define LAB_IS_ALARM(row) row ".kind = 'note' AND substr(" row ".reason, 1, 13) = '" LAB_ALARM "'"
/* The rows that wait for a word: run_id, chart, alarm (its text), seen_at, seen_by. A word is any later note
 * on the run by a person, or that it is void. */
#define LAB_ALARMS_DUE \
  "SELECT n.run_id, substr(n.reason, 14, instr(n.reason, ',') - 14) AS chart, substr(n.reason, 14) AS "      \
  "alarm, n.created_at AS seen_at, n.operator_name AS seen_by FROM correction n WHERE " LAB_IS_ALARM("n")    \
  " AND NOT EXISTS(SELECT 1 FROM correction a WHERE a.run_id = n.run_id AND a.kind IN ('note', 'void') AND " \
  "NOT (" LAB_IS_ALARM("a") ") AND (a.created_at > n.created_at OR (a.created_at = n.created_at AND a.id > " \
  "n.id))) ORDER BY n.id DESC"

/* Keeps the alarms of a chart as notes on the first run of their first point, each once; newest: those alone
 * that hold the newest point. kept: how many are new. Errors: those of cb_store_correction_put. */
CB_CHECKED cb_status lab_alarms_keep(cb_store *s, const lab_chart *c, bool newest, const char *person,
                                     size_t *kept, cb_err *err);

/* After a campaign of pulls, or a look: charts its pair on its rig, or the weights that it read, a point for
 * every campaign, and keeps what holds the newest. said: a sentence; "": there is nothing new, or too few
 * campaigns for limits. */
CB_CHECKED cb_status lab_alarms_after(cb_store *s, int64_t campaign_id, const char *person, char said[400],
                                      cb_err *err);

#endif
