/* Evaluation and stored document of lab_standard.h, private to lab/. */
#ifndef LAB_STANDARD_IMPL_H
#define LAB_STANDARD_IMPL_H

#include "lab_standard.h"

/* Evaluates every finished pull of the campaign without storing anything. The caller calls
 * lab_standard_clear, even after an error. Error: CB_E_NOTFOUND if the preset has no such evaluation, or no
 * pull is finished. */
CB_CHECKED cb_status lab_standard_evaluate(cb_store *s, int64_t campaign_id, lab_standard *out, cb_err *err);

/* Reads a stored document. The caller calls lab_standard_clear, even after an error. Error: CB_E_DB for
 * another document. */
CB_CHECKED cb_status lab_standard_read(const char *text, lab_standard *out, cb_err *err);

#endif
