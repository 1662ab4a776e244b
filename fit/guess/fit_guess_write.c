/* The text of a guessed mapping. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cb_draft.h"
#include "cb_plural.h"
#include "cb_text.h"
#include "fit_guess_impl.h"
#include "fit_cells.h"

typedef struct writer {
  const guess_shape *s;
  const guess_match *m;
  FILE *to;
  bool trial; /* stand-ins instead of "?" */
  char list[sizeof((fit_guess){0}.fills)];
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

/* "?" for a person, or what stands for it in the trial. what: names it. */
static void put_fill(writer *w, const char *what, const char *stand_in) {
  cb_text_add(w->list, sizeof w->list, ", ", "%s", what);
  put_quoted(w->to, w->trial ? stand_in : "?");
}

/* ---- units ---- */

#define UNITS_BYTES 200

/* Some unit of the dimension, for the trial. */
static const char *any_unit(cb_dim dim, char units[UNITS_BYTES]) {
  cb_unit_list(dim, units, UNITS_BYTES);
  units[strcspn(units, ",")] = '\0';
  return units;
}

/* The weight of a mass. */
static const char *weight_of(const char *mass) {
  static const char *const weights[][2] = {{"kg", "kgf"}, {"lb", "lbf"}, {"mg", "0.001 gf"}};
  for (size_t i = 0; i < sizeof weights / sizeof weights[0]; i++)
    if (strcmp(mass, weights[i][0]) == 0) return weights[i][1];
  return "gf";
}

static void put_unit(writer *w, const guess_field *f, const char *stated) {
  cb_dim dim;
  const char *unit = fit_unit_find(stated, &dim);
  if (f->dim == CB_DIM_NONE || f->dim == CB_DIM_COUNT) return;
  if (unit && f->dim == CB_DIM_FORCE && dim == CB_DIM_MASS) unit = weight_of(unit);
  if (unit && f->dim == CB_DIM_SPEED && dim == CB_DIM_FLOW) unit = "cfm/ft2";
  if (!unit) unit = f->unit;
  char what[64], units[UNITS_BYTES];
  (void)snprintf(what, sizeof what, "unit of %s", f->name);
  fputs(", unit: ", w->to);
  if (unit)
    put_quoted(w->to, unit);
  else
    put_fill(w, what, any_unit(f->dim, units));
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

static void put_words(writer *w, const char *words) {
  fputs(", words: {", w->to);
  for (const char *at; (at = strstr(words, "\"?\"")) != NULL; words = at + 3) {
    fprintf(w->to, "%.*s", (int)(at - words), words);
    put_fill(w, "direction", "45");
  }
  fprintf(w->to, "%s}", words);
}

static void put_column(writer *w, const guess_field *f, int column) {
  const guess_column *c = &w->s->column[column];
  cb_dim dim;
  fprintf(w->to, "  %s: {column: ", f->name);
  put_column_name(w, column);
  put_unit(w, f, c->unit);
  if (c->words[0] && guess_is_direction(f)) put_words(w, c->words);
  fprintf(w->to, "}  # ");
  if (!w->s->named) put_heading(w, c);
  if (c->numeric)
    fprintf(w->to, "%g ... %g", c->least, c->most);
  else
    put_plain(w->to, c->example), fputs(" ...", w->to);
  if (f->unit && !fit_unit_find(c->unit, &dim)) fprintf(w->to, "; the table states no unit");
  fputc('\n', w->to);
}

static void put_title(writer *w, const guess_field *f, const guess_title *t) {
  fprintf(w->to, "  %s: {value: ", f->name);
  const char *deg = guess_is_direction(f) ? guess_direction(t->value) : NULL;
  put_quoted(w->to, deg ? deg : t->value);
  put_unit(w, f, t->unit);
  fputs(t->of_column ? "}  # in the name of a column: " : "}  # above the table: ", w->to);
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
  put_fill(w, f->name, f->trial);
  put_unit(w, f, "");
  fprintf(w->to, "}  # fill in: %s\n", f->fill);
}

/* "Kette 1", "Schuss 1" in a column of specimens: rows of different directions must not become one. */
static void put_sides(writer *w, const guess_field *f) {
  for (int c = 0; c < w->s->n_columns; c++) {
    if (!w->s->column[c].sides) continue;
    fprintf(w->to, "  %s: {value: ", f->name);
    put_fill(w, f->name, "0");
    fputs(", unit: deg}  # '", w->to);
    put_plain(w->to, w->s->column[c].name);
    fputs("' names several directions: a column that has them alone is wanted\n", w->to);
    return;
  }
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
    else if (guess_is_direction(f))
      put_sides(w, f);
  }
}

/* leave_out: rows that the laboratory marked. */
static void put_left_out(writer *w) {
  for (int c = 0; c < w->s->n_columns; c++) {
    if (!w->s->column[c].leave_out[0]) continue;
    fputs("leave_out: {column: ", w->to);
    put_column_name(w, c);
    fputs(", value: ", w->to);
    put_quoted(w->to, w->s->column[c].leave_out);
    fputs("}\n", w->to);
    return;
  }
}

static void put_unused(writer *w) {
  for (int c = 0; c < w->s->n_columns; c++) {
    bool used = w->s->column[c].leave_out[0];
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
  fprintf(w->to, ", %d row%s. Check every line.\n", s->rows, CB_S(s->rows));
  if (w->m->other)
    fprintf(w->to, "# '%s' has such columns, too: 'import %s --guess' takes it for that.\n", w->m->other,
            w->m->other);
  fprintf(w->to, "kind: %s\nsource: ", w->m->kind->name);
  put_fill(w, "source", "guess");
  fprintf(w->to, "  # fill in: who measured it, and when\n");
  if (!s->named) fprintf(w->to, "header: false  # columns by number\n");
  if (s->skip_lines) fprintf(w->to, "skip_lines: %d\n", s->skip_lines);
  if (s->last_line) fprintf(w->to, "last_line: %d  # what follows is not read\n", s->last_line);
  if (s->sheet[0]) fputs("sheet: ", w->to), put_quoted(w->to, s->sheet), fputc('\n', w->to);
  if (strcmp(s->encoding, "utf-8") != 0) fprintf(w->to, "encoding: %s\n", s->encoding);
  fprintf(w->to, s->separator == '\t' ? "separator: \"\\t\"\n" : "separator: \"%c\"\n", s->separator);
  if (s->decimal_comma) fprintf(w->to, "decimal_comma: true\n");
  fprintf(w->to, "columns:\n");
}

static cb_status write_text(const guess_shape *s, const guess_match *m, const char *name, bool trial,
                            char **text, fit_guess *out, cb_err *err) {
  cb_draft d;
  writer w = {.s = s, .m = m, .trial = trial};
  *text = NULL;
  CB_TRY(cb_draft_begin(&d, err));
  w.to = d.to;
  put_head(&w, name);
  put_fields(&w);
  put_left_out(&w);
  put_unused(&w);
  memcpy(out->fills, w.list, sizeof w.list);
  return cb_draft_end(&d, CB_OK, text, err);
}

cb_status guess_write(const guess_shape *s, const guess_match *m, const char *name, fit_guess *out,
                      cb_err *err) {
  const char *slash = strrchr(name, '/');
  const char *file = slash ? slash + 1 : name;
  CB_TRY(write_text(s, m, file, true, &out->trial, out, err));
  return write_text(s, m, file, false, &out->mapping, out, err);
}
