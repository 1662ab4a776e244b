/* Where output goes: over regular files only, and never over a database or what the command reads.
 *
 * A file is written beside its target under a name of its own, and renamed when it is whole. A full disk, an error or a kill leaves the old
 * file as it was, and no half of a new one. A link is followed: what it points at is replaced, the link stays. A link to nothing is
 * refused. */
#ifndef CB_OUT_H
#define CB_OUT_H

#include <stddef.h>
#include <stdio.h>

#include "cb_err.h"

#define CB_OUT_PATH_BYTES 4096

/* CB_E_IO where `path` cannot be written to: a folder, device, pipe or socket, a link to nothing, a SQLite file, its log or journal, or a
 * file that cannot be read to see whether it is one. A name under which nothing stands passes. */
CB_CHECKED cb_status cb_out_check(const char *path, cb_err *err);

/* CB_E_IO where `path` is the same file as one of the inputs, by whatever name (device and inode are compared). What does not exist is not
 * the same; NULL inputs are passed over. */
CB_CHECKED cb_status cb_out_check_inputs(const char *path, const char *const inputs[], size_t n_inputs, cb_err *err);

/* The same for a folder into which files of names that match one of the patterns (glob; NULL ends the list) will be written. */
CB_CHECKED cb_status cb_out_check_folder(const char *folder, const char *const patterns[], const char *const inputs[], size_t n_inputs,
                                         cb_err *err);

typedef struct cb_out {
  char path[CB_OUT_PATH_BYTES];      /* the target, links followed */
  char part[CB_OUT_PATH_BYTES + 32]; /* what is written meanwhile */
  int fd;                            /* of part; -1: closed */
} cb_out;

/* Checks the target and opens its part for writing. */
CB_CHECKED cb_status cb_out_begin(cb_out *o, const char *path, cb_err *err);
/* Where st is CB_OK: flushes the part to the disk and gives it the target's name; else removes it. Returns st, or why the file could not be
 * finished. Called once after every cb_out_begin that succeeded. */
CB_CHECKED cb_status cb_out_end(cb_out *o, cb_status st, cb_err *err);

/* A file that is to be seen while it grows, a log: emptied and opened for writing, after the same checks. Caller fclose. */
CB_CHECKED cb_status cb_out_grow(const char *path, FILE **out, cb_err *err);

#endif
