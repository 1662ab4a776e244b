/* Private to lab/. */
#ifndef LAB_SELF_FRICTION_IMPL_H
#define LAB_SELF_FRICTION_IMPL_H

#include "lab_self_friction.h"

/* The newest stored law. */
CB_CHECKED cb_status lab_self_friction_law_find(cb_store *s, const char *cloth, const char *body,
                                                cb_self_friction_law *law, cb_err *err);

/* CB_E_DB, CB_E_PARSE: it is no such document, or its law is none. Caller: lab_self_friction_clear, also
 * after a failure. */
CB_CHECKED cb_status lab_self_friction_read(const cb_self_friction_row *row, lab_self_friction *out,
                                            cb_err *err);

#endif
