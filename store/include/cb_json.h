/* JSON documents of the database: results and verdicts that travel with a row. docs/json.md lists them. */
#ifndef CB_JSON_H
#define CB_JSON_H

#include <jansson.h>

/* Parses the text of a column. Returns NULL if it is no JSON, or without memory. Control characters of its strings are replaced
 * (cb_text_show), so that a reader may print them. Caller: json_decref. */
json_t *cb_json_read(const char *text);
/* The text of a column: compact, 17 significant digits. NULL: doc is NULL, or there is no memory. Caller: free. */
char *cb_json_text(const json_t *doc);

/* A finite number, else null. NULL: no memory. */
json_t *cb_json_real(double v);
/* The number that an object holds under a key; NAN: none, or no object. */
double cb_json_number(const json_t *object, const char *key);

#endif
