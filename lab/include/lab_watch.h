/* What a page at the bench shows: the newest campaign, its present run with force over time, the runs of the
 * same cell, and what somebody is asked to do. Read from the store while `run` writes to it. */
#ifndef LAB_WATCH_H
#define LAB_WATCH_H

#include <jansson.h>

#include "lab_validity.h"

/* Points of a curve at most: the lowest and the highest of each span of time. */
#define LAB_WATCH_POINTS 400
/* Earlier runs of the same cell at most, the newest. */
#define LAB_WATCH_REPEATS 4

/* Pulls that are judged for one document at most: a page that begins late catches up. */
#define LAB_WATCH_JUDGED 8

/* Sets *out to the document of docs/reference/json, "serve". The caller releases it. v: the verdicts of the
 * documents before, which it keeps up to date. Errors: those of the store. */
CB_CHECKED cb_status lab_watch_json(cb_store *s, lab_verdicts *v, json_t **out, cb_err *err);

#endif
