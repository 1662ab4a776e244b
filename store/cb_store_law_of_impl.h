/* Private to store/. */
#ifndef CB_STORE_LAW_OF_IMPL_H
#define CB_STORE_LAW_OF_IMPL_H

#include "cb_store.h"

/* Checks all laws of a file that are stored as texts: those of single materials, old ones included, and the
 * newest of cloth on cloth.
 * Errors: CB_E_DB for the first text that is no law, CB_E_NOMEM. */
CB_CHECKED cb_status cb_store_laws_check(cb_store *s, cb_err *err);

#endif
