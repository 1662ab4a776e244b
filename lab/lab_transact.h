/* Work on the store in one transaction. */
#ifndef LAB_TRANSACT_H
#define LAB_TRANSACT_H

#include "cb_store.h"

typedef cb_status lab_work(cb_store *s, void *context, cb_err *err);

/* Commits if the work and the commit succeed; else rolls back, and the file is as it was. */
CB_CHECKED cb_status lab_transact(cb_store *s, lab_work *work, void *context, cb_err *err);

#endif
