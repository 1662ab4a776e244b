/* Transactions of the store, private to lab/. */
#ifndef LAB_TRANSACT_H
#define LAB_TRANSACT_H

#include "cb_store.h"

typedef cb_status lab_work(cb_store *s, void *context, cb_err *err);

/* Does the work in one transaction. It commits if the work succeeds; else, or if the commit fails, it rolls
 * back, and the file is as before. Where a person may be asked about names (cb_store_open_named), that
 * happens between two transactions, and the work is done a second time: nobody else waits meanwhile. */
CB_CHECKED cb_status lab_transact(cb_store *s, lab_work *work, void *context, cb_err *err);

#endif
