#include "cb_draft.h"

#include <stdlib.h>

#include "cb_file.h"

cb_status cb_draft_begin(cb_draft *d, cb_err *err) {
  *d = (cb_draft){.to = NULL};
  d->to = open_memstream(&d->text, &d->n);
  return d->to ? CB_OK : cb_no_memory(err, "a text");
}

cb_status cb_draft_end(cb_draft *d, cb_status st, char **text, cb_err *err) {
  int failed = !d->to || ferror(d->to);
  if (d->to) failed |= fclose(d->to);
  *text = d->text;
  if (st == CB_OK && !failed) return CB_OK;
  free(d->text);
  *text = NULL;
  return st == CB_OK ? cb_no_memory(err, "a text of %zu bytes", d->n) : st;
}

cb_status cb_draft_save(cb_draft *d, cb_status st, const char *path, cb_err *err) {
  char *text;
  CB_TRY(cb_draft_end(d, st, &text, err));
  st = cb_file_write(path, text, d->n, err);
  free(text);
  return st;
}
