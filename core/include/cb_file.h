/* Whole files: read with a size limit, written to a temporary name and renamed into place so that nothing is ever
 * half-written. */
#ifndef CB_FILE_H
#define CB_FILE_H

#include <stddef.h>

#include "cb_err.h"

/* NUL-terminated; caller frees. Larger than max_bytes: CB_E_RANGE. */
CB_CHECKED cb_status cb_file_read(const char *path, size_t max_bytes, char **text, size_t *n, cb_err *err);
CB_CHECKED cb_status cb_file_write(const char *path, const void *data, size_t n, cb_err *err);
/* mkdir -p. */
CB_CHECKED cb_status cb_dir_make(const char *path, cb_err *err);

#endif
