/* Output files. They replace regular files only, and never a database or a file that the command reads.
 *
 * A file is written beside its target under a temporary name, and renamed when it is complete. After a full
 * disk, an error or a kill the old file is unchanged. If the path is a link, the file behind it is replaced
 * and the link stays. A link to nothing is refused. */
#ifndef CB_OUT_H
#define CB_OUT_H

#include <stddef.h>
#include <stdio.h>

#include "cb_err.h"

#define CB_OUT_PATH_BYTES 4096

/* Checks that `path` can be written to. A path without a file passes if its folder exists.
 * Errors: CB_E_IO for a folder, device, pipe or socket, for a link to nothing, and for a SQLite file, its log
 * or journal. Also CB_E_IO for a file that cannot be read to see whether it is a database. */
CB_CHECKED cb_status cb_out_check(const char *path, cb_err *err);

/* Checks that `path` is none of the inputs, by device and inode. Files that do not exist and NULL inputs are
 * skipped.
 * Errors: CB_E_IO. */
CB_CHECKED cb_status cb_out_check_inputs(const char *path, const char *const inputs[], size_t n_inputs,
                                         cb_err *err);

/* Checks the same for every file of a folder whose name matches one of the patterns (glob; NULL ends the
 * list).
 * Errors: CB_E_IO. */
CB_CHECKED cb_status cb_out_check_folder(const char *folder, const char *const patterns[],
                                         const char *const inputs[], size_t n_inputs, cb_err *err);

typedef struct cb_out {
  char path[CB_OUT_PATH_BYTES];      /* the target, links followed */
  char part[CB_OUT_PATH_BYTES + 32]; /* the temporary name */
  int fd;                            /* of part; -1: closed */
} cb_out;

/* Checks the target as cb_out_check does, and opens o->fd for writing. After success the caller calls
 * cb_out_end once.
 * Errors: CB_E_IO; nothing is then open. */
CB_CHECKED cb_status cb_out_begin(cb_out *o, const char *path, cb_err *err);
/* Ends the output. If st is CB_OK, the part is flushed to disk and renamed to the target; else it is removed.
 * Returns st, or CB_E_IO if the file could not be completed. o->fd is closed in any case. */
CB_CHECKED cb_status cb_out_end(cb_out *o, cb_status st, cb_err *err);

/* Empties and opens a file that is read while it grows, such as a log, after the same checks. The caller
 * closes *out with fclose.
 * Errors: CB_E_IO; *out is then NULL. */
CB_CHECKED cb_status cb_out_grow(const char *path, FILE **out, cb_err *err);

#endif
