/* gzip (RFC 1952) in memory. */
#ifndef CB_GZIP_H
#define CB_GZIP_H

#include <stdbool.h>
#include <stddef.h>

#include "cb_err.h"

bool cb_gzip_is(const void *bytes, size_t n);
/* One member, its CRC checked; NUL-terminated, caller frees. More than max_bytes when unpacked: CB_E_RANGE; damage: CB_E_PARSE, by name. */
CB_CHECKED cb_status cb_gzip_unpack(const void *bytes, size_t n, const char *name, size_t max_bytes, char **text, size_t *n_text,
                                    cb_err *err);

#endif
