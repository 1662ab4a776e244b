/* The schema as a list of steps; step i takes a database from user_version i to i + 1. A new file runs all of
 * them. */
#ifndef CB_SCHEMA_H
#define CB_SCHEMA_H

#include <stdint.h>

#define CB_APPLICATION_ID 0x636c7462 /* "cltb" */

extern const char *const cb_schema_steps[];
extern const int cb_schema_version; /* number of steps */
/* XXH3 of the whole schema of this version as SQLite 3.40 writes it down (cbs_schema_hash): saves making it
 * anew at every opening. With another hash the schemas themselves are compared. */
extern const uint64_t cb_schema_hash;

#endif
