/* The database of another laboratory's machine, fetched by ssh and rsync. */
#ifndef LAB_PULL_H
#define LAB_PULL_H

#include <stdbool.h>

#include "cb_err.h"

#define LAB_PULL_PATH_BYTES 4400

/* Returns true for HOST:PATH or USER@HOST:PATH. */
bool lab_pull_is_remote(const char *source);

/* Fetches a copy of the database HOST:PATH, as it is now, into the folder DB.pulled beside the database `db`.
 * There clothbench makes a verified copy beside PATH (db backup), so that a campaign may run meanwhile. rsync
 * brings only what differs from the copy of the last time, and goes on where it was interrupted. ssh may ask
 * for a password on the terminal. copy gets the path of the local copy. Errors: CB_E_IO if ssh or rsync is
 * not there or fails; they say on stderr why. */
CB_CHECKED cb_status lab_pull_fetch(const char *db, const char *source, char copy[LAB_PULL_PATH_BYTES],
                                    cb_err *err);

#endif
