/* Whole files: read with a size limit, written to a temporary name and renamed into place so that nothing is ever half-written. */
#ifndef CB_FILE_H
#define CB_FILE_H

#include <stddef.h>
#include <sys/stat.h>

#include "cb_err.h"

/* NUL-terminated; caller frees. Larger than max_bytes: CB_E_RANGE. A pipe, a device, a folder: CB_E_IO at once, nothing is waited for. So
 * "/dev/stdin" is read where it is a file, and a shell's <(command), which is a pipe, is not. */
CB_CHECKED cb_status cb_file_read(const char *path, size_t max_bytes, char **text, size_t *n, cb_err *err);
/* Over regular files only, never over a database: cb_out.h. */
CB_CHECKED cb_status cb_file_write(const char *path, const void *data, size_t n, cb_err *err);
/* CB_E_IO: "path: [what]is a pipe: a regular file was wanted". */
CB_CHECKED cb_status cb_file_check_regular(const struct stat *info, const char *path, const char *what, cb_err *err);
/* mkdir -p. */
CB_CHECKED cb_status cb_dir_make(const char *path, cb_err *err);

#endif
