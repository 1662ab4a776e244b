/* The run of a typed coefficient, private to lab/. */
#ifndef LAB_TYPED_IMPL_H
#define LAB_TYPED_IMPL_H

#include "lab_typed.h"

/* Makes a run with one point out of the coefficient on t->body and its conditions, within the caller's
 * transaction. */
CB_CHECKED cb_status lab_typed_put_pull(cb_store *s, const lab_typed *t, int64_t campaign_id,
                                        int64_t cloth_id, cb_err *err);

/* Checks and stores a bending length or a flexural rigidity, if one is typed, within the caller's
 * transaction. */
CB_CHECKED cb_status lab_typed_check_bending(const lab_typed *t, cb_err *err);
CB_CHECKED cb_status lab_typed_put_bending(cb_store *s, const lab_typed *t, int64_t cloth_id, cb_err *err);

#endif
