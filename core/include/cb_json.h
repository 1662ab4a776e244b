/* JSON documents in columns of the database: results and verdicts of a row. docs/reference/json lists
 * them. */
#ifndef CB_JSON_H
#define CB_JSON_H

#include <jansson.h>

/* Parses the text of a column. Control characters in its strings are replaced (cb_text_show), so that they
 * may be printed. The caller frees the result with json_decref. Returns NULL if the text is no JSON, or
 * memory runs out. */
json_t *cb_json_read(const char *text);
/* Returns the text of a column: compact, 17 significant digits. The caller frees it. Returns NULL if doc is
 * NULL, or memory runs out. doc stays the caller's. */
char *cb_json_text(const json_t *doc);

/* Returns a JSON number if v is finite, else a JSON null; the caller owns it. NULL: no memory. */
json_t *cb_json_real(double v);
/* Returns the number under a key of an object; NAN if there is none, or `object` is no object or NULL. */
double cb_json_number(const json_t *object, const char *key);

#endif
