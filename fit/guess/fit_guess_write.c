/* The text of a guessed mapping. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cb_text.h"
#include "fit_guess_impl.h"

typedef struct writer {
  const guess_shape *s;
  const guess_match *m;
  FILE *to;
  bool trial;   /* stand-ins instead of "?" */
  size_t fills; /* "?" */
} writer;

/* A text without control characters, and without half a character where it was cut. */
static void put_plain(FILE *to, const char *text) {
  char shown[4 * GUESS_NAME];
  fputs(cb_text_show(text, shown, sizeof shown), to);
}

/* A text as YAML: in double quotes. */
static void put_quoted(FILE *to, const char *text) {
  char shown[4 * GUESS_NAME];
  fputc('"', to);
  for (const char *c = cb_text_show(text, shown, sizeof shown); *c; c++) {
    if (*c == '"' || *c == '\\') fputc('\\', to);
    fputc(*c, to);
  }
  fputc('"', to);
}

/* "?" for a person, or what stands for it in the trial. */
static void put_fill(writer *w, const char *stand_in) {
  w->fills++;
  put_quoted(w->to, w->trial ? stand_in : "?");
}

/* ---- units ---- */

/* Some unit of the dimension, for the trial. */
static const char *any_unit(cb_dim dim) {
  static char units[200];
  cb_unit_list(dim, units, sizeof units);
  units[strcspn(units, ",")] = '\0';
  return units;
}

static void put_unit(writer *w, const guess_field *f, const char *stated) {
  cb_dim dim;
  const char *unit = guess_unit(stated, &dim);
  if (f->dim == CB_DIM_NONE || f->dim == CB_DIM_COUNT) return;
  if (unit && f->dim == CB_DIM_FORCE && dim == CB_DIM_MASS) unit = strcmp(unit, "kg") == 0 ? "kgf" : "gf";
  if (!unit) unit = f->unit;
  fputs(", unit: ", w->to);
  if (unit)
    put_quoted(w->to, unit);
  else
    put_fill(w, any_unit(f->dim));
}

/* ---- fields ---- */

static void put_column_name(writer *w, int column) {
  if (w->s->named)
    put_quoted(w->to, w->s->column[column].header);
  else
    fprintf(w->to, "\"%d\"", column + 1);
}

static void put_heading(writer *w, const guess_column *c) {
  put_plain(w->to, c->name);
  if (c->unit[0]) fputs(" [", w->to), put_plain(w->to, c->unit), fputc(']', w->to);
  fputs("; ", w->to);
}

static void put_column(writer *w, const guess_field *f, int column) {
  const guess_column *c = &w->s->column[column];
  cb_dim dim;
  fprintf(w->to, "  %s: {column: ", f->name);
  put_column_name(w, column);
  put_unit(w, f, c->unit);
  if (c->words[0] && f->dim == CB_DIM_ANGLE) fprintf(w->to, ", words: {%s}", c->words);
  fprintf(w->to, "}  # ");
  if (!w->s->named) put_heading(w, c);
  if (c->numeric)
    fprintf(w->to, "%g ... %g", c->least, c->most);
  else
    put_plain(w->to, c->example), fputs(" ...", w->to);
  if (f->unit && !guess_unit(c->unit, &dim)) fprintf(w->to, "; the table states no unit");
  fputc('\n', w->to);
}

static void put_title(writer *w, const guess_field *f, const guess_title *t) {
  fprintf(w->to, "  %s: {value: ", f->name);
  put_quoted(w->to, t->value);
  put_unit(w, f, t->unit);
  fputs("}  # above the table: ", w->to);
  put_plain(w->to, t->name);
  fputc('\n', w->to);
}

static bool is_given(const guess_match *m, const char *names) {
  for (size_t i = 0; i < m->kind->n; i++) {
    const char *name = m->kind->fields[i].name, *at = strstr(names, name);
    if (at && m->from[i] != GUESS_NOTHING && strchr("|", at[strlen(name)]) && (at == names || at[-1] == '|'))
      return true;
  }
  return false;
}

/* A load may be a force or a mass: one is enough. */
static bool is_wanted(const guess_match *m, const guess_field *f) {
  if (!f->fill || (f->with && !is_given(m, f->with))) return false;
  return strcmp(f->name, "mass") != 0 || !is_given(m, "normal_force");
}

static void put_missing(writer *w, const guess_field *f) {
  fprintf(w->to, "  %s: {value: ", f->name);
  put_fill(w, f->trial);
  put_unit(w, f, "");
  fprintf(w->to, "}  # fill in: %s\n", f->fill);
}

static void put_fields(writer *w) {
  for (size_t i = 0; i < w->m->kind->n; i++) {
    const guess_field *f = &w->m->kind->fields[i];
    const int from = w->m->from[i];
    if (from >= GUESS_TITLE)
      put_title(w, f, &w->s->title[from - GUESS_TITLE]);
    else if (from != GUESS_NOTHING)
      put_column(w, f, from);
    else if (is_wanted(w->m, f))
      put_missing(w, f);
  }
}

static void put_unused(writer *w) {
  for (int c = 0; c < w->s->n_columns; c++) {
    bool used = false;
    for (size_t i = 0; i < w->m->kind->n; i++) used = used || w->m->from[i] == c;
    if (used || !w->s->column[c].name[0]) continue;
    fputs("# not used: ", w->to);
    put_plain(w->to, w->s->column[c].name);
    fputc('\n', w->to);
  }
}

/* ---- the whole ---- */

static void put_head(writer *w, const char *name) {
  const guess_shape *s = w->s;
  fputs("# Guessed from ", w->to);
  put_plain(w->to, name);
  fprintf(w->to, ", %d rows. Check every line.\n", s->rows);
  fprintf(w->to, "kind: %s\nsource: ", w->m->kind->name);
  put_fill(w, "guess");
  fprintf(w->to, "  # fill in: who measured it, and when\n");
  if (!s->named) fprintf(w->to, "header: false  # columns by number\n");
  if (s->skip_lines) fprintf(w->to, "skip_lines: %d\n", s->skip_lines);
  if (s->last_line) fprintf(w->to, "last_line: %d  # what follows is not read\n", s->last_line);
  if (s->latin1) fprintf(w->to, "encoding: latin1\n");
  fprintf(w->to, s->separator == '\t' ? "separator: \"\\t\"\n" : "separator: \"%c\"\n", s->separator);
  if (s->decimal_comma) fprintf(w->to, "decimal_comma: true\n");
  fprintf(w->to, "columns:\n");
}

static cb_status write_text(const guess_shape *s, const guess_match *m, const char *name, bool trial,
                            char **text, size_t *fills, cb_err *err) {
  size_t n;
  writer w = {.s = s, .m = m, .trial = trial};
  *text = NULL;
  w.to = open_memstream(text, &n);
  if (!w.to) return cb_no_memory(err, "the mapping of %s", name);
  put_head(&w, name);
  put_fields(&w);
  put_unused(&w);
  *fills = w.fills;
  return fclose(w.to) == 0 ? CB_OK : cb_no_memory(err, "the mapping of %s", name);
}

cb_status guess_write(const guess_shape *s, const guess_match *m, const char *name, fit_guess *out,
                      cb_err *err) {
  const char *slash = strrchr(name, '/');
  const char *file = slash ? slash + 1 : name;
  CB_TRY(write_text(s, m, file, true, &out->trial, &out->n_fill, err));
  return write_text(s, m, file, false, &out->mapping, &out->n_fill, err);
}
