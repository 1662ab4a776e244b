/* The run of a typed coefficient, private to lab/. */
#ifndef LAB_TYPED_IMPL_H
#define LAB_TYPED_IMPL_H

#include "lab_typed.h"

/* Makes a run with one point out of the coefficient on t->body and its conditions, within the caller's
 * transaction. */
CB_CHECKED cb_status lab_typed_put_pull(cb_store *s, const lab_typed *t, int64_t campaign_id,
                                        int64_t cloth_id, cb_err *err);

#endif
