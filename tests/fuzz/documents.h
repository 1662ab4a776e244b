/* What fuzzers of stored documents share: what was read is written again, and reads as the same document. */
#ifndef DOCUMENTS_H
#define DOCUMENTS_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cb_json.h"

/* The text of a document, which it frees. A name that was cut inside a letter is no text any more, and cannot
 * be written: NULL. */
static inline char *text_of(json_t *doc) {
  char *text = cb_json_text(doc);
  json_decref(doc);
  return text;
}

static inline void expect_same(char *first, char *second) {
  if (!first || !second || strcmp(first, second) != 0) {
    fprintf(stderr, "%s\n%s\n", first ? first : "(none)", second ? second : "(none)");
    abort();
  }
  free(first);
  free(second);
}

#endif
