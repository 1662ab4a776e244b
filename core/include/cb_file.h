/* Whole files: read with a size limit; written to a temporary name and renamed, so that no file is ever
 * half-written. */
#ifndef CB_FILE_H
#define CB_FILE_H

#include <stddef.h>
#include <sys/stat.h>

#include "cb_err.h"

/* Reads a regular file into *text, NUL-terminated, and its length into *n. The caller frees *text. On failure
 * *text is NULL and *n is 0. A pipe, device or folder fails at once, without waiting. "/dev/stdin" is read if
 * it is a file; a shell's <(command) is a pipe and fails.
 * Errors: CB_E_IO if it cannot be opened or read, or is not a regular file; CB_E_RANGE above max_bytes;
 * CB_E_NOMEM. */
CB_CHECKED cb_status cb_file_read(const char *path, size_t max_bytes, char **text, size_t *n, cb_err *err);
/* Writes n bytes as the whole content of a file, by the rules of cb_out.h: never over a database, and only
 * over regular files. On failure the old file is unchanged.
 * Errors: CB_E_IO. */
CB_CHECKED cb_status cb_file_write(const char *path, const void *data, size_t n, cb_err *err);
/* Checks that `info` (from stat) is a regular file's. `what` goes into the sentence and may be "".
 * Errors: CB_E_IO, "path: [what]is a pipe: a regular file was wanted". */
CB_CHECKED cb_status cb_file_check_regular(const struct stat *info, const char *path, const char *what,
                                           cb_err *err);
/* Makes a folder and its parents, as mkdir -p does.
 * Errors: CB_E_IO. */
CB_CHECKED cb_status cb_dir_make(const char *path, cb_err *err);
/* Makes a new folder PREFIX-XXXXXX in TMPDIR, else in /tmp, and writes its path to out.
 * Errors: CB_E_IO; out is then "". */
CB_CHECKED cb_status cb_dir_make_temporary(const char *prefix, char *out, size_t size, cb_err *err);
/* Removes a folder with all that is in it, as far as that is allowed. Links are removed, not followed. */
void cb_dir_remove(const char *path);

#endif
