/* Making and documents of lab_pooled, private to lab/. */
#ifndef LAB_POOLED_IMPL_H
#define LAB_POOLED_IMPL_H

#include "lab_pooled.h"

/* Lists the campaigns of n observations. The caller calls lab_pooled_clear, even after an error. */
CB_CHECKED cb_status lab_pooled_of(cb_store *s, const cb_friction_obs *obs, size_t n, lab_pooled *out,
                                   cb_err *err);

/* Makes
 *   {"campaigns": [{"campaign_id": 1, "name": "...", "runs": 6}],
 *    "pooled": [{"what": "cloth_lot", "values": [{"value": "roll 7", "runs": 6, "campaign_ids": [1]}]}]}
 * "pooled" has only what differs; the value null stands for campaigns that recorded nothing. Returns NULL
 * without memory. */
json_t *lab_pooled_json(const lab_pooled *p);

/* Reads these keys of a document; an older document lacks them. The caller calls lab_pooled_clear, even
 * after an error. Error: CB_E_DB if they are something else. */
CB_CHECKED cb_status lab_pooled_read(const json_t *doc, lab_pooled *out, cb_err *err);

#endif
