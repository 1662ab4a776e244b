/* gzip (RFC 1952) in memory. */
#ifndef CB_GZIP_H
#define CB_GZIP_H

#include <stdbool.h>
#include <stddef.h>

#include "cb_err.h"

/* Returns true if the bytes begin as gzip does. */
bool cb_gzip_is(const void *bytes, size_t n);
/* Unpacks all members and checks their CRCs. *text is NUL-terminated; the caller frees it. On failure *text
 * is NULL. `name` stands for the file in errors.
 * Errors: CB_E_RANGE for n >= 1 GiB, for more than max_bytes when unpacked, and for more than 1 MiB that is
 * more than 100 times n; CB_E_PARSE for damage; CB_E_NOMEM. */
CB_CHECKED cb_status cb_gzip_unpack(const void *bytes, size_t n, const char *name, size_t max_bytes,
                                    char **text, size_t *n_text, cb_err *err);

#endif
