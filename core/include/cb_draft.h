/* A text that is printed piece by piece into memory.
 *
 *   cb_draft d;
 *   CB_TRY(cb_draft_begin(&d, err));
 *   fprintf(d.to, ...);
 *   return cb_draft_save(&d, CB_OK, path, err); */
#ifndef CB_DRAFT_H
#define CB_DRAFT_H

#include <stdio.h>

#include "cb_err.h"

typedef struct cb_draft {
  FILE *to; /* NULL: it could not begin */
  char *text;
  size_t n;
} cb_draft;

/* d stays where it is until its end. */
CB_CHECKED cb_status cb_draft_begin(cb_draft *d, cb_err *err);
/* Each ends a draft after work that ended with st, and returns st or CB_E_NOMEM. cb_draft_end hands the text
 * over: the caller frees *text, which is NULL unless CB_OK is returned. cb_draft_save makes it a file, whole
 * or not at all (cb_file_write). */
CB_CHECKED cb_status cb_draft_end(cb_draft *d, cb_status st, char **text, cb_err *err);
CB_CHECKED cb_status cb_draft_save(cb_draft *d, cb_status st, const char *path, cb_err *err);

#endif
