/* Private to lab/. */
#ifndef LAB_STANDARD_IMPL_H
#define LAB_STANDARD_IMPL_H

#include "lab_standard.h"

/* Evaluates every finished pull of the campaign; nothing is stored. CB_E_NOTFOUND: the campaign's preset has
 * no such evaluation, or no pull is done. Caller: lab_standard_clear, also after a failure. */
CB_CHECKED cb_status lab_standard_evaluate(cb_store *s, int64_t campaign_id, lab_standard *out, cb_err *err);

/* CB_E_DB: it is no such document. Caller: lab_standard_clear, also after a failure. */
CB_CHECKED cb_status lab_standard_read(const char *text, lab_standard *out, cb_err *err);

#endif
