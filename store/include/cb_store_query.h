/* Questions in SQL, for people; the views are in docs/guide/query.md. */
#ifndef CB_STORE_QUERY_H
#define CB_STORE_QUERY_H

#include <jansson.h>

#include "cb_store.h"

/* A value for a "?" of the text. */
typedef struct cb_query_value {
  const char *text; /* NULL: the number */
  double number;
} cb_query_value;

/* Sets *out to {"columns": [name ...], "rows": [[value ...] ...]}; a BLOB reads as its size. The caller
 * releases it. Errors: CB_E_ARG for a text that is not exactly one statement that only reads; CB_E_DB with
 * SQLite's sentence; CB_E_TIMEOUT if it takes more steps than any question here may; CB_E_NOMEM. */
CB_CHECKED cb_status cb_store_query(cb_store *s, const char *sql, const cb_query_value *values, size_t n,
                                    json_t **out, cb_err *err);

#endif
