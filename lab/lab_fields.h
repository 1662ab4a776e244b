/* One table for both ways between a struct and a JSON object of the database. Reading is lenient with age and
 * strict with kind: a key that an older file does not have, or that is null, is not known; a value of another
 * kind than the key's is refused. */
#ifndef LAB_FIELDS_H
#define LAB_FIELDS_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "cb_err.h"

typedef enum lab_field_kind {
  LAB_REAL,   /* double; NAN and infinite numbers are null, null is NAN */
  LAB_COUNT,  /* size_t; not known: 0 */
  LAB_ID,     /* int64_t; 0 is null */
  LAB_SIGN,   /* int; not known: 0 */
  LAB_TRUTH,  /* bool; not known: false */
  LAB_CHOICE, /* an enum; not known: the struct keeps what it has */
  LAB_TEXT    /* char[n]; not known: "" */
} lab_field_kind;

typedef struct lab_field {
  const char *key;
  lab_field_kind kind;
  size_t offset;
  size_t n;                 /* CHOICE: how many names; TEXT: its room */
  const char *const *names; /* CHOICE */
  double scale;             /* REAL: the document has scale times the struct's number; 0: the number itself */
} lab_field;

/* Rows of a table. */
#define LAB_KEY(kind, type, member, key) \
  { (key), (kind), offsetof(type, member), 0, NULL, 0 }
#define LAB_KEY_SCALED(type, member, key, scale) \
  { (key), LAB_REAL, offsetof(type, member), 0, NULL, (scale) }
#define LAB_KEY_CHOICE(type, member, key, words, last) \
  { (key), LAB_CHOICE, offsetof(type, member), (last) + 1, (words), 0 }
#define LAB_KEY_TEXT(type, member, key) \
  { (key), LAB_TEXT, offsetof(type, member), sizeof(((type *)0)->member), NULL, 0 }
#define LAB_N(fields) (sizeof(fields) / sizeof((fields)[0]))

/* NULL: no memory. */
json_t *lab_fields_json(const lab_field *fields, size_t n, const void *from);
/* CB_E_DB names the key. o may be NULL: nothing is known. */
CB_CHECKED cb_status lab_fields_read(const lab_field *fields, size_t n, const json_t *o, void *to,
                                     cb_err *err);

/* Puts all of more into o; false: no memory. Takes the reference of more. */
bool lab_fields_join(json_t *o, json_t *more);
/* The list or object under a key, NULL where it is not known; CB_E_DB: it is something else. */
CB_CHECKED cb_status lab_fields_list(const json_t *o, const char *key, size_t most, const json_t **list,
                                     cb_err *err);
CB_CHECKED cb_status lab_fields_object(const json_t *o, const char *key, const json_t **object, cb_err *err);
/* The document of a column; CB_E_DB: it is no JSON object. Control characters of its strings are replaced.
 * Caller: json_decref. */
CB_CHECKED cb_status lab_fields_document(const char *text, json_t **doc, cb_err *err);

#endif
