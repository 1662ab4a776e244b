/* Doubles of a struct as members of a JSON object, there and back by one table, so that writing and reading
 * cannot differ. Keys are written in the order of the table. Every key has to be there when it is read;
 * others are ignored. Numbers come back bit for bit (cb_json_text). */
#ifndef CB_JSON_FIELDS_H
#define CB_JSON_FIELDS_H

#include <stddef.h>

#include "cb_err.h"
#include "cb_json.h"

typedef enum cb_json_null {
  CB_JSON_NEVER, /* null is refused; what is not finite cannot be written */
  CB_JSON_NAN,   /* null stands for NAN */
  CB_JSON_INF    /* null stands for INFINITY */
} cb_json_null;

typedef struct cb_json_field {
  const char *key;
  size_t at; /* of the double in the struct */
  cb_json_null null;
} cb_json_field;

#define CB_JSON_COUNT_OF(fields) (sizeof(fields) / sizeof(fields)[0])

/* Adds the members to o. Returns 0; -1: there is no memory, a number cannot be written, or o is NULL. */
int cb_json_put(json_t *o, const cb_json_field *fields, size_t n, const void *from);

/* A new object of the members. NULL: as above. Caller: json_decref. */
json_t *cb_json_object(const cb_json_field *fields, size_t n, const void *from);

/* Reads the members. CB_E_PARSE: "WHEREkey: a number was wanted"; where: "bending law: ". *to is then partly
 * filled. */
CB_CHECKED cb_status cb_json_get(const json_t *o, const char *where, const cb_json_field *fields, size_t n,
                                 void *to, cb_err *err);

/* A matrix of rows x columns numbers, each null where it is not finite. NULL: no memory. Caller:
   json_decref. */
json_t *cb_json_matrix(const double *a, size_t rows, size_t columns);
/* Reads one without null. CB_E_PARSE: "WHERE: 3 rows of 3 numbers were wanted". */
CB_CHECKED cb_status cb_json_get_matrix(const json_t *list, const char *where, size_t rows, size_t columns,
                                        double *out, cb_err *err);

#endif
