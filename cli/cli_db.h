/* What `clothbench db` does with whole files: list, check, backup, merge. Each returns a cli_exit. */
#ifndef CLI_DB_H
#define CLI_DB_H

#include <stdbool.h>

#include "cb_store.h"

/* Materials, campaigns and the newest law of every kind; to standard output. */
int cli_db_list(const char *db, bool json);
/* A line of the card: what of the cloth was not measured; none where all is known. */
CB_CHECKED cb_status cli_db_print_missing(cb_store *s, const char *cloth, cb_err *err);
/* What the cloth lacks for a scene; cloth NULL: every cloth. */
int cli_db_missing(const char *db, const char *cloth, bool json);
int cli_db_check(const char *db, bool json);
int cli_db_backup(const char *db, const char *file, bool json);
int cli_db_merge(const char *db, const char *other, bool json);

/* Closes s, and says what failed: st with err, or else the closing. Returns a cli_exit. */
int cli_db_finish(cb_store *s, cb_status st, cb_err *err);

#endif
