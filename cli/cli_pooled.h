/* Whose runs went into one law: their campaigns, and what these campaigns say differently about the specimens. */
#ifndef CLI_POOLED_H
#define CLI_POOLED_H

#include <jansson.h>

#include "cb_store.h"

/* {"campaigns": [{"campaign_id": 1, "name": "...", "runs": 6}],
 *  "pooled": [{"what": "cloth_lot", "values": [{"value": "roll 7", "runs": 6, "campaign_ids": [1]}]}]}
 * campaigns: of all runs with a kinetic force, in the order of the runs. pooled: cloth_lot, cloth_side, wash_state and body_specimen, each
 * only where two campaigns have written down different values; the value null stands for campaigns that say nothing. Caller: json_decref.
 */
CB_CHECKED cb_status cli_pooled(cb_store *s, const cb_friction_obs *obs, size_t n, json_t **out, cb_err *err);

/* A sentence on stderr for each entry of "pooled"; says nothing where nothing differs. */
CB_CHECKED cb_status cli_pooled_warn(cb_store *s, const cb_friction_obs *obs, size_t n, const char *cloth, const char *body, cb_err *err);

/* On stdout, a line each: the document's campaigns where there are several, and what they pool. */
void cli_pooled_print(const json_t *doc);

/* " of campaign 3"; "" where the document has only one campaign, or where id is null. Returns out. */
char *cli_pooled_campaign(const json_t *doc, const json_t *id, char out[64]);

/* On stdout: "; 6 runs of campaign 1 are not in it", by "n_elsewhere" and "campaign_id" of a row of the document; nothing where there are
 * none. */
void cli_pooled_print_elsewhere(const json_t *doc, const json_t *row);

#endif
