/* Laws of cloth on cloth, for the files of store/. */
#ifndef CB_STORE_SELF_FRICTION_IMPL_H
#define CB_STORE_SELF_FRICTION_IMPL_H

#include "cb_store_self_friction.h"

/* Lists every law of every pair, old ones as well, ordered by names and age. The caller frees the list with
 * cb_self_friction_rows_free. */
CB_CHECKED cb_status cb_store_self_friction_all(cb_store *s, cb_self_friction_row **list, size_t *n,
                                                cb_err *err);

#endif
