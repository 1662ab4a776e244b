/* Reads a foreign JSON document step by step. Every step knows its place in the document, which errors
 * name. */
#ifndef EXCH_JSON_H
#define EXCH_JSON_H

#include <jansson.h>

#include "cb_err.h"

/* A value and its path, "file: stretching[2][0]". */
typedef struct exch_at {
  const json_t *value; /* borrowed */
  char where[200];
} exch_at;

/* The document; duplicate keys are refused. Caller: json_decref(*doc), also after a failure (NULL). */
CB_CHECKED cb_status exch_json_parse(const char *text, size_t n, const char *name, json_t **doc,
                                     exch_at *root, cb_err *err);

/* An object with no other keys than these (NULL ends the list). */
CB_CHECKED cb_status exch_json_object(const exch_at *at, const char *const keys[], cb_err *err);
/* CB_E_PARSE: the key is missing. */
CB_CHECKED cb_status exch_json_member(const exch_at *at, const char *key, exch_at *out, cb_err *err);
/* A list of min to max items. */
CB_CHECKED cb_status exch_json_list(const exch_at *at, size_t min, size_t max, cb_err *err);
exch_at exch_json_item(const exch_at *at, size_t index);

/* A number that may stand in this column of the store (cb_column.h). */
CB_CHECKED cb_status exch_json_cell(const exch_at *at, const char *table, const char *column, double *out,
                                    cb_err *err);
/* A number in [min, max]. */
CB_CHECKED cb_status exch_json_number(const exch_at *at, double min, double max, double *out, cb_err *err);
/* The same, or a text that is such a number: some programs quote all they write. */
CB_CHECKED cb_status exch_json_quoted(const exch_at *at, double min, double max, double *out, cb_err *err);
/* A line without control characters (cb_text.h), borrowed. */
CB_CHECKED cb_status exch_json_string(const exch_at *at, const char **out, cb_err *err);
/* The same, copied: fewer than size bytes. */
CB_CHECKED cb_status exch_json_text(const exch_at *at, char *out, size_t size, cb_err *err);
/* Returns any object as compact text with 17 digits, if all its texts are lines. The caller frees *text. */
CB_CHECKED cb_status exch_json_verbatim(const exch_at *at, char **text, cb_err *err);
/* One of the names (NULL ends the list). */
CB_CHECKED cb_status exch_json_choice(const exch_at *at, const char *const names[], int *out, cb_err *err);

/* The document as text, two blanks deep, with 17 digits and a final newline; steals the reference; NULL
 * counts as out of memory. */
CB_CHECKED cb_status exch_json_dump(json_t *doc, char **text, cb_err *err);

#endif
