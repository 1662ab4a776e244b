#include "fit_guess_sheet.h"

#include <stdlib.h>
#include <string.h>

#include "cb_array.h"

typedef struct scanner {
  char *at;
  int line;
} scanner;

static bool at_line_end(const scanner *s) { return *s->at == '\0' || *s->at == '\n' || *s->at == '\r'; }

static void pass_line_end(scanner *s) {
  if (*s->at == '\0') return;
  if (s->at[0] == '\r' && s->at[1] == '\n') s->at++;
  s->at++;
  s->line++;
}

static cb_status push_cell(guess_sheet *s, char *cell, cb_err *err) {
  char **grown = cb_array_grow(s->cells, &s->cap_cells, s->n_cells + 1, sizeof *grown);
  if (!grown) return cb_no_memory(err, "%zu cells", s->n_cells + 1);
  s->cells = grown;
  s->cells[s->n_cells++] = cell;
  return CB_OK;
}

static cb_status push_record(guess_sheet *s, int line, size_t first, cb_err *err) {
  guess_record *grown = cb_array_grow(s->records, &s->cap, s->n + 1, sizeof *grown);
  if (!grown) return cb_no_memory(err, "%zu lines", s->n + 1);
  s->records = grown;
  bool blank = true;
  for (size_t i = first; i < s->n_cells; i++) blank = blank && !s->cells[i][0];
  s->records[s->n++] = (guess_record){line, first, s->n_cells - first, blank};
  return CB_OK;
}

/* The text of a quoted cell, cut in place. */
static cb_status cut_quoted(scanner *s, const char *name, char **cell, cb_err *err) {
  const int opened = s->line;
  char *out = ++s->at;
  *cell = out;
  for (; !(s->at[0] == '"' && s->at[1] != '"'); s->at++) {
    if (!*s->at)
      return cb_fail(err, CB_E_PARSE, "%s:%d: the quote opened here is never closed", name, opened);
    if (*s->at == '"') s->at++;
    if (*s->at == '\n') s->line++;
    *out++ = *s->at;
  }
  s->at++;
  *out = '\0';
  return CB_OK;
}

/* *end is where the terminator belongs; it cannot be written before the separator was seen. */
static void cut_plain(scanner *s, char separator, char **cell, char **end) {
  while ((*s->at == ' ' || *s->at == '\t') && *s->at != separator) s->at++;
  *cell = s->at;
  while (!at_line_end(s) && *s->at != separator) s->at++;
  char *last = s->at;
  while (last > *cell && (last[-1] == ' ' || last[-1] == '\t')) last--;
  *end = last;
}

static cb_status cut_record(guess_sheet *sheet, scanner *s, const char *name, cb_err *err) {
  const int line = s->line;
  const size_t first = sheet->n_cells;
  for (bool more = true; more;) {
    char *cell, *end = NULL;
    if (*s->at == '"')
      CB_TRY(cut_quoted(s, name, &cell, err));
    else
      cut_plain(s, sheet->separator, &cell, &end);
    while (!at_line_end(s) && *s->at != sheet->separator) s->at++; /* behind a closing quote */
    CB_TRY(push_cell(sheet, cell, err));
    more = *s->at == sheet->separator && !at_line_end(s);
    if (more)
      s->at++;
    else
      pass_line_end(s);
    if (end) *end = '\0';
  }
  return push_record(sheet, line, first, err);
}

/* Whether the line below begins with a number. */
static bool is_above_numbers(const char *at) {
  at += strcspn(at, "\r\n");
  at += strspn(at, "\r\n");
  at += strspn(at, " \t+-.");
  return *at >= '0' && *at <= '9';
}

cb_status guess_sheet_cut(const char *text, const char *name, char separator, guess_sheet *out, cb_err *err) {
  *out = (guess_sheet){.separator = separator, .text = strdup(text)};
  if (!out->text) return cb_no_memory(err, "%s", name);
  scanner s = {.at = out->text, .line = 1};
  while (*s.at) {
    const bool comment = *s.at == '#';
    if (comment && is_above_numbers(s.at)) s.at += strspn(s.at, "# \t");
    if (*s.at != '#') {
      CB_TRY(cut_record(out, &s, name, err));
      out->records[out->n - 1].comment = comment;
      continue;
    }
    while (!at_line_end(&s)) s.at++;
    pass_line_end(&s);
  }
  return CB_OK;
}

void guess_sheet_clear(guess_sheet *s) {
  free(s->text);
  free(s->cells);
  free(s->records);
  *s = (guess_sheet){.n = 0};
}

const char *guess_sheet_cell(const guess_sheet *s, size_t record, size_t column) {
  const guess_record *r = &s->records[record];
  return column < r->n ? s->cells[r->first + column] : "";
}
