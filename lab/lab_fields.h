/* Tables that map a struct to a JSON object of the database, and back. A key that an older file lacks, or
 * that is null, is unknown. A value of another kind than the key's is refused. */
#ifndef LAB_FIELDS_H
#define LAB_FIELDS_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "cb_err.h"

typedef enum lab_field_kind {
  LAB_REAL,   /* double; NAN and infinities are written as null, null is read as NAN */
  LAB_COUNT,  /* size_t; unknown: 0 */
  LAB_ID,     /* int64_t; 0 is written as null */
  LAB_SIGN,   /* int; unknown: 0 */
  LAB_TRUTH,  /* bool; unknown: false */
  LAB_CHOICE, /* enum; unknown: the struct keeps its value */
  LAB_TEXT    /* char[n]; unknown: "" */
} lab_field_kind;

typedef struct lab_field {
  const char *key;
  lab_field_kind kind;
  size_t offset;
  size_t n;                 /* CHOICE: number of names; TEXT: size of the array */
  const char *const *names; /* CHOICE */
  double scale;             /* REAL: the document has scale x the number; 0 means 1 */
} lab_field;

/* Entries of a table. */
#define LAB_KEY(kind, type, member, key) \
  { (key), (kind), offsetof(type, member), 0, NULL, 0 }
#define LAB_KEY_SCALED(type, member, key, scale) \
  { (key), LAB_REAL, offsetof(type, member), 0, NULL, (scale) }
#define LAB_KEY_CHOICE(type, member, key, words, last) \
  { (key), LAB_CHOICE, offsetof(type, member), (last) + 1, (words), 0 }
#define LAB_KEY_TEXT(type, member, key) \
  { (key), LAB_TEXT, offsetof(type, member), sizeof(((type *)0)->member), NULL, 0 }
#define LAB_N(fields) (sizeof(fields) / sizeof((fields)[0]))

/* Makes an object from a struct. Returns NULL without memory. */
json_t *lab_fields_json(const lab_field *fields, size_t n, const void *from);
/* Reads an object into a struct. o NULL: all keys are unknown. Error: CB_E_DB names the key. */
CB_CHECKED cb_status lab_fields_read(const lab_field *fields, size_t n, const json_t *o, void *to,
                                     cb_err *err);

/* Makes a list of objects from `count` structs of `bytes` bytes each. Returns NULL without memory. */
json_t *lab_rows_json(const lab_field *fields, size_t n, const void *rows, size_t count, size_t bytes);
/* Reads the list under a key into at most `most` structs. Without the key *count is 0. Error: CB_E_DB names
 * the row. */
CB_CHECKED cb_status lab_rows_read(const lab_field *fields, size_t n, const json_t *o, const char *key,
                                   void *rows, size_t bytes, size_t most, size_t *count, cb_err *err);

/* Adds all keys of `more` to o, and releases `more`. Returns false without memory. */
bool lab_fields_join(json_t *o, json_t *more);
/* Find the list or object under a key; NULL if unknown. Error: CB_E_DB for another kind. */
CB_CHECKED cb_status lab_fields_list(const json_t *o, const char *key, size_t most, const json_t **list,
                                     cb_err *err);
CB_CHECKED cb_status lab_fields_object(const json_t *o, const char *key, const json_t **object, cb_err *err);
/* Parses the document of a column. Control characters in its strings are replaced. The caller calls
 * json_decref. Error: CB_E_DB if it is no JSON object. */
CB_CHECKED cb_status lab_fields_document(const char *text, json_t **doc, cb_err *err);

#endif
