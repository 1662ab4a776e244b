/* Private to lab/. */
#ifndef LAB_POOLED_IMPL_H
#define LAB_POOLED_IMPL_H

#include "lab_pooled.h"

/* Caller: lab_pooled_clear, also after a failure. */
CB_CHECKED cb_status lab_pooled_of(cb_store *s, const cb_friction_obs *obs, size_t n, lab_pooled *out,
                                   cb_err *err);

/* {"campaigns": [{"campaign_id": 1, "name": "...", "runs": 6}],
 *  "pooled": [{"what": "cloth_lot", "values": [{"value": "roll 7", "runs": 6, "campaign_ids": [1]}]}]}
 * Only what differs is pooled; the value null stands for campaigns that say nothing. NULL: no memory. */
json_t *lab_pooled_json(const lab_pooled *p);

/* From a document that has these keys, or not: it is older. CB_E_DB: they are something else. Caller:
 * lab_pooled_clear, also after a failure. */
CB_CHECKED cb_status lab_pooled_read(const json_t *doc, lab_pooled *out, cb_err *err);

#endif
