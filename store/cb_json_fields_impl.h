/* Private to store/. */
#ifndef CB_JSON_FIELDS_IMPL_H
#define CB_JSON_FIELDS_IMPL_H

#include "cb_json_fields.h"

/* Adds the members to o. Returns 0; -1: there is no memory, a number cannot be written, or o is NULL. */
int cb_json_put(json_t *o, const cb_json_field *fields, size_t n, const void *from);

/* A new object of the members. NULL: as above. Caller: json_decref. */
json_t *cb_json_object(const cb_json_field *fields, size_t n, const void *from);

/* Reads the members. CB_E_PARSE: "WHEREkey: a number was wanted"; where: "bending law: ". *to is then partly
 * filled. */
CB_CHECKED cb_status cb_json_get(const json_t *o, const char *where, const cb_json_field *fields, size_t n,
                                 void *to, cb_err *err);

#endif
