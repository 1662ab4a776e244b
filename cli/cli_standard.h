/* A campaign by the test standard of its preset, between store, fit and screen. */
#ifndef CLI_STANDARD_H
#define CLI_STANDARD_H

#include <jansson.h>

#include "cb_store.h"

/* Evaluates every finished pull of the campaign. The document: campaign_id, standard, title, decimals, window, groups (one for each
 * direction, load and sense of the pull: static and kinetic n, mean, sd; specimens) and deviations (sentences; none is good).
 * CB_E_NOTFOUND: the campaign's preset has no such evaluation, or no pull is done. Caller owns *doc. */
CB_CHECKED cb_status cli_standard_evaluate(cb_store *s, int64_t campaign_id, json_t **doc, cb_err *err);
/* The readable table on stdout. */
void cli_standard_print(const json_t *doc);

#endif
