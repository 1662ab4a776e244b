/* A text that grows as it is printed. */
#ifndef EXCH_TEXT_H
#define EXCH_TEXT_H

#include <stdio.h>

#include "cb_err.h"

typedef struct exch_text {
  FILE *to;
  char *text;
  size_t size;
} exch_text;

/* t must stay where it is until the end. */
CB_CHECKED cb_status exch_text_begin(exch_text *t, cb_err *err);
/* Caller frees *text; NULL on failure. */
CB_CHECKED cb_status exch_text_end(exch_text *t, char **text, cb_err *err);

#endif
