/* Alarms of control charts that are kept until somebody says what was done: notes on runs, signed. */
#ifndef LAB_ALARM_H
#define LAB_ALARM_H

#include "lab_chart.h"

/* The rows of SQL that wait for a word: run_id, chart, alarm (its text), seen_at, seen_by. A word is any
 * later correction of the run by a person: a note, or that it is void. */
extern const char lab_alarms_due[];

/* Keeps the alarms of a chart as notes on the first run of their first point, each once; newest: those alone
 * that hold the newest point. kept: how many are new. Errors: those of cb_store_correction_put. */
CB_CHECKED cb_status lab_alarms_keep(cb_store *s, const lab_chart *c, bool newest, const char *person,
                                     size_t *kept, cb_err *err);

/* After a campaign of pulls: charts its pair on its rig, a point for every campaign, and keeps what holds the
 * newest. said: a sentence; "": there is nothing new, or too few campaigns for limits. */
CB_CHECKED cb_status lab_alarms_after(cb_store *s, int64_t campaign_id, const char *person, char said[400],
                                      cb_err *err);

#endif
