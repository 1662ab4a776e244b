/* Verdicts are kept in the database that they were made from. */
#ifndef CLI_VERDICT_H
#define CLI_VERDICT_H

#include "cb_store.h"
#include "cli.h"

typedef cb_status cli_verdict_keeper(cb_store *s, void *verdict, cb_err *err);

/* Opens db for writing and lets `keep` store the verdict. A reference database is never written, nor one
 * that may not be: then a sentence says that the verdict is not kept, and CB_OK is returned. */
CB_CHECKED cb_status cli_verdict_keep(const char *db, cli_verdict_keeper *keep, void *verdict, cb_err *err);

#endif
