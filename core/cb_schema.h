/* The schema as a list of steps; step i takes a database from user_version i to i + 1. A new file runs all of them. */
#ifndef CB_SCHEMA_H
#define CB_SCHEMA_H

#define CB_APPLICATION_ID 0x636c7462 /* "cltb" */

extern const char *const cb_schema_steps[];
extern const int cb_schema_version; /* number of steps */

#endif
