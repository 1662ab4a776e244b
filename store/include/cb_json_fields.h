/* Structs as JSON objects, there and back by one table, so that writing and reading cannot differ.
 *
 *   static const cb_json_field fields[] = {
 *       {"B_Nm", CB_JSON_REAL, offsetof(result, B_Nm)},
 *       {"origin", CB_JSON_NAME, offsetof(result, origin), .names = cb_origin_names},
 *   };
 *
 * Keys are written in the order of the table. Reading looks for every key and ignores others. Reals are
 * written so that they come back bit for bit (cb_json_text). */
#ifndef CB_JSON_FIELDS_H
#define CB_JSON_FIELDS_H

#include <stddef.h>

#include "cb_err.h"
#include "cb_json.h"

typedef enum cb_json_kind {
  CB_JSON_REAL,  /* double; finite */
  CB_JSON_NAN,   /* double; null is NAN */
  CB_JSON_INF,   /* double; null is INFINITY */
  CB_JSON_COUNT, /* size_t */
  CB_JSON_ID,    /* int64_t; >= 0 */
  CB_JSON_INT,   /* int */
  CB_JSON_BOOL,  /* bool */
  CB_JSON_NAME,  /* an enum as its word */
  CB_JSON_TEXT   /* char[] */
} cb_json_kind;

typedef struct cb_json_field {
  const char *key;
  cb_json_kind kind;
  size_t at;                /* of the member in the struct */
  const char *const *names; /* NAME: by number, ended by NULL */
  size_t bytes;             /* TEXT: of the array */
} cb_json_field;

#define CB_JSON_COUNT_OF(fields) (sizeof(fields) / sizeof(fields)[0])

/* Adds the members to o. Returns 0; -1: there is no memory, a REAL is not finite, or o is NULL. */
int cb_json_put(json_t *o, const cb_json_field *fields, size_t n, const void *from);
/* A new object of the members. NULL: as above. */
json_t *cb_json_object(const cb_json_field *fields, size_t n, const void *from);

/* Reads the members. CB_E_PARSE: "WHEREkey: a number was wanted", and so on; where: "bending law: ". A text
 * that is too long for its array is CB_E_RANGE. *to is then partly filled. */
CB_CHECKED cb_status cb_json_get(const json_t *o, const char *where, const cb_json_field *fields, size_t n,
                                 void *to, cb_err *err);

/* Rows of a struct of so many bytes, as a list of objects. NULL: as above. */
json_t *cb_json_rows(const cb_json_field *fields, size_t n, const void *rows, size_t count, size_t bytes);
/* Reads at most `most` of them. Errors as above; where: "bending fit: directions[]." */
CB_CHECKED cb_status cb_json_get_rows(const json_t *list, const char *where, const cb_json_field *fields,
                                      size_t n, void *rows, size_t bytes, size_t most, size_t *count,
                                      cb_err *err);

/* A matrix of rows x columns numbers, each null where it is not finite. NULL: no memory. */
json_t *cb_json_matrix(const double *a, size_t rows, size_t columns);
/* Reads one without null. CB_E_PARSE: "WHERE: 3 rows of 3 numbers were wanted". */
CB_CHECKED cb_status cb_json_get_matrix(const json_t *list, const char *where, size_t rows, size_t columns,
                                        double *out, cb_err *err);

#endif
