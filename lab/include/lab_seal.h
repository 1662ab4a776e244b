/* Sealed predictions. A prediction is written to a file before anything is measured, with its inputs, the
 * version of the program and the time. FILE.sha256 beside it has the file's SHA-256 in the form of sha256sum.
 * Whoever publishes that line can show later that the prediction came first (docs/guide/compare.md). */
#ifndef LAB_SEAL_H
#define LAB_SEAL_H

#include <jansson.h>

#include "cb_err.h"

typedef struct lab_seal {
  char kind[16];      /* "drape" or "slide" */
  char version[32];   /* of the program that predicted */
  char sealed_at[32]; /* UTC, as cb_now_iso8601 */
  char sha256[65];    /* of the file, hexadecimal */
  json_t *prediction; /* owned */
} lab_seal;

/* Checks that neither path nor path.sha256 exists: a seal is never replaced. Error: CB_E_RANGE. */
CB_CHECKED cb_status lab_seal_check_new(const char *path, cb_err *err);
/* Writes path and path.sha256, and fills *out; out->prediction shares `prediction`. The caller clears *out.
 * Errors: those of lab_seal_check_new; CB_E_IO. */
CB_CHECKED cb_status lab_seal_write(const char *path, const char *kind, json_t *prediction, lab_seal *out,
                                    cb_err *err);
/* Reads a sealed prediction of that kind. The caller clears *out, even after an error.
 * Errors: CB_E_IO; CB_E_PARSE for another document; CB_E_RANGE if the file is not what was sealed, or is of
 * another kind. */
CB_CHECKED cb_status lab_seal_read(const char *path, const char *kind, lab_seal *out, cb_err *err);
void lab_seal_clear(lab_seal *s);

#endif
