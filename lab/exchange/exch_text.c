#include "exch_text.h"

#include <stdlib.h>

cb_status exch_text_begin(exch_text *t, cb_err *err) {
  *t = (exch_text){.to = NULL};
  t->to = open_memstream(&t->text, &t->size);
  return t->to ? CB_OK : cb_no_memory(err, "a text");
}

cb_status exch_text_end(exch_text *t, char **text, cb_err *err) {
  int failed = ferror(t->to);
  failed |= fclose(t->to);
  *text = t->text;
  if (!failed) return CB_OK;
  free(t->text);
  *text = NULL;
  return cb_no_memory(err, "a text");
}
