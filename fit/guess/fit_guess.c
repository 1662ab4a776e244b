#include "fit_guess.h"

#include <stdlib.h>
#include <string.h>

#include "fit_guess_impl.h"

cb_status fit_guess_mapping(const char *text, size_t n, const char *name, const char *sheet, const char *kind,
                            fit_guess *out, cb_err *err) {
  guess_match m;
  *out = (fit_guess){.rows = 0};
  guess_shape *s = malloc(sizeof *s); /* 30 kB */
  if (!s) return cb_no_memory(err, "%s", name);
  cb_status st = guess_find_shape(text, n, name, sheet ? sheet : "", s, err);
  if (st == CB_OK) st = guess_find_kind(s, name, kind, &m, err);
  if (st == CB_OK) {
    out->rows = s->rows;
    memcpy(out->kind, m.kind->name, strlen(m.kind->name) + 1);
    st = guess_write(s, &m, name, out, err);
  }
  free(s);
  return st;
}

void fit_guess_clear(fit_guess *g) {
  free(g->mapping);
  free(g->trial);
  *g = (fit_guess){.rows = 0};
}
